"""Agents behind A2A 1.x: somebody's server as an agent of ours, and an agent or a seat of ours behind a server.

What needs the SDK is imported when it is needed: it is an extra, ``palaver[a2a]``.
"""

from collections.abc import Mapping

from palaver_broker import BlobStore
from palaver_protocols.errors import UsageError

from ..model import Model

__all__ = ["no_sdk", "open_a2a"]


def open_a2a(url: str, blobs: BlobStore, environ: Mapping[str, str]) -> Model:
    """Make the agent that an A2A server is. Nothing is called before the first turn.

    Args:
        url: where its agent card is: ``URL/.well-known/agent-card.json``.
        blobs: where pictures are.
        environ: the environment, with what ``.env`` adds to it; a server's token is in it (``A2A_TOKEN``).

    Raises:
        UsageError: the SDK is not installed, or what the environment holds makes no sense.
    """
    try:
        from .client import A2AModel  # noqa: PLC0415 - the SDK is an extra, and slow to import
    except ImportError as error:
        raise no_sdk(f"a2a/{url}", error) from error
    return A2AModel(url, blobs, environ)


def no_sdk(what: str, error: ImportError) -> UsageError:
    """Say that the SDK is missing, and how to get it."""
    return UsageError(f"{what} needs the package a2a-sdk: {error}", mend="pip install 'palaver[a2a]'")
