from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze import GAME
from palaver_gamemasters.maze.options import MazeOptions
from palaver_protocols.errors import UsageError


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "pair"),
        ({"cover": 2}, "pair-k2"),
        ({"order": "named"}, "pair-named"),
        ({"agents": 3}, "group-3"),
        ({"agents": 4, "cover": 2}, "group-4-k2"),
        ({"agents": 3, "order": "named"}, "group-3-named"),
        ({"agents": 8, "cover": 8, "order": "named"}, "group-8-k8-named"),
        ({"setting": "solo-full"}, "solo-full"),
        ({"setting": "solo-full", "agents": 3, "cover": 2, "order": "named"}, "solo-full"),
        ({"setting": "solo-distributed"}, "solo-distributed"),
        ({"setting": "solo-distributed", "agents": 3, "cover": 2, "order": "named"}, "solo-distributed-3-k2"),
    ],
)
def test_a_variant_says_who_holds_what_and_who_speaks_next(options: dict[str, Any], name: str) -> None:
    assert GAME.variant(MazeOptions(**options)) == name


@given(
    st.sampled_from(["pair", "solo-full", "solo-distributed"]),
    st.integers(2, 8).flatmap(lambda agents: st.tuples(st.just(agents), st.integers(1, agents))),
    st.sampled_from(["round-robin", "named"]),
)
def test_every_variant_can_be_read_back(setting: Any, shape: tuple[int, int], order: Any) -> None:
    name = GAME.variant(MazeOptions(setting=setting, agents=shape[0], cover=shape[1], order=order))

    read = GAME.configure({}, variant=name)

    assert GAME.variant(read) == name
    if setting == "pair":
        assert (read.agents, read.cover, read.order) == (*shape, order)


@pytest.mark.parametrize(
    "name", ["trio", "", "group", "group-2", "group-9", "group-3-k1", "pair-3", "group-3-k2-named-k2", "solo-full-3"]
)
def test_an_unknown_variant_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match=r"no variant '.*' \(it has: solo-full, solo-distributed, pair, group-3 to"):
        GAME.configure({}, variant=name)


def test_a_variant_that_shows_cells_to_more_agents_than_there_are_is_refused() -> None:
    with pytest.raises(UsageError, match="cover 5 is more than the 3 agents"):
        GAME.configure({}, variant="group-3-k5")
