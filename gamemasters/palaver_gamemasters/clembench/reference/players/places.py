"""Places of a grid in words: rows, columns, cells, corners, diagonals. What people write, as sets of cells."""

import re
from collections.abc import Callable, Iterable

from palaver_gamemasters.clembench.grids import Cell

__all__ = ["FALLING", "MARK", "RISING", "Cells", "every_cell", "falling", "marked", "rising"]

Cells = frozenset[Cell]

MARK = re.compile(r"⟦(\d+)⟧")
"""What stands in a text for a place that was read: its number among all that were."""

FALLING = "the diagonal from top left to bottom right"
RISING = "the diagonal from bottom left to top right"

NUMBERS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five"), 1)}
ORDINALS = {word: number for number, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1)}
SHORT = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
STARTS = dict.fromkeys(("top", "topmost", "upper", "uppermost", "left", "leftmost", "far left", "left-most"), 1)
ENDS = dict.fromkeys(
    ("bottom", "bottommost", "lower", "lowest", "last", "right", "rightmost", "far right", "right-most"), 0
)
BEFORE_ENDS = dict.fromkeys(
    ("second to last", "second last", "second from the bottom", "second from the right", "penultimate"), -1
)
MIDDLES = ("middle", "central", "center", "centre")

COUNTED = {**ORDINALS, **SHORT, **STARTS, **ENDS, **BEFORE_ENDS}
"""Names of lines: from 1; 0 is the last, -1 the one before it."""


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


AND = r"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*|\s*/\s*)(?:the\s+)?"
ITEM = _any((*COUNTED, *MIDDLES))
NUMBER = rf"(?:\d{{1,2}}\b|{_any(NUMBERS)}\b)"
RANGE = r"\s*(?:-|to|through)\s*"
LINE = r"(row|column|col|line)s?\b"

ELLIPSIS = re.compile(
    rf"\b(?P<line>row|column)(?P<between>s?\b[^.;⟦]{{0,60}}?\b(?:but|except(?:\s+for)?))\s+(?:the\s+)?(?P<item>{ITEM})\b"
    r"(?:\s+one)?(?!\s+(?:row|col|one\b|and\b|,))"
)
"""All rows but the second (one)."""
CELL_FORMS = (
    re.compile(rf"\b(?P<line>row)\s+(?P<a>{NUMBER})\s*,?\s*(?:and\s+|of\s+|in\s+)?(?:column|col)\s+(?P<b>{NUMBER})"),
    re.compile(rf"\b(?P<line>column|col)\s+(?P<a>{NUMBER})\s*,?\s*(?:and\s+|of\s+|in\s+)?row\s+(?P<b>{NUMBER})"),
    re.compile(rf"\((?P<line>)\s*(?P<a>{NUMBER})\s*,\s*(?P<b>{NUMBER})\s*\)"),
    re.compile(
        rf"\b(?P<a>{ITEM})\s+(?P<line>cell|square|column|position)\s+(?:of|in|from)\s+the\s+(?P<b>{ITEM})\s+row\b"
    ),
    re.compile(rf"\b(?P<a>{ITEM})\s+(?P<line>row)\s+(?:of|in|,)?\s*(?:the\s+)?(?P<b>{ITEM})\s+column\b"),
)
DIAGONAL = re.compile(
    r"(?P<both>both\s+(?:of\s+the\s+)?)?(?P<anti>anti-?\s?|secondary\s+|minor\s+)?(?:main\s+)?diagonal(?P<s>s|ly)?(?:\s+(?:line|of|filled|cells?|x'?s))*"
    r"(?P<way>\s*,?\s*(?:running\s+|going\s+)?from\s+(?:the\s+)?(?P<a>top|bottom|upper|lower)[\s-]+(?P<side>left|right)"
    r"(?:\s+corner)?\s+to\s+(?:the\s+)?(?:top|bottom|upper|lower)[\s-]+(?:left|right)(?:\s+corner)?)?"
)
CORNER = re.compile(r"\b(top|upper|bottom|lower)[\s-]*(left|right)(?:\s+(?:corner|cell|square|most))?(?:\s+cell)?")
CORNERS = re.compile(r"\b(?:all\s+)?(?:the\s+)?(?:four\s+|4\s+)?corners(?:\s+cells)?|\bcorner\s+cells")
CENTRE = re.compile(rf"\b{_any(MIDDLES)}(?!\s+(?:row|column|col|line))(?:\s+(?:cell|square|most))?\b")
BORDER = re.compile(r"\b(?:outer\s+|entire\s+)?(?:border|edges?|perimeter|frame)(?:\s+cells)?\b")
SEVERAL = re.compile(rf"\b(?P<end>{_any((*STARTS, *ENDS, 'first'))})\s+(?P<n>{NUMBER})\s+(?P<line>row|column|col)s\b")
NAMED = re.compile(rf"\b{ITEM}(?:{AND}{ITEM})*\s+{LINE}")
NUMBERED = re.compile(rf"\b{LINE}\s*#?\s*(?P<list>{NUMBER}(?:(?:{RANGE}|{AND}){NUMBER})*)")
ALL = re.compile(
    rf"\b(?:all|every|each)(?:\s+of)?(?:\s+the)?(?:\s+{NUMBER})?\s+(?:row|column|cell|square|other cell)s?\b"
)


