"""What servers of all wire formats have in common: they keep what they were asked, and answer or fail as they are told.

Nothing of it needs a network or a key. A format says how its answers look, and what it would not take.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

from aiohttp import web

__all__ = [
    "Answer",
    "Asked",
    "WireServer",
    "drop_in_mid_body",
    "json_answer",
    "never",
    "never_the_rest",
    "text_answer",
]

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Asked:
    """One call, as it came: its path with the query, and its headers, which are found without regard to case."""

    path: str
    headers: Mapping[str, str]
    raw: bytes

    @cached_property
    def body(self) -> Any:
        return json.loads(self.raw)


def text_answer(
    text: str | bytes,
    status: int = 200,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Answer with anything."""
    body = text.encode() if isinstance(text, str) else text

    async def answer(_: web.Request) -> web.StreamResponse:
        kind = {"Content-Type": f"{content_type}; charset=utf-8"}
        return web.Response(body=body, status=status, headers={**kind, **(headers or {})})

    return answer


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""
    return text_answer(json.dumps(body), status, headers=headers)


async def never(_: web.Request) -> web.StreamResponse:
    """Say nothing until the other side hangs up."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def _begin(request: web.Request) -> web.StreamResponse:
    """Promise a thousand bytes and send a few."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"id": ')
    return response


async def never_the_rest(request: web.Request) -> web.StreamResponse:
    """Begin to answer, and stop there until the other side hangs up."""
    await _begin(request)
    return await never(request)


async def drop_in_mid_body(request: web.Request) -> web.StreamResponse:
    """Begin to answer, and hang up."""
    response = await _begin(request)
    assert request.transport is not None
    request.transport.abort()
    return response


@dataclass
class WireServer(ABC):
    """A server. ``answers`` are given in order; when there are none left, ``otherwise``, or "up".

    ``key`` is the one that it takes; None, and if its format does not look at keys: any.
    """

    path: ClassVar[str] = ""
    """Where its URL leads."""

    key: str | None = None
    answers: deque[Answer] = field(default_factory=deque)
    otherwise: Answer | None = None
    asked: list[Asked] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    base_url: str = ""

    def will(self, *answers: Answer) -> None:
        """Add answers to those that are still to be given."""
        self.answers.extend(answers)

    @abstractmethod
    def whole(self, text: str) -> dict[str, Any]:
        """Write a whole answer that says this."""

    def says(self, text: str) -> Answer:
        """Answer with this text."""
        return json_answer(self.whole(text))

    @abstractmethod
    def refuses(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Answer as the API refuses."""

    @abstractmethod
    def filters(self) -> Answer:
        """Answer as the API does when a content filter has stopped the dialogue."""

    @abstractmethod
    def last_text(self, body: Any) -> str:
        """Read the last words of a question."""

    def at_once(self, asked: Asked) -> Answer | None:
        """Return what this question is answered with, whatever was planned; None if it is in order."""
        return None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}{self.path}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        asked = Asked(str(request.rel_url), request.headers, await request.read())
        self.asked.append(asked)
        self.called.set()
        answer = self.at_once(asked) or (self.answers.popleft() if self.answers else self.otherwise or self.says("up"))
        return await answer(request)
