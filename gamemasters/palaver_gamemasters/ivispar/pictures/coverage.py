"""How much of each pixel a shape covers: from the distances of the pixels' middles to its rim.

A pixel whose middle lies half a pixel within the rim is covered wholly; one as far outside, not at all; between, a
share of it. Only sums, products and square roots are taken, which come out alike on every machine.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from palaver_gamemasters.drawing import Point, font

__all__ = ["Field", "Text", "capitals", "covered", "lettering", "to_disc", "to_polygon", "to_round_box"]

Field: TypeAlias = NDArray[np.float64]
"""A number a pixel, row by row from the top: a distance in pixels, or a share."""


class Text(NamedTuple):
    """A line of text, and where its anchor lies in a box: in pixels from the left upper corner."""

    x: float
    y: float
    text: str
    anchor: str = "ms"
    """Pillow's: ``ms`` is the middle of the base line, ``ls`` its left end, ``rs`` its right end."""


def covered(distance: Field) -> Field:
    """Return the share of each pixel that lies inside of a rim, given the distances to it (negative inside)."""
    share: Field = np.clip(0.5 - distance, 0.0, 1.0)
    return share


def to_disc(width: int, height: int, radius: float) -> Field:
    """Return the distances to a circle in the middle of a box."""
    x, y = _from_middle(width, height)
    distance: Field = np.sqrt(x * x + y * y) - radius
    return distance


def to_polygon(width: int, height: int, points: Sequence[Point]) -> Field:
    """Return the distances to a polygon; beyond a corner, to the nearer of its sides' lines: outlines have sharp tips.

    Args:
        width: of the box, in pixels.
        height: of the box.
        points: corners of a convex polygon from the box's middle, y upwards, anticlockwise.
    """
    x, y = _from_middle(width, height)
    distance: Field = np.full((height, width), -np.inf)
    for (x1, y1), (x2, y2) in pairwise([*points, points[0]]):
        dx, dy = x2 - x1, y2 - y1
        length = float(np.sqrt(dx * dx + dy * dy))
        np.maximum(distance, ((x - x1) * dy - (y - y1) * dx) / length, out=distance)
    return distance


def to_round_box(width: int, height: int, radius: float) -> Field:
    """Return the distances to a box with round corners that fills its array."""
    x, y = _from_middle(width, height)
    beyond_x, beyond_y = np.broadcast_arrays(abs(x) - (width / 2 - radius), abs(y) - (height / 2 - radius))
    corner = np.sqrt(np.maximum(beyond_x, 0) ** 2 + np.maximum(beyond_y, 0) ** 2)
    distance: Field = corner + np.minimum(np.maximum(beyond_x, beyond_y), 0) - radius
    return distance


def _from_middle(width: int, height: int) -> tuple[Field, Field]:
    """Return the pixels' middles from the middle of their box: a row of x, and a column of y (upwards)."""
    across = np.arange(width, dtype=np.float64) + (0.5 - width / 2)
    up = (height / 2 - 0.5) - np.arange(height, dtype=np.float64)
    return across[np.newaxis, :], up[:, np.newaxis]


def lettering(width: int, height: int, size: int, *texts: Text) -> Field:
    """Return the share of each pixel of a box that texts cover.

    Args:
        width: of the box, in pixels.
        height: of the box.
        size: of the type, in pixels.
        texts: each one line.
    """
    mask = Image.new("L", (width, height))
    draw = ImageDraw.Draw(mask)
    for text in texts:
        draw.text((round(text.x), round(text.y)), text.text, fill=255, font=font(size), anchor=text.anchor)
    share: Field = np.asarray(mask) / 255.0
    return share


def capitals(size: int) -> float:
    """Return the height of capital letters and digits in pixels."""
    return -font(size).getbbox("H", anchor="ls")[1]
