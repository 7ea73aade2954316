"""Boards drawn from above: the study's 2D pictures, 1200 x 900 pixels, as its program draws them with matplotlib.

Free cells show their names; a marker stands for each geom. A board of another size than 4 fills the same square.

A picture is a palette picture from the start. All its pixels lie on a few ramps between two colours (from the ground to
the black of a line, from black to a geom's fill), so that it is put together from tiles of palette numbers, each made
once for all boards: drawing and encoding it takes 2 or 3 milliseconds.
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from PIL import Image

from palaver_gamemasters.drawing import fitting

from ..board import Cell, label_of
from .colours import rgb
from .coverage import Text, capitals, lettering
from .label import Label, box_of
from .layout import HEIGHT, WIDTH, Scene
from .markers import coverage_of, marker_of
from .marking import Mark
from .ramps import FILLED, LABELLED, RULED, WRITTEN, Numbers, coloured, on_ramp, palette_of, steps_of

__all__ = ["BOARD", "LEFT", "TOP", "cell_box", "drawn"]

LEFT, TOP, BOARD = 300, 120, 660
"""The square of the board: its corner and its side in pixels."""
MARKER = 80 * 100 / 72 * 4
"""A marker's size over the cells a side: 80 points on a board of 4 x 4."""
TYPE = 32 * 100 / 72 * 4
"""The same of the type: 32 points on a board of 4 x 4."""
LARGEST, SMALLEST, SMALLEST_BESIDE = 60, 11, 16
"""Bounds of the type in pixels: within cells, and beside the board."""
GAP = 16
"""Pixels from the board to the letters and numbers beside it."""
LINE, BORDER = 3, 6
"""Widths in pixels; a line's middle is where two cells meet."""
INSET = 3
"""Pixels from a cell's sides to what is within it: lines and the border are left alone."""

Extent: TypeAlias = tuple[int, int]
"""Width and height in pixels."""


def drawn(scene: Scene, mark: Mark, *, compat: bool = False) -> Image.Image:
    """Draw a position.

    Args:
        scene: what is drawn; cells are named whatever its labels say, as published.
        mark: tells the picture apart from others.
        compat: whether shapes and colours that are unknown are circles and magenta, as published.

    Returns:
        Mode P, or RGB for a board of more colours than a palette can hold.

    Raises:
        InstanceError: a shape or a colour cannot be drawn.
    """
    fills = [rgb(geom.colour, compat=compat) for geom in scene.geoms]
    markers = [marker_of(geom.shape, compat=compat) for geom in scene.geoms]
    colours = tuple(sorted(set(fills)))
    ramps = {colour: FILLED + number for number, colour in enumerate(colours)}
    steps = steps_of(FILLED + len(colours))
    standing = {cell: (marker, ramps[fill]) for cell, marker, fill in zip(scene.position, markers, fills, strict=True)}
    canvas = _blank(scene.size, mark.label, steps).copy()
    for cell in ((x, y) for y in range(scene.size) for x in range(scene.size)):
        left, top, right, bottom = cell_box(scene.size, cell)
        extent = (right - left - 2 * INSET, bottom - top - 2 * INSET)
        canvas[top + INSET : bottom - INSET, left + INSET : right - INSET] = (
            _geom(*standing[cell], extent, MARKER / scene.size, steps)
            if cell in standing
            else _name(label_of(cell), extent, TYPE / scene.size, steps)
        )
    return coloured(canvas, palette_of(mark.background.colour, colours, steps))


def cell_box(size: int, cell: Cell) -> tuple[int, int, int, int]:
    """Return where a cell lies in the picture: left, top, right, bottom in whole pixels; A1 is at the lower left."""
    (x, y), edges = cell, _edges(size)
    return LEFT + edges[x], TOP + edges[size - 1 - y], LEFT + edges[x + 1], TOP + edges[size - y]


@lru_cache(maxsize=32)
def _edges(size: int) -> tuple[int, ...]:
    """Return where cells begin, in pixels from the board's edge, and where the last one ends."""
    return tuple(round(BOARD * number / size) for number in range(size + 1))


@lru_cache(maxsize=16)
def _blank(size: int, word: str, steps: int) -> Numbers:
    """Return a picture with nothing in its cells yet: the lines, the letters and numbers beside them, the label."""
    canvas: Numbers = np.zeros((HEIGHT, WIDTH), np.uint16)
    _rule(canvas, size, int(on_ramp(RULED, np.ones(1), steps)[0]))
    _write_beside(canvas, size, steps)
    if word:
        _lay(canvas, box_of(word), steps)
    return canvas


def _rule(canvas: Numbers, size: int, black: int) -> None:
    out = BORDER // 2
    for number, edge in enumerate(_edges(size)):
        width = BORDER if number in (0, size) else LINE
        low, high = edge - width // 2, edge - width // 2 + width
        canvas[TOP - out : TOP + BOARD + out, LEFT + low : LEFT + high] = black
        canvas[TOP + low : TOP + high, LEFT - out : LEFT + BOARD + out] = black


def _write_beside(canvas: Numbers, size: int, steps: int) -> None:
    type_size = round(min(max(TYPE / size, SMALLEST_BESIDE), LARGEST))
    height = capitals(type_size)
    texts: list[Text] = []
    for number in range(size):
        left, top, right, bottom = cell_box(size, (number, number))
        texts.append(Text((left + right) / 2, TOP + BOARD + GAP + height, label_of((number, 0))[0]))
        texts.append(Text(LEFT - GAP, (top + bottom + height) / 2, str(number + 1), "rs"))
    written = lettering(WIDTH, HEIGHT, type_size, *texts)
    canvas[written > 0] = on_ramp(WRITTEN, written[written > 0], steps)


def _lay(canvas: Numbers, lying: Label, steps: int) -> None:
    """Lay the label on. Its border is wider than a pixel: where the inside begins, the ground has ended."""
    height, width = lying.box.shape
    canvas[lying.top : lying.top + height, lying.left : lying.left + width] = np.where(
        lying.inside > 0,
        on_ramp(LABELLED, np.maximum(1 - lying.inside, lying.ink), steps),
        on_ramp(RULED, lying.box, steps),
    )


@lru_cache(maxsize=512)
def _geom(marker: str, ramp: int, extent: Extent, size: float, steps: int) -> Numbers:
    """Return a cell with a geom. Its edge is wider than a pixel: where the fill begins, the ground has ended."""
    outer, inner = coverage_of(marker, *extent, size)
    return np.where(inner > 0, on_ramp(ramp, inner, steps), on_ramp(RULED, outer, steps))


@lru_cache(maxsize=2048)
def _name(name: str, extent: Extent, size: float, steps: int) -> Numbers:
    """Return a free cell."""
    width, height = extent
    fitted = fitting(name, round(min(max(size, SMALLEST), LARGEST)), width)
    text = Text(width / 2, (height + capitals(fitted)) / 2, name)
    return on_ramp(WRITTEN, lettering(width, height, fitted, text), steps)
