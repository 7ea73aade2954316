"""Bars: amounts under each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..numbers import number
from ..svg import Scale, drawing, label, limits, line, tag, ticks, width_of

__all__ = ["Bar", "bars"]

STEP = 26.0


@dataclass(frozen=True, slots=True)
class Bar:
    """An amount, None where there is none; ``note`` says how many it stands for."""

    name: str
    value: float | None
    note: str = ""


def bars(name: str, axis: str, drawn: Sequence[Bar]) -> Markup:
    """Draw bars, each with its number.

    Args:
        name: what is shown, in words.
        axis: what the numbers are.
        drawn: from top to bottom; amounts are not negative.
    """
    width, right, top = 500.0, 112.0, 6.0
    names = min(190.0, max((width_of(each.name) for each in drawn), default=0.0) + 14)
    low, high = limits([each.value for each in drawn], include=(0.0,))
    scale = Scale(low, high, names + 6, width - right)
    bottom = top + STEP * len(drawn) + 4
    parts = []
    places = ticks(low, high)
    decimals = 0 if all(value.is_integer() for value in places) else None
    for value in places:
        parts.append(line(scale(value), top, scale(value), bottom, "zero" if value == 0 else "grid"))
        parts.append(label(scale(value), bottom + 16, number(value, decimals), class_="tick", anchor="middle"))
    parts.append(label((scale.start + scale.end) / 2, bottom + 34, axis, class_="axis", anchor="middle"))
    for at, bar in enumerate(drawn):
        y = top + STEP * at + 5
        parts.append(label(names, y + 13, bar.name, class_="name", anchor="end", room=names - 8))
        parts.append(label(width - 2, y + 13, bar.note, class_="tick faint", anchor="end"))
        if bar.value is None:
            parts.append(label(scale(0.0) + 7, y + 13, number(None), class_="tick faint"))
            continue
        long = max(scale(bar.value) - scale(0.0), 0.8)
        parts.append(
            tag(
                "rect",
                tag("title", f"{bar.name}: {number(bar.value)}"),
                x=scale(0.0),
                y=y,
                width=long,
                height=17,
                rx=2,
                class_="bar s0",
            )
        )
        parts.append(label(scale(bar.value) + 7, y + 13, number(bar.value), class_="tick strong"))
    return drawing(width, bottom + 42, name, *parts)
