"""How people call the things of the maze, and what they say about the torus."""

import re

from palaver_gamemasters.comma.speech import REFUSAL, plain

from .manual import COLOURS

__all__ = ["COLOUR", "TORUS", "torus_named", "without_negations"]

COLOUR = rf"(?:{'|'.join(COLOURS)})"
TORUS = r"(?:torus|tori|toroid|ring|hoop|donut|doughnut)"
MIDDLE = r"(?:middle|cent(?:re|er)|central)"
OTHERS = re.compile(r"\b(?:spheres?|balls?|orbs?|mouse|dots?)\b")
NEGATED = re.compile(
    rf"(?:{REFUSAL}|\b(?:neither|nor|without)\b)"
    rf"[^,.;:!?\n]{{0,30}}?\b{COLOUR}\b"
)


def without_negations(text: str) -> str:
    """Return a text without the colours that are said not to be meant ("not the red one")."""
    return NEGATED.sub(" ", text)


def torus_named(text: str) -> str | None:
    """Return the colour of the torus, if a message tells it."""
    said = without_negations(plain(text))
    for thing in (TORUS, MIDDLE):
        for pattern in (
            rf"\b({COLOUR})(?:[ -]colou?red)? {thing}\b",
            rf"\b{thing}\b[^.;!?\n]{{0,60}}?\b({COLOUR})\b",
            rf"\b({COLOUR})\b[^.,;:!?\n]{{0,30}}?\b{thing}\b",
        ):
            if found := re.search(pattern, said):
                return found[1]
    colours = {*re.findall(rf"\b{COLOUR}\b", said)}
    return colours.pop() if len(colours) == 1 and not OTHERS.search(said) else None
