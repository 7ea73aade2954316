"""Players that need no model (iVISPAR, section 4.2): the best there can be, and chance."""

from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import Player, TurnRequest

from .board import Board, Direction
from .reading import read_board
from .solver import Distances

__all__ = ["PLAYERS", "optimal_player", "random_player"]


def random_player(request: TurnRequest) -> str:
    """Make any legal move, all alike (the paper's random agent)."""
    board = read_board(request.view)
    moves = [(geom, direction) for geom, direction, _ in board.moves(board.start)]
    geom, direction = Dice("random ivispar player", request.seed, request.turn, request.seat).pick(moves)
    return _said(board, geom, direction)


def optimal_player(request: TurnRequest) -> str:
    """Make a move of a shortest solution."""
    board = read_board(request.view)
    following = Distances(board).path(board.start)[1]
    geom, direction = next((geom, way) for geom, way, after in board.moves(board.start) if after == following)
    return _said(board, geom, direction)


def _said(board: Board, geom: int, direction: Direction) -> str:
    return f"action: move {board.geoms[geom]} {direction}"


PLAYERS: dict[str, Player] = {"random": random_player, "optimal": optimal_player, "scripted": optimal_player}
