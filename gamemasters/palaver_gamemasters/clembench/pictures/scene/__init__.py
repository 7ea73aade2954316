"""Everyday scenes: places outdoors under a sky, with things that differ in kind, colour and number."""

from PIL import Image

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.composed import Composition
from palaver_gamemasters.clembench.pictures.pieces import PIECES
from palaver_gamemasters.clembench.pictures.pieces.words import WORDS
from palaver_gamemasters.drawing import Canvas, Point

from . import settings
from .land import HORIZON, land

__all__ = ["SETTINGS", "altered", "describe", "draw", "make"]

SCENES = Composition("scene", "setting", "setting", settings.SETTINGS, WORDS)
SETTINGS = SCENES.names
make, altered, describe = SCENES.make, SCENES.altered, SCENES.describe

PLACES: dict[str, Point] = {
    "above": (320, 84),
    "back left": (224, HORIZON + 4),
    "back right": (426, HORIZON + 4),
    "left": (100, 398),
    "right": (540, 398),
    "centre": (320, 390),
    "front": (320, 440),
}


def draw(recipe: Recipe) -> Image.Image:
    """Draw a scene, 640 by 480 pixels.

    Raises:
        InstanceError: the recipe is none of a scene.
    """
    setting, values = SCENES.read(recipe)
    canvas = Canvas(640, 480)
    canvas.paste(land(setting, values["sky"]), (0, 0))
    for place, (x, y) in PLACES.items():
        value = values[place]
        PIECES[value.template](canvas, x, y, value.word)
    return canvas.flat()
