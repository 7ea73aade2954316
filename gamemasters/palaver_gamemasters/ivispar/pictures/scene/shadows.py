"""Hard shadows: on the floor, and of one geom on another; made once for each pair of cells and kept."""

from functools import lru_cache

import numpy as np

from palaver_gamemasters.ivispar.board import Cell

from .camera import CORNER, Numbers, Vector, camera_for
from .light import TO_SUN
from .samples import ALL, Flags, Layer, mask, trimmed
from .solids import MISSED
from .sprites import faces_in, foot, solid, sprite

__all__ = ["on_floor", "on_geom", "upwind"]

WEST, SOUTH = TO_SUN[0] / TO_SUN[1], TO_SUN[2] / TO_SUN[1]
"""How far the shadow of a thing's top falls, for a height of 1."""
TOUCH = 1e-9
"""A geom throws no shadow where it only touches."""


def upwind(cell: Cell, other: Cell) -> bool:
    """Whether a geom in another cell may throw its shadow on one in this cell."""
    return cell != other and 0 <= other[0] - cell[0] < 1 + WEST and 0 <= other[1] - cell[1] < 1 + SOUTH


@lru_cache(maxsize=1024)
def on_floor(size: int, cell: Cell, shape: str) -> Layer | None:
    """Return the shadow that a geom throws on the board, seen through all that may stand on it."""
    camera, (x, _, z) = camera_for(size), foot(cell)
    west, south = max(CORNER, x - 0.5 - WEST), max(CORNER, z - 0.5 - SOUTH)
    box = camera.around_block((west, 0, south), (x + 0.5, 0, z + 0.5))

    def dark(right: Numbers, down: Numbers) -> Flags:
        there_x, there_z = camera.floor(right, down)
        return _shaded(shape, (there_x - x, 0.0, there_z - z))

    return trimmed(box, mask(box, dark))


@lru_cache(maxsize=8192)
def on_geom(size: int, cell: Cell, shape: str, other: Cell, caster: str) -> Layer | None:
    """Return the shadow that the caster, in another cell, throws on a geom; None if it throws none."""
    seen = sprite(size, cell, shape)
    find = faces_in(size, cell, shape)
    away_x, away_z = cell[0] - other[0], cell[1] - other[1]
    # Where the sun does not reach anyway, nobody sees a shadow.
    lit = trimmed(seen.box, np.where(seen.sun > 0, seen.bits, np.uint8(0)))
    if lit is None:
        return None
    box = lit[0]

    def dark(right: Numbers, down: Numbers) -> Flags:
        faces, (x, y, z) = find(right, down)
        hidden: Flags = (faces != MISSED) & _shaded(caster, (x + away_x, y, z + away_z))
        return hidden

    bits = mask(box, dark)
    # Points of a pixel beside the geom are as dark as those that show it: its rim is not to shine.
    rim = bits == seen.bits[box.within(seen.box)]
    return trimmed(box, np.where(rim & (bits > 0), np.uint8(ALL), bits))


def _shaded(caster: str, point: Vector) -> Flags:
    """Return whether a shape hides the sun from points; these count from its foot."""
    way = solid(caster).way(point, TO_SUN)
    return np.logical_and(way.enters < way.leaves, way.leaves > TOUCH)
