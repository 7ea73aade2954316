"""What both ways of drawing a board have in common: what is drawn, and how large the picture is."""

from typing import NamedTuple

from ..board import Geom, Position
from ..options import CellLabels

__all__ = ["HEIGHT", "WIDTH", "Scene"]

WIDTH, HEIGHT = 1200, 900
"""Pixels, as published."""


class Scene(NamedTuple):
    """A position to draw."""

    size: int
    geoms: tuple[Geom, ...]
    position: Position
    labels: CellLabels
