"""The picture of the wire puzzle: a module with its serial plate, wires between two rails, a button beside each."""

import math
from functools import lru_cache

from PIL import Image

from palaver_gamemasters.comma.casing import module
from palaver_gamemasters.drawing import Canvas, Point, mix

from .scene import WireScene

__all__ = ["PAINT", "draw", "wire_points"]

PAINT = {
    "red": "#d62f2f",
    "blue": "#2f6fe0",
    "yellow": "#f2c81c",
    "white": "#fbfbf8",
    "black": "#26262b",
    "green": "#2fa04a",
}
LEFT, RIGHT = 150, 560
TOP, BOTTOM = 250, 660


def draw(scene: WireScene) -> Image.Image:
    """Draw the module."""
    canvas = Canvas()
    canvas.paste(_case(), (0, 0))
    canvas.text((384, 146), scene.serial, 42, "#2b2718", bold=True)
    for number, colour in enumerate(scene.wires):
        _wire(canvas, number, len(scene.wires), colour, cut=number in scene.cut)
    return canvas.flat()


def wire_points(number: int, count: int) -> list[Point]:
    """Return the course of a wire, from 0: it sags a little, each in its own way."""
    y = _height(number, count)
    sag = (18, -14, 22, -18, 14, -22)[number]
    return [
        (LEFT + (RIGHT - LEFT) * step / 24, y + sag * math.sin(math.pi * step / 24 * (1 + number % 2)))
        for step in range(25)
    ]


def _height(number: int, count: int) -> float:
    return TOP + (BOTTOM - TOP - 20) * number / (count - 1)


@lru_cache(maxsize=1)
def _case() -> Image.Image:
    """Draw what is always the same, once."""
    canvas = module("#c9cdd3", "#8d949f", "#a9b0ba")
    canvas.box((220, 84, 548, 178), "#f5edcf", radius=12, outline="#7d7350", width=3)
    canvas.text((384, 106), "SERIAL NUMBER", 18, "#6d6443")
    for x in (LEFT, RIGHT):
        canvas.box((x - 34, TOP - 44, x + 34, BOTTOM + 34), "#5b626d", radius=14, outline="#474d57", width=4)
    return canvas.picture


def _wire(canvas: Canvas, number: int, count: int, colour: str, *, cut: bool) -> None:
    paint = PAINT[colour]
    points = wire_points(number, count)
    for course in [points[:10], points[15:]] if cut else [points]:
        canvas.line(course, mix(paint, "#000000", 0.55), 22)
        canvas.line(course, paint, 16)
        canvas.line([(x, y - 4) for x, y in course], mix(paint, "#ffffff", 0.45), 3)
    if cut:
        for end in (points[9], points[15]):
            canvas.circle(end, 7, "#c98b4a", outline="#7a4f22", width=2)
    for x, y in (points[0], points[-1]):
        canvas.circle((x, y), 17, "#d9dde3", outline="#3c424b", width=4)
        canvas.line([(x - 8, y - 8), (x + 8, y + 8)], "#6d747e", 4)
    y = _height(number, count)
    canvas.text((88, y), str(number + 1), 34, "#2c3138", bold=True)
    canvas.box((610, y - 26, 706, y + 26), "#e2e5ea" if not cut else "#b9bec6", radius=10, outline="#565d68", width=3)
    if cut:
        canvas.line([(646, y), (670, y)], "#8c1d1d", 4)
    else:
        canvas.text((658, y), "CUT", 24, "#8c1d1d")
