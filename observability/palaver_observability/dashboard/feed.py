"""The feed: changes are gathered for a moment, written once, and sent to every browser as the same bytes.

A frame is one server-sent event. A browser that does not read is let go: it comes back by itself and goes on where it
was, or is sent everything anew.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import structlog
from pydantic_core import to_json

from palaver_protocols.errors import PalaverError

from .cards import Key
from .games import Games
from .index import Index
from .sources import Source
from .sources.base import run_as_dict
from .visitors import without_secrets

__all__ = ["TOPICS", "Client", "Feed", "frame"]

GATHER_S = 0.25
"""How long changes of cards are gathered."""
RUNS_S = 1.0
AGENTS_S = 2.0
SEATS_S = 0.5
ROOM = 256
"""Frames that may wait for a browser that reads slowly. They are the same bytes for all."""
KEPT = 120
"""Frames of cards that are kept for browsers that come back: half a minute's worth."""
AWAY_S = 2.0
"""How soon we look again at a source that has failed us."""
MOST_DIGITS = 16
"""Of the number of a frame that a browser names."""
TOPICS = frozenset({"cards", "runs", "agents", "seats"})

Look = Callable[[], Awaitable[Any]]


def frame(event: str, data: bytes, id_: str | None = None) -> bytes:
    """Write one server-sent event; ``data`` is JSON, and so has no line break in it."""
    head = f"event: {event}\n" if id_ is None else f"event: {event}\nid: {id_}\n"
    return b"".join((head.encode(), b"data: ", data, b"\n\n"))


@dataclass(eq=False, slots=True)
class Client:
    """A browser that listens. ``abort`` cuts its connection."""

    topics: frozenset[str]
    sees_all: bool
    abort: Callable[[], None]
    frames: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(ROOM))

    def send(self, data: bytes | None) -> bool:
        """Hand it a frame (None: it is over); False where too many wait already, and it was let go."""
        try:
            self.frames.put_nowait(data)
        except asyncio.QueueFull:
            self.abort()
            return False
        return True


