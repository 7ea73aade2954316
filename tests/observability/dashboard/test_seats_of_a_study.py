"""A study's list and its end, and what a person is shown who comes back after a restart."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from palaver_agents.human import Claim
from palaver_broker.board import RunStatus
from palaver_protocols.runs import RunConfig
from tests.observability.dashboard.seating import Browser, Scene, seating
from tests.support import NOON

WIRE = {"puzzle": "wire"}
EPISODE = "comma-wire-00000"
DESCRIBED = "white, yellow, green, green, green; serial number KHZ044"


def standing(state: str, *, owed: int = 0, playing: int = 0) -> Callable[[], Awaitable[Sequence[RunStatus]]]:
    """Say that the run of a scene stands like this."""
    config = RunConfig(run_id="run", game="comma", agents=("human", "scripted"))
    numbers: Any = {"total": 1, "owed": owed, "playing": playing, "ended": 0, "archived": 0}
    status = RunStatus(config, state, "service", **numbers, outcomes={}, tokens=0, cost_usd=0.0, submitted=NOON)  # type: ignore[arg-type] # one of the states, as a parameter

    async def told() -> Sequence[RunStatus]:
        return (status,)

    return told


async def no_runs() -> Sequence[RunStatus]:
    return ()


async def come(scene: Scene) -> tuple[Browser, str, Any]:
    """Somebody comes by the link, and agrees."""
    (study,) = scene.room.studies
    person, join = await scene.browser(), f"/api/join/{study.token}"
    return person, join, (await person.post(f"{join}/consent", {"agree": True}))[1]


@pytest.mark.parametrize(
    ("runs", "state"),
    [
        (standing("open", owed=1, playing=1), "wait"),
        (standing("open", playing=2), "wait"),  # one has begun, and nobody here has heard of it
        (standing("loading"), "wait"),
        (standing("open", playing=1), "thanks"),
        (standing("cancelled", owed=1), "thanks"),
        (no_runs, "thanks"),  # it has been played, and forgotten
    ],
)
async def test_who_finds_no_seat_waits_if_one_may_open_yet_and_is_thanked_if_none_can(
    runs: Callable[[], Awaitable[Sequence[RunStatus]]], state: str
) -> None:
    async with seating("comma", "human,scripted", options=WIRE, study="pilot=run") as scene:
        await scene.link(EPISODE, "solver")
        scene.room.runs = runs
        assert (await come(scene))[2]["state"] == "seat"
        _, _, said = await come(scene)
        assert (said["state"], said["full"], said["done"]) == (state, state == "thanks", 0)


async def test_who_comes_before_the_run_waits_for_it() -> None:
    async with seating("comma", "human,scripted", options=WIRE, study="pilot=later") as scene:
        _, _, said = await come(scene)
        assert (said["state"], said["full"]) == ("wait", False)


async def test_who_has_played_the_last_episode_of_the_list_is_thanked() -> None:
    async with seating("comma", "human,scripted", options=WIRE, study="pilot=run") as scene:
        await scene.link(EPISODE, "solver")
        scene.room.runs = standing("done")
        person, join, said = await come(scene)
        asked = await person.state(said["link"], "your_turn")
        await person.say(said["link"], asked["key"], "cut_wire_2")
        await person.state(said["link"], "over")
        _, said = await person.get(join)
        assert (said["state"], said["done"], said["full"]) == ("thanks", 1, True)


async def test_who_waits_after_a_restart_sees_what_was_said_before() -> None:
    async with seating("comma", "human,human", options=WIRE) as scene:
        person, link = await scene.browser(), await scene.link(EPISODE, "solver")
        await person.claim(link)
        asked = await person.state(link, "your_turn")
        await person.say(link, asked["key"], DESCRIBED)
        before = await person.state(link, lambda state: state["state"] == "waiting" and state["waiting"] == ["expert"])
        chair = scene.hall.chair_at(link.removeprefix("/sit/"))
        chair.last, chair.claim = None, Claim(*chair.claim) if chair.claim else None
        chair.said.clear()
        _, after = await person.get(f"/api{link}")
        assert after["messages"] == asked["messages"]
        assert (after["said"], after) == (DESCRIBED, before)
