"""The families of grids: how many there are, what they have in common, and what they are called."""

import pytest

from palaver_gamemasters.clembench.families import FAMILIES, drawn_from, grids_of, known_as, names, random_grid
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.dice import Dice

LISTED = FAMILIES[:-1]


@pytest.mark.parametrize("family", LISTED)
def test_a_family_has_at_least_twenty_grids_and_each_once(family: str) -> None:
    grids = grids_of(family)
    assert len({*grids}) == len(grids) >= 20
    assert all(grid.side == 5 and 0 < len(grid.filled) < 25 for grid in grids)


def test_rows_and_columns_are_whole() -> None:
    for grid in grids_of("line_grids_rows"):
        assert {row.replace(" ", "") for row in grid.rows} == {"XXXXX", "▢▢▢▢▢"}
    assert {*grids_of("line_grids_columns")} == {grid.rotated() for grid in grids_of("line_grids_rows")}


def test_diagonal_grids_stay_diagonal_grids_when_they_are_mirrored() -> None:
    grids = {*grids_of("diagonal_grids")}
    assert {grid.mirrored() for grid in grids} == grids


def test_random_grids_are_not_listed_but_drawn_about_half_full() -> None:
    assert grids_of("random_grids") == ()
    sizes = {len(random_grid(Dice(seed)).filled) for seed in range(200)}
    assert sizes == {*range(8, 14)}


@pytest.mark.parametrize("family", FAMILIES)
def test_grids_that_are_drawn_differ_and_are_the_same_for_the_same_dice(family: str) -> None:
    drawn = drawn_from(family, Dice("a", 1), 20)
    assert len({*drawn}) == 20
    assert drawn == drawn_from(family, Dice("a", 1), 20)
    assert drawn != drawn_from(family, Dice("a", 2), 20)


def test_more_grids_than_a_family_has_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="letter_grids has 26 grids, not 27"):
        drawn_from("letter_grids", Dice(1), 27)


def test_grids_are_known_by_names_that_nothing_else_has() -> None:
    assert len({*names().values()}) == len(names())
    assert known_as(Grid.read("X X X X X\nX ▢ ▢ ▢ ▢\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX X X X X")) == "the letter E"
    assert known_as(Grid.read("▢ ▢ X ▢ ▢\n▢ X X X ▢\nX X X X X\n▢ X X X ▢\n▢ ▢ X ▢ ▢")) == "a diamond"
    assert known_as(Grid.of([(0, 0)])) is None


@pytest.mark.parametrize("family", ["letter_grids", "shape_grids"])
def test_every_letter_and_every_shape_has_a_name(family: str) -> None:
    assert all(known_as(grid) for grid in grids_of(family))
    assert {known_as(grid) for grid in grids_of("letter_grids")} == {f"the letter {a}" for a in map(chr, range(65, 91))}
