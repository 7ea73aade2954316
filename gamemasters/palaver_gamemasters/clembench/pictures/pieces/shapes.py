"""What all pieces are made of: colours with names, and a few shapes beside those of the drawing kit.

A piece stands with the middle of its foot at (x, y); what hangs has its middle or its upper end there.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from palaver_gamemasters.drawing import SMOOTH, Box, Canvas, Colour, Point, mix

__all__ = ["arch", "bowl", "cast", "cutout", "dark", "dome", "legs", "oval", "pale", "ray", "slab", "tint"]

COLOURS = {
    "red": "#d64a3f",
    "yellow": "#f2c53d",
    "green": "#4f9d5b",
    "blue": "#3f77c4",
    "purple": "#8c5bb5",
    "white": "#f7f5ef",
    "black": "#3a3a40",
    "brown": "#8f5f3c",
    "orange": "#ee8a34",
    "pink": "#ea8fae",
    "grey": "#9aa0a6",
    "ginger": "#dd8a3e",
    "pine": "#d9ab6a",
    "walnut": "#74482c",
    "brass": "#cda23f",
    "silver": "#b9c1c9",
}


def tint(word: str) -> Colour:
    """Return the colour of a name."""
    return COLOURS[word]


def dark(colour: Colour, share: float = 0.28) -> Colour:
    """Return a darker shade."""
    return mix(colour, "#1d1712", share)


def pale(colour: Colour, share: float = 0.35) -> Colour:
    """Return a lighter shade."""
    return mix(colour, "#ffffff", share)


def slab(c: Canvas, box: Box, fill: Colour, radius: float = 4, *, width: float = 2) -> None:
    """Draw a box with a rim of a darker shade, so that it stands out from a ground of its own colour."""
    c.box(box, fill, radius=radius, outline=dark(fill, 0.4), width=width)


def oval(c: Canvas, centre: Point, across: float, down: float, fill: Colour) -> None:
    """Draw an ellipse; ``across`` and ``down`` are its radii."""
    mask = _oval(max(1, round(2 * across)), max(1, round(2 * down)))
    c.mask(mask, (round(centre[0] - mask.width / 2), round(centre[1] - mask.height / 2)), fill)


def cast(c: Canvas, x: float, y: float, width: float, *, depth: float = 9) -> None:
    """Draw the soft shadow that a thing of a width casts on the ground below it."""
    mask = _cast(round(width), round(depth))
    c.mask(mask, (round(x - mask.width / 2), round(y - mask.height / 2)), "#000000")


def legs(c: Canvas, box: Box, fill: Colour, width: float = 8) -> None:
    """Draw the two legs at the sides of a box."""
    left, top, right, bottom = box
    for start in (left, right - width):
        c.box((start, top, start + width, bottom), dark(fill, 0.3))


def arch(box: Box, *, steps: int = 14) -> list[Point]:
    """Return the outline of a door or window that is round at the top."""
    left, top, right, bottom = box
    across = (right - left) / 2
    return [(left, bottom), *dome((left + across, top + across), across, across, steps=steps), (right, bottom)]


def dome(centre: Point, across: float, up: float, *, steps: int = 14) -> list[Point]:
    """Return the outline of half an ellipse, from its left end over the top to its right end."""
    angles = (math.pi * (1 - step / steps) for step in range(steps + 1))
    return [(centre[0] + across * math.cos(angle), centre[1] - up * math.sin(angle)) for angle in angles]


def bowl(centre: Point, across: float, down: float, *, steps: int = 14) -> list[Point]:
    """Return the outline of half an ellipse, from its left end over the bottom to its right end."""
    x, y = centre
    return [(at, 2 * y - high) for at, high in dome((x, y), across, down, steps=steps)]


def cutout(c: Canvas, points: Sequence[Point], fill: Colour) -> None:
    """Draw an area with a rim of a darker shade."""
    c.line((*points, points[0]), dark(fill, 0.4), 3)
    c.polygon(points, fill)


def ray(centre: Point, length: float, turn: float) -> Point:
    """Return the point at a distance from a centre; ``turn`` is the share of a full turn, clockwise from the top."""
    angle = 2 * math.pi * turn
    return centre[0] + length * math.sin(angle), centre[1] - length * math.cos(angle)


@lru_cache(maxsize=512)
def _oval(width: int, height: int) -> Image.Image:
    mask = Image.new("L", (width * SMOOTH, height * SMOOTH))
    ImageDraw.Draw(mask).ellipse((0, 0, width * SMOOTH - 1, height * SMOOTH - 1), fill=255)
    return mask.reduce(SMOOTH)


@lru_cache(maxsize=128)
def _cast(width: int, depth: int) -> Image.Image:
    rim = 8
    mask = Image.new("L", (width + 2 * rim, 2 * depth + 2 * rim))
    mask.paste(_oval(width, 2 * depth).point(lambda value: value * 0.3), (rim, rim))
    return mask.filter(ImageFilter.GaussianBlur(4))
