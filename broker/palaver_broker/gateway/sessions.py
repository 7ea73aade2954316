"""One agent at a gateway: its questions, who of its connections has which, and what it says of them.

The questions lie on the agent's :class:`~palaver_broker.desk.Desk` as long as it is there, and a little longer. One
that was handed to a connection is with that connection until it is answered or withdrawn, or the connection breaks:
then the next takes it. One that was handed to a poll is handed to no other for a while.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Protocol, TypeVar

import structlog

from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, one_line
from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.strangers import AgentHello, Notice, RefusedError, read_stranger

from ..base import Broker
from ..buckets import Bucket
from ..desk import Desk, OpenQuestion, open_desk
from .rules import Rules
from .tally import Tally

__all__ = ["Connection", "House", "Presence", "Session"]

LINGER_S = 2.0
"""How long questions stay here when the last connection has broken: most come back at once, and to the same place."""
BETWEEN_POLLS_S = 5.0
"""How long they stay when an agent that polls is silent: it may have gone to another gateway."""
TICK_S = 0.5
REMEMBERED = 4096
"""How many keys of answered questions, and how many digests of pictures, are remembered of an agent."""
UNDER_WAY = 64
"""Answers of an agent that may wait for the bus at a time."""

Value = TypeVar("Value")
Late = Callable[[TurnReply | TurnFailure], Awaitable[Notice]]


class Presence(NamedTuple):
    """An agent that is here: what it says of itself, since when, at how many connections, with how many questions."""

    hello: AgentHello
    since: datetime
    connections: int
    questions: int


class Connection(Protocol):
    """A way to an agent that questions can be sent on."""

    digest: str
    """Of the token that opened it."""

    @property
    def room(self) -> int:
        """How many more questions it takes now."""
        ...

    def give(self, question: OpenQuestion) -> None:
        """Send a question."""
        ...

    def withdraw(self, key: str, *, tell: bool) -> None:
        """Forget a question that it was given; tell the agent that it is withdrawn."""
        ...

    def cut(self, code: int, why: str) -> None:
        """End it."""
        ...


@dataclass(frozen=True, slots=True)
class House:
    """What all sessions of a gateway share.

    ``consumer`` is what the gateway is called on the bus; ``on_notice`` hears what agents are told; ``late`` settles
    answers to questions that are not here, where the bus can tell (:mod:`.late`).
    """

    broker: Broker
    rules: Rules
    tally: Tally
    consumer: str
    on_notice: Callable[[Notice], None]
    late: Late | None


class Session:
    """One agent. Use :meth:`arrive` and :meth:`leave` for connections, :meth:`linger` for polls."""

    def __init__(self, agent: str, house: House) -> None:
        self.agent = agent
        self.hello = AgentHello(key="", agent=agent)
        self.since = datetime.now(UTC)
        self.polls = 0
        self.requests = 0
        limits = house.rules.limits
        self.messages = Bucket(limits.per_second, limits.burst)
        self.bytes = Bucket(house.rules.bytes_per_second, max(house.rules.burst_bytes, limits.message_bytes))
        self._house = house
        self._loop = asyncio.get_running_loop()
        self._desk: Desk | None = None
        self._task: asyncio.Task[None] | None = None
        self._until = 0.0
        self._closed = False
        self._connections: dict[Connection, None] = {}
        self._held: dict[str, Connection | float] = {}
        self._change = asyncio.Event()
        self._hearing: dict[str, asyncio.Task[Notice]] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._pictures: OrderedDict[str, str] = OrderedDict()

    # --- who is here ---

    @property
    def connections(self) -> int:
        """Connections and polls that wait."""
        return len(self._connections) + self.polls

    @property
    def questions(self) -> int:
        """Questions that are open here."""
        return 0 if self._desk is None else len(self._desk)

    @property
    def is_present(self) -> bool:
        """Whether the agent is here, or was a moment ago."""
        return self.connections > 0 or self._loop.time() < self._until

    @property
    def presence(self) -> Presence:
        """What is to be told of it."""
        return Presence(self.hello, self.since, self.connections, self.questions)

    def linger(self, seconds: float = BETWEEN_POLLS_S) -> None:
        """Keep the agent's questions here for so long, if it does not come back before."""
        if not self.is_present:
            self.since = datetime.now(UTC)
        self._until = max(self._until, self._loop.time() + seconds)
        if not self._closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._keep_desk(), name=f"desk of {self.agent}")

    def arrive(self, connection: Connection) -> None:
        """Send questions on one more connection."""
        self.linger(LINGER_S)
        self._connections[connection] = None
        self.deal()

    def leave(self, connection: Connection) -> None:
        """Send none on it any more; those that it had go to others, or wait for the next."""
        self._connections.pop(connection, None)
        self._held = {key: holder for key, holder in self._held.items() if holder is not connection}
        self.linger(LINGER_S)
        self.deal()

    def evict(self, digest: str | None) -> None:
        """Cut off whoever came in with another token than the one of this digest; None: everybody."""
        for connection in [each for each in self._connections if each.digest != digest]:
            self._house.tally.cut_off["revoked"] += 1
            connection.cut(4001, "your token is no longer valid")
        if digest is None:
            self._until = 0.0
        self._changed()

    def cut(self, code: int, why: str) -> None:
        """Cut off everybody, and let go of the questions."""
        self._until = 0.0
        for connection in list(self._connections):
            connection.cut(code, why)
        self._changed()

    async def aclose(self) -> None:
        """Hand the questions back, when what has been said is settled or has waited for a moment."""
        self._closed = True
        if self._hearing:
            await asyncio.wait(self._hearing.values(), timeout=1.0)
        tasks = [*self._hearing.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_desk(self) -> None:
        """Have the agent's questions here while it is."""
        while self.is_present:
            limits, house = self._house.rules.limits, self._house
            desk = Desk(
                house.broker, self.agent, limits=limits, on_question=self._arrived, on_cancelled=self._withdrawn
            )
            try:
                async with open_desk(desk, house.consumer):
                    self._desk = desk
                    while self.is_present:
                        self.deal()  # what was held by a poll may be so no more
                        await asyncio.sleep(TICK_S)
            except* BrokerError as errors:
                reason = one_line(str(errors.exceptions[0]))
                structlog.get_logger().warning("cannot bring questions", agent=self.agent, reason=reason)
                await asyncio.sleep(TICK_S)
            finally:
                self._desk = None
                held, now = self._held, self._loop.time()
                self._held = {key: each for key, each in held.items() if isinstance(each, float) and each > now}
                for key, holder in held.items():
                    if not isinstance(holder, float):
                        holder.withdraw(key, tell=False)

    # --- what it is asked ---

    def _arrived(self, question: OpenQuestion) -> None:
        self._answered.pop(question.key, None)  # asked again: a failure settles nothing
        for message in question.request.view:
            for part in message.parts:
                if isinstance(part, Image):
                    _remember(self._pictures, part.sha256, part.media_type)
        self.deal()

    def _withdrawn(self, key: str) -> None:
        self._let_go(key, tell=True)
        notice = Notice(key=key, agent=self.agent, code="cancelled")
        self._house.tally.told["cancelled"] += 1
        self._house.on_notice(notice)

    def _let_go(self, key: str, *, tell: bool) -> None:
        holder = self._held.pop(key, None)
        if holder is not None and not isinstance(holder, float):
            holder.withdraw(key, tell=tell)
        self.deal()

    def _free(self) -> Iterator[OpenQuestion]:
        """Iterate over the questions that nobody has, the oldest first."""
        now = self._loop.time()
        for question in self._desk or ():
            holder = self._held.get(question.key)
            if holder is None or (isinstance(holder, float) and holder <= now):
                yield question

    def deal(self) -> None:
        """Give what nobody has to the connections that have room, each in turn to the one with the most."""
        if self._connections:
            for question in self._free():
                connection = max(self._connections, key=lambda each: each.room)
                if connection.room <= 0:
                    break
                self._held[question.key] = connection
                connection.give(question)
        self._changed()

    def _changed(self) -> None:
        before, self._change = self._change, asyncio.Event()
        before.set()

    async def poll(self, most: int, wait_s: float, *, again: bool, may_stay: Callable[[], bool]) -> list[OpenQuestion]:
        """Return questions that nobody has, as soon as there are any; none after ``wait_s`` seconds.

        Args:
            most: how many.
            wait_s: how long to wait.
            again: also those that were handed out before.
            may_stay: whether whoever asks may still be here.
        """
        end = self._loop.time() + wait_s
        self.polls += 1
        try:
            while True:
                self.linger()
                found = list(self._desk or ()) if again else list(self._free())
                left = end - self._loop.time()
                if found or left <= 0 or not may_stay():
                    break
                change = self._change
                try:
                    async with asyncio.timeout(min(left, 1.0)):  # time passes without an event, too
                        await change.wait()
                except TimeoutError:
                    continue
        finally:
            self.polls -= 1
        if not may_stay():
            return []
        until = self._loop.time() + self._house.rules.hold_s
        for question in found[:most]:
            if not isinstance(self._held.get(question.key, 0.0), float):
                continue  # a connection has it, and keeps it
            self._held[question.key] = until
        return found[:most]

    def take_back(self, questions: Iterable[OpenQuestion]) -> None:
        """Hand out again what was handed to a poll that did not get it."""
        for question in questions:
            if isinstance(self._held.get(question.key), float):
                del self._held[question.key]
        self.deal()

    def picture(self, sha256: str) -> str | None:
        """Return the media type of a picture that the agent was sent here; None for any other."""
        return self._pictures.get(sha256)

    # --- what it says ---

    async def hear(self, raw: bytes) -> Notice | AgentHello:
        """Take what the agent says, and return what it is to be told, or its greeting.

        Cancelled, it goes on: whoever says the same again is told what has become of it.

        Raises:
            BrokerError: the bus failed; the question is still open, and the agent may say it again.
        """
        self._house.tally.bytes_in += len(raw)
        try:
            said = read_stranger(raw, self.agent, self._house.rules.limits)
        except RefusedError as error:
            return self._told(error.notice(self.agent))
        self._house.tally.said[said.type] += 1
        if isinstance(said, AgentHello):
            self.hello = said
            self.deal()
            return said
        if len(self._hearing) >= UNDER_WAY:
            raise BrokerError("the bus is slow, and many of your answers wait for it", mend="say it again in a moment")
        before = self._hearing.get(said.key)
        task = asyncio.create_task(self._settle(said, raw, before), name=f"answer of {self.agent}")
        self._hearing[said.key] = task
        task.add_done_callback(lambda done: self._heard(said.key, done))
        return await asyncio.shield(task)

    def refuse(self, error: RefusedError) -> Notice:
        """Return what the agent is to be told of something that was not taken."""
        return self._told(error.notice(self.agent))

    def _heard(self, key: str, done: "asyncio.Task[Notice]") -> None:
        if self._hearing.get(key) is done:
            del self._hearing[key]
        if not done.cancelled():
            done.exception()  # whoever waits for it is told; if nobody does, it will be said again

    async def _settle(self, said: TurnReply | TurnFailure, raw: bytes, before: "asyncio.Task[Notice] | None") -> Notice:
        if before is not None:
            await asyncio.wait([before])
        key, desk = said.key, self._desk
        try:
            if desk is not None and key in desk:
                notice = await desk.hear(raw)
                assert isinstance(notice, Notice), "an answer is no greeting"
            elif key in self._answered:
                notice = Notice(key=key, agent=self.agent, code="duplicate")
            elif self._house.late is not None:
                notice = await self._house.late(said)
            else:
                raise RefusedError("closed", "no such question is open to you", key)
        except RefusedError as error:
            notice = error.notice(self.agent)
        if notice.code == "accepted":
            _remember(self._answered, key, None)
            # Two turns of the loop later, so that this notice leaves before the question that takes the place.
            self._loop.call_soon(self._loop.call_soon, lambda: self._let_go(key, tell=False))
        return self._told(notice)

    def _told(self, notice: Notice) -> Notice:
        self._house.tally.told[notice.code] += 1
        if notice.reason is not None:
            self._house.tally.refused[notice.reason] += 1
        self._house.on_notice(notice)
        return notice


def _remember(known: OrderedDict[str, Value], key: str, value: Value) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > REMEMBERED:
        known.popitem(last=False)
