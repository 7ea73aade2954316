"""The agent service: takes questions from an inbox, asks a model, settles them.

It keeps no state: a question carries all that its seat may see. Any number of replicas may share an inbox. A question
is acknowledged when its answer is out; while a model thinks, its lease is renewed, so that slow is not mistaken for
dead. With a journal, an answer is on disk before anybody hears of it, and no question is paid for twice.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, Protocol

import structlog

from palaver_broker import Broker, Delivery, Subscription, inbox
from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import AgentError
from palaver_protocols.events import ModelCalled
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest, make_reply

from .model import Completion, Model

__all__ = ["AgentService", "Answers", "Gate"]

REPEATED_S = 5.0
"""How old answers may be that a bus is told again: Redis that syncs every second forgets two or three at most."""
REPEAT_LOOK_S = 0.05
"""How often we look whether the bus was lost and found again."""
HOPELESS = frozenset({"auth", "quota", "unknown_model"})
"""Errors that the next question would meet as well: no key, no money, no such model."""
HOPELESS_S = 10.0
"""How long the model is not asked again after such an error; those who ask meanwhile are told the same."""
GRACE_S = 5.0
"""How long after its time is over a model may take to say so itself."""


class Answers(Protocol):
    """Where a replica writes down what it has asked and been answered: :class:`palaver_agents.journal.AgentJournal`."""

    def look_up(self, key: str) -> bytes | None:
        """Return the answer to a question, if there is one."""
        ...

    def begin(self, key: str) -> None:
        """Write down that a call is about to be made."""
        ...

    def failed(self, key: str) -> None:
        """Write down that it came to nothing."""
        ...

    async def answer(self, key: str, data: bytes) -> None:
        """Write down its answer; return when it is on disk."""
        ...


class Gate(Protocol):
    """Who says when a model may be asked: one for all replicas that share a provider's key."""

    async def admit(self, request: TurnRequest) -> bool:
        """Wait until a question may be asked. False: nobody waits for its answer any more."""
        ...

    def answered(self, answer: TurnReply | TurnFailure) -> None:
        """Take note of what an answer has used, or that the provider asks us to slow down."""
        ...


