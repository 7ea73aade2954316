"""The web application around an A2A server of ours: its card, both transports, who is let in, and how much is read."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version

from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandlerV2
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentExtension,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH, TransportProtocol
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .extension import EXTENSION
from .reading import BODY_BYTES
from .serving import FewTasks

__all__ = ["Admit", "application", "card_of", "only_with", "token_in"]

Admit = Callable[[str], Awaitable[bool]]
"""Whether whoever shows this token is let in."""

BODY_S = 60.0
"""How long a client may take to say what it says."""
IDLE_S = 3600.0
"""How long a task that waits for its client is kept."""
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def only_with(token: str) -> Admit:
    """Let in whoever shows this token."""
    known = hashlib.sha256(token.encode()).digest()

    async def admit(shown: str) -> bool:
        return hmac.compare_digest(hashlib.sha256(shown.encode()).digest(), known)

    return admit


def token_in(headers: Mapping[str, str]) -> str:
    """Return the bearer token among the headers of a request (names in lower case); empty if there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def card_of(name: str, description: str, url: str, *, guarded: bool) -> AgentCard:
    """Write the card of a server at a URL; ``guarded`` is whether it wants a token."""
    base = url.rstrip("/")
    bindings = ((TransportProtocol.JSONRPC, f"{base}/"), (TransportProtocol.HTTP_JSON, base))
    card = AgentCard(
        name=name,
        description=description,
        version=version("palaver"),
        supported_interfaces=[
            AgentInterface(protocol_binding=binding.value, url=where, protocol_version="1.0")
            for binding, where in bindings
        ],
        capabilities=AgentCapabilities(
            streaming=True,
            extensions=[AgentExtension(uri=EXTENSION, description="takes palaver's whole questions", required=False)],
        ),
        default_input_modes=["text/plain", *IMAGES],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="turn", name="take a turn", description=description, tags=["palaver"])],
    )
    if guarded:
        bearer = SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="Bearer"))
        card.security_schemes["bearer"].CopyFrom(bearer)
        card.security_requirements.append(SecurityRequirement(schemes={"bearer": StringList()}))
    return card


def application(executor: AgentExecutor, card: AgentCard, admit: Admit | None) -> Starlette:
    """Make the application.

    Args:
        executor: what answers.
        card: the server's card, which anybody may read.
        admit: who else is let in; None: everybody on this machine but pages in its browsers.
    """
    handler = DefaultRequestHandlerV2(executor, FewTasks(), card, interrupted_task_timeout=IDLE_S)

    @asynccontextmanager
    async def lasting(_: Starlette) -> AsyncIterator[None]:
        yield
        await handler.aclose()

    return Starlette(
        lifespan=lasting,
        routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, "/"),
            *create_rest_routes(handler),
        ],
        middleware=[Middleware(_Doorkeeper, admit=admit)],
        max_body_size=BODY_BYTES,
    )


class _Doorkeeper:
    """Turns away whoever may not come in, before anything of what it says is read, and whoever takes too long."""

    def __init__(self, app: ASGIApp, admit: Admit | None) -> None:
        self._app = app
        self._admit = admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == AGENT_CARD_WELL_KNOWN_PATH:
            await self._app(scope, receive, send)
        elif (refusal := await self._refusal(Headers(scope=scope))) is not None:
            await refusal(scope, receive, send)
        else:
            await self._app(scope, _in_time(receive), send)

    async def _refusal(self, headers: Headers) -> JSONResponse | None:
        stated = headers.get("content-length", "0")
        if not stated.isdecimal() or int(stated) > BODY_BYTES:
            return JSONResponse({"error": f"a message has at most {BODY_BYTES:,} bytes"}, 413)
        if self._admit is None:
            if "origin" not in headers:
                return None
            return JSONResponse({"error": "pages in browsers are let in with a token only"}, 403)
        if await self._admit(token_in(headers)):
            return None
        refused = "show the token: Authorization: Bearer ..."
        return JSONResponse({"error": refused}, 401, headers={"WWW-Authenticate": "Bearer"})


def _in_time(receive: Receive) -> Receive:
    """Give a client so much time for its message, and no limit while it waits for the answer."""
    until = asyncio.get_running_loop().time() + BODY_S
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError as error:
            raise HTTPException(408, "the message takes too long") from error
        whole = not message.get("more_body", False)
        return message

    return received
