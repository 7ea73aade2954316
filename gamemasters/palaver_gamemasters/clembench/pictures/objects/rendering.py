"""A small renderer: every object is drawn for itself by casting rays at it, and laid on the floor from back to front.

The camera, the light and the nine places are always the same. So an object's picture is made once and kept, and a scene
takes a few milliseconds. Metal mirrors the floor and lamps of its own, but no other object.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import product

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from .materials import LIGHT, Sight, shaded
from .things import COLOURS, TINY, Colour, Field, Material, Point, Shape, Size, Solid, Vector, circle

__all__ = ["Standing", "at_pixel", "rendered", "solid"]

Standing = tuple[int, Shape, Size, Colour, Material]
"""An object and the number of its place, row by row from the back left."""

Pixel = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

WIDTH, HEIGHT = 480, 320
FINE = 2
"""Rays a pixel, in each direction."""
STEPS = (5, 8)
"""Levels between two shades of an object, and of a shadow's mask: nobody sees them, and files are a fifth smaller."""

EYE: Point = (0.0, -12.0, 12.9)
AHEAD, UPWARD = (20 / 29, -21 / 29), (21 / 29, 20 / 29)
"""Where the camera looks and what is up in its picture: away from the viewer, and up."""
FOCUS = 850.0
"""Pixels that a thing takes up which is as large as it is far away."""

FEET = (
    ((-2.85, 2.5), (0.12, 2.65), (2.9, 2.45)),
    ((-2.6, 0.0), (-0.15, 0.1), (2.65, -0.1)),
    ((-2.5, -2.45), (0.15, -2.5), (2.4, -2.4)),
)
SPINS = (
    ((0.8, 0.6), (0.96, 0.28), (0.6, 0.8)),
    ((0.936, 0.352), (0.8, -0.6), (0.96, -0.28)),
    ((0.6, -0.8), (0.28, 0.96), (0.936, -0.352)),
)
"""Cosine and sine of how cubes are turned, by place."""

WINDOW = ((0, 0), (0.06, 0.02), (-0.06, 0.03), (0.02, 0.07), (-0.02, -0.06), (0.07, -0.05), (-0.07, -0.04), (0.0, -0.1))
"""Where on the window light comes from, beside its middle: the more places, the softer are shadows."""
FLOOR, SHADE = (151, 151, 151), (22, 22, 22)


def rendered(objects: Sequence[Standing]) -> Image.Image:
    """Draw objects; those at the back come first."""
    picture = _floor().copy()
    for place, shape, size, _, _ in objects:
        shadow, (left, top) = _shadow(place, shape, size)
        picture.paste(SHADE, (left, top, left + shadow.width, top + shadow.height), shadow)
    for standing in objects:
        sprite = _sprite(*standing)
        picture.paste(sprite, _box(solid(*standing[:3]))[:2], sprite)
    return picture


def solid(place: int, shape: Shape, size: Size) -> Solid:
    """Put a solid at a place."""
    row, side = divmod(place, 3)
    return Solid(shape, size, FEET[row][side], SPINS[row][side])


def at_pixel(point: Point) -> Pixel:
    """Return where a point of the scene is seen in the picture."""
    x, y, z = (here - eye for here, eye in zip(point, EYE, strict=True))
    depth = y * AHEAD[0] + z * AHEAD[1]
    return WIDTH / 2 + FOCUS * x / depth, HEIGHT / 2 - FOCUS * (y * UPWARD[0] + z * UPWARD[1]) / depth


@cache
def _floor() -> Image.Image:
    """Draw the empty floor: the farther away, the darker. Every row is of one colour, so that pictures are small."""
    level = np.linspace(0.8, 1.08, HEIGHT, dtype=np.float32)[:, None] * np.ones(WIDTH, dtype=np.float32)
    return Image.fromarray(np.stack([_levels(level * part) for part in FLOOR], axis=-1))


@lru_cache(maxsize=64)
def _shadow(place: int, shape: Shape, size: Size) -> tuple[Image.Image, tuple[int, int]]:
    """Return how dark an object makes the floor, by its shadow and close to its foot; and where its corner is."""
    thing = solid(place, shape, size)
    x, y = thing.foot
    fallen = [[at_pixel(_fallen(point, light)) for point in thing.outline(light)] for light in _lights()]
    rim = (0.7 if shape == "sphere" else 1.1) * thing.reach
    foot = [at_pixel((x + rim * c, y + rim * s, 0.0)) for c, s in circle()]
    blur = round(14 * thing.reach)
    box = _around([*foot, *(point for points in fallen for point in points)], 3 * blur)
    dark = reduce(np.add, (_filled(points, box) / len(fallen) for points in fallen))
    close = Image.fromarray(_filled(foot, box).astype(np.uint8)).filter(ImageFilter.GaussianBlur(blur))
    dark = np.maximum(dark * 0.5, np.asarray(close) * 0.62)
    soft = Image.fromarray(_levels(dark)).filter(ImageFilter.GaussianBlur(2))
    return Image.fromarray(_levels(_stepped(np.asarray(soft, dtype=np.float32), STEPS[1]))), box[:2]


