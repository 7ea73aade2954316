"""What a speaker says about the maze: which convention it uses, and which cells are open or walls.

Nobody promises a format, so everything here is evidence. A text is read in that convention under which it contradicts
itself and the own map least: the convention that a speaker states counts most, then where it says that start, goal and
corners are, then whether what it says about cells can be true. Quotation marks are expected to be plain ones.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise, product

from ..grid import GOAL, HIDDEN, PATH, START, WALL, Cell, Maze
from .styles import Mention, Style, mentions

__all__ = [
    "LOOK_AGAIN",
    "asked_about",
    "asks_for_map",
    "claims",
    "convention",
    "learn",
    "learned",
    "maps_drawn",
    "states_convention",
]

Claim = tuple[Mention, str]
"""A cell's name and what is said to be there: a symbol, or a corner such as ``top left``."""

KINDS = {
    WALL: r"walls?|blocked|obstacles?|impassable",
    PATH: r"open|paths?|clear|free|passable|walkable|dots?|empty",
    HIDDEN: r"hidden|unknown|unsure",
    START: r"start(?:ing)?",
    GOAL: r"goal",
}
_KIND = "|".join(KINDS.values())
_QUOTE = "['\"`]"
_CORNER = r"(?P<side>top|upper|bottom|lower)[- ](?P<hand>left|right)"

