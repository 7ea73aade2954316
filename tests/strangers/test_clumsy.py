"""Agents that misbehave, by every way in: their own game ends as the rules say, and those of others as ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.strangers.beside import log_of, openings, play_beside, undisturbed
from tests.strangers.conduct import CONDUCTS, Agent, Scene
from tests.strangers.ways import WAYS, way_in
from tests.support import until

BOUND_S = 30.0


@asynccontextmanager
async def living(agent: Agent) -> AsyncIterator[None]:
    """Let an agent live; if it dies of what is not in its conduct, so does the test."""
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(agent.live())
        try:
            yield
        finally:
            while not life.done():
                life.cancel()
                # Clients of brokers lose a cancellation now and then; one too many would cut short how it leaves.
                await asyncio.wait({life}, timeout=2.0)


@pytest.mark.usefixtures("quickly")
@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_clumsy_agent_spoils_its_own_game_at_most(
    way: str, conduct: str, request: pytest.FixtureRequest
) -> None:
    kind, scene, own = CONDUCTS[conduct], Scene(), openings()[0]
    async with asyncio.timeout(BOUND_S), way_in(way, request) as door:
        agent = kind(door, scene)
        async with living(agent):
            end, told = await play_beside(door.broker, door.agent, scene, kind.patience)
            if kind.solves:
                assert (end.outcome, end.error) == ("solved", None)
                assert told == undisturbed(0)
            else:
                why = f"{door.agent} after 2 tries: no answer within {kind.patience.timeout_s:g} s"
                assert end.outcome == "error"
                assert (end.error or "").partition("; ")[0] == why  # and what was refused of it, where that is known
                assert told == undisturbed(0)[:1]
            log = await log_of(door.broker, own)
            await until(lambda: agent.has_heard)
            assert await log_of(door.broker, own) == log, "what comes after the end changes nothing"
