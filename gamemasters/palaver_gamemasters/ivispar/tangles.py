"""Boards whose geoms are in each other's way: looked for step by step, as they are too rare to come up by chance.

Among all positions of four geoms on the benchmark's board, one in a few thousand has an interference of two, and hardly
any of these the path that is asked for. So a board is taken as it comes and changed, a geom or two at a time, as long
as it gets no worse: nearer to the interference that is asked for, and to the sum of ways. On crowded boards no change
is needed: there, geoms are in each other's way wherever they go.
"""

from dataclasses import replace

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .board import DIRECTIONS, Board, Cell, Position
from .solver import Distances

__all__ = ["tangled"]

PATIENCE = 150
"""Changes in a row that make nothing better before a search begins anew."""
CROWDED = 4
"""A board is crowded if not even one cell in so many is free. Changes would make it too hard to solve."""
DETOUR = 4
"""By how much the sum of ways may pass what is asked for, on the way there."""


def tangled(board: Board, path: int, interference: int, dice: Dice) -> tuple[Board | None, int]:
    """Look for a board with a path and an interference.

    Args:
        board: whose geoms and goal the search begins with; where they start does not matter.
        path: moves of its shortest solution.
        interference: pairs of them that geoms in each other's way cost.
        dice: what to change.

    Returns:
        The board, None if patience ran out before; and how many boards were solved.
    """
    ways = path - 2 * interference
    now = replace(board, start=_strolled(board, path, dice))
    best, solved, idle = _cost(now, path, interference), 1, 0
    free = board.size**2 - len(board.geoms)
    patience = PATIENCE if free * CROWDED >= board.size**2 else 0
    while best and idle < patience:
        idle += 1
        changed = _changed(now, dice)
        if not 0 < changed.manhattan(changed.start) <= ways + DETOUR:
            continue
        solved += 1
        cost = _cost(changed, path, interference)
        if cost <= best:
            now, best, idle = changed, cost, idle if cost == best else 0
    return (None if best else now), solved + idle


def _strolled(board: Board, moves: int, dice: Dice) -> Position:
    """Make random moves from the goal, so that the board can be solved in as many; none takes the last one back."""
    before = now = board.goal
    for _ in range(moves):
        choices = [after for _, _, after in board.moves(now)]
        before, now = now, dice.pick([after for after in choices if after != before] or choices)
    return now


def _cost(board: Board, path: int, interference: int) -> float:
    """Return how far a board is from what is asked for, 0 if it is that."""
    try:
        moves = Distances(board).of(board.start)
    except InstanceError:
        return float("inf")
    ways = board.manhattan(board.start)
    return 2 * abs((moves - ways) // 2 - interference) + abs(ways - path + 2 * interference)


def _changed(board: Board, dice: Dice) -> Board:
    """Put a geom or two elsewhere: a cell away or anywhere, in the start or, less often, in the goal."""
    start, goal = list(board.start), list(board.goal)
    for _ in range(1 + dice.below(2)):
        _put(start if dice.below(3) else goal, board, dice)
    return replace(board, start=tuple(start), goal=tuple(goal))


def _put(cells: list[Cell], board: Board, dice: Dice) -> None:
    geom = dice.below(len(cells))
    if dice.below(2):
        cell = (dice.below(board.size), dice.below(board.size))
    else:
        (x, y), (dx, dy) = cells[geom], dice.pick(tuple(DIRECTIONS.values()))
        cell = (x + dx, y + dy)
    if cell in cells:  # whoever stands there changes places
        cells[cells.index(cell)] = cells[geom]
    if board.holds(cell):
        cells[geom] = cell
