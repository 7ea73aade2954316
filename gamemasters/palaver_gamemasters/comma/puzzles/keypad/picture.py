"""The picture of the keypad puzzle: four keys with a symbol each, and a lamp above every symbol."""

from PIL import Image

from palaver_gamemasters.comma.casing import module
from palaver_gamemasters.drawing import Box, Canvas, Point, mix

from .glyphs import GLYPHS
from .pen import Pen
from .scene import KeypadScene

__all__ = ["DARK", "INK", "LIT", "PAPER", "draw", "key_box", "lamp_point"]

INK, PAPER = "#20242c", "#f6f0df"
LIT, DARK = "#39e06b", "#59614f"
"""The colours of a lamp that is lit, and of one that is not."""
KEY = 296


def key_box(number: int) -> Box:
    """Return the place of a key, in reading order."""
    left, top = 76 + 320 * (number % 2), 76 + 320 * (number // 2)
    return left, top, left + KEY, top + KEY


def lamp_point(number: int) -> Point:
    """Return the middle of a key's lamp."""
    left, top, right, _ = key_box(number)
    return (left + right) / 2, top + 32


def draw(scene: KeypadScene) -> Image.Image:
    """Draw the keypad."""
    canvas = module("#c9cdd3", "#1e222a", "#4a5a6a")
    for number, symbol in enumerate(scene.symbols):
        _key(canvas, number, symbol, lit=number in scene.lit)
    return canvas.flat()


def _key(canvas: Canvas, number: int, symbol: str, *, lit: bool) -> None:
    canvas.key(key_box(number), PAPER, "#8d8570")
    x, y = lamp_point(number)
    if lit:
        canvas.box((x - 62, y - 17, x + 62, y + 17), mix(PAPER, LIT, 0.45), radius=17)
    canvas.box((x - 50, y - 10, x + 50, y + 10), LIT if lit else DARK, radius=10, outline="#2b3026", width=3)
    GLYPHS[symbol](Pen(canvas, (x, y + 136), 100, INK, PAPER))
