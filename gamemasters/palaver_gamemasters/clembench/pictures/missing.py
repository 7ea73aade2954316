"""A card in the place of a picture that is not at hand: it carries the picture's name, and says that it is none.

Results of other people's runs name pictures that lie elsewhere. What was said about them can be read all the same.
"""

from typing import Literal

from PIL import Image

from palaver_gamemasters.drawing import Canvas, fitting

from . import Recipe
from .recipes import Exact, read

__all__ = ["describe", "draw", "of"]

WIDTH, HEIGHT, MARGIN = 480, 300, 28
LONGEST = 52
"""Characters of a line of the name."""


class MissingRecipe(Exact):
    """What the picture is called."""

    kind: Literal["missing"]
    name: str


def of(name: str) -> Recipe:
    """Return the recipe of the card for a picture."""
    return {"kind": "missing", "name": name}


def draw(recipe: Recipe) -> Image.Image:
    """Draw the card."""
    name = read(recipe, MissingRecipe).name
    canvas = Canvas(WIDTH, HEIGHT, "#e9e6df")
    canvas.box((12, 12, WIDTH - 12, HEIGHT - 12), "#f7f5f0", radius=14, outline="#a49d8f", width=3)
    canvas.text((WIDTH / 2, 84), "picture not at hand", 30, "#5b554a", bold=True)
    shown = name if len(name) <= 3 * LONGEST else f"…{name[1 - 3 * LONGEST :]}"
    rows = [shown[at : at + LONGEST] for at in range(0, len(shown), LONGEST)]
    size = min((fitting(row, 20, WIDTH - 2 * MARGIN) for row in rows), default=20)
    for number, row in enumerate(rows):
        canvas.text((WIDTH / 2, 144 + 34 * number), row, size, "#222222")
    return canvas.flat()


def describe(recipe: Recipe) -> str:
    """Say what the card says."""
    return f"kind: picture not at hand\nname: {' '.join(read(recipe, MissingRecipe).name.split())}"
