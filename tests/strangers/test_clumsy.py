"""Agents that misbehave, by every way in: their own game ends as the rules say, and those of others as ever."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from palaver_broker import Broker
from palaver_broker.mqtt import line as mqtt_line
from palaver_broker.topics import episode_log
from palaver_gamemasters import waiting
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_protocols.events import Event, TurnAsked, TurnRetried
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, TurnTaken
from palaver_protocols.runs import RunConfig
from tests.gamemasters.folding import play, seated
from tests.mosquitto_server import mosquitto_server
from tests.strangers.conduct import CALM, CONDUCTS, Agent, Scene, player
from tests.strangers.ways import WAYS, way_in
from tests.support import until
from tests.toys import ToyModel, serving

__all__ = ["mosquitto_server"]

OTHERS = 3
BOUND_S = 30.0


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "REMIND_S", 0.02)
    monkeypatch.setattr(waiting, "ON_THE_WAY_S", 0.1)
    monkeypatch.setattr(mqtt_line, "FIRST_S", 0.3)
    monkeypatch.setattr(mqtt_line, "EARLY_S", 0.3)


def openings() -> tuple[EpisodeStarted, ...]:
    return plan(MAZE, RunConfig(run_id="run", game="maze", agents=("toy",), episodes=1 + OTHERS)).openings


Story = list[tuple[int, str, str]]


def undisturbed(opening: EpisodeStarted) -> Story:
    """Return turns, seats and words of a game by copies of the script, without any bus."""
    episode, log, _ = play(MAZE, opening, player)
    assert episode.outcome == "solved"
    return _told(log)


def _told(log: Sequence[object]) -> Story:
    return [(each.reply.turn, each.reply.seat, each.reply.text) for each in log if isinstance(each, TurnTaken)]


async def story(broker: Broker, opening: EpisodeStarted, end: EpisodeEnded) -> Story:
    """Return what a log tells. It is whole: nothing in it is doubled or missing, and it folds to the same end."""
    log = await broker.read(episode_log(opening.run_id, opening.episode_id))
    assert log[-1] == end
    assert len({entry.key for entry in log}) == len(log)
    episode = Episode.from_log(MAZE, log)
    assert (episode.outcome or "error") == end.outcome
    told = _told(log)
    assert [turn for turn, _, _ in told] == list(range(episode.turns))
    return told


@asynccontextmanager
async def living(agent: Agent) -> AsyncIterator[None]:
    life = asyncio.create_task(agent.live())
    try:
        yield
    finally:
        life.cancel()
        (end,) = await asyncio.gather(life, return_exceptions=True)
        assert isinstance(end, asyncio.CancelledError), end


async def play_beside(broker: Broker, agent: str, scene: Scene, patience: Patience) -> tuple[EpisodeEnded, Story]:
    """Let an agent play one game and scripts the others; return how its own went. The others are as they should be."""
    first, *others = openings()
    own = seated(first, agent_2=agent)

    def watch(event: Event) -> None:
        if isinstance(event, TurnRetried) and event.request.agent == agent:
            scene.asked_again.set()
        if isinstance(event, TurnAsked) and event.request.agent != agent:
            scene.others.append(event.request)

    async with serving(broker, "toy", ToyModel(player)), open_engine(broker, hooks=[watch]) as engine:
        playing = asyncio.create_task(engine.play(MAZE, own, patience))
        await scene.begun.wait()
        ends = await asyncio.gather(*(engine.play(MAZE, each, CALM) for each in others))
        end = await playing
        scene.over.set()
        for each, other in zip(others, ends, strict=True):
            assert (other.outcome, other.error) == ("solved", None)
            assert await story(broker, each, other) == undisturbed(each)
        return end, await story(broker, own, end)


@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_clumsy_agent_spoils_its_own_game_at_most(
    way: str, conduct: str, request: pytest.FixtureRequest
) -> None:
    kind, scene = CONDUCTS[conduct], Scene()
    async with asyncio.timeout(BOUND_S), way_in(way, request) as door:
        agent = kind(door, scene)
        async with living(agent):
            end, told = await play_beside(door.broker, door.agent, scene, kind.patience)
            if kind.solves:
                assert (end.outcome, end.error) == ("solved", None)
                assert told == undisturbed(openings()[0])
            else:
                why = f"{door.agent} after 2 tries: no answer within {kind.patience.timeout_s:g} s"
                assert (end.outcome, end.error) == ("error", why)
                assert told == undisturbed(openings()[0])[:1]
            await until(lambda: agent.has_heard)
            own = openings()[0]
            log = await door.broker.read(episode_log(own.run_id, own.episode_id))
            assert log[-1] == end, "what comes after the end changes nothing"
