"""How surfaces look: dull rubber, and metal that mirrors the floor and rows of lamps above it."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from .things import Field, Material, Point, Solid, Vector

__all__ = ["LIGHT", "Sight", "shaded"]

LIGHT: Point = (-0.48, -0.36, 0.8)
"""Direction to the window."""
LAMP: Point = (0.6, -0.64, 0.48)
"""Direction to a weaker light."""
LAMPS_ABOVE, ROWS = 1.3, 1.6
"""How far above an object lamps hang that metal mirrors, and how far apart their rows are, for its reach."""

N = TypeVar("N", Field, float)


class Sight(NamedTuple):
    """What is seen of a surface: from where, along which rays, at which points; and its direction there."""

    eye: Point
    ray: Vector
    point: Vector
    normal: Vector


def shaded(material: Material, paint: Sequence[float], thing: Solid, sight: Sight) -> list[Field]:
    """Return how bright each point of a surface is.

    Args:
        material: what it is made of.
        paint: its red, green and blue: the shares of light that it throws back.
        thing: whose surface it is.
        sight: what is seen of it.

    Returns:
        The red, green and blue light of each ray, 0 to 1 and beyond.
    """
    return (_metal if material == "metal" else _rubber)(paint, thing, sight)


def _rubber(paint: Sequence[float], thing: Solid, sight: Sight) -> list[Field]:
    """Shade a dull surface."""
    window = np.maximum(0, (_dot(sight.normal, LIGHT) + 0.12) / 1.12)
    lamp = np.maximum(0, _dot(sight.normal, LAMP))
    near_floor = 0.62 + 0.38 * np.clip(sight.point[2] / thing.reach, 0, 1)
    light = (0.95 * window + 0.22 * lamp + 0.2 + 0.06 * sight.normal[2]) * near_floor
    gloss = 0.1 * _power(np.maximum(0, _dot(_mirrored(sight), LIGHT)), 3)
    return [part * light + gloss for part in paint]


def _metal(paint: Sequence[float], thing: Solid, sight: Sight) -> list[Field]:
    """Shade a surface that mirrors, in its own colour, the floor or rows of lamps above it."""
    mirrored = _mirrored(sight)
    up = np.maximum(mirrored[2], 0.05)
    across = _across(thing, sight.point, (mirrored[0], mirrored[1], up)) - _middle(thing, sight.eye)
    row = across / (ROWS * thing.reach)
    lamps = np.clip(2.5 * np.abs(row - np.floor(row) - 0.5) - 0.45, 0, 1) * np.clip(3 * up - 0.6, 0, 1)
    floor = 0.1 + 0.62 * np.clip(sight.point[2] / np.maximum(-mirrored[2], 0.05) / (2.4 * thing.reach), 0, 1)
    seen = np.where(mirrored[2] < 0, floor, 0.16 + 0.22 * up + 1.6 * lamps)
    dull = 0.12 * np.maximum(0, _dot(sight.normal, LIGHT))
    spark = 0.9 * _power(np.maximum(0, _dot(mirrored, LIGHT)), 5) + 0.1 * lamps
    return [(part * 0.92 + 0.05) * (1.25 * seen + dull) + spark for part in paint]


def _across(thing: Solid, point: tuple[N, N, N], ray: tuple[N, N, N]) -> N:
    """Return where a ray that goes up from a point meets the lamps: how far across their rows."""
    away = ((2 + LAMPS_ABOVE) * thing.reach - point[2]) / ray[2]
    return (point[0] + away * ray[0]) * 0.8 + (point[1] + away * ray[1]) * 0.6


def _middle(thing: Solid, eye: Point) -> float:
    """Return where the middle of an object's top mirrors the lamps: one hangs there, so that tops always shine."""
    (x, y), top = thing.foot, 2 * thing.reach
    return _across(thing, (x, y, top), (x - eye[0], y - eye[1], eye[2] - top))


def _dot(one: Vector, other: Vector | Point) -> Field:
    product: Field = one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
    return product


def _mirrored(sight: Sight) -> Vector:
    ray, normal = sight.ray, sight.normal
    twice = 2 * _dot(ray, normal)
    return ray[0] - twice * normal[0], ray[1] - twice * normal[1], ray[2] - twice * normal[2]


def _power(field: Field, doublings: int) -> Field:
    for _ in range(doublings):
        field = field * field
    return field
