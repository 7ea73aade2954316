"""Grids of filled and empty cells as pictures, in black and white as they were published."""

from collections.abc import Sequence
from typing import Literal

from PIL import Image, ImageDraw
from pydantic import field_validator

from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.dice import Dice

from . import Recipe
from .recipes import Exact, read

__all__ = ["altered", "describe", "draw", "make", "of"]

SIDE = 480
MARGIN = 10
LARGEST = 24
"""Cells a side: smaller ones would be hard to tell apart."""

INK, PAPER, LINE = "#1c1c1c", "#ffffff", "#8a8a8a"


class GridRecipe(Exact):
    """A grid by its rows, as it is written."""

    kind: Literal["grid"]
    rows: Sequence[str]

    @field_validator("rows")
    @classmethod
    def _square(cls, rows: Sequence[str]) -> Sequence[str]:
        if Grid.read("\n".join(rows)).side > LARGEST:
            raise ValueError(f"a grid has at most {LARGEST} rows")
        return rows

    @property
    def grid(self) -> Grid:
        """The grid."""
        return Grid.read("\n".join(self.rows))


def of(grid: Grid) -> Recipe:
    """Return the recipe of a grid's picture."""
    return {"kind": "grid", "rows": list(grid.rows)}


def make(dice: Dice, side: int = 5) -> Recipe:
    """Make a random grid: each cell is filled or empty by chance."""
    return of(Grid.of(((row, column) for row in range(side) for column in range(side) if dice.below(2)), side))


def altered(recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
    """Flip so many cells: fill those that are empty, and empty those that are filled."""
    grid = read(recipe, GridRecipe).grid
    cells = [(row, column) for row in range(grid.side) for column in range(grid.side)]
    return of(grid.flipped(dice.sample(cells, changes)))


def describe(recipe: Recipe) -> str:
    """Write the grid in symbols, as the textual games do."""
    return f"kind: grid\n{read(recipe, GridRecipe).grid.text}"


def draw(recipe: Recipe) -> Image.Image:
    """Draw the grid: filled cells are dark."""
    grid = read(recipe, GridRecipe).grid
    cell = (SIDE - 2 * MARGIN) // grid.side
    edge = (SIDE - cell * grid.side) // 2
    lines = [edge + cell * number for number in range(grid.side + 1)]
    picture = Image.new("RGB", (SIDE, SIDE), PAPER)
    draw = ImageDraw.Draw(picture)
    for row, column in grid.filled:
        draw.rectangle((lines[column], lines[row], lines[column + 1], lines[row + 1]), fill=INK)
    for line in lines:
        draw.line((line, lines[0], line, lines[-1]), fill=LINE, width=2)
        draw.line((lines[0], line, lines[-1], line), fill=LINE, width=2)
    return picture
