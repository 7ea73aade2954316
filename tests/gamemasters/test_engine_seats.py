"""Relays and teams on a bus: what the engine asks, tells and keeps."""

import asyncio
from typing import Any

from examples.count_up import GAME, next_number

from palaver_broker import Budget, Commit
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_protocols.errors import AgentError
from palaver_protocols.events import Event, SeatHandedOver, TurnAnswered
from palaver_protocols.messages import Aside, EpisodeStarted, SeatChanged, TurnRequest, TurnTaken
from palaver_protocols.runs import RunConfig
from tests.support import NOON, until
from tests.toys import ToyModel, serving

QUICK = Patience(base_s=0.0, cap_s=0.0, tries=2, remind_s=0.01)
TEAM = "team(lead=boss,members=ann+ben)"


def opening(*agents: str, **changes: Any) -> EpisodeStarted:
    fields = {"run_id": "run", "game": "count-up", "agents": agents, "options": {"target": 4}, **changes}
    return plan(GAME, RunConfig.model_validate(fields)).openings[0]


def boss(request: TurnRequest) -> str:
    if request.role == "lead" and request.view[-1].speaker not in request.members:
        return "@all: what comes next?"
    return next_number(request)


async def play(
    start: EpisodeStarted, broker: MemoryBroker | None = None, **answers: Any
) -> tuple[Any, list[Any], list[Event], dict[str, ToyModel]]:
    """Play an episode with an agent for each answer; return its end, its log, what was told, and the models."""
    broker = broker or MemoryBroker()
    models = {name: ToyModel(answer) for name, answer in answers.items()}
    told: list[Event] = []
    async with asyncio.TaskGroup() as tasks:
        stack = [serving(broker, name, model) for name, model in models.items()]
        for each in stack:
            await each.__aenter__()
        async with open_engine(broker, hooks=[told.append]) as engine:
            ended = await tasks.create_task(engine.play(GAME, start, QUICK))
        for each in stack:
            await each.__aexit__(None, None, None)
    return ended, await broker.read(episode_log(start.run_id, start.episode_id)), told, models


async def test_a_team_is_asked_over_the_bus_and_its_talk_is_in_the_log() -> None:
    ended, log, told, models = await play(
        opening(TEAM, "toy"), toy=next_number, boss=boss, ann=lambda _: "one", ben=lambda _: "two"
    )
    assert ended.outcome == "solved"
    assert [type(entry) for entry in log[1:6]] == [Aside, Aside, Aside, TurnTaken, TurnTaken]
    assert [len(models[name].asked) for name in ("boss", "ann", "ben", "toy")] == [4, 2, 2, 2]
    answered = [event for event in told if isinstance(event, TurnAnswered)]
    assert [event.aside for event in answered] == [True, True, True, False, False] * 2


async def test_what_a_team_says_in_private_is_paid_for_by_its_run() -> None:
    broker = MemoryBroker()
    await broker.fund("run", Budget(tokens=1))
    start = opening(TEAM, "toy")
    from palaver_agents import Completion
    from palaver_protocols.content import Text
    from palaver_protocols.messages import Usage

    class Costly(ToyModel):
        async def complete(self, request: TurnRequest) -> Completion:
            return Completion((Text(text=boss(request)),), usage=Usage(output_tokens=5))

    async with serving(broker, "boss", Costly()), open_engine(broker) as engine:
        ended = await engine.play(GAME, start, QUICK)
    assert ended.outcome == "budget"


async def test_a_handoff_is_told_and_its_segments_are_kept() -> None:
    ended, _, told, _ = await play(opening("ada@2>bob", "toy"), toy=next_number, ada=next_number, bob=next_number)
    assert [(event.seat, event.agent, event.turn) for event in told if isinstance(event, SeatHandedOver)] == [
        ("first", "bob", 2)
    ]
    assert [segment.agents["first"] for segment in ended.segments] == ["ada", "bob"]


async def test_a_summary_is_asked_of_who_leaves() -> None:
    start = opening("ada@2>bob", "toy", handoff="summary")

    def ada(request: TurnRequest) -> str:
        return "We count." if request.role == "leaver" else next_number(request)

    def three(_: TurnRequest) -> str:
        return "3"

    ended, log, _, models = await play(start, toy=next_number, ada=ada, bob=three)
    assert [type(entry) for entry in log[1:5]] == [TurnTaken, TurnTaken, Aside, TurnTaken]
    assert "We count." in models["bob"].asked[0].view[1].text
    assert ended.outcome in ("solved", "failed")


async def test_a_member_that_fails_for_good_ends_the_episode_as_an_error() -> None:
    refused = AgentError("no such key", code="auth", retryable=False)
    ended, log, _, _ = await play(opening(TEAM, "toy"), toy=next_number, boss=boss, ann=lambda _: refused, ben=boss)
    assert (ended.outcome, ended.error) == ("error", "ann: no such key")
    assert [entry.reply.seat for entry in log if isinstance(entry, Aside)] == ["first", "member_2"]


async def test_whoever_hangs_is_not_waited_for_when_its_seat_is_changed_by_hand() -> None:
    broker, start = MemoryBroker(), opening("ada", "toy")
    log = episode_log(start.run_id, start.episode_id)
    never = asyncio.Event()

    class Hanging(ToyModel):
        async def complete(self, request: TurnRequest) -> Any:
            self.asked.append(request)
            await never.wait()

    ada, toy = Hanging(), ToyModel()
    async with (
        serving(broker, "ada", ada),
        serving(broker, "toy", toy),
        open_engine(broker) as engine,
    ):
        playing = asyncio.create_task(engine.play(GAME, start, QUICK))
        await until(lambda: bool(ada.asked))
        change = SeatChanged(key="changed:1", seat="first", agent="toy", at=NOON)
        assert await broker.commit(Commit(log, 1, start.key, change)) == "ok"
        ended = await playing
    assert ended.outcome == "solved"
    assert [segment.agents["first"] for segment in ended.segments] == ["toy"]
