"""The measures of The Collaboration Gap (section 2 and appendix C), of one graded episode."""

from palaver_gamemasters.game import Scores

from .grading.grader import Grade
from .grid import Maze

__all__ = ["measure"]


def measure(maze: Maze, grade: Grade, messages: int) -> Scores:
    """Measure an episode.

    ``success`` is 1 if the legal route leads from start to goal, else 0. ``weighted_outcome`` is (a - b) / a, where a
    is the shortest path from the start to the goal and b that from the last valid position, both over the whole maze:
    1 on success, 0 for staying, negative for having moved away. ``moves`` counts legal moves, ``messages`` what was
    said.

    Args:
        maze: the whole maze, in which the goal can be reached.
        grade: its route begins at the start cell and is legal.
        messages: number of messages that the agents uttered.
    """
    far, left = maze.to_goal[maze.start], maze.to_goal[grade.route[-1]]
    return {
        "success": float(left == 0),
        "weighted_outcome": (far - left) / far,
        "moves": float(len(grade.route) - 1),
        "messages": float(messages),
    }
