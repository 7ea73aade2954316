"""Everyday scenes: places outdoors under a sky, with things that differ in kind, colour and number."""

from PIL import Image

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.composed import Composition
from palaver_gamemasters.clembench.pictures.pieces import PIECES
from palaver_gamemasters.clembench.pictures.pieces.words import WORDS
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas, Point

from . import settings
from .land import HORIZON, land

__all__ = ["SETTINGS", "altered", "describe", "draw", "make"]

SCENES = Composition("scene", "setting", "setting", settings.SETTINGS, WORDS)
SETTINGS = SCENES.names

PLACES: dict[str, Point] = {
    "above": (320, 84),
    "back left": (224, HORIZON + 4),
    "back right": (426, HORIZON + 4),
    "left": (100, 398),
    "right": (540, 398),
    "centre": (320, 390),
    "front": (320, 440),
}


def make(dice: Dice, setting: str | None = None) -> Recipe:
    """Make the recipe of a scene in a setting, any setting if None.

    Raises:
        InstanceError: there is no such setting.
    """
    return SCENES.make(dice, setting)


def altered(recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
    """Return the recipe with so many features changed, each to something plainly different; the setting stays.

    Raises:
        InstanceError: the recipe is none of a scene, or has not so many features.
    """
    return SCENES.altered(recipe, dice, changes)


def describe(recipe: Recipe) -> str:
    """Say all that a scene shows.

    Raises:
        InstanceError: the recipe is none of a scene.
    """
    return SCENES.describe(recipe)


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