def every_cell(side: int) -> Cells:
    """Return all cells of a grid."""
    return frozenset((row, column) for row in range(side) for column in range(side))


def falling(side: int) -> Cells:
    """Return the diagonal from top left to bottom right."""
    return frozenset((at, at) for at in range(side))


def rising(side: int) -> Cells:
    """Return the diagonal from bottom left to top right."""
    return frozenset((at, side - 1 - at) for at in range(side))


def marked(text: str, side: int) -> tuple[str, list[Cells]]:
    """Put a mark in place of every place that a text names.

    Args:
        text: in lower case.
        side: of the grid, in cells.

    Returns:
        The text with marks, and the places by number.
    """
    found: list[Cells] = []

    def put(read: Callable[[re.Match[str], int], Cells]) -> Callable[[re.Match[str]], str]:
        def mark(match: re.Match[str]) -> str:
            cells = read(match, side)
            if not cells:
                return match[0]
            found.append(cells)
            return f"⟦{len(found) - 1}⟧"

        return mark

    text = ELLIPSIS.sub(r"\g<line>\g<between> the \g<item> \g<line>", text)
    for form in CELL_FORMS:
        text = form.sub(put(_cell), text)
    for form, read in _FORMS:
        text = form.sub(put(read), text)
    return text, found


def _number(word: str, side: int) -> int:
    """Return which line a word means, from 0; may be none that there is."""
    if word in MIDDLES:
        return side // 2
    if word in COUNTED:
        number = COUNTED[word]
        return number - 1 if number > 0 else side - 1 + number
    return NUMBERS[word] - 1 if word in NUMBERS else int(word) - 1


def _line(kind: str, at: int, side: int) -> Cells:
    if not 0 <= at < side:
        return frozenset()
    return frozenset((at, other) if kind in ("row", "line") else (other, at) for other in range(side))


def _cell(match: re.Match[str], side: int) -> Cells:
    a, b = _number(match["a"], side), _number(match["b"], side)
    row, column = (a, b) if match["line"] in ("row", "") else (b, a)
    return frozenset([(row, column)]) & every_cell(side)


def _diagonal(match: re.Match[str], side: int) -> Cells:
    if match["way"]:
        return falling(side) if (match["a"] in ("top", "upper")) == (match["side"] == "left") else rising(side)
    if match["both"] or match["s"] == "s":
        return falling(side) | rising(side)
    if match["s"] == "ly":
        return frozenset()
    return rising(side) if match["anti"] else falling(side)


def _corner(match: re.Match[str], side: int) -> Cells:
    row = 0 if match[1] in ("top", "upper") else side - 1
    return frozenset([(row, 0 if match[2] == "left" else side - 1)])


def _corners(match: re.Match[str], side: int) -> Cells:
    return frozenset((row, column) for row in (0, side - 1) for column in (0, side - 1))


def _centre(match: re.Match[str], side: int) -> Cells:
    return frozenset([(side // 2, side // 2)])


def _border(match: re.Match[str], side: int) -> Cells:
    return frozenset(cell for cell in every_cell(side) if {*cell} & {0, side - 1})


def _several(match: re.Match[str], side: int) -> Cells:
    many = min(_number(match["n"], side) + 1, side)
    lines = range(side - many, side) if match["end"] in ENDS else range(many)
    return frozenset[Cell]().union(*(_line(match["line"], at, side) for at in lines))


def _named(match: re.Match[str], side: int) -> Cells:
    kind = match[1]
    lines = (_number(word, side) for word in re.findall(ITEM, match[0].removesuffix(kind)))
    return frozenset[Cell]().union(*(_line(kind, at, side) for at in lines))


def _numbered(match: re.Match[str], side: int) -> Cells:
    lines: set[int] = set()
    for first, last in re.findall(rf"({NUMBER})(?:{RANGE}({NUMBER}))?", match["list"]):
        start = _number(first, side)
        lines.update(range(start, min(_number(last, side), side) + 1) if last else [start])
    return frozenset[Cell]().union(*(_line(match[1], at, side) for at in lines))


def _all(match: re.Match[str], side: int) -> Cells:
    return every_cell(side)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], Cells]], ...] = (
    (DIAGONAL, _diagonal),
    (SEVERAL, _several),
    (NAMED, _named),
    (NUMBERED, _numbered),
    (ALL, _all),
    (CORNER, _corner),
    (CORNERS, _corners),
    (BORDER, _border),
    (CENTRE, _centre),
)
