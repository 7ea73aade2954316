"""The agent service: takes questions from an inbox, asks a model, puts answers into the outbox.

It keeps no state: a question carries all that its seat may see. Any number of replicas may share an inbox. A question
is acknowledged when its answer is out; while a model thinks, its lease is renewed, so that slow is not mistaken for
dead.
"""

import asyncio
from dataclasses import dataclass, field
from time import perf_counter

import structlog

from palaver_broker import Broker, Delivery, Subscription, inbox, outbox
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest, make_reply

from .model import Completion, Model

__all__ = ["AgentService"]


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
    """

    broker: Broker
    name: str
    model: Model
    concurrency: int = 64
    consumer: str = "agent"
    lease_s: float = 30.0

    async def run(self) -> None:
        """Answer questions until cancelled. What is unanswered then goes back to the inbox."""
        topic = inbox(self.name)
        async with (
            self.broker.subscribe(topic, "agents", consumer=self.consumer, lease_s=self.lease_s) as questions,
            asyncio.TaskGroup() as tasks,
        ):
            desk = _Desk(questions, tasks)
            tasks.create_task(self._keep(desk), name=f"leases of {self.name}")
            self._call_for_help(desk)

    async def _keep(self, desk: "_Desk") -> None:
        """Renew the leases of what is being thought about."""
        while True:
            await asyncio.sleep(self.lease_s / 3)
            for delivery in list(desk.thinking.values()):
                await delivery.renew()

    def _call_for_help(self, desk: "_Desk") -> None:
        desk.workers += 1
        desk.waiting += 1  # from now on, not from its first step: nobody is called twice for the same work
        desk.tasks.create_task(self._work(desk))

    async def _work(self, desk: "_Desk") -> None:
        """Answer one question after the other; whoever leaves nobody waiting for the next calls for help first."""
        while True:
            delivery = await anext(desk.questions)
            desk.waiting -= 1
            if not desk.waiting and desk.workers < self.concurrency:
                self._call_for_help(desk)
            key = delivery.message.key
            if key in desk.thinking:  # asked again while the answer is under way: it will serve both
                await delivery.ack()
            else:
                desk.thinking[key] = delivery
                try:
                    await self._answer(delivery)
                finally:
                    del desk.thinking[key]
            desk.waiting += 1

    async def _answer(self, delivery: Delivery) -> None:
        request = delivery.message
        started = perf_counter()
        try:
            completion = await self.model.complete(request)
        except AgentError as error:
            answer: TurnReply | TurnFailure = _failure(request, error)
        except Exception as error:
            structlog.get_logger().exception("agent raised", agent=self.name, episode_id=request.episode_id)
            broken = AgentError(f"it raised {type(error).__name__}: {error}", code="bug", retryable=False)
            answer = _failure(request, broken)
        else:
            answer = _reply(request, completion, perf_counter() - started)
        await self.broker.publish(outbox(self.name), answer)
        await delivery.ack()


@dataclass(slots=True)
class _Desk:
    """What the workers of a service share: where questions come from, and who is busy with which."""

    questions: Subscription
    tasks: asyncio.TaskGroup
    thinking: dict[str, Delivery] = field(default_factory=dict)
    workers: int = 0
    waiting: int = 0


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
            "latency_s": latency_s,
            "cost_usd": completion.cost_usd,
        }
    )


def _failure(request: TurnRequest, error: AgentError) -> TurnFailure:
    return TurnFailure(
        key=request.key,
        run_id=request.run_id,
        episode_id=request.episode_id,
        turn=request.turn,
        seat=request.seat,
        agent=request.agent,
        code=error.code,
        message=str(error),
        retryable=error.retryable,
        retry_after_s=error.retry_after_s,
    )
