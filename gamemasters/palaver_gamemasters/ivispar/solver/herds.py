"""What a search in numpy works with: all moves from many states at once, and states that wait to be expanded."""

from collections import defaultdict

import numpy as np

from .closed import States
from .puzzle import Puzzle
from .tables import flags, ways

__all__ = ["Steps", "Waiting", "different", "fits"]

SMALL, LARGE = 1024, 32768
"""States that are expanded together: enough for numpy to pay, few enough to come to an end soon in the last layer. What
has taken long already may take a little longer."""


def fits(puzzle: Puzzle) -> bool:
    """Whether a state of the puzzle fits 64 bits, and its occupied cells too."""
    return puzzle.size <= 8 and puzzle.bits * len(puzzle.goal) <= 64


def different(states: States) -> States:
    """Leave out what is there twice. Sorting is several times quicker than what newer releases of numpy do."""
    ordered = np.sort(states)
    new = np.ones(len(ordered), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


class Steps:
    """All legal moves from many states of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._shifts = np.array(puzzle.shifts, np.uint64)[:, None]
        self._mask = np.uint64(puzzle.mask)
        self._flags = flags(puzzle.size)
        self._ways = [
            (offset, self._flags.type(allowed), np.array([offset << s & 2**64 - 1 for s in puzzle.shifts], np.uint64))
            for offset, allowed in ways(puzzle.size)
        ]

    def __call__(self, states: States) -> States:
        """Return all states that are one move away from one of these, each once."""
        cells = (states >> self._shifts) & self._mask
        at = self._flags.type(1) << cells.astype(self._flags)
        free = ~np.bitwise_or.reduce(at, axis=0)
        after = []
        for offset, allowed, changes in self._ways:
            to = at & allowed
            to = to << self._flags.type(offset) if offset > 0 else to >> self._flags.type(-offset)
            geoms, which = np.divmod(np.flatnonzero(to & free), len(states))
            after.append(states[which] + changes[geoms])  # unsigned sums wrap, so that an offset can be negative
        return different(np.concatenate(after))


class Waiting:
    """States to expand, by the cost of a path through them and by the moves made."""

    def __init__(self) -> None:
        self._layers: defaultdict[int, defaultdict[int, list[States]]] = defaultdict(lambda: defaultdict(list))
        self.count = self.taken = 0

    def add(self, cost: int, moves: int, states: States) -> None:
        """Store states, some perhaps not for the first time."""
        if len(states):
            self._layers[cost][moves].append(states)
            self.count += len(states)

    def cheapest(self) -> int | None:
        """Return the least cost, None if nothing waits."""
        return min(self._layers, default=None)

    def take(self) -> tuple[int, int, States]:
        """Take some of the cheapest, those after most moves first: depth first, as far as a herd can be.

        Returns:
            Their cost, the moves made, and the states, each once.
        """
        cost = min(self._layers)
        layer = self._layers[cost]
        moves = max(layer)
        at_once = min(max(SMALL, self.taken // 8), LARGE)
        herds, taken = layer[moves], [layer[moves].pop()]
        while herds and sum(map(len, taken)) < at_once:
            taken.append(herds.pop())
        states = np.concatenate(taken)
        if len(states) > 2 * at_once:
            herds.append(states[at_once:])
            states = states[:at_once]
        if not herds:
            del layer[moves]
        if not layer:
            del self._layers[cost]
        self.count -= len(states)
        self.taken += len(states)
        return cost, moves, different(states)
