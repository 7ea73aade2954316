"""What an action does to the board, and of which class it is (iVISPAR, sections 3 and 5; figure 6)."""

from dataclasses import dataclass
from typing import Literal

from .board import Blocked, Board, Position
from .commands import Order, action_in, loosely, spoken, strictly

__all__ = ["Failure", "Step", "performed"]

Failure = Literal["occupied", "out_of_bounds", "illegal", "malformed"]
"""OD, OB and IC of the paper, and ours: a command that names no geom, or no direction, or is no command at all by the
strict grammar. The published program counts the last in no class."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action.

    ``action`` is what was made out of the answer, None if nothing was. A step moves as often as ``moved`` says: once or
    not at all, unless ``compat`` read a repetition. ``occupied`` and ``out_of_bounds`` count the moves that failed.
    """

    action: str | None
    before: Position
    after: Position
    moved: int = 0
    occupied: int = 0
    out_of_bounds: int = 0
    failure: Failure | None = None


def performed(board: Board, position: Position, answer: str, *, compat: bool, ours: bool) -> Step:
    """Do what an agent says.

    Args:
        board: the board.
        position: where the geoms stand.
        answer: all that the agent said.
        compat: whether it is read as the published simulator reads it.
        ours: whether agents may use our names for schematic cones and prisms.
    """
    action = action_in(answer, ours=ours and not compat)
    if action is None:
        return Step(None, position, position, failure="illegal")
    order = loosely(action) if compat else strictly(action)
    geom = _geom(board, order, ours=ours and not compat)
    if order is None or geom is None or order.direction is None or order.times < 1:
        return Step(action, position, position, failure="malformed")
    now, moved = position, 0
    blocked: Blocked | None = None
    while moved < order.times and blocked is None:
        after = board.slide(now, geom, order.direction)
        if isinstance(after, str):
            blocked = after
        else:
            now, moved = after, moved + 1
    failed = order.times - moved  # a move that fails once fails as often as it is repeated
    return Step(
        action,
        position,
        now,
        moved,
        occupied=failed if blocked == "occupied" else 0,
        out_of_bounds=failed if blocked == "out_of_bounds" else 0,
        failure=None if moved else blocked,
    )


def _geom(board: Board, order: Order | None, *, ours: bool) -> int | None:
    """Find the geom that is meant. Names are compared as they are said: marks such as that of ``#ff8800`` are lost."""
    if order is None:
        return None
    said = (order.colour, order.shape)
    names = [(spoken(geom.colour, ours=ours), spoken(geom.shape, ours=ours)) for geom in board.geoms]
    return names.index(said) if said in names else None
