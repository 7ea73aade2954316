"""The shapes of geoms (iVISPAR, section 3.4), and where rays go in and out of them.

All of them are convex: what is common to some half-spaces and at most one round body. So a ray enters a shape where it
has entered the last of these, and leaves it where it leaves the first. Each shape fills a block of 1 x 1 x 1; its own
coordinates are 0 in the middle of its foot.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .camera import Numbers, Point, Value, Vector

__all__ = ["MISSED", "ROUND", "SOLIDS", "Faces", "Solid", "Way"]

Faces = NDArray[np.int8]
"""Which of a shape's faces: the number of its half-space, or one of these:"""
ROUND, MISSED = 100, -1


class Way(NamedTuple):
    """How rays go through a shape: how far they enter and leave, in lengths of the direction, and by which face.

    A ray that leaves before it has entered misses the shape.
    """

    enters: Numbers
    leaves: Numbers
    face: Faces


class Body(NamedTuple):
    """A round body about the upright axis: ``x^2 + z^2 + bend * (y - level)^2 <= square``."""

    bend: float
    level: float
    square: float


@dataclass(frozen=True, slots=True)
class Solid:
    """A shape.

    Args:
        planes: outward normals of its plane faces, of length 1, and how far off these are from 0.
        body: what makes it round, if anything does.
    """

    planes: tuple[tuple[Point, float], ...]
    body: Body | None = None

    def way(self, start: Vector, direction: Vector) -> Way:
        """Follow rays through the shape; rays steeper than a cone's slope are taken to look down."""
        shape = np.broadcast_shapes(*(np.shape(each) for each in (*start, *direction)))
        enters, leaves = np.full(shape, -np.inf), np.full(shape, np.inf)
        face = np.full(shape, ROUND, np.int8)
        with np.errstate(all="ignore"):  # a ray may be parallel to a face, or miss the body
            if self.body:
                enters, leaves = (np.broadcast_to(each, shape) for each in _through(self.body, start, direction))
            for number, (normal, offset) in enumerate(self.planes):
                rate = _dot(normal, direction)
                far = (offset - _dot(normal, start)) / rate
                inwards = np.where(rate < 0, far, -np.inf)
                face = np.where(inwards > enters, np.int8(number), face)
                enters = np.maximum(enters, inwards)
                leaves = np.minimum(leaves, np.where(rate < 0, np.inf, far))
        return Way(enters, leaves, face)

    def normals(self, face: Faces, point: Vector) -> Vector:
        """Return where faces look at points of them: directions of length 1."""
        x, y, z = (np.zeros(face.shape) for _ in range(3))
        for number, (normal, _) in enumerate(self.planes):
            here = face == number
            x[here], y[here], z[here] = normal
        if self.body:
            here = face == ROUND
            across, up, ahead = (np.broadcast_to(each, face.shape)[here] for each in point)
            up = self.body.bend * (up - self.body.level)
            up = np.where(across * across + up * up + ahead * ahead > 0, up, 1.0)  # the very tip of a cone
            length = np.sqrt(across * across + up * up + ahead * ahead)
            x[here], y[here], z[here] = across / length, up / length, ahead / length
        return x, y, z


def _dot(normal: Point, vector: Vector) -> Value:
    """Multiply, leaving out what is multiplied by 0: that keeps arrays small."""
    total: Value = 0.0
    for weight, part in zip(normal, vector, strict=True):
        if weight:
            total = total + weight * part
    return np.asarray(total)


def _through(body: Body, start: Vector, direction: Vector) -> tuple[Value, Value]:
    """Return how far rays enter and leave a round body; not a number if they miss it."""
    (x, y, z), (right, up, ahead) = start, direction
    y = y - body.level
    a = np.asarray(right * right + ahead * ahead + body.bend * up * up)
    b = np.asarray(right * x + ahead * z + body.bend * up * y)
    c = np.asarray(x * x + z * z + body.bend * y * y - body.square)
    root = np.sqrt(b * b - a * c)
    straight = np.where(b < 0, -c / (2 * b), np.where((b == 0) & (c <= 0), -np.inf, np.inf))
    enters = np.where(a == 0, straight, np.where(b < 0, c / (root - b), (-b - root) / a))
    # A ray steeper than a cone's slope stays within: it crosses the surface but once on its way down.
    return enters, np.where(a > 0, (root - b) / a, np.inf)


def _slope(x: float, z: float) -> tuple[Point, float]:
    """Return a face that rises from an edge of the foot to the middle at height 1."""
    length = math.sqrt(1.25)
    return (x / length, 0.5 / length, z / length), 0.5 / length


WEST, EAST = ((-1.0, 0.0, 0.0), 0.5), ((1.0, 0.0, 0.0), 0.5)
SOUTH, NORTH = ((0.0, 0.0, -1.0), 0.5), ((0.0, 0.0, 1.0), 0.5)
TOP, FOOT = ((0.0, 1.0, 0.0), 1.0), ((0.0, -1.0, 0.0), 0.0)

SOLIDS = {
    "cube": Solid((WEST, EAST, SOUTH, NORTH, TOP, FOOT)),
    "sphere": Solid((), Body(1.0, 0.5, 0.25)),
    "pyramid": Solid((_slope(-1, 0), _slope(1, 0), _slope(0, -1), _slope(0, 1), FOOT)),
    "cylinder": Solid((TOP, FOOT), Body(0.0, 0.0, 0.25)),
    "cone": Solid((TOP, FOOT), Body(-0.25, 1.0, 0.0)),
    "prism": Solid((_slope(-1, 0), _slope(1, 0), SOUTH, NORTH, FOOT)),
}
"""Shapes by name. A prism's ridge runs north; a cylinder is round, where the published one has 40 sides."""
