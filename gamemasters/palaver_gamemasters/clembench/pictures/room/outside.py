"""Places that are not closed in: what is beyond a railing, a fence or panes of glass."""

from collections.abc import Iterator

from palaver_gamemasters.clembench.pictures.composed import Value
from palaver_gamemasters.clembench.pictures.pieces.brush import HIGH, WIDE, Brush
from palaver_gamemasters.drawing import Colour, Point, mix

from .perspective import BOTTOM, LEFT, RIGHT, TOP, side
from .walls import WALLS

__all__ = ["OPEN", "glass", "outdoors"]

OPEN = ("a {frames} railing", "a {planks} fence", "a {stone} stone wall", "a hedge")
"""The walls under an open sky."""
FRAMES = {"white": "#f3f0e9", "green": "#3f7d4b", "black": "#3d4046"}
"""Colours by the words of railings and of the frames of panes."""
HALF = ((0.38, -0.93), (0.7, -0.72), (0.92, -0.4), (1, 0.1), (0.7, 0.7))
CORNERS = ((0, -1), *HALF, (0, 0.9), *((-x, y) for x, y in reversed(HALF)))


def glass(b: Brush, wall: Value) -> None:
    """Draw a house of glass in its frames, and what is beyond."""
    frame = FRAMES[wall.word]
    b.box((0, 0, WIDE, 210), "#bfe3f3")
    b.box((0, 210, WIDE, HIGH), "#a9d19a")
    for x in range(-10, 660, 66):
        b.area(((x, 250), (x + 12, 196), (x + 33, 178), (x + 54, 196), (x + 66, 250)), "#86bd80")
    for number in range(8):
        b.line(((LEFT + 60 * number, TOP), (LEFT + 60 * number, BOTTOM)), frame, 4)
        b.line(((LEFT + 60 * number, TOP), (91 * number, 0)), frame, 3)
    for y in (TOP, 175):
        b.line(((LEFT, y), (RIGHT, y)), frame, 5)
    b.box((LEFT, 252, RIGHT, BOTTOM), mix(frame, "#8a8379", 0.3))
    for right in (False, True):
        for share in (0.3, 0.62, 0.86, 1):
            b.line((side(share, 0, right), side(share, 1, right)), frame, 4)
        b.line((side(0, 0.5, right), side(1, 0.5, right)), frame, 4)
        b.line((side(0, 1, right), side(1, 1, right)), frame, 5)
        low = (side(0, 0, right), side(0, 0.19, right), side(1, 0.19, right), side(1, 0, right))
        b.area(low, mix(frame, "#8a8379", 0.38))


def outdoors(b: Brush, wall: Value) -> None:
    """Draw the sky, hills and what encloses the place."""
    b.box((0, 0, WIDE, HIGH), "#bfe3f5")
    for x, y, wide in ((80, 56, 60), (120, 44, 50), (500, 40, 56), (544, 54, 60), (455, 54, 46)):
        b.area(tuple(_blob(x, y, wide, wide * 0.3)), "#ffffff")
    b.area(tuple(_blob(120, 250, 300, 70)), "#a5cf98")
    b.area(tuple(_blob(500, 255, 320, 60)), "#97c48b")
    if wall.template == "a {frames} railing":
        _railing(b, FRAMES[wall.word])
    elif wall.template == "a {planks} fence":
        _fence(b, WALLS[wall.word])
    elif wall.template == "a {stone} stone wall":
        _garden_wall(b, WALLS[wall.word])
    else:
        _hedge(b)


def _railing(b: Brush, fill: Colour) -> None:
    b.box((0, 216, WIDE, BOTTOM), "#8fbd84")
    for x in range(4, WIDE, 21):
        b.line(((x, 222), (x, BOTTOM + 2)), fill, 4)
    b.box((0, 216, WIDE, 227), fill)
    b.box((0, 290, WIDE, BOTTOM), fill)


def _fence(b: Brush, fill: Colour) -> None:
    for y in (236, 276):
        b.box((0, y, WIDE, y + 9), mix(fill, "#2b2018", 0.2))
    for x in range(-6, WIDE, 27):
        b.area(((x, 222), (x + 11, 208), (x + 22, 222), (x + 22, BOTTOM), (x, BOTTOM)), fill)
        b.line(((x + 22, 222), (x + 22, BOTTOM)), mix(fill, "#2b2018", 0.25), 1.5)


def _garden_wall(b: Brush, fill: Colour) -> None:
    b.box((0, 212, WIDE, BOTTOM), mix(fill, "#2b2018", 0.24))
    for row in range(4):
        for number in range(-1, 14):
            left = 50 * number + (25 if row % 2 else 0)
            shade = mix(fill, "#ffffff", 0.1 * ((number + row) % 2))
            b.box((left, 214 + 22 * row, left + 47, 233 + 22 * row), shade)


def _hedge(b: Brush) -> None:
    b.box((0, 224, WIDE, BOTTOM), "#3f7d43")
    for x in range(-20, WIDE, 42):
        b.area(tuple(_blob(x + 20, 226, 30, 17)), "#3f7d43")
        b.area(tuple(_blob(x + 24, 244, 16, 8)), "#55955a")
        b.area(tuple(_blob(x + 4, 272, 16, 8)), "#55955a")


def _blob(x: float, y: float, across: float, down: float) -> Iterator[Point]:
    """Yield a rounded shape: near enough to an ellipse for what is far away."""
    for dx, dy in CORNERS:
        yield x + across * dx, y + down * dy
