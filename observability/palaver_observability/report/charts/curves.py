"""Curves over a number (turns, size, density, agents), each with intervals, and baselines to compare them with."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from palaver_observability.bounds import ANY, Bounds, clipped

from ..numbers import between, count, number
from ..svg import Scale, drawing, label, limits, line, mark, tag, ticks

__all__ = ["Baseline", "Curve", "Point", "curves"]

WIDTH, HEIGHT, LEFT, RIGHT = 500.0, 300.0, 52.0, 150.0
"""Pixels; on the right stand the names of the baselines, or of the curves where there are none."""
NAME = 16.0
"""Pixels that the name of a curve takes from top to bottom."""


@dataclass(frozen=True, slots=True)
class Point:
    """An estimate at ``x``."""

    x: float
    mean: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Estimates that belong together. ``hollow`` marks what others have published."""

    name: str
    points: tuple[Point, ...]
    hollow: bool = False
    series: int | None = None
    """Its colour and shape; None takes its place among the curves."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """An estimate that does not depend on x."""

    name: str
    mean: float
    low: float | None = None
    high: float | None = None


def curves(
    name: str,
    x_axis: str,
    y_axis: str,
    drawn: Sequence[Curve],
    baselines: Sequence[Baseline] = (),
    *,
    within: Bounds = ANY,
    right: float = RIGHT,
) -> Markup:
    """Draw curves with 95 % intervals, and baselines as dashed lines with theirs as bands.

    Where there are baselines, they are named on the right, else the curves.

    Args:
        name: what is shown, in words.
        x_axis: what the curves go over.
        y_axis: what is measured.
        drawn: the curves.
        baselines: what they are compared with.
        within: how far the measure can go; intervals are drawn no farther, and written as they are.
        right: pixels for names on the right.
    """
    points = [point for curve in drawn for point in curve.points]
    drawn_at: list[Point | Baseline] = [*points, *baselines]
    edges = [clipped(edge, within) for each in drawn_at for edge in (each.mean, each.low, each.high)]
    low, high = limits(edges, include=(0.0, 1.0) if all(-1 <= (edge or 0) <= 1.2 for edge in edges) else (0.0,))
    height = max(HEIGHT, NAME * len(drawn) + 60)
    places = sorted({point.x for point in points})
    x = Scale(places[0], places[-1], LEFT + 22, WIDTH - RIGHT - 14) if places else Scale(0, 1, LEFT, WIDTH - RIGHT)
    if len(places) == 1:
        x = Scale(places[0] - 1, places[0] + 1, x.start, x.end)
    y = Scale(low, high, height - 44, 14.0)
    parts: list[Markup] = []
    for value in ticks(low, high):
        parts.append(line(LEFT, y(value), WIDTH - RIGHT, y(value), "zero" if value == 0 else "grid"))
        parts.append(label(LEFT - 8, y(value) + 4, number(value), class_="tick", anchor="end"))
    parts += [label(x(at), height - 26, f"{at:g}", class_="tick", anchor="middle") for at in places]
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, height - 7, x_axis, class_="axis", anchor="middle"))
    parts.append(
        tag(
            "text", y_axis, class_="axis", text_anchor="middle", transform=f"translate(13 {height / 2:.0f}) rotate(-90)"
        )
    )
    parts += _baselines(baselines, y) if baselines else _names(drawn, y, right)
    for at, curve in enumerate(drawn):
        parts += _curve(at if curve.series is None else curve.series, curve, x, y)
    return drawing(WIDTH - RIGHT + right, height, name, *parts)


def _names(drawn: Sequence[Curve], y: Scale, right: float) -> list[Markup]:
    """Name each curve where it ends: nobody has to look colours up."""
    ends = [
        (at if curve.series is None else curve.series, curve, max(curve.points, key=lambda point: point.x))
        for at, curve in enumerate(drawn)
        if curve.points
    ]
    places = _apart([y(end.mean) for *_, end in ends], NAME, y.start)
    left = WIDTH - RIGHT + 8
    return [
        part
        for (at, curve, _), place in zip(ends, places, strict=True)
        for part in (
            mark(at, left, place, curve.name, hollow=curve.hollow),
            label(left + 11, place + 4, curve.name, class_="tick", room=right - 22),
        )
    ]


def _baselines(baselines: Sequence[Baseline], y: Scale) -> list[Markup]:
    parts = []
    for each in baselines:
        if each.low is not None and each.high is not None:
            top, bottom = y(each.high), y(each.low)
            parts.append(
                tag("rect", x=LEFT, y=top, width=WIDTH - RIGHT - LEFT, height=max(bottom - top, 0.5), class_="band")
            )
        parts.append(line(LEFT, y(each.mean), WIDTH - RIGHT, y(each.mean), "baseline"))
    at = _apart([y(each.mean) for each in baselines], 30, y.start - 26)
    for each, place in zip(baselines, at, strict=True):
        parts.append(label(WIDTH - RIGHT + 8, place + 1, each.name, class_="tick", room=RIGHT - 10))
        parts.append(
            label(
                WIDTH - RIGHT + 8,
                place + 15,
                f"{number(each.mean)} {between(each.low, each.high)}",
                class_="tick faint",
            )
        )
    return parts


def _apart(places: Sequence[float], step: float, lowest: float) -> list[float]:
    """Move labels apart that would cover each other, and keep them within the drawing."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for above, at in pairwise(order):
        moved[at] = max(moved[at], moved[above] + step)
    limit = lowest
    for at in reversed(order):
        moved[at] = min(moved[at], limit)
        limit = moved[at] - step
    return moved


def _curve(at: int, curve: Curve, x: Scale, y: Scale) -> list[Markup]:
    points = sorted(curve.points, key=lambda point: point.x)
    way = " ".join(f"{x(point.x):.1f},{y(point.mean):.1f}" for point in points)
    parts = [tag("polyline", points=way, class_=f"curve s{at % 6}")] if len(points) > 1 else []
    for point in points:
        here = x(point.x)
        if point.low is not None and point.high is not None:
            parts.append(line(here, y(point.low), here, y(point.high), f"whisker s{at % 6}"))
        tip = f"{curve.name} at {point.x:g}: {number(point.mean)} {between(point.low, point.high)}, n {count(point.n)}"
        parts.append(mark(at, here, y(point.mean), tip, hollow=curve.hollow))
    return parts
