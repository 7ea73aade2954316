"""The grain of stone and concrete: smooth noise in space, the same on every machine."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from .camera import Numbers, Value

__all__ = ["grain"]

SIDE = 32
"""Random numbers a side; after that many lumps, the noise repeats."""


def grain(x: Value, y: Value, z: Value, lumps: float) -> Numbers:
    """Return noise at points, between -1 and 1; so many lumps go into a length of 1."""
    corners, shares = zip(*(_cell(np.asarray(each) * lumps) for each in (x, y, z)), strict=True)
    table = _table()
    total: Value = 0.0
    for near_x, part_x in _ends(corners[0], shares[0]):
        for near_y, part_y in _ends(corners[1], shares[1]):
            row, part = (near_x * SIDE + near_y) * SIDE, part_x * part_y
            if not part.any():  # flat ground: all of it is in one layer of the noise
                continue
            for near_z, part_z in _ends(corners[2], shares[2]):
                total = total + part * part_z * table[row + near_z]
    return np.asarray(total)


def _cell(value: Numbers) -> tuple[Numbers, Numbers]:
    corner = np.floor(value)
    share = value - corner
    return corner, share * share * (3 - 2 * share)


def _ends(corner: Numbers, share: Numbers) -> tuple[tuple[NDArray[np.int64], Numbers], ...]:
    number = corner.astype(np.int64)
    return (number % SIDE, 1 - share), ((number + 1) % SIDE, share)


@cache
def _table() -> Numbers:
    # numpy's legacy generator: its streams are frozen for good.
    return np.random.RandomState(20250204).random_sample(SIDE**3) * 2 - 1
