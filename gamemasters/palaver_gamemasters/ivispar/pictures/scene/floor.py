"""The board without geoms: a chequered floor of concrete, with the cells' names on it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from palaver_gamemasters.ivispar.options import CellLabels

from .camera import CORNER, Box, Numbers, camera_for
from .grain import grain
from .labels import strip, writing
from .light import AMBIENT, SUN, TO_SUN, encoded, sunlight
from .samples import Bits, counted, spread
from .sprites import Planes

__all__ = ["Floor", "floor", "frame"]

DARK, LIGHT = (0.104, 0.094, 0.094), (0.887, 0.858, 0.858)
"""Red, green and blue of tiles, in linear light; A1 is dark."""
CONCRETE = 0.68
"""How much of it the concrete leaves."""
MIRRORED = 0.032 * 5.0
"""How much the sun glints in it."""


class Floor(NamedTuple):
    """The floor.

    Args:
        box: the part of the picture where anything is, geoms too.
        bits: the points of pixels that show it, or a label beside it.
        lit: its colours in the sun.
        dark: its colours in shadows.
    """

    box: Box
    bits: Bits
    lit: Planes
    dark: Planes


def frame(size: int) -> Box:
    """Return the part of the picture where anything of a board, its labels or its geoms may be."""
    end, beside = CORNER + size, CORNER - strip(size)
    board = product((CORNER, end), (0.0, 1.0), (CORNER, end))
    letters = product((beside, end), (0.0,), (CORNER, end)), product((CORNER, end), (0.0,), (beside, end))
    return camera_for(size).around(chain(board, *letters))


@lru_cache(maxsize=16)
def floor(size: int, labels: CellLabels) -> Floor:
    """Look at a board without geoms."""
    camera, box = camera_for(size), frame(size)
    written = writing(size, labels)
    bits = np.zeros((box.height, box.width), np.uint8)
    dark, light, white, black = (np.zeros(bits.shape, np.uint8) for _ in range(4))
    for bit, x, y in spread(*box.rays()):
        there_x, there_z = camera.floor(x, y)
        column, row = np.floor(there_x - CORNER), np.floor(there_z - CORNER)
        board = (column >= 0) & (column < size) & (row >= 0) & (row < size)
        pale = (column + row) % 2 == 1
        text = written.at(there_x, there_z)
        bits |= np.where(board | text, np.uint8(bit), np.uint8(0))
        dark += board & ~pale & ~text
        light += board & pale & ~text
        white += text & ~(board & pale)
        black += text & board & pale
    shares = [part / np.maximum(counted(bits), 1) for part in (dark, light, white)]
    letters = (255 * shares[2] + 0.5).astype(np.uint8)
    in_sun, in_shade = (np.stack([letters] * 3) for _ in range(2))
    tiles = _tiles_box(size)
    here = tiles.within(box)
    for sheet, shine in zip((in_sun, in_shade), _concrete(size), strict=True):
        sheet[:, *here] = _tiles([share[here] for share in shares], *shine)
    return Floor(box, bits, in_sun, in_shade)


def _tiles_box(size: int) -> Box:
    end = CORNER + size
    return camera_for(size).around(product((CORNER, end), (0.0,), (CORNER, end)))


def _tiles(shares: Sequence[Numbers], brightness: Numbers, glint: Numbers) -> Planes:
    """Mix what the points of pixels show: dark tiles, light tiles, white letters; the rest are black ones."""
    dark, light, white = shares
    tiles = (encoded(np.stack([part * brightness + glint for part in tint])) for tint in (DARK, LIGHT))
    mixed = sum(share * tile for share, tile in zip((dark, light), tiles, strict=True)) + 255 * white
    return np.asarray(mixed + 0.5).astype(np.uint8)


@lru_cache(maxsize=8)
def _concrete(size: int) -> tuple[tuple[Numbers, Numbers], tuple[Numbers, Numbers]]:
    """Return how bright concrete is, and how the sun glints in it: in the sun, and in the shade."""
    camera, middles = camera_for(size), _tiles_box(size).rays()
    x, z = camera.floor(*middles)
    rough = 0.04 * grain(x, 0.0, z, 2.1) + 0.06 * grain(x, 0.0, z, 17.3)
    tone = CONCRETE * (1 + rough)
    _, glint = sunlight((0.0, 1.0, 0.0), camera.directions(*middles))
    return (tone * (AMBIENT + SUN * TO_SUN[1]), MIRRORED * glint), (tone * AMBIENT, 0 * glint)
