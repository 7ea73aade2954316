"""What a solver makes of a page's words: the steps of a solution, and its answer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["NUMBERS", "ORDINALS", "Solved", "UnsolvedError", "counted", "listed", "only", "spelt"]

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Numbers in words, from zero, and places, from the first."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A solution. ``guess`` is what somebody would answer who did not see how the letters are to be ordered or read."""

    steps: tuple[str, ...]
    answer: str
    guess: str


class UnsolvedError(Exception):
    """These words are of another puzzle, or not all of them are there."""


def listed(items: Iterable[object]) -> str:
    """Write items one after the other: ``A, L, L``."""
    return ", ".join(map(str, items))


def spelt(phrase: str, *words: str) -> str:
    """Divide a run of letters into the words that it consists of; it stays whole where they do not make it up.

    Args:
        phrase: letters without spaces.
        words: those that are known, in capitals.
    """
    for word in words:
        if phrase.startswith(word) and phrase[len(word) :] in words:
            return f"{word} {phrase[len(word) :]}"
    return phrase


def only(found: Iterable[str], what: str) -> str:
    """Return the only thing that was found.

    Raises:
        UnsolvedError: there is none, or there are several.
    """
    match list(found):
        case [one]:
            return one
        case several:
            raise UnsolvedError(f"{len(several)} things could be {what}")


def counted(words: str, noun: str) -> int:
    """Return how many of a thing there are by what the page says of itself: ``Seven cards``.

    Raises:
        UnsolvedError: it does not say.
    """
    found = re.search(rf"\b({'|'.join(NUMBERS)})\s+(?:round\s+)?{noun}\b", words, re.IGNORECASE)
    if found is None:
        raise UnsolvedError(f"nobody has said how many {noun} there are")
    return NUMBERS.index(found[1].lower())