@dataclass(slots=True)
class AgentService:
    """One named agent on the bus.

    Args:
        broker: the bus.
        name: the agent's name, as game masters ask for it.
        model: what answers.
        concurrency: how many questions may be with the model at a time.
        consumer: this replica's own name, the same after a restart.
        lease_s: seconds after which a question goes to another replica, unless it is renewed.
        journal: where answers are written down first; None on a bus that ends with this process.
        gate: who says when the model may be asked; None: at any time.
        on_call: told of every answer, from wherever it came.
        max_deliveries: a question that has been handed out more often than this is not tried again: it may be what
            kills those who try.
    """

    broker: Broker
    name: str
    model: Model
    concurrency: int = 64
    consumer: str = "agent"
    lease_s: float = 30.0
    journal: Answers | None = None
    gate: Gate | None = None
    on_call: Callable[[ModelCalled], None] | None = None
    max_deliveries: int = 16
    _desk: "_Desk | None" = field(default=None, init=False)
    _hopeless: tuple[float, AgentError] | None = field(default=None, init=False)
    """What made asking hopeless, and until when."""

    @property
    def busy(self) -> int:
        """How many questions are being thought about."""
        return len(self._desk.thinking) if self._desk else 0

    async def run(self) -> None:
        """Answer questions until cancelled or drained. What is unanswered then goes back to the inbox."""
        async with (
            self.broker.subscribe(
                inbox(self.name), "agents", consumer=self.consumer, lease_s=self.lease_s, limit=self.concurrency
            ) as questions,
            asyncio.TaskGroup() as tasks,
        ):
            self._desk = desk = _Desk(questions, tasks)
            desk.keepers = (
                tasks.create_task(self._keep(desk), name=f"leases of {self.name}"),
                tasks.create_task(self._repeat(desk), name=f"latest answers of {self.name}"),
            )
            self._call_for_help(desk)

    def drain(self) -> None:
        """Take no more questions; :meth:`run` returns when those that are being thought about are answered."""
        if self._desk is not None:
            self._desk.drain()

    async def _keep(self, desk: "_Desk") -> None:
        """Renew the leases of what is being thought about."""
        while True:
            await asyncio.sleep(self.lease_s / 3)
            await asyncio.gather(*(delivery.renew() for delivery in desk.thinking.values()))

    async def _repeat(self, desk: "_Desk") -> None:
        """Settle the latest answers once more when the bus was lost and found again: it may have forgotten them.

        They are there before anybody else is given their questions, and pays for them again.
        """
        losses = self.broker.losses
        while True:
            await asyncio.sleep(REPEAT_LOOK_S)
            now = asyncio.get_running_loop().time()
            while desk.answered and desk.answered[0][0] < now - REPEATED_S:
                desk.answered.popleft()
            if self.broker.losses != losses:
                losses = self.broker.losses
                await asyncio.gather(*(self.broker.settle(answer, delivery) for _, answer, delivery in desk.answered))

    def _call_for_help(self, desk: "_Desk") -> None:
        desk.workers += 1
        desk.waiting += 1  # from now on, not from its first step: nobody is called twice for the same work
        worker = desk.tasks.create_task(self._work(desk))
        desk.idle.add(worker)

    async def _work(self, desk: "_Desk") -> None:
        """Answer one question after the other; whoever leaves nobody waiting for the next calls for help first."""
        me = asyncio.current_task()
        assert me is not None
        while not desk.draining:
            delivery = await anext(desk.questions)
            desk.idle.discard(me)
            desk.waiting -= 1
            if not desk.waiting and desk.workers < self.concurrency and not desk.draining:
                self._call_for_help(desk)
            key = delivery.message.key
            asked_again = key in desk.thinking
            desk.thinking[key] = delivery  # the latest loan is the one to be renewed and settled
            if not asked_again:
                try:
                    await self._answer(desk, delivery)
                finally:
                    del desk.thinking[key]
                    desk.rest_if_last()
            desk.waiting += 1
            desk.idle.add(me)

    async def _answer(self, desk: "_Desk", delivery: Delivery) -> None:
        request: TurnRequest = delivery.message
        written = self.journal.look_up(request.key) if self.journal is not None else None
        answer: TurnReply | TurnFailure
        began = perf_counter()
        if written is not None:
            answer = decode(written)
        elif delivery.deliveries > self.max_deliveries:
            reason = f"handed out {delivery.deliveries} times and never answered"
            error = AgentError(f"{reason}; it is with the dead letters", code="dead_letter", retryable=False)
            await self.broker.settle(_failure(request, error), delivery)
            await self.broker.bury(delivery, reason)
            return
        elif (hopeless := self._hopeless_now()) is not None:
            answer = _failure(request, hopeless)
        elif self.gate is not None and not await self.gate.admit(request):
            await delivery.ack()
            return
        else:
            began = perf_counter()  # the gate is behind us
            answer = await self._call(request)
        if self.on_call is not None:
            source: Literal["provider", "journal"] = "provider" if written is None else "journal"
            self.on_call(ModelCalled(request, answer, source, perf_counter() - began))
        delivery = desk.thinking[request.key]
        if isinstance(answer, TurnReply):
            desk.answered.append((asyncio.get_running_loop().time(), answer, delivery))
        await self.broker.settle(answer, delivery)

    async def _call(self, request: TurnRequest) -> TurnReply | TurnFailure:
        """Ask the model, and write down what it says before anybody else hears of it."""
        if self.journal is not None:
            self.journal.begin(request.key)
        answer = await self._ask(request)
        if self.gate is not None:
            self.gate.answered(answer)
        if self.journal is not None:
            if isinstance(answer, TurnReply):
                await self.journal.answer(request.key, encode(answer))
            else:
                self.journal.failed(request.key)
        return answer

    def _hopeless_now(self) -> AgentError | None:
        """Return the error that makes asking hopeless at present, if there is one."""
        if self._hopeless is None or asyncio.get_running_loop().time() > self._hopeless[0]:
            return None
        return self._hopeless[1]

    async def _ask(self, request: TurnRequest) -> TurnReply | TurnFailure:
        started = perf_counter()
        try:
            async with asyncio.timeout(None if self.model.keeps_time else request.timeout_s + GRACE_S):
                completion = await self.model.complete(request)
            return _reply(request, completion, perf_counter() - started)
        except AgentError as error:
            if error.code in HOPELESS:
                self._hopeless = (asyncio.get_running_loop().time() + HOPELESS_S, error)
            if error.code == "bug":  # whoever has written the agent looks here first
                log = structlog.get_logger()
                log.error("agent failed", agent=self.name, episode_id=request.episode_id, reason=str(error))
            return _failure(request, error)
        except TimeoutError:
            late = AgentError(f"no answer within {request.timeout_s:g} s", code="timeout", retryable=True)
            return _failure(request, late)
        except Exception as error:
            structlog.get_logger().exception("agent raised", agent=self.name, episode_id=request.episode_id)
            broken = AgentError(f"it raised {type(error).__name__}: {error}", code="bug", retryable=False)
            return _failure(request, broken)


@dataclass(slots=True)
class _Desk:
    """What the workers of a service share: where questions come from, and who is busy with which."""

    questions: Subscription
    tasks: asyncio.TaskGroup
    thinking: dict[str, Delivery] = field(default_factory=dict)
    idle: set[asyncio.Task[None]] = field(default_factory=set)
    answered: deque[tuple[float, TurnReply, Delivery]] = field(default_factory=deque)
    """The latest answers, and when they were given."""
    keepers: tuple[asyncio.Task[None], ...] = ()
    workers: int = 0
    waiting: int = 0
    draining: bool = False

    def drain(self) -> None:
        """Send home whoever has nothing to do; the others go when they are done."""
        self.draining = True
        for worker in self.idle:
            worker.cancel()
        self.rest_if_last()

    def rest_if_last(self) -> None:
        """Send those home who look after the others, when there are none any more, so that the service can end."""
        if self.draining and not self.thinking:
            for keeper in self.keepers:
                keeper.cancel()


def _reply(request: TurnRequest, completion: Completion, latency_s: float) -> TurnReply:
    return make_reply(
        {
            "key": request.key,
            "run_id": request.run_id,
            "episode_id": request.episode_id,
            "turn": request.turn,
            "seat": request.seat,
            "agent": request.agent,
            "parts": completion.parts,
            "provider": completion.provider,
            "model": completion.model,
            "finish_reason": completion.finish_reason,
            "usage": completion.usage,
            "latency_s": latency_s if completion.latency_s is None else completion.latency_s,
            "cost_usd": completion.cost_usd,
            "sent": completion.sent,
            "cached": completion.cached,
            "unverified": completion.unverified,
        }
    )


def _failure(request: TurnRequest, error: AgentError) -> TurnFailure:
    return TurnFailure.of(request, error.code, str(error), retryable=error.retryable, retry_after_s=error.retry_after_s)
