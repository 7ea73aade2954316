"""The ways in which people and models write cells and directions, found in running text.

Nothing is interpreted here: ``(A, 1)`` becomes the tokens ``("A", "1")``, ``right twice`` two times ``("right",)``. Where
an axis is named, its token keeps the name (``r1c2`` and ``row 1, column 2`` give ``("r1", "c2")``), because no later
guess about the order of coordinates can be better than that.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .grid import MOVES
from .plain import ARROWS

__all__ = ["CELL", "STEP", "Annotated", "Mention", "adjacent", "annotate", "direction_of", "is_direction", "same", "split"]

Tokens = tuple[str, ...]

CELL = r"⟦\d+⟧"
"""A regular expression for a cell in annotated text."""
STEP = r"⟪\d+⟫"
"""A regular expression for a direction in annotated text."""

_COMPASS = {"north": "up", "south": "down", "west": "left", "east": "right"}
_WORDS = {
    **{word: word for word in MOVES},
    **_COMPASS,
    **{word[0]: move for word, move in {**{word: word for word in MOVES}, **_COMPASS}.items()},
    **ARROWS,
}
_COUNTS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)}
_COUNTS |= {"once": 1, "twice": 2, "thrice": 3}


def direction_of(token: str) -> str | None:
    """Return which of :data:`.grid.MOVES` a word, compass word, letter or arrow means, or None."""
    word = token.strip().casefold()
    return _WORDS.get(word) or _WORDS.get(re.sub(r"(?:wards?|erly)$", "", word))


def is_direction(token: str) -> bool:
    """Whether a token is a direction."""
    return isinstance(token, str) and direction_of(token) is not None


class Mention(NamedTuple):
    """Something found in a text: one cell, or one or more steps (``right twice``)."""

    is_cell: bool
    spoken: tuple[Tokens, ...]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text in which cells stand as ``⟦n⟧`` and directions as ``⟪n⟫``, n being the place in ``mentions``."""

    text: str
    mentions: tuple[Mention, ...]


class Notation(NamedTuple):
    """One way of writing a cell or steps. ``{L}`` in the pattern stands for the letters that this maze can have."""

    name: str
    pattern: str
    read: Callable[[str], Mention | None]
    why: str


def _leave(_: str) -> None:
    return None


def _cell(text: str) -> Mention:
    return Mention(True, (tuple(re.findall(r"-?\d+|[A-Za-z]", text)),))


def _pair(text: str) -> Mention:
    tokens = tuple(re.findall(r"-?\d+|[A-Za-z]", text))
    return _letters(text) if re.fullmatch(r"[UDLR]{2}|[NSW]{2}", "".join(tokens)) else Mention(True, (tokens,))


def _named(text: str) -> Mention:
    pairs = re.findall(r"(?i:(r)(?:ow)?|(c)(?:ol)?(?:umn)?)[^\w-]*(?:(?i:index|number|no)[^\w-]*)?(-?\d+|[A-Z]\b)", text)
    return Mention(True, (tuple(f"{(row or column).lower()}{token}" for row, column, token in pairs),))


def _ordinal(text: str) -> Mention:
    pairs = re.findall(r"(\d+)\w\w (row|col)", text.lower())
    return Mention(True, (tuple(axis[0] + number for number, axis in pairs),))


def _letters(text: str) -> Mention:
    return Mention(False, tuple((letter,) for letter in re.findall(r"[UDLRNSEW]", text)))


def _arrows(text: str) -> Mention:
    return Mention(False, tuple((arrow,) for arrow in re.findall(f"[{''.join(ARROWS)}]", text)))


def _words(text: str) -> Mention:
    parts = re.findall(r"[a-z]+|\d+", text.lower())
    word = next(part for part in parts if is_direction(part) and len(part) > 1)
    count = next((int(part) if part.isdigit() else _COUNTS[part] for part in parts if part.isdigit() or part in _COUNTS), 1)
    return Mention(False, ((word,),) * max(1, count))


