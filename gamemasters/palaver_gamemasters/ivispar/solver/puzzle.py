"""A board as the searches see it: a position is one whole number, with a few bits for the cell of each geom."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import lshift

from ..board import Board, Position

__all__ = ["Found", "Move", "Moves", "Puzzle", "Unfinished"]

Move = tuple[int, int, int]
"""Bit of the cell it leads to; both cells' bits, to move the geom in the occupancy; what changes in the state."""
Moves = Mapping[int, tuple[Move, ...]]
"""By the cell where the geom stands."""
GeomMoves = tuple[int, Moves, Moves, tuple[int, ...]]
"""A geom's shift, its moves towards its goal and away from it, and how far each cell is from there."""


class Unfinished(Exception):  # noqa: N818 - no error yet: another search takes over, or the caller refuses the board
    """A search has stored as many states as it may, and how many that are."""

    def __init__(self, stored: int) -> None:
        super().__init__(stored)
        self.stored = stored


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found: how far the goal is, and the states up to one from where that was known."""

    distance: int
    states: tuple[int, ...]


class Puzzle:
    """Where the geoms are to stand, in numbers.

    Cells are counted row by row from the south-west. A state holds the cell of the first geom in its lowest bits.

    Attributes:
        size: rows and columns.
        goal: the cell where each geom is to stand.
        bits: how many bits a cell takes.
        mask: the bits of the first geom's cell.
        shifts: where each geom's bits begin.
        geoms: each geom's shift, its moves towards its goal and away from it, and how far each cell is from there.
        solved: the goal's state.
    """

    __slots__ = ("bits", "geoms", "goal", "mask", "shifts", "size", "solved")

    def __init__(self, size: int, goal: tuple[int, ...]) -> None:
        self.size, self.goal = size, goal
        self.bits = max(1, (size**2 - 1).bit_length())
        self.mask = (1 << self.bits) - 1
        self.shifts = range(0, self.bits * len(goal), self.bits)
        self.geoms = tuple(map(_geom, repeat(size), goal, self.shifts))
        self.solved = sum(map(lshift, goal, self.shifts))

    @classmethod
    def of(cls, board: Board) -> "Puzzle":
        """Return a board's puzzle."""
        return cls(board.size, tuple([y * board.size + x for x, y in board.goal]))

    def state(self, position: Position) -> int:
        """Return the state of a position."""
        size, bits, state = self.size, self.bits, 0
        for x, y in reversed(position):
            state = state << bits | y * size + x
        return state

    def cells(self, state: int) -> tuple[int, ...]:
        """Return the cell of each geom."""
        return tuple(state >> shift & self.mask for shift in self.shifts)

    def position(self, state: int) -> Position:
        """Return the position of a state."""
        return tuple((cell % self.size, cell // self.size) for cell in self.cells(state))

    def occupied(self, state: int) -> int:
        """Return a bit for each cell that is taken."""
        return sum(1 << (state >> shift & self.mask) for shift in self.shifts)

    def manhattan(self, state: int) -> int:
        """Return the moves it would take if no geom were in another's way."""
        total, mask = 0, self.mask
        for shift, _, _, distance in self.geoms:
            total += distance[state >> shift & mask]
        return total

    def neighbours(self, state: int) -> list[int]:
        """Return what one legal move leads to."""
        occupied, mask = self.occupied(state), self.mask
        return [
            state ^ change
            for shift, nearer, farther, _ in self.geoms
            for moves in (nearer, farther)
            for bit, _, change in moves[state >> shift & mask]
            if not occupied & bit
        ]


class _Ways(dict[int, tuple[Move, ...]]):
    """A geom's moves in one sense, by cell; worked out when first asked for, for a large board has many cells."""

    __slots__ = ("_distance", "_shift", "_size", "_step")

    def __init__(self, size: int, shift: int, distance: tuple[int, ...], step: int) -> None:
        super().__init__()
        self._size, self._shift, self._distance, self._step = size, shift, distance, step

    def __missing__(self, cell: int) -> tuple[Move, ...]:
        size, x, y = self._size, cell % self._size, cell // self._size
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        self[cell] = tuple(
            (1 << to, 1 << to | 1 << cell, (to ^ cell) << self._shift)
            for to in [ay * size + ax for ax, ay in around if 0 <= ax < size and 0 <= ay < size]
            if self._distance[to] - self._distance[cell] == self._step
        )
        return self[cell]


@lru_cache(maxsize=1024)
def _geom(size: int, goal: int, shift: int) -> GeomMoves:
    """Return what a geom can do; there are but 256 such on boards of 4x4."""
    distance = tuple(abs(cell % size - goal % size) + abs(cell // size - goal // size) for cell in range(size**2))
    return shift, _Ways(size, shift, distance, -1), _Ways(size, shift, distance, 1), distance
