"""Dots with intervals: estimates under each other, so that they can be compared at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from palaver_observability.bounds import ANY, Bounds

from ..numbers import between, count, number, signed
from ..svg import Scale, drawing, label, limits, line, mark, ticks, width_of

__all__ = ["Dot", "DotRow", "dot_plot"]

STEP, GAP = 21.0, 11.0


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate of one series. ``hollow`` marks what others have published."""

    series: int
    mean: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class DotRow:
    """Estimates of the same thing."""

    name: str
    dots: tuple[Dot, ...]


def dot_plot(
    name: str,
    axis: str,
    rows: Sequence[DotRow],
    series: Sequence[str] = (),
    *,
    include: Sequence[float] = (0.0,),
    within: Bounds = ANY,
    differences: bool = False,
) -> Markup:
    """Draw dots with their intervals.

    Args:
        name: what is shown, in words.
        axis: what the numbers are.
        rows: from top to bottom.
        series: what each series is, for the legend; published ones follow ours.
        include: values that the axis must reach.
        within: how far the measure can go; intervals are drawn no farther, and written as they are.
        differences: whether numbers are differences: they have a sign, and zero has a line.
    """
    names = min(280.0, max((width_of(row.name) for row in rows), default=0.0) + 14)
    right, width = 178.0, 800.0
    top = 30.0 if series else 8.0
    dots = [dot for row in rows for dot in row.dots]
    low, high = limits([edge for dot in dots for edge in (dot.mean, dot.low, dot.high)], include=include, within=within)
    scale = Scale(low, high, names + 8, width - right - 10)
    bottom = top + sum(STEP * len(row.dots) + GAP for row in rows)
    parts = legend(series, names + 8, 16)
    for value in ticks(low, high):
        x = scale(value)
        parts.append(line(x, top, x, bottom, "zero" if differences and value == 0 else "grid"))
        parts.append(label(x, bottom + 16, number(value), class_="tick", anchor="middle"))
    parts.append(label((scale.start + scale.end) / 2, bottom + 34, axis, class_="axis", anchor="middle"))
    y = top
    for row in rows:
        tall = STEP * len(row.dots) + GAP
        parts.append(label(names, y + tall / 2 + 4, row.name, class_="name", anchor="end", room=names - 8))
        for at, dot in enumerate(row.dots):
            middle = y + GAP / 2 + STEP * (at + 0.5)
            parts += _dot(row.name, dot, middle, scale, right=width - right, differences=differences)
        y += tall
        parts.append(line(8, y, width, y, "rule"))
    return drawing(width, bottom + 42, name, *parts)


def legend(series: Sequence[str], x: float, y: float) -> list[Markup]:
    """Say which mark is which; none where there are no series."""
    parts = []
    for at, each in enumerate(series):
        parts += [mark(at, x, y - 4, each), label(x + 11, y, each, class_="tick")]
        x += width_of(each) + 34
    return parts


def _dot(who: str, dot: Dot, y: float, scale: Scale, *, right: float, differences: bool) -> list[Markup]:
    parts = []
    shape = f"s{dot.series % 6}"
    if dot.low is not None and dot.high is not None:
        parts.append(line(scale(dot.low), y, scale(dot.high), y, f"whisker {shape}"))
        parts += [line(x, y - 4, x, y + 4, f"whisker {shape}") for x in (scale(dot.low), scale(dot.high))]
    value = signed(dot.mean) if differences else number(dot.mean)
    words = f"{value} {between(dot.low, dot.high)}"
    parts.append(mark(dot.series, scale(dot.mean), y, f"{who}: {words}", hollow=dot.hollow))
    n = "published" if dot.hollow else "" if dot.n is None else f"n {count(dot.n)}"
    parts.append(label(right, y + 4, words, class_="tick strong"))
    parts.append(label(right + 176, y + 4, n, class_="tick faint", anchor="end"))
    return parts
