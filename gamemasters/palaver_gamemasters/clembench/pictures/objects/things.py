"""What objects are made of, and the solids that rays meet. Lengths are in the scene's own unit, about a hand's width.

All arithmetic is ``+ - * /`` and square roots, which give the same result on every machine, so that pictures do.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLOURS", "Colour", "Field", "Hit", "Material", "Shape", "Size", "Solid", "Vector", "circle"]

Shape = Literal["sphere", "cube", "cylinder"]
Size = Literal["large", "small"]
Material = Literal["rubber", "metal"]
Colour = Literal["grey", "red", "blue", "green", "brown", "purple", "cyan", "yellow"]

COLOURS: Mapping[Colour, tuple[int, int, int]] = {
    "grey": (96, 98, 102),
    "red": (198, 36, 38),
    "blue": (38, 84, 224),
    "green": (32, 138, 42),
    "brown": (134, 78, 32),
    "purple": (140, 48, 200),
    "cyan": (44, 208, 212),
    "yellow": (250, 220, 48),
}

RADIUS: Mapping[Size, float] = {"large": 0.74, "small": 0.4}
BULK: Mapping[Shape, float] = {"sphere": 0.94, "cube": 0.8, "cylinder": 0.84}
"""How far a shape reaches, for its radius: so that all of a size look equally large."""

Field: TypeAlias = NDArray[np.floating[Any]]
"""A number for each ray: rows, columns."""
Vector: TypeAlias = tuple[Field, Field, Field]
"""To the right, away from the viewer, up: for each ray."""
Point: TypeAlias = tuple[float, float, float]
"""The same, once."""

FAR, TINY = 1e6, 1e-9
EDGE = 0.9
"""Where a face begins to bend towards its edge, from its middle (0) to the edge (1)."""


@dataclass(frozen=True)
class Hit:
    """Where rays meet a solid: how far along (:data:`FAR` for a miss), and the direction of its surface there."""

    at: Field
    normal: Vector

    @property
    def found(self) -> NDArray[np.bool_]:
        """Which rays meet it."""
        return self.at < FAR / 2


@dataclass(frozen=True)
class Solid:
    """A solid that stands on the floor.

    Args:
        shape: which.
        size: how large.
        foot: where it stands: x to the right, y away from the viewer.
        spin: cosine and sine of the angle by which it is turned.
    """

    shape: Shape
    size: Size
    foot: tuple[float, float]
    spin: tuple[float, float]

    @property
    def reach(self) -> float:
        """Half its width and half its height."""
        return RADIUS[self.size] * BULK[self.shape]

    def hit(self, eye: Point, ray: Vector) -> Hit:
        """Follow rays from the eye to the solid's surface."""
        (cosine, sine), reach = self.spin, self.reach
        x, y, z = eye[0] - self.foot[0], eye[1] - self.foot[1], eye[2] - reach
        if self.shape == "sphere":
            return _sphere((x, y, z), ray, reach)
        if self.shape == "cylinder":
            return _cylinder((x, y, z), ray, reach)
        turned = (cosine * x + sine * y, cosine * y - sine * x, z)
        found = _cube(turned, (cosine * ray[0] + sine * ray[1], cosine * ray[1] - sine * ray[0], ray[2]), reach)
        across, along, up = found.normal
        return Hit(found.at, (cosine * across - sine * along, sine * across + cosine * along, up))

    def outline(self, light: Point) -> list[Point]:
        """Return points whose shadows bound that of the solid. ``light`` is the direction to the light, of length 1."""
        (x, y), reach, (cosine, sine) = self.foot, self.reach, self.spin
        if self.shape == "sphere":
            flat = math.sqrt(light[0] * light[0] + light[1] * light[1])
            one = (light[1] / flat, -light[0] / flat, 0.0)
            other = (-light[2] * one[1], light[2] * one[0], light[0] * one[1] - light[1] * one[0])
            rim = [[reach * (c * one[axis] + s * other[axis]) for axis in range(3)] for c, s in circle()]
            return [(x + across, y + along, reach + up) for across, along, up in rim]
        if self.shape == "cylinder":
            return [(x + reach * c, y + reach * s, z) for c, s in circle() for z in (0.0, 2 * reach)]
        corners = [(cosine - sine, sine + cosine), (-cosine - sine, cosine - sine)]
        corners += [(-c, -s) for c, s in corners]
        return [(x + reach * c, y + reach * s, z) for c, s in corners for z in (0.0, 2 * reach)]


