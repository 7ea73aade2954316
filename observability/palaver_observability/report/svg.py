"""Drawing in SVG: elements whose text and attributes are escaped, scales, and words that fit. Pure functions."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from palaver_observability.bounds import ANY, Bounds, clipped

__all__ = ["SERIES", "Scale", "drawing", "fit", "group", "label", "limits", "line", "mark", "tag", "ticks", "width_of"]

CHARACTER = 6.7
"""Pixels that a character of 12 pixels' height takes, about."""
NOTHING = 1e-12
"""A span below this is arithmetic noise."""
SERIES = 6
"""How many colours and shapes there are; further series begin again."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where a value lies; what is beyond the limits lies on them."""
        value = min(max(value, self.low), self.high)
        span = (self.high - self.low) or 1.0
        return self.start + (value - self.low) / span * (self.end - self.start)


def tag(name: str, *children: str, **attributes: float | str | None) -> Markup:
    """Write an element; a trailing ``_`` is cut off an attribute's name, other ``_`` become hyphens."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _plain(value))
        for key, value in attributes.items()
        if value is not None
    )
    inner = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inner)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def drawing(width: float, height: float, description: str, *children: str) -> Markup:
    """Write a whole drawing, with words for those who do not see it. Sizes in pixels."""
    return tag(
        "svg",
        tag("title", description),
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width),
        height=round(height),
        role="img",
    )


def group(*children: str, **attributes: float | str | None) -> Markup:
    """Write elements that belong together."""
    return tag("g", *children, **attributes)


def label(
    x: float, y: float, text: str, *, class_: str = "", anchor: str = "start", room: float | None = None
) -> Markup:
    """Write words; where they have no ``room`` (pixels) they are cut, and shown in full to whoever points at them."""
    shown = fit(text, room)
    whole = () if shown == text else (tag("title", text),)
    return tag(
        "text", shown, *whole, x=x, y=y, class_=class_ or None, text_anchor=None if anchor == "start" else anchor
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Draw a line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def mark(series: int, x: float, y: float, tip: str, *, hollow: bool = False) -> Markup:
    """Draw a point: each series has a colour and a shape of its own, so that nobody needs the colour."""
    shape = series % SERIES
    class_ = f"mark s{shape}" + (" hollow" if hollow else "")
    title = tag("title", tip)
    match shape:
        case 0:
            return tag("circle", title, cx=x, cy=y, r=4.5, class_=class_)
        case 1:
            return tag("rect", title, x=x - 4, y=y - 4, width=8, height=8, class_=class_)
        case _:
            corners = _corners(shape)
            points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
            return tag("polygon", title, points=points, class_=class_)


def _corners(shape: int) -> Sequence[tuple[float, float]]:
    """Return a diamond, a triangle, a triangle upside down, a pentagon."""
    return (
        ((0, -6), (6, 0), (0, 6), (-6, 0)),
        ((0, -5.5), (5.5, 4.5), (-5.5, 4.5)),
        ((0, 5.5), (5.5, -4.5), (-5.5, -4.5)),
        ((0, -5.5), (5.2, -1.7), (3.2, 4.5), (-3.2, 4.5), (-5.2, -1.7)),
    )[shape - 2]


def width_of(text: str, size: float = 12) -> float:
    """Return about how many pixels words take."""
    return len(text) * CHARACTER * size / 12


def fit(text: str, room: float | None) -> str:
    """Cut words that are too long for their room (pixels), in the middle: names differ at both ends."""
    most = len(text) if room is None else max(4, int(room / CHARACTER))
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def limits(
    values: Iterable[float | None], *, include: Sequence[float] = (), within: Bounds = ANY
) -> tuple[float, float]:
    """Return round limits that hold all values, as far as these are ``within`` bounds; 0 to 1 where there are none."""
    bounded = (clipped(value, within) for value in values)
    known = [value for value in bounded if value is not None and math.isfinite(value)] + list(include)
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    step = _step(next(span for span in (high - low, abs(high), 1.0) if span > NOTHING))
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return (low, high) if high > low else (low, low + step)


def ticks(low: float, high: float) -> list[float]:
    """Return round values between two limits, about five of them."""
    step = _step(high - low)
    first = math.ceil(low / step - 1e-9)
    return [round(each * step, 10) + 0.0 for each in range(first, math.floor(high / step + 1e-9) + 1)]


def _step(span: float) -> float:
    size = 10.0 ** math.floor(math.log10(span / 4))
    return next(size * each for each in (1, 2, 2.5, 5, 10) if size * each * 5.01 >= span)
