"""Boards of the sliding geom puzzle by hand, and what answers do to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.actions import Step, performed
from palaver_gamemasters.ivispar.board import Board, Cell, Geom
from palaver_gamemasters.ivispar.game import IvisparState

Placed = Mapping[str, tuple[str, str]]
"""Where each geom starts, and where it is to stand: ``{"blue sphere": ("A1", "C1")}``."""

PAIR: Placed = {"blue sphere": ("A1", "C1"), "red cube": ("D4", "D4")}
"""Two moves to the right for the sphere, and a cube that is at home in the corner."""


def cell(label: str) -> Cell:
    return ord(label[0]) - ord("A"), int(label[1:]) - 1


def a_board(placed: Placed = PAIR, size: int = 4) -> Board:
    geoms = tuple(Geom(*name.split()) for name in placed)
    starts, goals = (tuple(cell(each[which]) for each in placed.values()) for which in (0, 1))
    return Board(size, geoms, starts, goals)


def layout(board: Board, **more: Any) -> dict[str, Any]:
    """Write a board as the study does."""
    return {
        "grid_size": board.size,
        "landmarks": [
            {
                "body": geom.shape,
                "color": geom.colour,
                "start_coordinate": list(start),
                "goal_coordinate": list(goal),
            }
            for geom, start, goal in zip(board.geoms, board.start, board.goal, strict=True)
        ],
        **more,
    }


def said(*answers: str, board: Board | None = None, compat: bool = False, ours: bool = False) -> list[Step]:
    """Do what answers say, one after the other."""
    on = board or a_board()
    steps: list[Step] = []
    for answer in answers:
        position = steps[-1].after if steps else on.start
        steps.append(performed(on, position, answer, compat=compat, ours=ours))
    return steps


def moved(directions: Sequence[str], geom: str = "blue sphere") -> list[str]:
    """Return answers that move a geom in several directions, one after the other."""
    return [f"action: move {geom} {direction}" for direction in directions]


def an_episode(board: Board | None = None, **options: Any) -> IvisparState:
    return GAME.start(layout(board or a_board()), GAME.configure({"modality": "text", **options}))