_N = r"(?:-?\d{1,2})"
_AXIS_VALUE = rf"[^\S\n]*(?:(?i:index|number|no\.?)[^\S\n]*)?[=:#]?[^\S\n]*(?:{_N}\b|[A-Z]\b)"
_ROW, _COL = rf"(?i:row){_AXIS_VALUE}", rf"(?i:column|col\.?){_AXIS_VALUE}"
_JOIN = r"(?:[^\S\n]|,|/|;|&|-|\bof\b|\band\b|\bin\b|\bat\b)*"
_HAND = r"(?i:up|down|left|right|north|south|east|west)(?i:wards?|erly)?"
_UNIT = r"(?:cells?|steps?|spaces?|squares?|times|moves?|tiles?|blocks?|positions?|units?|spots?|places?)"
_NUMBER = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
_BEFORE = rf"(?:{_NUMBER} (?:more )?{_UNIT} (?:to the )?|(?<!row )(?<!col )(?<!umn )(?<!tep )(?<!urn )\d )"
_AFTER = (
    rf"(?: (?:by )?{_NUMBER} {_UNIT}\b| (?:by )?\d(?=\s*(?:[,;.]\s|[,;.]?$|\n|then\b|and\b|→|->))"
    r"| (?:twice|thrice)\b| ?\(?x ?\d\)?)"
)
_VERB_BEFORE = "|".join(f"(?<={verb} )" for verb in ("ove", "oving", "go", "Go", "oing", "ead", "eading", "step", "ove:"))

