"""The cells' names, lying flat on the floor: written once, as a map that is looked up point by point."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from palaver_gamemasters.drawing import fitting, font
from palaver_gamemasters.ivispar.board import label_of
from palaver_gamemasters.ivispar.options import CellLabels

from .camera import CORNER, SIZE, Numbers
from .samples import Flags

__all__ = ["Writing", "strip", "writing"]

EDGE = 0.6
"""Height of the letters beside a 4 x 4 board: size 6 in the published program, and a size is a tenth of a cell."""
INSIDE = 0.4
"""Height of the names in cells: size 4."""
LARGEST = (0.8, 0.5)
"""On larger boards, which are seen from farther off, letters are larger, but cells only hold so much."""
MARGIN = 1
"""Cells around the board that the map shows too."""
GAP = 0.04
"""Cells between letters and the board, beside what their lines are higher than they."""
DOTS = 1600
"""Dots of the map, in each direction: at least two for a pixel."""
INSET = (0.09, 0.05)
"""How far a name is from its cell's west and north."""
WIDEST = 0.84
BOLD = 0.03
"""How much thicker bold strokes are, on each side, for letters of height 1."""


def edge(size: int) -> float:
    """Return the height of the letters beside a board, in cells."""
    return min(EDGE * max(1.0, size / SIZE), LARGEST[0])


def strip(size: int) -> float:
    """Return how wide a strip beside the board the letters need, in cells: up to :data:`MARGIN`."""
    return GAP + 1.2 * edge(size)


class Writing(NamedTuple):
    """A map of the floor, from its north-west, that shows where something is written.

    Args:
        dots: rows from the north, columns from the west.
        scale: dots for a cell.
        north: the cells, and the margin, north of the board's south edge.
    """

    dots: Flags
    scale: int
    north: int

    def at(self, x: Numbers, z: Numbers) -> Flags:
        """Whether something is written at points of the floor."""
        column = np.floor((x - CORNER + MARGIN) * self.scale).astype(np.int64)
        row = np.floor((self.north - (z - CORNER)) * self.scale).astype(np.int64)
        rows, columns = self.dots.shape
        there = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        found: Flags = there & self.dots[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
        return found


@lru_cache(maxsize=16)
def writing(size: int, labels: CellLabels) -> Writing:
    """Write what a board's labels say."""
    cells = size + 2 * MARGIN
    scale = DOTS // cells
    page = Image.new("L", (cells * scale, cells * scale))
    draw = ImageDraw.Draw(page)
    north = size + MARGIN
    if labels in {"both", "edge"}:
        face = font(round(edge(size) * scale))
        for number in range(size):
            along, beside = (number + 0.5 + MARGIN) * scale, (MARGIN - strip(size) / 2) * scale
            column, row = label_of((number, number))[0], label_of((number, number))[1:]
            draw.text((along, cells * scale - beside), column, 255, face, "mm")
            draw.text((beside, cells * scale - along), row, 255, face, "mm")
    if labels in {"both", "cell"}:
        height = round(min(INSIDE * max(1.0, size / SIZE), LARGEST[1]) * scale)
        for x in range(size):
            for y in range(size):
                text = label_of((x, y))
                fits = fitting(text, height, WIDEST * scale)
                at = ((x + MARGIN + INSET[0]) * scale, (north - y - 1 + INSET[1]) * scale)
                draw.text(at, text, 255, font(fits), "la", stroke_width=BOLD * fits)
    return Writing(np.asarray(page) >= 128, scale, north)
