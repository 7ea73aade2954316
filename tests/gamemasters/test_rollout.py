import gc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from examples.count_up import GAME, CountOptions, CountUp

from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import Instance
from palaver_gamemasters.rollout import collector_spared, plan, roll_out, seat_agents
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted
from palaver_protocols.runs import RunConfig
from tests.toys import ToyModel, serving


def config(**changes: Any) -> RunConfig:
    return RunConfig(**{"run_id": "run", "game": "count-up", "agents": ("toy",), "episodes": 5, **changes})


def test_one_agent_plays_with_itself() -> None:
    seats = seat_agents(("a", "b"), ("x",))
    assert {seat: [filler.agent for filler in fillers] for seat, fillers in seats.items()} == {"a": ["x"], "b": ["x"]}


def test_agents_are_given_in_the_order_of_seats() -> None:
    seats = seat_agents(("a", "b"), ("x", "y"))
    assert [seats[seat][0].agent for seat in ("a", "b")] == ["x", "y"]


def test_too_many_agents_are_refused() -> None:
    with pytest.raises(UsageError, match=r"3 agents were given for 2 seats \(first, second\)"):
        plan(GAME, config(agents=("x", "y", "z")))


def test_a_plan_is_the_same_every_time_but_for_its_hour() -> None:
    plans = [[start.model_dump(exclude={"at"}) for start in plan(GAME, config()).openings] for _ in range(2)]
    assert plans[0] == plans[1]


def test_an_instance_can_name_its_own_variant() -> None:
    class Mixed(CountUp):
        def instances(self, options: CountOptions, seed: int) -> Iterator[Instance]:
            for index, instance in enumerate(super().instances(options, seed)):
                yield replace(instance, variant="odd" if index % 2 else None)

    openings = plan(Mixed(), config(episodes=2)).openings
    assert [opening.variant for opening in openings] == ["to-10", "odd"]
    assert [opening.episode_id for opening in openings] == ["count-up-to-10-00000", "count-up-odd-00001"]


def test_instances_and_seeds_do_not_depend_on_who_plays() -> None:
    one, other = plan(GAME, config()), plan(GAME, config(agents=("x", "y"), run_id="other"))
    assert [(s.instance_id, s.seed) for s in one.openings] == [(s.instance_id, s.seed) for s in other.openings]


def test_another_seed_gives_other_seeds() -> None:
    one, other = plan(GAME, config()), plan(GAME, config(seed=1))
    assert not {start.seed for start in one.openings} & {start.seed for start in other.openings}


@pytest.mark.parametrize("concurrency", [1, 3, 64])
async def test_every_episode_is_played_once(concurrency: int) -> None:
    planned = plan(GAME, config(episodes=20))
    ends: list[str] = []

    async def on_end(opening: EpisodeStarted, ended: EpisodeEnded) -> None:
        ends.append(f"{opening.episode_id} {ended.outcome}")

    async with (
        MemoryBroker() as broker,
        serving(broker, "toy", ToyModel()),
        open_engine(broker) as engine,
    ):
        await roll_out(engine, GAME, planned.openings, concurrency=concurrency, on_end=on_end)
    assert sorted(ends) == [f"count-up-to-10-{n:05d} solved" for n in range(20)]


async def test_a_thousand_episodes_at_a_time() -> None:
    planned = plan(GAME, config(episodes=1000, options={"target": 4}))
    outcomes: list[str] = []

    async def on_end(_: EpisodeStarted, ended: EpisodeEnded) -> None:
        outcomes.append(ended.outcome)

    async with (
        MemoryBroker() as broker,
        serving(broker, "toy", ToyModel(), concurrency=1000),
        open_engine(broker) as engine,
    ):
        await roll_out(engine, GAME, planned.openings, concurrency=1000, on_end=on_end)
    assert outcomes == ["solved"] * 1000


async def test_the_first_episode_is_under_way_before_the_last_one_begins() -> None:
    planned = plan(GAME, config(episodes=20))
    model = ToyModel()

    async def on_end(opening: EpisodeStarted, ended: EpisodeEnded) -> None:
        pass

    async with (
        MemoryBroker() as broker,
        serving(broker, "toy", model),
        open_engine(broker) as engine,
    ):
        await roll_out(engine, GAME, planned.openings, concurrency=20, on_end=on_end)
    asked = [(request.episode_id, request.turn) for request in model.asked]
    first, last = planned.openings[0].episode_id, planned.openings[-1].episode_id
    assert asked.index((first, 1)) < asked.index((last, 0))


def test_the_collector_is_spared_for_a_while() -> None:
    before = gc.get_threshold()
    gc.unfreeze()
    with collector_spared():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > 0
    left = gc.get_threshold(), gc.get_freeze_count()
    gc.freeze()  # what all tests live on was, and is, none of the collector's business
    assert left == (before, 0)


def test_a_team_that_is_to_hold_parts_needs_a_game_that_can_be_divided() -> None:
    team = "team(lead=toy,members=toy,show=split)"
    with pytest.raises(UsageError, match="cannot divide a seat's view"):
        plan(GAME, config(agents=("toy@4>" + team, "toy")))


class Cast(CountUp):
    """Count up, with a seat whose name is that of a team's voice."""

    def seats(self, options: CountOptions) -> tuple[str, ...]:
        return ("member_1", "second")


def test_no_team_sits_where_a_seat_has_the_name_of_a_voice() -> None:
    with pytest.raises(UsageError, match="has a seat 'member_1', as a team's voices are called"):
        plan(Cast(), config(agents=("team(lead=toy,members=toy)", "toy")))
