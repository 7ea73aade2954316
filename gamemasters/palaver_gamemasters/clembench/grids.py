"""Grids of empty and filled cells, as MatchIt and the reference game write them: five lines of five symbols."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

__all__ = ["EMPTY", "FILLED", "Cell", "Grid"]

FILLED = "X"
EMPTY = "▢"

Cell = tuple[int, int]
"""Row and column, from 0 at the top left."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A square grid. ``filled`` are its filled cells."""

    filled: frozenset[Cell]
    side: int = 5

    @classmethod
    def of(cls, cells: Iterable[Cell], side: int = 5) -> Self:
        """Make a grid of its filled cells."""
        return cls(frozenset(cells), side)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a grid as it is written.

        Raises:
            ValueError: it is none.
        """
        rows = [line.split() for line in text.strip().splitlines()]
        if not rows or any(len(row) != len(rows) or set(row) - {FILLED, EMPTY} for row in rows):
            raise ValueError(f"this is no square grid of {FILLED} and {EMPTY}: {text!r}")
        cells = ((r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == FILLED)
        return cls.of(cells, len(rows))

    @property
    def rows(self) -> tuple[str, ...]:
        """The lines of the grid, symbols separated by blanks."""
        return tuple(
            " ".join(FILLED if (r, c) in self.filled else EMPTY for c in range(self.side)) for r in range(self.side)
        )

    @property
    def text(self) -> str:
        """The grid as it is written."""
        return "\n".join(self.rows)

    def mirrored(self) -> Self:
        """Swap left and right."""
        return type(self).of(((r, self.side - 1 - c) for r, c in self.filled), self.side)

    def upside_down(self) -> Self:
        """Swap top and bottom."""
        return type(self).of(((self.side - 1 - r, c) for r, c in self.filled), self.side)

    def rotated(self, quarters: int = 1) -> Self:
        """Turn clockwise by so many quarters."""
        cells = set(self.filled)
        for _ in range(quarters % 4):
            cells = {(c, self.side - 1 - r) for r, c in cells}
        return type(self).of(cells, self.side)

    def flipped(self, cells: Iterable[Cell]) -> Self:
        """Fill cells that are empty, and empty those that are filled."""
        return type(self).of(self.filled ^ frozenset(cells), self.side)

    def distance(self, other: "Grid") -> int:
        """Return in how many cells two grids differ."""
        return len(self.filled ^ other.filled)
