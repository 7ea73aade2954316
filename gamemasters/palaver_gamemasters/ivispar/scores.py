"""The measures of an episode (iVISPAR, section 4.6 and figure 5), from how far each position is from the goal."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Literal

from palaver_gamemasters.game import Scores
from palaver_protocols.errors import InstanceError

from .actions import Step
from .board import Board, Position
from .solver import Distances

__all__ = ["CLASSES", "Class", "classes", "distance", "distances", "distances_of", "measure", "progress", "regrets"]

Class = Literal["effective", "ineffective", "occupied", "out_of_bounds", "illegal", "malformed"]
CLASSES: tuple[Class, ...] = ("effective", "ineffective", "occupied", "out_of_bounds", "illegal", "malformed")
"""EM, IM, OD, OB and IC of the paper, and ours: what the published program counts in no class."""

Distance = int | None
"""Moves of a shortest solution; None where the solver does not find it, or there is none."""


@lru_cache(maxsize=512)
def distances_of(board: Board) -> Distances:
    """Return what is known of a board's distances; what has been worked out for one step serves all others."""
    return Distances(board)


@lru_cache(maxsize=16_384)
def distance(board: Board, position: Position) -> Distance:
    """Return how far a position is from the board's goal. Threads may ask at once."""
    try:
        with _lock_of(board):
            return distances_of(board).of(position)
    except InstanceError:
        return None


@lru_cache(maxsize=512)
def _lock_of(board: Board) -> Lock:
    return Lock()


def distances(board: Board, steps: Sequence[Step]) -> tuple[Distance, ...]:
    """Return how far the board is from its goal: at the start, and after each step.

    Once the solver has given up, it is asked no more: it would work as long for each of the positions that follow.
    """
    found: list[Distance] = []
    known = True
    for position in (board.start, *(step.after for step in steps)):
        found.append(distance(board, position) if known or position == board.goal else None)
        known = known and found[-1] is not None
    return tuple(found)


def classes(board: Board, steps: Sequence[Step]) -> tuple[Class | None, ...]:
    """Return of which class each step is.

    A step with several moves (``compat``) is of the class of what it came to, and of that of its failure if it came to
    nothing. None: the step moved, and it is not known whether nearer to the goal, or it came no nearer or farther.
    """
    known = distances(board, steps)
    return tuple(_class(step, before, after) for step, before, after in zip(steps, known, known[1:], strict=False))


def _class(step: Step, before: Distance, after: Distance) -> Class | None:
    if step.failure is not None:
        return step.failure
    if before is None or after is None or before == after:
        return None
    return "effective" if after < before else "ineffective"


def regrets(distances: Sequence[int], *, clamped: bool = True) -> list[int]:
    """Return how much further the agent is than an optimal one after the same number of steps, from step 0.

    Args:
        distances: from the goal, at the start and after each step.
        clamped: an optimal agent that has arrived stays there. The published program lets it go on below zero, so that
            the last regret of a solved episode is the number of moves beyond the optimum.
    """
    return [
        left - (max(distances[0] - step, 0) if clamped else distances[0] - step) for step, left in enumerate(distances)
    ]


def progress(board: Board, position: Position) -> float | None:
    """Return the share of the way that lies behind: 1 at the goal, below 0 beyond the start; None if not known."""
    if position == board.goal:
        return 1.0
    optimal = distance(board, board.start)
    left = None if optimal is None else distance(board, position)
    return None if optimal is None or left is None else 1 - left / optimal


def measure(board: Board, steps: Sequence[Step], position: Position) -> Scores:
    """Measure an episode as it stands.

    Returns:
        ``solved`` and ``success``: 1 if all geoms stand at their goals. ``optimal_length``: moves of a shortest
        solution (the study's path length). ``interference``: pairs of moves by which that is longer than if no geom
        were in another's way. ``step_deviation``: the distance from the goal after so many steps as an optimal agent
        takes, 0 if it was reached before, as published; None if the episode has not come so far. ``regret``: the mean
        of :func:`regrets`. ``excess``: moves beyond the optimum, of solved episodes. ``closest``: the smallest distance
        that was reached. ``progress``: see :func:`progress`. ``effective`` and ``ineffective``: steps that led nearer
        to the goal, or away from it; ``occupied``, ``out_of_bounds``, ``illegal`` and ``malformed``: steps that failed,
        by class. Without ``compat`` each step is in exactly one of the six; with it, each move that failed counts.
        What needs a distance that is not known is None.
    """
    known = distances(board, steps)
    optimal, solved = known[0], position == board.goal
    whole = [each for each in known if each is not None]
    complete = len(whole) == len(known)
    found = Counter(classes(board, steps))
    return {
        "success": float(solved),
        "solved": float(solved),
        "optimal_length": _number(optimal),
        "interference": None if optimal is None else float((optimal - board.manhattan(board.start)) // 2),
        "step_deviation": None if optimal is None else _at(known, optimal),
        "regret": sum(regrets(whole)) / len(whole) if complete else None,
        "excess": float(len(steps) - optimal) if solved and optimal is not None else None,
        "closest": float(min(whole)) if complete else None,
        "progress": progress(board, position),
        "effective": float(found["effective"]) if complete else None,
        "ineffective": float(found["ineffective"]) if complete else None,
        "occupied": float(sum(step.occupied for step in steps)),
        "out_of_bounds": float(sum(step.out_of_bounds for step in steps)),
        "illegal": float(found["illegal"]),
        "malformed": float(found["malformed"]),
    }


def _at(known: Sequence[Distance], step: int) -> float | None:
    if step < len(known):
        return _number(known[step])
    return 0.0 if known[-1] == 0 else None


def _number(found: Distance) -> float | None:
    return None if found is None else float(found)
