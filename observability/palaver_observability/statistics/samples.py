"""From what was played to what can be counted: values that are not there are left out, and counted."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Numbers",
    "Ratings",
    "Values",
    "complete",
    "differences",
    "is_constant",
    "left_out",
    "matrix",
    "pairs",
    "sample",
    "verdicts",
]

Values = Sequence[float | None]
"""One value an episode; None (or a number that is not finite) where there is none."""
Ratings = Sequence[Sequence[float | None]]
"""Rows are episodes, columns are raters; None where a rater gave no grade."""
Numbers = NDArray[np.float64]

DECIMALS = 12
"""Scores are fractions such as 5/7: rounded, equal ones stay equal after arithmetic, as ranks and ties need it."""
NO_SPREAD = 1e-12
"""A range below this share of the largest value is arithmetic noise."""


def sample(values: Values) -> Numbers:
    """Keep the values that are there."""
    found = [value for value in values if value is not None and math.isfinite(value)]
    return np.array(found, dtype=np.float64).round(DECIMALS)


def pairs(a: Values, b: Values) -> tuple[Numbers, Numbers]:
    """Keep the instances for which both values are there.

    Raises:
        ValueError: the two are not of one length, so they cannot be in the same order of instances.
    """
    if len(a) != len(b):
        raise ValueError(f"paired values come in the same order of instances, but there are {len(a)} and {len(b)}")
    table = complete(matrix([*zip(a, b, strict=True)])).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def differences(a: Values, b: Values) -> Numbers:
    """Subtract ``b`` from ``a`` for the instances that have both.

    Raises:
        ValueError: the two are not of one length.
    """
    x, y = pairs(a, b)
    return (x - y).round(DECIMALS)


def matrix(ratings: Ratings) -> Numbers:
    """Lay ratings out as episodes x raters, NaN where there is none.

    Raises:
        ValueError: the rows are not of one length.
    """
    widths = {len(row) for row in ratings} or {0}
    if len(widths) > 1:
        raise ValueError(f"every episode has one place for each rater, but rows are {sorted(widths)} long")
    rows = [[math.nan if value is None else value for value in row] for row in ratings]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), widths.pop())
    table[~np.isfinite(table)] = math.nan
    return table.round(DECIMALS)


def complete(table: Numbers) -> Numbers:
    """Keep the rows in which nothing is missing."""
    return table[~np.isnan(table).any(axis=1)]


def verdicts(values: Values) -> Values:
    """Pass binary outcomes on.

    Raises:
        ValueError: one is neither 0 nor 1.
    """
    for value in values:
        if value is not None and math.isfinite(value) and value not in (0, 1):
            raise ValueError(f"a binary outcome is 0 or 1, not {value}")
    return values


def is_constant(numbers: Numbers) -> bool:
    """Whether there is no spread beyond the noise of arithmetic; so too of none and of one."""
    return not numbers.size or bool(np.ptp(numbers) <= NO_SPREAD * max(1.0, float(np.abs(numbers).max())))


def left_out(count: int, why: str = "without a value") -> str:
    """Say how many were left out, and nothing where none was."""
    return f"{count} left out: {why}" if count else ""
