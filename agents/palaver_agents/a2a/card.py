"""Reading an agent card: who is there, what it takes, and how it is to be asked."""

import re
from dataclasses import dataclass
from typing import get_args

import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.extensions.common import find_extension_by_uri
from a2a.types import AgentCard, AgentInterface, SecurityScheme
from a2a.utils.constants import TransportProtocol

from palaver_protocols.content import MediaType
from palaver_protocols.errors import AgentError, one_line
from palaver_protocols.quirks import OPENAI, Pictures, Quirks

from .extension import EXTENSION
from .web import origin_of

__all__ = ["Server", "read_card", "server_of"]

BINDINGS = (TransportProtocol.JSONRPC.value, TransportProtocol.HTTP_JSON.value)
MAJOR = "1"
BEARERS = ("oauth2_security_scheme", "open_id_connect_security_scheme")
"""Schemes that come down to a bearer token, as plain HTTP authentication with ``bearer`` does."""


@dataclass(frozen=True, slots=True)
class Server:
    """An A2A server, as its card tells.

    ``model`` is its name and version. ``knows_us`` is whether it understands whole questions (:data:`EXTENSION`).
    """

    client: Client
    model: str
    quirks: Quirks
    knows_us: bool


async def read_card(web: httpx.AsyncClient, url: str, timeout: httpx.Timeout) -> AgentCard:
    """Fetch a card from its well-known place under a URL; errors are the SDK's."""
    return await A2ACardResolver(web, url).get_agent_card(http_kwargs={"timeout": timeout})


def server_of(
    card: AgentCard, web: httpx.AsyncClient, url: str, *, origins: frozenset[tuple[str, str, int]], has_token: bool
) -> Server:
    """Make what a card describes.

    Raises:
        AgentError: we cannot ask it: it speaks otherwise, wants what we have not, or sends us elsewhere.
    """
    usable = AgentCard()
    usable.CopyFrom(card)
    usable.ClearField("supported_interfaces")
    usable.supported_interfaces.extend(_interfaces(card, url, origins))
    _check_extensions(card, url)
    _check_security(card, url, has_token)
    config = ClientConfig(
        streaming=True, polling=True, httpx_client=web, supported_protocol_bindings=list(BINDINGS),
        accepted_output_modes=["text/plain"],
    )  # fmt: skip
    name = one_line(f"{card.name} {card.version}".strip(), 100)
    knows_us = find_extension_by_uri(card, EXTENSION) is not None
    return Server(ClientFactory(config).create(usable), name, _quirks(card), knows_us)


def _interfaces(card: AgentCard, url: str, origins: frozenset[tuple[str, str, int]]) -> list[AgentInterface]:
    """Return the interfaces that we can use, in the server's own order."""
    offered = list(card.supported_interfaces)
    if not offered:
        raise _cannot(url, "its agent card names no interface")
    versions = sorted({one_line(each.protocol_version, 20) for each in offered})
    ours = [each for each in offered if each.protocol_version.partition(".")[0] in ("", MAJOR)]
    if not ours:
        raise _cannot(url, f"it speaks A2A {', '.join(versions)}, and this palaver speaks {MAJOR}.x", "version")
    spoken = [each for each in ours if each.protocol_binding in BINDINGS]
    if not spoken:
        found = ", ".join(sorted({one_line(each.protocol_binding, 20) for each in ours}))
        raise _cannot(url, f"it speaks {found}, and this palaver speaks {' and '.join(BINDINGS)}")
    near = [each for each in spoken if origin_of(each.url) in origins]
    if not near:
        there = one_line(spoken[0].url, 100)
        raise _cannot(url, f"its agent card sends us elsewhere, to {there}", mend="trust it with A2A_ORIGINS=THAT_URL")
    return near


def _check_extensions(card: AgentCard, url: str) -> None:
    for each in card.capabilities.extensions:
        if each.required and each.uri != EXTENSION:
            raise _cannot(url, f"it requires the extension {one_line(each.uri, 100)}, which this palaver does not know")


def _check_security(card: AgentCard, url: str, has_token: bool) -> None:
    """Make sure that one of the ways in that a card names is open to us: all schemes of one requirement."""
    if not card.security_requirements:
        return
    ways = [[card.security_schemes[name] for name in each.schemes] for each in card.security_requirements]
    if any(all(has_token and _is_bearer(scheme) for scheme in way) for way in ways):
        return
    if any(all(_is_bearer(scheme) for scheme in way) for way in ways):
        raise AgentError(f"{url} wants a token", code="auth", retryable=False, mend="set A2A_TOKEN or put it into .env")
    wanted = ", ".join(
        sorted({str(scheme.WhichOneof("scheme")).removesuffix("_scheme") for way in ways for scheme in way})
    )
    raise _cannot(url, f"it wants {wanted.replace('_', ' ')}, and this palaver has bearer tokens only", "auth")


def _is_bearer(scheme: SecurityScheme) -> bool:
    kind = scheme.WhichOneof("scheme")
    return kind in BEARERS or (
        kind == "http_auth_security_scheme" and scheme.http_auth_security_scheme.scheme.lower() == "bearer"
    )


def _quirks(card: AgentCard) -> Quirks:
    """Return what a server takes: any text, and the pictures that it names; one of its skills may take more."""
    modes = {mode.lower() for skill in card.skills for mode in skill.input_modes} | {
        mode.lower() for mode in card.default_input_modes
    }
    takes = tuple(each for each in get_args(MediaType) if modes & {each, "image/*", "*/*", "image"})
    pictures = Pictures(media_types=takes, most=None if takes else 0)
    return Quirks(OPENAI.system, OPENAI.alternate, OPENAI.user_first, pictures=pictures)


def _cannot(url: str, why: str, code: str = "bad_card", mend: str = "") -> AgentError:
    return AgentError(re.sub(r"\s+", " ", f"{url} cannot be asked: {why}"), code=code, retryable=False, mend=mend)
