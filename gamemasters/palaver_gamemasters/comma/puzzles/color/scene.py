"""What the solver of the color puzzle sees."""

import re
from dataclasses import dataclass

from .groups import COLOURS, SIDE, WHITE, Grid

__all__ = ["ColorScene", "read", "write"]

COLOUR = "|".join([*COLOURS, WHITE])
CELL = rf"\| ({COLOUR}) "
ROW = re.compile(rf"^\| row (\d) {CELL * SIDE}\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ColorScene:
    """The colours of the squares, row by row from the top left."""

    grid: Grid


def write(scene: ColorScene) -> str:
    """Show the grid as a table."""
    head = "|".join(["", " ", *(f" column {column + 1} " for column in range(SIDE)), ""])
    rows = (" | ".join([f"| row {row + 1}", *scene.grid[row * SIDE : (row + 1) * SIDE]]) + " |" for row in range(SIDE))
    return "\n".join([head, "|" + " --- |" * (SIDE + 1), *rows])


def read(text: str) -> ColorScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such table.
    """
    rows = {int(number): colours for number, *colours in ROW.findall(text)}
    if sorted(rows) != list(range(1, SIDE + 1)):
        raise ValueError("this text shows no grid of colours")
    return ColorScene(tuple(colour for row in sorted(rows) for colour in rows[row]))
