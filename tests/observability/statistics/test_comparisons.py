"""Tests of two conditions, against numbers worked out by hand and against a second library."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_observability.statistics import fisher, holm, mcnemar, paired_test
from palaver_observability.statistics.libraries import library
from palaver_observability.statistics.samples import Values

scipy_stats = library("scipy.stats")


def discordant(only_a: int, only_b: int, alike: int = 10) -> tuple[Values, Values]:
    return [1] * only_a + [0] * only_b + [1] * alike, [0] * only_a + [1] * only_b + [1] * alike


def test_an_exact_mcnemar_by_hand() -> None:
    # 5 pairs speak for a, none for b: p = 2 / 2**5. Shares differ by 5 / 20. With half an episode in each cell:
    # 5 / 22 = 0.227273 ± 1.96 * sqrt((6 / 22 - 0.227273²) / 22) = 1.96 * 0.100244
    found = mcnemar(*discordant(5, 0, alike=15))
    assert (found.n, found.estimate, found.statistic) == (20, 0.25, 0)
    assert found.p == pytest.approx(0.0625)
    assert (found.ci_low, found.ci_high) == pytest.approx((0.030795, 0.423751), abs=1e-6)
    assert found.effect == 0.5
    assert "exact" in found.method


def test_mcnemar_with_continuity_correction_by_hand() -> None:
    # (|30 - 10| - 1)² / 40 = 361 / 40
    found = mcnemar(*discordant(30, 10))
    assert found.statistic == pytest.approx(9.025)
    assert found.effect == pytest.approx(30 / 40 - 0.5)
    assert "continuity correction" in found.method


@pytest.mark.parametrize(("only_a", "only_b", "exact"), [(12, 12, True), (13, 12, False)])
def test_mcnemar_is_exact_below_twenty_five_discordant_pairs(only_a: int, only_b: int, exact: bool) -> None:
    assert ("exact" in mcnemar(*discordant(only_a, only_b)).method) is exact


@pytest.mark.parametrize(("only_a", "only_b", "column"), [(3, 8, "exact"), (30, 12, "p")])
def test_mcnemar_is_that_of_scipy(only_a: int, only_b: int, column: str) -> None:
    if column == "exact":
        theirs = scipy_stats.binomtest(only_a, only_a + only_b).pvalue
    else:
        theirs = scipy_stats.chi2.sf((abs(only_a - only_b) - 1) ** 2 / (only_a + only_b), 1)
    assert mcnemar(*discordant(only_a, only_b)).p == pytest.approx(theirs)


def test_votes_that_never_differ_have_a_p_of_one_and_no_effect() -> None:
    found = mcnemar([True, False, True], [1, 0, 1])
    assert (found.estimate, found.p, found.effect) == (0.0, 1.0, None)
    assert "no pair is discordant" in found.method


def test_mcnemar_leaves_out_what_one_did_not_grade() -> None:
    assert mcnemar([1, None, 0], [1, 1, None]).n == 1
    nothing = mcnemar([None], [1])
    assert (nothing.n, nothing.p) == (0, None)
    assert "no pairs; 1 left out" in nothing.method


def test_a_verdict_is_nought_or_one() -> None:
    with pytest.raises(ValueError, match=r"0 or 1, not 0\.5"):
        mcnemar([0.5], [1])


def test_a_paired_t_test_by_hand() -> None:
    # differences -1, 0, 1, -1, 2: mean 0.2, sd sqrt(6.8 / 4) = 1.303840, t = 0.2 / (1.303840 / sqrt(5)), d = 0.2 / sd
    found = paired_test([1, 2, 3.5, 4, 7], [2, 2, 2.5, 5, 5])
    assert found.n == 5
    assert found.estimate == pytest.approx(0.2)
    assert (found.statistic, found.effect) == pytest.approx((0.342997, 0.153393), abs=1e-6)
    assert found.method.startswith("paired t-test, since normality of the differences is not refused (Shapiro-Wilk p =")


def test_wilcoxon_by_hand_where_normality_is_refused() -> None:
    # twenty times no difference, then three for the first: no rank speaks against it, p = 2 / 2**3.
    # the mean difference is 1.7 / 23
    found = paired_test([0.0] * 20 + [0.5, 0.3, 0.9], [0.0] * 23)
    assert (found.statistic, found.p) == (0.0, 0.25)
    assert found.estimate == pytest.approx(1.7 / 23)
    assert found.method.startswith("Wilcoxon signed-rank test, since normality of the differences is refused")
    assert "20 pairs without a difference" in found.method


def test_a_paired_test_is_that_of_pingouin() -> None:
    pingouin, rng = library("pingouin"), np.random.default_rng(2)
    b = rng.random(30)
    normal, skewed = (b + rng.normal(0.1, 0.2, 30)).tolist(), (b + rng.exponential(0.3, 30) ** 3).tolist()
    theirs = pingouin.ttest(normal, b, paired=True).iloc[0]
    ours = paired_test(normal, b.tolist())
    assert ours.method.startswith("paired t-test")
    assert (ours.statistic, ours.p) == pytest.approx((theirs["T"], theirs["p_val"]))
    theirs = pingouin.wilcoxon(skewed, b).iloc[0]
    ours = paired_test(skewed, b.tolist())
    assert ours.method.startswith("Wilcoxon")
    assert (ours.statistic, ours.p) == pytest.approx((theirs["W_val"], theirs["p_val"]))


def test_an_effect_of_order_is_paired_over_the_same_mazes() -> None:
    # first on five mazes, 0.1, 0.3, 0.2, 0.1 and 0.3 better than second on the same; the sixth was not played twice
    found = paired_test([0.9, 0.8, 0.7, 0.6, 0.8, 1.0], [0.8, 0.5, 0.5, 0.5, 0.5, None])
    assert found.n == 5
    assert found.estimate == pytest.approx(0.2)
    assert "1 left out" in found.method


def test_two_pairs_are_too_few_to_test_normality() -> None:
    assert "normality cannot be tested on 2 pairs" in paired_test([1, 2], [0, 3]).method


def test_many_pairs_need_no_normality() -> None:
    assert "more than 5,000" in paired_test([0.0] * 5_000 + [1.0, 2.0], [0.0] * 5_002).method


def test_a_paired_test_without_differences_is_not_defined() -> None:
    found = paired_test([0.9, 0.3, 0.1], [0.9, 0.3, 0.1])
    assert (found.estimate, found.p) == (0.0, None)
    assert "all differences are 0" in found.method


def test_fisher_by_hand() -> None:
    # the lady tasting tea: of 70 ways to choose 4 cups of 8, 1 + 16 are as good or better, and as many as bad or worse
    found = fisher(((3, 1), (1, 3)))
    assert found.p == pytest.approx(34 / 70)
    assert (found.n, found.estimate, found.effect) == (8, 0.5, 9.0)
    # Wilson: 3 of 4 [0.300642, 0.954413], 1 of 4 [0.045587, 0.699358]; Newcombe:
    # 0.5 - sqrt(0.449358² + 0.449358²) = -0.135489, 0.5 + sqrt(0.204413² + 0.204413²) = 0.789084
    assert (found.ci_low, found.ci_high) == pytest.approx((-0.135489, 0.789084), abs=1e-5)


def test_fisher_is_the_sum_of_the_hypergeometric_distribution() -> None:
    # 31 of 221 successes and 16 of 264 failures disputed
    chances = scipy_stats.hypergeom(485, 221, 47).pmf(np.arange(48))
    expected = chances[chances <= chances[31] * (1 + 1e-9)].sum()
    assert fisher(((31, 190), (16, 248))).p == pytest.approx(expected)


def test_fisher_where_nobody_disputes_has_no_odds() -> None:
    found = fisher(((0, 7), (0, 9)))
    assert (found.estimate, found.p, found.effect, found.statistic) == (0.0, 1.0, None, None)
    assert "no odds ratio" in found.method


def test_fisher_of_one_group_is_not_defined() -> None:
    found = fisher(((0, 0), (4, 5)))
    assert (found.estimate, found.p) == (None, None)
    assert "a group is empty" in found.method


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="counts are not negative"):
        fisher(((-1, 0), (4, 5)))


def test_holm_by_hand() -> None:
    # ascending 0.01 * 3, 0.03 * 2, then 0.04 * 1, which may not fall below the one before
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.6, 0.9]) == (1.0, 1.0)
    assert holm([]) == ()


def test_holm_is_that_of_pingouin() -> None:
    family = [0.001, 0.2, 0.03, 0.03, 0.8]
    assert holm(family) == pytest.approx(tuple(library("pingouin").multicomp(family, method="holm")[1]))


def test_what_is_no_p_value_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.1, float("nan")])


outcomes = st.one_of(st.none(), st.sampled_from([-0.5, 0.0, 1 / 7, 0.3, 0.1 + 0.2, 1.0]))


@settings(deadline=None)
@given(st.lists(st.tuples(outcomes, outcomes), max_size=20))
def test_no_pairs_bring_a_warning_or_a_number_that_is_none(played: list[tuple[float | None, float | None]]) -> None:
    a: Values = [first for first, _ in played]
    b: Values = [second for _, second in played]
    for found in (paired_test(a, b), mcnemar(*([None if value is None else value > 0 for value in x] for x in (a, b)))):
        assert found.p is None or 0 <= found.p <= 1
        assert found.statistic is None or np.isfinite(found.statistic)
