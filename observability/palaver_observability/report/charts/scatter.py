"""Points in a plane, named where they stand: what something is worth against what it takes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from palaver_observability.bounds import ANY, Bounds

from ..numbers import count, number
from ..svg import SERIES, Scale, drawing, label, limits, line, mark, tag, ticks, width_of

__all__ = ["Contour", "Spot", "scatter"]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 820.0, 440.0, 56.0, 20.0, 14.0, 52.0
LINE = 15.0
"""Pixels that a name takes from top to bottom."""
DECADES = (1.0, 2.0, 5.0)

STEPS, FAR = 14, 18.0
"""How far from its point a name is tried, and what a step costs, in square pixels of what it covers."""

_Box = tuple[float, float, float, float]
_Taken = tuple[_Box, float]
"""Where something stands already, and how bad it is to cover it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point with its name; ``x`` is above 0 on a logarithmic axis. ``hollow`` marks what others have published.

    ``series`` is its colour and shape; None, neither, is for what belongs to nothing else in the drawing.
    """

    name: str
    x: float
    y: float
    series: int | None = 0
    hollow: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Contour:
    """A line through points that are worth the same, named where it leaves the drawing."""

    name: str
    points: tuple[tuple[float, float], ...]


class _Logarithmic(NamedTuple):
    """From values to pixels, over their logarithms."""

    scale: Scale

    def __call__(self, value: float) -> float:
        return self.scale(math.log10(value))

    def holds(self, value: float) -> bool:
        return value > 0 and self.scale.low - 1e-9 <= math.log10(value) <= self.scale.high + 1e-9

    def ticks(self) -> list[float]:
        return [value for power in range(-2, 10) for each in DECADES if self.holds(value := each * 10.0**power)]


class _Linear(NamedTuple):
    """From values to pixels."""

    scale: Scale

    def __call__(self, value: float) -> float:
        return self.scale(value)

    def holds(self, value: float) -> bool:
        return self.scale.low <= value <= self.scale.high

    def ticks(self) -> list[float]:
        return ticks(self.scale.low, self.scale.high)


_Across = _Logarithmic | _Linear


def scatter(
    name: str,
    x_axis: str,
    y_axis: str,
    spots: Sequence[Spot],
    contours: Sequence[Contour] = (),
    *,
    within: Bounds = ANY,
    include: Sequence[float] = (0.0, 1.0),
    linear: Sequence[float] | None = None,
) -> Markup:
    """Draw points, each with its name beside it.

    Args:
        name: what is shown, in words.
        x_axis: what goes from left to right, on a logarithmic scale.
        y_axis: what goes up.
        spots: the points.
        contours: lines behind them.
        within: how far y can go; intervals are drawn no farther.
        include: values that y must reach.
        linear: values that x must reach, on a linear scale instead.
    """
    low, high = _decades([spot.x for spot in spots])
    x: _Across = _Logarithmic(Scale(math.log10(low), math.log10(high), LEFT + 6, WIDTH - RIGHT))
    if linear is not None:
        x = _Linear(Scale(*limits([spot.x for spot in spots], include=linear), LEFT + 6, WIDTH - RIGHT - 6))
    edges = [edge for spot in spots for edge in (spot.y, spot.low, spot.high)]
    bottom, top = limits(edges, include=include, within=within)
    y = Scale(bottom, top, HEIGHT - BOTTOM, TOP)
    parts = _axes(x, y, x_axis, y_axis)
    taken: list[_Taken] = []
    for contour in contours:
        parts += _contour(contour, x, y, taken)
    places = [(x(spot.x), y(spot.y)) for spot in spots]
    taken += [((at - 7, down - 7, at + 7, down + 7), 3.0) for at, down in places]
    for spot, (at, down) in zip(spots, places, strict=True):
        if spot.low is not None and spot.high is not None:
            parts.append(line(at, y(spot.low), at, y(spot.high), f"whisker s{(spot.series or 0) % SERIES}"))
            taken.append(((at - 2, y(spot.high), at + 2, y(spot.low)), 1.0))
        tip = f"{spot.name}{', published' if spot.hollow else ''}: {number(spot.y)} at {count(spot.x)}"
        parts.append(_mark(spot, at, down, tip))
    for spot, (at, down) in zip(spots, places, strict=True):
        parts += _named(spot, at, down, max(y.start - 2, down + LINE / 2), taken)
    return drawing(WIDTH, HEIGHT, name, *parts)


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Return round limits, 1, 2 or 5 times a power of ten, that leave room on both sides."""
    low, high = min(values, default=10.0) / 1.3, max(values, default=1000.0) * 1.6
    steps = [each * 10.0**power for power in range(-2, 10) for each in DECADES]
    return max(step for step in steps if step <= max(low, steps[0])), min(step for step in steps if step >= high)


