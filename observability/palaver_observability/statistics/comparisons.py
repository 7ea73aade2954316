"""Tests of two conditions over the same episodes, and of shares in two groups.

The Collaboration Gap, appendix D: "Majority Vote vs Reference" (McNemar for binary outcomes, a paired test for weighted
ones) and "Conditional Analysis" (Fisher). The same paired test serves order effects (section 4.3): A first against B
first, over the same mazes.
"""

from collections.abc import Sequence

import numpy as np

from .intervals import difference
from .libraries import library
from .results import Comparison, p_value, sentence
from .samples import Numbers, Values, differences, left_out, pairs, verdicts

__all__ = ["fisher", "holm", "mcnemar", "paired_test"]

ALPHA = 0.05
"""Level at which normality is refused."""
FEWEST_DISCORDANT = 25
"""Discordant pairs from which the chi-squared approximation stands in for the exact test."""
MOST_FOR_SHAPIRO = 5_000
"""Pairs above which scipy vouches for no p of the Shapiro-Wilk test; the t-test needs no normality there."""


def mcnemar(a: Values, b: Values) -> Comparison:
    """Compare two binary outcomes of the same episodes, such as a majority vote and a reference grader.

    Only discordant pairs count. Exact (binomial) below 25 of them, else chi-squared with continuity correction
    (appendix D, "Majority Vote vs Reference"). ``estimate`` is the difference of the two shares, with the interval of
    Agresti and Min (2005). ``effect`` is Cohen's g: the share of discordant pairs that speak for ``a``, minus a half.
    ``statistic`` is chi-squared, or the smaller count of discordant pairs where the test is exact.

    Raises:
        ValueError: the two are not of one length, or an outcome is neither 0 nor 1.
    """
    x, y = pairs(verdicts(a), verdicts(b))
    n = len(x)
    missing = left_out(len(a) - n, "one value of the pair is missing")
    if not n:
        return Comparison(n=0, method=sentence("McNemar's test", "no pairs", missing))
    only_a, only_b = int(((x == 1) & (y == 0)).sum()), int(((x == 0) & (y == 1)).sum())
    discordant = only_a + only_b
    exact = discordant < FEWEST_DISCORDANT
    # those who agree stand on the diagonal, which the test does not look at
    table = [[n - discordant, only_a], [only_b, 0]]
    found = library("statsmodels.stats.contingency_tables").mcnemar(table, exact=exact, correction=True)
    low, high = _agresti_min(only_a, only_b, n)
    return Comparison(
        n=n,
        estimate=(only_a - only_b) / n,
        ci_low=low,
        ci_high=high,
        statistic=found.statistic,
        p=found.pvalue,
        effect=only_a / discordant - 0.5 if discordant else None,
        method=sentence(
            f"McNemar's test, {'exact' if exact else 'with continuity correction'}",
            f"{discordant} discordant pairs ({only_a} and {only_b})",
            "interval of Agresti and Min",
            "effect: Cohen's g" if discordant else "no effect size, since no pair is discordant",
            missing,
        ),
    )


def paired_test(a: Values, b: Values) -> Comparison:
    """Compare two weighted outcomes of the same episodes: a paired t-test, or Wilcoxon's where normality is refused.

    Normality of the differences is refused where Shapiro-Wilk gives p < .05 (appendix D, "Majority Vote vs Reference").
    Mean difference, its t interval and Cohen's d_z are given in either case, as in the paper's tables. Wilcoxon's
    leaves out pairs without a difference; it is exact where the rest is small (scipy's rule), else a normal
    approximation.

    Raises:
        ValueError: the two are not of one length.
    """
    found = difference(a, b, paired=True)
    if found.p is None:
        return found
    apart = differences(a, b)
    refused, why = _normality(apart)
    missing = left_out(len(a) - found.n, "one value of the pair is missing")
    effect = "effect: Cohen's d_z"
    if not refused:
        return found.model_copy(update={"method": sentence(f"paired t-test, since {why}", effect, missing)})
    kept = apart[apart != 0]
    test = library("scipy.stats").wilcoxon(kept)
    method = sentence(
        f"Wilcoxon signed-rank test, since {why}",
        f"{len(apart) - len(kept)} pairs without a difference do not count in the test"
        if len(kept) < len(apart)
        else "",
        "interval of the mean difference from t",
        effect,
        missing,
    )
    return found.model_copy(update={"statistic": float(test.statistic), "p": float(test.pvalue), "method": method})


def fisher(table: tuple[tuple[int, int], tuple[int, int]]) -> Comparison:
    """Compare the share of an event in two groups with Fisher's exact test (appendix D, "Conditional Analysis").

    ``estimate`` is the share in the first group minus that in the second, with Newcombe's interval; ``effect`` is the
    odds ratio. The test has no statistic of its own.

    Args:
        table: a row a group; in each, how often the event was seen and how often not, e.g. graders that disagreed on
            an episode: ``((successes disputed, successes not), (failures disputed, failures not))``.

    Raises:
        ValueError: a count is negative.
    """
    (a, b), (c, d) = table
    if min(a, b, c, d) < 0:
        raise ValueError(f"counts are not negative: {table}")
    n = a + b + c + d
    method = "Fisher's exact test, which has no statistic of its own; Newcombe's interval"
    if not a + b or not c + d:
        return Comparison(n=n, method=sentence(method, "a group is empty"))
    newcombe = library("statsmodels.stats.proportion").confint_proportions_2indep
    low, high = newcombe(a, a + b, c, c + d, method="newcomb", compare="diff")
    return Comparison(
        n=n,
        estimate=a / (a + b) - c / (c + d),
        ci_low=low,
        ci_high=high,
        p=library("scipy.stats").fisher_exact(table).pvalue,
        effect=a * d / (b * c) if b * c else None,
        method=sentence(method, "effect: odds ratio" if b * c else "no odds ratio, since a count is 0"),
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust the p-values of a family of tests so that all of them together err at the level of one (Holm 1979).

    Stricter than the paper's correction (appendix D.2.1, false discovery rate), and needs no assumption. The order is
    kept.

    Raises:
        ValueError: a p-value is not between 0 and 1; those that are not defined are to be left out of the family.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"p-values lie between 0 and 1: {list(p_values)}")
    if not p_values:
        return ()
    _, adjusted, _, _ = library("statsmodels.stats.multitest").multipletests(list(p_values), method="holm")
    return tuple(float(p) for p in adjusted)


def _normality(apart: Numbers) -> tuple[bool, str]:
    """Whether normality of the differences is refused, and the words for it."""
    if len(apart) < 3:
        return False, f"normality cannot be tested on {len(apart)} pairs"
    if len(apart) > MOST_FOR_SHAPIRO:
        return False, f"the mean of more than {MOST_FOR_SHAPIRO:,} differences is near normal"
    p = float(library("scipy.stats").shapiro(apart).pvalue)
    refused = p < ALPHA
    return refused, f"normality of the differences is {'' if refused else 'not '}refused (Shapiro-Wilk {p_value(p)})"


def _agresti_min(only_a: int, only_b: int, n: int) -> tuple[float, float]:
    """Wald's interval for a difference of paired shares, after half an episode is added to each cell of the table."""
    centre = (only_a - only_b) / (n + 2)
    reach = 1.96 * np.sqrt((only_a + only_b + 1) / (n + 2) - centre**2) / np.sqrt(n + 2)
    return max(-1.0, float(centre - reach)), min(1.0, float(centre + reach))
