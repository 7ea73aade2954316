"""A heat map: of pairings (the row has the first place, the column the second), or of any rows and columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from ..numbers import between, count, number
from ..places import TURNS, Places
from ..svg import drawing, group, label, tag, width_of

__all__ = ["Heat", "heat_map"]

DEEPEST = 0.55
"""How opaque a cell of the largest value is: the ink on it stays readable, by day and by night."""
ROOM_FOR_LINES = 40.0
"""Height (pixels) from which a cell shows more than its mean."""
WIDEST = 120.0
"""Pixels of a column at most, where names need more than they have."""
BREAKS = "-/ _"
"""After these, a name may go on in the next line."""
SLANTED = 190.0
"""Pixels of a column's name where it stands aslant."""
ROOMY = 7
"""Columns up to which each cell has room for its interval and n."""


@dataclass(frozen=True, slots=True)
class Heat:
    """A mean, its interval and how many episodes it stands for (None where a paper does not say)."""

    mean: float
    low: float | None = None
    high: float | None = None
    n: int | None = None


class _Box(NamedTuple):
    x: float
    y: float
    wide: float
    high: float


def heat_map(
    name: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], Heat],
    *,
    places: Places | None = TURNS,
) -> Markup:
    """Draw a heat map.

    Args:
        name: what is shown, in words.
        rows: who has the first place.
        columns: who has the second.
        cells: what is known, by (row, column).
        places: what the places are called; None where rows and columns are no agents of a pair.
    """
    roomy = len(columns) <= ROOMY
    heads = {column: _folded(column, 83.0) for column in columns}
    longest = max((width_of(line) for lines in heads.values() for line in lines), default=0.0)
    wide, high = (max(87.0, min(longest + 6, WIDEST)), 62.0) if roomy else (42.0, 28.0)
    room = 165.0 if places else 270.0
    left = (22 if places else 4) + min(room + 5, max(map(width_of, rows), default=0.0) + 20)
    deepest = max(map(len, heads.values()), default=1)
    top = (
        56.0 + 14 * max(0, deepest - 2) if roomy else 30 + min(SLANTED, max(map(width_of, columns), default=0.0)) * 0.72
    )
    most = max([1.0, *(abs(cell.mean) for cell in cells.values())])
    middle = top + high * len(rows) / 2
    starts = {"class_": "axis", "text_anchor": "middle", "transform": f"translate(12 {middle:.0f}) rotate(-90)"}
    parts = []
    if places:
        parts = [
            label(left + wide * len(columns) / 2, 14, f"{places.second} →", class_="axis", anchor="middle"),
            tag("text", f"← {places.first}", **starts),
        ]
    for at, column in enumerate(columns):
        parts += _heading(column, heads[column] if roomy else (), left + wide * (at + 0.5), top, wide)
    for down, row in enumerate(rows):
        y = top + high * down
        parts.append(label(left - 9, y + high / 2 + 4, row, class_="name", anchor="end", room=room))
        for at, column in enumerate(columns):
            found = cells.get((row, column))
            box = _Box(left + wide * at, y, wide, high)
            who = places.pair(row, column) if places else f"{row}, {column}"
            parts.append(_cell(found, who, box, most))
    right = 4.0 if roomy else 110.0
    return drawing(left + wide * len(columns) + right, top + high * len(rows) + 6, name, *parts)


def _heading(column: str, lines: Sequence[str], x: float, top: float, wide: float) -> list[Markup]:
    """Name a column: in lines above each other where there is room, slanted where there are none."""
    if not lines:
        words = label(0, 0, column, class_="name", room=SLANTED)
        return [group(words, transform=f"translate({x + 4:.1f} {top - 8:.1f}) rotate(-45)")]
    return [
        label(x, top - 9 - 14 * (len(lines) - at), line, class_="name", anchor="middle", room=wide - 4)
        for at, line in enumerate(lines, start=1)
    ]


def _folded(name: str, room: float) -> list[str]:
    """Break a name into as many lines as it needs: halves, and halves of these."""
    if width_of(name) <= room or not any(character in BREAKS for character in name[:-1]):
        return [name]
    return [line for half in _halves(name) for line in _folded(half, room)]


def _halves(name: str) -> list[str]:
    """Break a name after the hyphen, slash, blank or underscore that is nearest to its middle."""
    breaks = [at + 1 for at, character in enumerate(name[:-1]) if character in BREAKS]
    at = min(breaks, key=lambda each: abs(each - len(name) / 2))
    return [name[:at], name[at:]]


def _cell(found: Heat | None, who: str, box: _Box, most: float) -> Markup:
    middle, centre = box.x + box.wide / 2, box.y + box.high / 2
    shape = {"x": box.x + 1.5, "y": box.y + 1.5, "width": box.wide - 3, "height": box.high - 3, "rx": 3.0}
    if found is None:
        return group(
            tag("rect", class_="none", **shape), label(middle, centre + 4, "·", class_="faint", anchor="middle")
        )
    depth = min(1.0, abs(found.mean) / most)
    spread, n = between(found.low, found.high), "" if found.n is None else f", n {count(found.n)}"
    parts = [
        tag("title", f"{who}: {number(found.mean)} {spread}{n}"),
        tag("rect", class_="cold" if found.mean < 0 else "heat", fill_opacity=0.03 + DEEPEST * depth, **shape),
    ]
    if box.high < ROOM_FOR_LINES:
        parts.append(label(middle, centre + 4, number(found.mean), class_="small", anchor="middle"))
        return group(*parts)
    lines = [text for text in (spread, n.removeprefix(", ")) if text]
    first = centre + 5 - 8 * len(lines)
    parts.append(label(middle, first, number(found.mean), class_="big", anchor="middle"))
    parts += [
        label(middle, first + 2 + 14 * at, text, class_="small", anchor="middle")
        for at, text in enumerate(lines, start=1)
    ]
    return group(*parts)
