"""The words of a page, and where on it they stand: so that a strip is told by all that it shows.

A line may begin with its place, in percent of the page's height from the top: ``[40-52%] a red flag``. Nobody is shown
that. A line without a place can stand anywhere.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .shares import Piece, Span, span

__all__ = ["Line", "lines_of", "place", "spoken"]

PLACE = re.compile(r"^\[(\d{1,3}(?:\.\d+)?)-(\d{1,3}(?:\.\d+)?)%\] ?")
WHOLE = Piece(1)


class Line(NamedTuple):
    """A line of a page's words, and where it stands; None: nobody knows."""

    text: str
    span: Span | None = None


def lines_of(words: str) -> Iterator[Line]:
    """Yield the lines of a page's words, with the places that they begin with."""
    for line in words.splitlines():
        found = PLACE.match(line)
        yield Line(line[found.end() :], (float(found[1]) / 100, float(found[2]) / 100)) if found else Line(line)


def place(top: float, bottom: float) -> str:
    """Write down where a line stands, between two shares of the page's height."""
    return f"[{100 * top:.1f}-{100 * bottom:.1f}%]"


def spoken(words: str, piece: Piece = WHOLE) -> str:
    """Return the words of a page, or of a strip of it, without their places.

    A strip is told by the lines that it shows whole. What no strip shows whole, all tell that show a part of it; and
    all tell what can stand anywhere. So a line is lost to nobody, whoever of those that hold the strips can see:
    a strip that shows it whole is seen, or told; or else one of those that show a part is told, or all are seen.
    """
    mine, strips = span(piece), [span(Piece(piece.page, part, piece.parts)) for part in range(1, piece.parts + 1)]
    return "\n".join(line.text for line in lines_of(words) if piece.parts == 1 or _tells(mine, strips, line))


def _tells(mine: Span, strips: Sequence[Span], line: Line) -> bool:
    if line.span is None:
        return True
    return _shows(mine, line.span) or (
        _touches(mine, line.span) and not any(_shows(each, line.span) for each in strips)
    )


def _shows(strip: Span, line: Span) -> bool:
    return strip[0] <= line[0] and line[1] <= strip[1]


def _touches(strip: Span, line: Span) -> bool:
    return line[0] <= strip[1] and strip[0] <= line[1]
