"""Disputes by verdict, against numbers worked out by hand."""

import math

import pytest

from palaver_observability.statistics import conditional, fisher


def test_groups_by_hand() -> None:
    found = conditional(
        [1, 1, 0, 0, 0, None, 1],
        [[1, 1], [0, 1], [0, 0], [0, 0], [0, 0], [1, 1], [1, None]],
        [[1.0, 1.0], [0.5, 1.0], [0.2, 0.2], [0.1, 0.3], [0.4, 0.4], [1.0, 1.0], [1.0, 1.0]],
    )
    # successes: one of two disputed; deviations 0 and 0.5 / sqrt(2), ranges 0 and 0.5
    assert (found.successes.n, found.successes.disputed.estimate) == (2, 0.5)
    assert found.successes.deviation == pytest.approx(0.25 / math.sqrt(2))
    assert found.successes.spread == pytest.approx(0.25)
    # failures: none of three; deviations 0, 0.2 / sqrt(2), 0
    assert (found.failures.n, found.failures.disputed.estimate) == (3, 0.0)
    assert found.failures.deviation == pytest.approx(0.2 / 3 / math.sqrt(2))
    assert found.failures.spread == pytest.approx(0.2 / 3)
    assert found.disputed == fisher(((1, 1), (0, 3)))
    assert found.deviation.estimate == pytest.approx((0.25 - 0.2 / 3) / math.sqrt(2))
    assert found.left_out == 2


def test_one_grader_alone_has_no_deviation() -> None:
    found = conditional([1, 0], [[1], [1]], [[1.0], [0.5]])
    assert (found.successes.deviation, found.failures.spread) == (None, None)
    assert found.failures.disputed.estimate == 1.0


def test_nothing_graded_compares_nothing() -> None:
    found = conditional([], [], [])
    assert (found.successes.n, found.failures.n, found.left_out) == (0, 0, 0)
    assert (found.disputed.p, found.deviation.p) == (None, None)


def test_grades_and_scores_of_unequal_number_are_refused() -> None:
    with pytest.raises(ValueError, match="not as many episodes: 1, 1 and 0"):
        conditional([1], [[1]], [])


def test_a_verdict_is_nought_or_one() -> None:
    with pytest.raises(ValueError, match="0 or 1"):
        conditional([1], [[0.5]], [[0.5]])
