"""A board as the searches see it: a position is one whole number, with a few bits for the cell of each geom."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..board import Board, Position

__all__ = ["Found", "Move", "Moves", "Puzzle", "Unfinished"]

Move = tuple[int, int, int]
"""Bit of the cell it leads to; both cells' bits, to move the geom in the occupancy; what changes in the state."""
Moves = tuple[tuple[Move, ...], ...]
"""By the cell where the geom stands."""


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


@dataclass(frozen=True)
class Puzzle:
    """Where the geoms are to stand, in numbers.

    Cells are counted row by row from the south-west. A state holds the cell of the first geom in its lowest bits.
    """

    size: int
    goal: tuple[int, ...]

    @classmethod
    def of(cls, board: Board) -> "Puzzle":
        """Return a board's puzzle."""
        return cls(board.size, tuple(y * board.size + x for x, y in board.goal))

    @cached_property
    def bits(self) -> int:
        """How many bits a cell takes."""
        return max(1, (self.size**2 - 1).bit_length())

    @cached_property
    def mask(self) -> int:
        """The bits of the first geom's cell."""
        return (1 << self.bits) - 1

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """Where each geom's bits begin."""
        return tuple(range(0, self.bits * len(self.goal), self.bits))

    @cached_property
    def geoms(self) -> tuple[tuple[int, Moves, Moves], ...]:
        """Each geom's shift, and its moves towards its goal and away from it."""
        return tuple(
            (shift, *_moves(self.size, goal, shift)) for shift, goal in zip(self.shifts, self.goal, strict=True)
        )

    @cached_property
    def _distances(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return tuple((shift, _away(self.size, goal)) for shift, goal in zip(self.shifts, self.goal, strict=True))

    @cached_property
    def solved(self) -> int:
        """The goal's state."""
        return sum(cell << shift for cell, shift in zip(self.goal, self.shifts, strict=True))

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
        mask, total = self.mask, 0
        for shift, distance in self._distances:
            total += distance[state >> shift & mask]
        return total

    def neighbours(self, state: int) -> list[int]:
        """Return what one legal move leads to."""
        occupied, mask = self.occupied(state), self.mask
        return [
            state ^ change
            for shift, nearer, farther in self.geoms
            for moves in (nearer, farther)
            for bit, _, change in moves[state >> shift & mask]
            if not occupied & bit
        ]


@lru_cache(maxsize=1024)
def _away(size: int, goal: int) -> tuple[int, ...]:
    """Return how far each cell is from a goal."""
    return tuple(abs(cell % size - goal % size) + abs(cell // size - goal // size) for cell in range(size**2))


@lru_cache(maxsize=4096)
def _moves(size: int, goal: int, shift: int) -> tuple[Moves, Moves]:
    """Return the moves of a geom, from every cell: those towards its goal, and those away from it."""
    nearer: list[tuple[Move, ...]] = []
    farther: list[tuple[Move, ...]] = []
    distance = _away(size, goal)
    for cell in range(size**2):
        x, y = cell % size, cell // size
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        cells = [ay * size + ax for ax, ay in around if 0 <= ax < size and 0 <= ay < size]
        moves = {to: (1 << to, 1 << to | 1 << cell, (to ^ cell) << shift) for to in cells}
        nearer.append(tuple(move for to, move in moves.items() if distance[to] < distance[cell]))
        farther.append(tuple(move for to, move in moves.items() if distance[to] > distance[cell]))
    return tuple(nearer), tuple(farther)
