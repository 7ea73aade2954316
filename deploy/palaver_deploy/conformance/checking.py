"""One trial of one agent: who it is, the script, and what was seen of it."""

import asyncio
from collections.abc import Callable, Collection
from typing import get_args

from palaver_broker.board import Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.errors import UsageError, one_line
from palaver_protocols.strangers import PREFIX, is_stranger, stranger

from ..doors.portering import keep_porter
from .playing import play
from .report import Report, report_on
from .seen import Door, Played, Seen, Way
from .stage import open_stage

__all__ = ["check"]

PATIENCE_S = 5.0
"""How long a bus is waited for that cannot be reached."""
DOORS: tuple[Door, ...] = get_args(Door)


async def check(
    url: str,
    name: str,
    *,
    timeout_s: float,
    points: Collection[str] = (),
    on_step: Callable[[Played], None] = lambda _: None,
) -> Report:
    """Try an agent out.

    Args:
        url: the bus, on Redis.
        name: what the agent is called there: ``NAME`` or ``bus/NAME``, or any other that is served there.
        timeout_s: how long an answer is waited for, in seconds.
        points: what to look at; none: everything.
        on_step: called after each step.

    Raises:
        UsageError: the bus knows no such agent.
        BrokerError: the bus failed.
    """
    agent = name if "/" in name else stranger(name)
    loop = asyncio.get_running_loop()
    async with RedisBroker(url, name="palaver-check", patience_s=PATIENCE_S) as broker:
        known, doors = await _known(broker, agent)
        began = loop.time()
        # Where no game master is at work, nobody else brings what strangers say.
        porter = asyncio.create_task(keep_porter(broker, url, patience_s=PATIENCE_S), name="porter")
        try:
            async with open_stage(broker, url, agent, timeout_s=timeout_s, patience_s=PATIENCE_S) as stage:
                played = []
                async for each in play(stage, points):
                    played.append(each)
                    on_step(each)
                fetched = await stage.pictures.was_fetched()
                members = await _members(broker, agent)
                way = _way(members, doors)
                seen = Seen(tuple(played), tuple(stage.notices), known, _greeting(members), fetched, way)
        finally:
            porter.cancel()
            await asyncio.gather(porter, return_exceptions=True)
        return report_on(agent, seen, points, questions=len(stage.asked), took_s=loop.time() - began)


async def _known(broker: RedisBroker, agent: str) -> tuple[str, frozenset[str]]:
    """Say how the bus knows an agent, and which doors are open to it.

    Raises:
        UsageError: it does not.
    """
    strangers = await Strangers(broker.link).strangers()
    known = strangers.get(agent.removeprefix(PREFIX)) if is_stranger(agent) else None
    if known is not None:
        return f"as a stranger, by {', '.join(sorted(known.doors))}", frozenset(known.doors)
    if await _members(broker, agent):
        return "as a service of palaver", frozenset()
    if not is_stranger(agent):
        raise UsageError(
            f"nobody serves the agent {one_line(agent, 100)!r} on this bus",
            mend=f"start it: palaver serve agent --agent {one_line(agent, 100)}",
        )
    there = ", ".join(sorted(strangers)) or "none"
    raise UsageError(
        f"this bus knows no agent {one_line(agent, 100)!r}",
        mend=f"there are: {there}; let it in with: palaver admin add-agent NAME",
    )


async def _members(broker: RedisBroker, agent: str) -> list[Member]:
    members = await Board(broker.link).members()
    return [member for member in members if (member.kind, member.name) == ("agent", agent)]


def _way(members: list[Member], doors: frozenset[str]) -> Way:
    """Say how an agent is there: as it says itself, or else by the one door that is open to it."""
    about = members[0].about if members else {}
    kind = about.get("door") or ("a2a" if about.get("provider") == "a2a" else about.get("kind"))
    if not members and len(doors) == 1:
        (kind,) = doors
    door: Door = next((each for each in DOORS if each == kind), "unknown")
    games = about.get("games")
    return Way(door, bool(members), tuple(map(str, games)) if isinstance(games, list) else ())


def _greeting(members: list[Member]) -> str:
    """Say what an agent that is there has said of itself; nothing if it is not."""
    if not members:
        return ""
    said = members[0]
    about = [said.version, str(said.about.get("provider") or ""), str(said.about.get("model") or "")]
    return one_line("it is there: " + (", ".join(word for word in about if word) or "it gives no name"), 120)
