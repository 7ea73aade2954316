"""A model's provider that is never killed: it answers, it sends the bill, and it remembers who hung up.

It speaks OpenAI's chat completions. What it says makes a game of ``count-up`` come out, and makes every history
checkable from its text alone: each answer has a name of its own, and names the answer that it was built on.
"""

import asyncio
import json
import re
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self

from aiohttp import web

from tests.agents.providers.openai_server import completion

__all__ = ["NOBODY", "SAID", "Call", "Provider", "Said", "said_in"]

SAID = re.compile(r"(?P<number>\d+)! (?P<name>[0-9a-f]{8}\.\d+) after (?P<after>[0-9a-f]{8}\.\d+|nobody)")
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, read back: the number, the answer's own name, and the name of the one before it."""

    number: int
    name: str
    after: str

    def __str__(self) -> str:
        return f"{self.number}! {self.name} after {self.after}"


def said_in(text: str) -> Said | None:
    """Read the last answer in a text; None if there is none."""
    answers = [Said(int(found["number"]), found["name"], found["after"]) for found in SAID.finditer(text)]
    return answers[-1] if answers else None


@dataclass(frozen=True, slots=True)
class Call:
    """One call. Times are seconds on the provider's own clock; one of the last two is set when it is over.

    Calls with the same ``generation`` were served by one piece of work, which is paid once.
    """

    key: str
    generation: int
    begun: float
    peer: int
    answered: float | None = None
    lost: float | None = None


class Provider:
    """The server; use it as an async context manager.

    Args:
        idempotent: whether a call with a known key joins the first one, or gets its stored answer. Otherwise each call
            is paid, and answered with another name than before: as a real model would not say the same twice.
        latency: seconds that an answer takes, from and to; drawn by key, so that it is the same in each run.
    """

    def __init__(self, *, idempotent: bool, latency: tuple[float, float] = (0.1, 0.6)) -> None:
        self.url = ""
        self._idempotent = idempotent
        self._latency = latency
        self._calls: list[Call] = []
        self._work: list[asyncio.Task[str]] = []
        self._stored: dict[str, int] = {}
        self._paid: Counter[str] = Counter()

    @property
    def calls(self) -> list[Call]:
        """All calls so far, in the order in which they came."""
        return list(self._calls)

    def write(self, file: Path) -> None:
        """Write the calls down, one JSON object a line."""
        file.write_text("".join(json.dumps(asdict(call)) + "\n" for call in self._calls))

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()
        for work in self._work:
            work.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        key = request.headers["Idempotency-Key"]
        messages = (await request.json())["messages"]
        generation = self._begin(key, messages)
        assert request.transport is not None
        peer = request.transport.get_extra_info("peername")[1]
        number = len(self._calls)
        self._calls.append(Call(key, generation, _now(), peer))
        try:
            text = await asyncio.shield(self._work[generation])
        except asyncio.CancelledError:
            self._calls[number] = replace(self._calls[number], lost=_now())
            raise
        response = web.json_response(completion(text))
        try:
            await response.prepare(request)
            await response.write_eof()
        except ConnectionError:
            self._calls[number] = replace(self._calls[number], lost=_now())
        else:
            self._calls[number] = replace(self._calls[number], answered=_now())
        return response

    def _begin(self, key: str, messages: list[dict[str, Any]]) -> int:
        """Begin to work on an answer, or find the work that is under way or done already; return its number."""
        if self._idempotent and key in self._stored:
            return self._stored[key]
        self._paid[key] += 1
        text = _answer(f"{key[:8]}.{self._paid[key]}", messages)
        seconds = Random(f"{key}.{self._paid[key]}").uniform(*self._latency)
        self._stored[key] = len(self._work)
        self._work.append(asyncio.create_task(asyncio.sleep(seconds, text)))
        return self._stored[key]


def _answer(name: str, messages: list[dict[str, Any]]) -> str:
    """Say the next number; nothing but what was asked decides what it is."""
    before = said_in(messages[-1]["content"])
    return str(Said(1, name, NOBODY) if before is None else Said(before.number + 1, name, before.name))


def _now() -> float:
    return asyncio.get_running_loop().time()
