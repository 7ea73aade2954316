"""Ways of naming the cells of a maze, as people do: r1c2, (0, 1), B6, row 1, column 2.

The Collaboration Gap (section 2, appendix F.1) found that many dialogues fail on this alone, so a style can be stated
in words, written, and read in whatever spelling it comes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..grid import Cell, Maze

__all__ = ["NAMED_STYLES", "Form", "Mention", "Style", "mentions"]

Form = Literal["rc", "words", "pair", "letter"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A cell's name found in a text, not yet understood.

    ``start`` and ``end`` bound it in the text. ``first`` and ``second`` are the numbers as written, row before column
    where the name itself says which is which; of a name with a letter, ``first`` is the letter (A is 0).
    """

    start: int
    end: int
    form: Form
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Style:
    """A convention for naming cells.

    ``form`` is the spelling: ``rc`` r1c2, ``words`` row 1, column 2, ``pair`` (1, 2), ``letter`` B1. ``base`` is the
    number of the first row and column, ``column_first`` the order in a pair, or that the letter stands for the column;
    ``from_bottom`` and ``from_right`` say from where rows and columns are counted.
    """

    form: Form
    base: int = 1
    column_first: bool = False
    from_bottom: bool = False
    from_right: bool = False

    def flip(self, cell: Cell, maze: Maze) -> Cell:
        """Turn a cell counted from the top left into one counted from this style's corner, or back."""
        row, column = cell
        return (
            maze.height - 1 - row if self.from_bottom else row,
            maze.width - 1 - column if self.from_right else column,
        )

    def write(self, cell: Cell, maze: Maze) -> str:
        """Name a cell of a maze."""
        row, column = self.flip(cell, maze)
        down, right = row + self.base, column + self.base
        match self.form:
            case "rc":
                return f"r{down}c{right}"
            case "words":
                return f"row {down}, column {right}"
            case "letter":
                return f"{_letters(column)}{down}" if self.column_first else f"{_letters(row)}{right}"
            case "pair":
                return f"({right}, {down})" if self.column_first else f"({down}, {right})"

    def write_row(self, row: int, maze: Maze) -> str:
        """Name a row of a maze."""
        counted = self.flip((row, 0), maze)[0]
        if self.form == "letter" and not self.column_first:
            return f"row {_letters(counted)}"
        return f"{'y =' if self.is_xy else 'row'} {counted + self.base}"

    def read(self, mention: Mention, maze: Maze) -> Cell:
        """Return the cell that a name means; it may lie off the board."""
        if mention.form == "letter":
            number = mention.second - self.base
            cell = (number, mention.first) if self.column_first else (mention.first, number)
        else:
            cell = (mention.first - self.base, mention.second - self.base)
            if mention.form == "pair" and self.column_first:
                cell = cell[::-1]
        return self.flip(cell, maze)

    @property
    def is_xy(self) -> bool:
        """Whether this is the convention of a plot: x to the right, y upwards."""
        return self.form == "pair" and self.column_first and self.from_bottom

    def statement(self, maze: Maze) -> str:
        """Say in words how cells are named, so that it can be understood in one way only; no full stop."""
        corner = f"{'bottom' if self.from_bottom else 'top'}-{'right' if self.from_right else 'left'}"
        order = "(x, y)" if self.is_xy else "(column, row)" if self.column_first else "(row, column)"
        how = {
            "rc": "as rXcY for row X and column Y",
            "words": "by row and column",
            "letter": f"by a letter for the {'column' if self.column_first else 'row'} and a number for the "
            f"{'row' if self.column_first else 'column'}",
            "pair": f"as {order}",
        }[self.form]
        example = self.write(self.flip((0, 0), maze), maze)
        return f"{how}, counted from {self.base}, with {example} in the {corner} corner"


NAMED_STYLES: dict[str, Style] = {
    "rc": Style("rc"),
    "tuple0": Style("pair", base=0),
    "tuple1": Style("pair"),
    "chess": Style("letter", column_first=True, from_bottom=True),
    "xy0": Style("pair", base=0, column_first=True, from_bottom=True),
    "xy1": Style("pair", column_first=True, from_bottom=True),
    "words": Style("words"),
}
"""The conventions that scripted speakers choose from, by name."""

MENTION = re.compile(
    r"\br(?:ow)?(?P<r>\d{1,3})\s*,?\s*c(?:ol(?:umn)?)?(?P<c>\d{1,3})\b"
    r"|\brow\s*(?P<row>\d{1,3})\s*(?:,|/|and)?\s*col(?:umn)?\s*(?P<col>\d{1,3})\b"
    r"|\bcol(?:umn)?\s*(?P<col2>\d{1,3})\s*(?:,|/|and)?\s*row\s*(?P<row2>\d{1,3})\b"
    r"|\bx\s*=\s*(?P<x>\d{1,3})\s*(?:,|and)?\s*y\s*=\s*(?P<y>\d{1,3})\b"
    r"|[(\[]\s*(?P<a>\d{1,3})\s*[,;]\s*(?P<b>\d{1,3})\s*[)\]]"
    r"|\b(?P<letter>[A-Z]{1,2}?)(?P<number>\d{1,2})\b"
    r"|\b(?P<number2>\d{1,2})(?P<letter2>[A-Z])\b"
    r"|[(\[]\s*(?P<letter3>[A-Z])\s*,\s*(?P<number3>\d{1,2})\s*[)\]]"
    r"|[(\[]\s*(?P<number4>\d{1,2})\s*,\s*(?P<letter4>[A-Z])\s*[)\]]",
    re.IGNORECASE | re.ASCII,
)

_SPELLINGS: tuple[tuple[str, str, Form], ...] = (
    ("r", "c", "rc"),
    ("row", "col", "words"),
    ("row2", "col2", "words"),
    ("y", "x", "words"),
    ("a", "b", "pair"),
    ("letter", "number", "letter"),
    ("letter2", "number2", "letter"),
    ("letter3", "number3", "letter"),
    ("letter4", "number4", "letter"),
)


def mentions(text: str) -> Iterator[Mention]:
    """Find the names of cells in a text, in any spelling, from left to right."""
    for found in MENTION.finditer(text):
        first, second, form = next(spelling for spelling in _SPELLINGS if found[spelling[0]])
        value = _number(found[first]) if form == "letter" else int(found[first])
        yield Mention(found.start(), found.end(), form, value, int(found[second]))


def _letters(number: int) -> str:
    """Count in letters: A, B, ... Z, AA, AB, ..."""
    before, letter = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + letter)


def _number(letters: str) -> int:
    """Undo :func:`_letters`."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
