"""Groups of squares, and which of them comes when: the rules of the color puzzle as functions of a grid."""

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["COLOURS", "GROUPS", "SIDE", "SQUARES", "WHITE", "ColorRules", "Grid", "name_of", "squares_of"]

SIDE = 4
SQUARES = SIDE * SIDE
COLOURS = ("red", "blue", "green", "yellow", "magenta")
WHITE = "white"
GROUPS = (*COLOURS, "row", "column")

Grid: TypeAlias = tuple[str, ...]
"""The colours of the 16 squares, row by row from the top left; those that were pressed are white."""


@dataclass(frozen=True, slots=True)
class ColorRules:
    """The rules.

    ``order`` is the list of colours that settles ties. ``table`` has a row for each number of white squares, from 1,
    and in it a group for each previous group, in the order of :data:`GROUPS`.
    """

    order: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]

    def first(self, counts: dict[str, int]) -> str:
        """Return the first group: the colour with the fewest squares of those that are there."""
        return min((colour for colour in self.order if counts.get(colour)), key=lambda colour: counts[colour])

    def named(self, white: int, previous: str) -> str:
        """Return the group that the table names."""
        return self.table[white - 1][GROUPS.index(previous)]

    def instead(self, group: str) -> tuple[str, ...]:
        """Return the colours to take where a colour is not on the grid, the first that is there; none for a line."""
        if group not in self.order:
            return ()
        after = self.order.index(group) + 1
        return (*self.order[after:], *self.order[: after - 1])

    def following(self, grid: Grid, previous: str) -> str:
        """Return the group that follows on a grid that has squares left."""
        group = self.named(grid.count(WHITE), previous)
        return next(each for each in (group, *self.instead(group)) if squares_of(grid, each))


def squares_of(grid: Grid, group: str) -> tuple[int, ...]:
    """Return the squares of a group, from 0."""
    left = [square for square, colour in enumerate(grid) if colour != WHITE]
    match group:
        case "row":
            top = min((square // SIDE for square in left), default=0)
            return tuple(square for square in left if square // SIDE == top)
        case "column":
            edge = min((square % SIDE for square in left), default=0)
            return tuple(square for square in left if square % SIDE == edge)
        case _:
            return tuple(square for square in left if grid[square] == group)


def name_of(square: int) -> str:
    """Name a square: ``row 1, column 1`` is at the top left."""
    return f"row {square // SIDE + 1}, column {square % SIDE + 1}"
