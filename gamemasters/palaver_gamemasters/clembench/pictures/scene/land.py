"""The empty scene: its sky and its land."""

import math
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from palaver_gamemasters.clembench.pictures.composed import Value
from palaver_gamemasters.clembench.pictures.pieces.brush import HIGH, WIDE, Brush
from palaver_gamemasters.drawing import Colour, Point, mix

__all__ = ["HORIZON", "land"]

HORIZON = 240
"""Where the land begins, pixels from the top."""

SKIES = {
    "blue": ("#8fd0f2", "#c9ebfa"),
    "pink evening": ("#f08f86", "#fbd3a0"),
    "starry night": ("#1c2850", "#3c4c80"),
    "grey rainy": ("#8e9aa5", "#b9c2c9"),
    "white snowy": ("#d6dee6", "#eef2f5"),
}
"""The colours at the upper end and at the horizon."""

LANDS: dict[str, tuple[str, str]] = {
    "beach": ("#f0dba4", "#e2c98a"),
    "farm": ("#8cc063", "#7ab053"),
    "street": ("#c9c6c0", "#8a8c91"),
    "park": ("#83bd66", "#74b058"),
    "playground": ("#8cc063", "#dfc28c"),
    "market": ("#d9c7ab", "#c7b292"),
    "harbour": ("#c8beb0", "#b5aa9a"),
    "mountains": ("#7fb56a", "#6fa65b"),
    "desert": ("#ecc886", "#dfb56c"),
    "snow_field": ("#f6f9fb", "#e3ebf1"),
}
"""The colours of the land and of what is nearest."""

RAINBOW = ("#e2574c", "#f2994a", "#f7d154", "#6abf69", "#4a90d9", "#8e6bbf")


@lru_cache(maxsize=64)
def land(setting: str, sky: Value) -> Image.Image:
    """Return the empty scene of a setting under a sky."""
    b = Brush()
    word = sky.word or "blue"
    _sky(b, word, rainbow=not sky.word)
    shade = {"starry night": 0.42, "grey rainy": 0.12, "pink evening": 0.1}.get(word, 0.0)
    tone: Colour = "#1c2850" if word == "starry night" else "#6b4a4a"
    near, nearest = (mix(each, tone, shade) for each in LANDS[setting])
    _ground(b, setting, near, nearest, mix("#3d8fc0", tone, shade))
    return b.picture()


def _sky(b: Brush, word: str, *, rainbow: bool) -> None:
    upper, lower = SKIES[word]
    b.box((0, HORIZON, WIDE, HIGH), lower)
    for band in range(12):
        b.box((0, HORIZON * band / 12, WIDE, HORIZON * (band + 1) / 12 + 1), mix(upper, lower, band / 11))
    if rainbow:
        for number, fill in enumerate(RAINBOW):
            b.oval(320, 262, 300 - 9 * number, 232 - 9 * number, fill)
        b.oval(320, 262, 246, 178, mix(upper, lower, 0.6))
    if word == "blue":
        b.oval(566, 58, 32, 32, "#ffe27a")
        _clouds(b, "#ffffff")
    elif word == "pink evening":
        b.oval(560, HORIZON - 4, 44, 44, "#ffe9a8")
        _clouds(b, "#f9b9a0")
    elif word == "starry night":
        for number in range(46):
            x, y = number * 137 % WIDE, number * 71 % 215
            b.oval(x, y, 1.5 + number % 2, 1.5 + number % 2, "#fdf3c4")
        b.oval(562, 60, 32, 32, "#fbf0bd")
        for x, y, size in ((552, 50, 7), (572, 64, 5), (556, 74, 4)):
            b.oval(x, y, size, size, "#e3d493")
    elif word == "grey rainy":
        _clouds(b, "#74808c")
        for number in range(70):
            x, y = number * 97 % WIDE, 84 + number * 53 % 146
            b.line(((x, y), (x - 5, y + 14)), "#5f86a8", 2)
    else:
        _clouds(b, "#bcc8d3")
        for number in range(80):
            b.oval(number * 97 % WIDE, 12 + number * 53 % 222, 3, 3, "#ffffff")


def _clouds(b: Brush, fill: Colour) -> None:
    for x, y, size in ((92, 66, 1.1), (488, 96, 0.8), (196, 40, 0.7)):
        for dx, dy, across in ((-34, 4, 24), (0, -8, 32), (34, 4, 24), (0, 10, 46)):
            b.oval(x + dx * size, y + dy * size, across * size, across * 0.56 * size, fill)


