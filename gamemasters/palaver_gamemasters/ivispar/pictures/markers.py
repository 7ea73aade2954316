"""What stands for a geom in a schematic picture: a flat marker with a thin black edge.

The four published shapes are matplotlib's markers: a square, a circle, a triangle as high as it is wide, and a hexagon
that lies on a side. A cone, which the published program draws as a circle, is a diamond; a prism is a pentagon.
"""

from math import sqrt

from palaver_gamemasters.drawing import Point
from palaver_protocols.errors import InstanceError

from ..commands import schematic_names
from .coverage import Field, covered, to_disc, to_polygon

__all__ = ["EDGE", "coverage_of", "marker_of"]

EDGE = 100 / 72
"""Pixels of the black edge: one point. Half of it lies outside of the shape."""

SLANT = sqrt(3) / 2
FIFTH = (sqrt(5) - 1) / 4, sqrt((5 + sqrt(5)) / 8)
"""Cosine and sine of 72 degrees."""
TENTH = (sqrt(5) + 1) / 4, sqrt((5 - sqrt(5)) / 8)
"""Cosine and sine of 36 degrees."""

CORNERS: dict[str, tuple[Point, ...]] = {
    "circle": (),
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "triangle": ((-1, -1), (1, -1), (0, 1)),
    "hexagon": ((-1, 0), (-0.5, -SLANT), (0.5, -SLANT), (1, 0), (0.5, SLANT), (-0.5, SLANT)),
    "diamond": ((-1, 0), (0, -1), (1, 0), (0, 1)),
    "pentagon": (
        (0, 1),
        (-FIFTH[1], FIFTH[0]),
        (-TENTH[1], -TENTH[0]),
        (TENTH[1], -TENTH[0]),
        (FIFTH[1], FIFTH[0]),
    ),
}
"""Corners in units of half the marker's size, from its middle, y upwards, anticlockwise."""


def marker_of(shape: str, *, compat: bool = False) -> str:
    """Return what stands for a shape.

    Args:
        shape: a geom's.
        compat: whether a circle stands for all but the four published shapes, as published.

    Raises:
        InstanceError: nothing does.
    """
    names = schematic_names(compat=compat)
    if shape in names:
        return names[shape]
    if compat:
        return "circle"
    raise InstanceError(
        f"{shape!r} is no shape that can be drawn from above",
        mend=f"take one of {', '.join(names)}; modality=text takes any shape",
    )


def coverage_of(marker: str, width: int, height: int, size: float) -> tuple[Field, Field]:
    """Return the shares of a box's pixels that a marker in its middle covers: with its edge, and without."""
    half = size / 2
    corners = [(x * half, y * half) for x, y in CORNERS[marker]]
    distance = to_polygon(width, height, corners) if corners else to_disc(width, height, half)
    return covered(distance - EDGE / 2), covered(distance + EDGE / 2)
