"""What a piece of text in one of the :mod:`.notations` says: one cell as its tokens, or one or more steps.

Each function reads a piece that its notation's pattern has matched.
"""

import re
from typing import NamedTuple

from .cells import Spoken, is_direction
from .plain import ARROWS

__all__ = [
    "Mention",
    "arrows",
    "beside",
    "cell",
    "counted",
    "leave",
    "letters",
    "named",
    "number_of",
    "ordinal",
    "pair",
    "words",
]

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BESIDE = dict.fromkeys(("below", "beneath", "underneath", "under"), "down") | {"above": "up"}
_COUNTS = {word: n for n, word in enumerate(_NUMBERS, start=1)} | {"once": 1, "twice": 2, "thrice": 3}


class Mention(NamedTuple):
    """Something found in a text: one cell, or one or more steps (``right twice``)."""

    is_cell: bool
    spoken: tuple[Spoken, ...]


def leave(_: str) -> None:
    """Read nothing: an idiom that names no place and no step."""


def cell(text: str) -> Mention:
    """Read a cell by its two tokens."""
    return Mention(True, (tuple(re.findall(r"-?\d+|[A-Za-z]", text)),))


def pair(text: str) -> Mention:
    """Read a pair in brackets: a cell, or two letters that can only be steps."""
    tokens = tuple(re.findall(r"-?\d+|[A-Za-z]", text))
    return letters(text) if re.fullmatch(r"R[DLR]|[DL]R", "".join(tokens)) else Mention(True, (tokens,))


def named(text: str) -> Mention:
    """Read a cell whose axes are named: "row 2, column 3", "r2c3"."""
    pairs = re.findall(
        r"(?i:(r)(?:ow)?|(c)(?:ol)?(?:umn)?)[^\w-]*(?:(?i:index|number|no)[^\w-]*)?(-?\d+|[A-Z]\b)", text
    )
    return Mention(True, (tuple(f"{(row or column).lower()}{token}" for row, column, token in pairs),))


def ordinal(text: str) -> Mention:
    """Read "2nd row, 3rd column"."""
    pairs = re.findall(r"(\d+)\w\w (row|col)", text.lower())
    return Mention(True, (tuple(axis[0] + number for number, axis in pairs),))


def letters(text: str) -> Mention:
    """Read initials of directions, each as a step."""
    return Mention(False, tuple((letter,) for letter in re.findall(r"[UDLRNSEW]", text)))


def number_of(word: str) -> int:
    """Return the number that a numeral or a word like "two" or "twice" says."""
    return int(word) if word.isdigit() else _COUNTS[word]


def beside(text: str) -> Mention:
    """Read a cell by where it lies from here ("the cell below us") as the step that leads there."""
    words = re.findall(r"[a-z]+", text.lower())
    return Mention(
        False, (([_BESIDE.get(word, word) for word in words if word in _BESIDE or is_direction(word)][-1],),)
    )


def counted(text: str) -> Mention:
    """Read "R, 3D": so many steps as each number says."""
    found = re.findall(r"(\d?)([UDLR])", text)
    return Mention(False, tuple((letter,) for count, letter in found for _ in range(int(count or 1))))


def arrows(text: str) -> Mention:
    """Read arrows, each as a step."""
    return Mention(False, tuple((arrow,) for arrow in re.findall(f"[{''.join(ARROWS)}]", text)))


def words(text: str) -> Mention:
    """Read a direction word and how often it is to be gone."""
    parts = re.findall(r"[a-z]+|\d+", text.lower())
    word = next(part for part in parts if is_direction(part) and len(part) > 1)
    count = next((number_of(part) for part in parts if part.isdigit() or part in _COUNTS), 1)
    return Mention(False, ((word,),) * max(1, count))
