"""The rule of the keypad puzzle, as its manual states it: columns of symbols, and the direction they are read in."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from palaver_gamemasters.comma.manual import Manual

from .symbols import CALLED, symbol_of

__all__ = ["BUTTONS", "KeypadRules", "keypads", "read"]

BUTTONS = 4
DIRECTION = re.compile(r"\bfrom\s+(top\s+to\s+bottom|bottom\s+to\s+top)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeypadRules:
    """The ``columns`` of symbols, each in the order in which they are to be pressed."""

    columns: tuple[tuple[str, ...], ...]

    def holding(self, symbols: Collection[str]) -> list[tuple[str, ...]]:
        """Return the columns that hold all of some symbols."""
        return [column for column in self.columns if set(symbols) <= set(column)]

    def order(self, symbols: Collection[str]) -> tuple[str, ...] | None:
        """Return symbols in the order of the one column that holds them all; None if none does, or several do."""
        columns = self.holding(symbols)
        return tuple(each for each in columns[0] if each in symbols) if len(columns) == 1 else None


@lru_cache(maxsize=8)
def keypads(rules: KeypadRules) -> Sequence[tuple[str, ...]]:
    """Return all sets of four symbols that make a keypad: exactly one column holds them all."""
    return tuple(four for column in rules.columns for four in combinations(column, BUTTONS) if rules.order(four))


def read(manual: Manual) -> KeypadRules:
    """Read the columns.

    Raises:
        InstanceError: there are none, a symbol is unknown or twice in a column, or no four make a keypad.
    """
    direction = DIRECTION.search(manual.text)
    if direction is None:
        raise manual.error("it must say in which order a column is pressed: 'from top to bottom' or 'bottom to top'")
    section = manual.section("Columns")
    columns: list[list[str]] = [[] for _ in section.table.head]
    for line, cells in section.table.rows:
        for number, cell in enumerate(cells):
            symbol = _symbol(manual, cell, line) if cell else None
            if symbol is not None and symbol in columns[number]:
                raise manual.error(f"{symbol!r} is in column {number + 1} twice", line)
            columns[number] += [symbol] if symbol is not None else []
    upwards = direction[1].lower().startswith("bottom")
    rules = KeypadRules(tuple(tuple(reversed(column) if upwards else column) for column in columns))
    if not keypads(rules):
        raise manual.error("no four symbols are in one column and in no other, so there is no keypad", section.line)
    return rules


def _symbol(manual: Manual, cell: str, line: int) -> str:
    found = symbol_of(cell)
    if found is None:
        raise manual.unknown(CALLED, "symbol", cell, line)
    return found