class Feed:
    """Follows a source, and sends what has changed.

    Args:
        source: where news come from.
        index: what they are folded into.
        games: know which scores lead.
        now: tells the time (epoch seconds).
        seats: looks which seats are there for people; None where nobody can sit down.
    """

    def __init__(
        self, source: Source, index: Index, games: Games, now: Callable[[], float], seats: Look | None = None
    ) -> None:
        self._source, self._index, self._games, self._now = source, index, games, now
        self._seats = seats
        self._clients: set[Client] = set()
        self._boot = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._last: dict[tuple[str, bool], bytes] = {}
        self._waiting: dict[Key, set[asyncio.Event]] = {}
        self._wanted = asyncio.Event()
        self.is_closed = False
        self.sent: dict[str, int] = dict.fromkeys(sorted(TOPICS), 0)
        """Frames that were made, by topic."""
        index.changed = self._wake

    @property
    def clients(self) -> int:
        """How many browsers listen."""
        return len(self._clients)

    async def run(self) -> None:
        """Follow the source for ever; cancel it to stop."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow(), name="following")
            tasks.create_task(self._gather(), name="cards")
            tasks.create_task(self._poll("runs", RUNS_S, self.runs), name="runs")
            tasks.create_task(self._poll("agents", AGENTS_S, self._source.agents), name="agents")
            if self._seats is not None:
                tasks.create_task(self._poll("seats", SEATS_S, self._seats), name="seats")

    async def runs(self) -> dict[str, Any]:
        """Return how all runs stand."""
        runs = await self._source.runs(self._index)
        self._games.learn(run.config.game for run in runs)
        return {"runs": [run_as_dict(run, self._index, self._now()) for run in runs]}

    async def join(self, client: Client, after: str | None = None) -> None:
        """Let a browser listen: it is sent how things stand, or what it has missed, and then all changes.

        Args:
            client: the browser.
            after: the id of the last frame of cards that it has had.
        """
        if "cards" in client.topics:
            for missed in self._missed(after):
                client.send(missed)
        self._clients.add(client)
        self._wanted.set()
        for topic, look in (("runs", self.runs), ("agents", self._source.agents), ("seats", self._seats)):
            if topic in client.topics and look is not None:
                data = self._last.get((topic, client.sees_all))
                if data is None or len(self._clients) == 1:
                    await self._look(topic, look)
                    data = self._last.get((topic, client.sees_all))
                if data is not None:
                    client.send(frame(topic, data))

    def leave(self, client: Client) -> None:
        """Forget a browser."""
        self._clients.discard(client)
        if not self._clients:
            self._wanted.clear()

    def close(self) -> None:
        """Tell all browsers that it is over."""
        self.is_closed = True
        for client in list(self._clients):
            client.send(None)
        for events in self._waiting.values():
            for event in events:
                event.set()

    def changes_of(self, key: Key) -> "Changes":
        """Return what tells when an episode's log has grown; use it as a context manager."""
        return Changes(self._waiting, key)

    def snapshot(self) -> bytes:
        """Return all cards, as the first event of a stream has them."""
        return to_json(self._index.snapshot(), inf_nan_mode="null")

    def _wake(self, key: Key) -> None:
        for event in self._waiting.get(key, ()):
            event.set()

    def _missed(self, after: str | None) -> list[bytes]:
        """Return the frames behind one; where they are not there any more, one with everything."""
        boot, _, number = (after or "").partition("-")
        if boot == self._boot and number.isdecimal() and len(number) < MOST_DIGITS:
            missed = self._number - int(number)
            if 0 <= missed <= len(self._kept):
                return list(self._kept)[len(self._kept) - missed :]
        return [self._all()]

    def _all(self) -> bytes:
        return frame("cards", self.snapshot(), f"{self._boot}-{self._number}")

    async def _follow(self) -> None:
        """Follow the source; one that fails is tried again, and the pages stay."""
        while True:
            try:
                await self._source.follow(self._index)
                await asyncio.Event().wait()  # a run that is over has no more news
            except* PalaverError as errors:
                structlog.get_logger().warning("nothing new can be seen", reason=str(errors.exceptions[0]))
            except* Exception as errors:
                structlog.get_logger().error("following what is played failed", exc_info=errors.exceptions[0])
            await asyncio.sleep(AWAY_S)

    async def _gather(self) -> None:
        while True:
            await asyncio.sleep(GATHER_S)
            changes = self._index.changes()
            if changes is None:
                continue
            self._games.learn(card["game"] for card in changes["cards"])
            try:
                told = to_json(changes, inf_nan_mode="null")
            except ValueError as error:  # half a character, in the name of something
                structlog.get_logger().error("cards cannot be told", exc_info=error)
                continue
            self._number += 1
            data = frame("cards", told, f"{self._boot}-{self._number}")
            self._kept.append(data)
            self._send("cards", data)

    async def _poll(self, topic: str, every_s: float, look: Look) -> None:
        """Look now and then, as long as somebody listens, and send what has changed."""
        while True:
            await self._wanted.wait()
            before = dict(self._last)
            if any(topic in client.topics for client in self._clients):
                await self._look(topic, look)
            for sees_all in (True, False):
                data = self._last.get((topic, sees_all))
                if data is not None and data != before.get((topic, sees_all)):
                    self._send(topic, frame(topic, data), sees_all)
            await asyncio.sleep(every_s)

    async def _look(self, topic: str, look: Look) -> None:
        try:
            found = await look()
            told = {True: to_json(found, inf_nan_mode="null")}
            if topic != "seats":
                told[False] = to_json(without_secrets(topic, found), inf_nan_mode="null")
        except PalaverError as error:
            structlog.get_logger().warning("cannot look", topic=topic, reason=str(error))
        except Exception as error:  # one thing that cannot be shown must not end the others
            structlog.get_logger().error("looking failed", topic=topic, exc_info=error)
        else:
            self._last.update({(topic, sees_all): data for sees_all, data in told.items()})

    def _send(self, topic: str, data: bytes, sees_all: bool | None = None) -> None:
        """Send a frame to all who listen to its topic, or only to operators, or to visitors."""
        self.sent[topic] += 1
        for client in list(self._clients):
            is_meant = topic in client.topics and sees_all in (None, client.sees_all)
            if is_meant and not client.send(data):
                self.leave(client)


class Changes:
    """Waits for an episode's log to grow."""

    def __init__(self, waiting: dict[Key, set[asyncio.Event]], key: Key) -> None:
        self._waiting, self._key = waiting, key
        self._event = asyncio.Event()

    def __enter__(self) -> "Changes":
        self._waiting.setdefault(self._key, set()).add(self._event)
        return self

    def __exit__(self, *_: object) -> None:
        events = self._waiting.get(self._key, set())
        events.discard(self._event)
        if not events:
            self._waiting.pop(self._key, None)

    async def wait(self, timeout_s: float) -> bool:
        """Wait for the next change; False where none came."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._event.wait()
        except TimeoutError:
            return False
        self._event.clear()
        return True
