"""Tokens and messages by range of outcomes, against numbers worked out by hand."""

import math

import pytest

from palaver_observability.statistics import RANGES, by_range, outcome_range


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (-3.0, "fail"),
        (0.0, "fail"),
        (0.2499, "fail"),
        (0.25, "partial fail"),
        (0.5, "partial success"),
        (0.75, "success"),
        (1.0, "success"),
    ],
)
def test_a_boundary_belongs_to_the_upper_range(value: float, name: str) -> None:
    assert outcome_range(value) == name


def test_what_is_not_a_number_is_in_no_range() -> None:
    with pytest.raises(ValueError, match="in no range"):
        outcome_range(math.nan)


def test_efficiency_by_hand() -> None:
    rows = by_range(
        [1.0, 0.75, 0.8, 0.5, -0.2, None],
        [[10, 20, 90], [30, 50], [], [7], [1, 2], [5]],
        [3, 2, 4, 1, 2, 1],
    )
    assert [row.range for row in rows] == list(RANGES)
    assert [row.n for row in rows] == [1, 0, 1, 3]
    success = rows[-1]
    # medians 20 and 40, mean 30, SE = sqrt(200) / sqrt(2) = 10; messages 3, 2, 4: mean 3, SE = 1 / sqrt(3)
    assert (success.tokens_per_message, success.messages, success.tokens_per_solution) == (30.0, 3.0, 90.0)
    assert success.tokens_ci == pytest.approx((30 - 19.6, 30 + 19.6))
    assert success.messages_ci == pytest.approx((3 - 1.96 / math.sqrt(3), 3 + 1.96 / math.sqrt(3)))
    assert success.method.endswith("tokens known of 2 episodes; 1 left out: without an outcome")


def test_a_range_without_episodes_has_no_numbers_and_says_so() -> None:
    row = by_range([], [], [])[0]
    assert (row.n, row.tokens_per_message, row.messages, row.tokens_per_solution) == (0, None, None, None)
    assert row.method.endswith("no episodes")


def test_one_episode_has_no_interval() -> None:
    row = by_range([0.0], [[4]], [2])[0]
    assert (row.tokens_per_solution, row.tokens_ci, row.messages_ci) == (8.0, None, None)


def test_messages_that_are_not_known_leave_no_product() -> None:
    row = by_range([0.0], [[4]], [None])[0]
    assert (row.tokens_per_message, row.messages, row.tokens_per_solution) == (4.0, None, None)
    assert row.method.endswith("messages known of 0 episodes")


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="not as many episodes: 1, 0 and 1"):
        by_range([1.0], [], [1])
