"""A board from above, as a drawing: who stands where, who is to stand where, what has just moved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from palaver_gamemasters import svg
from palaver_gamemasters.svg import Element

from .board import Cell, Geom, label_of
from .pieces import initials, outline, piece

__all__ = ["Standing", "Way", "top_view"]

CELL, MARGIN = 60, 26
"""A cell's side; the room for letters and numbers beside the board."""
PIECE = 20
"""Half a piece's width."""
LINE = 21
"""Height of a line below the board."""
NARROW, LEGIBLE = 4, 6
"""Cells a side up to which the lines below shrink with the board, so that they fit, and from which on they grow with
it, so that they can be read where it is shown small."""
LIGHT, SHADED, GRID, FRAME = "#ffffff", "#edf0f4", "#cfd5dd", "#3a4452"
RIGHT, WRONG = "#1c8a4c", "#c62a2f"

Mark = Literal["", "right", "wrong", "missing"]
Way = tuple[Cell, Cell]
"""From where to where something moved."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A geom on the board. ``missing`` is one that is to stand here and does not."""

    geom: Geom
    cell: Cell
    mark: Mark = ""


def top_view(
    size: int, standing: Sequence[Standing], lines: Sequence[str], *, flat: bool, way: Way | None = None, title: str
) -> tuple[str, int, int]:
    """Draw a board.

    Args:
        size: cells a side.
        standing: all that is drawn on it.
        lines: what is said below it, in a line each; the first one bold.
        flat: whether geoms are markers or little solids.
        way: what moved last.
        title: what the picture shows.

    Returns:
        The document, its width and its height.
    """
    large = max(min(1.0, size / NARROW), size / LEGIBLE)
    side = size * CELL
    width, height = side + 2 * MARGIN, side + 2 * MARGIN + round(large * LINE * len(lines))
    missing = [each for each in standing if each.mark == "missing"]
    letters = initials([each.geom.colour for each in standing])
    said = (
        svg.words(0, 25 + LINE * at, line, 14 if at else 15, svg.FAINT if at else svg.INK,
                  font_weight=None if at else "600", font_family=None)
        for at, line in enumerate(lines)
    )  # fmt: skip
    children = (
        svg.rectangle(0, 0, width, height, svg.PAPER, radius=8),
        _board(size),
        *(outline(each.geom, _middle(size, each.cell), PIECE, flat=flat) for each in missing),
        *(_moved(size, way) if way else ()),
        *(element for each in standing if each.mark != "missing" for element in _stands(size, each, letters, flat)),
        svg.group(*said, transform=f"translate({MARGIN} {side + MARGIN}) scale({large:.2f})"),
    )
    body = svg.group(*children, font_family=svg.PROPORTIONAL)
    return svg.document(width, height, body, title=title), width, height


@lru_cache(maxsize=32)
def _board(size: int) -> Element:
    side = size * CELL
    cells = (
        svg.rectangle(MARGIN + x * CELL, MARGIN + y * CELL, CELL, CELL, SHADED)
        for y in range(size)
        for x in range(size)
        if (x + y) % 2
    )
    ground = svg.rectangle(MARGIN, MARGIN, side, side, LIGHT)
    frame = svg.rectangle(MARGIN - 1, MARGIN - 1, side + 2, side + 2, "none", radius=3, stroke=FRAME, stroke_width=2.5)
    lines = (
        svg.line(*ends, GRID)
        for at in (MARGIN + number * CELL for number in range(1, size))
        for ends in (((at, MARGIN), (at, MARGIN + side)), ((MARGIN, at), (MARGIN + side, at)))
    )
    return svg.group(ground, *cells, *lines, frame, *_names(size))


def _names(size: int) -> Iterator[Element]:
    letters = 15 * min(1.4, max(1.0, size / LEGIBLE))
    for number in range(size):
        x, y = _middle(size, (number, number))
        yield svg.centred(x, MARGIN / 2 - 1, label_of((number, 0))[0], letters, svg.FAINT, font_family=None)
        yield svg.centred(MARGIN / 2 - 1, y, str(number + 1), letters, svg.FAINT, font_family=None)


def _stands(size: int, each: Standing, letters: dict[str, str], flat: bool) -> Iterator[Element]:
    x, y = _middle(size, each.cell)
    yield piece(each.geom, (x, y), PIECE, flat=flat)
    if letter := letters.get(each.geom.colour):
        yield svg.words(
            x + CELL / 2 - 4,
            y + CELL / 2 - 5,
            letter,
            12,
            svg.INK,
            text_anchor="end",
            font_weight="600",
            font_family=None,
        )
    if each.mark:
        yield _badge(x + CELL / 2 - 11, y - CELL / 2 + 11, each.mark == "right")


def _badge(x: float, y: float, right: bool) -> Element:
    """Say right or wrong, by shape as well as by colour."""
    disc = svg.element("circle", cx=x, cy=y, r=8.5, fill=RIGHT if right else WRONG, stroke=LIGHT, stroke_width=1.5)
    if right:
        signs = [svg.path(((x - 4, y + 0.3), (x - 1, y + 3.4), (x + 4.2, y - 3.2)), stroke=LIGHT, stroke_width=2.4)]
    else:
        signs = [svg.line((x - 3, y - side), (x + 3, y + side), LIGHT, 2.4) for side in (3, -3)]
    return svg.group(disc, *signs, stroke_linecap="round", stroke_linejoin="round")


def _moved(size: int, way: Way) -> Iterator[Element]:
    """Draw where the piece that moved last came from."""
    (x, y), (onto_x, onto_y) = (_middle(size, cell) for cell in way)
    yield svg.element("circle", cx=x, cy=y, r=5, fill=svg.FAINT, opacity=0.55)
    yield svg.line((x, y), (onto_x, onto_y), svg.FAINT, 5, opacity=0.55)


def _middle(size: int, cell: Cell) -> tuple[float, float]:
    return MARGIN + (cell[0] + 0.5) * CELL, MARGIN + (size - cell[1] - 0.5) * CELL
