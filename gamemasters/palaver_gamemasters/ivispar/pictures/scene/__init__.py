"""The board as it is rendered (iVISPAR, sections 3.3 and 3.4): geoms of stone on a chequered floor, in the sun.

The camera and the sun never move. So all that a geom looks like in a cell, and all shadows that it throws, are found by
casting rays once, and kept; a picture is then put together from such pieces in a few milliseconds.
"""

from .camera import Pixel, Point, camera_for
from .compositing import render
from .solids import SOLIDS

__all__ = ["SHAPES", "can_draw", "project", "render"]

SHAPES = tuple(SOLIDS)
"""The shapes that can be drawn."""


def can_draw(shape: str) -> bool:
    """Whether a shape can be drawn."""
    return shape in SOLIDS


def project(point: Point, size: int = 4) -> Pixel:
    """Return where in the picture of a board a point of the world is seen: right and down, in pixels."""
    return camera_for(size).project(point)
