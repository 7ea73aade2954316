from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.maze.generation import generate
from palaver_gamemasters.maze.grid import HIDDEN, PATH, WALL, Maze, merge, split
from palaver_gamemasters.maze.options import MazeOptions
from palaver_gamemasters.maze.speakers import phrases
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES, Style
from palaver_gamemasters.maze.speakers.understanding import asked_about, convention, learn, learned

MINE = Maze(("@?#?", ".?.?", "?.?#", "?#?*"))
THEIRS = Maze(("@.?.", "?#?.", ".?.?", ".?.*"))

seeds = st.integers(0, 10**6)


def told(style: Style, maze: Maze, seed: int) -> str:
    voice = phrases.Voice(seed, "a", 0)
    return f"{phrases.greeting(style, maze, False, voice)}\n{phrases.map_told(style, maze, voice)}"


@pytest.mark.parametrize("name", NAMED_STYLES)
@given(seed=seeds, size=st.sampled_from([4, 6, 9]))
def test_a_stated_convention_is_understood_and_the_map_read_back(name: str, seed: int, size: int) -> None:
    maze = generate(MazeOptions(size=size), Dice("speakers", seed))
    mine, theirs = split(maze)
    text = told(NAMED_STYLES[name], theirs, seed)

    style = convention(text, mine)

    assert style is not None
    assert all(style.write(cell, mine) == NAMED_STYLES[name].write(cell, mine) for cell in mine.cells())
    assert learn(mine, learned(text, style, mine)) == merge(mine, theirs)


@pytest.mark.parametrize(("base", "column_first", "bottom"), list(product((0, 1), (False, True), (False, True))))
def test_an_unstated_convention_is_worked_out_from_what_is_said_of_cells(
    base: int, column_first: bool, bottom: bool
) -> None:
    style = Style("pair", base, column_first, bottom)
    cells = [cell for cell in THEIRS.cells() if THEIRS[cell] != HIDDEN]
    text = "\n".join(f"{style.write(cell, THEIRS)}: {THEIRS[cell]}" for cell in cells)

    assert convention(text, MINE) == style


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Walls: (0, 1), (2, 2) and (3, 0).", {(0, 1): WALL, (2, 2): WALL, (3, 0): WALL}),
        ("There are clear paths ('.') at positions (0,1), (2,0).", {(0, 1): PATH, (2, 0): PATH}),
        ("On my map:\n- (0,1) = . (passable)\n- (1,1) = #", {(0, 1): PATH, (1, 1): WALL}),
        ("(0,1) is '.' on my map, and (1,1) is a wall.", {(0, 1): PATH, (1, 1): WALL}),
        ("I see a wall at (1,1), (0,1) is open.", {(1, 1): WALL, (0, 1): PATH}),
        ("Row 0: (0,0)=@, (0,1)=., (0,2)=?", {(0, 1): PATH}),
        ("Open:\n- (0, 1)\n- (2, 0)\nWalls:\n- (1, 1)", {(0, 1): PATH, (2, 0): PATH, (1, 1): WALL}),
        ("There is no wall at (0,1).", {}),
        ("Is (0,1) open? Can you tell me whether (1,1) is a wall?", {}),
        ("If (0,1) is open, I propose we move right to (0,1).", {}),
        ("I propose we move right to (0,1).", {}),
        ("If that is fine, let's go down, since (0,1) is open.", {(0, 1): PATH}),
        ("My map:\n```\n@.?.\n?#?.\n.?.?\n.?.*\n```", {cell: THEIRS[cell] for cell in THEIRS.cells()}),
        ("Row0: @ . ? .\nRow1: ? # ? .\nRow2: . ? . ?\nRow3: . ? . *", {cell: THEIRS[cell] for cell in THEIRS.cells()}),
    ],
)
def test_what_is_said_of_cells_is_understood(text: str, expected: dict[tuple[int, int], str]) -> None:
    known = {cell: symbol for cell, symbol in expected.items() if symbol in (PATH, WALL)}

    assert learned(text, Style("pair", base=0), MINE) == known


def test_a_map_drawn_upside_down_is_turned() -> None:
    text = "y=0: .?.*\ny=1: .?.?\ny=2: ?#?.\ny=3: @.?."

    assert learn(MINE, learned(text, None, MINE)) == merge(MINE, THEIRS)


def test_the_own_eyes_count_more_than_what_others_say() -> None:
    assert learn(MINE, {(0, 2): PATH, (0, 1): WALL})[0, 2] == WALL


def test_a_text_without_cells_has_no_convention() -> None:
    assert convention("Shall we go right?", MINE) is None


def test_the_expected_convention_holds_where_nothing_speaks_against_it() -> None:
    usual = Style("pair", base=0, column_first=True)

    assert convention("I propose we move to (1, 0).", MINE, usual) == usual


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Can you tell me whether (0,1) and (1,1) are open?", [(0, 1), (1, 1)]),
        ("I cannot see (2,0). What does your map show there?", [(2, 0)]),
        ("I propose we move right to (0,1). Do you agree?", []),
        ("What does your map show?", []),
    ],
)
def test_questions_about_cells_are_understood(text: str, cells: list[tuple[int, int]]) -> None:
    assert asked_about(text, Style("pair", base=0), MINE) == cells
