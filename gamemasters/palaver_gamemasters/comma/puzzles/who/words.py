"""How people write about buttons and labels: places in many words, labels in quotes.

Labels are words of everyday speech (NO, YOU, WHAT?, LEFT, ...), so a label is first looked for in quotation marks. What
is quoted becomes a single mark, which no later search can mistake for speech.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from palaver_gamemasters.comma.speech import straight

from .manual import POSITIONS, reads

__all__ = ["MARK", "PLACE", "Marked", "alternatives", "mark_quotes", "places", "spoken"]

ROWS = {"top": 0, "upper": 0, "first": 0, "1st": 0, "middle": 1, "mid": 1, "centre": 1, "center": 1, "central": 1,
        "second": 1, "2nd": 1, "bottom": 2, "lower": 2, "third": 2, "3rd": 2, "last": 2}  # fmt: skip
ROW = r"top|upper|middle|mid|cent(?:re|er|ral)|bottom|lower"
NUMBERED = r"first|1st|second|2nd|third|3rd|last|top|middle|bottom"
PLACE = re.compile(
    rf"\b(?:(?P<row>{ROW})[ -](?P<side>left|right)|(?P<side2>left|right)[ -](?P<row2>{ROW})"
    rf"|(?P<row3>{NUMBERED}) row,?(?: (?:on|to|at|in))?(?: the)? (?P<side3>left|right))\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"\"([^\"\n]{1,200})\"|(?<!\w)'([^\"\n]{1,40}?)'(?!\w)|`([^`\n]{1,40})`|\*\*([^*\n]{1,40})\*\*")
MARK = re.compile("[\ue000-\uf8ff]")
"""Stands for a word that was quoted."""


class Marked(NamedTuple):
    """A text in which marks stand for quoted words; ``words`` are these, in order."""

    text: str
    words: tuple[str, ...]

    def word(self, mark: str) -> str:
        """Return what a mark stands for."""
        return self.words[ord(mark) - 0xE000]

    def with_word(self, start: int, end: int, word: str) -> "Marked":
        """Put a mark in the place of a part of the text."""
        mark = chr(0xE000 + len(self.words))
        return Marked(f"{self.text[:start]} {mark} {self.text[end:]}", (*self.words, word))


def spoken(text: str) -> str:
    """Return a text with plain quotation marks and single spaces, without the marks that stand for words here."""
    return re.sub(r"[^\S\n]+", " ", MARK.sub(" ", straight(text).replace("_", " ")))


def mark_quotes(text: str, limit: int = 500) -> Marked:
    """Put marks in the place of quoted words; a quoted list gives one for each."""
    words: list[str] = []

    def marks(found: re.Match[str]) -> str:
        quoted = next(group for group in found.groups() if group is not None)
        given = [reads(each).upper() for each in quoted.split(",")][: limit - len(words)]
        words.extend(given)
        return "".join(f" {chr(0xE000 + len(words) - len(given) + number)} " for number in range(len(given)))

    return Marked(QUOTED.sub(marks, text), tuple(words))


def alternatives(words: Collection[str]) -> str:
    """Return a pattern for any of some words, the longest first."""
    found = "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=lambda word: (-len(word), word)))
    return rf"(?<![\w'])(?:{found})(?![\w'])"


def places(text: str) -> Iterator[tuple[int, int]]:
    """Find the places that a text names: where it does, and which (an index of the six)."""
    for found in PLACE.finditer(text):
        row = next(found[name] for name in ("row", "row2", "row3") if found[name]).lower()
        side = next(found[name] for name in ("side", "side2", "side3") if found[name]).lower()
        yield found.start(), min(2 * ROWS[row] + (side == "right"), len(POSITIONS) - 1)
