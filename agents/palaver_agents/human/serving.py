"""Letting people answer on a bus: the service behind the name ``human``, and an ear for what becomes of episodes."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from palaver_broker import Broker
from palaver_protocols.events import ModelCalled

from ..service import AgentService, Answers
from .hall import Hall
from .model import HUMAN, HumanModel

__all__ = ["people_service", "serve_people"]

MANY = 100_000
"""How many people may think at a time: a question that waits costs next to nothing."""
PATIENT = 1_000_000
"""How often a question may be handed out: a person's may be open through any number of restarts."""


def people_service(
    broker: Broker,
    hall: Hall,
    *,
    journal: Answers | None = None,
    consumer: str = HUMAN,
    lease_s: float = 30.0,
    on_call: Callable[[ModelCalled], None] | None = None,
) -> AgentService:
    """Make the service that answers for ``human``; the arguments are those of :class:`AgentService`."""
    return AgentService(
        broker,
        HUMAN,
        HumanModel(hall),
        concurrency=MANY,
        consumer=consumer,
        lease_s=lease_s,
        journal=journal,
        on_call=on_call,
        max_deliveries=PATIENT,
    )


async def serve_people(broker: Broker, hall: Hall, service: AgentService | None = None) -> None:
    """Let the people in a hall answer on a bus, until cancelled. No two halls of a bus may be open at a time.

    Args:
        broker: the bus.
        hall: where people sit.
        service: what answers for them; None: one without a journal, on a bus that ends with this process.
    """
    hall.open(broker.read)
    async with asyncio.TaskGroup() as tasks:
        listening = tasks.create_task(_listen(broker, hall), name="episodes with people")
        try:
            await (service or people_service(broker, hall)).run()
        finally:
            listening.cancel()
            hall.close()


async def _listen(broker: Broker, hall: Hall) -> None:
    """Tell the hall what is committed; first, what was while nobody listened."""
    async with aclosing(broker.watch()) as commits:
        await anext(commits)
        await hall.catch_up()
        async for batch in commits:
            for committed in batch:
                await hall.hear(committed)
