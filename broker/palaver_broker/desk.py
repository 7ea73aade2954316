"""Where a stranger's questions lie while it thinks: on loan from the bus, handed to it by whoever let it in.

A door (a WebSocket, a poll, an MQTT topic) moves bytes; what it moves is decided here. Questions come from the bus
once each, and stay until they are answered or withdrawn, however often the way to the agent breaks. What comes back is
looked at before it is believed (:mod:`palaver_protocols.strangers`), and settled on the bus before the agent is told.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import LIMITS, AgentHello, Limits, Notice, RefusedError, read_stranger, vetted

from .base import Broker, Delivery
from .topics import inbox

__all__ = ["Desk", "OpenQuestion", "open_desk"]

LEASE_S = 10.0
"""After how long the questions of a door that has died go to another. It renews them as long as it lives."""
REMEMBERED = 4096
"""How many keys of answered questions are remembered, to tell a repeat from nonsense."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenQuestion:
    """A question that waits for its answer. ``data`` is how it travels; ``since`` is when it came (event loop time)."""

    request: TurnRequest
    data: bytes
    since: float
    delivery: Delivery

    @property
    def key(self) -> str:
        """Its key."""
        return self.request.key


class Desk:
    """The questions of one stranger, at one door. Made by :func:`open_desk`.

    Args:
        broker: the bus.
        agent: whose they are: ``bus/NAME``.
        limits: what it may do.
        on_question: called with each question that has come.
        on_cancelled: called with the key of each that was withdrawn, or has gone elsewhere.
        on_notice: called with every notice that the agent is given, for those who watch.
    """

    def __init__(
        self,
        broker: Broker,
        agent: str,
        *,
        limits: Limits = LIMITS,
        on_question: Callable[[OpenQuestion], None] = lambda _: None,
        on_cancelled: Callable[[str], None] = lambda _: None,
        on_notice: Callable[[Notice], None] = lambda _: None,
    ) -> None:
        self.agent = agent
        self.limits = limits
        self._broker = broker
        self._on_question = on_question
        self._on_cancelled = on_cancelled
        self._on_notice = on_notice
        self._open: dict[str, OpenQuestion] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._loop = asyncio.get_running_loop()

    def __iter__(self) -> Iterator[OpenQuestion]:
        """Iterate over the open questions, the oldest first."""
        return iter(list(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, key: str) -> bool:
        return key in self._open

    async def hear(self, raw: bytes) -> Notice | AgentHello:
        """Take what the agent says; return what it is to be told, or its greeting, which is the door's business.

        Raises:
            BrokerError: the bus failed; the question is still open, and the agent may say it again.
        """
        try:
            said = read_stranger(raw, self.agent, self.limits)
            if isinstance(said, AgentHello):
                return said
            notice = await self._answer(said)
        except RefusedError as error:
            notice = error.notice(self.agent)
        self._on_notice(notice)
        return notice

    async def _answer(self, said: TurnReply | TurnFailure) -> Notice:
        key = said.key
        question = self._open.get(key)
        if question is None:
            if key in self._answered:
                return Notice(key=key, agent=self.agent, code="duplicate")
            raise RefusedError("closed", "no such question is open to you", key)
        answer = vetted(said, question.request, self._loop.time() - question.since)
        del self._open[key]
        self._answered[key] = None  # from now on: whoever says it again meanwhile repeats itself
        try:
            await self._broker.settle(answer, question.delivery)
        except BaseException:
            self._open[key] = question
            self._answered.pop(key, None)
            raise
        if len(self._answered) > REMEMBERED:
            self._answered.popitem(last=False)
        return Notice(key=key, agent=self.agent, code="accepted")

    async def _take(self, consumer: str) -> None:
        """Bring questions from the bus, as many as the agent may have at a time."""
        async with self._broker.subscribe(
            inbox(self.agent), "agents", consumer=consumer, lease_s=LEASE_S, limit=self.limits.concurrency
        ) as questions:
            async for delivery in questions:
                request: TurnRequest = delivery.message
                was_open = request.key in self._open
                question = OpenQuestion(request, encode(request), self._loop.time(), delivery)
                self._open[request.key] = question  # the latest loan is the one to be renewed and settled
                self._answered.pop(request.key, None)
                if not was_open:
                    self._on_question(question)

    async def _keep(self) -> None:
        """Renew the loans; let go of what is ours no more."""
        while True:
            await asyncio.sleep(LEASE_S / 5)
            for question in self:
                if not await question.delivery.renew() and self._open.get(question.key) is question:
                    del self._open[question.key]
                    self._on_cancelled(question.key)


@asynccontextmanager
async def open_desk(desk: Desk, consumer: str) -> AsyncIterator[Desk]:
    """Take an agent's questions off the bus until the context is left; then hand back those without an answer.

    Args:
        desk: where they go.
        consumer: what this door is called; no two that serve one agent share a name.
    """
    async with asyncio.TaskGroup() as tasks:
        helpers = [tasks.create_task(desk._take(consumer)), tasks.create_task(desk._keep())]
        try:
            yield desk
        finally:
            for helper in helpers:
                helper.cancel()
