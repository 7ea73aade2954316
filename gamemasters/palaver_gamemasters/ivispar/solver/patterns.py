"""A better bound than the Manhattan distance, for hard boards: how long a few geoms take if all others were gone.

Every move moves one geom, so the moves of groups of geoms that have none in common add up (additive pattern
databases: Felner, Korf and Hanan, 2004). Geoms are bound in units, and every unit meets every other in one round, as
clubs do in a league: each round is such a sum, and the greatest of them is the bound. A move changes it by exactly one,
as it does the Manhattan distance.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .closed import Counts, States
from .puzzle import Puzzle

__all__ = ["Patterns", "patterns_of"]

GROUP_BITS = 16
"""Of a group's states: 64 KB a table, which stays in the processor's cache and is made in milliseconds."""

Flags = NDArray[np.bool_]
Step = tuple[int, Flags]
"""What is added to a state's number, and from which states one may step so, be the cells free or not."""


class Patterns:
    """The bound of states; about 1 MB for eleven geoms."""

    def __init__(self, puzzle: Puzzle) -> None:
        geoms = len(puzzle.goal)
        each = GROUP_BITS // puzzle.bits // 2
        units = [range(first, min(first + each, geoms)) for first in range(0, geoms, each)]
        self._shifts = [np.uint64(unit.start * puzzle.bits) for unit in units]
        self._masks = [np.uint64((1 << len(unit) * puzzle.bits) - 1) for unit in units]
        self._rounds = [
            [
                (one, other, len(units[one]) * puzzle.bits, self._table(puzzle, [*units[one], *units[other]]))
                if other < len(units)
                else (one, one, 0, self._table(puzzle, units[one]))
                for one, other in pairs
            ]
            for pairs in _league(len(units))
        ]

    @staticmethod
    def _table(puzzle: Puzzle, geoms: Sequence[int]) -> Counts:
        return distances(puzzle.size, puzzle.bits, tuple(puzzle.goal[geom] for geom in geoms))

    def of(self, states: States) -> Counts:
        """Return how many moves each state takes at least."""
        units = [
            ((states >> shift) & mask).astype(np.int64) for shift, mask in zip(self._shifts, self._masks, strict=True)
        ]
        best: Counts = np.zeros(len(states), np.uint8)
        for pairs in self._rounds:
            total: Counts = np.zeros(len(states), np.uint8)
            for one, other, shift, table in pairs:
                total += table[units[one] | units[other] << shift if shift else units[one]]
            np.maximum(best, total, out=best)
        return best


@lru_cache(maxsize=4)
def patterns_of(size: int, goal: tuple[int, ...]) -> Patterns:
    """Return a puzzle's patterns; few are kept, for they are large and only hard boards need them."""
    return Patterns(Puzzle(size, goal))


def _league(units: int) -> list[list[tuple[int, int]]]:
    """Let all meet once, one stays and the others go round; ``units`` as an opponent stands for a day off."""
    table = list(range(units + units % 2))
    rounds = []
    for _ in range(len(table) - 1):
        half = len(table) // 2
        rounds.append([(min(pair), max(pair)) for pair in zip(table[:half], reversed(table[half:]), strict=True)])
        table = [table[0], table[-1], *table[1:-1]]
    return rounds


@lru_cache(maxsize=64)
def distances(size: int, bits: int, goal: tuple[int, ...]) -> Counts:
    """Return how far every state of a few geoms is from their goal on an otherwise empty board, 0 for what is no state.

    A breadth-first search over flags, one for each state: all steps of one geom in one direction are a shift of them.
    """
    legal, steps = _ways(size, bits, len(goal))
    table: Counts = np.zeros(len(legal), np.uint8)
    front = np.zeros(len(legal), np.bool_)
    front[sum(cell << geom * bits for geom, cell in enumerate(goal))] = True
    unseen, moves, stepping = legal & ~front, 0, np.empty_like(front)
    while front.any():
        moves += 1
        reached = np.zeros_like(front)
        for offset, allowed in steps:
            np.logical_and(front, allowed, out=stepping)
            if offset > 0:
                reached[offset:] |= stepping[:-offset]
            else:
                reached[:offset] |= stepping[-offset:]
        front = reached & unseen
        table[front] = moves
        unseen &= ~front
    return table


@lru_cache(maxsize=32)
def _ways(size: int, bits: int, geoms: int) -> tuple[Flags, list[Step]]:
    """Return which numbers are states of so many geoms, and how they can step."""
    numbers = np.arange(1 << bits * geoms)
    cells = [numbers >> geom * bits & (1 << bits) - 1 for geom in range(geoms)]
    legal: Flags = np.ones(len(numbers), np.bool_)
    for geom, cell in enumerate(cells):
        legal &= cell < size**2
        for other in cells[:geom]:
            legal &= cell != other
    steps = []
    for geom, cell in enumerate(cells):
        x, y = cell % size, cell // size
        for offset, allowed in ((1, x < size - 1), (-1, x > 0), (size, y < size - 1), (-size, y > 0)):
            steps.append((offset << geom * bits if offset > 0 else -(-offset << geom * bits), allowed & legal))
    return legal, steps
