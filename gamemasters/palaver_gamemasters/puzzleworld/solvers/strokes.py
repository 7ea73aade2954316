"""Capital letters as strokes, and which of them a drawing looks like."""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

__all__ = ["letter_of"]

Point = tuple[float, float]

STROKES = {
    "A": "04 20 44; 12 32 | 04 01 10 30 41 44; 02 42", "B": "00 04 34 43 32 02; 32 41 30 00", "C": "40 10 01 03 14 44",
    "D": "00 04 24 43 41 20 00", "E": "40 00 04 44; 02 32", "F": "40 00 04; 02 32", "G": "40 10 01 03 14 44 42 22",
    "H": "00 04; 40 44; 02 42", "I": "20 24", "J": "40 43 34 14 03", "K": "00 04; 40 02 44", "L": "00 04 44",
    "M": "04 00 22 40 44", "N": "04 00 44 40", "O": "10 01 03 14 34 43 41 30 10", "P": "04 00 30 41 32 02",
    "Q": "10 01 03 14 34 43 41 30 10; 33 44", "R": "04 00 30 41 32 02; 22 44", "S": "40 10 01 12 32 43 34 04",
    "T": "00 40; 20 24", "U": "00 03 14 34 43 40", "V": "00 24 40", "W": "00 04 22 44 40", "X": "00 44; 40 04",
    "Y": "00 22 40; 22 24", "Z": "00 40 04 44",
}  # fmt: skip
"""Lines through points ``xy`` on a field of five by five, y downwards; ``|`` is between two ways to write a letter."""
SAMPLES = 8
"""Points on a line as long as the field is wide."""


def letter_of(line: Sequence[Point]) -> str:
    """Return the capital letter that a line looks like, stretched to the same height and width."""
    drawn = _fitted(_sampled([line]))
    return min(_forms(), key=lambda form: _distance(drawn, form[1]))[0]


@cache
def _forms() -> tuple[tuple[str, list[Point]], ...]:
    """Return letters with the points of their lines, one for each way to write them."""
    forms = ((letter, form) for letter, strokes in STROKES.items() for form in strokes.split("|"))
    return tuple((letter, _fitted(_sampled(_lines(form)))) for letter, form in forms)


def _lines(strokes: str) -> list[list[Point]]:
    return [[(float(point[0]), float(point[1])) for point in line.split()] for line in strokes.split(";")]


def _sampled(lines: Iterable[Sequence[Point]]) -> list[Point]:
    """Return points on lines, equally close to each other on each part."""
    points: list[Point] = []
    for line in lines:
        for (x, y), (to_x, to_y) in pairwise(line):
            count = max(1, round(math.hypot(to_x - x, to_y - y) * SAMPLES / 4))
            points += [(x + (to_x - x) * at / count, y + (to_y - y) * at / count) for at in range(count + 1)]
    return points


def _fitted(points: list[Point]) -> list[Point]:
    left, top = (min(point[axis] for point in points) for axis in (0, 1))
    wide, tall = (max(point[axis] for point in points) - low or 1.0 for axis, low in ((0, left), (1, top)))
    return [((x - left) / wide, (y - top) / tall) for x, y in points]


def _distance(some: list[Point], others: list[Point]) -> float:
    """Return the mean distance from each point of either drawing to the nearest of the other one."""
    return sum(_one_way(*pair) for pair in ((some, others), (others, some)))


def _one_way(some: list[Point], others: list[Point]) -> float:
    return sum(min(math.hypot(x - u, y - v) for u, v in others) for x, y in some) / len(some)
