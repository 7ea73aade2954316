"""The ways in which people and models write cells and directions, found in running text.

Nothing is interpreted here: :mod:`.readings` makes of ``(A, 1)`` the tokens ``("A", "1")``, and of ``right twice`` two
times ``("right",)``. Every notation is a line of a table; what comes first in it wins, so idioms ("you are
right") go before words.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from . import readings
from .readings import Mention

__all__ = ["CELL", "NUMBER", "STEP", "Alphabet", "Annotated", "annotate"]

CELL = r"⟦\d+⟧"
"""A regular expression for a cell in annotated text."""
STEP = r"⟪\d+⟫"
"""A regular expression for a direction in annotated text."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text in which cells stand as ``⟦n⟧`` and directions as ``⟪n⟫``, n being the place in ``mentions``."""

    text: str
    mentions: tuple[Mention, ...]


class Notation(NamedTuple):
    """One way of writing a cell or steps.

    In the pattern, ``{L}``, ``{U}``, ``{P}``, ``{B}`` stand for a letter of a cell, a capital, two capitals, and an
    initial of a direction that no cell can have.
    """

    name: str
    pattern: str
    read: Callable[[str], Mention | None]
    why: str


_N = r"(?:-?\d{1,2})"
_AXIS_VALUE = rf"['\"]?[^\S\n]*(?:(?i:index|number|no\.?)[^\S\n]*)?[=:#]?[^\S\n]*(?:{_N}\b|[A-Z]\b)"
_ROW, _COL = rf"(?i:row){_AXIS_VALUE}", rf"(?i:column|col\.?){_AXIS_VALUE}"
_JOIN = r"(?:[^\S\n]|[,/;&'\"-]|\bof\b|\band\b|\bin\b|\bat\b)*"
_HAND = r"(?i:up|down|left|right|north|south|east|west)(?i:wards?|erly)?"
_UNIT = r"(?:cells?|steps?|spaces?|squares?|times|moves?|tiles?|blocks?|positions?|units?|spots?|places?)"
NUMBER = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
_BEFORE = rf"(?:{NUMBER} (?:more )?{_UNIT} (?:to the )?|(?<!row )(?<!col )(?<!umn )(?<!tep )(?<!urn )\d )"
_AFTER = (
    rf"(?: (?:by )?{NUMBER} {_UNIT}\b| (?:by )?\d(?=\s*(?:[,;.]\s|[,;.]?$|\n|then\b|and\b|[→⟶]))"
    r"| (?:twice|thrice)\b| ?\(?x ?\d\)?)"
)
_VERB_BEFORE = "|".join(
    f"(?<={verb} )" for verb in ("ove", "oving", "go", "Go", "oing", "ead", "eading", "step", "ove:")
)

