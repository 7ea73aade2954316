"""What an expert learns about the grid from what the solver says: all squares, or counts, and the last group."""

import re

from .groups import SIDE, SQUARES, Grid
from .words import ANY, GROUP, NOUN, colours_in, group_in

__all__ = ["counts_in", "grid_in", "pressed_in"]

LINE = re.compile(r"\brow ?([1-4])\b|\b([1-4]) row\b")
COUNTS = (
    re.compile(
        rf"\b(?P<number>\d{{1,2}}) (?:of (?:them|the {NOUN}) |{NOUN} )?(?:is |are )?(?P<colour>{ANY})(?:s|es)?\b"
    ),
    re.compile(rf"\b(?P<colour>{ANY})(?:s|es)?(?: {NOUN})?(?: ?[:=(x\u00d7] ?| (?:is |are )?)(?P<number>\d{{1,2}})\b"),
)
PRESSED = re.compile(r"\b(?:pressed|pushed|press|finished|done|previous|last)\b")


def grid_in(said: list[str]) -> Grid | None:
    """Return the grid, if sentences tell all of it: row by row by number, or 16 colours from the top left."""
    text = "\n".join(said)
    rows: dict[int, tuple[str, ...]] = {}
    marks = list(LINE.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=False):
        rest = text[mark.end() : end]
        told = [colours for each in re.split(r"[.;!?\n]", rest) if len(colours := colours_in(each)) == SIDE]
        if told:
            rows[int(mark[1] or mark[2])] = told[0]
    if len(rows) == SIDE:
        return tuple(colour for row in sorted(rows) for colour in rows[row])
    told = [colours for each in said if len(colours := colours_in(each)) == SIDE]
    if len(told) == SIDE:
        return tuple(colour for row in told for colour in row)
    every = [colours for each in said if len(colours := colours_in(each)) == SQUARES]
    return every[0] if every else None


def counts_in(said: list[str]) -> dict[str, int] | None:
    """Return how many squares have each colour, if sentences count all of them."""
    text = " ".join(said)
    for pattern in COUNTS:
        counts: dict[str, int] = {}
        for found in pattern.finditer(text):
            counts[found["colour"]] = counts.get(found["colour"], 0) + int(found["number"])
        if sum(counts.values()) == SQUARES:
            return counts
    return None


def pressed_in(said: list[str]) -> str | None:
    """Return the group that a solver says it has pressed, if it says so."""
    for sentence in reversed(said):
        if not sentence.endswith("?") and (verb := PRESSED.search(sentence)):
            found = GROUP.search(sentence, verb.end()) or GROUP.search(sentence)
            if found:
                return group_in(found).split(" ")[0]
    return None
