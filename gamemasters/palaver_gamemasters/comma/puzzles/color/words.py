"""How people put grids, counts and groups of squares into words, and what of it can be understood."""

import re
from typing import NamedTuple

from .groups import COLOURS, SIDE, SQUARES, WHITE, Grid

__all__ = ["Wish", "colours_in", "counts_in", "grid_in", "pressed_in", "sentences", "white_in", "wish_in"]

COUNTING = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
PLAIN = (
    *((rf"\b{word}\b", str(number)) for number, word in enumerate(COUNTING.split("|"), 1)),
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
QUOTES = re.compile(r"[\"'`*\u2018\u2019\u201c\u201d]")
SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+|,? (?:and )?then\b,?\s*")

ONE = "|".join(COLOURS)
ANY = f"{ONE}|{WHITE}"
COLOUR = re.compile(rf"\b({ANY})(?:s|es)?\b")
LINE = re.compile(r"\brow ?([1-4])\b|\b([1-4]) row\b")
NOUN = "(?:squares?|tiles?|ones?)"
COUNTS = (
    re.compile(
        rf"\b(?P<number>\d{{1,2}}) (?:of (?:them|the {NOUN}) |{NOUN} )?(?:is |are )?(?P<colour>{ANY})(?:s|es)?\b"
    ),
    re.compile(rf"\b(?P<colour>{ANY})(?:s|es)?(?: {NOUN})?(?: ?[:=(x\u00d7] ?| (?:is |are )?)(?P<number>\d{{1,2}})\b"),
)
BEING = "(?:is|are|has|have|turned|lit|now|been|all|up|in|total)"
WHITES = re.compile(
    rf"\b(\d{{1,2}})(?: of (?:them|the {NOUN}|the 16)| {NOUN})?(?: {BEING}){{0,4}} white\b"
    rf"|\bwhite(?: {NOUN}| count| total)?(?: (?:is|are|now)){{0,2}} ?[:=]? ?(\d{{1,2}})\b"
)

VERB = "(?:press|push|hit|tap|click|choose|select|pick|take)"
PRESS = re.compile(
    rf"\b{VERB}\b|\b(?:next|group|it|that|answer)(?: group| 1)? ?(?:is|will be|would be|[:=\u2192-])"
    rf"|\bnext (?=(?:the )?(?:row|column|1|{ONE})\b)"
)
PRESSED = re.compile(r"\b(?:pressed|pushed|press|finished|done|previous|last)\b")
REFUSED = re.compile(rf"\b(?:not|dont|never|avoid|without)(?: \w+)? {VERB}(?:ing)?\b|\bavoid\b")
MISSING = re.compile(
    rf"\b0 (?:longer |such |more )?(?:{NOUN}|colou?rs?|{ONE})\b"
    r"|\b(?:if|when|should)\b.*\b(?:0|not|isnt|arent|missing|gone|absent)\b"
)
SQUARE = re.compile(
    r"\brow ?([1-4])[ ,:;/-]*(?:and )?column ?([1-4])\b|\bpress_row_([1-4])_column_([1-4])\b"
    r"|\br([1-4]) ?c([1-4])\b|\( ?([1-4]) ?, ?([1-4]) ?\)|\b([1-4]) row,? (?:in the |and )?([1-4]) column\b"
)
GROUP = re.compile(
    rf"\b(?P<colour>{ONE})(?:s|es)?\b|\b(?P<line>row|column) (?P<after>[1-4])\b"
    r"|\b(?:(?P<before>[1-4]) )?(?P<kind>row|column)\b"
)


class Wish(NamedTuple):
    """What an expert wants pressed: single ``squares``, or else a ``group`` and the colours to take ``instead``.

    A group is a colour, ``row``, ``column``, or a line by its number, such as ``row 2``.
    """

    group: str = ""
    squares: tuple[int, ...] = ()
    instead: tuple[str, ...] = ()


def sentences(text: str) -> list[str]:
    """Divide a text into sentences, in small letters, with numbers as digits and one word for each colour."""
    plain = re.sub(r"[ \t]+", " ", QUOTES.sub("", text.lower()))
    for pattern, word in REWRITTEN:
        plain = pattern.sub(word, plain)
    return [found for each in SENTENCE.split(plain) if (found := each.strip())]


def colours_in(text: str) -> tuple[str, ...]:
    """Return the colours that a text names, in order."""
    return tuple(COLOUR.findall(text))


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


def white_in(said: list[str]) -> int | None:
    """Return how many squares are white, if it is said: the last time counts."""
    found = [next(number for number in each if number) for each in WHITES.findall(" ".join(said))]
    return int(found[-1]) if found and int(found[-1]) <= SQUARES else None


def pressed_in(said: list[str]) -> str | None:
    """Return the group that a solver says it has pressed, if it says so."""
    for sentence in reversed(said):
        if not sentence.endswith("?") and (verb := PRESSED.search(sentence)):
            found = GROUP.search(sentence, verb.end()) or GROUP.search(sentence)
            if found:
                return _group(found).split(" ")[0]
    return None


def wish_in(advice: str, white: int) -> Wish | None:
    """Return what an expert's words ask for; None if they ask for nothing.

    Args:
        advice: the words.
        white: how many squares are white: what is said of another number is passed over.
    """
    wish: Wish | None = None
    instead: tuple[str, ...] = ()
    for sentence in sentences(advice):
        about = white_in([sentence])
        if sentence.endswith("?") or (about is not None and about != white):
            continue
        if MISSING.search(sentence):
            if wish is not None and not instead:
                instead = tuple(colour for colour in colours_in(sentence) if colour not in (WHITE, wish.group))
        elif not REFUSED.search(sentence) and (found := _wish(sentence)):
            if wish is None:
                wish = found
            elif wish.squares:
                wish = wish._replace(squares=tuple(dict.fromkeys((*wish.squares, *found.squares))))
    return wish and wish._replace(instead=instead)


def _wish(sentence: str) -> Wish | None:
    squares = tuple(
        (int(row) - 1) * SIDE + int(column) - 1
        for found in SQUARE.findall(sentence)
        for row, column in [tuple(number for number in found if number)]
    )
    verb = PRESS.search(sentence)
    if squares and (verb or sentence.startswith("press_")):
        return Wish(squares=tuple(dict.fromkeys(squares)))
    if verb is None:
        found = GROUP.search(sentence) if len(sentence.split()) <= 3 else None
    else:
        before = list(GROUP.finditer(sentence, 0, verb.start()))
        found = GROUP.search(sentence, verb.end()) or (before[-1] if before else None)
    return Wish(_group(found)) if found else None


def _group(found: re.Match[str]) -> str:
    """Name a group: the first row or column that is left is no more than that."""
    if found["colour"]:
        return found["colour"]
    kind, number = found["line"] or found["kind"], found["after"] or found["before"] or "1"
    return kind if number == "1" else f"{kind} {number}"
