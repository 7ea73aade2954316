"""How people put colours, groups and numbers of squares into words."""

import re

from palaver_gamemasters.comma import speech
from palaver_gamemasters.comma.speech import CARDINALS, straight

from .groups import COLOURS, SQUARES, WHITE

__all__ = ["ANY", "GROUP", "NOUN", "ONE", "colours_in", "group_in", "sentences", "white_in"]

PLAIN = (
    *((rf"\b{word}\b", str(number)) for number, word in enumerate(CARDINALS[:SQUARES], 1)),
    (r"\b(?:zero|no|none)\b", "0"),
    (r"\b(?:first|1st|a single|(?:top|left)-?(?:most)?(?= row| column)|topmost|leftmost)\b", "1"),
    (r"\b(?:second|2nd)\b", "2"),
    (r"\b(?:third|3rd)\b", "3"),
    (r"\b(?:fourth|4th|(?:bottom|right)-?(?:most)?(?= row| column))\b", "4"),
    (r"\b(?:pink|purple|fuchsia|violet)(?:s|es)?\b", "magenta"),
    (r"\bcol\b", "column"),
)
"""How numbers and colours are written alike before anything is understood."""
REWRITTEN = tuple((re.compile(pattern), word) for pattern, word in PLAIN)
QUOTES = re.compile(r"[\"'`*]")
THEN = re.compile(r",? (?:and )?then\b,?\s*")

ONE = "|".join(COLOURS)
ANY = f"{ONE}|{WHITE}"
COLOUR = re.compile(rf"\b({ANY})(?:s|es)?\b")
NOUN = "(?:squares?|tiles?|ones?)"
BEING = "(?:is|are|has|have|turned|lit|now|been|all|up|in|total)"
WHITES = re.compile(
    rf"\b(\d{{1,2}})(?: of (?:them|the {NOUN}|the 16)| {NOUN})?(?: {BEING}){{0,4}} white\b"
    rf"|\bwhite(?: {NOUN}| count| total)?(?: (?:is|are|now)){{0,2}} ?[:=]? ?(\d{{1,2}})\b"
)
GROUP = re.compile(
    rf"\b(?P<colour>{ONE})(?:s|es)?\b|\b(?P<line>row|column) (?P<after>[1-4])\b"
    r"|\b(?:(?P<before>[1-4]) )?(?P<kind>row|column)\b"
)


def sentences(text: str) -> list[str]:
    """Divide a text into sentences, in small letters, with numbers as digits and one word for each colour."""
    plain = re.sub(r"[ \t]+", " ", QUOTES.sub("", straight(text.lower())))
    for pattern, word in REWRITTEN:
        plain = pattern.sub(word, plain)
    return [found for each in speech.sentences(plain) for part in THEN.split(each) if (found := part.strip())]


def colours_in(text: str) -> tuple[str, ...]:
    """Return the colours that a text names, in order."""
    return tuple(COLOUR.findall(text))


def white_in(said: list[str]) -> int | None:
    """Return how many squares are white, if it is said: the last time counts."""
    found = [next(number for number in each if number) for each in WHITES.findall(" ".join(said))]
    return int(found[-1]) if found and int(found[-1]) <= SQUARES else None


def group_in(found: re.Match[str]) -> str:
    """Name a group: the first row or column that is left is no more than that."""
    if found["colour"]:
        return found["colour"]
    kind, number = found["line"] or found["kind"], found["after"] or found["before"] or "1"
    return kind if number == "1" else f"{kind} {number}"
