"""How well a walker has walked: the measures of sections 5.5 and 8.3, from the moves that were logged.

A move is good that begins a shortest walk to all that the walker has heard of; the efficiency is the share of good
moves, the exploration that of rooms visited.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from .search import Edge, Node, best_first_edges, true_first_edges

__all__ = ["Walked", "harmonic", "walked"]


@dataclass(frozen=True)
class Walked(Generic[Node]):
    """What there is to measure of a walk. ``good`` says of each move whether it was one of the best."""

    rooms: int
    visited: frozenset[Node]
    seen: frozenset[Node]
    good: tuple[bool, ...]
    valid: int
    last: Node

    @property
    def complete(self) -> bool:
        """Whether all rooms were visited."""
        return len(self.visited) == self.rooms

    @property
    def efficiency(self) -> float:
        """The share of good moves, in per cent; 0 where there were no moves."""
        return 100 * sum(self.good) / max(len(self.good), 1)

    @property
    def exploration(self) -> float:
        """The share of rooms that were visited, in per cent."""
        return 100 * len(self.visited) / self.rooms

    @property
    def quality(self) -> float:
        """The harmonic mean of efficiency and exploration."""
        return harmonic(self.efficiency, self.exploration)

    @property
    def moves(self) -> dict[str, float]:
        """Numbers of moves, by their published names."""
        return {
            "moves": float(len(self.good)),
            "valid_moves": float(self.valid),
            "invalid_moves": float(len(self.good) - self.valid),
        }


def harmonic(a: float, b: float) -> float:
    """Return the harmonic mean of two numbers that are not negative; 0 if one of them is."""
    return 2 * a * b / (a + b) if a + b else 0.0


def walked(
    rooms: Iterable[Node],
    edges: Sequence[Edge[Node]],
    start: Node,
    moves: Sequence[tuple[Node | None, Node]],
    *,
    clean: bool,
    known_only: bool,
) -> Walked[Node]:
    """Measure a walk. Moves against a wall, and those after all rooms were visited, are bad ones.

    Args:
        rooms: all of the map.
        edges: both directions of every connection.
        start: where it begins.
        moves: that were logged, in order: from a room to a room, the same one where there was no way.
        clean: whether the shortest walks are those of the paper, through doors that the walker can know of, and not
            those that v1.6.5 finds.
        known_only: whether v1.6.5 knows only such doors as well.
    """
    beside = {room: {b for a, b in edges if a == room} for room in rooms}
    here, visited, seen = start, {start}, {start} | beside[start]
    good: list[bool] = []
    for _, new in moves:
        best = true_first_edges if clean else best_first_edges
        on = len(visited) < len(beside)
        # v1.6.5 goes by the room that it has tracked itself, not by the one that was logged: so a move that was logged
        # twice is none of the edges
        good.append(on and (here, new) in best(edges, here, visited, known_only=known_only or clean))
        here = new
        visited.add(new)
        seen |= {new} | beside[new]
    valid = sum(old != new for old, new in moves)
    return Walked(len(beside), frozenset(visited), frozenset(seen), tuple(good), valid, here)