NOTATIONS = (
    Notation(
        "diagonal", r"(?i:north|south)[- ]?(?i:east|west)(?i:ern|wards?)?\b", readings.leave, "no move of this game"
    ),
    Notation(
        "beside_us",
        r"(?i:cell|square|tile|spot|space|position|one) (?i:that is |that's |which is )?(?i:directly |just "
        r"|immediately |right )?"
        r"(?:(?i:below|beneath|underneath|under|above)(?i: us)?(?! ?(?:[(\[{<]|[rRcC]\d|it\b|that\b|the\b|row|{U}))"
        r"|(?i:(?:to|on|in) (?:the|our) (?:right|left|north|south|east|west)(?: of (?:us|that|it|here))?)(?! of"
        r"| side))",
        readings.beside,
        "the cell below us",
    ),
    Notation(
        "corner",
        r"(?i:top|bottom|upper|lower|far)[- ](?i:left|right)\b|(?i:left|right|top|bottom)(?i:most)?[- ]"
        r"(?i:side|edge|corner|column|col|hand|half|neighbou?r|border|boundary|cell)\b",
        readings.leave,
        "names a place, not a way to go",
    ),
    Notation(
        "right_idiom",
        r"(?i:(?:(?:you|that|it|this|i)(?:'re|'s| are| is| am|'m)|all) (?:all |both )?(?:absolutely |completely "
        r"|totally |quite |entirely |exactly |indeed |so )?right)\b(?! to\b)"
        r"|(?i:(?:absolutely|completely|exactly|is that|got it) right)\b"
        r"|(?i:right(?:[- ](?:away|there|here|after|before|next to|path|direction|choice|track|idea|answer|thing"
        rf"|one(?! {_UNIT})))\b)"
        r"|(?<!ove )(?<!ving )(?<!go )(?<!oing )(?<!tep )(?<!ead )(?i:right now)\b"
        r"|(?<=, )right(?= ?\?)|(?i:right)(?=, (?i:so|let's|i|we|you|that|the|my|now|this|on)\b)",
        readings.leave,
        "'you are right' is no move",
    ),
    Notation(
        "left_idiom",
        r"(?i:(?:(?:\d+|few|many|more|no) (?:moves?|turns?|steps?)|turns"
        r"|options?|nothing|time|what's) left)\b(?! to the\b)|"
        r"(?i:left (?:over|off|behind|with|open|unexplored|to (?:do|explore|try|check|go|visit)))\b",
        readings.leave,
        "'two turns left' is no move",
    ),
    Notation(
        "up_idiom",
        r"(?i:(?:set|end(?:s|ed|ing)?|open(?:s|ed|ing)?|lin(?:e|es|ed|ing)|follow|catch|hurry|sum|wrap|speed"
        r"|com(?:e|es|ing)|"
        r"heads|split(?:ting)?|match(?:es|ing)?|look|mix(?:ed)?|pick|add"
        r"|clear|mess(?:ed)?|clean|next|sync|freed?)[- ]up)\b"
        r"|(?i:up to (?:you|now|date|speed|here|this|that))\b|(?i:up to) \d+ ?(?!,)[a-z]|(?i:up (?:for|until"
        r"|front))\b",
        readings.leave,
        "'hurry up', 'up to you' are no moves",
    ),
    Notation(
        "down_idiom",
        r"(?i:(?:writ(?:e|ing)|break(?:ing)?|slow|narrow(?:ed|s)?|not(?:e|ed)|list|jot|boil"
        r"|track|pin|count|it|them|top|upside)"
        r"[- ]down)\b|(?i:down the (?:line|road))\b",
        readings.leave,
        "'let us write it down' is no move",
    ),
    Notation(
        "rXcY",
        r"[rR]_?-?\d{1,2}[ ,;:/_-]{0,2}[cC]_?-?\d{1,2}\b",
        readings.named,
        "the notation that failed the study's own parser",
    ),
    Notation("cXrY", r"[cC]_?-?\d{1,2}[ ,;:/_-]{0,2}[rR]_?-?\d{1,2}\b", readings.named, "the same, column first"),
    Notation("r=X", rf"[rR]\s?=\s?{_N}, ?[cC]\s?=\s?{_N}\b", readings.named, "the same, as assignments"),
    Notation("row_col", rf"{_ROW}{_JOIN}{_COL}", readings.named, "row 2, column 3"),
    Notation("col_row", rf"{_COL}{_JOIN}{_ROW}", readings.named, "column 3, row 2"),
    Notation(
        "ordinal",
        r"\d{1,2}(?:st|nd|rd|th) (?i:row)(?:,? (?:and )?)\d{1,2}(?:st|nd|rd|th) (?i:column|col)\b|"
        r"\d{1,2}(?:st|nd|rd|th) (?i:column|col)(?:,? (?:and )?)\d{1,2}(?:st|nd|rd|th) (?i:row)\b",
        readings.ordinal,
        "2nd row, 3rd column",
    ),
    Notation(
        "x=X",
        rf"(?i:x)['\"]?\s?[=:]\s?{_N}, ?['\"]?(?i:y)['\"]?\s?[=:]\s?{_N}\b",
        lambda text: readings.pair(re.sub("[xyXY]", "", text)),
        "x=1, y=2",
    ),
    Notation("letter_run", r"[UDLR](?:(?: ?[,;→⟶-] ?| )[UDLR]){2,}(?![\w'])", readings.letters, "R, R, D"),
    Notation("compass_run", r"[NSEW](?:(?: ?[,;→⟶-] ?| )[NSEW]){2,}(?![\w'])", readings.letters, "E, E, S"),
    Notation("letter_pair", r"(?:[UDLR](?: ?[,→⟶] ?)[UR]|[UR](?: ?[,→⟶] ?)[UDLR])(?![\w'])", readings.letters, "R, D"),
    Notation("letter_word", r"(?:[UDLR]{4,}|[NSEW]{5,})(?![\w'])", readings.letters, "RRDD"),
    Notation(
        "letter_counts",
        r"(?=(?:\d?D[ ,;→⟶-]{1,3}){0,40}\d?{B})(?=[UDLR ,;→⟶-]{0,60}\d)\d?[UDLR](?:(?: ?[,;→⟶-] ?|"
        r" )\d?[UDLR])+(?![\w'])",
        readings.counted,
        "R, 3D, 2R; not where 2R could be a cell",
    ),
    Notation(
        "letter_to",
        r"[UDLRNSEW](?= (?:in)?to (?:[(\[{<]|[rRcC]\d|(?i:row|col|the goal)))",
        readings.letters,
        "R to r1c2",
    ),
    Notation("letter_alone", rf"(?:{_VERB_BEFORE})[UDLRNSEW](?![\w',])", readings.letters, "move R"),
    Notation(
        "letter_sentence",
        r"(?:(?<![^\n])|(?<=[.?!:,] ))[UDLRNSEW](?= ?[.?!,]| it is| next| again|\n|$)",
        readings.letters,
        "R? and Yes, R.",
    ),
    Notation(
        "bare", rf"(?:{_N}|{{L}}),(?:{_N}|{{L}})(?!\w|,\S|\.\d)", readings.cell, "0,1 without brackets and spaces"
    ),
    Notation("bare_spaced", rf"(?:(?<=to )|(?<=at )|(?<=[→⟶] )){_N}, {_N}(?!\w|,\S|\.\d)", readings.cell, "to 0, 1"),
    Notation(
        "words", rf"(?:{_BEFORE})?{_HAND}\b(?:{_AFTER})?", readings.words, "right, north, two cells down, left twice"
    ),
    Notation(
        "A1", r"{L}\d{1,2}(?![\w']|\.\d)", readings.cell, "chess-like; the letters are bounded by the maze's size"
    ),
    Notation("1A", r"\d{1,2}{U}(?![\w'])|\d{1,2}{L}(?![\w'):.])", readings.cell, "number first; '1a)' heads a list"),
    Notation("AB", r"(?!OK|NO|AI){P}(?![\w'-])", readings.cell, "two capitals, where a transcript has several"),
)

