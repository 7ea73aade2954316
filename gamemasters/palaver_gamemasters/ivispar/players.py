"""Players that need no model (iVISPAR, section 4.2): the best there can be, chance, and one that makes mistakes."""

from dataclasses import replace

from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import Player, TurnRequest

from .board import DIRECTIONS, Board, Direction
from .reading import read_board
from .scores import distances_of

__all__ = ["PLAYERS", "best_move", "greedy_player", "optimal_player", "random_player"]

SLIPS = 8
"""The greedy player makes each of its slips once in so many answers."""


def random_player(request: TurnRequest) -> str:
    """Make any legal move, all alike (the paper's random agent)."""
    board = read_board(request.view)
    moves = [(geom, direction) for geom, direction, _ in board.moves(board.start)]
    geom, direction = Dice("random ivispar player", request.seed, request.turn, request.seat).pick(moves)
    return f"action: {_move(board, geom, direction)}"


def optimal_player(request: TurnRequest) -> str:
    """Make a move of a shortest solution."""
    return f"action: {best_move(read_board(request.view))}"


def best_move(board: Board) -> str:
    """Return a move of a shortest solution: ``move blue sphere right``.

    Raises:
        InstanceError: the solver finds none.
    """
    known = distances_of(replace(board, start=board.goal))  # one for all steps of an episode
    following = known.path(board.start)[1]
    geom, direction = next((geom, way) for geom, way, after in board.moves(board.start) if after == following)
    return _move(board, geom, direction)


def greedy_player(request: TurnRequest) -> str:
    """Send a geom straight towards its goal, whoever stands in its way; now and then slip, as models do.

    Slips are an answer without an action, an action in other words than it was told, and a wrong direction. It never
    looks at what failed before.
    """
    board = read_board(request.view)
    dice = Dice("greedy ivispar player", request.seed, request.turn, request.seat)
    slip = dice.below(SLIPS)
    if slip == 0:
        return "All of them are almost where they belong."
    wanted = [
        (geom, direction)
        for geom, (now, goal) in enumerate(zip(board.start, board.goal, strict=True))
        for direction, (dx, dy) in DIRECTIONS.items()
        if dx * (goal[0] - now[0]) + dy * (goal[1] - now[1]) > 0
    ]
    geom, direction = dice.pick(wanted)
    if slip == 1:
        return f"action: move the {board.geoms[geom]} one cell {direction}"
    if slip == 2:  # it takes one direction for another, and may run out of the board
        direction = dice.pick(tuple(DIRECTIONS))
    return f"The {board.geoms[geom]} has to go {direction}.\naction: {_move(board, geom, direction)}"


def _move(board: Board, geom: int, direction: Direction) -> str:
    return f"move {board.geoms[geom]} {direction}"


PLAYERS: dict[str, Player] = {"random": random_player, "optimal": optimal_player, "scripted": greedy_player}
