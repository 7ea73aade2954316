"""Boards made from a seed: of the kind that is asked for, balanced, never twice the same, the same everywhere."""

import hashlib
import json
from collections import Counter
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.game import Instance
from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.board import Board
from palaver_gamemasters.ivispar.generation import kinds
from palaver_gamemasters.ivispar.instances import board_of
from palaver_gamemasters.ivispar.scores import distance
from palaver_protocols.errors import InstanceError, UsageError

BENCHMARK = "ebbb427bd6e34d264448ca76dbaa9aab0e24b7c7df1e25c89569ef39591c2fc7"


def made(count: int, seed: int = 0, **options: Any) -> list[Instance]:
    return list(islice(GAME.instances(GAME.configure(options), seed), count))


def kind(board: Board) -> tuple[int, int, int | None]:
    """Return a board's number of geoms, the sum of their ways, and its path."""
    return len(board.geoms), board.manhattan(board.start), distance(board, board.start)


def the_only(geoms: int, path: int, **more: Any) -> dict[str, Any]:
    return {"min_geoms": geoms, "max_geoms": geoms, "min_path": path, "max_path": path, **more}


@pytest.fixture(scope="module")
def benchmark() -> list[Instance]:
    return made(300)


def test_the_default_boards_are_the_same_on_every_machine(benchmark: list[Instance]) -> None:
    text = json.dumps([[each.id, each.data] for each in benchmark], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == BENCHMARK


def test_the_benchmark_has_three_boards_of_each_kind_and_no_interference(benchmark: list[Instance]) -> None:
    found = Counter(kind(board_of(each.data)) for each in benchmark)
    assert found == {(geoms, path, path): 3 for geoms in range(2, 12) for path in range(2, 12)}


def test_no_board_comes_twice(benchmark: list[Instance]) -> None:
    assert len({json.dumps(each.data["landmarks"]) for each in benchmark if isinstance(each.data, dict)}) == 300
    assert len({each.id for each in benchmark}) == 300


def test_a_board_is_written_in_the_published_layout(benchmark: list[Instance]) -> None:
    first = benchmark[0]
    assert first.id == "seed_0_b_4_g_2_c1_2_c2_0_i_1"
    assert first.labels == {"geoms": ("2",), "path": ("2",), "interference": ("0",)}
    assert first.data == {
        "config_instance_id": first.id,
        "experiment_type": "SlidingGeomPuzzle",
        "complexity_c1": 2,
        "complexity_c2": 0,
        "grid_size": 4,
        "landmarks": [
            {
                "geom_nr": 1,
                "body": "cylinder",
                "color": "yellow",
                "start_coordinate": [2, 1],
                "goal_coordinate": [2, 1],
            },
            {"geom_nr": 2, "body": "pyramid", "color": "blue", "start_coordinate": [2, 0], "goal_coordinate": [3, 1]},
        ],
    }


def test_the_first_boards_have_all_numbers_of_geoms_and_all_lengths() -> None:
    order = kinds(GAME.configure({}))
    for ten in (order[first : first + 10] for first in range(0, 100, 10)):
        assert sorted(each.geoms for each in ten) == sorted(each.path for each in ten) == list(range(2, 12))
    assert len(set(order)) == 100


@pytest.mark.parametrize(("geoms", "paths"), [(1, 1), (1, 7), (2, 3), (3, 2), (4, 6), (6, 4), (5, 5), (9, 6)])
def test_every_kind_comes_once_a_round_and_any_beginning_is_balanced(geoms: int, paths: int) -> None:
    order = kinds(GAME.configure({"max_geoms": 1 + geoms, "max_path": 1 + paths}))
    assert len(order) == len(set(order)) == geoms * paths
    begun = order[: max(geoms, paths)]
    for found in (Counter(each.geoms for each in begun), Counter(each.path for each in begun)):
        assert max(found.values()) - min(found.values()) <= 1


def test_a_board_does_not_depend_on_what_else_is_asked_for() -> None:
    among_many = {each.id: each.data for each in made(100, seed=5)}
    (alone,) = made(1, seed=5, **the_only(6, 7))
    assert among_many[alone.id] == alone.data


@pytest.mark.parametrize(
    ("geoms", "path", "interference", "size"),
    [
        (2, 4, 1, 4),
        (2, 8, 1, 4),
        (3, 9, 2, 4),
        (4, 9, 1, 4),
        (6, 12, 2, 4),
        (11, 6, 1, 4),
        (5, 11, 3, 3),
        (15, 9, 2, 4),
    ],
)
def test_geoms_can_be_in_each_others_way(geoms: int, path: int, interference: int, size: int) -> None:
    (found,) = made(1, **the_only(geoms, path, interference=interference, size=size))
    assert kind(board_of(found.data)) == (geoms, path - 2 * interference, path)


@pytest.mark.parametrize(("size", "geoms", "path"), [(2, 2, 3), (3, 8, 6), (5, 3, 20), (6, 16, 30), (26, 2, 40)])
def test_boards_have_other_sizes(size: int, geoms: int, path: int) -> None:
    for each in made(3, **the_only(geoms, path, size=size)):
        board = board_of(each.data)
        assert (board.size, kind(board)) == (size, (geoms, path, path))


def test_geoms_are_made_of_the_colours_and_shapes_that_are_given() -> None:
    given = the_only(6, 4, colors="orange, #8800ff", shapes=["cone", "prism", "cube"])
    board = board_of(made(1, **given)[0].data)
    assert {geom.colour for geom in board.geoms} == {"orange", "#8800ff"}
    assert {geom.shape for geom in board.geoms} == {"cone", "prism", "cube"}


@pytest.mark.parametrize(
    ("options", "said", "mend"),
    [
        ({"max_geoms": 16}, "geoms=16, path=2 has no free cell to move to", "max_geoms can be 15 at most"),
        ({"max_geoms": 17, "size": 5}, "needs 17 different geoms, and colours and shapes give 16", "--set colors="),
        ({"max_path": 13}, "geoms=2, path=13 cannot exist: its geoms cannot be more than 12 moves", "at most"),
        ({"min_geoms": 1, "min_path": 7}, "geoms=1, path=7 cannot exist: its geoms cannot be more than 6", "at most"),
        ({"max_path": 10**9}, "geoms=2, path=13 cannot exist", "max_path can be 12 at most, or take more geoms"),
        ({"max_geoms": 10**9}, "geoms=16, path=2 has no free cell", "at most"),
        ({"min_geoms": 1, "min_path": 4, "interference": 1}, "a single geom has no other in its way", "min_geoms=2"),
        ({"interference": 1}, "geoms=2, path=2, interference 1 cannot exist: 2 moves to get out", "min_path=4"),
        ({"interference": 10**9}, "cannot exist", "min_path="),
        ({"min_geoms": 5, "max_geoms": 3}, "min_geoms 5 is more than max_geoms 3", "exchange them"),
        ({"min_path": 12}, "min_path 12 is more than max_path 11", "exchange them, or give both"),
        ({"colors": ["red", "Red"]}, "the red cube and the red cube have the same name", "no two geoms"),
        ({"colors": ["light blue"]}, "no action can name a geom 'light blue cube'", "one word each"),
    ],
)
def test_boards_that_cannot_exist_are_refused_before_any_is_made(options: dict[str, Any], said: str, mend: str) -> None:
    with pytest.raises(InstanceError) as refused:
        GAME.instances(GAME.configure(options), 0)
    assert said in refused.value.message
    assert mend in refused.value.mend


def test_a_kind_that_is_not_found_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_gamemasters.ivispar.generation.SOLUTIONS", 300)
    with pytest.raises(
        InstanceError, match="found no board such as a board of 4x4 with geoms=2, path=10, interference 2"
    ):
        made(1, **the_only(2, 10, interference=2))


def test_when_all_boards_of_a_kind_have_been_made_there_is_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_gamemasters.ivispar.generation.MOVES", 2_000)
    boards = GAME.instances(GAME.configure(the_only(1, 2, size=2, colors="red", shapes="cube")), 0)
    assert len({json.dumps(each.data) for each in islice(boards, 4)}) == 4
    with pytest.raises(InstanceError, match="found no further board such as a board of 2x2 with geoms=1, path=2"):
        next(boards)


def test_no_colours_at_all_are_refused() -> None:
    with pytest.raises(UsageError, match="option colors cannot be"):
        GAME.configure({"colors": []})