def _axes(x: _Across, y: Scale, x_axis: str, y_axis: str) -> list[Markup]:
    parts: list[Markup] = []
    for value in ticks(y.low, y.high):
        parts.append(line(LEFT, y(value), WIDTH - RIGHT, y(value), "zero" if value == 0 else "grid"))
        parts.append(label(LEFT - 8, y(value) + 4, number(value), class_="tick", anchor="end"))
    for value in x.ticks():
        shown = f"{value:g}" if value < 1 else count(value)
        parts.append(line(x(value), TOP, x(value), y.start, "grid"))
        parts.append(label(x(value), y.start + 17, shown, class_="tick", anchor="middle"))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_axis, class_="axis", anchor="middle"))
    turned = {"class_": "axis", "text_anchor": "middle", "transform": f"translate(13 {HEIGHT / 2:.0f}) rotate(-90)"}
    parts.append(tag("text", y_axis, **turned))
    return parts


def _contour(contour: Contour, x: _Across, y: Scale, taken: list[_Taken]) -> list[Markup]:
    seen = [(at, value) for at, value in contour.points if x.holds(at)]
    within = [(x(at), y(value)) for at, value in seen if y.low <= value <= y.high]
    if len(within) < 2:
        return []
    way = " ".join(f"{at:.1f},{down:.1f}" for at, down in within)
    taken += [((at - 2, down - 3, at + 2, down + 3), 0.4) for at, down in within]
    start, down = within[0]
    wide = width_of(contour.name, 10.5)
    taken.append(((start, down - 16, start + wide + 8, down), 3.0))
    return [
        tag("polyline", points=way, class_="baseline", fill="none"),
        label(start + 4, down - 5, contour.name, class_="small faint"),
    ]


def _mark(spot: Spot, x: float, y: float, tip: str) -> Markup:
    if spot.series is not None:
        return mark(spot.series, x, y, tip, hollow=spot.hollow)
    return tag("circle", tag("title", tip), cx=x, cy=y, r=4.5, class_="mark other hollow")


def _named(spot: Spot, at: float, down: float, lowest: float, taken: list[_Taken]) -> list[Markup]:
    """Write a name where it covers least and is near: beside its point if it can, else with a line that leads there."""
    wide = width_of(spot.name)
    best: tuple[float, _Box, bool] | None = None
    for step, sign, side in ((step, sign, side) for step in range(STEPS) for sign in (-1, 1) for side in (1, -1)):
        left = at + 10 if side == 1 else at - 10 - wide
        middle = down + sign * step * LINE * 0.7
        box = (left, middle - LINE / 2, left + wide, middle + LINE / 2)
        if box[0] < LEFT or box[2] > WIDTH or box[1] < 0 or box[3] > lowest:
            continue
        cost = step * FAR + sum(weight * _overlap(box, other) for other, weight in taken)
        if best is None or cost < best[0] - 1e-9:
            best = (cost, box, step > 0)
    if best is None:
        return []
    _, box, is_led = best
    taken.append((box, 3.0))
    parts = [label(box[0], (box[1] + box[3]) / 2 + 4, spot.name, class_="tick" if spot.hollow else "tick strong")]
    if is_led:
        near = box[0] - 2 if box[0] > at else box[2] + 2
        parts.insert(0, line(at, down, near, (box[1] + box[3]) / 2, "zero"))
    return parts


def _overlap(one: _Box, other: _Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
