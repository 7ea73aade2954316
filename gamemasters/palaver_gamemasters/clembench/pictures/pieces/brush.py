"""A brush for large areas: it draws twice as large as the picture will be, for smooth edges."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from palaver_gamemasters.drawing import Box, Colour, Point

__all__ = ["HIGH", "WIDE", "Brush"]

WIDE, HIGH = 640, 480
SMOOTH = 2


class Brush:
    """A picture of 640 by 480 in the making; coordinates are its pixels."""

    def __init__(self) -> None:
        self._large = Image.new("RGB", (WIDE * SMOOTH, HIGH * SMOOTH))
        self._draw = ImageDraw.Draw(self._large)

    def picture(self) -> Image.Image:
        """Return what was drawn."""
        return self._large.reduce(SMOOTH)

    def box(self, box: Box, fill: Colour) -> None:
        """Fill a rectangle."""
        left, top, right, bottom = box
        self.area(((left, top), (right, top), (right, bottom), (left, bottom)), fill)

    def area(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill an area."""
        self._draw.polygon([(x * SMOOTH, y * SMOOTH) for x, y in points], fill=fill)

    def oval(self, x: float, y: float, across: float, down: float, fill: Colour) -> None:
        """Fill an ellipse around (x, y) with two radii."""
        left, top, right, bottom = (side * SMOOTH for side in (x - across, y - down, x + across, y + down))
        self._draw.ellipse((left, top, right, bottom), fill=fill)

    def line(self, points: Sequence[Point], fill: Colour, width: float = 1.5) -> None:
        """Draw a line through points."""
        self._draw.line([(x * SMOOTH, y * SMOOTH) for x, y in points], fill=fill, width=round(width * SMOOTH))
