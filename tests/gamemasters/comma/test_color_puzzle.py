from typing import Any

import numpy as np
import pytest
from PIL import ImageColor
from pydantic import JsonValue

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.color import PUZZLE
from palaver_gamemasters.comma.puzzles.color.generation import STAGES
from palaver_gamemasters.comma.puzzles.color.groups import COLOURS, GROUPS, WHITE, squares_of
from palaver_gamemasters.comma.puzzles.color.picture import PAINT, tile
from palaver_gamemasters.comma.puzzles.color.puzzle import ColorState
from palaver_gamemasters.comma.puzzles.color.scene import ColorScene
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import random_play

TEXT = own_manual(PUZZLE).text
RULES = rules_of(PUZZLE)
FIRST: list[JsonValue] = ["RBBG", "GGBR", "MMMB", "GMRG"]  # red 3, blue 4, green 5, magenta 4
SECOND: list[JsonValue] = ["RMBG", "GGBR", "MMMB", "YMRY"]


def a_start(*grids: JsonValue, manual: str | None = None) -> ColorState:
    return PUZZLE.start(PUZZLE.configure({"grids": list(grids)}), rules_of(PUZZLE, manual))


def press(state: ColorState, *squares: str) -> ColorState:
    """Press right squares, each named by its row and column, such as ``14``."""
    for square in squares:
        state, mistake = PUZZLE.act(state, f"press_row_{square[0]}_column_{square[1]}")
        assert not mistake
    return state


def grid(*rows: str) -> tuple[str, ...]:
    letters = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "M": "magenta", ".": WHITE}
    return tuple(letters[letter] for row in rows for letter in row)


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        (FIRST, "red"),
        (["RRRR", "RRRR", "BBBB", "BBBB"], "red"),
        (["GGGG", "MMMM", "YYYY", "BBBB"], "blue"),
        (["RRRR", "BBBB", "GGGM", "GGYM"], "yellow"),
        (["RRRR", "BBBB", "GGYM", "GGYM"], "yellow"),
        (["MMMM", "MMMM", "MMMM", "MMMM"], "magenta"),
    ],
)
def test_the_first_group_is_the_smallest_colour_and_ties_go_by_the_list(rows: JsonValue, first: str) -> None:
    state = a_start(rows)

    assert state.group == first
    assert state.due == {square for square, colour in enumerate(state.grid) if colour == first}


def test_a_tie_goes_by_the_list_of_a_users_own_manual() -> None:
    manual = TEXT.replace("- Red\n- Blue\n", "- Blue\n- Red\n")

    assert a_start(["RRRR", "RRRR", "BBBB", "BBBB"], manual=manual).group == "blue"


@pytest.mark.parametrize(
    ("white", "previous", "group"),
    [
        (1, "red", "row"),
        (1, "column", "green"),
        (3, "red", "green"),
        (3, "magenta", "blue"),
        (4, "row", "red"),
        (8, "green", "blue"),
        (12, "yellow", "row"),
        (15, "red", "row"),
        (15, "column", "row"),
    ],
)
def test_the_table_names_the_next_group(white: int, previous: str, group: str) -> None:
    assert RULES.named(white, previous) == group


def test_the_table_never_names_a_colour_twice_running_and_ends_with_lines() -> None:
    for white in range(1, 16):
        row = RULES.table[white - 1]
        assert sorted(row) == sorted(GROUPS) if white <= 12 else {*row} == {"row", "column"}
        assert not any(before == after for before, after in zip(COLOURS, row, strict=False))


@pytest.mark.parametrize(
    ("rows", "group", "squares"),
    [
        (["....", "..R.", ".BRG", "BBGG"], "row", (6,)),
        (["....", "..R.", ".BRG", "BBGG"], "column", (12,)),
        (["....", "....", ".BRG", ".BGG"], "column", (9, 13)),
        (["....", "....", ".BRG", ".BGG"], "row", (9, 10, 11)),
        (["....", "....", ".BRG", ".BGG"], "green", (11, 14, 15)),
        (["....", "....", ".BRG", ".BGG"], "yellow", ()),
    ],
)
def test_a_group_is_a_colour_or_the_first_line_that_has_any(
    rows: list[str], group: str, squares: tuple[int, ...]
) -> None:
    assert squares_of(grid(*rows), group) == squares


