"""Agreement of graders, against numbers worked out by hand and against a second library."""

import math
import warnings
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_observability.statistics import Interval, correlations, exact_agreement, fleiss_kappa, icc
from palaver_observability.statistics.libraries import library
from palaver_observability.statistics.samples import Ratings

SMALL = [[1, 2], [3, 3], [5, 7]]
"""Mean squares by hand: grand mean 3.5, episodes 1.5, 3 and 6, raters 3 and 4. Between episodes
2 * (4 + 0.25 + 6.25) / 2 = 10.5, between raters 3 * (0.25 + 0.25) / 1 = 1.5; the total of 23.5 leaves
23.5 - 21 - 1.5 = 1, over 2 that is 0.5."""
VERDICTS = [[1, 1, 1], [1, 1, 0], [0, 0, 0], [0, 0, 0]]
Kind = Literal["ICC(2,1)", "ICC(3,1)"]


def grades(n: int, *, seed: int = 5) -> list[list[float]]:
    """Three raters who see the same, each with some noise; the third is a little strict."""
    rng = np.random.default_rng(seed)
    graded = rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=(n, 3)) - np.array([0.0, 0.0, 0.3])
    return [[float(value) for value in row] for row in graded]


def nothing(found: Interval) -> bool:
    return (found.ci_low, found.ci_high) == (None, None)


def test_icc_of_absolute_agreement_by_hand() -> None:
    # (10.5 - 0.5) / (10.5 + 0.5 + 2 * (1.5 - 0.5) / 3) = 10 / 11.666667
    found = icc(SMALL)
    assert found.n == 3
    assert found.estimate == pytest.approx(0.857143, abs=1e-6)
    assert "ICC(2,1)" in found.method


def test_icc_of_consistency_by_hand() -> None:
    # (10.5 - 0.5) / (10.5 + 0.5) = 10 / 11. F = 21 with 2 and 2 degrees of freedom, whose 0.975 quantile is 39:
    # low (21/39 - 1) / (21/39 + 1) = -18/60, high (21 * 39 - 1) / (21 * 39 + 1) = 818/820
    found = icc(SMALL, kind="ICC(3,1)")
    assert (found.estimate, found.ci_low, found.ci_high) == pytest.approx((10 / 11, -0.3, 818 / 820))


@pytest.mark.parametrize(("kind", "row"), [("ICC(2,1)", 1), ("ICC(3,1)", 2)])
def test_icc_is_that_of_pingouin(kind: Kind, row: int) -> None:
    ratings = grades(40)
    long = [(episode, rater, value) for episode, values in enumerate(ratings) for rater, value in enumerate(values)]
    table = library("pandas").DataFrame(long, columns=["episode", "rater", "grade"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pingouin calls pandas in a way that pandas gives up
        theirs: Any = library("pingouin").intraclass_corr(table, "episode", "rater", "grade").iloc[row]
    found = icc(ratings, kind=kind)
    assert found.estimate == pytest.approx(theirs["ICC"])
    # it rounds intervals to two decimals
    assert [found.ci_low, found.ci_high] == pytest.approx(list(theirs["CI95"]), abs=0.0051)


def test_a_strict_rater_costs_absolute_agreement_and_no_consistency() -> None:
    shifted = [[value, value + 1] for value in (1.0, 2.0, 3.0)]
    # between 2, raters 1.5, error 0: 2 / (2 + 2 * 1.5 / 3) and 2 / 2
    absolute, consistent = icc(shifted), icc(shifted, kind="ICC(3,1)")
    assert (absolute.estimate, consistent.estimate) == pytest.approx((2 / 3, 1.0))
    assert nothing(absolute)
    assert "differ by a constant at most" in absolute.method


def test_raters_who_agree_wholly_have_an_icc_of_one() -> None:
    found = icc([[1 / 3, 1 / 3], [0.1, 0.1], [0.7, 0.7]])
    assert found.estimate == pytest.approx(1.0)
    assert nothing(found)


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([], "fewer than 2 raters"),
        ([[1.0], [0.0], [0.5]], "fewer than 2 raters"),
        ([[1.0, 1.0], [0.0, 0.5]], "fewer than 3 episodes"),
        ([[1.0, 1.0], [0.0, 0.5], [1.0, None]], "fewer than 3 episodes; 1 left out: not graded by every rater"),
        ([[0.3, 0.3]] * 5, "the same"),
    ],
)
def test_agreement_that_is_not_defined_says_why(ratings: Ratings, why: str) -> None:
    for found in (icc(ratings), icc(ratings, kind="ICC(3,1)")):
        assert found.estimate is None
        assert nothing(found)
        assert why in found.method


def test_an_icc_of_episodes_without_differences_has_no_interval() -> None:
    assert nothing(icc([[1, 2], [2, 1], [1, 2], [2, 1]]))
    assert icc([[1, 2]] * 3, kind="ICC(3,1)").estimate is None


def test_kappa_by_hand() -> None:
    # agreement within episodes 1, 1/3, 1, 1: 0.833333. Shares 5/12 and 7/12: by chance (25 + 49) / 144 = 0.513889.
    # kappa = 0.319444 / 0.486111
    assert fleiss_kappa(VERDICTS).estimate == pytest.approx(0.657143, abs=1e-6)


