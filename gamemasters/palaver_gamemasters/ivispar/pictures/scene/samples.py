"""Soft edges: eight points of a pixel are looked at, and what each of them shows is kept as a bit of a byte.

So it is known exactly what is left of a pixel behind several geoms, or lit between several shadows (an A-buffer:
Carpenter, SIGGRAPH 1984).
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .camera import Box, Numbers

__all__ = ["ALL", "POINTS", "WHOLE", "Bits", "Flags", "Layer", "counted", "mask", "seams", "spread", "trimmed"]

Bits: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Layer: TypeAlias = tuple[Box, Bits]
"""Bits for a part of the picture."""

ALL = 0xFF
WHOLE = 8
"""Points of a pixel."""
POINTS = tuple((x / 16, y / 16) for x, y in ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)))
"""Where in a pixel, from its middle: no two in a row or a column."""
COUNT = np.array([number.bit_count() for number in range(256)], np.uint8)
"""How many bits a byte has."""


def counted(bits: Bits) -> Bits:
    """Return how many points each pixel shows."""
    return np.take(COUNT, bits)


def seams(kinds: NDArray[np.generic]) -> Flags:
    """Return which pixels do not show the same kind of thing as all of their neighbours."""
    found = np.zeros(kinds.shape, np.bool_)
    for here, there in (
        (np.s_[1:, :], np.s_[:-1, :]),
        (np.s_[:, 1:], np.s_[:, :-1]),
        (np.s_[1:, 1:], np.s_[:-1, :-1]),
        (np.s_[1:, :-1], np.s_[:-1, 1:]),
    ):
        differ = kinds[here] != kinds[there]
        found[here] |= differ
        found[there] |= differ
    return found


def spread(x: Numbers, y: Numbers) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield each of the eight points of pixels, given their middles, with the bit that stands for it."""
    for number, (right, down) in enumerate(POINTS):
        yield 1 << number, x + right, y + down


def mask(box: Box, shows: Callable[[Numbers, Numbers], Flags]) -> Bits:
    """Find out which points of the picture show something: all eight of a pixel only where its neighbours differ.

    Args:
        box: the part of the picture.
        shows: tells it for points (x, y) in arrays that are to be broadcast.
    """
    whole = shows(*box.rays())
    bits = np.where(whole, np.uint8(ALL), np.uint8(0))
    rows, columns = np.nonzero(seams(whole))
    fine = np.zeros(len(rows), np.uint8)
    for bit, x, y in spread(box.left + columns + 0.5, box.top + rows + 0.5):
        fine |= np.where(shows(x, y), np.uint8(bit), np.uint8(0))
    bits[rows, columns] = fine
    return bits


def trimmed(box: Box, bits: Bits) -> Layer | None:
    """Cut off rims without bits; None if there is nothing else."""
    rows, columns = (np.flatnonzero(bits.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return None
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    inner = Box(box.left + left, box.top + top, right - left, bottom - top)
    return inner, np.ascontiguousarray(bits[inner.within(box)])
