"""What an answer says: what is right in form, and of which class everything else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.ivispar.board import Board, Geom
from palaver_gamemasters.ivispar.inference.answer import CLASSES, LONGEST, Answer
from tests.gamemasters.ivispar.inference_cases import BOARD, LINES, board_with, errors_of, listed, placed, read

WHOLE = frozenset(map(placed, LINES))


def test_the_list_that_is_asked_for_is_read() -> None:
    assert read(listed(*LINES)) == Answer(WHOLE)


@pytest.mark.parametrize(
    "line",
    [
        "A1 red cube",
        '"A1 red cube",',
        "'A1 red cube'",
        "- A1 red cube",
        "* **A1 red cube**",
        "1. A1 red cube",
        "12) A1 red cube.",
        "A1: red cube",
        "A1 - red, cube",
        "(A1) red cube;",
        '{"A1": "red cube"}',
        "| A1 | red | cube |",
        "  a1   RED Cube  ",
        "A1\tred\tcube",
        "Cell A1: red cube",
        "A1 red square",
        "A1 a red cube",
        "A1 - a red cube",
        "A1: the red cube",
        "A1 has a red cube",
        "A1: there's a red cube",
        "A1: red-coloured cube",
        "at A1 red cube",
        "In cell A1: a red cube",
        '{"cell": "A1", "colour": "red", "shape": "cube"}',
        "Objects: A1 red cube",
        "1. A 1 red cube",
        "A 1: red cube",
        "A-1 red cube",
        "A 1 - a red cube",
        "(A 1) red cube",
    ],
)
def test_an_entry_is_a_cell_a_colour_and_a_shape_whatever_stands_between(line: str) -> None:
    assert read(f"Solution:\n{line}") == Answer(frozenset({placed("A1 red cube")}))


@pytest.mark.parametrize(
    "line",
    [
        '["A1 red cube", "B2 blue sphere", "C4 green pyramid", "D3 yellow cylinder"]',
        "A1 red cube; B2 blue sphere; C4 green pyramid; D3 yellow cylinder",
        "A1 red cube, B2 blue sphere, C4 green pyramid, and D3 yellow cylinder",
        "A1 red cube B2 blue sphere C4 green pyramid D3 yellow cylinder",
        "A1 (red cube) B2 (blue sphere) C4 (green pyramid) D3 (yellow cylinder)",
        "(A1 red cube) (B2 blue sphere) (C4 green pyramid) (D3 yellow cylinder)",
        "[A1, red, cube], [B2, blue, sphere], [C4, green, pyramid], [D3, yellow, cylinder]",
        '{"A1": "red cube", "B2": "blue sphere", "C4": "green pyramid", "D3": "yellow cylinder"}',
    ],
)
def test_entries_may_share_a_line(line: str) -> None:
    assert read(f"Solution: {line}") == Answer(WHOLE)


@pytest.mark.parametrize(
    "line",
    [
        "A1 red cube (back row)",
        "A1 red cube (3D)",
        "A1 red cube (left of B2)",
        "A1 red cube (left of the blue sphere)",
        "A1 red cube, front left",
        "A1 red cube - not sure",
        "A1 red cube at the left of B2",
        "A1 red cube. Hope this helps!",
        "A1 red cube. All other cells are empty.",
        "A1 red cube. The blue sphere is hidden.",
        '"A1 red cube". That is all that I see.',
        "A1 (front left) red cube",
        "A1 (front, left): red cube",
        "A1 red cube (next to it (on the right) is nothing)",
    ],
)
def test_remarks_make_no_difference(line: str) -> None:
    assert read(f"Solution:\n{line}") == Answer(frozenset({placed("A1 red cube")}))


def test_an_entry_may_follow_a_remark() -> None:
    line = "A1 red cube (left of B2), B2 blue sphere. C4 green pyramid (D3 yellow cylinder)"
    assert read(f"Solution: {line}") == Answer(WHOLE)


@pytest.mark.parametrize(
    "text",
    [
        "red cube",
        "1. cube",
        "red cube A1",
        "red cube at A1",
        "Red cube: A1, blue sphere: B2",
        "red cube, A1, blue sphere, B2",
        "All other cells are empty.",
        "The rest is empty",
        "The board contains A1 red cube and B2 blue sphere.",
        "A 4 by 4 board with a red cube.",
        "Row 1: cube",
    ],
)
def test_what_does_not_begin_with_a_cell_is_prose(text: str) -> None:
    assert errors_of(text) == ["e7_no_list"]
    assert errors_of(text, "A1 red cube") == []


def test_prose_between_commas_may_have_entries() -> None:
    said = read("Solution: The board contains A1 red cube, B2 blue sphere, and nothing else.")
    assert said == Answer(frozenset({placed("B2 blue sphere")}))


def test_a_list_may_stand_in_a_fence_and_between_remarks() -> None:
    text = f"Solution:\nHere is what I see:\n```\n{LINES[0]}\n\n{LINES[1]}\n```\nI hope that this helps."
    assert read(text) == Answer(frozenset(map(placed, LINES[:2])))


@pytest.mark.parametrize("mark", ["Solution:", "solution :", "**Solution:**", "**Solution**:", "## Final SOLUTION:"])
def test_the_mark_may_be_set_off(mark: str) -> None:
    assert read(f"{mark} A1 red cube").placed == {placed("A1 red cube")}


def test_the_last_mark_counts() -> None:
    assert read("Solution: A1 red cube\nNo, wait.\nSolution: A2 red cube") == Answer(frozenset({placed("A2 red cube")}))


def test_what_stands_before_the_mark_is_thought_only() -> None:
    assert read("A2 empty, A3 purple cube.\nSolution:\nA1 red cube") == Answer(frozenset({placed("A1 red cube")}))


@pytest.mark.parametrize("text", ["A1 red cube", "", "The resolution: A1 red cube", "Solution A1 red cube"])
def test_an_answer_without_its_mark_is_not_read_and_counts_once(text: str) -> None:
    answer = read(text)
    assert (answer.placed, [error.kind for error in answer.errors]) == (frozenset(), ["e8_no_solution"])


@pytest.mark.parametrize(
    "text",
    [
        "Solution:",
        "Solution: \n\n",
        "Solution: I cannot see the picture.",
        "Solution: https://example.org/board.png",
        "Solution: The red cube stands at A1, and the blue sphere is to its right.",
        "Solution: []",
    ],
)
def test_an_answer_without_a_list_counts_once(text: str) -> None:
    answer = read(text)
    assert (answer.placed, [error.kind for error in answer.errors]) == (frozenset(), ["e7_no_list"])


@pytest.mark.parametrize(
    "line",
    [
        "A1 empty",
        '"A1 empty",',
        "A1: (empty)",
        "B2: none",
        "B2 None",
        "C3 -",
        "C3 —",
        "C3: ____",
        "C3",
        "C3 []",
        "D4 no object",
        "D4 nothing",
        "D4 - vacant",
        "D4 is empty",
        "D4 null",
        "D4 N/A",
        "D4 not occupied",
        "D4 empty cell",
        "E9 empty",
        "1. A1 empty",
        "Cell A1 is empty",
        "A2, A3 and A4 empty",
        "A2, A3, A4",
        "A2. A3. A4.",
        "Empty cells: A2, A3, A4",
        "Empty cells: A2",
        "Empty: A2 and A3",
        "Cells A2 and A3 are empty",
        "The red cube stands on the left, A1 is empty",
    ],
)
def test_mentions_of_empty_cells(line: str) -> None:
    assert errors_of(line) == ["e1_empty_cells"]


@pytest.mark.parametrize(
    "line",
    [
        *("A1 red", "A1 cube", "A1: cube", "A1 red blue", "A1 cube sphere", "A1 box", "E9 red"),
        *("A1 a cube", "A1 red (back row)", "A1 B2 red cube", "A1 object"),
    ],
)
def test_missing_attributes(line: str) -> None:
    assert errors_of(line) == ["e2_missing_attribute"]


@pytest.mark.parametrize(
    "line",
    [
        "A1 purple cube",
        "A1 red box",
        "A1 red cuboid",
        "A1 violet box",
        "A1 dark purple cube",
        "A1 red toy house",
        "A1 cube purple",
        "A1 light red cube",
        "A1 red wooden cube",
        "E9 purple cube",
    ],
)
def test_illegal_attributes(line: str) -> None:
    assert errors_of(line) == ["e3_illegal_attribute"]


@pytest.mark.parametrize(
    "line", ["A1 cube red", "A1: square red", "A1 a cube that is red", "A1: cube, red (back row)", "E9 cube red"]
)
def test_another_order(line: str) -> None:
    assert errors_of(line) == ["e4_inverted_order"]


@pytest.mark.parametrize(
    "line",
    [
        "A1 red blue cube",
        "A1 red/blue cube",
        "A1 red-and-blue cube",
        "A1 dark red blue cube",
        "A1 red or blue cube",
        "A1 red cube sphere",
        "A1 red cube, blue sphere",
        "A1 red red cube",
        "A1 red cube next to the blue sphere",
        "E9 red blue cube",
    ],
)
def test_several_attributes(line: str) -> None:
    assert errors_of(line) == ["e5_several_attributes"]


@pytest.mark.parametrize(
    "line", ["E1 red cube", "A5 red cube", "A0 red cube", "A44: red cube", "4B red cube", "Z99 red square"]
)
def test_cells_that_the_board_does_not_have(line: str) -> None:
    assert errors_of(line) == ["e6_out_of_bounds"]


def test_a_cell_that_only_a_larger_board_has_is_read_there() -> None:
    assert errors_of("E5 red cube", board=board_with("A1 red cube", size=5)) == []


def test_every_unreadable_entry_counts() -> None:
    found = errors_of("A1 red cube", "A2 empty", "A3 empty", "A4 red", "B1 cube red, B3 empty")
    assert found == ["e1_empty_cells", "e1_empty_cells", "e2_missing_attribute", "e4_inverted_order", "e1_empty_cells"]


def test_the_same_geom_in_the_same_cell_counts_once() -> None:
    assert read(listed("A1 red cube", "a1 red square", "A2 red cube")).placed == {
        placed("A1 red cube"),
        placed("A2 red cube"),
    }


def test_names_of_the_plane_mean_the_shapes_of_space() -> None:
    board = board_with("A1 red cone", "A2 red prism")
    said = listed("A1 red diamond", "A2 red pentagon", "B1 red circle", "B2 red triangle", "B3 red hexagon")
    assert {each.geom.shape for each in read(said, board).placed} == {"cone", "prism", "sphere", "pyramid", "cylinder"}


def test_what_only_another_board_has_is_illegal() -> None:
    assert errors_of("A1 orange cone") == ["e3_illegal_attribute"]
    assert errors_of("A1 orange cone", board=Board(4, (Geom("orange", "cone"),), ((0, 0),), ((1, 1),))) == []


@pytest.mark.parametrize("colour", ["light blue", "#1f77b4", "blue-green", "b4"])
def test_odd_colours_of_own_boards_are_words_too(colour: str) -> None:
    board = Board(4, (Geom(colour, "cube"),), ((0, 0),), ((1, 1),))
    assert read(f'Solution:\n"A1 {colour} cube",', board).placed == {((0, 0), (colour, "cube"))}


def test_long_entries_are_kept_in_short() -> None:
    (error,) = read("Solution: A1 " + "red " * 1000).errors
    assert len(error.entry) == LONGEST


AROUND = st.text("\"'`*#>|()[]{}.,;:!? \t•", max_size=5)
BETWEEN = st.text(" \t", min_size=1, max_size=3)


@given(AROUND, st.sampled_from(LINES), BETWEEN, BETWEEN, AROUND)
def test_whatever_has_the_form_is_read(before: str, line: str, one: str, two: str, after: str) -> None:
    label, colour, shape = line.split()
    said = f"{before}{label}{one}{colour}{two}{shape}{after}"
    assert read(f"Solution:\n{said}") == Answer(frozenset({placed(line)}))


@given(st.text() | st.text().map(lambda text: f"Solution:{text}"))
def test_any_text_is_read(text: str) -> None:
    answer = read(text)
    assert {error.kind for error in answer.errors} <= set(CLASSES)
    assert answer.placed or answer.errors


SOME = "a1 b2 e9 4b red blue purple cube circle cone empty - no at cell the rest and 12 , ² İ _ Solution:"
WORDS = st.sampled_from([*SOME.split(), "\n", "\t"])


@given(st.lists(WORDS, max_size=40))
def test_any_words_of_the_task_are_read(words: list[str]) -> None:
    answer = read("Solution: " + " ".join(words))
    assert all(each.cell in BOARD_CELLS for each in answer.placed)
    assert answer.placed or answer.errors
    unread = {error.kind for error in answer.errors}
    assert "e8_no_solution" not in unread
    assert not answer.placed or "e7_no_list" not in unread


BOARD_CELLS = {(x, y) for x in range(BOARD.size) for y in range(BOARD.size)}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "Solution:\n" + "A1 empty\n" * 20_000,
        "Solution:\n" + "\n".join(f"{'ABCD'[n % 4]}{n % 9} red w{n} cube" for n in range(100_000)),
        "Solution: " + "A1 red cube B2 " * 20_000,
        "Solution" + " * " * 300_000,
        "Solution: " * 50_000,
        "red cube at " * 100_000,
        "Solution: A1" + " (" * 100_000 + " red " + ") (" * 100_000,
        "Solution: A1" + " red, cube. (a)" * 50_000,
        "Solution: A1 red cube" + " B2" * 100_000,
        "Solution: A1" + " x. (no)" * 50_000,
        "Solution: A" + "9" * 300_000 + " red cube",
    ],
    ids=[
        "empty cells",
        "all kinds",
        "one line",
        "no colon",
        "many marks",
        "no mark",
        "brackets",
        "pieces",
        "cells",
        "remarks",
        "a long number",
    ],
)
def test_very_long_answers_are_read_all_the_same(text: str) -> None:
    answer = read(text)
    assert len(answer.placed) <= 2
    assert answer.placed or answer.errors
