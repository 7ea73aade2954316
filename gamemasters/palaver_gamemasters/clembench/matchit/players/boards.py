"""How a script speaks of a grid that it sees: it tells a few rows, asks for those that tell most, and compares."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from palaver_gamemasters.clembench.families import known_as
from palaver_gamemasters.clembench.grids import EMPTY, FILLED, Cell, Grid

from .agreement import agreed, is_polar, sentence, yes_or_no
from .claims import Claims, claims_of, count_in, grid_in, is_empty, is_filled
from .dialogue import Heard
from .lines import Line, cells_named, line_of, named_in, patterns_in, plain
from .style import Style

__all__ = ["GridSight"]

HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b", re.IGNORECASE)
LINES = re.compile(r"\b(?P<what>rows?|columns?)\b", re.IGNORECASE)
CORNER = re.compile(r"\b(?P<row>top|upper|bottom|lower)[ -]*(?P<column>left|right)\b", re.IGNORECASE)
CORNERS = re.compile(r"\bcorners?\b", re.IGNORECASE)
CENTRE = re.compile(r"\b(?:cent(?:re|er)|middle)\b", re.IGNORECASE)
WHICH = re.compile(r"\b(?:which|what)\s+(?P<what>rows?|columns?)\b", re.IGNORECASE)
WHOLE = re.compile(r"\b(?:full|fully|all|entire\w*|complete\w*|only)\b", re.IGNORECASE)
SOME = re.compile(r"\b(?:any|an?|some)\b", re.IGNORECASE)
EQUAL = re.compile(r"\b(?:the same|identical|equal|alike)\b", re.IGNORECASE)
SYMMETRY = re.compile(r"\bsymmetr|\bmirror", re.IGNORECASE)
DIAGONAL = re.compile(r"\bdiagonal", re.IGNORECASE)
BORDER = re.compile(r"\b(?:border|edges?|frame|outline|perimeter)\b", re.IGNORECASE)
SYMBOLS = re.compile(
    r"\b(?:other|different|any)\s+(?:\w+\s+)?(?:symbols?|characters?|markings?|letters?)\b|colou?r", re.IGNORECASE
)
MOTIVE = re.compile(r"\b(?:letters?|shapes?|pattern|look|resemble|figure|form|symbol)\b", re.IGNORECASE)
MORE = ("Which letter, or which shape, does your grid look like?", "Is your grid symmetric?")
"""What it asks when there is nothing left to find out."""


@dataclass(frozen=True)
class GridSight:
    """A grid, as a player sees it."""

    grid: Grid
    style: Style

    def describe(self) -> str:
        """Tell how many cells are filled, and the rows that tell most."""
        side, count = self.grid.side, len(self.grid.filled)
        if not self.style.lines:
            return f"A grid of {side} by {side} cells, some of them filled."
        rows = sorted(self._ranked(Claims())[: self.style.lines])
        told = "".join(f" {sentence(self._told(Line('row', row)))}." for row in rows)
        return f"A grid of {side} by {side} cells, {count} of them filled.{told}"

    def ask(self, heard: Sequence[Heard], own: Sequence[str]) -> str:
        """Ask for the row that tells most, of those that were not told or asked for yet."""
        asked = {line for question in own for each in named_in(question, self.grid.side) for line in each.lines}
        if len(own) >= self.style.questions:
            return "Is there anything special about your grid?"
        ranked = self._ranked(self._claims(heard))
        rows = [row for row in ranked if Line("row", row) not in asked] or ranked
        if not rows:
            return MORE[len(own) % len(MORE)]
        line = Line("row", rows[0])
        return f"In my grid, {self._told(line)}. What is {line} in yours?" if self.style.tells else f"What is {line}?"

    def answer(self, question: str) -> str:
        """Answer a question about the grid, truly, as far as it is understood."""
        question = plain(question)
        said = next((said for said in self._answers(question) if said), "")
        middle = self._told(Line("row", self.grid.side // 2))
        return sentence(said) or f"I can only say that {self._count()}, and {middle}."

    def differs(self, heard: Sequence[Heard]) -> bool:
        """Whether anything that the other said does not hold of this grid."""
        opposed = any(
            each.question is not None
            and (theirs := agreed(each.text)) is not None
            and (mine := agreed(self.answer(each.question))) is not None
            and mine != theirs
            for each in heard
        )
        return opposed or not self._claims(heard).hold_of(self.grid)

    def _claims(self, heard: Sequence[Heard]) -> Claims:
        found = Claims()
        for each in heard:
            asked = named_in(each.question or "", self.grid.side)
            lines = tuple(dict.fromkeys(line for named in asked for line in named.lines))
            found |= claims_of(each.told, self.grid.side, lines)
        return found

    def _ranked(self, claims: Claims) -> list[int]:
        """Return the rows that are not known yet of the other grid, those first that would tell most.

        A row tells the more, the more of the mirrored and turned grids it rules out that are still possible.
        """
        grid = self.grid
        turned = {grid.mirrored(), grid.upside_down(), grid.rotated(1), grid.rotated(2), grid.rotated(3)} - {grid}
        possible = [each for each in turned if claims.hold_of(each)]
        unknown = [
            row for row in range(grid.side) if any(cell not in claims.cells for cell in self._at(Line("row", row)))
        ]
        return sorted(
            unknown, key=lambda row: (-sum(each.rows[row] != grid.rows[row] for each in possible), _far(row, grid.side))
        )

    def _at(self, line: Line) -> tuple[Cell, ...]:
        return line_of(line, self.grid.side)

    def _every(self, kind: re.Match[str]) -> list[Line]:
        """Return all rows, or all columns."""
        what: Literal["row", "column"] = "row" if kind["what"].lower().startswith("row") else "column"
        return [Line(what, at) for at in range(self.grid.side)]

    def _answers(self, question: str) -> Iterator[str]:
        """Yield what a question may want to know, the most exact first."""
        side = self.grid.side
        whole = grid_in(question, side)
        if whole is not None:
            yield "Yes, that is my grid." if whole == self.grid else f"No, {self._first_difference(whole)}."
        named = named_in(question, side)
        lines = tuple(dict.fromkeys(line for each in named for line in each.lines))
        if named and patterns_in(question, side):
            holds = claims_of(question, side, lines).hold_of(self.grid)
            yield f"{yes_or_no(holds)}{self._all(lines)}."
        yield self._how_many(question, lines)
        yield self._which(question)
        if len(lines) > 1 and is_polar(question) and EQUAL.search(question):
            same = len({self._read(self._at(line)) for line in lines}) == 1
            yield f"{yes_or_no(same)}{self._all(lines)}."
        cells = cells_named(named) or tuple(self._places(question))
        if cells:
            yield self._of_cells(question, cells)
        if lines:
            asked = [cell for line in lines for cell in self._at(line)]
            yield f"{yes_or_no(self._holds(question, asked))}{self._all(lines)}."
        yield from self._of_all(question)

    def _how_many(self, question: str, lines: Sequence[Line]) -> str:
        if not HOW_MANY.search(question):
            said = None if lines else count_in(question, self.grid.side)
            return "" if said is None else f"{yes_or_no(said == len(self.grid.filled))}{self._count()}."
        if lines:
            return f"Filled cells: {', '.join(f'{len(self._filled(self._at(line)))} in {line}' for line in lines)}."
        kind = LINES.search(question)
        if kind is None or "each" in question.lower():
            return f"{self._count()}."
        want = 0 if is_empty(question) else self.grid.side
        some = [line for line in self._every(kind) if len(self._filled(self._at(line))) == want]
        which = f" ({self._all(some)})" if some else ""
        return f"Completely {'filled' if want else 'empty'}: {len(some)} of them{which}."

    def _which(self, question: str) -> str:
        """Name the rows or columns that are as is asked for."""
        kind = WHICH.search(question)
        if kind is None or not (is_filled(question) or is_empty(question)):
            return ""
        every = [(line, len(self._filled(self._at(line)))) for line in self._every(kind)]
        if is_empty(question):
            some = [line for line, filled in every if not filled]
        else:
            fewest = self.grid.side if WHOLE.search(question) else 1
            some = [line for line, filled in every if filled >= fewest]
        return f"{self._all(some)}." if some else "None of them."

    def _of_cells(self, question: str, cells: Sequence[Cell]) -> str:
        told = ", ".join(
            f"the cell in row {row + 1}, column {column + 1} is {'filled' if cell in self.grid.filled else 'empty'}"
            for cell in cells
            for row, column in [cell]
        )
        return f"{yes_or_no(self._holds(question, cells))}{told}."

    def _of_all(self, question: str) -> Iterator[str]:
        grid = self.grid
        if SYMMETRY.search(question):
            sides, ends = grid == grid.mirrored(), grid == grid.upside_down()
            ways = [way for way, holds in (("left and right", sides), ("top and bottom", ends)) if holds]
            told = " and to ".join(ways)
            yield f"Yes, it is symmetric as to {told}." if ways else "No, it is not symmetric."
        if DIAGONAL.search(question):
            falling = tuple((at, at) for at in range(grid.side))
            rising = tuple((grid.side - 1 - at, at) for at in range(grid.side))
            yield f"From top left to bottom right: {self._read(falling)}. From bottom left: {self._read(rising)}."
        if BORDER.search(question):
            edge = [(row, column) for row, column in _cells(grid.side) if {row, column} & {0, grid.side - 1}]
            yield f"{len(self._filled(edge))} of the {len(edge)} cells of the border are filled."
        if SYMBOLS.search(question):
            yield f"No, there are only {FILLED} and {EMPTY}."
        if MOTIVE.search(question):
            name = known_as(grid)
            holds = yes_or_no(name is not None if is_polar(question) else None)
            yield f"{holds}{f'it looks like {name}' if name else f'it has no name that I know; {self._count()}'}."

    def _holds(self, question: str, cells: Sequence[Cell]) -> bool | None:
        """Return whether what a question asks of cells is so; None if it does not ask for yes or no."""
        if not is_polar(question) or not (is_filled(question) or is_empty(question)):
            return None
        filled = len(self._filled(cells))
        fitting = len(cells) - filled if is_empty(question) else filled
        return fitting > 0 if SOME.search(question) and not WHOLE.search(question) else fitting == len(cells)

    def _places(self, question: str) -> Iterator[Cell]:
        last = self.grid.side - 1
        for corner in CORNER.finditer(question):
            low, right = corner["row"].lower() in ("bottom", "lower"), corner["column"].lower() == "right"
            yield (last if low else 0, last if right else 0)
        if CORNERS.search(question) and not CORNER.search(question):
            yield from ((row, column) for row in (0, last) for column in (0, last))
        if CENTRE.search(question) and not LINES.search(question):
            yield (self.grid.side // 2, self.grid.side // 2)

    def _first_difference(self, other: Grid) -> str:
        row = next(row for row in range(self.grid.side) if self.grid.rows[row] != other.rows[row])
        return self._told(Line("row", row))

    def _filled(self, cells: Sequence[Cell]) -> list[Cell]:
        return [cell for cell in cells if cell in self.grid.filled]

    def _read(self, cells: Sequence[Cell]) -> str:
        return " ".join(FILLED if cell in self.grid.filled else EMPTY for cell in cells)

    def _told(self, line: Line) -> str:
        return f"{line}: {self._read(self._at(line))}"

    def _all(self, lines: Sequence[Line]) -> str:
        return "; ".join(map(self._told, lines))

    def _count(self) -> str:
        return f"{len(self.grid.filled)} of the {self.grid.side**2} cells are filled"


def _cells(side: int) -> Iterator[Cell]:
    return ((row, column) for row in range(side) for column in range(side))


def _far(row: int, side: int) -> tuple[int, int]:
    """Rank rows from the middle outwards: there letters and shapes differ most."""
    return abs(row - side // 2), row
