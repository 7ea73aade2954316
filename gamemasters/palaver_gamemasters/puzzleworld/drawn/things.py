"""A dozen small things, each drawn from simple shapes around a point, about 130 pixels high."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from palaver_gamemasters.drawing import Canvas, Colour, Point

__all__ = ["THINGS"]

IRON, DARK, WOOD, LEAF, BRASS, RED = "#8b95a1", "#3b424c", "#8a5a34", "#3f8a4f", "#c79a3a", "#cf4436"


def _turn(x: float, y: float, radius: float, degrees: float) -> Point:
    """Return a point on a circle, clockwise from the top."""
    angle = math.radians(degrees)
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


def _arc(x: float, y: float, radius: float, start: int, end: int) -> list[Point]:
    return [_turn(x, y, radius, degrees) for degrees in range(start, end + 1, 5)]


def _nail(canvas: Canvas, x: float, y: float) -> None:
    canvas.box((x - 32, y - 62, x + 32, y - 48), DARK, radius=4)
    canvas.box((x - 9, y - 48, x + 9, y + 34), IRON)
    canvas.polygon([(x - 9, y + 34), (x + 9, y + 34), (x, y + 66)], IRON)


def _ear(canvas: Canvas, x: float, y: float) -> None:
    skin, fold = "#eab892", "#c98a63"
    canvas.circle((x + 2, y - 20), 45, skin)
    canvas.polygon([(x - 40, y - 8), (x + 46, y - 12), (x + 20, y + 42), (x - 30, y + 46)], skin)
    canvas.circle((x - 7, y + 42), 25, skin)
    canvas.line(_arc(x + 3, y - 20, 31, -100, 110), fold, 8)
    canvas.line([*_arc(x + 2, y - 12, 15, -60, 140), (x + 2, y + 20), (x - 8, y + 34)], fold, 7)
    canvas.circle((x - 12, y + 8), 9, "#8f5a3c")


def _bow(canvas: Canvas, x: float, y: float) -> None:
    canvas.line([_turn(x - 50, y, 68, 24), _turn(x - 50, y, 68, 156)], DARK, 2)
    canvas.line(_arc(x - 50, y, 68, 22, 158), WOOD, 9)
    canvas.line([(x - 62, y), (x + 50, y)], IRON, 5)
    canvas.polygon([(x + 42, y - 11), (x + 66, y), (x + 42, y + 11)], DARK)
    for feather in (-62, -50):
        canvas.line([(x + feather - 10, y - 11), (x + feather, y), (x + feather - 10, y + 11)], RED, 5)


def _star(canvas: Canvas, x: float, y: float) -> None:
    canvas.polygon([_turn(x, y + 4, 26 if point % 2 else 66, 36 * point) for point in range(10)], "#f0bd3a")


def _lock(canvas: Canvas, x: float, y: float) -> None:
    canvas.line([(x - 30, y), (x - 30, y - 26), *_arc(x, y - 28, 30, -85, 85), (x + 30, y - 26), (x + 30, y)], IRON, 13)
    canvas.box((x - 50, y - 8, x + 50, y + 62), BRASS, radius=10)
    canvas.circle((x, y + 20), 11, DARK)
    canvas.polygon([(x - 5, y + 22), (x + 5, y + 22), (x + 9, y + 46), (x - 9, y + 46)], DARK)


def _pin(canvas: Canvas, x: float, y: float) -> None:
    canvas.line([(x + 32, y - 42), (x - 44, y + 56)], IRON, 5)
    canvas.ball((x + 34, y - 45), 19, RED)


def _snail(canvas: Canvas, x: float, y: float) -> None:
    body = "#c9a06a"
    canvas.line([(x - 62, y + 52), (x + 40, y + 52), (x + 62, y + 12)], body, 26)
    for horn in (-10, 12):
        canvas.line([(x + 64, y + 6), (x + 64 + horn, y - 26)], body, 5)
        canvas.circle((x + 64 + horn, y - 28), 5, DARK)
    canvas.circle((x - 10, y + 2), 48, "#9a5f3b")
    spiral = [_turn(x - 10, y + 2, 40 * (1 - step / 115), step * 9) for step in range(110)]
    canvas.line(spiral, "#f0d9b5", 5)


def _pear(canvas: Canvas, x: float, y: float) -> None:
    fruit: Colour = "#b9c44a"
    canvas.line([(x + 2, y - 42), (x + 10, y - 64)], WOOD, 6)
    canvas.polygon([(x + 8, y - 54), (x + 34, y - 70), (x + 50, y - 56), (x + 28, y - 46)], LEAF)
    canvas.circle((x, y - 22), 25, fruit)
    canvas.polygon([(x - 25, y - 24), (x + 25, y - 24), (x + 42, y + 18), (x - 42, y + 18)], fruit)
    canvas.circle((x, y + 24), 43, fruit)
    canvas.circle((x - 16, y + 16), 9, "#d8df8b")


def _bowl(canvas: Canvas, x: float, y: float) -> None:
    canvas.polygon([*_arc(x, y - 16, 66, 90, 270)], "#4f7fb5")
    canvas.box((x - 72, y - 24, x + 72, y - 10), "#3a6496", radius=7)
    canvas.box((x - 28, y + 44, x + 28, y + 56), "#3a6496", radius=5)


def _stair(canvas: Canvas, x: float, y: float) -> None:
    for step in range(4):
        canvas.box((x - 64 + 32 * step, y + 28 - 30 * step, x + 64, y + 58), ("#a87b52", "#c2966b")[step % 2])
        canvas.box((x - 66 + 32 * step, y + 26 - 30 * step, x + 64, y + 34 - 30 * step), WOOD)


def _clock(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle((x, y), 64, "#ffffff", outline=DARK, width=8)
    for hour in range(12):
        canvas.line([_turn(x, y, 44, 30 * hour), _turn(x, y, 50, 30 * hour)], DARK, 4)
    canvas.line([(x, y), _turn(x, y, 28, 300)], DARK, 7)
    canvas.line([(x, y), _turn(x, y, 40, 60)], DARK, 5)
    canvas.circle((x, y), 6, RED)


def _pine(canvas: Canvas, x: float, y: float) -> None:
    canvas.box((x - 9, y + 40, x + 9, y + 66), WOOD)
    for tier, (top, wide) in enumerate(((0, 54), (-34, 44), (-66, 32))):
        canvas.polygon(
            [(x, y + top - 4), (x - wide, y + top + 48), (x + wide, y + top + 48)], (LEAF, "#357845")[tier % 2]
        )


THINGS: Mapping[str, Callable[[Canvas, float, float], None]] = MappingProxyType(
    {
        "bow": _bow, "bowl": _bowl, "clock": _clock, "ear": _ear, "lock": _lock, "nail": _nail,
        "pear": _pear, "pin": _pin, "pine": _pine, "snail": _snail, "stair": _stair, "star": _star,
    }
)  # fmt: skip
"""What draws each thing around a point (x, y)."""