NOTATIONS = (
    Notation("diagonal", r"(?i:north|south)[- ]?(?i:east|west)(?i:ern|wards?)?\b", _leave, "no move of this game"),
    Notation(
        "corner",
        r"(?i:top|bottom|upper|lower|far)[- ](?i:left|right)\b|(?i:left|right|top|bottom)(?i:most)?[- ]"
        r"(?i:side|edge|corner|column|col|hand|half|neighbou?r|border|boundary|cell)\b",
        _leave,
        "names a place, not a way to go",
    ),
    Notation(
        "right_idiom",
        r"(?i:(?:you|that|it|this|all|i)(?:'re|'s| are| is| am|'m)? (?:all |both )?(?:absolutely |completely |totally |quite "
        r"|entirely |exactly |indeed |so )?right)\b(?! to\b)|(?i:(?:absolutely|completely|exactly|is that|got it) right)\b"
        r"|(?i:right(?:[- ](?:now|away|there|here|after|before|next to|path|direction|choice|track|idea|answer|one|thing))"
        r"\b)|(?i:right)(?=, (?i:so|let's|i|we|you|that|the|my|now|this|on)\b)",
        _leave,
        "'you are right' is no move",
    ),
    Notation(
        "left_idiom",
        r"(?i:(?:(?:\d+|few|many|more|no) (?:moves?|turns?|steps?)|turns|options?|nothing|time|what's) left)\b(?! to the\b)|"
        r"(?i:left (?:over|off|behind|with|open|unexplored|to (?:do|explore|try|check|go|visit)))\b",
        _leave,
        "'two turns left' is no move",
    ),
    Notation(
        "up_idiom",
        r"(?i:(?:set|end(?:s|ed|ing)?|open(?:s|ed|ing)?|lin(?:e|es|ed|ing)|follow|catch|hurry|sum|wrap|speed|com(?:e|es|ing)|"
        r"heads|split(?:ting)?|match(?:es|ing)?|look|mix(?:ed)?|pick|add|clear|mess(?:ed)?|clean|next|sync|freed?)[- ]up)\b"
        r"|(?i:up to (?:you|now|date|speed|here|this|that))\b|(?i:up to) \d+ ?(?!,)[a-z]|(?i:up (?:for|until|front))\b",
        _leave,
        "'hurry up', 'up to you' are no moves",
    ),
    Notation(
        "down_idiom",
        r"(?i:(?:writ(?:e|ing)|break(?:ing)?|slow|narrow(?:ed|s)?|not(?:e|ed)|list|jot|boil|track|pin|count|top|upside)"
        r"[- ]down)\b|(?i:down the (?:line|road))\b",
        _leave,
        "'let us write it down' is no move",
    ),
    Notation("rXcY", r"[rR]_?\d{1,2}[ ,;:/_-]{0,2}[cC]_?\d{1,2}\b", _named, "the notation that failed the study's own parser"),
    Notation("cXrY", r"[cC]_?\d{1,2}[ ,;:/_-]{0,2}[rR]_?\d{1,2}\b", _named, "the same, column first"),
    Notation("r=X", rf"[rR]\s?=\s?{_N}, ?[cC]\s?=\s?{_N}\b", _named, "the same, as assignments"),
    Notation("row_col", rf"{_ROW}{_JOIN}{_COL}", _named, "row 2, column 3"),
    Notation("col_row", rf"{_COL}{_JOIN}{_ROW}", _named, "column 3, row 2"),
    Notation(
        "ordinal",
        r"\d{1,2}(?:st|nd|rd|th) (?i:row)(?:,? (?:and )?)\d{1,2}(?:st|nd|rd|th) (?i:column|col)\b|"
        r"\d{1,2}(?:st|nd|rd|th) (?i:column|col)(?:,? (?:and )?)\d{1,2}(?:st|nd|rd|th) (?i:row)\b",
        _ordinal,
        "2nd row, 3rd column",
    ),
    Notation("x=X", rf"(?i:x)\s?[=:]\s?{_N}, ?(?i:y)\s?[=:]\s?{_N}\b", lambda text: _pair(re.sub("[xyXY]", "", text)), "x=1, y=2"),
    Notation("letter_run", r"[UDLR](?:(?: ?(?:,|;|->|→|-) ?| )[UDLR]){2,}(?![\w'])", _letters, "R, R, D"),
    Notation("compass_run", r"[NSEW](?:(?: ?(?:,|;|->|→|-) ?| )[NSEW]){2,}(?![\w'])", _letters, "E, E, S"),
    Notation("letter_pair", r"(?:[UDLR](?: ?(?:,|->|→) ?)[UR]|[UR](?: ?(?:,|->|→) ?)[UDLR])(?![\w'])", _letters, "R, D"),
    Notation("letter_word", r"(?:[UDLR]{4,}|[NSEW]{5,})(?![\w'])", _letters, "RRDD"),
    Notation("letter_alone", rf"(?:{_VERB_BEFORE})[UDLRNSEW](?![\w',])", _letters, "move R"),
    Notation("bare", rf"(?:{_N}|{{L}}),(?:{_N}|{{L}})(?![\w,]|\.\d)", _cell, "0,1 without brackets and spaces"),
    Notation("bare_spaced", rf"(?:(?<=to )|(?<=at )|(?<=> )|(?<=→ )){_N}, {_N}(?![\w,]|\.\d)", _cell, "to 0, 1"),
    Notation("words", rf"(?:{_BEFORE})?{_HAND}\b(?:{_AFTER})?", _words, "right, north, two cells down, left twice"),
    Notation("A1", r"{L}\d{1,2}(?![\w']|\.\d)", _cell, "chess-like; the letters are bounded by the maze's size"),
    Notation("1A", r"\d{1,2}{L}(?![\w'):]|\.\s)", _cell, "the same, number first"),
    Notation("AB", r"(?!A[DHIMN]\b|BE|DO|E[DG]\b|GO|H[EI]\b|I[DFN]\b|ME|NO|O[FHKNR]\b|PR\b){U}{U}(?![\w'-])", _cell, "two capitals"),
)

_BRACKETED = Notation(
    "pair",
    r"[(\[{{<]\s*['\"]?(?:-?\d{{1,2}}|[A-Ra-r])['\"]?\s*[,;| ]\s*['\"]?(?:-?\d{{1,2}}|[A-Ra-r])['\"]?\s*[)\]}}>]",
    _pair,
    "(0, 1), [0,1], (A,1), ('A', 'B')",
)
_VARIABLES = r"(?![(\[{{<]\s?(?:r ?, ?c|c ?, ?r|i ?, ?j|R ?, ?C|C ?, ?R)\s?[)\]}}>])"
_ARROWS = Notation("arrows", r"[↑↓←→](?:[\s,]*(?:->)?[\s,]*[↑↓←→])+|[↑↓←]|(?<=ove )→|(?<=[oi]ng )→|(?<=go )→|(?<=: )→(?! *[(\[])|(?<=\()→(?=\))|→(?=[.?!])", _arrows, "↑ →")


