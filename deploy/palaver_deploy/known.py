"""Whom a bus knows, of those who do not come by themselves: agents of others, and people. A run names them first."""

import asyncio
import sys
from collections.abc import Collection, Iterable, Sequence

from palaver_agents.human.places import HUMAN
from palaver_broker.board import Member, Queue, RunStatus
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_observability.logs import logging_to
from palaver_protocols.errors import UsageError
from palaver_protocols.strangers import is_stranger, stranger

__all__ = ["check_known", "of_somebody"]

PATIENCE_S = 5.0
"""How long a bus is waited for that cannot be reached, and an agent that is only just being started."""
LOOK_S = 0.1


def check_known(url: str, agents: Iterable[str]) -> None:
    """Make sure that each ``bus/NAME`` may come in by a door, or is there: else all that is asked of it would wait.

    ``human`` is there where a dashboard lets people sit down. Agents of other kinds may come later, and are not looked
    for.

    Args:
        url: the bus.
        agents: all whom a run asks.

    Raises:
        UsageError: nobody is called so.
        BrokerError: the bus cannot be reached or used.
    """
    asked = {agent for agent in agents if is_stranger(agent) or agent == HUMAN}
    if not asked:
        return
    with logging_to(sys.stderr, "error"):
        known = asyncio.run(_known(url, asked))
    if missing := sorted(asked - known):
        if HUMAN in missing:
            raise UsageError(
                "nobody can sit down for human on this bus: it has no dashboard",
                mend="start one, and leave it running: palaver serve dashboard --broker URL",
            )
        name = missing[0].removeprefix(stranger(""))
        strangers = sorted(filter(is_stranger, known))
        raise UsageError(
            f"this bus knows no agent {', '.join(missing)}; it knows {', '.join(strangers) or 'none'}",
            mend=f"let it in: palaver admin add-agent {name}; or serve it: palaver serve agent --python MODULE:NAME",
        )


async def _known(url: str, asked: set[str]) -> set[str]:
    """Return who is known; wait a moment for those who are asked for."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with RedisBroker(url, name="palaver-cli", patience_s=PATIENCE_S) as broker:
        strangers, board = Strangers(broker.link), Board(broker.link)
        while True:
            known = {stranger(name) for name in await strangers.strangers()}
            known |= {each.name for each in await board.members() if each.kind == "agent"}
            if asked <= known or loop.time() - began >= PATIENCE_S:
                return known
            await asyncio.sleep(LOOK_S)


def of_somebody(
    queues: Sequence[Queue], statuses: Sequence[RunStatus], members: Sequence[Member], known: Collection[str]
) -> list[Queue]:
    """Leave out the queues of strangers who have been turned out, are not there, and are asked nothing."""
    there = {member.name for member in members} | {stranger(name) for name in known}
    there.update(agent for status in statuses if status.state == "open" for agent in status.config.agents)
    return [
        queue
        for queue in queues
        if queue.agent in there or queue.unread or queue.pending or not is_stranger(queue.agent)
    ]
