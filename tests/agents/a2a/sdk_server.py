"""A real A2A server, of the SDK's own parts, in the test's event loop; and the web pages of one that misbehaves."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandlerV2
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TaskStatus,
)
from aiohttp import web
from PIL import Image as Pillow
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from palaver_protocols.content import Image

Behave = Callable[[TaskUpdater, RequestContext, EventQueue], Awaitable[None]]


@dataclass
class Sdk:
    """A server that is up. ``heard`` are the messages, ``calls`` the paths and methods, ``tokens`` what was shown."""

    url: str = ""
    heard: list[Message] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def texts(self) -> list[str]:
        """The texts of the only message."""
        (message,) = self.heard
        return [part.text for part in message.parts if part.HasField("text")]


class Behaving(AgentExecutor):
    def __init__(self, behave: Behave, server: Sdk) -> None:
        self._behave = behave
        self._server = server

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.message is not None
        assert context.task_id is not None
        assert context.context_id is not None
        self._server.heard.append(context.message)
        await self._behave(TaskUpdater(event_queue, context.task_id, context.context_id), context, event_queue)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.task_id is not None
        assert context.context_id is not None
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        self._server.cancelled.set()


def says(*texts: str, **more: Any) -> Behave:
    """Answer with a message."""

    async def behave(updater: TaskUpdater, context: RequestContext, queue: EventQueue) -> None:
        await queue.enqueue_event(answer([Part(text=text) for text in texts], context, **more))

    return behave


def answer(parts: list[Part], context: RequestContext, **more: Any) -> Message:
    return Message(message_id="m", role=Role.ROLE_AGENT, parts=parts, context_id=context.context_id, **more)


def works(then: Callable[[TaskUpdater], Awaitable[None]]) -> Behave:
    """Answer with a task, which goes on as told."""

    async def behave(updater: TaskUpdater, context: RequestContext, queue: EventQueue) -> None:
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        await queue.enqueue_event(Task(id=context.task_id, context_id=context.context_id, status=status))
        await then(updater)

    return behave


def a_card(url: str, *, streaming: bool = True, bindings: tuple[str, ...] = ("JSONRPC",), **more: Any) -> AgentCard:
    fields: dict[str, Any] = {
        "name": "parrot",
        "version": "2.1",
        "description": "says it again",
        "capabilities": AgentCapabilities(streaming=streaming),
        "default_input_modes": ["text/plain", "image/png"],
        "default_output_modes": ["text/plain"],
        "skills": [AgentSkill(id="say", name="say", description="say", tags=["say"])],
        "supported_interfaces": [
            AgentInterface(protocol_binding=each, url=url, protocol_version="1.0") for each in bindings
        ],
    }
    return AgentCard(**{**fields, **more})


@asynccontextmanager
async def sdk_server(
    behave: Behave, *, port: int = 0, card: Callable[[str], AgentCard] = a_card, token: str | None = None
) -> AsyncIterator[Sdk]:
    """Serve what an executor does, under a card."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        server = Sdk(f"http://127.0.0.1:{listener.getsockname()[1]}")
        described = card(server.url)
        handler = DefaultRequestHandlerV2(Behaving(behave, server), InMemoryTaskStore(), described)
        application = Starlette(
            routes=[
                *create_agent_card_routes(described),
                *create_jsonrpc_routes(handler, "/"),
                *create_rest_routes(handler),
            ]
        )
        async with up(_Seen(application, server, token), listener):
            try:
                yield server
            finally:
                await handler.aclose()


@asynccontextmanager
async def up(application: ASGIApp, listener: socket.socket, *, lifespan: bool = False) -> AsyncIterator[None]:
    """Serve an application in this event loop."""
    settings: dict[str, Any] = {"log_config": None, "access_log": False, "ws": "none", "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(application, lifespan="on" if lifespan else "off", **settings))
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup([listener])  # and not `serve`, whose clock ticks ten times a second
    try:
        yield
    finally:
        await server.shutdown([listener])


class _Seen:
    """Notes what comes, and asks for a token."""

    def __init__(self, application: ASGIApp, server: Sdk, token: str | None) -> None:
        self._application = application
        self._server = server
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self._server.calls.append(f"{scope['method']} {scope['path']}")
        self._server.headers.append(headers)
        open_to_all = scope["path"].startswith("/.well-known")
        if self._token is None or open_to_all or headers.get("authorization") == f"Bearer {self._token}":
            await self._application(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": f"{headers.get('authorization')} is wrong".encode()})


@asynccontextmanager
async def pages(**routes: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """Serve a card and a JSON-RPC endpoint by hand: ``card`` and ``rpc``."""
    application = web.Application()
    if "card" in routes:
        application.router.add_get("/.well-known/agent-card.json", routes["card"])
    if "rpc" in routes:
        application.router.add_post("/", routes["rpc"])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def a_picture(colour: str = "red", alt: str | None = None, size: tuple[int, int] = (4, 3)) -> Image:
    """Make a picture that carries its bytes."""
    file = BytesIO()
    Pillow.new("RGB", size, colour).save(file, "PNG")
    return Image.from_bytes(file.getvalue(), alt)
