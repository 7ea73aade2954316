"""Where the surfaces of a room are in the picture."""

from palaver_gamemasters.clembench.pictures.pieces.brush import HIGH, WIDE
from palaver_gamemasters.drawing import Point

__all__ = ["BOTTOM", "LEFT", "RIGHT", "TOP", "ground", "side"]

LEFT, TOP, RIGHT, BOTTOM = 110, 50, 530, 300
"""The back wall."""


def side(share: float, height: float, right: bool) -> Point:
    """Return a point of a side wall: ``share`` of the way to the back, ``height`` of the way from floor to ceiling."""
    x = LEFT * share
    floor, ceiling = HIGH + (BOTTOM - HIGH) * share, TOP * share
    y = floor + (ceiling - floor) * height
    return (WIDE - x, y) if right else (x, y)


def ground(column: float, columns: int, y: float) -> Point:
    """Return where the edge of a column crosses a line of the floor."""
    half = 210 + 110 * (y - BOTTOM) / (HIGH - BOTTOM)
    return 320 + (2 * column / columns - 1) * half, y
