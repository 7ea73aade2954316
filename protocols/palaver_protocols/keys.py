"""What questions are called: by their content, so that the same question has the same name, whoever asks it."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pydantic_core import to_json

from .transcript import Message

__all__ = ["Hash", "hash_view", "key_prefix", "request_key"]

Hash: TypeAlias = hashlib.blake2b


def key_prefix(fixed: Mapping[str, Any]) -> Hash:
    """Hash what all requests to one seat share, so that :func:`request_key` need not hash it again each turn.

    The order in which the parameters are given makes no difference.
    """
    return hashlib.blake2b(to_json({name: fixed[name] for name in sorted(fixed)}), digest_size=16)


def hash_view(prefix: Hash, view: Sequence[Message]) -> None:
    """Hash the first messages of a view once for all requests that show them."""
    prefix.update(b"".join([message.digest for message in view]))


def request_key(prefix: Hash, turn: int, view: Sequence[Message] = ()) -> str:
    """Name a request by its content: who asks what of whom, with which parameters, at which turn (32 hex digits).

    Args:
        prefix: what is the same for every request to the seat, and the part of the view that is hashed already.
        turn: the number of the turn.
        view: the rest of the view.
    """
    digest = prefix.copy()
    if view:
        hash_view(digest, view)
    digest.update(b"|%d" % turn)
    return digest.hexdigest()
