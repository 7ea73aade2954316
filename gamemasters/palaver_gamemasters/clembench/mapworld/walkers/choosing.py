"""Where a walker goes next: at random, to the nearest room that it has not seen, or as the score would have it."""

from collections import deque
from collections.abc import Callable

from palaver_gamemasters.clembench.mapworld.search import best_first_edges
from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest

from .known import Cell, Known, beside

__all__ = ["DONE", "Choice", "at_random", "by_the_score", "to_the_nearest"]

DONE = "DONE"
LAST = 19
"""The last answer in which a walker can stop without being cut off: with pictures, the twentieth comes too late."""

Choice = Callable[[Known, TurnRequest], str]
"""Returns a direction, or :data:`DONE`."""


def at_random(known: Known, request: TurnRequest) -> str:
    """Go through any of the doors, or stop: each as likely as the others."""
    dice = Dice("mapworld walker", request.seed, request.turn, request.seat)
    return dice.pick((*known.doors.get(known.here, ()), DONE))


def to_the_nearest(known: Known, _: TurnRequest) -> str:
    """Go to the nearest room that was not entered yet; stop at the goal, or when there is none left."""
    return DONE if _is_over(known) else _towards(known, known.frontier)


def by_the_score(known: Known, _: TurnRequest) -> str:
    """Make a step that the efficiency score calls good, as far as the map is known; stop as above."""
    if _is_over(known):
        return DONE
    good = {room for _, room in best_first_edges(known.edges, known.here, known.visited, known_only=True)}
    fitting = [door for door in known.doors[known.here] if beside(known.here, door) in good]
    return fitting[0] if fitting else _towards(known, known.frontier)


def _is_over(known: Known) -> bool:
    return known.at_goal or not known.frontier or known.answers + 1 >= LAST or known.here not in known.doors


def _towards(known: Known, rooms: tuple[Cell, ...]) -> str:
    """Return the first step of a shortest way over visited rooms to any of these."""
    first: dict[Cell, str] = {}
    queue = deque([known.here])
    while queue:
        room = queue.popleft()
        for door in known.doors.get(room, ()):
            beyond = beside(room, door)
            if beyond in first or beyond == known.here:
                continue
            first[beyond] = first.get(room, door)
            if beyond in rooms:
                return first[beyond]
            queue.append(beyond)
    return DONE
