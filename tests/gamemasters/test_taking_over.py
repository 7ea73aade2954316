"""A seat that changes hands by hand: whoever plays the episode is told, and goes on at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from palaver_agents import Completion
from palaver_broker import answer_box
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import OVERTAKEN
from palaver_gamemasters.taking_over import change_seat, filler_of, predecessor_of
from palaver_protocols.errors import AgentError, UsageError
from palaver_protocols.messages import EpisodeEnded, TurnFailure, TurnRequest
from palaver_protocols.runs import RunConfig
from tests.toys import ToyModel, serving

MAZE = load_game("maze")
EPISODE = "maze-solo-full-00000"
LOG = episode_log("run", EPISODE)


def solved(request: TurnRequest) -> str:
    return MAZE.players()["optimal"](request)


class Slow(ToyModel):
    """Answers when it is let."""

    def __init__(self) -> None:
        super().__init__(solved)
        self.was_asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def complete(self, request: TurnRequest) -> Completion:
        self.was_asked.set()
        await self.may_answer.wait()
        return await super().complete(request)


@asynccontextmanager
async def playing(broker: MemoryBroker, agent: str) -> AsyncIterator["asyncio.Task[EpisodeEnded]"]:
    """Play a maze alone, with an agent that others serve."""
    options = MAZE.configure({"setting": "solo-full", "size": 4}).model_dump(mode="json")
    (opening,) = plan(MAZE, RunConfig(run_id="run", game="maze", agents=(agent,), options=options)).openings
    async with open_engine(broker) as engine:
        episode = asyncio.create_task(engine.play(MAZE, opening))
        try:
            yield episode
        finally:
            episode.cancel()
            await asyncio.gather(episode, return_exceptions=True)


async def test_whoever_plays_goes_on_at_once_when_told() -> None:
    slow = Slow()
    async with MemoryBroker() as broker, serving(broker, "slow", slow), serving(broker, "quick", ToyModel(solved)):
        async with playing(broker, "slow") as episode, asyncio.timeout(10):
            await slow.was_asked.wait()
            assert await change_seat(broker, "run", EPISODE, "agent_1", "quick", gamemasters=["gamemaster"]) == "quick"
            assert (await episode).outcome == "solved"
        log = await broker.read(LOG)
        assert (filler_of(log, "agent_1"), predecessor_of(MAZE, log, "agent_1")) == ("quick", "slow")
        assert filler_of(log, "agent_2") is None
        with pytest.raises(UsageError, match=r"has ended \(solved\)"):
            await change_seat(broker, "run", EPISODE, "agent_1", "slow")


async def test_a_question_that_is_taken_back_for_no_reason_is_still_answered() -> None:
    slow = Slow()
    async with (
        MemoryBroker() as broker,
        serving(broker, "slow", slow),
        playing(broker, "slow") as episode,
        asyncio.timeout(10),
    ):
        await slow.was_asked.wait()
        (request,) = Episode.from_log(MAZE, await broker.read(LOG)).requests(timeout_s=1.0)
        stale = TurnFailure.of(request, OVERTAKEN, "of an earlier change", retryable=False)
        await broker.publish(answer_box("gamemaster"), stale)
        slow.may_answer.set()
        assert (await episode).outcome == "solved"


async def test_a_stranger_takes_nothing_back() -> None:
    def refuses(request: TurnRequest) -> Exception:
        return AgentError("I was overtaken", code=OVERTAKEN, retryable=False)

    async with MemoryBroker() as broker, serving(broker, "bus/x", ToyModel(refuses)):
        async with playing(broker, "bus/x") as episode, asyncio.timeout(10):
            ended = await episode
    assert (ended.outcome, ended.error) == ("error", "bus/x: I was overtaken")