_BRACKETED = Notation(
    "pair",
    r"[(\[{{<]\s*['\"]?(?:-?\d{{1,2}}|[A-Ra-r])['\"]?\s*[,;| ]\s*['\"]?(?:-?\d{{1,2}}|[A-Ra-r])['\"]?\s*[)\]}}>]",
    readings.pair,
    "(0, 1), [0,1], (A,1), ('A', 'B')",
)
_VARIABLES = r"(?![(\[{{<]\s?(?:r ?, ?c|c ?, ?r|i ?, ?j|R ?, ?C|C ?, ?R)\s?[)\]}}>])"
_ARROWS = Notation(
    "arrows",
    r"[↑↓←→](?:[\s,]*+⟶?[\s,]*+[↑↓←→])+|[↑↓←]"
    r"|(?<=ove )→|(?<=[oi]ng )→|(?<=[gG]o )→|(?<=: )→(?! *[(\[])|(?<=\()→(?=\))|→(?= ?[.?!])",
    readings.arrows,
    "↑ →",
)


class Alphabet(NamedTuple):
    """What letters can mean in a transcript.

    ``size`` is how many an axis of the maze can have: in a maze of 6, B2 is a cell and U2 a band. ``pairs`` says that
    two capitals are a cell, which they are only where they come in numbers: AD, BE and GO are words as well.
    """

    size: int
    pairs: bool = False

    @classmethod
    def of(cls, texts: Iterable[str], size: int) -> "Alphabet":
        """Judge by all texts of a transcript."""
        pattern = re.compile(rf"(?<![\w'-])(?!{_CAPITAL_WORDS})[A-{_letter(size - 1)}]{{2}}(?![\w'-])")
        return cls(size, len({pair for text in texts for pair in pattern.findall(text)}) >= _ENOUGH_PAIRS)


_ENOUGH_PAIRS = 3
_CAPITAL_WORDS = r"(?:A[DHIMN]|BE|DO|E[DG]|GO|H[AEI]|I[DFIN]|ME|MM|NO|O[FHKNR]|P[MR])\b"


def _letter(place: int) -> str:
    return chr(ord("A") + min(max(place, 0), 25))


@lru_cache(maxsize=64)
def _scanner(alphabet: Alphabet) -> re.Pattern[str]:
    """Compile all notations; one letter more than the maze has is the first cell beyond its edge."""
    last = _letter(alphabet.size)
    fill = {"{L}": f"[A-{last}a-{last.lower()}]", "{U}": f"[A-{last}]"}
    fill["{B}"] = f"[{beyond}]" if (beyond := "".join(hand for hand in "RLU" if hand > last)) else r"(?!)"
    fill["{P}"] = f"[A-{last}]{{2}}" if alphabet.pairs else r"(?!)"
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


def annotate(text: str, alphabet: Alphabet) -> Annotated:
    """Find every cell and direction of a text that :func:`.plain.plain` has levelled."""
    mentions: list[Mention] = []

    def stand_in(match: re.Match[str]) -> str:
        mention = _READERS[(match.lastindex or 1) - 1](match[0])
        if mention is None:
            return match[0]
        mentions.append(mention)
        return f"⟦{len(mentions) - 1}⟧" if mention.is_cell else f"⟪{len(mentions) - 1}⟫"

    return Annotated(_scanner(alphabet).sub(stand_in, text), tuple(mentions))
