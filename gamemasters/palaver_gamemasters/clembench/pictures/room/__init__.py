"""Rooms to walk through: each shows plainly what room it is, and differs from other rooms of its category."""

from PIL import Image

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.composed import Composition
from palaver_gamemasters.clembench.pictures.pieces import HUNG, LAMPS, PIECES
from palaver_gamemasters.clembench.pictures.pieces.words import WORDS
from palaver_gamemasters.drawing import Canvas, Point

from . import categories
from .shell import shell

__all__ = ["CATEGORIES", "altered", "describe", "draw", "make"]

ROOMS = Composition("room", "category", "room", categories.CATEGORIES, WORDS)
CATEGORIES = ROOMS.names
make, altered, describe = ROOMS.make, ROOMS.altered, ROOMS.describe

WALL: dict[str, Point] = {"back left": (205, 128), "back right": (435, 128)}
FLOOR: dict[str, Point] = {
    "back left": (195, 306),
    "back right": (445, 306),
    "left": (100, 405),
    "right": (540, 405),
    "centre": (320, 385),
    "front": (320, 440),
}
DOORWAY: Point = (320, 304)
CEILING: Point = (320, 14)
SKY: Point = (320, 72)
HORIZON = 217
"""Where things stand that are seen beyond a railing."""


def draw(recipe: Recipe) -> Image.Image:
    """Draw a room, 640 by 480 pixels.

    Raises:
        InstanceError: the recipe is none of a room.
    """
    category, values = ROOMS.read(recipe)
    canvas = Canvas(640, 480)
    canvas.paste(shell(values["wall"], values["floor"], attic=category == "attic"), (0, 0))
    for place, value in values.items():
        if place not in ("wall", "floor"):
            x, y = _spot(category, place, value.template)
            PIECES[value.template](canvas, x, y, value.word)
    return canvas.flat()


def _spot(category: str, place: str, template: str) -> Point:
    if place == "above":
        return CEILING if template in LAMPS else SKY
    if template in HUNG:
        return WALL[place]
    if template == "a {colour} front door":
        return DOORWAY
    x, y = FLOOR[place]
    return (x, HORIZON) if category == "balcony" and place.startswith("back") else (x, y)
