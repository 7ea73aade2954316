"""What players of clembench see, as tiles of a panel: pictures made small, and grids drawn cell by cell."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image as Pillow

from palaver_gamemasters import svg
from palaver_gamemasters.drawing import png
from palaver_gamemasters.svg import Element
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError

from .grids import Cell, Grid
from .options import PicturedOptions
from .pictures import Picture, load, missing
from .play import Play

__all__ = [
    "BAD",
    "DOING",
    "FAINT",
    "GOOD",
    "INK",
    "PAPER",
    "RIM",
    "Box",
    "Tile",
    "as_png",
    "gridded",
    "pictured",
    "pill",
]

PAPER, RIM, INK, FAINT = "#fbf9f4", "#d9d3c5", "#26231e", "#6f6a60"
GOOD, BAD, DOING = "#1f7a4d", "#b3261e", "#2b5fb3"
FILLED, EMPTY, LINE = "#1c1c1c", "#ffffff", "#9a9a9a"
APART = "#e08a00"
SMALL = 360
"""Pixels of a small picture's longer side."""
LARGE = 900
"""The most that a photograph's longer side has for those who watch."""

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A small picture, or a grid. ``words`` say what it shows; ``width`` and ``height`` give its shape."""

    words: str
    width: float
    height: float
    png: bytes = b""
    grid: Grid | None = None

    def drawn(self, box: Box, apart: Iterable[Cell] = ()) -> Element:
        """Draw it into a box of the same shape.

        Args:
            box: where.
            apart: cells of a grid to be marked.
        """
        if self.grid is None:
            return svg.png(*box, self.png)
        return _drawn(self.grid, box, frozenset(apart))


def pictured(play: Play[Any], name: str) -> Tile:
    """Return the tile of a picture that the instance names; a card that says so where it is not at hand."""
    image = _loaded(play, name)
    small, width, height = _small(image.data or b"")
    return Tile(image.alt or f"the picture {name}", width, height, png=small)


def as_png(play: Play[Any], name: str) -> Image:
    """Return a picture that the instance names as players see it, as PNG; a card where it is not at hand."""
    image = _loaded(play, name)
    return image if image.media_type == "image/png" else Image.from_bytes(_converted(image.data or b""), image.alt)


def gridded(text: str) -> Tile | None:
    """Return the tile of a grid as it is written; None if it is no square grid."""
    try:
        grid = Grid.read(text)
    except ValueError:
        return None
    return Tile(text, 1, 1, grid=grid)


def pill(centre: tuple[float, float], said: str, colour: str, size: float = 24) -> Element:
    """Write a few words on a round label."""
    (x, y), width = centre, len(said) * size * 0.56 + size * 1.4
    return svg.group(
        svg.rectangle(x - width / 2, y - size * 0.8, width, size * 1.6, colour, radius=size * 0.8),
        svg.centred(x, y, said, size, "#ffffff", font_weight="600"),
    )


def _loaded(play: Play[Any], name: str) -> Image:
    """Return a picture: the very one that is shown, so that it is drawn but once."""
    options = play.options
    told = not isinstance(options, PicturedOptions) or options.modality != "image"
    try:
        return load(name, play.instance.pictures.get(name), told=told)
    except InstanceError:
        return load(name, Picture(draw=missing.of(name)), told=True)


@lru_cache(maxsize=1024)
def _small(data: bytes) -> tuple[bytes, int, int]:
    with Pillow.open(BytesIO(data)) as picture:
        small = picture.convert("RGB")
    small.thumbnail((SMALL, SMALL), Pillow.Resampling.BILINEAR, reducing_gap=2)
    few = small.quantize(128, method=Pillow.Quantize.FASTOCTREE, dither=Pillow.Dither.NONE)
    return png(few), small.width, small.height


@lru_cache(maxsize=64)
def _converted(data: bytes) -> bytes:
    with Pillow.open(BytesIO(data)) as picture:
        plain = picture.convert("RGB")
    plain.thumbnail((LARGE, LARGE), Pillow.Resampling.BILINEAR, reducing_gap=2)
    return png(plain)


def _drawn(grid: Grid, box: Box, apart: frozenset[Cell]) -> Element:
    left, top, width, _ = box
    cell = width / grid.side
    places = [(row, column) for row in range(grid.side) for column in range(grid.side)]
    cells = [
        svg.rectangle(
            left + column * cell, top + row * cell, cell, cell, FILLED if (row, column) in grid.filled else EMPTY,
            stroke=LINE, stroke_width=1.5,
        )
        for row, column in places
    ]  # fmt: skip
    rim = cell * 0.09
    marks = [
        svg.rectangle(
            left + column * cell + rim, top + row * cell + rim, cell - 2 * rim, cell - 2 * rim, "none",
            stroke=APART, stroke_width=2 * rim,
        )
        for row, column in sorted(apart)
    ]  # fmt: skip
    return svg.group(*cells, *marks)
