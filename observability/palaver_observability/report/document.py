"""What a report is made of: sections that hold paragraphs, figures, tables and code, as plain values."""

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

__all__ = ["Block", "Chart", "Code", "Column", "Figure", "Headline", "Note", "Section", "Table", "num", "words"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's title; numbers are set flush right."""

    title: str
    numeric: bool


def words(title: str) -> Column:
    """Make a column of words."""
    return Column(title, numeric=False)


def num(title: str) -> Column:
    """Make a column of numbers."""
    return Column(title.replace("95 % CI", "95\N{NARROW NO-BREAK SPACE}%\N{NO-BREAK SPACE}CI"), numeric=True)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text, each as wide as the head; the first heads its row. ``folded`` hides it behind its caption."""

    caption: str
    head: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with a line above it."""

    title: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class Figure:
    """Charts side by side, what they show (what, n, method), and the same numbers as a table.

    ``findings`` say in plain sentences what is to be seen, computed from the numbers.
    """

    charts: tuple[Chart, ...]
    caption: str
    table: Table
    findings: tuple[str, ...] = ()
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph; a ``loud`` one must not be overlooked."""

    text: str
    loud: bool = False
    kind: Literal["note"] = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to be copied, behind their caption."""

    caption: str
    text: str
    kind: Literal["code"] = "code"


Block = Table | Figure | Note | Code


@dataclass(frozen=True, slots=True)
class Headline:
    """A main figure, for the summary: ``value`` large, ``label`` what it is, ``detail`` n and method."""

    value: str
    label: str
    detail: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report. ``anchor`` is its address within the page."""

    anchor: str
    title: str
    about: str
    blocks: tuple[Block, ...]
    headlines: tuple[Headline, ...] = ()
