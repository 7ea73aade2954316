"""The picture of the color puzzle: a dark board of glowing tiles, with numbered rows and columns."""

from PIL import Image

from palaver_gamemasters.drawing import Box, Canvas, mix

from .groups import SIDE
from .scene import ColorScene

__all__ = ["PAINT", "draw", "tile"]

PAINT = {
    "red": "#e0262b",
    "blue": "#2563f0",
    "green": "#1fae4b",
    "yellow": "#f7d21e",
    "magenta": "#e232d2",
    "white": "#ffffff",
}
LEFT, TOP, STEP, SIZE = 122, 122, 148, 128
BOARD = "#20242c"


def draw(scene: ColorScene) -> Image.Image:
    """Draw the board."""
    canvas = Canvas(background="#bfc6cf")
    canvas.box((28, 28, 740, 740), "#3a414d", radius=34, shadow=True)
    canvas.box((100, 100, 722, 722), BOARD, radius=22)
    for number in range(SIDE):
        left, top, right, bottom = tile(number * SIDE + number)
        canvas.text(((left + right) / 2, 74), str(number + 1), 38, "#eef1f5", bold=True)
        canvas.text((66, (top + bottom) / 2), str(number + 1), 38, "#eef1f5", bold=True)
    canvas.text((411, 44), "COLUMN", 16, "#aab4c2")
    canvas.text((66, 128), "ROW", 16, "#aab4c2")
    for square, colour in enumerate(scene.grid):
        _tile(canvas, tile(square), PAINT[colour])
    return canvas.flat()


def tile(square: int) -> Box:
    """Return where a square is."""
    left, top = LEFT + STEP * (square % SIDE), TOP + STEP * (square // SIDE)
    return left, top, left + SIZE, top + SIZE


def _tile(canvas: Canvas, box: Box, paint: str) -> None:
    left, top, right, bottom = box
    for rim, share in ((9, 0.82), (5, 0.62)):
        canvas.box((left - rim, top - rim, right + rim, bottom + rim), mix(paint, BOARD, share), radius=18 + rim)
    canvas.box(box, mix(paint, "#000000", 0.25), radius=18)
    canvas.box((left + 4, top + 4, right - 4, bottom - 6), paint, radius=15)
    canvas.box((left + 14, top + 11, right - 14, top + 25), mix(paint, "#ffffff", 0.35), radius=7)
