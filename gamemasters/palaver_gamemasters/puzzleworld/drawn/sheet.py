"""What the pages of our own puzzles have in common: paper with a title and a flavour text, and the words of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from palaver_gamemasters.drawing import Canvas, Colour, fitting

from ..words import place

__all__ = ["MARGIN", "WIDTH", "Heading", "Look", "Placed", "Sheet", "encoded", "figure", "page"]

WIDTH = 1200
MARGIN = 70
"""Pixels, of every page and figure."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a page is headed by: the puzzle's own title and flavour text."""

    title: str
    flavour: str


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a page: its paper, what is written on it, and what stands out."""

    paper: Colour
    ink: Colour
    accent: Colour


class Placed(NamedTuple):
    """A line of a page's words that tells of one place; ``top``, ``bottom``: pixels below where the content begins."""

    text: str
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture and the name of its file; ``words`` say all that a page shows (None: a figure of the solution)."""

    name: str
    picture: Image.Image
    words: str | None = None


def page(
    heading: Heading, height: int, look: Look, *, number: int = 1, pages: int = 1, lines: Iterable[str | Placed] = ()
) -> tuple[Canvas, float, str]:
    """Begin a page.

    Args:
        heading: its title; the flavour text stands on the first page alone.
        height: in pixels.
        look: its colours.
        number: which page this is, from 1.
        pages: how many there are.
        lines: what the page will show below its heading, in words; without a place what holds for all of it.

    Returns:
        The page, where its content begins (y), and its words.
    """
    canvas = Canvas(WIDTH, height, look.paper)
    canvas.box((0, 0, WIDTH, 14), look.accent)
    size = fitting(heading.title, 54, WIDTH - 2 * MARGIN - 180)
    canvas.text((MARGIN, 74), heading.title, size, look.ink, anchor="lm", bold=True)
    words = [f"title: {heading.title}"]
    if pages > 1:
        canvas.text((WIDTH - MARGIN, 74), f"page {number} of {pages}", 22, look.accent, anchor="rm")
        words.append(f"page {number} of {pages}")
    y: float = 122
    if number == 1:
        words.append(f"flavour: {heading.flavour}")
        y = canvas.paragraph((MARGIN, y, WIDTH - MARGIN, height), heading.flavour, 25, look.ink)
    canvas.line([(MARGIN, y + 12), (WIDTH - MARGIN, y + 12)], look.accent, 3)
    top = y + 34
    told = (each if isinstance(each, str) else _told(each, top, height) for each in lines)
    return canvas, top, "\n".join([*words, "", *told]) + "\n"


def _told(line: Placed, top: float, height: int) -> str:
    return f"{place((top + line.top) / height, (top + line.bottom) / height)} {line.text}"


def figure(name: str, canvas: Canvas) -> Sheet:
    """Make a figure of the solution."""
    return Sheet(name, canvas.flat())


def encoded(picture: Image.Image) -> bytes:
    """Encode a page with few colours, as small as PNG can: it is drawn once and read often."""
    data = BytesIO()
    picture.save(data, "PNG", optimize=True)
    return data.getvalue()
