"""How well a walker has walked: the measures of section 5.5, from the moves that were logged."""

from collections.abc import Sequence
from dataclasses import dataclass

from .maps import Place
from .multimodal_setup import MultimodalSetup
from .search import best_first_edges, true_first_edges

__all__ = ["Move", "Walked", "harmonic", "walked"]

Move = tuple[Place, Place]
"""From a room to a room; the same one twice where there was no way."""


@dataclass(frozen=True)
class Walked:
    """What there is to measure of a walk. ``good`` says of each move whether it was one of the best."""

    rooms: int
    visited: frozenset[Place]
    seen: frozenset[Place]
    good: tuple[bool, ...]
    valid: int

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
    def counts(self) -> dict[str, float]:
        """Moves and rooms, by their published names."""
        return {
            "moves": float(len(self.good)),
            "valid_moves": float(self.valid),
            "invalid_moves": float(len(self.good) - self.valid),
            "visited": float(len(self.visited)),
            "seen": float(len(self.seen)),
        }


def harmonic(a: float, b: float) -> float:
    """Return the harmonic mean; 0 if both are."""
    return 2 * a * b / (a + b) if a + b else 0.0


def walked(setup: MultimodalSetup, moves: Sequence[Move], *, clean: bool) -> Walked:
    """Measure a walk. Moves against a wall, and those after all rooms were visited, are bad ones.

    Args:
        setup: the map.
        moves: in order.
        clean: whether the shortest walks are those of the paper, not those that v1.6.5 finds.
    """
    best = true_first_edges if clean else best_first_edges
    visited = {setup.start}
    seen = {setup.start, *setup.beside(setup.start)}
    good: list[bool] = []
    for old, new in moves:
        on = old != new and len(visited) < len(setup.nodes)
        good.append(on and (old, new) in best(setup.edges, old, visited, known_only=True))
        visited.add(new)
        seen.update(setup.beside(new))
    valid = sum(old != new for old, new in moves)
    return Walked(len(setup.nodes), frozenset(visited), frozenset(seen), tuple(good), valid)
