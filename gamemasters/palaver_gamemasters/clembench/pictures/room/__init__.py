"""Rooms to walk through: each shows plainly what room it is, and differs from other rooms of its category."""

from PIL import Image

from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.composed import Composition
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas

from . import categories

__all__ = ["CATEGORIES", "altered", "describe", "draw", "make"]

ROOMS = Composition("room", "category", "room", categories.CATEGORIES, categories.WORDS)
CATEGORIES = ROOMS.names


def make(dice: Dice, category: str | None = None) -> Recipe:
    """Make the recipe of a room of a category, any category if None.

    Raises:
        InstanceError: there is no such category.
    """
    return ROOMS.make(dice, category)


def altered(recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
    """Return the recipe with so many features changed, each to something plainly different; the category stays.

    Raises:
        InstanceError: the recipe is none of a room, or has not so many features.
    """
    return ROOMS.altered(recipe, dice, changes)


def describe(recipe: Recipe) -> str:
    """Say all that a room shows.

    Raises:
        InstanceError: the recipe is none of a room.
    """
    return ROOMS.describe(recipe)


def draw(recipe: Recipe) -> Image.Image:
    """Draw a room, 640 by 480 pixels.

    Raises:
        InstanceError: the recipe is none of a room.
    """
    canvas = Canvas(640, 480)
    canvas.paragraph((20, 20, 620, 460), describe(recipe))
    return canvas.flat()