def _wave(y: float, swing: float, turns: float, start: float = 0) -> list[Point]:
    """Return an area from a wavy line down to the lower edge."""
    line = [(x, y + swing * math.sin(2 * math.pi * (turns * x / WIDE + start))) for x in range(0, WIDE + 1, 16)]
    return [*line, (WIDE, HIGH), (0, HIGH)]


def _ground(b: Brush, setting: str, near: Colour, nearest: Colour, water: Colour) -> None:
    if setting == "beach":
        _sea(b, water)
        b.area(_wave(304, 5, 2.5), mix(water, "#ffffff", 0.75))
        b.area(_wave(310, 5, 2.5), near)
        b.area(_wave(418, 6, 1.2), nearest)
    elif setting == "harbour":
        _sea(b, water)
        _quay(b, near, nearest, water)
    elif setting == "street":
        _road(b, near, nearest)
    elif setting == "market":
        _paving(b, near, nearest)
    elif setting == "desert":
        b.area(_wave(HORIZON - 2, 7, 1.6), near)
        b.area(_wave(300, 16, 1.1, 0.3), mix(near, nearest, 0.5))
        b.area(_wave(402, 10, 1.3, 0.6), nearest)
    else:
        _meadow(b, setting, near, nearest)


def _sea(b: Brush, water: Colour) -> None:
    b.box((0, HORIZON - 8, WIDE, HIGH), water)
    for number in range(14):
        _ripple(b, 20 + number * 131 % 600, HORIZON + 4 + number * 17 % 44, mix(water, "#ffffff", 0.4))


def _ripple(b: Brush, x: float, y: float, fill: Colour) -> None:
    b.line(((x, y), (x + 9, y - 3), (x + 18, y), (x + 27, y - 3)), fill, 2)


def _quay(b: Brush, near: Colour, nearest: Colour, water: Colour) -> None:
    for number in range(20):
        _ripple(b, 180 + number * 67 % 290, 300 + number * 23 % 90, mix(water, "#ffffff", 0.3))
    corner = ((0, 330), (168, 330), (190, 394), (190, HIGH), (0, HIGH))
    b.area(corner, near)
    b.area([(WIDE - x, y) for x, y in corner], near)
    b.box((0, 394, WIDE, HIGH), near)
    b.box((0, 394, WIDE, 404), nearest)
    for number in range(7):
        b.line(((96 * number + 20, 404), (110 * number - 10, HIGH)), nearest, 2)


def _road(b: Brush, near: Colour, nearest: Colour) -> None:
    b.box((0, HORIZON - 8, WIDE, HIGH), mix(near, "#79a86a", 0.8))
    b.box((0, 296, WIDE, HIGH), near)
    b.box((0, 338, WIDE, 416), nearest)
    for top in (334, 414):
        b.box((0, top, WIDE, top + 6), mix(nearest, "#ffffff", 0.6))
    for number in range(9):
        b.box((80 * number - 20, 374, 80 * number + 24, 379), mix(nearest, "#ffffff", 0.75))


def _paving(b: Brush, near: Colour, nearest: Colour) -> None:
    b.box((0, HORIZON - 8, WIDE, HIGH), near)
    for row, (top, bottom) in enumerate(pairwise((258, 280, 308, 342, 384, 434, HIGH))):
        b.line(((0, top), (WIDE, top)), nearest, 2)
        step = 40 + 9 * row
        for x in range(step // 2 if row % 2 else 0, WIDE, step):
            b.line(((x, top), (x, bottom)), nearest, 2)


def _meadow(b: Brush, setting: str, near: Colour, nearest: Colour) -> None:
    b.area(_wave(HORIZON - 2, 8, 1.3), mix(near, nearest, 0.6))
    b.area(_wave(276, 7, 0.9, 0.4), near)
    if setting == "farm":
        for number in range(-8, 9):
            b.line(((320 + 46 * number, 284), (320 + 130 * number, HIGH)), nearest, 3)
    elif setting == "park":
        b.area(((300, 272), (336, 272), (560, HIGH), (120, HIGH)), mix("#e2cfa6", near, 0.15))
    elif setting == "playground":
        b.oval(320, 392, 262, 66, nearest)
    else:
        b.area(_wave(410, 8, 1.1, 0.2), nearest)
