"""The states that a search in numpy is done with, and after how many moves each was met: a hash table."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["NEVER", "Closed", "Counts", "States"]

States = NDArray[np.uint64]
Counts = NDArray[np.uint8]

NEVER = 255
"""Stands for the moves to a state that is not in the table."""
EMPTY = np.uint64(2**64 - 1)
"""No state: all geoms would stand in one cell."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio: its products are spread well in their upper bits (Knuth, volume 3, section 6.4)."""


class Closed:
    """A growing table with open addressing, at most half full; whole arrays go in and out at a time."""

    def __init__(self, width: int = 16) -> None:
        self._make(width)
        self.count = 0

    def _make(self, width: int) -> None:
        self._width = width
        self._states = np.full(1 << width, EMPTY)
        self._moves: Counts = np.zeros(1 << width, np.uint8)

    def moves(self, states: States) -> Counts:
        """Return after how many moves each state was met, or ``NEVER``."""
        found: Counts = np.full(len(states), NEVER, np.uint8)
        slots, left = self._slots(states), np.arange(len(states))
        while len(left):
            there = self._states[slots]
            same = there == states
            found[left[same]] = self._moves[slots[same]]
            on = np.flatnonzero(~same & (there != EMPTY))
            left, states, slots = left[on], states[on], self._next(slots[on])
        return found

    def add(self, states: States, moves: int) -> None:
        """Store new states, all different, that were met after so many moves."""
        width = self._width
        while 2 * (self.count + len(states)) > 1 << width:
            width += 1
        if width > self._width:
            old, counts = self._states, self._moves
            self._make(width)
            full = old != EMPTY
            self._put(old[full], counts[full])
        self._put(states, np.full(len(states), moves, np.uint8))
        self.count += len(states)

    def _put(self, states: States, moves: Counts) -> None:
        slots = self._slots(states)
        while len(states):
            free = np.flatnonzero(self._states[slots] == EMPTY)
            # Of several that claim a slot, one is written last. Whoever is not there afterwards tries the next slot.
            self._states[slots[free]] = states[free]
            won = self._states[slots] == states
            self._moves[slots[won]] = moves[won]
            lost = ~won
            states, moves, slots = states[lost], moves[lost], self._next(slots[lost])

    def _slots(self, states: States) -> NDArray[np.int64]:
        return ((states * SPREAD) >> np.uint64(64 - self._width)).astype(np.int64)

    def _next(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        return (slots + 1) & ((1 << self._width) - 1)