def test_the_error_of_kappa_by_hand() -> None:
    # an episode's part: (agreement - 0.513889) / 0.486111 - 2 * 0.342857 * (its chance - 0.513889) / 0.486111.
    # chances 0.416667, 0.472222, 0.583333, 0.583333; parts 1.137143, -0.312653, 0.902041, 0.902041, mean 0.657143;
    # squares of deviations 0.2304 + 0.940504 + 2 * 0.059975 = 1.290854, / (4 * 3) = 0.107571, root 0.327980
    found = fleiss_kappa(VERDICTS)
    assert found.ci_low == pytest.approx(0.657143 - 1.96 * 0.327980, abs=1e-5)
    assert found.ci_high == 1.0


def test_kappa_and_its_error_are_those_of_statsmodels_with_each_episode_left_out_in_turn() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random((400, 1)) < 0.3
    votes = (truth ^ (rng.random((400, 3)) < 0.1)).astype(int)
    counts = np.stack([votes.sum(axis=1), 3 - votes.sum(axis=1)], axis=1)
    kappa = library("statsmodels.stats.inter_rater").fleiss_kappa
    without = np.array([kappa(np.delete(counts, episode, axis=0)) for episode in range(400)])
    error = math.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    found = fleiss_kappa(votes.tolist())
    assert found.estimate == pytest.approx(kappa(counts))
    assert found.ci_low == pytest.approx(kappa(counts) - 1.96 * error, abs=1e-3)
    assert found.ci_high == pytest.approx(kappa(counts) + 1.96 * error, abs=1e-3)


def test_verdicts_may_be_truth_values_and_may_be_missing() -> None:
    votes = [[bool(vote) for vote in row] for row in VERDICTS]
    found = fleiss_kappa([*votes, [None, True, True]])
    assert found.estimate == pytest.approx(0.657143, abs=1e-6)
    assert found.n == 4
    assert "1 left out" in found.method


def test_raters_who_agree_wholly_have_a_kappa_of_one() -> None:
    found = fleiss_kappa([[1, 1], [0, 0], [1, 1]])
    assert found.estimate == 1.0
    assert nothing(found)
    assert "all agree" in found.method


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([[1], [0], [1]], "fewer than 2 raters"),
        ([[1, 1], [0, 1]], "fewer than 3 episodes"),
        ([[1, 1]] * 4, "every verdict is the same"),
    ],
)
def test_kappa_that_is_not_defined_says_why(ratings: list[list[int]], why: str) -> None:
    found = fleiss_kappa(ratings)
    assert found.estimate is None
    assert why in found.method


def test_a_correlation_by_hand() -> None:
    # deviations -1.5, -0.5, 0.5, 1.5 and -0.75, 0.25, 2.25, -1.75: products -0.5, squares 5 and 8.75;
    # -0.5 / sqrt(43.75)
    [found] = correlations([[1, 2], [2, 3], [3, 5], [4, 1]])
    assert (found.first, found.second, found.n) == (0, 1, 4)
    assert found.r == pytest.approx(-0.075593, abs=1e-6)


def test_correlations_are_those_of_pingouin() -> None:
    ratings = grades(12)
    found = correlations(ratings)
    assert [(one.first, one.second) for one in found] == [(0, 1), (0, 2), (1, 2)]
    for one in found:
        first, second = [row[one.first] for row in ratings], [row[one.second] for row in ratings]
        theirs = library("pingouin").corr(first, second).iloc[0]
        assert (one.r, one.p) == pytest.approx((theirs["r"], theirs["p_val"]))


def test_two_raters_correlate_over_what_both_graded() -> None:
    found = correlations([[1, 2, None], [2, 3, None], [3, 5, None], [4, None, 1]])
    assert [one.n for one in found] == [3, 1, 0]
    assert "1 left out: not graded by both" in found[0].method
    assert (found[1].r, found[1].p) == (None, None)
    assert "fewer than 3 episodes" in found[1].method


def test_a_rater_without_opinions_correlates_with_nobody() -> None:
    [found] = correlations([[0.3, 1], [0.1 + 0.2, 2], [0.3, 3]])
    assert (found.r, found.p) == (None, None)
    assert "the same" in found.method


def test_exact_agreement_by_hand() -> None:
    # two of three episodes alike, one left out
    found = exact_agreement([[1, 1], [1, 0], [0.1 + 0.2, 0.3], [None, 1]])
    assert found.n == 3
    assert found.estimate == pytest.approx(2 / 3)
    assert "1 left out" in found.method


@pytest.mark.parametrize(("ratings", "why"), [([[1], [1]], "fewer than 2 raters"), ([[None, 1]], "no episodes")])
def test_exact_agreement_that_is_not_defined_says_why(ratings: Ratings, why: str) -> None:
    found = exact_agreement(ratings)
    assert found.estimate is None
    assert why in found.method


def test_ragged_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rows are \[1, 2\] long"):
        icc([[1, 2], [1]])


def row(raters: int) -> st.SearchStrategy[list[float | None]]:
    grade = st.one_of(st.none(), st.sampled_from([-1.0, 0.0, 1 / 3, 0.5, 0.1 + 0.2, 0.3, 1.0]))
    return st.lists(grade, min_size=raters, max_size=raters)


@settings(deadline=None)
@given(st.integers(1, 3).flatmap(lambda raters: st.lists(row(raters), max_size=8)))
def test_no_ratings_bring_a_warning_or_a_number_that_is_none(ratings: Ratings) -> None:
    # the results refuse what is not finite, and a warning is an error here
    votes = [[None if grade is None else int(grade > 0.3) for grade in grades] for grades in ratings]
    for found in (icc(ratings), icc(ratings, kind="ICC(3,1)"), fleiss_kappa(votes), exact_agreement(ratings)):
        assert found.estimate is None or found.estimate <= 1 + 1e-9
    assert all((one.r is None) == (one.p is None) for one in correlations(ratings))
