"""A server that speaks OpenAI's chat completions: real bodies, real headers, real faults.

It answers what it is told to, in order, and keeps what it was asked. Nothing of it needs a network or a key.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True)
class Asked:
    """One call, as it came. Headers are found without regard to case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    raw: bytes = b""


Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

USAGE: dict[str, Any] = {
    "prompt_tokens": 120,
    "completion_tokens": 45,
    "total_tokens": 165,
    "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
    "completion_tokens_details": {
        "reasoning_tokens": 32,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0,
    },
}


def completion(
    content: str | None = "up", *, finish_reason: str | None = "stop", refusal: str | None = None, **changes: Any
) -> dict[str, Any]:
    """Write a whole completion; ``changes`` replace its fields."""
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": refusal, "annotations": []}
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-test-2026-01-01",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}],
        "usage": USAGE,
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        **changes,
    }


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status, headers={"x-request-id": "req_1", **(headers or {})})

    return answer


def text_answer(text: str, status: int = 200, content_type: str = "application/json") -> Answer:
    """Answer with any text."""

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, status=status, content_type=content_type)

    return answer


def error_answer(
    status: int,
    message: str,
    *,
    code: str | None = None,
    type: str = "invalid_request_error",  # noqa: A002 - the wire calls it so
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Answer as OpenAI refuses."""
    body = {"error": {"message": message, "type": type, "param": None, "code": code}}
    return json_answer(body, status, headers)


async def drop_in_mid_body(request: web.Request) -> web.StreamResponse:
    """Promise a thousand bytes, send a few, hang up."""
    response = await begin_and_stop(request)
    assert request.transport is not None
    request.transport.abort()
    return response


async def begin_and_stop(request: web.Request) -> web.StreamResponse:
    """Promise a thousand bytes and send a few."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"id": ')
    return response


async def never(_: web.Request) -> web.StreamResponse:
    """Say nothing until the other side hangs up."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def never_the_rest(request: web.Request) -> web.StreamResponse:
    """Begin to answer, and stop there until the other side hangs up."""
    await begin_and_stop(request)
    return await never(request)


@dataclass
class OpenAIServer:
    """The server. ``answers`` are given in order; when there are none left, ``otherwise``."""

    answers: deque[Answer] = field(default_factory=deque)
    otherwise: Answer = field(default_factory=lambda: json_answer(completion()))
    asked: list[Asked] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    base_url: str = ""

    def will(self, *answers: Answer) -> None:
        """Add answers to those that are still to be given."""
        self.answers.extend(answers)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(Asked(request.path, request.headers, await request.json(), await request.read()))
        self.called.set()
        return await (self.answers.popleft() if self.answers else self.otherwise)(request)