def test_a_game_goes_as_it_was_played_by_hand() -> None:
    state = press(a_start(FIRST, SECOND), "11", "24")
    assert (state.stage, state.group) == (0, "red")
    assert state.grid == grid(".BBG", "GGB.", "MMMB", "GMRG")

    state = press(state, "43")  # 3 white, after Red: Green; the colours are those of the second grid now
    assert (state.stage, state.group) == (1, "green")
    assert state.grid == grid(".MBG", "GGB.", "MMMB", "YM.Y")

    state = press(state, "14", "22", "21")  # 6 white, after Green: Column; 11 and 21 are white, so 31 and 41 are due
    assert state.group == "column"
    state = press(state, "31", "41")  # 8 white, after Column: Green; there is none, so Yellow
    assert (state.stage, state.group) == (3, "yellow")
    state = press(state, "44")  # 9 white, after Yellow: Green; none, nor yellow, so Magenta
    assert state.group == "magenta"
    state = press(state, "12", "32", "33", "42")  # 13 white, after Magenta: Row
    assert state.group == "row"
    state = press(state, "13")  # 14 white, after Row: Row
    state = press(state, "23")  # 15 white, after Row: Column
    assert (state.group, state.grid.count(WHITE), PUZZLE.progress(state)) == ("column", 15, 15 / 16)
    state = press(state, "34")
    assert PUZZLE.solved(state)
    assert PUZZLE.progress(state) == 1.0


def test_after_the_last_colour_the_list_begins_again() -> None:
    assert RULES.instead("magenta") == ("red", "blue", "green", "yellow")
    assert RULES.instead("green") == ("yellow", "magenta", "red", "blue")
    assert RULES.instead("row") == ()


@pytest.mark.parametrize("wrong", ["12", "44", "11"], ids=["of another colour", "of another row", "white already"])
def test_a_wrong_square_is_a_mistake_and_brings_the_first_grid_back(wrong: str) -> None:
    begun = a_start(FIRST, SECOND)

    step = PUZZLE.act(press(begun, "11", "24"), f"press_row_{wrong[0]}_column_{wrong[1]}")

    assert step.mistake
    assert step.state == begun


def test_after_a_reset_the_very_same_grids_come_again() -> None:
    begun = a_start(FIRST, SECOND)
    once = press(begun, "11", "24", "43", "21")
    reset = PUZZLE.act(once, "press_row_1_column_1").state

    assert press(reset, "43", "24", "11", "21") == once


def test_the_order_within_a_group_does_not_matter() -> None:
    begun = a_start(FIRST, SECOND)

    assert press(begun, "11", "24", "43") == press(begun, "43", "11", "24")


def test_squares_are_named_by_row_and_column_from_the_top_left() -> None:
    actions = PUZZLE.actions(a_start(FIRST))

    assert len(actions) == 16
    assert actions[:5] == (*(f"press_row_1_column_{column}" for column in range(1, 5)), "press_row_2_column_1")
    assert actions[-1] == "press_row_4_column_4"


def test_the_answer_names_all_groups_with_their_squares() -> None:
    answer = PUZZLE.answer(press(a_start(FIRST, SECOND), "11"))

    assert answer.startswith(
        "The right groups, one after the other, are: "
        "1. red (row 1, column 1; row 2, column 4; row 4, column 3), 2. green ("
    )
    assert answer.endswith("8. column (row 3, column 4).")


def test_what_is_generated_can_be_played_in_time_and_changes_its_colours() -> None:
    setups = [PUZZLE.generate(RULES, Dice("color", seed), None) for seed in range(300)]

    assert len(set(setups)) == 300
    for setup in setups:
        begun = state = PUZZLE.start(setup, RULES)
        stages = 0
        while not PUZZLE.solved(state):
            stages += 1
            for square in sorted(state.due):
                state, mistake = PUZZLE.act(state, PUZZLE.actions(state)[square])
                assert not mistake
        assert stages == len(setup.grids) <= STAGES
        assert len(begun.due) in (3, 4)
    assert sum(setup.grids[0] != setup.grids[1] for setup in setups) == 300


