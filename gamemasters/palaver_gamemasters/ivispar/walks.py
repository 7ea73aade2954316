"""Random walks that lead away from a board's goal (iVISPAR, section 4.1): where a new board starts."""

from palaver_gamemasters.dice import Dice

from .board import Board, Position

__all__ = ["straight_walk"]


def straight_walk(board: Board, moves: int, dice: Dice) -> tuple[Position | None, int]:
    """Walk so that each move takes a geom a cell further away from its goal, in columns or in rows.

    After so many moves the position is exactly so far away, and no solver is needed to know it: there is a solution of
    that many moves, the walk itself, and no shorter one, because a move brings one geom nearer by one cell at best.

    Args:
        board: whose goal the walk begins at.
        moves: how many to make.
        dice: where to turn.

    Returns:
        Where the walk ends, None if it got stuck before; and how many moves were tried.
    """
    now = board.goal
    for walked in range(moves):
        further = [after for _, _, after in board.moves(now) if board.manhattan(after) > walked]
        if not further:
            return None, walked + 1
        now = dice.pick(further)
    return now, moves
