"""Players that need no model and no wits: a random walk, and the shortest path. They mark the ends of the scale."""

import re
from collections.abc import Sequence
from functools import reduce

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest

from .grid import MOVES, Cell, Maze, merge
from .render import read_maps

__all__ = ["optimal_player", "random_player"]

PROPOSAL = re.compile(rf"\bmove ({'|'.join(MOVES)})\b", re.IGNORECASE)


def random_player(request: TurnRequest) -> str:
    """Talk at random: with a partner, agree or not and propose any move; alone, hand in a random walk.

    The dice are seeded by the request's seed, its turn and its seat.
    """
    dice = Dice("random maze player", request.seed, request.turn, request.seat)
    if not request.partners:
        return _solution(_walk(_known(request), dice))
    heard = PROPOSAL.findall(request.view[-1].text) if len(request.view) > 1 else []
    agreed = f"Agreed, we move {heard[-1].lower()}. " if heard and dice.below(2) else ""
    return f"{agreed}I propose that we move {dice.pick(tuple(MOVES))}."


def optimal_player(request: TurnRequest) -> str:
    """Alone, merge the maps and hand in the shortest path; looking it over changes nothing.

    Raises:
        UsageError: it was given a partner.
    """
    if request.partners:
        raise UsageError("the optimal player plays solo settings only", mend="use `scripted` for a pair")
    maze = _known(request)
    solution = _solution(maze.route(maze.start))
    if len(request.view) == 1:
        return solution
    return f"I have checked every step against the map: the path is complete and valid.\n{solution}"


def _known(request: TurnRequest) -> Maze:
    """Return all that the task shows of the maze.

    Raises:
        UsageError: it shows none.
    """
    maps = read_maps(request.view[0].text)
    if not maps:
        raise UsageError("the task shows no map", mend="this player plays the maze game only")
    return reduce(merge, maps)


def _walk(maze: Maze, dice: Dice) -> list[Cell]:
    """Walk over open cells, to the goal or for as many steps as the board has rows and columns."""
    path = [maze.start]
    for _ in range(maze.height + maze.width):
        steps = list(maze.neighbours(path[-1]))
        if path[-1] == maze.goal or not steps:
            break
        path.append(dice.pick(steps))
    return path


def _solution(path: Sequence[Cell]) -> str:
    cells = ", ".join(f"({row}, {column})" for row, column in path)
    return f"Final solution, as (row, column) counted from (0, 0) at the top left:\n[{cells}]"
