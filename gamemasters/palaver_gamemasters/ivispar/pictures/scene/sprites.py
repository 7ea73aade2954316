"""Geoms as they are seen in the sun, each by itself: made once for each cell and kept."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from palaver_gamemasters.ivispar.board import Cell, Geom
from palaver_protocols.errors import InstanceError

from .camera import CORNER, Box, Numbers, Point, Vector, camera_for
from .grain import grain
from .light import SKY_STEPS, base, lit, sky, sunlight
from .samples import ALL, Bits, counted, seams, spread, trimmed
from .solids import MISSED, SOLIDS, Faces, Solid

__all__ = ["Planes", "Sprite", "coloured", "faces_in", "foot", "solid", "sprite"]

Planes: TypeAlias = NDArray[np.uint8]
"""Colours of pixels: red, green, blue; rows; columns."""

KEPT = 1024
"""A board of any size, with every shape in every cell, takes about 30 MB."""


class Sprite(NamedTuple):
    """A shape in a cell.

    Args:
        box: the part of the picture that it takes up.
        bits: the points of pixels that show it.
        sky: the light that it gets from around, in steps.
        sun: how strongly the sun falls on it.
        glint: how strongly the sun glints in it.
    """

    box: Box
    bits: Bits
    sky: NDArray[np.uint8]
    sun: NDArray[np.float16]
    glint: NDArray[np.float16]


class Sight(NamedTuple):
    """What rays from the camera see of a shape: the face, and the light on it."""

    faces: Faces
    sky: Numbers
    sun: Numbers
    glint: Numbers
    point: Vector


def solid(shape: str) -> Solid:
    """Return a shape by its name.

    Raises:
        InstanceError: it cannot be drawn.
    """
    if shape not in SOLIDS:
        raise InstanceError(f"a {shape} cannot be drawn in 3D", mend=f"there are: {', '.join(SOLIDS)}")
    return SOLIDS[shape]


def foot(cell: Cell) -> Point:
    """Return where in the world the middle of a geom's foot stands."""
    return CORNER + cell[0] + 0.5, 0.0, CORNER + cell[1] + 0.5


def faces_in(size: int, cell: Cell, shape: str) -> Callable[[Numbers, Numbers], tuple[Faces, Vector]]:
    """Return what tells the faces of a geom that are seen at points of the picture, and where, from its foot."""
    camera, thing, (x, y, z) = camera_for(size), solid(shape), foot(cell)
    eye = (camera.eye[0] - x, camera.eye[1] - y, camera.eye[2] - z)

    def seen(right: Numbers, down: Numbers) -> tuple[Faces, Vector]:
        view = camera.directions(right, down)
        way = thing.way(eye, view)
        faces = np.where(way.enters < way.leaves, way.face, np.int8(MISSED))
        far = np.where(faces == MISSED, 0.0, way.enters)
        return faces, (eye[0] + far * view[0], eye[1] + far * view[1], eye[2] + far * view[2])

    return seen


@lru_cache(maxsize=KEPT)
def sprite(size: int, cell: Cell, shape: str) -> Sprite:
    """Look at a shape in a cell of a board of a size."""
    x, y, z = foot(cell)
    box = camera_for(size).around_block((x - 0.5, y, z - 0.5), (x + 0.5, y + 1, z + 0.5))
    look = _looking(size, cell, shape)
    whole = look(*box.rays())
    bits = np.where(whole.faces == MISSED, np.uint8(0), np.uint8(ALL))
    light = np.stack([whole.sky, whole.sun, whole.glint])
    rows, columns = np.nonzero(seams(whole.faces))
    bits[rows, columns], light[:, rows, columns] = _fine(look, box.left + columns + 0.5, box.top + rows + 0.5)
    tone = _tone(whole)
    steps = np.clip(light[0] * tone * SKY_STEPS + 0.5, 0, 255).astype(np.uint8)
    inner, shown = trimmed(box, bits) or (box, bits)
    keep = inner.within(box)
    sun, glint = (np.where(bits > 0, part, 0.0)[keep].astype(np.float16) for part in (light[1] * tone, light[2]))
    return Sprite(inner, shown, np.ascontiguousarray(steps[keep]), sun, glint)


@lru_cache(maxsize=KEPT)
def coloured(size: int, cell: Cell, geom: Geom) -> Planes:
    """Colour a geom that no shadow falls on."""
    seen = sprite(size, cell, geom.shape)
    steps, sun, glint = (part.astype(np.float64) for part in (seen.sky, seen.sun, seen.glint))
    return np.stack([lit(part, steps, sun, glint) for part in base(geom.colour)])


def _looking(size: int, cell: Cell, shape: str) -> Callable[[Numbers, Numbers], Sight]:
    camera, thing, find = camera_for(size), solid(shape), faces_in(size, cell, shape)

    def look(right: Numbers, down: Numbers) -> Sight:
        faces, point = find(right, down)
        normal = thing.normals(faces, point)
        hit = faces != MISSED
        sun, glint = (np.where(hit, part, 0.0) for part in sunlight(normal, camera.directions(right, down)))
        return Sight(faces, np.where(hit, sky(normal), 0.0), sun, glint, point)

    return look


def _fine(look: Callable[[Numbers, Numbers], Sight], x: Numbers, y: Numbers) -> tuple[Bits, Numbers]:
    """Look at all eight points of pixels: which of them show the shape, and the mean light on these."""
    bits, light = np.zeros(len(x), np.uint8), np.zeros((3, len(x)))
    for bit, right, down in spread(x, y):
        seen = look(right, down)
        bits |= np.where(seen.faces == MISSED, np.uint8(0), np.uint8(bit))
        light += np.stack([seen.sky, seen.sun, seen.glint])
    return bits, light / np.maximum(counted(bits), 1)


def _tone(seen: Sight) -> Numbers:
    """Return the fine grain of the stone: how bright it is, about 1."""
    hit = seen.faces != MISSED
    x, y, z = (np.broadcast_to(part, hit.shape)[hit] for part in seen.point)
    tone = np.ones(hit.shape)
    tone[hit] += 0.03 * grain(x, y, z, 5.3) + 0.025 * grain(x, y, z, 19.7)
    return tone
