"""Which lines, cells and symbols of a grid a text speaks of: "row 2", "the third column", "X, empty, X, X, X"."""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Literal, NamedTuple

from palaver_gamemasters.clembench.grids import EMPTY, FILLED, Cell

__all__ = ["NUMBERS", "Line", "Named", "Pattern", "cells_named", "line_of", "named_in", "patterns_in", "plain"]

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
BEGINNINGS = ("top", "topmost", "upper", "uppermost", "left", "leftmost", "left-most")
ENDS = ("bottom", "bottommost", "lower", "lowest", "last", "right", "rightmost", "right-most")
MIDDLES = ("middle", "center", "centre", "central")

NUMBER = rf"(?:\d+(?!\d)|{'|'.join(NUMBERS)})\b"
ORDINAL = rf"(?:\d+(?:st|nd|rd|th)|{'|'.join((*ORDINALS, *BEGINNINGS, *ENDS, *MIDDLES))})\b"
AND = r"(?:\s*,\s*(?:and\s+)?|\s*(?:&|\band\b|\bor\b)\s*)"
TO = r"\s*(?:-|\N{EN DASH}|\bto\b|\bthrough\b)\s*"
WHAT = r"(?P<what>rows?|columns?|positions?|places?)"
NUMBERED = re.compile(rf"\b{WHAT}\s*(?:number\s*)?(?P<which>{NUMBER}(?:(?:{AND}|{TO}){NUMBER})*)", re.IGNORECASE)
COUNTED = re.compile(rf"\b(?P<which>{ORDINAL}(?:{AND}(?:the\s+)?{ORDINAL})*)\s+{WHAT}\b", re.IGNORECASE)
EACH = r"(?P<which>all|every|each)\s+(?:of\s+)?(?:(?:the|my|your)\s+)?(?:(?:five|5)\s+)?"
EVERY = re.compile(rf"\b{EACH}{WHAT}\b", re.IGNORECASE)

SYMBOL = rf"(?:x(?![a-z])|{EMPTY}|\b(?:empty|blank|filled)\b)"
SYMBOLS = re.compile(SYMBOL, re.IGNORECASE)
BETWEEN = r"[ \t,|\[\]'\"]*(?:and )?"
RUN = re.compile(rf"(?<![a-z{EMPTY}]){SYMBOL}(?:{BETWEEN}{SYMBOL})*", re.IGNORECASE)

TWINS = str.maketrans(
    {
        **dict.fromkeys("\N{WHITE SQUARE}\N{BALLOT BOX}\N{WHITE LARGE SQUARE}\N{WHITE MEDIUM SQUARE}", EMPTY),
        **dict.fromkeys("\N{BLACK SQUARE}\N{BLACK LARGE SQUARE}\N{BALLOT BOX WITH X}\N{MULTIPLICATION X}", FILLED),
    }
)
"""Symbols that writers take for those of a grid."""


class Line(NamedTuple):
    """A row or a column, counted from 0."""

    what: Literal["row", "column"]
    at: int

    def __str__(self) -> str:
        """Name it as people do."""
        return f"{self.what} {self.at + 1}"


class Named(NamedTuple):
    """Lines that are named together, and where in the text."""

    lines: tuple[Line, ...]
    start: int
    end: int


class Pattern(NamedTuple):
    """The symbols of a line one after the other, filled or not, and where in the text they begin."""

    filled: tuple[bool, ...]
    start: int


def plain(text: str) -> str:
    """Put the usual symbols for those that look alike."""
    return text.translate(TWINS)


def line_of(line: Line, side: int) -> tuple[Cell, ...]:
    """Return the cells of a line, from the left, or from the top."""
    return tuple((line.at, other) if line.what == "row" else (other, line.at) for other in range(side))


def named_in(text: str, side: int) -> list[Named]:
    """Return the lines that a text names, in order. Places that are counted within a row are columns."""
    found = (match for how in (NUMBERED, COUNTED, EVERY) for match in how.finditer(text))
    named = sorted((Named(tuple(_lines(match, side)), match.start(), match.end()) for match in found), key=_start)
    return [each for each in named if each.lines]


def cells_named(named: Iterable[Named]) -> tuple[Cell, ...]:
    """Return the cells where rows and columns meet that are named together; none unless both are."""
    lines = [line for each in named for line in each.lines]
    rows, columns = ([line.at for line in lines if line.what == what] for what in ("row", "column"))
    return tuple(dict.fromkeys(product(rows, columns))) if min(len(rows), len(columns)) <= 1 else ()


def patterns_in(text: str, side: int) -> list[Pattern]:
    """Return whole lines that are written symbol by symbol, in order; more or fewer symbols are none."""
    runs = ((run.start(), SYMBOLS.findall(run[0])) for run in RUN.finditer(text))
    return [
        Pattern(tuple(symbol.lower() in ("x", "filled") for symbol in symbols), start)
        for start, symbols in runs
        if len(symbols) == side
    ]


def _start(named: Named) -> int:
    return named.start


def _lines(match: re.Match[str], side: int) -> Iterator[Line]:
    what: Literal["row", "column"] = "row" if match["what"].lower().startswith("row") else "column"
    which = match["which"].lower()
    if which in ("all", "every", "each"):
        yield from (Line(what, at) for at in range(side))
        return
    numbers: list[int] = []
    for joint, word in re.findall(rf"({TO})?({ORDINAL}|{NUMBER})", which):
        number = _number(word, side)
        # "2 to 4" names what is between, too
        numbers += range(numbers[-1] + 1, number) if joint and numbers else ()
        numbers.append(number)
    yield from (Line(what, number - 1) for number in dict.fromkeys(numbers) if 1 <= number <= side)


def _number(word: str, side: int) -> int:
    if word in BEGINNINGS:
        return 1
    if word in ENDS:
        return side
    if word in MIDDLES:
        return side // 2 + 1
    digits = re.match(r"\d{1,3}", word)
    # what is no number after all (a long s is an s to a search that minds no case) is no line either
    return int(digits[0]) if digits else {**ORDINALS, **NUMBERS}.get(word, 0)
