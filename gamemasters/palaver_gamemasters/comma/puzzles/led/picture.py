"""The picture of the LED puzzle: a row of LEDs, the stage's number on the upper left, four keys with a letter each."""

from PIL import Image

from palaver_gamemasters.comma.casing import module
from palaver_gamemasters.drawing import Box, Canvas, Point, mix

from .scene import LedScene

__all__ = ["LAMP", "LIT", "PAINT", "draw", "key_box", "led_point"]

PAINT = {
    "red": "#e3202b",
    "green": "#1fa845",
    "blue": "#1f66e5",
    "yellow": "#ffe21a",
    "purple": "#8a35cf",
    "orange": "#ff8410",
}
LIT = "#fffbe6"
"""The colour of the rim of the LED that is lit."""
LAMP = 34
"""The radius of an LED in pixels."""
PANEL = "#2f3540"
INK = "#22252b"
KEY = 216


def led_point(number: int, count: int) -> Point:
    """Return the middle of an LED, from 0."""
    return 458 + (number - (count - 1) / 2) * 92, 134


def key_box(number: int) -> Box:
    """Return the place of a key, in reading order."""
    left, top = 138 + 276 * (number % 2), 250 + 236 * (number // 2)
    return left, top, left + KEY, top + KEY


def draw(scene: LedScene) -> Image.Image:
    """Draw the module."""
    canvas = module("#c9cdd3", "#1e222a", "#565e6b")
    _stage(canvas, scene)
    canvas.box((214, 74, 702, 216), PANEL, radius=18, outline="#1e222a", width=4)
    for number, colour in enumerate(scene.leds):
        _led(canvas, led_point(number, len(scene.leds)), colour, number - scene.stage)
    for number, letter in enumerate(scene.letters):
        _key(canvas, key_box(number), letter)
    return canvas.flat()


def _stage(canvas: Canvas, scene: LedScene) -> None:
    """Draw the number of the current stage; a tick when all are passed."""
    canvas.box((70, 74, 196, 216), "#0f1a12", radius=18, outline="#1e222a", width=4)
    canvas.text((133, 98), "STAGE", 20, "#8fd9a0")
    if scene.stage < len(scene.leds):
        canvas.text((133, 158), str(scene.stage + 1), 84, "#7dff9b", bold=True)
    else:
        canvas.line([(104, 160), (126, 184), (164, 132)], "#7dff9b", 14)


def _led(canvas: Canvas, at: Point, colour: str, ahead: int) -> None:
    """Draw an LED: lit with a bright rim and a pointer below, passed with a tick below."""
    x, y = at
    paint = PAINT[colour]
    if ahead == 0:
        canvas.circle(at, LAMP + 16, mix(PANEL, paint, 0.55))
        canvas.circle(at, LAMP + 8, LIT)
        canvas.polygon([(x, y + 54), (x - 13, y + 74), (x + 13, y + 74)], LIT)
    else:
        canvas.circle(at, LAMP + 5, "#14171d")
    canvas.circle(at, LAMP, paint, outline=mix(paint, "#000000", 0.4), width=6)
    canvas.circle((x - 10, y - 12), 7, mix(paint, "#ffffff", 0.75))
    if ahead < 0:
        canvas.line([(x - 11, y + 60), (x - 3, y + 68), (x + 12, y + 50)], "#9aa3b0", 5)


def _key(canvas: Canvas, box: Box, letter: str) -> None:
    """Draw a key. The typeface's capital I is a bare bar: it is given serifs."""
    left, top, right, bottom = box
    canvas.key(box, "#f4eedd", "#8d8570")
    canvas.text(((left + right) / 2, (top + bottom) / 2 - 5), letter, 132, INK, bold=True)
    if letter == "I":
        for y in (top + 65, bottom - 69):
            canvas.box(((left + right) / 2 - 30, y - 8, (left + right) / 2 + 30, y + 8), INK, radius=3)
