"""A small kit to draw panels with: smooth shapes, soft shadows, text; the same calls give the same pixels.

Pillow draws shapes with jagged edges. Here each shape is drawn once, four times as large, on a mask of its own, made
small, and kept: pasting it again costs next to nothing, so that a picture takes a few milliseconds.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TypeAlias

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter, ImageFont

__all__ = ["SIDE", "Box", "Canvas", "Colour", "Point", "fitting", "font", "mix", "png"]

SIDE = 768
"""Pixels a side of a picture, unless it has a reason to be otherwise."""
SMOOTH = 4

Colour: TypeAlias = str | tuple[int, int, int]
Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own typeface: no other is sure to be there."""
    return ImageFont.load_default(size)


def fitting(text: str, size: int, width: float) -> int:
    """Return the size, at most the one given, at which a line of text is no wider than so many pixels."""
    return next((each for each in range(size, 6, -1) if font(each).getlength(text) <= width), 6)


def mix(one: Colour, other: Colour, share: float) -> tuple[int, int, int]:
    """Return a colour between two: ``share`` 0 is the first, 1 the other."""
    pairs = zip(_rgb(one), _rgb(other), strict=True)
    red, green, blue = (round(a + (b - a) * share) for a, b in pairs)
    return red, green, blue


def png(picture: Image.Image) -> bytes:
    """Encode a picture; quickly rather than tightly."""
    data = BytesIO()
    picture.save(data, "PNG", compress_level=3)
    return data.getvalue()


class Canvas:
    """A picture in the making. Coordinates are pixels from the top left corner.

    Args:
        width: in pixels.
        height: in pixels.
        background: its colour.
    """

    def __init__(self, width: int = SIDE, height: int = SIDE, background: Colour = "#f3efe6") -> None:
        self.picture = Image.new("RGB", (width, height), _rgb(background))
        self._draw = ImageDraw.Draw(self.picture)

    def flat(self) -> Image.Image:
        """Return the picture with 256 colours of its own: all that a panel needs, at half the time and size.

        A photograph is better taken as it is (``picture``).
        """
        return self.picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)

    def box(
        self,
        box: Box,
        fill: Colour | None = None,
        *,
        radius: float = 0,
        outline: Colour | None = None,
        width: float = 2,
        shadow: bool = False,
    ) -> None:
        """Draw a rectangle, with round corners if it has a radius."""
        left, top, right, bottom = (round(side) for side in box)
        size = (right - left, bottom - top)
        if shadow:
            for mask, (x, y) in _shadow(size, radius):
                self._paste(mask, (left + x, top + y), "#000000")
        if outline is not None:
            self._panel((left, top), size, radius, outline)
            inset = round(width)
            left, top, size = left + inset, top + inset, (size[0] - 2 * inset, size[1] - 2 * inset)
            radius = max(0.0, radius - inset)
        if fill is not None:
            self._panel((left, top), size, radius, fill)

    def key(self, box: Box, face: Colour, edge: Colour, *, radius: float = 24) -> None:
        """Draw a key that stands out: its side is seen below its face."""
        left, top, right, bottom = box
        self.box(box, edge, radius=radius + 2, shadow=True)
        self.box((left, top, right, bottom - 10), face, radius=radius, outline=edge, width=3)

    def circle(
        self, centre: Point, radius: float, fill: Colour, *, outline: Colour | None = None, width: float = 2
    ) -> None:
        """Draw a disc."""
        x, y = centre
        if outline is not None:
            self._disc(x, y, radius, outline)
            radius -= width
        self._disc(x, y, radius, fill)

    def ball(self, centre: Point, radius: float, colour: Colour) -> None:
        """Draw a sphere: darker at its rim, with a light spot on the upper left."""
        x, y = centre
        self._disc(x, y, radius, mix(colour, "#000000", 0.45))
        for step in range(1, 6):
            part = step / 6
            self._disc(x - radius * 0.07 * step, y - radius * 0.07 * step, radius * (0.97 - 0.15 * step),
                       mix(mix(colour, "#000000", 0.3 * (1 - part)), "#ffffff", 0.12 * part))  # fmt: skip
        self._disc(x - radius * 0.38, y - radius * 0.38, radius * 0.16, mix(colour, "#ffffff", 0.75))

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """Draw a ring: ``radius`` is that of its outer rim."""
        x, y = centre
        side = round(2 * radius)
        self._paste(_ring(side, width), (round(x - side / 2), round(y - side / 2)), colour)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill an area."""
        self._traced(tuple(points), None, fill)

    def line(self, points: Sequence[Point], fill: Colour, width: float = 3) -> None:
        """Draw a line through points, with round ends and joints."""
        self._traced(tuple(points), width, fill)

    def text(
        self, at: Point, text: str, size: int = 24, fill: Colour = "#222222", *, anchor: str = "mm", bold: bool = False
    ) -> None:
        """Write a line. ``anchor`` is Pillow's: ``mm`` is the middle, ``lm`` the left end, ``rm`` the right end."""
        stroke = size / 44 if bold else 0
        self._draw.text(at, text, fill=_rgb(fill), font=font(size), anchor=anchor, stroke_width=stroke)

    def paragraph(
        self, box: Box, text: str, size: int = 20, fill: Colour = "#222222", *, spacing: float = 1.35
    ) -> float:
        """Write text into a box, line after line; return where the next line would begin (y)."""
        left, y, right, _ = box
        for line in text.split("\n"):
            for row in _wrapped(line, size, right - left):
                self.text((left, y), row, size, fill, anchor="la")
                y += size * spacing
        return y

    def mask(self, mask: Image.Image, at: tuple[int, int], fill: Colour) -> None:
        """Lay a colour on through a mask (mode L) whose top left corner is ``at``."""
        self._paste(mask, at, fill)

    def paste(self, picture: Image.Image, at: tuple[int, int], mask: Image.Image | None = None) -> None:
        """Lay a picture on."""
        self.picture.paste(picture, at, mask)

    def _panel(self, at: tuple[int, int], size: tuple[int, int], radius: float, fill: Colour) -> None:
        """Fill a rectangle; of a large one, only the corners go through a mask."""
        (left, top), (width, height) = at, size
        rim = math.ceil(radius)
        if min(size) < 4 * rim or min(size) < 2:
            self._paste(_rounded(size, radius), at, fill)
            return
        right, bottom = left + width - 1, top + height - 1
        self._draw.rectangle((left + rim, top, right - rim, bottom), fill=_rgb(fill))
        if not rim:
            return
        self._draw.rectangle((left, top + rim, right, bottom - rim), fill=_rgb(fill))
        corners = _corners(rim, radius)
        places = ((left, top), (right - rim + 1, top), (left, bottom - rim + 1), (right - rim + 1, bottom - rim + 1))
        for mask, place in zip(corners, places, strict=True):
            self._paste(mask, place, fill)

    def _disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        side = max(2, round(2 * radius))
        self._paste(_rounded((side, side), side / 2), (round(x - side / 2), round(y - side / 2)), fill)

    def _traced(self, points: tuple[Point, ...], width: float | None, fill: Colour) -> None:
        rim = (width or 0) / 2 + 1
        left = int(min(x for x, _ in points) - rim)
        top = int(min(y for _, y in points) - rim)
        self._paste(_shape(tuple((x - left, y - top) for x, y in points), width), (left, top), fill)

    def _paste(self, mask: Image.Image, at: tuple[int, int], fill: Colour) -> None:
        self.picture.paste(_rgb(fill), (*at, at[0] + mask.width, at[1] + mask.height), mask)


