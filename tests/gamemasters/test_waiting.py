"""For how long a stranger is waited for, and what it does to the games of others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from examples.count_up import GAME as COUNT_UP

from palaver_broker.desk import Desk, OpenQuestion, open_desk
from palaver_broker.memory import MemoryBroker
from palaver_gamemasters import waiting
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_protocols.codec import encode
from palaver_protocols.events import Event, TurnRetried
from palaver_protocols.messages import EpisodeStarted
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import Notice
from tests.support import a_reply
from tests.toys import ToyModel, serving

SILENT = "bus/silent"
PATIENCE = Patience(timeout_s=0.05, tries=2, base_s=0.0, cap_s=0.0)


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "REMIND_S", 0.01)
    monkeypatch.setattr(waiting, "ON_THE_WAY_S", 0.0)


def openings(*agents: str, episodes: int = 1) -> tuple[EpisodeStarted, ...]:
    config = RunConfig(run_id="run", game="count_up", agents=agents, options={"target": 4}, episodes=episodes)
    return tuple(plan(COUNT_UP, config).openings)


@asynccontextmanager
async def a_stranger(broker: MemoryBroker, answers: int) -> AsyncIterator[Desk]:
    """Let an agent sit down that answers so many questions, and then no more."""
    coming: asyncio.Queue[OpenQuestion] = asyncio.Queue()

    async def answer() -> None:
        for _ in range(answers):
            question = await coming.get()
            await desk.hear(encode(a_reply(question.request, f"{question.request.turn + 1}")))

    desk = Desk(broker, SILENT, on_question=coming.put_nowait)
    async with open_desk(desk, "door"), asyncio.TaskGroup() as tasks:
        answering = tasks.create_task(answer())
        yield desk
        answering.cancel()


async def test_a_silent_stranger_ends_its_own_episode_and_no_other() -> None:
    seen: list[Event] = []
    async with (
        MemoryBroker() as broker,
        a_stranger(broker, 0) as desk,
        serving(broker, "toy", ToyModel()),
        open_engine(broker, hooks=[seen.append]) as engine,
    ):
        (with_silent,), (without,) = openings(SILENT), openings("toy")
        without = without.model_copy(update={"episode_id": "other"})
        ended, other = await asyncio.gather(
            engine.play(COUNT_UP, with_silent, PATIENCE), engine.play(COUNT_UP, without, PATIENCE)
        )
        assert (ended.outcome, ended.error) == ("error", "bus/silent after 2 tries: no answer within 0.05 s")
        assert other.outcome == "solved"
        assert [event.code for event in seen if isinstance(event, TurnRetried)] == ["timeout"]
        assert not [each for each in desk if not await each.delivery.renew()] or len(desk) <= 1


async def test_an_agent_of_ours_is_waited_for_as_long_as_it_lives() -> None:
    """Its question is with a process that sees to the time itself, or lies in its inbox until one comes."""
    async with MemoryBroker() as broker, open_engine(broker) as engine:
        (opening,) = openings("toy")
        playing = asyncio.create_task(engine.play(COUNT_UP, opening, PATIENCE))
        done, _ = await asyncio.wait({playing}, timeout=20 * PATIENCE.timeout_s)
        assert not done
        async with serving(broker, "toy", ToyModel()):
            assert (await playing).outcome == "solved"


async def test_a_stranger_that_answers_others_is_waited_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "IN_LINE", 10_000)
    async with MemoryBroker() as broker, open_engine(broker) as engine, asyncio.timeout(30):
        patience = Patience(timeout_s=0.3, tries=1)
        first, second = openings(SILENT, episodes=2)
        asked: asyncio.Queue[OpenQuestion] = asyncio.Queue()
        async with open_desk(Desk(broker, SILENT, on_question=asked.put_nowait), "door") as desk:
            playing = {asyncio.create_task(engine.play(COUNT_UP, opening, patience)) for opening in (first, second)}
            held = await asked.get()
            for _ in range(4):  # the other game goes on, for longer than the first question allows
                question = await asked.get()
                await asyncio.sleep(0.15)  # how long the agent thinks: this test is about time
                await desk.hear(encode(a_reply(question.request, f"{question.request.turn + 1}")))
            assert held.key in desk
            await desk.hear(encode(a_reply(held.request, "1")))
            for _ in range(3):
                question = await asked.get()
                await desk.hear(encode(a_reply(question.request, f"{question.request.turn + 1}")))
            assert {(await each).outcome for each in playing} == {"solved"}


async def test_whoever_runs_the_game_is_told_that_answers_were_refused() -> None:
    class Told(MemoryBroker):
        """A bus that knows what strangers were told."""

        async def refusals(self, agent: str, within_s: float) -> list[Notice]:
            assert agent == SILENT
            mistake = Notice(key="k", agent=agent, code="refused", reason="mismatch", message="agent is 'mine'\x1b[2J")
            return [mistake] * 2

    async with Told() as broker, a_stranger(broker, 0), open_engine(broker) as engine:
        ended = await engine.play(COUNT_UP, openings(SILENT)[0], PATIENCE)
    said = "no answer within 0.05 s; 2 messages of it were refused, the last: mismatch, agent is 'mine' [2J"
    assert ended.error == f"bus/silent after 2 tries: {said}"
