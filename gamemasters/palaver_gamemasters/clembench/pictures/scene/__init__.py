"""Everyday scenes: places outdoors with a sky, a background and things that differ in colour, number and kind."""

from PIL import Image

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.composed import Composition
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas

from . import settings

__all__ = ["SETTINGS", "altered", "describe", "draw", "make"]

SCENES = Composition("scene", "setting", "setting", settings.SETTINGS, settings.WORDS)
SETTINGS = SCENES.names


def make(dice: Dice, setting: str | None = None) -> Recipe:
    """Make the recipe of a scene of a setting, any setting if None.

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
    canvas = Canvas(640, 480)
    canvas.paragraph((20, 20, 620, 460), describe(recipe))
    return canvas.flat()
