"""Rays through the shapes of geoms, against what it means to be inside of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.ivispar.pictures.scene.camera import Point
from palaver_gamemasters.ivispar.pictures.scene.solids import SOLIDS

NEAR = 1e-6


def inside(shape: str, point: Point) -> bool:
    """Whether a point lies in a shape, by its definition; it counts from the middle of the foot."""
    x, y, z = point
    within = 0 <= y <= 1
    match shape:
        case "cube":
            return within and max(abs(x), abs(z)) <= 0.5
        case "sphere":
            return math.hypot(x, y - 0.5, z) <= 0.5
        case "pyramid":
            return within and max(abs(x), abs(z)) <= (1 - y) / 2
        case "cylinder":
            return within and math.hypot(x, z) <= 0.5
        case "cone":
            return within and math.hypot(x, z) <= (1 - y) / 2
        case "prism":
            return within and abs(x) <= (1 - y) / 2 and abs(z) <= 0.5
    raise AssertionError(shape)


def along(start: Point, direction: Point, far: float) -> Point:
    x, y, z = (from_ + far * to for from_, to in zip(start, direction, strict=True))
    return x, y, z


def hundredths(low: int, high: int, beside: float = 0) -> st.SearchStrategy[float]:
    return st.integers(low, high).map(lambda number: number / 100 + beside)


downwards = st.tuples(hundredths(-90, 90), hundredths(-100, -5), hundredths(-90, 90))
# Never quite in the plane of a face, where inside and outside are a matter of taste.
targets = st.tuples(hundredths(-70, 70, 1.23e-3), hundredths(-20, 120, 2.34e-3), hundredths(-70, 70, 3.45e-3))


@pytest.mark.parametrize("shape", SOLIDS)
@settings(max_examples=40)
@given(target=targets, direction=downwards)
def test_a_ray_is_inside_between_its_entry_and_its_exit_and_nowhere_else(
    shape: str, target: Point, direction: Point
) -> None:
    start = along(target, direction, -5)
    way = SOLIDS[shape].way(start, direction)
    enters, leaves = float(way.enters), float(way.leaves)
    for far in np.linspace(3.05, 6.95, 27):
        if min(abs(far - enters), abs(far - leaves)) > NEAR and abs(leaves - enters) > NEAR:
            assert inside(shape, along(start, direction, far)) == (enters < far < leaves)


@pytest.mark.parametrize("shape", SOLIDS)
@settings(max_examples=40)
@given(target=targets, direction=downwards)
def test_the_face_by_which_a_ray_enters_looks_against_it(shape: str, target: Point, direction: Point) -> None:
    start = along(target, direction, -5)
    way = SOLIDS[shape].way(start, direction)
    if not way.enters + 1e-3 < way.leaves:
        return
    normal = SOLIDS[shape].normals(way.face, along(start, direction, float(way.enters)))
    assert math.hypot(*(float(part) for part in normal)) == pytest.approx(1)
    assert sum(float(part) * to for part, to in zip(normal, direction, strict=True)) < NEAR


@pytest.mark.parametrize(
    ("shape", "height"),
    [("cube", 1.0), ("sphere", 0.5 + math.sqrt(0.25 - 0.0625)), ("pyramid", 0.5), ("cylinder", 1.0), ("cone", 0.5),
     ("prism", 0.5)],
)  # fmt: skip
def test_a_ray_straight_down_meets_the_top_where_it_should(shape: str, height: float) -> None:
    way = SOLIDS[shape].way((0.25, 3.0, 0.0), (0.0, -1.0, 0.0))
    assert 3 - float(way.enters) == pytest.approx(height)


def test_a_pyramid_and_a_prism_differ_in_front() -> None:
    start, direction = (0.0, 0.5, -3.0), (0.0, 0.0, 1.0)
    found = [float(SOLIDS[shape].way(start, direction).enters) for shape in ("pyramid", "prism")]
    assert found == pytest.approx([2.75, 2.5])
