"""Shares, means and their differences, each with a 95 % confidence interval."""

from collections.abc import Hashable, Sequence

import numpy as np

from ..stats import estimate
from .libraries import library
from .results import Comparison, Interval, sentence
from .samples import Numbers, Values, differences, is_constant, left_out, sample

__all__ = ["clopper_pearson", "cluster_bootstrap", "difference", "mean_ci", "mean_t_ci", "wilson"]

BATCH = 1_000_000
"""Instances drawn at once by the bootstrap: bounds its memory to some 30 MB."""


def wilson(successes: int, n: int) -> Interval:
    """Estimate a share with Wilson's score interval, which stays within 0 and 1 and holds for few episodes.

    The Collaboration Gap (Table 3) gives shares as means with standard errors (:func:`mean_ci`); near 0 and 1 this one
    is to be trusted more.

    Raises:
        ValueError: there are more successes than episodes, or fewer than 0.
    """
    return _share(successes, n, "wilson", "share with Wilson's score interval")


def clopper_pearson(successes: int, n: int) -> Interval:
    """Estimate a share with the exact interval of Clopper and Pearson: never too narrow, often wider than need be.

    Raises:
        ValueError: there are more successes than episodes, or fewer than 0.
    """
    return _share(successes, n, "exact", "share with the exact interval of Clopper and Pearson")


def mean_ci(values: Values) -> Interval:
    """Estimate a mean as the studies do: mean ± 1.96 standard errors (The Collaboration Gap, "Non-Determinism").

    Values that are all equal give an interval without width, as they do in the paper's tables.
    """
    found = estimate(values)
    flat = found.n > 1 and is_constant(sample(values))
    return Interval(
        n=found.n,
        estimate=found.mean,
        ci_low=found.ci_low,
        ci_high=found.ci_high,
        method=sentence(
            "mean ± 1.96 standard errors (normal approximation)",
            _too_few(found.n),
            "all values are equal, so the interval has no width" if flat else "",
            left_out(len(values) - found.n),
        ),
    )


def mean_t_ci(values: Values) -> Interval:
    """Estimate a mean with Student's t, which is wider than :func:`mean_ci` as it ought to be for few values."""
    numbers = sample(values)
    n = len(numbers)
    why = _too_few(n) or ("all values are equal: no interval" if is_constant(numbers) else "")
    low, high = (None, None) if why else library("statsmodels.stats.weightstats").DescrStatsW(numbers).tconfint_mean()
    return Interval(
        n=n,
        estimate=numbers.mean() if n else None,
        ci_low=low,
        ci_high=high,
        method=sentence("mean with the interval of Student's t", why, left_out(len(values) - n)),
    )


def difference(a: Values, b: Values, *, paired: bool) -> Comparison:
    """Compare two means: mean of ``a`` minus mean of ``b``.

    Three figures of The Collaboration Gap are such differences: the **collaboration gap** (section 4.2) is
    solo-distributed minus homogeneous, an **order effect** (section 4.3) the pairing A-B minus B-A, and the gain of a
    relay (section 4.4) the relay minus its baseline. All are paired where the same mazes were played.

    Args:
        a: one value an instance.
        b: the same; in the same order of instances where paired.
        paired: True tests the differences over the instances that have both values (t, effect d_z = mean / standard
            deviation of the differences); False takes the samples as independent (Welch's t, effect Cohen's d = by the
            pooled standard deviation).

    Raises:
        ValueError: paired values are not of one length.
    """
    return _paired(a, b) if paired else _independent(a, b)


