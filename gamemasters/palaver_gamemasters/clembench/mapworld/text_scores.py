"""How well a walker has explored a textual map (section 8.3). Pure functions of what was logged.

A move is good that begins a shortest walk to all that the walker has heard of; the efficiency is the share of good
moves, the exploration that of rooms visited.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaver_gamemasters.game import Scores

from .search import best_first_edges, true_first_edges
from .text_setup import TextMap

__all__ = ["Deed", "Walked", "harmonic", "loops_of", "walked"]

IN_A_LOOP = 4
"""So many rooms in a row, of which fewer than three differ, are a loop."""


class Deed(NamedTuple):
    """A move as it is logged: from where to where. v1.6.5 can log None as the room before the first."""

    old: str | None
    new: str


@dataclass(frozen=True)
class Walked:
    """What a walk came to. ``efficiency`` and ``exploration`` are per cent."""

    moves: int
    valid: int
    visited: frozenset[str]
    seen: frozenset[str]
    efficiency: float
    exploration: float
    loops: int
    last: str

    @property
    def complete(self) -> bool:
        """Whether all rooms were visited."""
        return self.exploration == 100

    @property
    def quality(self) -> float:
        """The harmonic mean of efficiency and exploration."""
        return harmonic(self.efficiency, self.exploration)

    @property
    def scores(self) -> Scores:
        """The measures by their published names."""
        return {
            "moves": float(self.moves),
            "valid_moves": float(self.valid),
            "invalid_moves": float(self.moves - self.valid),
            "loops": float(self.loops),
            "number_visited": float(len(self.visited)),
            "seen": float(len(self.seen)),
            "efficiency": self.efficiency,
            "exploration": self.exploration,
        }


def harmonic(a: float, b: float) -> float:
    """Return the harmonic mean of two numbers that are not negative; 0 if one of them is."""
    return 2 * a * b / (a + b) if a + b else 0.0


def walked(map_: TextMap, start: str, deeds: Sequence[Deed], *, clean: bool, forgetful: bool = False) -> Walked:
    """Follow a walk.

    Args:
        map_: the map.
        start: where it begins.
        deeds: the moves that were logged.
        clean: moves are good by true shortest walks through the rooms that the walker can know of. Else, as v1.6.5 has
            it, by the restricted walks of section 5.5, through edges that nobody has seen as well.
        forgetful: whether rooms that made a loop are forgotten (:func:`loops_of`).
    """
    here, visited, seen, good = start, {start}, {start} | map_.beside(start), 0
    for _, new in deeds:
        best = true_first_edges if clean else best_first_edges
        # v1.6.5 goes by the room that it has tracked itself, not by the one that was logged: so a move that was logged
        # twice is none of the edges
        if len(visited) < len(map_.nodes) and (here, new) in best(map_.edges, here, visited, known_only=clean):
            good += 1
        here = new
        visited.add(new)
        seen |= {new} | map_.beside(new)
    return Walked(
        moves=len(deeds),
        valid=sum(old != new for old, new in deeds),
        visited=frozenset(visited),
        seen=frozenset(seen),
        efficiency=good / len(deeds) * 100 if deeds else 0.0,
        exploration=len(visited) / len(map_.nodes) * 100,
        loops=loops_of(start, [new for _, new in deeds], forgetful=forgetful),
        last=here,
    )


def loops_of(start: str, rooms: Sequence[str], *, forgetful: bool) -> int:
    """Count the moves after which the last four rooms are fewer than three different ones.

    Args:
        start: where the walk began.
        rooms: where each move led.
        forgetful: whether the rooms so far are forgotten with each one that counts (``textmapworld_specificroom``).
    """
    found, last = 0, [start]
    for room in rooms:
        last.append(room)
        if len(last) >= IN_A_LOOP and len(set(last[-IN_A_LOOP:])) < 3:
            found += 1
            last = [] if forgetful else last
    return found
