"""The search for hard boards: in numpy, thousands of states at a time, with a better bound, and from both ends.

Both ends, because one may be ten times easier than the other, and nobody knows which. Mostly they are alike, and what
both do is done twice. So the one goes on that has proved more, as long as it is not far ahead in what it has cost.
Either proves alone that nothing is shorter, when all its cheaper states are used up. What one of them is done
with, the other need not go through again (Pijls and Post, 2009). A search that goes on for long looks at each state
twice, the second time with larger tables: what costs more than it seemed waits until its turn comes.
"""

from collections.abc import Mapping

import numpy as np

from .closed import NEVER, Closed, States
from .herds import Steps, Waiting
from .patterns import Patterns, patterns_of
from .puzzle import Found, Puzzle, Unfinished

__all__ = ["search"]

ALONE = 30_000
"""States that the forward search expands before the other one joins: it costs about as much to get ready."""
LEAD = 6
"""How many times as much as the other one a search may have done."""
HARD = 60_000
"""States that a search expands before it makes larger tables: they take about as long."""
SMALL_TABLES, LARGE_TABLES = (16, 4), (20, 4)
"""Bits of a state in a table, and in how many ways geoms are grouped. Tables of 64 KB, made in a millisecond, are for
all states; those of 1 MB for states that are about to be expanded, a sixth of all."""
EXPANDED = 4_000_000
"""States that may be expanded by both, 9 bytes each in tables that are a quarter full at least: up to 190 MB in all."""
WAITING = 20_000_000
"""States that may be met and not yet expanded, 8 bytes each: 160 MB."""


class _Side:
    """One of the two searches: from its origin to where the puzzle ends."""

    def __init__(self, puzzle: Puzzle, origin: int) -> None:
        self.closed, self.waiting = Closed(), Waiting()
        self._puzzle, self._origin, self._steps = puzzle, puzzle.cells(origin), Steps(puzzle)
        self._bounds, self._sharper = self._patterns(SMALL_TABLES), None  # type: Patterns, Patterns | None
        first = np.array([origin], np.uint64)
        self.waiting.add(int(self._bounds.of(first)[0]), 0, first)

    def _patterns(self, tables: tuple[int, int]) -> Patterns:
        return patterns_of(self._puzzle.size, self._origin, self._puzzle.goal, *tables)

    def take(self, best: int | None) -> tuple[int, int, States]:
        """Take some of the cheapest that were not taken before; what turns out to cost more has to wait again."""
        cost, moves, states = self.waiting.take()
        states = states[self.closed.moves(states) == NEVER]
        if self._sharper is None and self.closed.count > HARD:
            self._sharper = self._patterns(LARGE_TABLES)
        if self._sharper is not None:
            bounds = self._sharper.of(states)
            dearer = bounds > cost - moves
            for bound in sorted(set(bounds[dearer].tolist())):
                if best is None or moves + bound < best:
                    self.waiting.add(moves + bound, moves, states[bounds == bound])
            states = states[~dearer]
        self.closed.add(states, moves)
        return cost, moves, states

    def expand(self, cost: int, moves: int, states: States, best: int | None) -> None:
        """Let wait what one more move leads to, unless it costs as much as the best solution."""
        after = self._steps(states)
        dearer = self._bounds.of(after) >= cost - moves
        for more, those in ((0, ~dearer), (2, dearer)):
            if best is None or cost + more < best:
                self.waiting.add(cost + more, moves + 1, after[those])

    def moves_to(self, state: int) -> int:
        """Return the moves from the origin to a state, ``NEVER`` if this side has not been there."""
        return int(self.closed.moves(np.array([state], np.uint64))[0])

    def way_to(self, state: int) -> list[int]:
        """Return states that led here, from the origin; of several ways that whose states are the smallest numbers."""
        way = [state]
        for moves in range(self.moves_to(state) - 1, -1, -1):
            before = np.array(sorted(self._puzzle.neighbours(way[-1])), np.uint64)
            way.append(int(before[self.closed.moves(before) == moves][0]))
        return way[::-1]


class _Known:
    """Distances that were known before."""

    def __init__(self, known: Mapping[int, int]) -> None:
        self._states = np.array(sorted(known), np.uint64)
        self._left = np.array([known[int(state)] for state in self._states], np.uint8)

    def moves(self, states: States) -> np.typing.NDArray[np.uint8]:
        places = np.searchsorted(self._states, states).clip(max=len(self._states) - 1)
        return np.where(self._states[places] == states, self._left[places], np.uint8(NEVER))


def search(puzzle: Puzzle, start: int, known: Mapping[int, int], *, below: int | None) -> Found | None:
    """Find a shortest solution; see :func:`plain.search`.

    Raises:
        Unfinished: it would take more states than may be stored, or 400 MB.
    """
    ends, best, meeting = _Known(known), below, start
    forward, backward = _Side(puzzle, start), None  # type: _Side, _Side | None
    while True:
        if backward is None and forward.closed.count > ALONE:
            backward = _Side(Puzzle(puzzle.size, puzzle.cells(start)), puzzle.solved)
        sides = [forward, backward] if backward else [forward]
        costs = [side.waiting.cheapest() for side in sides]
        if None in costs or (best is not None and max(cost for cost in costs if cost is not None) >= best):
            break
        side = _next(sides)
        cost, moves, states = side.take(best)
        left = ends.moves(states) if side is forward else forward.closed.moves(states)
        if side is forward and backward:
            left = np.minimum(left, backward.closed.moves(states))
        met = left != NEVER
        if met.any():
            totals = moves + left[met].astype(np.int64)
            if best is None or totals.min() < best:
                best, meeting = int(totals.min()), int(states[met][totals.argmin()])
            states = states[~met]
        side.expand(cost, moves, states, best)
        expanded, waiting = (
            sum(part) for part in zip(*((s.closed.count, s.waiting.count) for s in sides), strict=True)
        )
        if expanded > EXPANDED or waiting > WAITING:
            raise Unfinished(expanded)
    if best is None or best == below:
        return None
    way = forward.way_to(meeting)
    if backward and len(way) - 1 + backward.moves_to(meeting) == best:  # else the rest of the way was known before
        way += backward.way_to(meeting)[-2::-1]
    return Found(best, tuple(way))


def _next(sides: list[_Side]) -> _Side:
    """Return the search that goes on: the one that has proved more, the first one if they are even."""
    leader, *others = sorted(sides, key=lambda side: -(side.waiting.cheapest() or 0))
    for other in others:
        if leader.closed.count > LEAD * other.closed.count:
            return other
    return leader
