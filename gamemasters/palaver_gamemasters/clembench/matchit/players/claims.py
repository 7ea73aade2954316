"""What a text says of a grid: which cells are filled or empty, and how many there are.

Where a text can be understood in more than one way, it says nothing: what was not understood can be asked for again,
what was misunderstood decides the game.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from palaver_gamemasters.clembench.features import grids_in
from palaver_gamemasters.clembench.grids import EMPTY, FILLED, Cell, Grid

from .lines import NUMBERS, Line, Named, cells_named, line_of, named_in, patterns_in, plain

__all__ = ["Claims", "claims_of", "count_in", "grid_in", "is_empty", "is_filled"]

NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)})"
SQUARES = (
    r"(?:of (?:its|my|the|your|them)\b[\w ]{0,20}?)?(?:cells?|squares?|boxes|are|is|with)?\s*(?:cells?|are|is)?\s*"
)
FILLED_WORD = rf"(?:filled|full|occupied|marked|{FILLED}(?:'?s)?)\b"
EMPTY_WORD = rf"(?:empty|blank|unfilled|{EMPTY})"
COUNT = re.compile(rf"\b{NUMBER}\s+{SQUARES}{FILLED_WORD}", re.IGNORECASE)
COUNT_EMPTY = re.compile(rf"\b{NUMBER}\s+{SQUARES}{EMPTY_WORD}", re.IGNORECASE)
ROUGHLY = re.compile(r"\b(?:about|around|roughly|at least|at most|more|less|fewer|almost|nearly|or)\b", re.IGNORECASE)
IS_FILLED = re.compile(rf"\b{FILLED_WORD}", re.IGNORECASE)
IS_EMPTY = re.compile(rf"{EMPTY_WORD}|\b(?:no|without)\s+{FILLED_WORD}", re.IGNORECASE)
UNCLEAR = re.compile(
    r"\b(?:not|isn't|aren't|doesn't|never|neither|nor|but|except|besides|rest|other|apart|whether|if|some|partly|half|mostly|"
    r"alternat\w*|symmetr\w*|at least|or)\b|\?",
    re.IGNORECASE,
)
WHOLE = re.compile(r"\b(?:all|entire\w*|complete\w*|fully|whole|total\w*|every|only|solid)\b", re.IGNORECASE)
STATED = re.compile(rf"\b(?:is|are)\s+(?:both\s+|all\s+)?(?:\w+ly\s+)?(?:filled|full|{EMPTY_WORD})", re.IGNORECASE)
LISTED = re.compile(r"\b(?:columns|rows|positions|places)\b|\bonly\b", re.IGNORECASE)
HAS = re.compile(r"\b(?:has|have|contains?|with|only)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Claims:
    """What was said of a grid. ``cells`` are filled (True) or empty, ``counts`` how many are filled in all."""

    cells: Mapping[Cell, bool] = field(default_factory=dict)
    counts: frozenset[int] = frozenset()
    conflicting: bool = False

    def __or__(self, other: "Claims") -> "Claims":
        """Put together what was said at two times."""
        clash = any(other.cells.get(cell, filled) != filled for cell, filled in self.cells.items())
        return Claims(
            {**self.cells, **other.cells}, self.counts | other.counts, self.conflicting or other.conflicting or clash
        )

    def hold_of(self, grid: Grid) -> bool:
        """Whether a grid is as was said, as far as was said anything; no grid is both filled and empty somewhere."""
        fits = all((cell in grid.filled) == filled for cell, filled in self.cells.items())
        return fits and self.counts <= {len(grid.filled)} and not self.conflicting


def claims_of(text: str, side: int, about: Sequence[Line] = ()) -> Claims:
    """Read what a text says of a grid.

    Args:
        text: somebody's words.
        side: how many cells a row has.
        about: the lines that were asked for, which need not be named again.
    """
    text = plain(text)
    whole = grid_in(text, side)
    if whole is not None:
        return Claims({cell: cell in whole.filled for cell in _all(side)})
    found = Claims()
    for clause in re.split(r"[.;\n]", text):
        found |= _clause(clause, side, about)
    return found


def grid_in(text: str, side: int) -> Grid | None:
    """Return a grid that is written out in a text, if there is one of this size."""
    for written in grids_in(text):
        rows = written.splitlines()
        if len(rows) == side and all(len(row.split()) == side for row in rows):
            return Grid.read(written)
    return None


def count_in(text: str, side: int) -> int | None:
    """Return how many filled cells a text says that there are in all; None if it says nothing of that."""
    if ROUGHLY.search(text):
        return None
    if said := COUNT.search(text):
        return _number(said["number"])
    return side * side - _number(said["number"]) if (said := COUNT_EMPTY.search(text)) else None


def is_filled(text: str) -> bool:
    """Whether a text speaks of filled cells."""
    return IS_FILLED.search(text) is not None and not is_empty(text)


def is_empty(text: str) -> bool:
    """Whether a text speaks of empty cells."""
    return IS_EMPTY.search(text) is not None


def _clause(clause: str, side: int, about: Sequence[Line]) -> Claims:
    named = named_in(clause, side)
    patterns = patterns_in(clause, side)
    if patterns:
        cells: dict[Cell, bool] = {}
        for pattern in patterns:
            before = [each for each in named if each.start < pattern.start]
            lines = before[-1].lines if before else tuple(about) if len(patterns) == len(about) == 1 else ()
            for line in lines:
                cells |= zip(line_of(line, side), pattern.filled, strict=True)
        return Claims(cells)
    if not named:
        count = count_in(clause, side)
        return Claims() if count is None else Claims(counts=frozenset({count}))
    if UNCLEAR.search(clause) or (IS_EMPTY.search(clause) and IS_FILLED.search(_without_empty(clause))):
        return Claims()
    filled = is_filled(clause)
    if not filled and not is_empty(clause):
        return Claims()
    return Claims(dict(_said_of(clause, named, side, filled=filled)))


def _said_of(clause: str, named: Sequence[Named], side: int, *, filled: bool) -> Iterator[tuple[Cell, bool]]:
    """Yield the cells that a clause is about."""
    lines = [line for each in named for line in each.lines]
    if len({line.what for line in lines}) > 1:
        cells = cells_named(named)
        # "row 3 has X in columns 1 and 3": the rest of row 3 is empty; "columns 1 and 3 have X in row 3" says less
        alone = sum(line.what == lines[0].what for line in lines) == 1
        rest = line_of(lines[0], side) if filled and alone and HAS.search(clause) and LISTED.search(clause) else ()
        yield from ((cell, False) for cell in rest if cell not in cells)
        yield from ((cell, filled) for cell in cells)
        return
    bounds = [0, *(bound for each in named for bound in (each.start, each.end)), len(clause)]
    rest_of = " ".join(clause[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
    numbers = set(re.findall(rf"\b(?:\d+|{'|'.join(NUMBERS)})\b", rest_of.lower())) - {str(side), "five", "both"}
    if numbers or not (STATED.search(clause) or WHOLE.search(clause) or (not filled and "no " in clause.lower())):
        return
    yield from ((cell, filled) for line in lines for cell in line_of(line, side))


def _without_empty(clause: str) -> str:
    return IS_EMPTY.sub(" ", clause)


def _number(word: str) -> int:
    return NUMBERS.get(word.lower()) or (int(word) if word.isdecimal() else 0)


def _all(side: int) -> Iterator[Cell]:
    return ((row, column) for row in range(side) for column in range(side))
