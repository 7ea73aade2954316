"""One agent at a gateway: whether it is here, and where it finds what it is asked and what it has said.

Its questions lie on its :class:`~palaver_broker.desk.Desk` as long as it is here, and a little longer. Who of its
connections has which is told in :mod:`.holding`, what becomes of its answers in :mod:`.hearing`.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import NamedTuple

import structlog

from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, one_line
from palaver_protocols.strangers import AgentHello, Notice, RefusedError

from ..buckets import Bucket
from ..desk import Desk, OpenQuestion, open_desk
from .hearing import Hearing, remember
from .holding import Connection, Holding
from .house import House

__all__ = ["Presence", "Session"]

LINGER_S = 2.0
"""How long questions stay here when the last connection has broken: most come back at once, and to the same place."""
BETWEEN_POLLS_S = 5.0
"""How long they stay when an agent that polls is silent: it may have gone to another gateway."""
IN_SIGHT_S = 60.0
"""How long an agent that polls is taken to be there after it has said hello: it may think for long."""
TICK_S = 0.5


class Presence(NamedTuple):
    """An agent that is here: what it says of itself, since when, at how many connections, with how many questions."""

    hello: AgentHello
    since: datetime
    connections: int
    questions: int


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
        self._task: asyncio.Task[None] | None = None
        self._until = self._in_sight_until = 0.0
        self._closed = False
        self._holding = Holding(house.rules.hold_s)
        self._hearing = Hearing(agent, house, lambda key: self._holding.let_go(key, tell=False))
        self._pictures: OrderedDict[str, str] = OrderedDict()

    # --- who is here ---

    @property
    def connections(self) -> int:
        """Connections and polls that wait."""
        return len(self._holding.connections) + self.polls

    @property
    def questions(self) -> int:
        """Questions that are open here."""
        return len(self._holding.open)

    @property
    def is_present(self) -> bool:
        """Whether the agent is here, or was a moment ago."""
        return self.connections > 0 or self._loop.time() < self._until

    @property
    def is_in_sight(self) -> bool:
        """Whether the agent is here, or has said by a post that it is, and thinks."""
        return self.is_present or self._loop.time() < self._in_sight_until

    @property
    def presence(self) -> Presence:
        """What is to be told of it."""
        return Presence(self.hello, self.since, self.connections, self.questions)

    def linger(self, seconds: float | None = None) -> None:
        """Keep the agent's questions here for so long (as long as between polls), if it does not come back before."""
        seconds = BETWEEN_POLLS_S if seconds is None else seconds
        if not self.is_in_sight:
            self.since = datetime.now(UTC)
        self._until = max(self._until, self._loop.time() + seconds)
        if not self._closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._keep_desk(), name=f"desk of {self.agent}")

    def arrive(self, connection: Connection) -> None:
        """Send questions on one more connection."""
        self.linger(LINGER_S)
        self._holding.arrive(connection)

    def leave(self, connection: Connection) -> None:
        """Send none on it any more; those that it had go to others, or wait for the next."""
        self._holding.leave(connection)
        self.linger(LINGER_S)

    def evict(self, digest: str | None) -> None:
        """Cut off whoever came in with another token than the one of this digest; None: everybody."""
        for connection in [each for each in self._holding.connections if each.digest != digest]:
            self._house.tally.cut_off["revoked"] += 1
            connection.cut(4001, "your token is no longer valid")
        if digest is None:
            self._until = self._in_sight_until = 0.0
        self._holding.wake()

    def cut(self, code: int, why: str) -> None:
        """Cut off everybody, and let go of the questions."""
        self._until = self._in_sight_until = 0.0
        for connection in self._holding.connections:
            connection.cut(code, why)
        self._holding.wake()

    async def aclose(self) -> None:
        """Hand the questions back, when what has been said is settled or has waited for a moment."""
        self._closed = True
        await self._hearing.aclose()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep_desk(self) -> None:
        """Have the agent's questions here while it is."""
        while self.is_present:
            limits, house = self._house.rules.limits, self._house
            desk = Desk(
                house.broker, self.agent, limits=limits, on_question=self._arrived, on_cancelled=self._withdrawn
            )
            try:
                async with open_desk(desk, house.consumer):
                    self._holding.take_from(desk)
                    self._hearing.desk = desk
                    while self.is_present:
                        self.deal()  # what was held by a poll may be so no more
                        await asyncio.sleep(TICK_S)
            except* BrokerError as errors:
                reason = one_line(str(errors.exceptions[0]))
                structlog.get_logger().warning("cannot bring questions", agent=self.agent, reason=reason)
                await asyncio.sleep(TICK_S)
            finally:
                self._hearing.desk = None
                self._holding.lay_down()

    # --- what it is asked ---

    def _arrived(self, question: OpenQuestion) -> None:
        self._hearing.asked(question.key)
        for message in question.request.view:
            for part in message.parts:
                if isinstance(part, Image):
                    remember(self._pictures, part.sha256, part.media_type)
        self.deal()

    def _withdrawn(self, key: str) -> None:
        self._holding.let_go(key, tell=True)
        self._house.told(Notice(key=key, agent=self.agent, code="cancelled"))

    def deal(self) -> None:
        """Give what nobody has to the connections that have room."""
        self._holding.deal()

    async def poll(self, most: int, wait_s: float, *, again: bool, may_stay: Callable[[], bool]) -> list[OpenQuestion]:
        """Return questions that nobody has, as soon as there are any; none after ``wait_s`` seconds.

        Args:
            most: how many.
            wait_s: how long to wait.
            again: also those that were handed out before.
            may_stay: whether whoever asks may still be here.
        """
        holding, end = self._holding, self._loop.time() + wait_s
        self.polls += 1
        try:
            while True:
                self.linger()
                found = holding.open if again else holding.free
                left = end - self._loop.time()
                if found or left <= 0 or not may_stay():
                    break
                try:
                    async with asyncio.timeout(min(left, 1.0)):  # time passes without an event, too
                        await holding.change()
                except TimeoutError:
                    continue
        finally:
            self.polls -= 1
        if not may_stay():
            return []
        holding.lend(found[:most])
        return found[:most]

    def take_back(self, questions: Iterable[OpenQuestion]) -> None:
        """Hand out again what was handed to a poll that did not get it."""
        self._holding.take_back(questions)

    def picture(self, sha256: str) -> str | None:
        """Return the media type of a picture that the agent was sent here; None for any other."""
        return self._pictures.get(sha256)

    # --- what it says ---

    async def hear(self, raw: bytes) -> Notice | AgentHello:
        """Take what the agent says, and return what it is to be told, or its greeting.

        Raises:
            BrokerError: the bus failed; the question is still open, and the agent may say it again.
        """
        said = await self._hearing.hear(raw)
        if isinstance(said, AgentHello):
            self.hello = said
            if not self._holding.connections:
                self._in_sight_until = self._loop.time() + IN_SIGHT_S
            self.deal()
        return said

    def refuse(self, error: RefusedError) -> Notice:
        """Return what the agent is to be told of something that was not taken."""
        return self._hearing.refuse(error)

    def remark(self, text: str) -> None:
        """Have something said of the agent in the log."""
        self._house.rejections.remark(self.agent, text)