@lru_cache(maxsize=32)
def _scanner(letters: int) -> re.Pattern[str]:
    """Compile all notations for a maze whose axes have so many letters, one more being the first beyond the wall."""
    last = chr(ord("A") + min(letters, 25))
    fill = {"{L}": f"[A-{last}a-{last.lower()}]", "{U}": f"[A-{last}]"}
    branches = []
    for notation in NOTATIONS:
        pattern = notation.pattern
        for name, value in fill.items():
            pattern = pattern.replace(name, value)
        branches.append(f"({pattern})")
    boundary = f"(?<![A-Za-z0-9_])(?<![A-Za-z]')(?:{'|'.join(branches)})"
    bracketed = _VARIABLES.format() + _BRACKETED.pattern.format()
    return re.compile(f"{boundary}|({bracketed})|({_ARROWS.pattern})")


_READERS = (*(notation.read for notation in NOTATIONS), _BRACKETED.read, _ARROWS.read)


def annotate(text: str, letters: int = 18) -> Annotated:
    """Find every cell and direction of a text that :func:`.plain.plain` has levelled.

    Args:
        text: any text.
        letters: how many letters an axis of the maze can have (its size); ``B2`` is a cell, ``U2`` a band.
    """
    mentions: list[Mention] = []

    def stand_in(match: re.Match[str]) -> str:
        mention = _READERS[(match.lastindex or 1) - 1](match[0])
        if mention is None:
            return match[0]
        mentions.append(mention)
        return f"⟦{len(mentions) - 1}⟧" if mention.is_cell else f"⟪{len(mentions) - 1}⟫"

    return Annotated(_scanner(letters).sub(stand_in, text), tuple(mentions))


_TOKEN = re.compile(r"(?i)\s*(?:(r|c)(?:ow|ol|olumn)?[^\w-]*)?(-?\d+|[a-z])\s*")


@lru_cache(maxsize=4096)
def split(token: str) -> tuple[str, int | str] | None:
    """Take a token apart: the axis it names (``r``, ``c`` or nothing) and its number, or letter in capitals."""
    match = _TOKEN.fullmatch(token) if len(token) > 1 else None
    axis, value = (match[1] or "", match[2]) if match else ("", token.strip())
    if re.fullmatch(r"-?\d+", value):
        return axis.lower(), int(value)
    return (axis.lower(), value.upper()) if re.fullmatch("[A-Za-z]", value) else None


def _place(spoken: Tokens) -> tuple[list[int], str] | None:
    """Return a place as numbers and the kind of its tokens, comparable only with places of the same kind."""
    parts = [split(token) for token in spoken]
    if len(parts) != 2 or any(part is None for part in parts):
        return None
    known = sorted((part for part in parts if part), key=lambda part: part[0], reverse=True)
    kind = "".join(axis + ("n" if isinstance(value, int) else "a") for axis, value in known)
    return [value if isinstance(value, int) else ord(value) for _, value in known], kind


def same(one: Tokens, other: Tokens) -> bool | None:
    """Whether two cells are one, as they would be under every scheme; None where they cannot be compared."""
    a, b = _place(one), _place(other)
    return None if a is None or b is None or a[1] != b[1] else a[0] == b[0]


def adjacent(one: Tokens, other: Tokens) -> bool | None:
    """Whether two cells are neighbours, as they would be under every scheme; None where they cannot be compared."""
    a, b = _place(one), _place(other)
    if a is None or b is None or a[1] != b[1]:
        return None
    return abs(a[0][0] - b[0][0]) + abs(a[0][1] - b[0][1]) == 1
