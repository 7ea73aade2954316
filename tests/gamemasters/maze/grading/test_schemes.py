from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grading.cells import Spoken
from palaver_gamemasters.maze.grading.extraction import Entry, Extraction, Scheme, Symbols
from palaver_gamemasters.maze.grading.schemes import Walk, best_walk, read_cell, schemes, walk
from palaver_gamemasters.maze.grid import Maze

MAZE = Maze(("@.#.", "...#", "#..*"))
PLACES = [symbols for symbols in get_args(Symbols) if symbols != "directions"]
ALL = [scheme for symbols in PLACES for scheme in schemes(symbols)]
PLAIN = Scheme()


def said(moves: Sequence[Spoken], schema: Scheme | None = None) -> Extraction:
    return Extraction(route_schema=schema, route=tuple(Entry(turn=1, coordinates=(move,)) for move in moves))


def best(*moves: Spoken) -> Walk:
    return best_walk(MAZE, [said(moves)])


def test_the_search_is_complete() -> None:
    assert len(ALL) == len(set(ALL)) == 4 * 2 * 4 * 2


@pytest.mark.parametrize(
    ("spoken", "scheme", "cell"),
    [
        (("0", "1"), PLAIN, (0, 1)),
        (("1", "2"), Scheme(maze_origin="1"), (0, 1)),
        (("1", "0"), Scheme(coordinates_orientation="col_row"), (0, 1)),
        (("0", "1"), Scheme(maze_orientation="bottom_left"), (2, 1)),
        (("0", "1"), Scheme(maze_orientation="top_right"), (0, 2)),
        (("0", "1"), Scheme(maze_orientation="bottom_right"), (2, 2)),
        (("A", "2"), Scheme(maze_origin="1", coordinates_symbols="letter_number"), (0, 1)),
        (("2", "A"), Scheme(maze_origin="1", coordinates_symbols="letter_number"), (0, 1)),
        (("b", "a"), Scheme(coordinates_symbols="letter_letter", maze_origin="1"), (1, 0)),
        (("r1", "c2"), Scheme(maze_origin="1", coordinates_orientation="col_row"), (0, 1)),
        (("c2", "r1"), Scheme(maze_origin="1"), (0, 1)),
        (("A1",), Scheme(coordinates_symbols="letter_number"), (0, 1)),
        (("r1c2",), Scheme(maze_origin="1"), (0, 1)),
        (("(0, 1)",), PLAIN, (0, 1)),
        (("-1", "0"), PLAIN, (-1, 0)),
        (("?", "?"), PLAIN, None),
        (("nowhere",), PLAIN, None),
    ],
)
def test_a_place_under_a_scheme(spoken: Spoken, scheme: Scheme, cell: tuple[int, int] | None) -> None:
    assert read_cell(spoken, scheme, MAZE) == cell


@pytest.mark.parametrize(
    ("moves", "ended", "route"),
    [
        ([("0", "0"), ("1", "0"), ("1", "0"), ("1", "1")], "end of route", [(0, 0), (1, 0), (1, 1)]),
        ([("0", "1"), ("0", "2"), ("0", "3")], "wall", [(0, 0), (0, 1)]),
        ([("0", "1"), ("-1", "1")], "out of bounds", [(0, 0), (0, 1)]),
        ([("0", "1"), ("1", "2")], "not adjacent", [(0, 0), (0, 1)]),
        ([("0", "1"), ("1", "1"), ("0", "1")], "end of route", [(0, 0), (0, 1), (1, 1), (0, 1)]),
        ([("down",), ("right",), ("1", "2"), ("south",), ("→",), ("up",)], "goal", MAZE.route((0, 0))),
        ([("0", "1"), ("?",), ("1", "1")], "end of route", [(0, 0), (0, 1), (1, 1)]),
    ],
)
def test_a_walk_ends_at_the_goal_or_at_its_first_illegal_step(
    moves: list[Spoken], ended: str, route: Sequence[tuple[int, int]]
) -> None:
    found = walk(MAZE, moves, PLAIN)
    assert found.ended == ended
    assert len(found.route) == len(route)
    if ended != "goal":
        assert found.route == tuple(route)


def test_up_is_up_whatever_the_corner() -> None:
    for scheme in schemes("number_number"):
        assert walk(MAZE, [("down",), ("right",), ("up",)], scheme).route[1:] == ((1, 0), (1, 1), (0, 1))


def test_nothing_said_is_no_route() -> None:
    assert best() == Walk(((0, 0),), "no route", None)
    assert best_walk(MAZE, [said([("?", "?")])]).ended == "no route"


def test_directions_need_no_scheme_but_one() -> None:
    found = best(("down",), ("right",), ("right",), ("down",), ("right",))
    assert found.ended == "goal"
    assert str(found.scheme) == "directions, row_col, from 0 at the top left"


def test_only_moves_count() -> None:
    thought = Entry(turn=1, coordinates=(("0", "1"),), turn_type="consider")
    assert best_walk(MAZE, [Extraction(route=(thought,))]).ended == "no route"


def test_of_schemes_that_do_equally_well_the_named_one_is_taken() -> None:
    named = Scheme(maze_orientation="top_left", coordinates_orientation="row_col", maze_origin="1")
    corner = Maze((".*.", ".@.", "..."))
    spoken = [("1", "2")]
    assert best_walk(corner, [said(spoken, named)]).scheme == named


def test_of_readings_that_do_equally_well_one_that_ends_at_a_wall_is_taken_before_a_jump() -> None:
    maze = Maze(("@.#", "#..", "..*"))
    found = best_walk(maze, [said([("right",), ("1", "3"), ("3", "3")])])
    assert (found.route, found.ended) == (((0, 0), (0, 1)), "wall")


def test_of_readings_that_do_equally_well_the_one_with_more_support_is_taken() -> None:
    open_field = Maze(("@...", "....", "....", "...*"))
    cells, ways = said([("0", "1"), ("0", "2")]), said([("down",), ("down",)])
    assert best_walk(open_field, [cells]).route[-1] == (0, 2)
    assert best_walk(open_field, [cells, ways]).route[-1] == (2, 0)


@given(
    scheme=st.sampled_from(ALL),
    route=st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=8),
)
def test_the_best_is_never_worse_than_what_was_meant(scheme: Scheme, route: list[tuple[int, int]]) -> None:
    assert MAZE.to_goal[best_walk(MAZE, [said(write(route, scheme))]).route[-1]] <= (
        MAZE.to_goal[walk(MAZE, write(route, PLAIN), PLAIN).route[-1]] if route else MAZE.to_goal[MAZE.start]
    )


def write(route: Sequence[tuple[int, int]], scheme: Scheme) -> list[Spoken]:
    """Say cells in a scheme; what lies before the first letter is said with a number."""
    vertical, horizontal = scheme.maze_orientation.split("_")
    kinds = scheme.coordinates_symbols.split("_")
    spoken = []
    for row, column in route:
        down = MAZE.height - 1 - row if vertical == "bottom" else row
        across = MAZE.width - 1 - column if horizontal == "right" else column
        pair = (down, across) if scheme.coordinates_orientation == "row_col" else (across, down)
        spoken.append(
            tuple(
                chr(ord("A") + value) if kind == "letter" and value >= 0 else str(value + int(scheme.maze_origin))
                for value, kind in zip(pair, kinds, strict=True)
            )
        )
    return spoken
