"""The walls of a room, its ceiling and its beams."""

from palaver_gamemasters.clembench.pictures.composed import Value
from palaver_gamemasters.clembench.pictures.pieces.brush import WIDE, Brush
from palaver_gamemasters.drawing import Colour, mix

from .perspective import BOTTOM, LEFT, RIGHT, TOP, side

__all__ = ["WALLS", "beams", "walls"]

WALLS = {
    "pale yellow": "#f6e08d",
    "pale green": "#bddfac",
    "pale blue": "#b0d3ee",
    "pale pink": "#f3bfc9",
    "white": "#f3f0e9",
    "terracotta": "#d89a78",
    "blue": "#83b2e0",
    "green": "#96cb86",
    "pink": "#eeb4bd",
    "grey": "#a9abac",
    "yellow": "#dfc17c",
    "red": "#b9705c",
    "brown": "#a9794c",
}
"""Colours by the words of walls."""


def walls(b: Brush, wall: Value) -> None:
    """Draw the walls and the ceiling."""
    base = WALLS[wall.word]
    b.area(((0, 0), (WIDE, 0), (RIGHT, TOP), (LEFT, TOP)), mix(base, "#ffffff", 0.6))
    b.box((LEFT, TOP, RIGHT, BOTTOM), base)
    for right in (False, True):
        corners = (side(0, 0, right), side(0, 1, right), side(1, 1, right), side(1, 0, right))
        b.area(corners, mix(base, "#2b2018", 0.13 if right else 0.08))
    pattern = {
        "{stripes} stripes": _stripes,
        "{tiles} tiles": _tiles,
        "{stone} stone": _stones,
        "{planks} planks": _planks,
    }
    if wall.template in pattern:
        pattern[wall.template](b, base)
    else:
        _skirting(b)
    edge = mix(base, "#2b2018", 0.25)
    for start, end in (((0, 0), (LEFT, TOP)), ((WIDE, 0), (RIGHT, TOP)), ((LEFT, TOP), (RIGHT, TOP))):
        b.line((start, end), edge, 2)
    for x in (LEFT, RIGHT):
        b.line(((x, TOP), (x, BOTTOM)), edge, 2)


def _skirting(b: Brush) -> None:
    b.box((LEFT, BOTTOM - 11, RIGHT, BOTTOM), "#fbf8f1")
    b.line(((LEFT, BOTTOM - 11), (RIGHT, BOTTOM - 11)), "#cfc7b7", 1)
    for right in (False, True):
        b.area((side(0, 0, right), side(0, 0.045, right), side(1, 0.045, right), side(1, 0, right)), "#e9e3d6")


def _stripes(b: Brush, base: Colour) -> None:
    light = mix(base, "#ffffff", 0.75)
    for number in range(0, 14, 2):
        left = LEFT + 30 * number
        b.box((left, TOP, left + 30, BOTTOM), light)
    for right in (False, True):
        for number in range(0, 6, 2):
            one, other = number / 6, (number + 1) / 6
            corners = (side(one, 0, right), side(one, 1, right), side(other, 1, right), side(other, 0, right))
            b.area(corners, mix(light, "#2b2018", 0.1))
    _skirting(b)


def _tiles(b: Brush, base: Colour) -> None:
    joint = mix(base, "#ffffff", 0.65) if base != WALLS["white"] else "#c9c5ba"
    for number in range(1, 14):
        b.line(((LEFT + 30 * number, TOP), (LEFT + 30 * number, BOTTOM)), joint)
    for number in range(1, 9):
        y = TOP + 250 * number / 9
        b.line(((LEFT, y), (RIGHT, y)), joint)
        for right in (False, True):
            b.line((side(0, 1 - number / 9, right), side(1, 1 - number / 9, right)), joint)
    for right in (False, True):
        for share in (0.2, 0.38, 0.54, 0.68, 0.8, 0.91):
            b.line((side(share, 0, right), side(share, 1, right)), joint)


def _stones(b: Brush, base: Colour) -> None:
    joint = mix(base, "#2b2018", 0.22)
    shades = (mix(base, "#ffffff", 0.12), base, mix(base, "#2b2018", 0.06))
    for row in range(10):
        top = TOP + 25 * row
        for number in range(-1, 9):
            left = LEFT + 52 * number + (26 if row % 2 else 0)
            start, end = max(left, LEFT), min(left + 50, RIGHT)
            if start < end:
                b.box((start, top, end, top + 23), shades[(row * 5 + number * 2) % 3])
        b.line(((LEFT, top - 1), (RIGHT, top - 1)), joint, 2)
        for number in range(9):
            x = LEFT + 52 * number + (26 if row % 2 else 0) - 1
            if LEFT < x < RIGHT:
                b.line(((x, top), (x, top + 24)), joint, 2)
        for right in (False, True):
            b.line((side(0, row / 10, right), side(1, row / 10, right)), joint, 2)
            for share in (0.3, 0.62, 0.86) if row % 2 else (0.12, 0.48, 0.75):
                b.line((side(share, row / 10, right), side(share, (row + 1) / 10, right)), joint, 2)


def _planks(b: Brush, base: Colour) -> None:
    joint = mix(base, "#2b2018", 0.28)
    for number in range(1, 12):
        x = LEFT + 35 * number
        if number % 3 == 0:
            b.box((x, TOP, x + 35, BOTTOM), mix(base, "#2b2018", 0.06))
        b.line(((x, TOP), (x, BOTTOM)), joint, 2)
    for right in (False, True):
        for share in (0.22, 0.42, 0.58, 0.72, 0.84, 0.93):
            b.line((side(share, 0, right), side(share, 1, right)), joint, 2)


def beams(b: Brush) -> None:
    """Draw the beams that carry a roof."""
    wood, edge = "#6f4a2f", "#54371f"
    for share in (0.15, 0.55, 0.92):
        (x, y), (other, _) = side(share, 1, False), side(share, 1, True)
        b.box((x, y, other, y + 15 - 5 * share), wood)
        b.line(((x, y + 15 - 5 * share), (other, y + 15 - 5 * share)), edge, 2)
    for right in (False, True):
        points = ((LEFT + 2, TOP), (LEFT + 16, TOP), (0, 186), (0, 162))
        b.area(tuple((WIDE - x, y) if right else (x, y) for x, y in points), wood)