def _rgb(colour: Colour) -> tuple[int, int, int]:
    return _named(colour) if isinstance(colour, str) else colour


@lru_cache(maxsize=256)
def _named(colour: str) -> tuple[int, int, int]:
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


@lru_cache(maxsize=512)
def _rounded(size: tuple[int, int], radius: float) -> Image.Image:
    width, height = max(1, size[0]), max(1, size[1])
    if radius <= 0:
        return Image.new("L", (width, height), 255)
    mask = Image.new("L", (width * SMOOTH, height * SMOOTH))
    box = (0, 0, width * SMOOTH - 1, height * SMOOTH - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * SMOOTH, fill=255)
    return mask.reduce(SMOOTH)


@lru_cache(maxsize=128)
def _corners(rim: int, radius: float) -> tuple[Image.Image, ...]:
    """Return the corners of a round rectangle: top left, top right, bottom left, bottom right."""
    whole = _rounded((2 * rim, 2 * rim), radius)
    boxes = ((x, y, x + rim, y + rim) for y in (0, rim) for x in (0, rim))
    return tuple(whole.crop(box) for box in boxes)


@lru_cache(maxsize=64)
def _shadow(size: tuple[int, int], radius: float) -> tuple[tuple[Image.Image, tuple[int, int]], ...]:
    """Return a soft shadow in strips, each with its place: what the box itself will cover is left out."""
    rim, fall = 24, 6
    mask = Image.new("L", (size[0] + 2 * rim, size[1] + 2 * rim))
    mask.paste(_rounded(size, radius).point(lambda value: value * 0.28), (rim, rim))
    mask = mask.filter(ImageFilter.GaussianBlur(8))
    edge = rim + math.ceil(radius) + fall
    right, bottom = mask.size
    if min(right, bottom) <= 2 * edge:
        strips = [(0, 0, right, bottom)]
    else:
        sides = [(0, edge, edge, bottom - edge), (right - edge, edge, right, bottom - edge)]
        strips = [(0, 0, right, edge), *sides, (0, bottom - edge, right, bottom)]
    return tuple((mask.crop(strip), (strip[0] - rim, strip[1] - rim + fall)) for strip in strips)


@lru_cache(maxsize=64)
def _ring(side: int, width: float) -> Image.Image:
    hole = Image.new("L", (side, side))
    inner = max(1, round(side - 2 * width))
    hole.paste(_rounded((inner, inner), inner / 2), ((side - inner) // 2, (side - inner) // 2))
    return ImageChops.subtract(_rounded((side, side), side / 2), hole)


@lru_cache(maxsize=1024)
def _shape(points: tuple[Point, ...], width: float | None) -> Image.Image:
    rim = (width or 0) / 2 + 2
    right, bottom = (int(max(point[axis] for point in points) + rim) for axis in (0, 1))
    mask = Image.new("L", (right * SMOOTH, bottom * SMOOTH))
    draw = ImageDraw.Draw(mask)
    large = [(x * SMOOTH, y * SMOOTH) for x, y in points]
    if width is None:
        draw.polygon(large, fill=255)
    else:
        draw.line(large, fill=255, width=round(width * SMOOTH), joint="curve")
        for x, y in (large[0], large[-1]):
            half = width * SMOOTH / 2
            draw.ellipse((x - half, y - half, x + half, y + half), fill=255)
    return mask.reduce(SMOOTH)


def _wrapped(text: str, size: int, width: float) -> list[str]:
    rows, row = [], ""
    for word in text.split(" "):
        longer = f"{row} {word}".strip() if row else word
        if row and font(size).getlength(longer) > width:
            rows.append(row)
            row = word
        else:
            row = longer
    return [*rows, row]
