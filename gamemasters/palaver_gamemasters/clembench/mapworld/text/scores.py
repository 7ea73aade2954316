"""What is measured of a textual walk beside the moves (section 8.3), by its published names."""

from collections.abc import Sequence
from typing import NamedTuple

from palaver_gamemasters.clembench.mapworld.walk import Walked
from palaver_gamemasters.game import Scores

__all__ = ["Deed", "loops_of", "scores_of"]

IN_A_LOOP = 4
"""So many rooms in a row, of which fewer than three differ, are a loop."""


class Deed(NamedTuple):
    """A move as it is logged: from where to where. v1.6.5 can log None as the room before the first."""

    old: str | None
    new: str


def scores_of(walk: Walked[str], loops: int) -> Scores:
    """Return the measures of a walk with so many loops."""
    return {
        **walk.moves,
        "loops": float(loops),
        "number_visited": float(len(walk.visited)),
        "seen": float(len(walk.seen)),
        "efficiency": walk.efficiency,
        "exploration": walk.exploration,
    }


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
