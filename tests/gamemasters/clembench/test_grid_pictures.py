"""Pictures of grids: what they show can be read off their pixels, and their words are the grid itself."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.pictures import Picture, grid, load, words
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError

CROSS = Grid.of((at, other) for at in range(5) for other in (at, 4 - at))

SIDES = st.integers(1, 12)
GRIDS = SIDES.flatmap(
    lambda side: st.builds(
        Grid.of, st.sets(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1))), side=st.just(side)
    )
)


def seen(picture: Image.Image, side: int) -> Grid:
    """Read a grid off its picture."""
    cell = picture.width / side
    dark = picture.convert("L").point(lambda level: 255 * (level < 128))
    middles = [int((at + 0.5) * cell) for at in range(side)]
    cells = [(row, column) for row in range(side) for column in range(side)]
    return Grid.of((cell for cell in cells if dark.getpixel((middles[cell[1]], middles[cell[0]]))), side)


@settings(deadline=None)
@given(shown=GRIDS)
def test_filled_cells_are_dark_and_empty_ones_light(shown: Grid) -> None:
    assert seen(grid.draw(grid.of(shown)), shown.side) == shown


def test_cells_that_touch_are_parted_by_a_line() -> None:
    filled = Grid.of((row, column) for row in range(5) for column in range(5))

    row = grid.draw(grid.of(filled)).convert("L").crop((0, 50, 480, 51)).tobytes()

    lines = sum(before < 60 < now for before, now in pairwise(row))
    assert lines == 5  # after each cell


def test_a_picture_is_a_small_square() -> None:
    picture = grid.draw(grid.of(CROSS))

    assert picture.size == (480, 480)
    assert len(png(picture)) < 10_000


def test_its_words_are_the_grid_as_it_is_written() -> None:
    recipe = grid.of(CROSS)

    assert words(recipe) == "kind: grid\nX ▢ ▢ ▢ X\n▢ X ▢ X ▢\n▢ ▢ X ▢ ▢\n▢ X ▢ X ▢\nX ▢ ▢ ▢ X"
    assert list(features_of(words(recipe))) == ["row 1", "row 2", "row 3", "row 4", "row 5"]


def test_an_instance_gets_the_picture_with_its_words() -> None:
    picture = load("x.png", Picture(draw=grid.of(CROSS)), told=True)

    assert (picture.width, picture.height) == (480, 480)
    assert picture.alt == words(grid.of(CROSS))


def test_the_same_dice_make_the_same_grid_and_others_another() -> None:
    made = [words(grid.make(Dice("grid", seed))) for seed in range(100)]

    assert made == [words(grid.make(Dice("grid", seed))) for seed in range(100)]
    assert len(set(made)) == 100


def test_a_random_grid_has_the_side_that_is_asked_for() -> None:
    assert len(features_of(words(grid.make(Dice(1), side=7)))) == 7


@given(shown=GRIDS, changes=st.integers(0, 9), seed=st.integers())
def test_an_altered_grid_differs_in_so_many_cells(shown: Grid, changes: int, seed: int) -> None:
    recipe = grid.altered(grid.of(shown), Dice(seed), changes)

    other = Grid.read("\n".join(str(row) for row in recipe["rows"] or ()))  # type: ignore[union-attr] # JSON
    assert shown.distance(other) == min(changes, shown.side**2)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rows": ["X O", "X X"]}, "rows is .*no square grid of X and ▢"),
        ({"rows": ["X X", "X"]}, "rows is .*no square grid"),
        ({"rows": []}, "rows is .*no square grid"),
        ({"rows": ["X " * 25] * 25}, "rows is .*at most 24 rows"),
        ({"rows": None}, "rows is None"),
        ({"colour": "red"}, "colour is 'red'"),
    ],
)
def test_a_recipe_that_is_none_is_refused_in_one_line(change: Mapping[str, Any], named: str) -> None:
    with pytest.raises(InstanceError, match=f"picture of kind grid: {named}") as caught:
        words({**grid.of(CROSS), **change})

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_recipe_without_rows_names_them() -> None:
    with pytest.raises(InstanceError, match="rows is missing"):
        grid.draw({"kind": "grid"})
