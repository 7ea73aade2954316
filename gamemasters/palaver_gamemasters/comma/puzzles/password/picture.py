"""The picture of the password puzzle: a safe's door with five letter wheels, an arrow above and below each."""

from functools import lru_cache

from PIL import Image

from palaver_gamemasters.drawing import Box, Canvas, mix

from .manual import LENGTH
from .scene import PasswordScene

__all__ = ["LAMP", "draw", "window"]

FIRST = 88
STEP = 121
WIDTH = 108
TOP, BOTTOM = 272, 428
LAMP = (516, 634)
"""Where the lamp is: red, and green once the lock is open."""
STEEL = "#7f8b98"
DARK = "#333c47"


def draw(scene: PasswordScene) -> Image.Image:
    """Draw the lock."""
    canvas = Canvas()
    canvas.paste(_door(), (0, 0))
    for number, letter in enumerate(scene.letters):
        left, top, right, bottom = window(number)
        canvas.text(((left + right) / 2, (top + bottom) / 2), letter, 92, "#16202b", bold=True)
    canvas.ball(LAMP, 26, "#37d95f" if scene.solved else "#d23b32")
    canvas.text((LAMP[0] + 50, LAMP[1]), "OPEN" if scene.solved else "LOCKED", 28, DARK, anchor="lm", bold=True)
    return canvas.flat()


def window(number: int) -> Box:
    """Return where a slot's letter is, the slot counted from 0."""
    left = FIRST + number * STEP
    return (left, TOP, left + WIDTH, BOTTOM)


@lru_cache(maxsize=1)
def _door() -> Image.Image:
    """Draw what is always the same, once."""
    canvas = Canvas(background="#d5dae0")
    canvas.box((28, 28, 740, 740), "#5b6673", radius=40, shadow=True)
    canvas.box((44, 44, 724, 724), STEEL, radius=28)
    canvas.box((60, 60, 708, 708), "#b4bec9", radius=18, outline="#5b6673", width=4)
    for x in (84, 684):
        for y in (84, 684):
            canvas.circle((x, y), 11, "#dfe4ea", outline="#5b6673", width=3)
    canvas.text((384, 100), "PASSWORD", 30, DARK, bold=True)
    for number in range(LENGTH):
        _slot(canvas, number)
    canvas.box((120, 602, 432, 680), "#7d1f1a", radius=20)
    canvas.box((120, 594, 432, 672), "#c8372d", radius=20, outline="#7d1f1a", width=4)
    canvas.text((276, 633), "SUBMIT", 40, "#ffffff", bold=True)
    canvas.circle(LAMP, 36, "#e4e8ed", outline=DARK, width=5)
    return canvas.picture


def _slot(canvas: Canvas, number: int) -> None:
    left, top, right, bottom = window(number)
    middle = (left + right) / 2
    canvas.text((middle, 150), str(number + 1), 30, DARK, bold=True)
    canvas.box((left - 5, top - 5, right + 5, bottom + 5), DARK, radius=16)
    canvas.box((left, top, right, bottom), "#fbf8ee", radius=12)
    for inset, share in ((10, 0.5), (18, 0.25)):
        for y in (top + inset, bottom - inset):
            canvas.line([(left + 14, y), (right - 14, y)], mix("#fbf8ee", "#6d6656", share), 3)
    for up, y in ((True, TOP - 96), (False, BOTTOM + 16)):
        canvas.box((left + 4, y + 6, right - 4, y + 82), "#4a5461", radius=16)
        canvas.box((left + 4, y, right - 4, y + 76), "#eef1f4", radius=16, outline="#4a5461", width=4)
        tip, base = (y + 20, y + 54) if up else (y + 56, y + 22)
        canvas.polygon([(middle, tip), (middle - 28, base), (middle + 28, base)], DARK)
