"""How far graders agree: The Collaboration Gap, appendix D, "Overall" and "Pairwise Correlations".

Ratings come as episodes x raters. An episode that one of the raters left ungraded counts in no measure of all raters,
and ``method`` says how many did.
"""

import math
from itertools import combinations
from typing import Literal

import numpy as np

from .intervals import wilson
from .libraries import library
from .results import Correlation, Interval, sentence
from .samples import Numbers, Ratings, complete, is_constant, left_out, matrix

__all__ = ["correlations", "exact_agreement", "fleiss_kappa", "icc"]

FEWEST = 3
"""Episodes below which no agreement is estimated."""
KINDS = {"ICC(2,1)": "absolute agreement", "ICC(3,1)": "consistency"}


def icc(ratings: Ratings, *, kind: Literal["ICC(2,1)", "ICC(3,1)"] = "ICC(2,1)") -> Interval:
    """Estimate the intraclass correlation of weighted outcomes: the share of their variance that episodes account for.

    From the mean squares of a two-way analysis of variance, single ratings (Shrout and Fleiss 1979). The paper
    (appendix D, "Overall") does not name its form. Our default takes the raters as drawn from many and counts a rater
    who is stricter than another as disagreement; ICC(3,1) takes them as the only ones and lets that pass. The interval
    is from F, for ICC(2,1) with Satterthwaite's degrees of freedom (McGraw and Wong 1996).

    Raises:
        ValueError: the rows are not of one length.
    """
    table, missing = _complete(ratings)
    n, raters = table.shape
    method = f"{kind}, {KINDS[kind]} of {raters} raters, two-way analysis of variance"
    why = _too_little(table) or (
        "every rating is the same, so no variance is there to share" if is_constant(table) else ""
    )
    if why:
        return Interval(n=n, method=sentence(method, why, missing))
    between, judges, error = squares = _mean_squares(table)
    bias = raters * (judges - error) / n if kind == "ICC(2,1)" else 0.0
    whole = between + (raters - 1) * error + bias
    if not whole:
        return Interval(n=n, method=sentence(method, "episodes do not differ, so no variance is theirs", missing))
    estimate = (between - error) / whole
    ends: tuple[float, float] | None = None
    if not error:
        why = "raters differ by a constant at most, so there is no interval"
    elif not between:
        why = "episodes do not differ in their mean grades, so there is no interval"
    elif kind == "ICC(3,1)":
        ends = _consistency_interval(between / error, n, raters)
    else:
        ends = _absolute_interval(squares, n, raters, estimate)
        why = "Satterthwaite's degrees of freedom vanish, so there is no interval" if ends is None else ""
    low, high = ends or (None, None)
    return Interval(n=n, estimate=estimate, ci_low=low, ci_high=high, method=sentence(method, why, missing))


def fleiss_kappa(ratings: Ratings) -> Interval:
    """Estimate Fleiss' kappa of binary outcomes: agreement beyond what the raters' common shares give by chance.

    The paper gives it without an interval (appendix D, "Overall"). Ours is kappa ± 1.96 standard errors, cut at 1; the
    error is Gwet's (2008), which holds for any kappa, not only for none. It is a large-sample one: below some 20
    episodes it is a rough guide.

    Raises:
        ValueError: the rows are not of one length.
    """
    table, missing = _complete(ratings)
    n, raters = table.shape
    method = f"Fleiss' kappa of {raters} raters, interval from Gwet's standard error"
    why = _too_little(table) or ("every verdict is the same, as by chance it would be" if is_constant(table) else "")
    if why:
        return Interval(n=n, method=sentence(method, why, missing))
    inter_rater = library("statsmodels.stats.inter_rater")
    counts, _ = inter_rater.aggregate_raters(table)
    kappa = float(inter_rater.fleiss_kappa(counts))
    if np.all(table == table[:, :1]):
        why = "all agree on every episode, so there is no interval"
        return Interval(n=n, estimate=kappa, method=sentence(method, why, missing))
    error = _kappa_error(counts.astype(np.float64), kappa)
    low, high = kappa - 1.96 * error, min(1.0, kappa + 1.96 * error)
    return Interval(n=n, estimate=kappa, ci_low=low, ci_high=high, method=sentence(method, missing))


def correlations(ratings: Ratings) -> tuple[Correlation, ...]:
    """Correlate each two raters over the episodes that both graded (appendix D, "Pairwise Correlations").

    Raises:
        ValueError: the rows are not of one length.
    """
    table = matrix(ratings)
    return tuple(_correlation(table, first, second) for first, second in combinations(range(table.shape[1]), 2))


