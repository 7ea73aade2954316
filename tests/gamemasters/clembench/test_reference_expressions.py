"""What the scripts of the reference game say: what fits the target alone; and how they read what people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.families import FAMILIES, grids_of, random_grid
from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.grids import Cell, Grid
from palaver_gamemasters.clembench.reference.players import (
    grid_reader,
    grid_speaker,
    words_reader,
    words_speaker,
)
from palaver_gamemasters.clembench.reference.players.choosing import Statement, chosen
from palaver_gamemasters.dice import Dice
from tests.gamemasters.clembench.reference_play import TEXTS

GRIDS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4))).map(Grid.of)


def grid(*rows: str) -> Grid:
    filled = [(row, column) for row, signs in enumerate(rows) for column, sign in enumerate(signs) if sign == "#"]
    return Grid.of(filled)


def rows_filled(*rows: int) -> Grid:
    return Grid.of((row - 1, column) for row in rows for column in range(5))


@pytest.mark.parametrize(
    ("target", "others", "said"),
    [
        (rows_filled(1), [rows_filled(2), rows_filled(3)], "where only row 1 is filled"),
        (rows_filled(1, 3), [rows_filled(1), rows_filled(3)], "where only rows 1 and 3 are filled"),
        (rows_filled(1, 2, 4, 5), [rows_filled(1), rows_filled(3)], "where every row but row 3 is filled"),
        (rows_filled(2).rotated(), [rows_filled(2), rows_filled(4).rotated()], "where only column 4 is filled"),
        (
            grid("#####", "#....", "###..", "#....", "#####"),
            [grid("#####", "#....", "###..", "#....", "#...."), rows_filled(1)],
            "that looks like the letter E",
        ),
        (grid("#....", ".#...", "..#..", "...#.", "....#"), [rows_filled(1)], "where only the diagonal from top left"),
        (
            grid("#.#.#", ".....", ".#...", "##...", "..#.."),
            [grid("#.#.#", ".....", ".#...", "##.#.", "..#.."), grid("#.#.#", ".....", ".##..", "##.#.", "..#..")],
            "where column 4 is empty",
        ),
        (
            grid("#.#.#", "...#.", ".#..#", "##...", "..#.."),
            [grid("#.#.#", ".#.#.", "....#", "##...", "..#..")],
            "with a filled cell in row 3, column 2",
        ),
        (
            grid("#.#.#", "...#.", ".#..#", "##...", "..#.."),
            [grid("#.#.#", "..##.", ".#..#", "##...", "..#.."), grid("#.#.#", "...#.", ".#..#", "##..#", "..#..")],
            "with exactly 9 filled cells",
        ),
    ],
)
def test_the_speaker_says_what_people_would_say(target: Grid, others: list[Grid], said: str) -> None:
    assert grid_speaker.expression_of(target, others).startswith(f"the grid {said}")


@given(st.lists(GRIDS, min_size=3, max_size=3, unique=True))
def test_what_is_said_of_a_grid_fits_it_better_than_any_other(grids: list[Grid]) -> None:
    target, *others = grids
    mine, *theirs = grid_reader.fits(grid_speaker.expression_of(target, others), grids)
    assert mine > max(theirs)


def test_grids_that_differ_in_one_cell_are_told_apart() -> None:
    cells: list[Cell] = [(row, column) for row in range(5) for column in range(5)]
    for seed in range(200):
        dice = Dice("one", seed)
        target = random_grid(dice)
        others = [target.flipped([cell]) for cell in dice.sample(cells, 2)]
        mine, *theirs = grid_reader.fits(grid_speaker.expression_of(target, others), [target, *others])
        assert mine > max(theirs)


def test_the_same_grid_three_times_can_still_be_spoken_of() -> None:
    said = grid_speaker.expression_of(rows_filled(1), [rows_filled(1)] * 2)
    assert said == "the grid where only row 1 is filled"


LINES = [rows_filled(1), rows_filled(2), rows_filled(3)]
GAPS = [each.flipped((row, column) for row in range(5) for column in range(5)) for each in LINES]
FALLING = grid("#....", ".#...", "..#..", "...#.", "....#")
DIAGONALS = [FALLING, FALLING.mirrored(), grid("#...#", ".#.#.", "..#..", ".#.#.", "#...#")]
LETTERS = [
    grid("#####", "#....", "###..", "#....", "#####"),
    grid("#####", "#....", "###..", "#....", "#...."),
    grid("#...#", "#...#", "#####", "#...#", "#...#"),
]
FRAME = grid("#####", "#...#", "#...#", "#...#", "#####")
SHAPES = [FRAME, grid("..#..", "..#..", "#####", "..#..", "..#.."), grid(".....", ".###.", ".###.", ".###.", ".....")]
SCATTERED = [
    grid("#.#.#", "...#.", ".#..#", "##...", "..#.."),
    grid("#.#..", "...#.", ".#..#", "##..#", "..#.."),
    grid("#.#.#", "...#.", ".##.#", "##...", "...#."),
]


@pytest.mark.parametrize(
    ("grids", "which", "said"),
    [
        (LINES, 0, "The grid with the first row filled and the rest empty."),
        (LINES, 0, "Grid with X's only in the top row"),
        (LINES, 1, "The second row is completely filled with X while all other rows are empty"),
        (LINES, 0, 'A grid with a single horizontal line of "X" in the first row.'),
        (LINES, 2, "a full middle row"),
        (LINES, 2, "It has the 3rd row marked"),
        (LINES, 1, "Row two is black."),
        (LINES, 1, "▢ ▢ ▢ ▢ ▢ / X X X X X / ▢ ▢ ▢ ▢ ▢ / ▢ ▢ ▢ ▢ ▢ / ▢ ▢ ▢ ▢ ▢"),
        (LINES, 2, "Row 3: X X X X X"),
        (LINES, 2, "the rows 1-2 are blank"),
        (LINES, 0, "the top row and no others"),
        (GAPS, 0, "The grid with the top row empty and all other rows filled."),
        (GAPS, 1, "All rows are filled except the second one"),
        (GAPS, 1, 'All rows are filled with "X" except the second row, which is empty.'),
        (GAPS, 2, "Every cell is filled apart from those in the middle row."),
        (GAPS, 2, "the third row is not filled"),
        ([each.rotated() for each in LINES], 0, "The rightmost column is filled"),
        ([each.rotated() for each in LINES], 1, 'The fourth column is filled with "X"'),
        ([each.rotated() for each in LINES], 2, "xs in column 3"),
        ([each.rotated(3) for each in LINES], 0, "The left column is filled"),
        (DIAGONALS, 0, "A diagonal from top left to bottom right."),
        (DIAGONALS, 1, "A diagonal line of filled cells from the top right to the bottom left."),
        (DIAGONALS, 1, "the anti-diagonal is filled"),
        (DIAGONALS, 2, "Both diagonals are filled"),
        (DIAGONALS, 2, 'The grid with filled cells forming an "X" shape.'),
        (DIAGONALS, 2, "X pattern from corner to corner"),
        (LETTERS, 0, "The grid with filled cells forming the letter 'E'."),
        (LETTERS, 1, "The filled cells form the shape of the letter F."),
        (LETTERS, 2, "Filled cells in an “H” shape."),
        (LETTERS, 2, "H-shaped pattern of Xs"),
        (SHAPES, 0, "A border of X's with an empty center."),
        (SHAPES, 0, "a square outline"),
        (SHAPES, 1, "A plus sign"),
        (SHAPES, 1, "It forms a cross."),
        (SHAPES, 2, "a small filled square with 9 filled cells"),
        (SHAPES, 0, "16 X's"),
        (SHAPES, 0, "all four corners are filled"),
        (SCATTERED, 0, "X in row 1, column 5 and an empty cell in row 3, column 3"),
        (SCATTERED, 1, "the bottom right cell is empty, and so is (1, 5)"),
        (SCATTERED, 1, "the fifth cell of the fourth row is filled"),
        (SCATTERED, 2, "the center is filled"),
        (SCATTERED, 2, "the middle cell of the bottom row is empty"),
    ],
)
def test_the_reader_understands_what_people_write(grids: list[Grid], which: int, said: str) -> None:
    scores = grid_reader.fits(said, grids)
    assert [scores[which] > score for place, score in enumerate(scores) if place != which] == [True, True]


ROOMS = [
    "kind: room\nroom: bathroom\nwall: blue tiles\nleft: a washbasin with a red cabinet\nfront: a yellow rubber duck",
    "kind: room\nroom: bathroom\nwall: white tiles\nleft: a washbasin with a red cabinet\nfront: nothing",
    "kind: room\nroom: bathroom\nwall: blue tiles\nleft: a cabinet\nfront: a yellow rubber duck",
]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (0, "the room with blue tiles (wall) and with a washbasin with a red cabinet (left)"),
        (1, "the room with white tiles (wall)"),
        (2, "the room with a cabinet (left)"),
    ],
)
def test_the_speaker_says_what_a_picture_has_and_others_have_not(target: int, said: str) -> None:
    pictures = [features_of(words) for words in ROOMS]
    others = [picture for place, picture in enumerate(pictures) if place != target]
    assert words_speaker.expression_of(pictures[target], others) == said
    scores = words_reader.fits(said, pictures)
    assert scores.index(max(scores)) == target


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (0, "A bathroom with blue tiles and a red cabinet under the washbasin"),
        (1, "There is nothing at the front of this room."),
        (1, "The walls are white"),
    ],
)
def test_the_reader_understands_free_descriptions_of_pictures(target: int, said: str) -> None:
    scores = words_reader.fits(said, [features_of(words) for words in ROOMS])
    assert scores.index(max(scores)) == target
    assert scores.count(max(scores)) == 1


def test_pictures_without_a_difference_can_still_be_spoken_of() -> None:
    picture = features_of(ROOMS[0])
    assert words_speaker.expression_of(picture, [picture, picture]).startswith("the room with bathroom (room)")


def test_one_statement_is_enough_if_it_rules_out_all() -> None:
    said = [Statement("a", frozenset([0])), Statement("b", frozenset()), Statement("c", frozenset([0, 1]))]
    assert chosen(said, 2) == ["c"]


def test_else_statements_are_added_while_they_rule_something_out() -> None:
    said = [Statement("a", frozenset([0])), Statement("b", frozenset([0])), Statement("c", frozenset([1]))]
    assert chosen(said, 2) == ["a", "c"]
    assert chosen(said[:2], 2) == ["a"]


@given(TEXTS, st.lists(GRIDS, max_size=4))
def test_the_reader_copes_with_any_text(text: str, grids: list[Grid]) -> None:
    assert all(0 <= score <= 2 for score in grid_reader.fits(text, grids))


@given(TEXTS, st.lists(st.dictionaries(st.text(), st.text(), max_size=4), max_size=4))
def test_the_reader_of_words_copes_with_any_text(text: str, pictures: list[dict[str, str]]) -> None:
    assert len(words_reader.fits(text, pictures)) == len(pictures)


@given(st.lists(st.dictionaries(st.text(), st.text(), max_size=4), min_size=3, max_size=3))
def test_the_speaker_of_words_copes_with_any_picture_in_one_line(pictures: list[dict[str, str]]) -> None:
    target, *others = pictures
    assert len(words_speaker.expression_of(target, others).splitlines()) == 1


def test_all_listed_grids_are_told_from_their_nearest() -> None:
    for family in FAMILIES[:-1]:
        grids = grids_of(family)
        for target in grids:
            others = sorted((each for each in grids if each != target), key=target.distance)[:2]
            mine, *theirs = grid_reader.fits(grid_speaker.expression_of(target, others), [target, *others])
            assert mine > max(theirs)