JOIN = re.compile(r"[\s,;&•*-]*(?:and\s+)?")
SAID_AFTER = re.compile(
    r"\s*(?:(?:=|:|is|are|->|→|\(|marked as|as)\s*(?:(?:also|an?|the|clear|known|both|all)\s+)*"
    rf"{_QUOTE}?(?P<what>[@*.#?]|(?:{_KIND})\b)|{_QUOTE}(?P<quoted>[@*.#?]){_QUOTE})",
    re.IGNORECASE,
)
SAID_BEFORE = re.compile(
    rf"\b(?P<what>{_KIND})\s*(?:\({_QUOTE}?[@*.#?]{_QUOTE}?\)\s*)?"
    r"(?:(?:cells?|squares?|spaces?|positions?|coordinates|spots?|corner|at|in|on|my|your|map|are|is|the|following|known"
    r"|that|i|can|see|cell)\b[\s,]*|[:=*•-]\s*)*$",
    re.IGNORECASE,
)
CORNER_AFTER = re.compile(rf"[\s,)]*(?:(?:is|being|=|in|at|as|for|the|our)\s*)*{_CORNER}", re.IGNORECASE)
CORNER_BEFORE = re.compile(rf"{_CORNER}(?:\s(?:corner|cell))*\s*(?:is|being|=|as|at|:|\()?\s*$", re.IGNORECASE)
SUPPOSED = re.compile(
    r"\b(?:if|whether|suppose|assuming|(?:can|could|would|do|does|should|shall) (?:you|we|it))\b"
    r"(?:(?!\b(?:since|because)\b)[^.!?\n])*$",
    re.IGNORECASE,
)
DENIED = re.compile(r"\b(?:no|not|isn't|aren't|without)\s+(?:(?:an?|the|any)\s+)?$", re.IGNORECASE)
HINTS: tuple[tuple[re.Pattern[str], str, bool | int], ...] = (
    (re.compile(r"\brow[- ,/]{1,2}col|\(\s*r(?:ow)?\s*,\s*c|row first", re.IGNORECASE), "column_first", False),
    (re.compile(r"\bcol(?:umn)?[- ,/]{1,2}row|\(\s*x\s*,\s*y|column first", re.IGNORECASE), "column_first", True),
    (re.compile(r"letters? for (?:the )?col|columns? (?:as|by|with|are) letter", re.IGNORECASE), "column_first", True),
    (re.compile(r"letters? for (?:the )?row|rows? (?:as|by|with|are) letter", re.IGNORECASE), "column_first", False),
    (re.compile(r"\b(?:0|zero)[- ](?:based|index)|from (?:0|zero)\b|rows? 0\b", re.IGNORECASE), "base", 0),
    (re.compile(r"\b(?:1|one)[- ](?:based|index)|from (?:1|one)\b|rows? 1\s*(?:-|to)", re.IGNORECASE), "base", 1),
    (re.compile(r"origin[^.\n]{0,80}(?:bottom|lower)|y upwards?|from the bottom", re.IGNORECASE), "from_bottom", True),
    (re.compile(r"origin[^.\n]{0,80}(?:top|upper)|y downwards?|from the top", re.IGNORECASE), "from_bottom", False),
)
LOOK_AGAIN = "look at your map again"
"""By these words one speaker asks another to read its map once more."""
WHOLE_MAP = re.compile(
    r"\b(?:all of it|all that your (?:map|part)|(?:whole|full|entire) map)\b|\bwhat (?:can|do) you see\s*\?"
    r"|\bwhat does your (?:part of the )?map show\s*\?",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
ASKING = re.compile(r"\b(?:is|are|what|what's|which|whether|can you|could you|do you)\b", re.IGNORECASE)
ABOUT_CELLS = re.compile(
    r"\b(?:open|walls?|paths?|clear|free|see|shows?|blocked|status(?:es)?|contents?|know|there|at)\b", re.IGNORECASE
)
DRAWN_ROW = re.compile(
    r"(?:[-\s]*(?:row|line|r|y)\s*=?\s*\w{1,2}\s*[:=|)]?|\s*\w{1,2}\s*[:|)])?\s*[|`'\"\[]?"
    r"([@*.#?](?:[ ,|'\"]*[@*.#?])*)[|`'\"\],]*\s*",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)  # a dialogue is read anew at every turn
def claims(text: str) -> tuple[Claim, ...]:
    """Find what a text says about cells, in whatever spelling; questions and suppositions are left out."""
    return tuple(claim for run in _runs(text) for claim in _said_of(run, text))


def _runs(text: str) -> Iterator[list[Mention]]:
    """Group the names of cells that only commas and the like divide: what is said of one is said of all."""
    run: list[Mention] = []
    for mention in mentions(text):
        if run and not JOIN.fullmatch(text, run[-1].end, mention.start):
            yield run
            run = []
        run.append(mention)
    if run:
        yield run


def _said_of(run: list[Mention], text: str) -> Iterator[Claim]:
    """Say what a text says of a run of cells."""
    before = text[max(0, run[0].start - 120) : run[0].start]
    after = CORNER_AFTER.match(text, run[-1].end), SAID_AFTER.match(text, run[-1].end)
    if corner := (after[0] or CORNER_BEFORE.search(before)):
        side = "top" if corner["side"].lower() in ("top", "upper") else "bottom"
        yield run[-1 if after[0] else 0], f"{side} {corner['hand'].lower()}"
    if SUPPOSED.search(before):
        return
    if (found := SAID_BEFORE.search(before)) and not DENIED.search(before[: found.start()]):
        yield from ((mention, _kind(found["what"])) for mention in (run[:-1] if after[1] else run))
    if after[1]:
        kind = _kind(after[1]["what"] or after[1]["quoted"])
        yield from ((mention, kind) for mention in (run[-1:] if found else run))


def _kind(word: str) -> str:
    """Return the symbol that a word stands for."""
    return word if word in KINDS else next(kind for kind, words in KINDS.items() if re.fullmatch(words, word.lower()))


@lru_cache(maxsize=1024)
def convention(text: str, own: Maze, usual: Style | None = None) -> Style | None:
    """Return the convention in which a text names cells, or None if it names none.

    Args:
        text: what one speaker said, all of it.
        own: a map of the maze, against which the text is held.
        usual: the convention that is expected, if any, and taken where nothing speaks against it.
    """
    named, said = tuple(mentions(text)), claims(text)
    forms = [mention.form for mention in named]
    if not forms:
        return None
    form = max(dict.fromkeys(forms), key=forms.count)
    if usual is None or (usual.form == "letter") != (form == "letter"):
        usual = Style(form, column_first=form == "letter")
    hints = [(name, value) for pattern, name, value in HINTS if pattern.search(text)]
    costs = {}
    for right, bottom, first, base in product((False, True), repeat=4):
        style = Style(form, int(base), first, bottom, right)
        contrary = sum(1 for name, value in hints if getattr(style, name) != value)
        outside = sum(1 for mention in named if _readable(style, mention) and style.read(mention, own) not in own)
        doubts = sum(_doubt(style, claim, own) for claim in said if _readable(style, claim[0]))
        costs[style] = 6 * contrary + outside + doubts + 0.1 * _difference(style, usual)
    return min(costs, key=lambda style: costs[style])


def states_convention(text: str) -> bool:
    """Whether a text says how it names cells, and does not only name some."""
    return any(pattern.search(text) for pattern, _, _ in HINTS) or any(kind not in KINDS for _, kind in claims(text))


def _difference(style: Style, usual: Style) -> int:
    """Count in how many ways two conventions differ, spelling aside."""
    return sum(
        (
            style.base != usual.base,
            style.column_first != usual.column_first,
            style.from_bottom != usual.from_bottom,
            style.from_right != usual.from_right,
        )
    )


def _doubt(style: Style, claim: Claim, own: Maze) -> float:
    """Weigh how badly one claim goes with the own map."""
    mention, kind = claim
    cell = style.read(mention, own)
    if cell not in own:
        return 2
    if kind not in KINDS:
        side, hand = kind.split()
        return 6 * (cell != ((own.height - 1) * (side == "bottom"), (own.width - 1) * (hand == "right")))
    if kind in (START, GOAL):
        return 4 * (own[cell] != kind)
    return HIDDEN not in (kind, own[cell]) and (own[cell] == WALL) != (kind == WALL)


def _readable(style: Style, mention: Mention) -> bool:
    """Whether a name is of the kind that a convention spells: B3 is none in a text that otherwise says (1, 2)."""
    return (style.form == "letter") == (mention.form == "letter")


def learned(text: str, style: Style | None, own: Maze) -> dict[Cell, str]:
    """Return the cells that a text says are open or walls; the last word on a cell counts."""
    told = {
        cell: symbol
        for grid in maps_drawn(text, own)
        for cell, symbol in zip(own.cells(), "".join(grid), strict=True)
        if symbol in (PATH, WALL)
    }
    for mention, kind in claims(text) if style else ():
        if style and kind in (PATH, WALL) and _readable(style, mention) and (cell := style.read(mention, own)) in own:
            told[cell] = kind
    return told


def asked_about(text: str, style: Style | None, own: Maze) -> list[Cell]:
    """Return the cells that a text asks about: those that its questions name, or the sentence right before one."""
    cells: dict[Cell, None] = {}
    for before, sentence in pairwise(["", *SENTENCE_END.split(text)]):
        if sentence.endswith("?") and ASKING.search(sentence) and ABOUT_CELLS.search(sentence):
            named = list(mentions(sentence)) or list(mentions(before))
            cells |= dict.fromkeys(style.read(m, own) for m in named if style and _readable(style, m))
    return [cell for cell in cells if cell in own]


def asks_for_map(text: str) -> bool:
    """Whether a text asks for all that a map shows."""
    return WHOLE_MAP.search(text) is not None


def maps_drawn(text: str, own: Maze) -> Iterator[tuple[str, ...]]:
    """Find whole maps drawn in a text, row by row, labelled or not, with or without spaces; topmost row first."""
    block: list[str] = []
    for line in text.splitlines():
        row = DRAWN_ROW.fullmatch(line)
        symbols = re.sub(r"[^@*.#?]", "", row[1]) if row else ""
        if len(symbols) != own.width:
            if line.strip():
                block = []
            continue
        block.append(symbols)
        if len(block) == own.height:
            yield min((tuple(block), tuple(block[::-1])), key=lambda grid: _conflicts(grid, own))
            block = []


def _conflicts(grid: tuple[str, ...], own: Maze) -> int:
    """Count where a drawn map contradicts the own one."""
    pairs = zip("".join(grid), "".join(own.rows), strict=True)
    return sum(HIDDEN not in (theirs, mine) and theirs != mine for theirs, mine in pairs)


def learn(own: Maze, told: Mapping[Cell, str]) -> Maze:
    """Add what others said to the own map; where they differ, the own eyes count."""
    return Maze(
        tuple(
            "".join(
                told.get((row, column), HIDDEN) if symbol == HIDDEN else symbol for column, symbol in enumerate(line)
            )
            for row, line in enumerate(own.rows)
        )
    )
