"""The keypad's symbols (ours): each a drawing that a person names at once. They are drawn, never typed."""

import math
from collections.abc import Callable, Mapping

from palaver_gamemasters.drawing import Point

from .pen import Pen, arc

__all__ = ["GLYPHS"]


def _around(radius: float, count: int, begin: float = -90) -> list[Point]:
    """Return points on a circle at equal distances, clockwise."""
    turns = [math.radians(begin + 360 * number / count) for number in range(count)]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


def _anchor(pen: Pen) -> None:
    pen.ring(0, -0.74, 0.24, 0.13)
    pen.line([(0, -0.5), (0, 0.84)], 0.18)
    pen.line([(-0.42, -0.28), (0.42, -0.28)], 0.16)
    pen.line(arc(0, 0.1, 0.76, 8, 172), 0.18)
    for side in (-1, 1):
        pen.area([(side * 0.94, 0.34), (side * 0.84, -0.12), (side * 0.48, 0.2)])


def _arrow(pen: Pen) -> None:
    pen.area([(0, -0.95), (0.72, -0.12), (0.28, -0.12), (0.28, 0.92), (-0.28, 0.92), (-0.28, -0.12), (-0.72, -0.12)])


def _bell(pen: Pen) -> None:
    pen.disc(0, -0.82, 0.14)
    pen.area([*arc(0, -0.2, 0.52, 180, 360), (0.58, 0.3), (0.86, 0.56), (-0.86, 0.56), (-0.58, 0.3)])
    pen.line([(-0.8, 0.54), (0.8, 0.54)], 0.14)
    pen.area(arc(0, 0.68, 0.24, 0, 180))


def _boat(pen: Pen) -> None:
    pen.area([(-0.92, 0.42), (0.92, 0.42), (0.58, 0.88), (-0.58, 0.88)])
    pen.line([(0, -0.9), (0, 0.4)], 0.1)
    pen.area([(0.12, -0.86), (0.8, 0.24), (0.12, 0.24)])
    pen.area([(-0.12, -0.56), (-0.12, 0.24), (-0.66, 0.24)])


def _bolt(pen: Pen) -> None:
    pen.area([(0.22, -0.98), (-0.56, 0.14), (-0.06, 0.14), (-0.26, 0.98), (0.58, -0.26), (0.06, -0.26)])


