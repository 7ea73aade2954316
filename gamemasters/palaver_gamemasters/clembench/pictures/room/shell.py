"""The empty room in one-point perspective, or the place outdoors."""

from functools import lru_cache

from PIL import Image

from palaver_gamemasters.clembench.pictures.composed import Value
from palaver_gamemasters.clembench.pictures.pieces.brush import Brush

from .floors import floor as draw_floor
from .outside import OPEN, glass, outdoors
from .walls import beams, walls

__all__ = ["shell"]


@lru_cache(maxsize=96)
def shell(wall: Value, floor: Value, *, attic: bool = False) -> Image.Image:
    """Return the empty room of a wall and a floor; an attic shows the beams of its roof."""
    brush = Brush()
    if wall.template in OPEN:
        outdoors(brush, wall)
    elif wall.template == "glass in {frames} frames":
        glass(brush, wall)
    else:
        walls(brush, wall)
    draw_floor(brush, floor, outdoors=wall.template in OPEN)
    if attic:
        beams(brush)
    return brush.picture()
