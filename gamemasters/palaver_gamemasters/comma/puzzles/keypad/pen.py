"""A pen to draw symbols with: one ink on paper, in a square from -1 to 1, x to the right and y downwards."""

import math
from collections.abc import Sequence

from palaver_gamemasters.drawing import Canvas, Point

__all__ = ["Pen", "arc"]


class Pen:
    """Draws on a canvas around a point.

    Args:
        canvas: what to draw on.
        centre: the middle of the symbol, in pixels.
        size: half its width, in pixels.
        ink: the colour of lines and areas.
        paper: the colour of what is left out of an area.
    """

    def __init__(self, canvas: Canvas, centre: Point, size: float, ink: str, paper: str) -> None:
        self._canvas, self._centre, self._size, self._ink, self._paper = canvas, centre, size, ink, paper

    def area(self, points: Sequence[Point], *, blank: bool = False) -> None:
        """Fill an area, with paper if it is ``blank``."""
        self._canvas.polygon(self._pixels(points), self._paper if blank else self._ink)

    def line(self, points: Sequence[Point], width: float = 0.14, *, blank: bool = False) -> None:
        """Draw a line through points."""
        self._canvas.line(self._pixels(points), self._paper if blank else self._ink, round(width * self._size))

    def outline(self, points: Sequence[Point], width: float = 0.14) -> None:
        """Draw a line through points and back to the first."""
        self.line([*points, points[0], points[1]], width)

    def disc(self, x: float, y: float, radius: float, *, blank: bool = False) -> None:
        """Fill a circle."""
        self._canvas.circle(*self._round(x, y, radius), self._paper if blank else self._ink)

    def ring(self, x: float, y: float, radius: float, width: float = 0.14) -> None:
        """Draw a circle: ``radius`` is that of its outer rim."""
        self._canvas.ring(*self._round(x, y, radius), width * self._size, self._ink)

    def _round(self, x: float, y: float, radius: float) -> tuple[Point, float]:
        ((left, top),) = self._pixels([(x, y)])
        return (left, top), radius * self._size

    def _pixels(self, points: Sequence[Point]) -> list[Point]:
        x, y = self._centre
        return [(x + self._size * across, y + self._size * down) for across, down in points]


def arc(x: float, y: float, radius: float, begin: float, end: float, *, tall: float = 1.0) -> list[Point]:
    """Return points on a circle, or on an ellipse.

    Args:
        x: the middle.
        y: the middle.
        radius: half the width.
        begin: where it begins, in degrees clockwise from the right.
        end: where it ends.
        tall: its height in widths.
    """
    steps = max(8, round(abs(end - begin) / 9))
    turns = (math.radians(begin + (end - begin) * step / steps) for step in range(steps + 1))
    return [(x + radius * math.cos(turn), y + radius * tall * math.sin(turn)) for turn in turns]
