"""A better bound than the Manhattan distance, for hard boards: how long a few geoms take if all others were gone.

Every move moves one geom, so the moves of groups of geoms that have none in common add up (additive pattern
databases: Felner, Korf and Hanan, 2004). Geoms are grouped in several ways; each is such a sum, and the greatest of
them is the bound. A move changes it by exactly one, as it does the Manhattan distance.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .closed import Counts, States
from .groups import Groups, groupings
from .puzzle import Puzzle
from .tables import distances

__all__ = ["Patterns", "distances", "patterns_of"]


class Patterns:
    """The bound of states, by some groupings."""

    def __init__(self, puzzle: Puzzle, groupings: Sequence[Groups]) -> None:
        self._bits, self._mask = puzzle.bits, np.uint64(puzzle.mask)
        self._shifts = [np.uint64(shift) for shift in puzzle.shifts]
        self._groupings = groupings
        self._tables = {
            group: distances(puzzle.size, tuple(puzzle.goal[geom] for geom in group))
            for groups in groupings
            for group in groups
        }

    def of(self, states: States) -> Counts:
        """Return how many moves each state takes at least."""
        cells = [((states >> shift) & self._mask).astype(np.uint32) for shift in self._shifts]
        moves = {group: table.take(self._number(cells, group)) for group, table in self._tables.items()}
        best: Counts = np.zeros(len(states), np.uint8)
        for first, *others in self._groupings:
            total = moves[first].copy()
            for group in others:
                total += moves[group]
            np.maximum(best, total, out=best)
        return best

    def _number(self, cells: list[NDArray[np.uint32]], group: tuple[int, ...]) -> NDArray[np.uint32]:
        """Return the states of a group's own puzzle."""
        number = cells[group[0]]
        for place, geom in enumerate(group[1:], 1):
            number = number | cells[geom] << np.uint32(place * self._bits)
        return number


@lru_cache(maxsize=4)
def patterns_of(size: int, start: tuple[int, ...], goal: tuple[int, ...], bits: int, count: int) -> Patterns:
    """Return the patterns of so many groupings whose tables have numbers of so many bits, for a search from a start.

    Few are kept, for they are large and only hard boards need them.
    """
    puzzle = Puzzle(size, goal)
    return Patterns(puzzle, groupings(puzzle, start, bits // puzzle.bits, count))
