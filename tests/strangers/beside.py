"""One game with an agent that may misbehave, and games of others on the same bus at the same time."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from palaver_broker import Broker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_protocols.events import Event, TurnAsked, TurnRetried
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, TurnTaken
from palaver_protocols.runs import RunConfig
from tests.gamemasters.folding import play, seated
from tests.strangers.conduct import CALM, Scene, player
from tests.toys import ToyModel, serving

__all__ = ["Story", "log_of", "openings", "play_beside", "undisturbed"]

OTHERS = 3

Story = tuple[tuple[int, str, str], ...]
"""Turns, seats and words."""


@cache
def openings() -> tuple[EpisodeStarted, ...]:
    return plan(MAZE, RunConfig(run_id="run", game="maze", agents=("toy",), episodes=1 + OTHERS)).openings


@cache
def undisturbed(number: int) -> Story:
    """Return turns, seats and words of one of the openings, played by copies of the script, without any bus."""
    episode, log, _ = play(MAZE, openings()[number], player)
    assert episode.outcome == "solved"
    return _told(log)


def _told(log: Sequence[object]) -> Story:
    return tuple((each.reply.turn, each.reply.seat, each.reply.text) for each in log if isinstance(each, TurnTaken))


async def log_of(broker: Broker, opening: EpisodeStarted) -> list[Any]:
    return await broker.read(episode_log(opening.run_id, opening.episode_id))


async def story(broker: Broker, opening: EpisodeStarted, end: EpisodeEnded) -> Story:
    """Return what a log tells. It is whole: nothing in it is doubled or missing, and it folds to the same end."""
    log = await log_of(broker, opening)
    assert log[-1] == end
    assert len({entry.key for entry in log}) == len(log)
    episode = Episode.from_log(MAZE, log)
    assert (episode.outcome or "error") == end.outcome
    told = _told(log)
    assert [turn for turn, _, _ in told] == list(range(episode.turns))
    return told


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
        for number, (each, other) in enumerate(zip(others, ends, strict=True), 1):
            assert (other.outcome, other.error) == ("solved", None)
            assert await story(broker, each, other) == undisturbed(number)
        return end, await story(broker, own, end)