def _checkerboard(pen: Pen) -> None:
    side = 0.42
    for row in range(4):
        for column in range(4):
            if (row + column) % 2 == 0:
                x, y = (column - 2) * side, (row - 2) * side
                pen.area([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
    pen.outline([(-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)], 0.09)


def _circle_with_dot(pen: Pen) -> None:
    pen.ring(0, 0, 0.88, 0.16)
    pen.disc(0, 0, 0.24)


def _crescent(pen: Pen) -> None:
    pen.disc(-0.06, 0, 0.92)
    pen.disc(0.38, -0.14, 0.76, blank=True)


def _crown(pen: Pen) -> None:
    pen.area(
        [(-0.9, -0.46), (-0.46, 0.06), (0, -0.72), (0.46, 0.06), (0.9, -0.46), (0.74, 0.72), (-0.74, 0.72)],
    )
    pen.line([(-0.62, 0.46), (0.62, 0.46)], 0.08, blank=True)
    for x, y in ((-0.9, -0.52), (0, -0.78), (0.9, -0.52)):
        pen.disc(x, y, 0.14)


def _envelope(pen: Pen) -> None:
    pen.outline([(-0.92, -0.6), (0.92, -0.6), (0.92, 0.62), (-0.92, 0.62)], 0.13)
    pen.line([(-0.9, -0.56), (0, 0.16), (0.9, -0.56)], 0.13)


def _eye(pen: Pen) -> None:
    pen.outline([*arc(0, 0.62, 1.12, 214, 326), *arc(0, -0.62, 1.12, 34, 146)], 0.13)
    pen.disc(0, 0, 0.36)
    pen.disc(0.12, -0.12, 0.11, blank=True)


def _fir_tree(pen: Pen) -> None:
    for top, bottom, half in ((-0.96, -0.28, 0.4), (-0.56, 0.16, 0.58), (-0.14, 0.66, 0.78)):
        pen.area([(0, top), (half, bottom), (-half, bottom)])
    pen.area([(-0.14, 0.6), (0.14, 0.6), (0.14, 0.96), (-0.14, 0.96)])


def _fish(pen: Pen) -> None:
    pen.area([*arc(-0.2, 0.44, 0.84, 212, 328), *arc(-0.2, -0.44, 0.84, 32, 148)])
    pen.area([(0.34, 0), (0.94, -0.52), (0.8, 0), (0.94, 0.52)])
    pen.disc(-0.56, -0.08, 0.1, blank=True)
    pen.line(arc(-0.62, 0, 0.36, -42, 42), 0.06, blank=True)


def _flower(pen: Pen) -> None:
    for x, y in _around(0.56, 6):
        pen.disc(x, y, 0.34)
    pen.disc(0, 0, 0.36, blank=True)
    pen.disc(0, 0, 0.22)


def _heart(pen: Pen) -> None:
    turns = [math.radians(4.5 * step) for step in range(80)]
    pen.area(
        [
            (
                math.sin(turn) ** 3 * 0.94,
                -(13 * math.cos(turn) - 5 * math.cos(2 * turn) - 2 * math.cos(3 * turn) - math.cos(4 * turn)) / 17.6
                - 0.06,
            )
            for turn in turns
        ]
    )


def _hourglass(pen: Pen) -> None:
    for y in (-0.88, 0.88):
        pen.line([(-0.62, y), (0.62, y)], 0.18)
    for side in (-1, 1):
        pen.line([(side * 0.5, -0.84), (side * 0.5, -0.58), (side * 0.08, 0), (side * 0.5, 0.58), (side * 0.5, 0.84)])
    pen.area([(-0.34, -0.46), (0.34, -0.46), (0, 0.02)])
    pen.area([(0, 0.34), (0.42, 0.66), (0.42, 0.84), (-0.42, 0.84), (-0.42, 0.66)])


def _house(pen: Pen) -> None:
    pen.area([(0.4, -0.9), (0.62, -0.9), (0.62, -0.3), (0.4, -0.3)])
    pen.area([(0, -0.96), (0.98, -0.06), (-0.98, -0.06)])
    pen.area([(-0.7, -0.1), (0.7, -0.1), (0.7, 0.9), (-0.7, 0.9)])
    pen.area([(-0.44, 0.14), (-0.1, 0.14), (-0.1, 0.48), (-0.44, 0.48)], blank=True)
    pen.area([(0.1, 0.22), (0.46, 0.22), (0.46, 0.92), (0.1, 0.92)], blank=True)


def _key(pen: Pen) -> None:
    pen.ring(-0.52, 0, 0.42, 0.18)
    pen.line([(-0.12, 0), (0.9, 0)], 0.18)
    for x in (0.56, 0.86):
        pen.line([(x, 0), (x, 0.34)], 0.18)


def _ladder(pen: Pen) -> None:
    for side in (-1, 1):
        pen.line([(side * 0.42, -0.92), (side * 0.42, 0.92)], 0.16)
    for step in range(5):
        y = -0.68 + 0.34 * step
        pen.line([(-0.42, y), (0.42, y)], 0.12)


def _mug(pen: Pen) -> None:
    pen.area([(-0.74, -0.34), (0.4, -0.34), (0.4, 0.66), (0.24, 0.86), (-0.58, 0.86), (-0.74, 0.66)])
    pen.line(arc(0.44, 0.2, 0.36, -84, 84), 0.15)
    for x in (-0.48, -0.17, 0.14):
        pen.line([(x, -0.52), (x + 0.1, -0.66), (x, -0.8), (x + 0.1, -0.94)], 0.08)


def _mushroom(pen: Pen) -> None:
    pen.area([*arc(0, 0.06, 0.94, 180, 360), (0.94, 0.16), (-0.94, 0.16)])
    pen.area([(-0.24, 0.1), (0.24, 0.1), (0.32, 0.9), (-0.32, 0.9)])
    for x, y, radius in ((-0.44, -0.2, 0.15), (0.06, -0.52, 0.17), (0.5, -0.18, 0.14)):
        pen.disc(x, y, radius, blank=True)


def _plus(pen: Pen) -> None:
    pen.area([(-0.26, -0.86), (0.26, -0.86), (0.26, 0.86), (-0.26, 0.86)])
    pen.area([(-0.86, -0.26), (0.86, -0.26), (0.86, 0.26), (-0.86, 0.26)])


def _snowflake(pen: Pen) -> None:
    for x, y in _around(0.92, 6):
        pen.line([(0, 0), (x, y)], 0.11)
        for part in (0.4, 0.68):
            for turn in (-1, 1):
                angle = math.atan2(y, x) + turn * math.radians(52)
                root = (x * part, y * part)
                pen.line([root, (root[0] + 0.25 * math.cos(angle), root[1] + 0.25 * math.sin(angle))], 0.09)


def _spiral(pen: Pen) -> None:
    turns = [math.radians(9 * step) for step in range(116)]
    pen.line([(0.052 * turn * math.cos(turn), 0.052 * turn * math.sin(turn)) for turn in turns], 0.13)


def _square_in_square(pen: Pen) -> None:
    for half in (0.84, 0.38):
        pen.outline([(-half, -half), (half, -half), (half, half), (-half, half)], 0.15)


def _star(pen: Pen) -> None:
    outer, inner = _around(0.98, 5), _around(0.4, 5, begin=-54)
    pen.area([point for pair in zip(outer, inner, strict=True) for point in pair])


def _sun(pen: Pen) -> None:
    pen.disc(0, 0, 0.44)
    for (x, y), (far_x, far_y) in zip(_around(0.62, 8), _around(0.92, 8), strict=True):
        pen.line([(x, y), (far_x, far_y)], 0.14)


def _umbrella(pen: Pen) -> None:
    pen.line([(0, -0.96), (0, 0.64)], 0.12)
    pen.line([*arc(-0.2, 0.64, 0.2, 0, 180)], 0.12)
    pen.area(arc(0, 0.02, 0.94, 180, 360))
    for x in (-0.63, 0, 0.63):
        pen.area(arc(x, 0.03, 0.31, 180, 360, tall=0.62), blank=True)
    pen.line([(0, -0.3), (0, 0.2)], 0.12)


def _waves(pen: Pen) -> None:
    for y in (-0.52, 0, 0.52):
        steps = [step / 32 for step in range(33)]
        pen.line([(-0.86 + 1.72 * step, y + 0.17 * math.sin(step * 5 * math.pi)) for step in steps], 0.17)


GLYPHS: Mapping[str, Callable[[Pen], None]] = {
    "anchor": _anchor,
    "arrow pointing up": _arrow,
    "bell": _bell,
    "checkerboard": _checkerboard,
    "circle with a dot in the middle": _circle_with_dot,
    "crescent moon": _crescent,
    "crown": _crown,
    "envelope": _envelope,
    "eye": _eye,
    "fir tree": _fir_tree,
    "fish": _fish,
    "five-pointed star": _star,
    "flower": _flower,
    "heart": _heart,
    "hourglass": _hourglass,
    "house": _house,
    "key": _key,
    "ladder": _ladder,
    "lightning bolt": _bolt,
    "mug": _mug,
    "mushroom": _mushroom,
    "plus sign": _plus,
    "sailing boat": _boat,
    "snowflake": _snowflake,
    "spiral": _spiral,
    "square inside a square": _square_in_square,
    "sun": _sun,
    "three waves": _waves,
    "umbrella": _umbrella,
}
"""How each symbol is drawn, by its name."""
