"""Stacked bars: how a whole is divided, a bar under the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..numbers import number
from ..svg import SERIES, drawing, label, tag, width_of

__all__ = ["Stack", "stacks"]

STEP, BAR, NOTE = 34.0, 24.0, 110.0
WIDTH = 800.0
ROOM = 40.0
"""Pixels from which a piece has room for its number."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A whole and its parts, which sum up to 1, or to 0 where there is nothing. ``note`` says of how many."""

    name: str
    parts: tuple[float, ...]
    note: str = ""


def stacks(name: str, series: Sequence[str], drawn: Sequence[Stack]) -> Markup:
    """Draw bars of the same length, divided.

    Args:
        name: what is shown, in words.
        series: what the parts are, from left to right.
        drawn: the bars, from top to bottom.
    """
    names = min(280.0, max((width_of(each.name) for each in drawn), default=0.0) + 14)
    long = WIDTH - NOTE - names - 8
    parts, x, top = [], names + 8, 34.0
    for at, each in enumerate(series):
        parts.append(tag("rect", x=x, y=6, width=12, height=12, rx=2, class_=f"bar piece s{at % SERIES}"))
        parts.append(label(x + 17, 16, each, class_="tick"))
        x += width_of(each) + 40
    for at, stack in enumerate(drawn):
        y = top + STEP * at
        parts.append(label(names, y + BAR / 2 + 4, stack.name, class_="name", anchor="end", room=names - 8))
        left = names + 8
        for which, share in enumerate(stack.parts):
            wide = long * share
            if wide <= 0:
                continue
            tip = tag("title", f"{stack.name}, {series[which]}: {number(share)}")
            piece = f"bar piece s{which % SERIES}"
            parts.append(tag("rect", tip, x=left, y=y, width=wide, height=BAR, class_=piece))
            if wide >= ROOM:
                parts.append(label(left + wide / 2, y + BAR / 2 + 4, number(share), class_="on", anchor="middle"))
            left += wide
        if not any(stack.parts):
            parts.append(label(left + 4, y + BAR / 2 + 4, "none", class_="tick faint"))
        parts.append(label(WIDTH - 2, y + BAR / 2 + 4, stack.note, class_="tick faint", anchor="end"))
    return drawing(max(WIDTH, x), top + STEP * len(drawn) + 4, name, *parts)