def circle(steps: int = 6) -> list[tuple[float, float]]:
    """Return points of the unit circle in order, so many a quarter; made without sines."""
    shares = [step / steps for step in range(steps)]
    quarter = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in shares]
    half = quarter + [(-s, c) for c, s in quarter]
    return half + [(-c, -s) for c, s in half]


def _sphere(eye: Point, ray: Vector, radius: float) -> Hit:
    nearest = -(eye[0] * ray[0] + eye[1] * ray[1] + eye[2] * ray[2])
    x, y, z = (eye[axis] + nearest * ray[axis] for axis in range(3))
    inside = radius * radius - (x * x + y * y + z * z)
    at = nearest - np.sqrt(np.maximum(inside, 0))
    x, y, z = _along(eye, ray, at)
    return Hit(np.where(inside >= 0, at, FAR), (x / radius, y / radius, z / radius))


def _cylinder(eye: Point, ray: Vector, reach: float) -> Hit:
    """Follow rays to an upright cylinder around the origin, as high as it is wide. The eye is above it."""
    across = ray[0] * ray[0] + ray[1] * ray[1]
    nearest = -(eye[0] * ray[0] + eye[1] * ray[1])
    inside = nearest * nearest - across * (eye[0] * eye[0] + eye[1] * eye[1] - reach * reach)
    side = (nearest - np.sqrt(np.maximum(inside, 0))) / across
    side = np.where((inside >= 0) & (np.abs(eye[2] + side * ray[2]) <= reach), side, FAR)
    top = (reach - eye[2]) / ray[2]
    x, y, _ = _along(eye, ray, top)
    at = np.minimum(side, np.where(x * x + y * y <= reach * reach, top, FAR))
    x, y, z = _along(eye, ray, at)
    from_axis = np.sqrt(x * x + y * y)
    slope = _edge(from_axis / reach) / np.maximum(from_axis, TINY)
    return Hit(at, _unit(x * slope, y * slope, _edge(z / reach)))


def _cube(eye: Point, ray: Vector, reach: float) -> Hit:
    enter, leave = np.full_like(ray[0], -FAR), np.full_like(ray[0], FAR)
    for axis in range(3):
        step = np.where(np.abs(ray[axis]) < TINY, TINY, ray[axis])
        one, other = (-reach - eye[axis]) / step, (reach - eye[axis]) / step
        enter, leave = np.maximum(enter, np.minimum(one, other)), np.minimum(leave, np.maximum(one, other))
    at = np.where(enter <= leave, enter, FAR)
    x, y, z = _along(eye, ray, at)
    return Hit(at, _unit(_edge(x / reach), _edge(y / reach), _edge(z / reach)))


def _along(eye: Point, ray: Vector, at: Field) -> Vector:
    return eye[0] + at * ray[0], eye[1] + at * ray[1], eye[2] + at * ray[2]


def _edge(part: Field) -> Field:
    """Return how much a face's direction counts, from -1 to 1: so that edges look rounded, they have some of both."""
    bent: Field = np.copysign(np.clip((np.abs(part) - EDGE) / (1 - EDGE), 0, 1), part)
    return bent


def _unit(x: Field, y: Field, z: Field) -> Vector:
    length = np.maximum(np.sqrt(x * x + y * y + z * z), TINY)
    return x / length, y / length, z / length
