"""How far a few geoms are from their goal on an otherwise empty board, from wherever they may stand.

A breadth-first search through all of it. Where the first geom may be is a bit for each cell, in one number for all that
the others can do: its steps are shifts of bits, theirs shifts of the whole array.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .closed import Counts
from .puzzle import Puzzle

__all__ = ["Flags", "Way", "distances", "flags", "ways"]

Flags = NDArray[np.unsignedinteger]
"""Of a bit for each cell."""
Way = tuple[int, int]
"""What one step adds to a cell's number, and the cells from where it can be made, as bits."""


def ways(size: int) -> tuple[Way, ...]:
    """Return the steps east, west, north and south."""
    everywhere = (1 << size**2) - 1
    west = sum(1 << row * size for row in range(size))
    return (
        (1, everywhere & ~(west << size - 1)),
        (-1, everywhere & ~west),
        (size, everywhere >> size),
        (-size, everywhere & ~((1 << size) - 1)),
    )


def flags(size: int) -> np.dtype[np.unsignedinteger]:
    """Return the smallest numbers that have a bit for each cell: numpy is the quicker for it."""
    return np.dtype(f"<u{next(width for width in (1, 2, 4, 8) if 8 * width >= size**2)}")


@lru_cache(maxsize=40)
def distances(size: int, goal: tuple[int, ...]) -> Counts:
    """Return the moves from every state of a puzzle with this goal, 0 for what is no state."""
    bits, kind = Puzzle(size, goal).bits, flags(size)
    legal, steps = _others(size, bits, len(goal) - 1)
    front = np.zeros_like(legal)
    front[sum(cell << geom * bits for geom, cell in enumerate(goal[1:]))] = 1 << goal[0]
    unseen, digits, moves = legal & ~front, list[Flags](), 0
    able, reached = np.empty_like(front), np.empty_like(front)
    while front.any():
        moves += 1
        reached[:] = 0
        for offset, allowed in ways(size):
            np.bitwise_and(front, kind.type(allowed), out=able)
            reached |= able << kind.type(offset) if offset > 0 else able >> kind.type(-offset)
        for offset, mask in steps:
            np.bitwise_and(front, mask, out=able)
            if offset > 0:
                reached[offset:] |= able[:-offset]
            else:
                reached[:offset] |= able[-offset:]
        reached &= unseen
        unseen ^= reached
        # A digit of the moves, in base 2, is a bit of all states: a number for each is put together but once.
        digits += [np.zeros_like(legal) for _ in range(moves.bit_length() - len(digits))]
        for place in range(len(digits)):
            if moves >> place & 1:
                digits[place] |= reached
        front, reached = reached, front
    table: Counts = np.zeros((len(legal), 8 * kind.itemsize), np.uint8)
    for place, digit in enumerate(digits):
        table |= np.unpackbits(digit.view(np.uint8), bitorder="little").reshape(table.shape) << np.uint8(place)
    return np.ascontiguousarray(table[:, : 1 << bits]).reshape(-1)


@lru_cache(maxsize=8)
def _others(size: int, bits: int, geoms: int) -> tuple[Flags, list[tuple[int, Flags]]]:
    """Return which cells others leave to the first geom, and their steps: by how much, and from where, as masks."""
    kind = flags(size)
    numbers = np.arange(1 << bits * geoms)
    cells = [numbers >> geom * bits & (1 << bits) - 1 for geom in range(geoms)]
    free = np.full(len(numbers), (1 << size**2) - 1, kind)
    legal = np.ones(len(numbers), np.bool_)
    for geom, cell in enumerate(cells):
        legal &= cell < size**2
        free &= ~(kind.type(1) << (cell % size**2).astype(kind))
        for other in cells[:geom]:
            legal &= cell != other
    nothing, everything = kind.type(0), ~kind.type(0)
    steps = [
        (offset << geom * bits if offset > 0 else -(-offset << geom * bits), np.where(able, everything, nothing))
        for geom, cell in enumerate(cells)
        for offset, allowed in ways(size)
        for able in [np.isin(cell, [at for at in range(size**2) if allowed >> at & 1])]
    ]
    return np.where(legal, free, nothing), steps