def cluster_bootstrap(values: Values, clusters: Sequence[Hashable], *, seed: int = 0, draws: int = 10_000) -> Interval:
    """Estimate a mean over episodes of which several were played on one instance.

    Such episodes are alike, and an interval that takes them as independent is too narrow. Whole instances are drawn
    with replacement, so that what they share stays together; the interval is the 2.5 and 97.5 % quantiles of the means
    of all draws. The Collaboration Gap ("Non-Determinism") has fixed mazes, the same for every pairing.

    Args:
        values: one an episode.
        clusters: the instance of each.
        seed: the same gives the same interval.
        draws: how many.

    Raises:
        ValueError: there are not as many clusters as values.
    """
    if len(values) != len(clusters):
        raise ValueError(f"every value has its cluster, but there are {len(values)} and {len(clusters)}")
    members: dict[Hashable, list[float | None]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    numbers = [found for found in map(sample, members.values()) if len(found)]
    n = sum(map(len, numbers))
    method = (
        f"mean with a percentile bootstrap of whole instances ({len(numbers)} of them, {draws:,} draws, seed {seed})"
    )
    missing = left_out(len(values) - n)
    if not n:
        return Interval(n=0, method=sentence(method, "no values", missing))
    sums = np.array([found.sum() for found in numbers])
    counts = np.array([len(found) for found in numbers], dtype=np.float64)
    mean = sums.sum() / n
    if len(numbers) == 1 or is_constant(sums / counts):
        why = "one instance says" if len(numbers) == 1 else "instances that all come to the same say"
        return Interval(n=n, estimate=mean, method=sentence(method, f"{why} nothing about spread", missing))
    low, high = np.quantile(_resampled(sums, counts, np.random.default_rng(seed), draws), (0.025, 0.975))
    return Interval(n=n, estimate=mean, ci_low=low, ci_high=high, method=sentence(method, missing))


def _resampled(sums: Numbers, counts: Numbers, rng: np.random.Generator, draws: int) -> Numbers:
    batch = max(1, BATCH // len(sums))
    means = []
    for start in range(0, draws, batch):
        drawn = rng.integers(len(sums), size=(min(batch, draws - start), len(sums)))
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    return np.concatenate(means)


def _share(successes: int, n: int, kind: str, method: str) -> Interval:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no share")
    if not n:
        return Interval(n=0, method=sentence(method, "no values"))
    low, high = library("scipy.stats").binomtest(successes, n).proportion_ci(method=kind)
    return Interval(n=n, estimate=successes / n, ci_low=low, ci_high=high, method=method)


def _paired(a: Values, b: Values) -> Comparison:
    apart = differences(a, b)
    n = len(apart)
    method = "mean difference over the same instances, paired t-test; effect: Cohen's d_z"
    why = "no pairs" if not n else "one pair says nothing about spread" if n == 1 else ""
    if n > 1 and is_constant(apart):
        why = f"all differences are {'0' if not apart.any() else 'the same'}: neither test nor interval"
    missing = left_out(len(a) - n, "one value of the pair is missing")
    if why:
        mean = apart.mean() if n else None
        return Comparison(n=n, estimate=mean, method=sentence(method, why, missing))
    summary = library("statsmodels.stats.weightstats").DescrStatsW(apart)
    statistic, p, _ = summary.ttest_mean(0.0)
    low, high = summary.tconfint_mean()
    return Comparison(
        n=n,
        estimate=apart.mean(),
        ci_low=low,
        ci_high=high,
        statistic=statistic,
        p=p,
        effect=apart.mean() / apart.std(ddof=1),
        method=sentence(method, missing),
    )


def _independent(a: Values, b: Values) -> Comparison:
    x, y = sample(a), sample(b)
    n = len(x) + len(y)
    method = sentence(
        f"difference of two means (n = {len(x)} and {len(y)}), Welch's t-test; effect: Cohen's d, pooled",
        left_out(len(a) + len(b) - n),
    )
    if not len(x) or not len(y):
        return Comparison(n=n, method=sentence(method, "a sample without values"))
    estimated = x.mean() - y.mean()
    if min(len(x), len(y)) == 1:
        return Comparison(n=n, estimate=estimated, method=sentence(method, "one value says nothing about spread"))
    if is_constant(x) and is_constant(y):
        why = "no spread in either sample: neither test nor interval"
        return Comparison(n=n, estimate=estimated, method=sentence(method, why))
    weightstats = library("statsmodels.stats.weightstats")
    both = weightstats.CompareMeans(weightstats.DescrStatsW(x), weightstats.DescrStatsW(y))
    statistic, p, _ = both.ttest_ind(usevar="unequal")
    low, high = both.tconfint_diff(usevar="unequal")
    pooled = ((len(x) - 1) * x.var(ddof=1) + (len(y) - 1) * y.var(ddof=1)) / (n - 2)
    return Comparison(
        n=n,
        estimate=estimated,
        ci_low=low,
        ci_high=high,
        statistic=statistic,
        p=p,
        effect=estimated / np.sqrt(pooled),
        method=method,
    )


def _too_few(n: int) -> str:
    return "" if n > 1 else "one value says nothing about spread" if n else "no values"
