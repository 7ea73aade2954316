"""The picture of the who puzzle: a word display in a wooden case, above six big keys."""

from functools import lru_cache

from PIL import Image

from palaver_gamemasters.drawing import Box, Canvas, font

from .manual import NO_TEXT
from .scene import WhoScene

__all__ = ["DISPLAY", "LAMP", "draw", "key_box"]

DISPLAY: Box = (96, 96, 582, 252)
"""Where the display is."""
LAMP = (646, 174)
"""Where the lamp is that lights green once the module is solved."""
KEYS = (84, 304)
KEY = (292, 108)
GAP = (16, 22)


def draw(scene: WhoScene) -> Image.Image:
    """Draw the module."""
    canvas = Canvas()
    canvas.paste(_case(), (0, 0))
    left, top, right, bottom = DISPLAY
    if scene.display != NO_TEXT:
        size = _fitting(scene.display, 92, right - left - 56)
        canvas.text(((left + right) / 2, (top + bottom) / 2), scene.display, size, "#6dffb0", bold=True)
    canvas.ball(LAMP, 23, "#37d95f" if scene.solved else "#5b5f58")
    for place, label in enumerate(scene.labels):
        left, top, right, bottom = key_box(place)
        size = _fitting(label, 52, KEY[0] - 56)
        canvas.text(((left + right) / 2, (top + bottom) / 2 - 4), label, size, "#241a10", bold=True)
    return canvas.flat()


def key_box(place: int) -> Box:
    """Return where a button is, by its index row by row."""
    row, column = divmod(place, 2)
    left, top = KEYS[0] + column * (KEY[0] + GAP[0]), KEYS[1] + row * (KEY[1] + GAP[1])
    return (left, top, left + KEY[0], top + KEY[1])


@lru_cache(maxsize=1)
def _case() -> Image.Image:
    """Draw what is always the same, once."""
    canvas = Canvas(background="#d8d2c4")
    canvas.box((28, 28, 740, 740), "#6b4a2f", radius=40, shadow=True)
    canvas.box((44, 44, 724, 724), "#8a6442", radius=28)
    canvas.box((60, 60, 708, 708), "#e9dfc8", radius=18, outline="#4c3420", width=4)
    left, top, right, bottom = DISPLAY
    canvas.box((left - 12, top - 12, right + 12, bottom + 12), "#3a332b", radius=22)
    canvas.box(DISPLAY, "#0b2016", radius=14, outline="#1d4a34", width=4)
    canvas.circle(LAMP, 32, "#b9ab8d", outline="#4c3420", width=4)
    for place in range(6):
        left, top, right, bottom = key_box(place)
        canvas.box((left, top + 6, right, bottom + 6), "#3d2a1a", radius=18)
        canvas.box((left, top, right, bottom), "#c9b896", radius=18, outline="#5a4029", width=4)
        canvas.box((left + 12, top + 8, right - 12, bottom - 16), "#fbf6e8", radius=14)
    return canvas.picture


def _fitting(text: str, size: int, width: float) -> int:
    """Return the largest size, up to the given one, at which a text is no wider than that."""
    return max(12, min(size, int(size * width / max(1.0, font(size).getlength(text)))))