def exact_agreement(ratings: Ratings) -> Interval:
    """Estimate the share of episodes that all raters graded alike, with Wilson's interval.

    What it leaves out, agreement by chance, is what :func:`fleiss_kappa` takes off (appendix D, "Overall").

    Raises:
        ValueError: the rows are not of one length.
    """
    table, missing = _complete(ratings)
    n, raters = table.shape
    method = f"share of episodes on which all {raters} raters agree exactly, Wilson's score interval"
    if n == 0 or raters < 2:
        return Interval(n=n, method=sentence(method, "fewer than 2 raters" if raters < 2 else "no episodes", missing))
    agreed = int(np.all(table == table[:, :1], axis=1).sum())
    return wilson(agreed, n).model_copy(update={"method": sentence(method, missing)})


def _complete(ratings: Ratings) -> tuple[Numbers, str]:
    table = matrix(ratings)
    kept = complete(table)
    return kept, left_out(len(table) - len(kept), "not graded by every rater")


def _too_little(table: Numbers) -> str:
    n, raters = table.shape
    if raters < 2:
        return "fewer than 2 raters"
    return f"fewer than {FEWEST} episodes" if n < FEWEST else ""


def _mean_squares(table: Numbers) -> tuple[float, float, float]:
    """Mean squares between episodes, between raters, and of what is left.

    Ours, since pingouin, against which the tests hold them, rounds its intervals to two decimals.
    """
    n, raters = table.shape
    grand, rows, columns = table.mean(), table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    between = raters * ((rows - grand) ** 2).sum() / (n - 1)
    judges = n * ((columns - grand) ** 2).sum() / (raters - 1)
    error = ((table - rows - columns + grand) ** 2).sum() / ((n - 1) * (raters - 1))
    noise = 1e-12 * table.var()
    between, judges, error = (float(square) if square > noise else 0.0 for square in (between, judges, error))
    return between, judges, error


def _consistency_interval(f: float, n: int, raters: int) -> tuple[float, float]:
    quantile = library("scipy.stats").f.ppf
    episodes, residual = n - 1, (n - 1) * (raters - 1)
    low = f / quantile(0.975, episodes, residual)
    high = f * quantile(0.975, residual, episodes)
    return (low - 1) / (low + raters - 1), (high - 1) / (high + raters - 1)


def _absolute_interval(
    squares: tuple[float, float, float], n: int, raters: int, icc: float
) -> tuple[float, float] | None:
    between, judges, error = squares
    quantile = library("scipy.stats").f.ppf
    residual = (n - 1) * (raters - 1)
    of_judges, of_error = raters * icc * judges / error, n * (1 + (raters - 1) * icc) - raters * icc
    weight = (n - 1) * of_judges**2 + of_error**2
    freedom = residual * (of_judges + of_error) ** 2 / weight if weight else 0.0
    below, above = float(quantile(0.975, n - 1, freedom)), float(quantile(0.975, freedom, n - 1))
    others = raters * judges + (raters * n - raters - n) * error
    low = n * (between - below * error) / (below * others + n * between)
    high = n * (above * between - error) / (others + n * above * between)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _kappa_error(counts: Numbers, kappa: float) -> float:
    """Gwet's standard error: the spread of what each episode adds to kappa, to agreement and to chance agreement."""
    n = len(counts)
    raters = counts[0].sum()
    shares = counts.mean(axis=0) / raters
    chance = (shares**2).sum()
    agreement = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    by_chance = counts @ shares / raters
    parts = (agreement - chance) / (1 - chance) - 2 * (1 - kappa) * (by_chance - chance) / (1 - chance)
    return float(np.sqrt(((parts - kappa) ** 2).sum() / (n * (n - 1))))


def _correlation(table: Numbers, first: int, second: int) -> Correlation:
    both = complete(table[:, [first, second]])
    n = len(both)
    method = "Pearson's r, two-sided p"
    missing = left_out(len(table) - n, "not graded by both")
    why = ""
    if n < FEWEST:
        why = f"fewer than {FEWEST} episodes"
    elif is_constant(both[:, 0]) or is_constant(both[:, 1]):
        why = "a rater who gives every episode the same correlates with nobody"
    if why:
        return Correlation(first=first, second=second, n=n, method=sentence(method, why, missing))
    r, p = library("scipy.stats").pearsonr(both[:, 0], both[:, 1])
    return Correlation(first=first, second=second, n=n, r=r, p=p, method=sentence(method, missing))
