"""The line to one agent: its questions go out until they are answered, and what it says goes to its desk.

MQTT loses messages when a broker dies, and so does a bridge. Here nothing depends on one message: what ends a question
is its answer, settled on the bus. Hence PUBACKs mean nothing to us, theirs or ours, and paho may send ours when it
likes: a message that we have acknowledged and lost is sent again, because its question is.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import structlog

from palaver_protocols.codec import encode
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import AgentHello, Limits, Notice, RefusedError, stranger

from ..base import Broker
from ..desk import LEASE_S, Desk, OpenQuestion, open_desk
from .client import properties
from .rates import Rate
from .topics import Topics
from .wire import Counts, Wire

__all__ = ["FIRST_S", "LARGEST", "LONGEST_S", "PRESENT_S", "Line"]

FIRST_S = 2.5
"""After how long a question is sent again; after twice as long the next time, and so on."""
LONGEST_S = 30.0
PRESENT_S = 60.0
"""How long an agent is taken to be there after it has said something."""
EARLY_S = LEASE_S + 2.0
"""How long a desk that has just been opened may wait for questions that another process had on loan."""
NOTICE_S = 300.0
LOOK_S = 0.5
WAITING = 128
"""Messages of the agent that may wait to be looked at."""
LARGEST = 8 * 1024 * 1024
"""Bytes of a picture or question that a broker takes from us: less than its ``max_packet_size``. It cuts off who sends
more."""


@dataclass(slots=True, eq=False)
class _Due:
    """A question that is to be sent: when, how long to wait then, and how often it has been sent."""

    question: OpenQuestion
    at: float
    pause: float
    times: int = 0


class Line:
    """One agent.

    Args:
        broker: the bus.
        topics: its topics.
        wire: the connection.
        consumer: what this bridge is called on the bus.
        limits: what the agent may do.
        counts: what is counted.
        on_hello: called with each greeting.
        on_notice: called with what the agent is told of what it said.
    """

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        wire: Wire,
        consumer: str,
        *,
        limits: Limits,
        counts: Counts,
        on_hello: Callable[[AgentHello], None],
        on_notice: Callable[[Notice], None],
    ) -> None:
        self.topics = topics
        self.agent = stranger(topics.name)
        self.always = False
        """Whether it is asked here even if it has not said that it is here: it has no other way in."""
        self._broker, self._wire, self._consumer = broker, wire, consumer
        self._limits, self._counts = limits, counts
        self._on_hello, self._on_notice = on_hello, on_notice
        self._loop = asyncio.get_running_loop()
        self._rate = Rate(limits, self._loop.time())
        self._heard_at = -PRESENT_S
        self._allowed = limits.concurrency
        self._greeted = ""
        self._desk: Desk | None = None
        self._opened = asyncio.Event()
        self._early_until = 0.0
        self._early: dict[str, tuple[bytes, Notice]] = {}
        self._said: asyncio.Queue[bytes | Notice] = asyncio.Queue(WAITING)
        """What the agent has said, and what it is to be told besides, in order."""
        self._due: dict[str, _Due] = {}
        self._wake = asyncio.Event()
        self._shown: set[str] = set()
        """Pictures that the agent has, as its answers show."""
        self._log = structlog.get_logger().bind(agent=self.agent)

    def __len__(self) -> int:
        return len(self._due)

    @property
    def is_listened_to(self) -> bool:
        """Whether its messages are wanted: not for a while, if it has flooded us."""
        return self._loop.time() >= self._rate.deaf_until

    @property
    def _is_here(self) -> bool:
        return self.always or self._loop.time() - self._heard_at < PRESENT_S

    def be_there(self) -> None:
        """Take the agent to be here."""
        self._heard_at = self._loop.time()

    def take(self, raw: bytes) -> bool:
        """Take a message off the wire. False: it is time to stop listening for a while."""
        now = self._heard_at = self._loop.time()
        self._counts.heard += 1
        if self._rate.allows(now) and not self._said.full():
            self._said.put_nowait(raw)
            return True
        self._counts.refuse("too_fast")
        warn, floods = self._rate.overrun(now)
        if warn and not self._said.full():
            limits = self._limits
            about = f"{limits.per_second:g} messages a second are allowed, {limits.burst} in a burst"
            self._said.put_nowait(RefusedError("too_fast", about).notice(self.agent))
        return not floods

    def wake(self) -> None:
        """Send everything that is open, now: the connection or the agent is new, and may have lost all."""
        now = self._loop.time()
        for due in self._due.values():
            due.at, due.pause = now, FIRST_S
        self._wake.set()

    async def run(self) -> None:
        """Serve the agent until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen(), name=f"what {self.agent} says")
            tasks.create_task(self._send_on(), name=f"questions to {self.agent}")
            while True:
                if self._is_here:
                    await self._sit()
                await asyncio.sleep(LOOK_S)

    async def _sit(self) -> None:
        """Keep the desk open while the agent is here: else its questions are for others who let it in."""
        desk = Desk(
            self._broker, self.agent, limits=self._limits, on_question=self._asked, on_cancelled=self._cancelled
        )
        try:
            async with open_desk(desk, self._consumer):
                self._desk, self._early_until = desk, self._loop.time() + EARLY_S
                self._opened.set()
                while self._is_here:
                    await asyncio.sleep(LOOK_S)
                    await self._settle_early()
        except* BrokerError as errors:
            self._log.warning("cannot bring questions", reason=str(errors.exceptions[0]))
        finally:
            self._desk = None
            self._opened.clear()
            self._due.clear()
            self._early.clear()

    def _asked(self, question: OpenQuestion) -> None:
        due = self._due[question.key] = _Due(question, self._loop.time(), FIRST_S)
        early = self._early.pop(question.key, None)
        if early is not None and not self._said.full():
            self._said.put_nowait(early[0])  # its answer was here first
            due.at += FIRST_S
        self._wake.set()

    def _cancelled(self, key: str) -> None:
        self._due.pop(key, None)
        self._wake.set()
        if not self._said.full():
            self._said.put_nowait(Notice(key=key, agent=self.agent, code="cancelled"))

    async def _listen(self) -> None:
        while True:
            raw = await self._said.get()
            if isinstance(raw, Notice):
                # Whoever withdraws a question has noted it on the bus.
                await (self._publish(raw) if raw.code == "cancelled" else self._tell(raw))
                continue
            while (desk := self._desk) is None:
                await self._opened.wait()
            try:
                said = await desk.hear(raw)
            except BrokerError as error:  # the question is open still, and will be sent again
                self._log.warning("cannot settle an answer", reason=str(error))
                continue
            if isinstance(said, AgentHello):
                self._greet(said)
            else:
                await self._answered(raw, said)

    def _greet(self, hello: AgentHello) -> None:
        self._allowed = min(hello.concurrency, self._limits.concurrency)
        if hello.key != self._greeted:  # it has started, or connected anew
            self._greeted = hello.key
            self._shown.clear()
            self.wake()
        self._on_hello(hello)

    async def _answered(self, raw: bytes, notice: Notice) -> None:
        if notice.code == "refused":
            early = notice.reason == "closed" and self._loop.time() < self._early_until
            if early and notice.key and len(self._early) < self._limits.concurrency:
                self._early[notice.key] = raw, notice
                return
            self._counts.refuse(notice.reason or "")
        else:
            due = self._due.pop(notice.key, None)
            if due is not None:
                self._shown.update(image.sha256 for image in _pictures(due.question.request))
            self._wake.set()  # there is room for another
        await self._tell(notice)

    async def _settle_early(self) -> None:
        """Tell the agent of answers to questions that have not come, and will not."""
        if self._early and self._loop.time() >= self._early_until:
            early, self._early = self._early, {}
            for _, notice in early.values():
                self._counts.refuse("closed")
                await self._tell(notice)

    async def _tell(self, notice: Notice) -> None:
        self._on_notice(notice)
        await self._publish(notice)

    async def _publish(self, notice: Notice) -> None:
        await self._wire.publish(self.topics.notices, encode(notice), properties(notice.key, expiry_s=NOTICE_S))

    async def _send_on(self) -> None:
        while True:
            self._wake.clear()
            due = self._next() if self._wire.connected else None
            pause = LONGEST_S if due is None else due.at - self._loop.time()
            if due is not None and pause <= 0:
                await self._send(due)
                continue
            try:
                async with asyncio.timeout(pause):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def _next(self) -> _Due | None:
        """Return what is to be sent next: of those that are with the agent, or of as many more as it takes."""
        room = self._allowed - sum(due.times > 0 for due in self._due.values())
        fresh = islice((due for due in self._due.values() if due.times == 0), max(0, room))
        return min(
            (*(due for due in self._due.values() if due.times > 0), *fresh), key=lambda due: due.at, default=None
        )

    async def _send(self, due: _Due) -> None:
        request, now = due.question.request, self._loop.time()
        # Before it goes, so that what comes meanwhile (an answer, a new connection) has the last word.
        due.at, due.pause, due.times = now + due.pause, min(2 * due.pause, LONGEST_S), due.times + 1
        left = max(request.timeout_s - (now - due.question.since), LONGEST_S)
        for image in _pictures(request):
            if due.times > 1 or image.sha256 not in self._shown:
                await self._show(image, left)
        if self._due.get(due.question.key) is not due:
            return
        if len(due.question.data) > LARGEST:
            self._log.warning("a question is too large for MQTT", key=due.question.key, bytes=len(due.question.data))
            return
        said = properties(due.question.key, expiry_s=left, response=self.topics.answers)
        if await self._wire.publish(self.topics.questions, due.question.data, said):
            self._counts.sent += 1
            self._counts.sent_again += due.times > 1

    async def _show(self, image: Image, left: float) -> None:
        try:
            data = await self._broker.blobs.get(image.sha256)
        except BrokerError as error:
            self._log.warning("a picture is missing", reason=str(error))
            return
        if len(data) > LARGEST:
            self._log.warning("a picture is too large for MQTT", sha256=image.sha256, bytes=len(data))
            return
        said = properties(image.sha256, expiry_s=left, media_type=image.media_type)
        self._counts.pictures += await self._wire.publish(self.topics.picture(image.sha256), data, said)


def _pictures(request: TurnRequest) -> Iterator[Image]:
    """Yield what a question shows, each picture once."""
    seen = {part.sha256: part for message in request.view for part in message.parts if isinstance(part, Image)}
    return iter(seen.values())
