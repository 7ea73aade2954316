"""Where the rendered board is seen from, and what of the picture a piece of the world takes up (iVISPAR, section 3.3).

The world is that of the published simulator: x to the east, y upwards, z to the north, away from the viewer; cells are
1 wide, and the board's south-west corner is at (5, 0, 5). The camera looks north and down; it never turns or rolls.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..layout import HEIGHT, WIDTH

__all__ = ["CORNER", "Box", "Camera", "Numbers", "Pixel", "Point", "Value", "Vector", "camera_for"]

Numbers: TypeAlias = NDArray[np.floating[Any]]
Value: TypeAlias = float | Numbers
Point: TypeAlias = tuple[float, float, float]
Vector: TypeAlias = tuple[Value, Value, Value]
"""Many points or directions at once: x, y and z, in shapes that can be broadcast to each other."""
Pixel: TypeAlias = tuple[float, float]
"""Right and down from the picture's upper left corner; the middle of the first pixel is at (0.5, 0.5)."""

CORNER = 5.0
"""x and z of the board's south-west corner."""
EYE: Point = (6.8, 4.57, 3.12)
SIZE = 4
"""The published view is of a board of this size."""
SMALLEST = 3
"""Nearer than to a board of this size, geoms would tower over the picture."""
AHEAD = (-5.57 / math.hypot(5.57, 3.68), 3.68 / math.hypot(5.57, 3.68))
"""y and z of where the camera looks: 56.5 degrees down."""
FOCUS = HEIGHT / 2 / math.tan(math.radians(30))
"""Pixels that a thing takes up which is as large as it is far away: the picture is 60 degrees high."""


class Box(NamedTuple):
    """A part of the picture, in whole pixels."""

    left: int
    top: int
    width: int
    height: int

    def within(self, outer: "Box") -> tuple[slice, slice]:
        """Return the rows and columns of a larger part that it is."""
        top, left = self.top - outer.top, self.left - outer.left
        return slice(top, top + self.height), slice(left, left + self.width)

    def rays(self) -> tuple[Numbers, Numbers]:
        """Return the middles of its pixels: a row of x, and a column of y."""
        return self.left + np.arange(self.width)[None, :] + 0.5, self.top + np.arange(self.height)[:, None] + 0.5


@dataclass(frozen=True, slots=True)
class Camera:
    """A view of a board."""

    eye: Point

    def project(self, point: Point) -> Pixel:
        """Return where a point of the world is seen."""
        x, y, z = (there - here for there, here in zip(point, self.eye, strict=True))
        depth = AHEAD[0] * y + AHEAD[1] * z
        return WIDTH / 2 + FOCUS * x / depth, HEIGHT / 2 - FOCUS * (AHEAD[1] * y - AHEAD[0] * z) / depth

    def directions(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return where one looks through points of the picture; each direction is as long as 1 straight ahead."""
        up = (HEIGHT / 2 - y) / FOCUS
        return (x - WIDTH / 2) / FOCUS, AHEAD[0] + AHEAD[1] * up, AHEAD[1] - AHEAD[0] * up

    def floor(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        """Return x and z of the points of the floor that are seen at points of the picture."""
        right, up, ahead = self.directions(x, y)
        far = -self.eye[1] / up
        return self.eye[0] + far * right, self.eye[2] + far * ahead

    def around(self, points: Iterable[Point]) -> Box:
        """Return the smallest part of the picture that shows points and all between them."""
        seen = [self.project(point) for point in points]
        across, down = ([pixel[axis] for pixel in seen] for axis in (0, 1))
        left, right = (min(WIDTH, max(0, math.floor(value))) for value in (min(across), max(across) + 1))
        top, bottom = (min(HEIGHT, max(0, math.floor(value))) for value in (min(down), max(down) + 1))
        return Box(left, top, right - left, bottom - top)

    def around_block(self, low: Point, high: Point) -> Box:
        """Return the smallest part of the picture that shows a block, given by two opposite corners."""
        (west, foot, south), (east, top, north) = low, high
        return self.around(product((west, east), (foot, top), (south, north)))


@cache
def camera_for(size: int) -> Camera:
    """Return the view of a board: the published one of 4 x 4, and from farther off, or nearer, of other sizes.

    So a board fills the same part of the picture, whatever its size.
    """
    scale = max(size, SMALLEST) / SIZE
    middle, usual = CORNER + size / 2, CORNER + SIZE / 2
    return Camera((middle + scale * (EYE[0] - usual), scale * EYE[1], middle + scale * (EYE[2] - usual)))