def test_generated_games_follow_a_users_own_manual() -> None:
    _, mark, table = TEXT.partition("| ---: |")
    rows = "\n".join(
        f"| {white} |{' Column | Column | Column | Column | Column | Row | Column |'}" for white in range(1, 16)
    )
    rules = rules_of(
        PUZZLE, TEXT.replace(f"{mark}{table}", f"{mark} --- | --- | --- | --- | --- | --- | --- |\n{rows}\n")
    )

    for seed in range(20):
        setup = PUZZLE.generate(rules, Dice("own", seed), None)
        state = PUZZLE.start(setup, rules)
        assert state.group in COLOURS
        for square in sorted(state.due):
            state = PUZZLE.act(state, PUZZLE.actions(state)[square]).state
        assert state.group == "column"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## First group", "## Beginning", r"^mine\.md: there is no section 'First group'"),
        ("## Next group", "## And then", r"^mine\.md: there is no section 'Next group'"),
        ("- Yellow\n", "", r"^mine\.md, line 7: the list in 'First group' lacks yellow$"),
        ("- Yellow\n", "- Orange\n", r"^mine\.md, line 14: there is no colour 'Orange'; there are: red, blue, green"),
        ("- Yellow\n", "- Red\n", r"^mine\.md, line 14: 'Red' is in the list twice$"),
        ("| White squares | Red |", "| White squares | Pink |", r"^mine\.md, line 17: the table's columns must be"),
        (
            "| 7 | Yellow |",
            "| 7 | Orange |",
            r"^mine\.md, line 31: there is no group 'Orange'; there are: red, .*, row, column$",
        ),
        ("| 7 | Yellow |", "| 7 |", r"^mine\.md, line 31: the row has 7 cells, the table's head 8$"),
        ("| 7 | Yellow |", "| 6 | Yellow |", r"^mine\.md, line 31: there is a second row for 6 white squares$"),
        ("| 7 | Yellow |", "| 16 | Yellow |", r"^mine\.md, line 31: '16' is no number of white squares: 1 to 15$"),
        ("| 7 | Yellow |", "| many | Yellow |", r"^mine\.md, line 31: 'many' is no number of white squares"),
        (
            "| 15 | Row | Row | Column | Column | Row | Column | Row |",
            "",
            r"^mine\.md, line 17: the table has no row for 15",
        ),
    ],
)
def test_a_malformed_manual_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    assert old in TEXT
    with pytest.raises(InstanceError, match=problem):
        PUZZLE.read_manual(Manual("mine.md", TEXT.replace(old, new)))


@pytest.mark.parametrize(
    ("grids", "problem"),
    [
        ([], "grids"),
        ([FIRST[:3]], "grids"),
        ([[*FIRST[:3], "RBG"]], "grids"),
        ([FIRST, [*FIRST[:3], "RBGW"]], "grids"),
        ([[*FIRST[:3], "rbgm"]], "grids"),
        ("RBGM", "grids"),
    ],
)
def test_a_malformed_initialisation_is_refused_and_the_field_named(grids: Any, problem: str) -> None:
    with pytest.raises(InstanceError, match=rf"^comma color instance: .*{problem}") as raised:
        PUZZLE.configure({"grids": grids})
    assert "\n" not in str(raised.value)


def test_a_table_that_makes_every_game_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_gamemasters.comma.puzzles.color.generation.STAGES", 1)

    with pytest.raises(InstanceError, match=r"table makes every game longer than 1 stages \(let it name larger groups"):
        PUZZLE.generate(RULES, Dice("color", 0), None)


def test_the_text_is_read_back_in_every_state() -> None:
    for seed in range(20):
        for state in random_play(PUZZLE, seed):
            scene = PUZZLE.scene(state)
            assert PUZZLE.read(PUZZLE.write(scene)) == scene
    half = ColorScene(grid("R...", ".B..", "..G.", "MY.."))
    assert PUZZLE.read(PUZZLE.write(half)) == half


def test_the_text_is_a_table() -> None:
    assert PUZZLE.write(ColorScene(grid("RBGY", "M...", "RRRR", "BBBB"))).split("\n") == [
        "| | column 1 | column 2 | column 3 | column 4 |",
        "| --- | --- | --- | --- | --- |",
        "| row 1 | red | blue | green | yellow |",
        "| row 2 | magenta | white | white | white |",
        "| row 3 | red | red | red | red |",
        "| row 4 | blue | blue | blue | blue |",
    ]


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="shows no grid of colours"):
        PUZZLE.read("| row 1 | red | blue | green | yellow |")


@pytest.mark.parametrize("rows", [("RBGY", "M.RB", "GYM.", "...."), ("....", "YYYY", "MRMR", "GBGB"), ("RRRR",) * 4])
def test_the_colours_can_be_read_back_from_the_picture(rows: tuple[str, ...]) -> None:
    scene = ColorScene(grid(*rows))

    pixels = np.asarray(PUZZLE.draw(scene).convert("RGB")).astype(int)
    found = []
    for square in range(16):
        left, top, right, bottom = (round(side) for side in tile(square))
        pixel = pixels[(top + bottom) // 2, (left + right) // 2]
        found.append(min(PAINT, key=lambda each: int(abs(pixel - ImageColor.getrgb(PAINT[each])).sum())))

    assert tuple(found) == scene.grid


def test_the_same_scene_gives_the_same_bytes() -> None:
    rows = ("RBGY", "M.RB", "GYM.", "....")

    assert png(PUZZLE.draw(ColorScene(grid(*rows)))) == png(PUZZLE.draw(ColorScene(grid(*rows))))
