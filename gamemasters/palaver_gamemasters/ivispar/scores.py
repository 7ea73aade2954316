"""The measures of an episode (iVISPAR, section 4.6 and figure 5), from how far each position is from the goal."""

from collections.abc import Sequence
from functools import lru_cache

from palaver_gamemasters.game import Scores

from .actions import Step
from .board import Board, Position
from .solver import Distances

__all__ = ["distances_of", "measure", "regrets"]


@lru_cache(maxsize=512)
def distances_of(board: Board) -> Distances:
    """Return what is known of a board's distances; what has been worked out for one step serves all others."""
    return Distances(board)


def regrets(distances: Sequence[int]) -> list[int]:
    """Return how much further the agent is than an optimal one after the same number of steps, from step 0.

    An optimal agent that has arrived stays there. (The published program lets it go on below zero.)
    """
    return [left - max(distances[0] - step, 0) for step, left in enumerate(distances)]


def measure(board: Board, steps: Sequence[Step], position: Position) -> Scores:
    """Measure an episode as it stands.

    Returns:
        ``solved`` and ``success``: 1 if all geoms stand at their goals. ``optimal_length``: moves of a shortest solution
        (the study's path length). ``interference``: pairs of moves by which that is longer than if no geom were in
        another's way. ``step_deviation``: the distance from the goal after so many steps as an optimal agent takes, 0
        if it was reached before, as published; None if the episode has not come so far. ``regret``: the mean of
        :func:`regrets`. ``excess``: moves beyond the optimum, of solved episodes. ``closest``: the smallest distance that
        was reached. ``progress``: the share of the way that lies behind, 1 at the goal, below 0 beyond the start.
        ``effective`` and ``ineffective``: steps that led nearer to the goal, or away from it; ``occupied``,
        ``out_of_bounds``, ``illegal`` and ``malformed``: steps that failed, by class. Without ``compat`` each step is in
        exactly one of the six.
    """
    known = distances_of(board)
    distances = [known.of(each) for each in (board.start, *(step.after for step in steps))]
    optimal, solved = distances[0], position == board.goal
    pairs = list(zip(distances, distances[1:], strict=False))
    return {
        "success": float(solved),
        "solved": float(solved),
        "optimal_length": float(optimal),
        "interference": float((optimal - board.manhattan(board.start)) // 2),
        "step_deviation": _at(distances, optimal),
        "regret": sum(regrets(distances)) / len(distances),
        "excess": float(len(steps) - optimal) if solved else None,
        "closest": float(min(distances)),
        "progress": 1 - distances[-1] / optimal,
        "effective": float(sum(after < before for before, after in pairs)),
        "ineffective": float(sum(after > before for before, after in pairs)),
        "occupied": float(sum(step.occupied for step in steps)),
        "out_of_bounds": float(sum(step.out_of_bounds for step in steps)),
        "illegal": float(sum(step.failure == "illegal" for step in steps)),
        "malformed": float(sum(step.failure == "malformed" for step in steps)),
    }


def _at(distances: Sequence[int], step: int) -> float | None:
    if step < len(distances):
        return float(distances[step])
    return 0.0 if distances[-1] == 0 else None
