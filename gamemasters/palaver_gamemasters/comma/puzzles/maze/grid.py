"""The grid of the maze puzzle: squares, headings, and the ways between them.

Rows are strings of ``#`` (wall) and ``.`` (free), the outermost squares all walls. A cell is (row, column),
counted from (0, 0) at the top left.
"""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

__all__ = [
    "BUTTON",
    "HEADINGS",
    "MOVES",
    "Cell",
    "Pose",
    "Rows",
    "distances",
    "free_cells",
    "moved",
    "poses_to",
    "route",
]

Cell: TypeAlias = tuple[int, int]
Rows: TypeAlias = tuple[str, ...]

HEADINGS = ("up", "right", "down", "left")
"""Clockwise, so that turning right is the next."""
MOVES = ("move_forward", "move_backward", "turn_left", "turn_right")
BUTTON = "press_labyrinth_button"
STEPS: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Pose(NamedTuple):
    """Where the mouse is, and where its nose points: one of :data:`HEADINGS`."""

    cell: Cell
    heading: str


def moved(rows: Rows, pose: Pose, move: str) -> Pose:
    """Return the pose after one of :data:`MOVES`: a step into a wall leaves it as it was."""
    turn = HEADINGS.index(pose.heading)
    if move in ("turn_left", "turn_right"):
        return pose._replace(heading=HEADINGS[(turn + (1 if move == "turn_right" else -1)) % 4])
    down, right = STEPS[turn if move == "move_forward" else (turn + 2) % 4]
    row, column = pose.cell[0] + down, pose.cell[1] + right
    return pose if rows[row][column] == "#" else pose._replace(cell=(row, column))


@lru_cache(maxsize=1024)
def free_cells(rows: Rows) -> tuple[Cell, ...]:
    """Return all squares that are no walls, row by row."""
    return tuple((row, column) for row, line in enumerate(rows) for column, each in enumerate(line) if each == ".")


@lru_cache(maxsize=1024)
def distances(rows: Rows, goal: Cell) -> Mapping[Cell, int]:
    """Return how many squares it is to a goal, from each free square that leads there."""
    found = {goal: 0}
    waiting = deque([goal])
    while waiting:
        row, column = waiting.popleft()
        for down, right in STEPS:
            cell = (row + down, column + right)
            if rows[cell[0]][cell[1]] == "." and cell not in found:
                found[cell] = found[row, column] + 1
                waiting.append(cell)
    return found


def route(rows: Rows, start: Pose, goal: Cell) -> tuple[str, ...] | None:
    """Return the fewest moves that take the mouse to a goal; None if there is no way."""
    came: dict[Pose, tuple[Pose, str]] = {}
    waiting = deque([start])
    while waiting:
        pose = waiting.popleft()
        if pose.cell == goal:
            moves: list[str] = []
            while pose != start:
                pose, move = came[pose]
                moves.append(move)
            return tuple(reversed(moves))
        for move in MOVES:
            following = moved(rows, pose, move)
            if following != start and following not in came:
                came[following] = (pose, move)
                waiting.append(following)
    return None


def poses_to(rows: Rows, goal: Cell) -> Mapping[Pose, int]:
    """Return how many moves it takes to a goal, from each pose: every move can be taken back by another one."""
    found = {Pose(goal, heading): 0 for heading in HEADINGS}
    waiting = deque(found)
    while waiting:
        pose = waiting.popleft()
        for move in MOVES:
            following = moved(rows, pose, move)
            if following not in found:
                found[following] = found[pose] + 1
                waiting.append(following)
    return found
