"""Intervals and differences, against numbers worked out by hand and against a second library."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_observability.statistics import (
    Interval,
    clopper_pearson,
    cluster_bootstrap,
    difference,
    mean_ci,
    mean_t_ci,
    wilson,
)
from palaver_observability.statistics.libraries import library
from palaver_observability.statistics.samples import Values, differences
from palaver_protocols.errors import UsageError

scipy_stats = library("scipy.stats")
proportion = library("statsmodels.stats.proportion")


def ends(found: Interval) -> tuple[float | None, float | None]:
    return found.ci_low, found.ci_high


def test_wilson_by_hand() -> None:
    # 7 of 50, z = 1.959964, z² = 3.841459: centre (7 + z²/2) / (50 + z²) = 8.920729 / 53.841459 = 0.165685,
    # reach z / 53.841459 * sqrt(50 * 0.14 * 0.86 + z²/4) = 0.036402 * 2.642038 = 0.096177
    found = wilson(7, 50)
    assert (found.n, found.estimate) == (50, 0.14)
    assert ends(found) == pytest.approx((0.069508, 0.261862), abs=1e-6)


def test_clopper_and_pearson_by_hand() -> None:
    # 0 of 10: the upper end is the share under which nothing of ten has a chance of 0.025: 1 - 0.025 ** (1 / 10)
    assert ends(clopper_pearson(0, 10)) == pytest.approx((0.0, 1 - 0.025**0.1))
    assert ends(clopper_pearson(10, 10)) == pytest.approx((0.025**0.1, 1.0))


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (7, 50), (49, 50), (97, 100)])
def test_shares_are_those_of_statsmodels(successes: int, n: int) -> None:
    low, high = proportion.proportion_confint(successes, n, method="wilson")
    assert ends(wilson(successes, n)) == pytest.approx((low, high), abs=1e-9)
    low, high = proportion.proportion_confint(successes, n, method="beta")
    assert ends(clopper_pearson(successes, n)) == pytest.approx((low, high), abs=1e-9)


def test_a_share_of_nothing_is_not_defined_and_says_so() -> None:
    found = wilson(0, 0)
    assert (found.estimate, *ends(found)) == (None, None, None)
    assert found.method.endswith("no values")


@pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2)])
def test_more_successes_than_episodes_are_no_share(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {n} is no share"):
        wilson(successes, n)


def test_a_normal_interval_by_hand() -> None:
    # 1, 2, 3, 4: sd = sqrt(5 / 3) = 1.290994, SE = sd / 2 = 0.645497, 1.96 SE = 1.265175
    found = mean_ci([1, None, 2, 3, math.nan, 4])
    assert (found.n, found.estimate) == (4, 2.5)
    assert ends(found) == pytest.approx((1.234825, 3.765175), abs=1e-6)
    assert "2 left out" in found.method


def test_equal_values_have_an_interval_without_width_and_say_so() -> None:
    found = mean_ci([1.0, 1.0, 1.0])
    assert (found.estimate, *ends(found)) == (1.0, 1.0, 1.0)
    assert "no width" in found.method


def test_a_t_interval_by_hand() -> None:
    # SE = 0.645497 as above; the 0.975 quantile of t with 3 degrees of freedom is 3.182446: 2.054260 to either side
    assert ends(mean_t_ci([1, 2, 3, 4])) == pytest.approx((0.445740, 4.554260), abs=1e-6)


def test_a_t_interval_is_that_of_scipy() -> None:
    values = [0.3, 0.9, 0.55, 1.0, -0.2]
    theirs = scipy_stats.ttest_1samp(values, 0).confidence_interval()
    assert ends(mean_t_ci(values)) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize(
    ("values", "n", "estimate", "why"),
    [([], 0, None, "no values"), ([2.0], 1, 2.0, "one value"), ([2.0, 2.0], 2, 2.0, "all values are equal")],
)
def test_a_t_interval_needs_spread(values: list[float], n: int, estimate: float | None, why: str) -> None:
    found = mean_t_ci(values)
    assert (found.n, found.estimate, *ends(found)) == (n, estimate, None, None)
    assert why in found.method


def test_a_paired_difference_by_hand() -> None:
    # differences -1, 0, -2: mean -1, sd 1, SE 1 / sqrt(3) = 0.577350, t = -1.732051 with 2 degrees of freedom;
    # there p = 1 - t / sqrt(2 + t²) = 1 - 1.732051 / 2.236068, and the quantile is 4.302653: 2.484138 to either side
    found = difference([1, 2, 3, None], [2, 2, 5, 1], paired=True)
    assert (found.n, found.estimate) == (3, -1.0)
    assert (found.statistic, found.p) == pytest.approx((-1.732051, 0.225403), abs=1e-6)
    assert (found.ci_low, found.ci_high) == pytest.approx((-3.484138, 1.484138), abs=1e-6)
    assert found.effect == pytest.approx(-1.0)
    assert "1 left out" in found.method


def test_a_difference_of_independent_means_by_hand() -> None:
    # means 2 and 2.5, variances 1 and 3: SE² = 1/3 + 3/4 = 1.083333, t = -0.5 / 1.040833 = -0.480384;
    # pooled variance (2 * 1 + 3 * 3) / 5 = 2.2, d = -0.5 / 1.483240 = -0.337100
    found = difference([1, 2, 3], [2, 2, 5, 1], paired=False)
    assert (found.n, found.estimate) == (7, -0.5)
    assert (found.statistic, found.effect) == pytest.approx((-0.480384, -0.337100), abs=1e-6)
    assert "n = 3 and 4" in found.method


def test_differences_are_those_of_scipy() -> None:
    a, b = [0.3, 0.9, 0.55, 1.0, -0.2], [0.1, 0.95, 0.4, 0.2, 0.0]
    for paired, theirs in (
        (True, scipy_stats.ttest_rel(a, b)),
        (False, scipy_stats.ttest_ind(a, b, equal_var=False)),
    ):
        ours, interval = difference(a, b, paired=paired), theirs.confidence_interval()
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert (ours.ci_low, ours.ci_high) == pytest.approx((interval.low, interval.high))


def test_cohens_d_of_independent_samples_is_that_of_pingouin() -> None:
    a, b = [0.3, 0.9, 0.55, 1.0, -0.2], [0.1, 0.95, 0.4, 0.2]
    theirs = library("pingouin").compute_effsize(a, b, eftype="cohen")
    assert difference(a, b, paired=False).effect == pytest.approx(theirs)


@pytest.mark.parametrize(
    ("a", "b", "paired", "estimate", "why"),
    [
        ([], [], True, None, "no pairs"),
        ([1, None], [None, 1], True, None, "no pairs"),
        ([1], [3], True, -2.0, "one pair"),
        ([0.9, 0.3], [0.6, 0.0], True, 0.3, "all differences are the same"),
        ([0.9, 0.3], [0.9, 0.3], True, 0.0, "all differences are 0"),
        ([], [1, 2], False, None, "a sample without values"),
        ([1], [1, 2], False, -0.5, "one value"),
        ([1, 1], [2, 2], False, -1.0, "no spread in either sample"),
    ],
)
def test_a_difference_without_spread_has_no_test_and_says_why(
    a: Values, b: Values, paired: bool, estimate: float | None, why: str
) -> None:
    found = difference(a, b, paired=paired)
    assert found.estimate == pytest.approx(estimate)
    assert (found.ci_low, found.ci_high, found.statistic, found.p, found.effect) == (None,) * 5
    assert why in found.method


def test_one_sample_without_spread_can_be_compared_with_one_that_has_some() -> None:
    # SE² = 0 + 3 / 3 = 1: t = (1 - 3) / 1
    assert difference([1, 1, 1], [2, 2, 5], paired=False).statistic == pytest.approx(-2.0)


def test_pairs_of_unequal_number_are_refused() -> None:
    with pytest.raises(ValueError, match="there are 2 and 1"):
        difference([1, 2], [1], paired=True)


def test_differences_of_fractions_that_are_equal_on_paper_are_equal() -> None:
    first, second = differences([0.9, 0.3], [0.6, 0.0])  # 0.9 - 0.6 is 0.30000000000000004
    assert first == second


def test_the_bootstrap_of_two_instances_by_hand() -> None:
    # two draws of the means 0 and 1 give 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4: both tails hold more than 0.025
    found = cluster_bootstrap([0, 0, 1, 1], ["a", "a", "b", "b"])
    assert (found.n, found.estimate, *ends(found)) == (4, 0.5, 0.0, 1.0)


def test_playing_an_instance_again_with_the_same_end_adds_no_certainty() -> None:
    once = [0.1, 0.9, 0.4, 0.7, 1.0]
    again = cluster_bootstrap(once * 4, list("abcde") * 4)
    assert again.n == 20
    assert ends(again) == pytest.approx(ends(cluster_bootstrap(once, "abcde")))


def test_the_bootstrap_is_that_of_scipy() -> None:
    rng = np.random.default_rng(7)
    clusters = [number for number in range(40) for _ in range(1 + number % 4)]
    level = rng.normal(size=40)
    values = [float(level[cluster] + rng.normal()) for cluster in clusters]
    sums, counts = np.bincount(clusters, weights=values), np.bincount(clusters)
    theirs = scipy_stats.bootstrap(
        (sums, counts),
        lambda total, count, axis: total.sum(axis=axis) / count.sum(axis=axis),
        paired=True,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    # two independent sets of 10,000 draws: their ends differ by about a hundredth of the interval
    assert ends(cluster_bootstrap(values, clusters)) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def test_a_seed_settles_the_bootstrap_whatever_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    values, clusters = [0.1, 0.9, 0.4, 0.7, 1.0], "abcde"
    whole = cluster_bootstrap(values, clusters, seed=3)
    assert cluster_bootstrap(values, clusters, seed=4) != whole
    monkeypatch.setattr("palaver_observability.statistics.intervals.BATCH", 5 * 300)
    assert cluster_bootstrap(values, clusters, seed=3) == whole


@pytest.mark.parametrize(
    ("values", "clusters", "estimate", "why"),
    [
        ([None], "a", None, "no values"),
        ([0, 1, None], "aab", 0.5, "one instance"),
        ([0, 1, 1, 0], "aabb", 0.5, "come to the same"),
    ],
)
def test_a_bootstrap_needs_instances_that_differ(
    values: Values, clusters: str, estimate: float | None, why: str
) -> None:
    found = cluster_bootstrap(values, clusters)
    assert (found.estimate, *ends(found)) == (estimate, None, None)
    assert why in found.method


def test_values_and_clusters_of_unequal_number_are_refused() -> None:
    with pytest.raises(ValueError, match="there are 2 and 1"):
        cluster_bootstrap([1, 2], "a")


def test_a_missing_library_is_one_line_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(UsageError, match=r"the statistics need scipy: .*\(pip install 'palaver\[report\]'\)$"):
        wilson(1, 2)


some = st.lists(st.one_of(st.none(), st.sampled_from([math.nan, 0.0, 0.1, 1 / 3, 0.3, 1.0]), st.floats(-1e6, 1e6)))


@settings(deadline=None)
@given(some, some)
def test_no_values_bring_a_warning_or_a_number_that_is_none(a: Values, b: Values) -> None:
    # the results refuse what is not finite, and a warning is an error here
    shared = min(len(a), len(b))
    for found in (
        mean_t_ci(a),
        difference(a, b, paired=False),
        difference(a[:shared], b[:shared], paired=True),
        cluster_bootstrap(a, [number // 2 for number in range(len(a))], draws=20),
    ):
        assert (found.ci_low is None) == (found.ci_high is None)
        if found.ci_low is not None and found.ci_high is not None:
            assert found.ci_low <= found.ci_high
