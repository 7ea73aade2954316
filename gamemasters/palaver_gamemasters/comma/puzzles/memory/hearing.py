"""What a sentence of the solver's tells of the module: the display, the labels, a press."""

import re

from .words import LABEL, PLACE, POSITION, STAGE, numbered

__all__ = ["display_in", "labels_in", "press_in"]

DISPLAY = re.compile(
    r"\b(?:display|screen|big (?:number|digit))\D{0,24}?\b([1-4])\b"
    r"|\b([1-4])\b(?: is)?(?: shown| displayed)?(?: on (?:the|my) (?:display|screen)| is displayed)"
)
FOUR = re.compile(r"(?<!\d)([1-4])\D{0,6}([1-4])\D{0,6}([1-4])\D{0,6}([1-4])(?!\d)")
PAIR = re.compile(rf"\b{PLACE} ([1-4])\b\D{{1,20}}\b([1-4])\b|\b([1-4]) {PLACE}\b\D{{1,20}}\b([1-4])\b")
PRESSED = re.compile(
    r"\b(?:pressed|pushed)\b|^press_[1-4]$|\bi(?:'ll| will|'m going to| am going to)? (?:press|push|hit|choose|chose)\b"
)


def display_in(text: str) -> int | None:
    """Return what is said to be on the display, if it is said."""
    return numbered(DISPLAY, STAGE.sub("", text))


def labels_in(text: str) -> tuple[int, ...] | None:
    """Return the labels from left to right, if all four are told."""
    text = DISPLAY.sub("|", STAGE.sub("|", text))
    pairs = {int(a or c): int(b or d) for a, b, c, d in PAIR.findall(text)}
    told = [tuple(pairs[place] for place in range(1, 5))] if len(pairs) == 4 else []
    start = 0
    while found := FOUR.search(text, start):
        told.append(tuple(int(digit) for digit in found.groups()))
        start = found.start() + 1
    return next((labels for labels in told if len({*labels}) == 4), None)


def press_in(sentence: str) -> tuple[int | None, int | None, int | None] | None:
    """Return the stage, position and label of a press that a solver reports, as far as it says; None if it does not."""
    if sentence.endswith("?") or "should i" in sentence or not PRESSED.search(sentence):
        return None
    rest = STAGE.sub("|", sentence)
    position, label = numbered(POSITION, rest), numbered(LABEL, rest)
    if position is None and label is None:
        return None
    return numbered(STAGE, sentence), position, label