def _lights() -> Iterator[Point]:
    """Yield directions to places on the window."""
    for right, away in WINDOW:
        light = (LIGHT[0] + right, LIGHT[1] + away, LIGHT[2])
        length = math.sqrt(sum(part * part for part in light))
        yield light[0] / length, light[1] / length, light[2] / length


def _fallen(point: Point, light: Point) -> Point:
    """Return where the shadow of a point is on the floor."""
    return point[0] - point[2] * light[0] / light[2], point[1] - point[2] * light[1] / light[2], 0.0


def _filled(points: Sequence[Pixel], box: Box) -> Field:
    mask = Image.new("L", (box[2] - box[0], box[3] - box[1]))
    ImageDraw.Draw(mask).polygon([(x - box[0], y - box[1]) for x, y in _hull(points)], fill=255)
    return np.asarray(mask, dtype=np.float32)


@lru_cache(maxsize=256)
def _sprite(place: int, shape: Shape, size: Size, colour: Colour, material: Material) -> Image.Image:
    """Draw an object, with what lies around it left out."""
    thing = solid(place, shape, size)
    ray = _rays(_box(thing), FINE)
    hit = thing.hit(EYE, ray)
    seen = hit.found
    at, ray, normal = hit.at[seen], _only(ray, seen), _only(hit.normal, seen)
    paint = [(part / 255) * (part / 255) for part in COLOURS[colour]]
    point = (EYE[0] + at * ray[0], EYE[1] + at * ray[1], EYE[2] + at * ray[2])
    shades = shaded(material, paint, thing, Sight(EYE, ray, point, normal))
    cover = _pooled(seen.astype(np.float32))
    layers = [np.zeros(seen.shape, dtype=np.float32) for _ in shades]
    for layer, light in zip(layers, shades, strict=True):
        # The square root: light adds up, what eyes and screens make of it does not.
        layer[seen] = 255 * np.sqrt(np.clip(light, 0, 1))
    colours = [_pooled(layer) / np.maximum(cover, TINY) for layer in layers]
    pixels = [*(_stepped(each, STEPS[0]) for each in colours), 255 * cover]
    return Image.fromarray(np.stack([_levels(each) for each in pixels], axis=-1))


def _only(vector: Vector, seen: NDArray[np.bool_]) -> Vector:
    return vector[0][seen], vector[1][seen], vector[2][seen]


def _rays(box: Box, fine: int) -> Vector:
    """Return rays of length 1 through a part of the picture: so many a pixel, in each direction."""
    left, top, right, bottom = box
    x = (_middles((right - left) * fine) / fine + (left - WIDTH / 2)) / FOCUS
    y = (HEIGHT / 2 - top - _middles((bottom - top) * fine)[:, None] / fine) / FOCUS
    length = np.sqrt(1 + x * x + y * y)
    return x / length, (AHEAD[0] + y * UPWARD[0]) / length, (AHEAD[1] + y * UPWARD[1]) / length


def _middles(count: int) -> Field:
    return np.arange(count, dtype=np.float32) + 0.5


def _box(thing: Solid) -> Box:
    """Return the part of the picture that a solid is seen in."""
    (x, y), wide = thing.foot, thing.reach * 1.42
    corners = product((x - wide, x + wide), (y - wide, y + wide), (0.0, 2 * thing.reach))
    return _around([at_pixel(corner) for corner in corners], 0)


def _around(points: Sequence[Pixel], rim: int) -> Box:
    across, down = [x for x, _ in points], [y for _, y in points]
    left, top = max(0, math.floor(min(across)) - rim), max(0, math.floor(min(down)) - rim)
    return left, top, min(WIDTH, math.ceil(max(across)) + rim), min(HEIGHT, math.ceil(max(down)) + rim)


def _pooled(field: Field) -> Field:
    """Average the rays of each pixel."""
    total: Field = reduce(np.add, (field[row::FINE, column::FINE] for row in range(FINE) for column in range(FINE)))
    return total / (FINE * FINE)


def _stepped(field: Field, step: int) -> Field:
    whole: Field = step * np.floor(field / step + 0.5)
    return whole


def _levels(field: Field) -> NDArray[np.uint8]:
    levels: NDArray[np.uint8] = np.clip(field + 0.5, 0, 255).astype(np.uint8)
    return levels


def _hull(points: Iterable[Pixel]) -> list[Pixel]:
    """Return the corners of the convex hull, in order."""
    sides = []
    for ordered in (sorted(points), sorted(points, reverse=True)):
        side: list[Pixel] = []
        for x, y in ordered:
            while len(side) > 1 and _turn(side[-2], side[-1], (x, y)) <= 0:
                side.pop()
            side.append((x, y))
        sides.append(side[:-1])
    return [*sides[0], *sides[1]]


def _turn(one: Pixel, two: Pixel, three: Pixel) -> float:
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])
