"""Which geom of an answer is which geom on the board: the best assignment (iVISPAR, section 4.7).

Two geoms may be a pair if they share the colour or the shape. Of all ways to pair them, one with the largest sum of
3 for a shared cell, 2 for a shared colour and 2 for a shared shape is chosen; the study does not say its weights.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..board import Board
from .answer import Placed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["COLOUR", "COORDINATE", "SHAPE", "Matching", "Pair", "match", "standing_on"]

COORDINATE, COLOUR, SHAPE = 3, 2, 2
"""The weights."""
DIGIT = 10
"""Bits for each tie-break: more than there are geoms on the largest board (26 x 26), so that no sum runs over."""


class Pair(NamedTuple):
    """A geom on the board, and what the answer makes of it."""

    true: Placed
    told: Placed

    @property
    def wrong(self) -> frozenset[str]:
        """What is wrong with it, of ``coordinate``, ``colour`` and ``shape``; never both of the last."""
        true, told = self
        return frozenset(
            name
            for name, differs in (
                ("coordinate", true.cell != told.cell),
                ("colour", true.geom.colour != told.geom.colour),
                ("shape", true.geom.shape != told.geom.shape),
            )
            if differs
        )


class Matching(NamedTuple):
    """All geoms, on the board and of the answer, in the order of the board's cells."""

    pairs: tuple[Pair, ...]
    missed: tuple[Placed, ...]
    hallucinated: tuple[Placed, ...]


def standing_on(board: Board) -> tuple[Placed, ...]:
    """Return what stands on a board as its episode begins."""
    return tuple(Placed(cell, geom) for cell, geom in zip(board.start, board.geoms, strict=True))


def match(true: Collection[Placed], told: Collection[Placed]) -> Matching:
    """Pair what stands on the board with what an answer says.

    Of assignments with the same sum, one with the most geoms that are all right is taken; then with the most pairs,
    with the most right cells, with the most right colours. So every measure of a matching is settled, whatever the
    order of the answer's lines.
    """
    rows, columns = sorted(true), sorted(told)
    pairs = tuple(Pair(rows[row], columns[column]) for row, column in _assigned(rows, columns))
    return Matching(
        pairs,
        _without(rows, (pair.true for pair in pairs)),
        _without(columns, (pair.told for pair in pairs)),
    )


def _assigned(rows: Sequence[Placed], columns: Sequence[Placed]) -> list[tuple[int, int]]:
    if not rows or not columns:
        return []
    # it ships no types; listings and other games do without, so that it comes late
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]  # noqa: PLC0415

    worth = _worth(rows, columns)
    found = zip(*linear_sum_assignment(worth, maximize=True), strict=True)
    return [(int(row), int(column)) for row, column in found if worth[row, column] > 0]


def _worth(rows: Sequence[Placed], columns: Sequence[Placed]) -> "NDArray[np.float64]":
    """Return what each pair is worth, shape (rows, columns); 0 where it is none.

    The sum of weights and the four tie-breaks are the digits of one whole number, below 2**53 even when summed over all
    pairs, so that floats hold it exactly.
    """
    cell = _equal([each.cell for each in rows], [each.cell for each in columns])
    colour = _equal([each.geom.colour for each in rows], [each.geom.colour for each in columns])
    shape = _equal([each.geom.shape for each in rows], [each.geom.shape for each in columns])
    worth = COORDINATE * cell + COLOUR * colour + SHAPE * shape
    for digit in (cell * colour * shape, 1, cell, colour):
        worth = (worth << DIGIT) + digit
    found: NDArray[np.float64] = (worth * (colour | shape)).astype(float)
    return found


def _equal(rows: Sequence[Hashable], columns: Sequence[Hashable]) -> "NDArray[np.int64]":
    """Return 1 where a row's value is a column's, else 0, shape (rows, columns)."""
    import numpy as np  # noqa: PLC0415 - listings and other games do without

    number: dict[Hashable, int] = {}
    of_rows, of_columns = (
        np.array([number.setdefault(value, len(number)) for value in values]) for values in (rows, columns)
    )
    equal: NDArray[np.int64] = (of_rows[:, None] == of_columns[None, :]).astype(np.int64)
    return equal


def _without(all_of_them: Iterable[Placed], matched: Iterable[Placed]) -> tuple[Placed, ...]:
    paired = frozenset(matched)
    return tuple(each for each in all_of_them if each not in paired)
