"""A whole picture: shadows are put together, then geoms are laid over each other from front to back.

Each geom stands in a cell of its own, and the camera is south of the board: so a geom is never hidden by one in a row
further north, nor by one further from the camera in its own row. What is left of a pixel is known bit by bit.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from palaver_gamemasters.ivispar.board import Cell, Geom

from ..layout import HEIGHT, WIDTH, Scene
from .camera import Box, camera_for
from .floor import Floor, floor
from .light import shades
from .samples import ALL, WHOLE, Bits, Layer, counted, trimmed
from .shadows import on_floor, on_geom, upwind
from .sprites import Planes, coloured, foot, sprite

__all__ = ["render"]


def render(scene: Scene) -> Image.Image:
    """Draw a position as it is seen by the camera: RGBA, transparent beside the board.

    Raises:
        InstanceError: a geom has a shape that cannot be drawn.
    """
    standing = dict(zip(scene.position, scene.geoms, strict=True))
    ground = floor(scene.size, scene.labels)
    sheet = _Sheet(ground.box)
    for cell in _from_front(scene.size, standing):
        seen = sprite(scene.size, cell, standing[cell].shape)
        sheet.lay(seen.box, seen.bits, _geom(scene.size, standing, cell))
    sheet.lay(ground.box, ground.bits, _ground(scene.size, standing, ground))
    return sheet.picture()


def _from_front(size: int, cells: Iterable[Cell]) -> list[Cell]:
    """Order cells so that none is hidden by a later one."""
    eye = camera_for(size).eye[0]
    return sorted(cells, key=lambda cell: (cell[1], abs(foot(cell)[0] - eye), cell[0]))


def _geom(size: int, standing: dict[Cell, Geom], cell: Cell) -> Planes:
    """Return the colours of a geom, with the shadows of others."""
    geom = standing[cell]
    seen, colours = sprite(size, cell, geom.shape), coloured(size, cell, geom)
    shadows = [
        on_geom(size, cell, geom.shape, other, caster.shape)
        for other, caster in standing.items()
        if upwind(cell, other)
    ]
    joined = _joined(seen.box, shadows)
    if joined is None:
        return colours
    box, bits = joined
    here = (slice(None), *box.within(seen.box))
    steps = seen.sky[box.within(seen.box)]
    colours = colours.copy()
    colours[here] = _mixed(colours[here], shades(geom.colour)[:, steps], bits)
    return colours


def _ground(size: int, standing: dict[Cell, Geom], ground: Floor) -> Planes:
    """Return the colours of the floor, with all shadows."""
    joined = _joined(ground.box, [on_floor(size, cell, geom.shape) for cell, geom in standing.items()])
    if joined is None:
        return ground.lit
    box, bits = joined
    here = (slice(None), *box.within(ground.box))
    colours = ground.lit.copy()
    colours[here] = _mixed(colours[here], ground.dark[here], bits)
    return colours


def _joined(box: Box, shadows: Iterable[Layer | None]) -> Layer | None:
    """Join shadows."""
    thrown = [shadow for shadow in shadows if shadow]
    if not thrown:
        return None
    bits = np.zeros((box.height, box.width), np.uint8)
    for part, dark in thrown:
        bits[part.within(box)] |= dark
    return trimmed(box, bits)


def _mixed(lit: Planes, dark: Planes, bits: Bits) -> Planes:
    """Mix colours in the sun and in the shade, by how many points of a pixel are in shadow."""
    share = counted(bits).astype(np.uint16)
    return ((lit * (WHOLE - share) + dark * share + WHOLE // 2) >> 3).astype(np.uint8)


class _Sheet:
    """Layers laid down from front to back: each shows where points of pixels are still free."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._free: Bits = np.full((box.height, box.width), ALL, np.uint8)
        self._sums: NDArray[np.uint16] = np.zeros((3, box.height, box.width), np.uint16)

    def lay(self, box: Box, bits: Bits, colours: Planes) -> None:
        """Lay colours behind all that is there."""
        here = box.within(self._box)
        free = self._free[here]
        shown = counted(bits & free)
        free &= ~bits
        self._sums[(slice(None), *here)] += np.multiply(colours, shown, dtype=np.uint16)

    def picture(self) -> Image.Image:
        """Return the picture: colours are means of what points show, and alpha is how many show anything."""
        points = counted(~self._free)
        colours = ((self._sums + WHOLE // 2) >> 3).astype(np.uint8)
        rim = np.nonzero(points - np.uint8(1) < WHOLE - 1)
        few = points[rim].astype(np.uint16)
        whole = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
        part = whole[self._box.within(Box(0, 0, WIDTH, HEIGHT))]
        for number, (colour, total) in enumerate(zip(colours, self._sums, strict=True)):
            colour[rim] = (total[rim] + few // 2) // few
            part[..., number] = colour
        part[..., 3] = (points.astype(np.uint16) * 255 + WHOLE // 2) >> 3
        return Image.fromarray(whole)
