"""The redis-py floor: what a turn costs at least over Redis streams with the usual client.

One reader a process over all its streams, everything that is sent while a pipeline is under way leaves in the next one,
acknowledgements ride along. Dicts as JSON; no types, keys, leases, log or rules of a game, and whatever breaks stays
broken.
"""
# Runs in the peers' own environment, as orjson is no dependency of palaver.
# mypy: disable-error-code="import-not-found"

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import orjson
from redis.asyncio import Redis

from .workload import AGENTS, Job, Message, answer, play, read_job, serve

BATCH = 1000
INBOXES = tuple(f"in:{agent}" for agent in AGENTS)
ANSWERS = "answers"


class Bus:
    """Two connections: one reads, the other one writes."""

    def __init__(self, address: str) -> None:
        self._reading = Redis.from_url(address, socket_timeout=None, protocol=2)
        self._writing = Redis.from_url(address, socket_timeout=None, protocol=2)
        self._to_send: list[tuple[str, bytes]] = []
        self._to_ack: dict[str, list[bytes]] = {}
        self._sender: asyncio.Task[None] | None = None

    def send(self, stream: str, message: Message) -> None:
        """Add a message to a stream, with whatever else leaves now."""
        self._to_send.append((stream, orjson.dumps(message)))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._to_send or self._to_ack:
            to_send, self._to_send = self._to_send, []
            to_ack, self._to_ack = self._to_ack, {}
            pipeline = self._writing.pipeline(transaction=False)
            for stream, encoded in to_send:
                pipeline.xadd(stream, {"m": encoded})
            for stream, ids in to_ack.items():
                pipeline.xack(stream, "readers", *ids)
            await pipeline.execute()
        self._sender = None

    async def join(self, streams: Sequence[str]) -> None:
        """Found the group that reads these streams."""
        for stream in streams:
            await self._reading.xgroup_create(stream, "readers", "0", mkstream=True)

    async def read(self, streams: Sequence[str], handle: Callable[[Message], None]) -> None:
        """Hand over what comes on the streams; it counts as read when it has been handled."""
        new: dict[Any, Any] = dict.fromkeys(streams, ">")
        while True:
            read: Any = await self._reading.xreadgroup("readers", "me", new, count=BATCH, block=0)
            for stream, entries in read:
                for _, fields in entries:
                    handle(orjson.loads(fields[b"m"]))
                self._to_ack.setdefault(stream, []).extend(entry for entry, _ in entries)
            if self._sender is None:
                self._sender = asyncio.create_task(self._send())


async def agents(job: Job) -> None:
    """Both agents."""
    bus = Bus(job.address)
    loop = asyncio.get_running_loop()

    def reply(question: Message) -> None:
        bus.send(ANSWERS, answer(question))

    def think(question: Message) -> None:
        loop.call_later(job.think_s, reply, question)

    await bus.join(INBOXES)
    await serve(bus.read(INBOXES, think if job.think_s else reply))


async def games(job: Job) -> None:
    """All games."""
    bus = Bus(job.address)
    loop = asyncio.get_running_loop()
    waiting: dict[str, asyncio.Future[int]] = {}

    def wake(answer: Message) -> None:
        waiting.pop(answer["key"]).set_result(answer["turn"])

    async def ask(question: Message) -> int:
        arrival: asyncio.Future[int] = loop.create_future()
        waiting[question["key"]] = arrival
        bus.send(f"in:{question['agent']}", question)
        return await arrival

    await bus.join([ANSWERS])
    reading = asyncio.create_task(bus.read([ANSWERS], wake))
    await play(job.games, ask)
    reading.cancel()


if __name__ == "__main__":
    job = read_job()
    asyncio.run({"agents": agents, "games": games}[job.role](job))
