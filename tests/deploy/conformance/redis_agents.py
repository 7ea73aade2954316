"""Agents of a few lines that know nothing but Redis: one as it should be, and others that get one thing wrong."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from redis.asyncio import Redis

from palaver_broker.redis import Link
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.errors import UsageError
from tests.redis_server import RedisServer

NAMES = ("key", "run_id", "episode_id", "turn", "seat", "agent")

Plain = dict[str, Any]


class DeadError(Exception):
    """What an agent dies of."""


class Agent:
    """An agent as it should be: reads what is open, answers, goes on.

    Args:
        server: where the bus is.
        bus: what the bus is called.
        name: what it is called.
    """

    says_hello = True

    def __init__(self, server: RedisServer, bus: str, name: str) -> None:
        self.full_name = f"bus/{name}"
        self.questions: list[Plain] = []
        self.notices: list[Plain] = []
        self.redis = Redis(unix_socket_path=str(server.socket), socket_timeout=None)
        self._inbox, self._outbox, self._notes = (
            f"{{{bus}}}:{kind}:{self.full_name}" for kind in ("in", "out", "note")
        )

    async def run(self) -> None:
        """Live until cancelled, or until something kills it."""
        if self.says_hello:
            await self.send(
                {"type": "agent.hello", "version": "1.0", "key": "hi", "agent": self.full_name, "software": "toy 1"}
            )
        last: dict[Any, Any] = {self._inbox: "0-0", self._notes: "0-0"}
        while True:
            read: Any = await self.redis.xread(last, block=0)
            for stream, entries in read:
                batch = []
                for id_, fields in entries:
                    last[stream.decode()] = id_.decode()
                    batch.append(json.loads(fields[b"m"]))
                if stream.decode() == self._notes:
                    for notice in batch:
                        self.notices.append(notice)
                        await self.on_notice(notice)
                else:
                    self.questions += batch
                    await self.on_questions(batch)

    async def on_questions(self, questions: list[Plain]) -> None:
        for question in questions:
            await self.on_question(question)

    async def on_question(self, question: Plain) -> None:
        await self.send(self.reply(question))

    async def on_notice(self, notice: Plain) -> None:
        pass

    def text(self, question: Plain) -> str:
        said = question["view"][-1]["parts"]
        return "I heard: " + " ".join(part["text"] for part in said if part["type"] == "text")[-500:]

    def reply(self, question: Plain, **changes: Any) -> Plain:
        names = {name: question[name] for name in NAMES}
        parts = [{"type": "text", "text": self.text(question)}]
        return {"type": "turn.reply", "version": "1.0", **names, "parts": parts, **changes}

    def failure(self, question: Plain, code: str, message: str = "so it is") -> Plain:
        names = {name: question[name] for name in NAMES}
        why = {"code": code, "message": message, "retryable": False}
        return {"type": "turn.failure", "version": "1.0", **names, **why}

    async def send(self, message: Plain | bytes) -> None:
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        await self.redis.xadd(self._outbox, {"m": raw})

    async def aclose(self) -> None:
        await self.redis.aclose()


@asynccontextmanager
async def living(server: RedisServer, url: str, kind: Callable[..., Agent], name: str = "toy") -> AsyncIterator[Agent]:
    """Let an agent in and have it live until the context is left, if it lives so long."""
    bus = url.partition("bus=")[2]
    async with Link(url) as link:
        with suppress(UsageError):  # it is known: it comes again
            await Strangers(link).add(name, ["redis"])
    agent = kind(server, bus, name)
    life = asyncio.create_task(agent.run())
    try:
        yield agent
    finally:
        life.cancel()
        (end,) = await asyncio.gather(life, return_exceptions=True)
        await agent.aclose()
        assert isinstance(end, asyncio.CancelledError | DeadError), end


def of(question: Plain) -> str:
    """Which step a question is of."""
    return str(question["episode_id"])


def pictures(question: Plain) -> Iterable[Plain]:
    """The pictures that it shows."""
    return [part for message in question["view"] for part in message["parts"] if part["type"] == "image"]
