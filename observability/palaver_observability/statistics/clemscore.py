"""clembench's measures: % played, quality, clemscore (Hakimov et al., section 3 and table 1; the code of v1.6.5).

An episode is *played* if it was not aborted, whatever its experiment; quality is the mean of the Main Score of those
that were. Episodes that the original programs could not score are absent: they have no scores, and are not played. Each
step rounds to two decimals, half to even on binary floats, as pandas does, and the next step goes on with what was
rounded. The intervals are ours: the study prints none.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from palaver_protocols.content import Frozen

from ..bounds import bounds_of, clipped
from ..stats import Z_95, estimate
from .results import Interval, sentence
from .samples import Numbers

__all__ = [
    "ABORTED",
    "MAIN_SCORE",
    "ClemScore",
    "Episode",
    "GameScore",
    "clemscore",
    "clemscore_ci",
    "clemscore_difference",
    "episodes_of",
    "game_score",
    "played_difference",
]

ABORTED = "Aborted"
MAIN_SCORE = "Main Score"
DECIMALS = 2
DRAWS = 2000
QUALITY = bounds_of(MAIN_SCORE)
NONE_SCORED = "no scored episodes"
NONE_PLAYED = "nothing was played"
WILSON = "share with Wilson's score interval"
NEWCOMBE = "difference of two shares, Newcombe's hybrid of Wilson's score intervals"


class Episode(NamedTuple):
    """A scored episode: its Main Score (0 to 100), None if it was aborted."""

    played: bool
    main: float | None


class GameScore(Frozen):
    """What one game came to. All but ``n`` (scored episodes) and ``played`` (those not aborted) are in percent.

    ``percent_played`` is None where nothing was scored, ``quality`` where nothing was played, ``quality_std`` (sample
    standard deviation) where fewer than two were. The intervals are 95 %, Wilson's and mean ± 1.96 standard errors cut
    off at 0 and 100, where the Main Score ends, and are not rounded.
    """

    n: int
    played: int
    percent_played: float | None = None
    played_low: float | None = None
    played_high: float | None = None
    quality: float | None = None
    quality_std: float | None = None
    quality_low: float | None = None
    quality_high: float | None = None

    @property
    def named(self) -> dict[str, float | None]:
        """The measures by clembench's names."""
        return {
            "% Played": self.percent_played,
            "Quality Score": self.quality,
            "Quality Score (std)": self.quality_std,
        }


class ClemScore(Frozen):
    """What several games came to together. None where no game gives a value."""

    average_played: float | None = None
    average_quality: float | None = None
    clemscore: float | None = None

    @property
    def named(self) -> dict[str, float | None]:
        """The measures by clembench's names."""
        return {
            "Average % Played": self.average_played,
            "Average Quality Score": self.average_quality,
            "clemscore": self.clemscore,
        }


def episodes_of(scores: Iterable[Mapping[str, float | None]]) -> list[Episode]:
    """Read the scores of episodes; those that do not say whether they were aborted are left out."""
    found = []
    for each in scores:
        aborted, main = each.get(ABORTED), each.get(MAIN_SCORE)
        if aborted is not None and math.isfinite(aborted):
            known = main is not None and math.isfinite(main)
            found.append(Episode(aborted < 0.5, main if known else None))
    return found


def game_score(episodes: Sequence[Episode]) -> GameScore:
    """Take the measures of one game over all of its episodes, pooled over experiments."""
    if not episodes:
        return GameScore(n=0, played=0)
    n, played = len(episodes), sum(episode.played for episode in episodes)
    mains = [episode.main for episode in episodes if episode.main is not None]
    share, found = _wilson(played, n), estimate(mains)
    return GameScore(
        n=n,
        played=played,
        percent_played=_rounded(100 * (played / n)),
        played_low=100 * share[0],
        played_high=100 * share[1],
        quality=_rounded(math.fsum(mains) / len(mains)) if mains else None,
        quality_std=_rounded(float(np.std(mains, ddof=1))) if len(mains) > 1 else None,
        quality_low=clipped(found.ci_low, QUALITY),
        quality_high=clipped(found.ci_high, QUALITY),
    )


def clemscore(games: Iterable[GameScore]) -> ClemScore:
    """Take the averages over games, and the clemscore: average quality, weighted by the average share played.

    A game of which nothing was played counts 0 for % played and is left out of the average quality. A game without a
    scored episode is left out of both.
    """
    scored = [game for game in games if game.n]
    played = _mean([game.percent_played for game in scored])
    quality = _mean([game.quality for game in scored])
    both = None if played is None or quality is None else _rounded(played / 100 * quality)
    return ClemScore(average_played=played, average_quality=quality, clemscore=both)


def clemscore_ci(games: Sequence[Sequence[Episode]], *, seed: int = 0, draws: int = DRAWS) -> Interval:
    """Estimate a clemscore with a percentile bootstrap: the episodes of each game are drawn anew, with replacement.

    A draw in which nothing was played counts 0. The estimate is :func:`clemscore`'s, rounded as it is; where there is
    none, there is no interval. The order of games and of their episodes makes no difference.

    Args:
        games: the episodes of each game; games without any are left out.
        seed: the same gives the same interval.
        draws: how many.
    """
    known = [game for game in games if game]
    found = clemscore(game_score(game) for game in known).clemscore
    n = sum(map(len, known))
    method = f"percentile bootstrap of the episodes of each game ({draws:,} draws, seed {seed})"
    if why := _too_few(known) or (NONE_PLAYED if found is None else ""):
        return Interval(n=n, estimate=found, method=sentence(method, why))
    low, high = np.quantile(_drawn(known, np.random.default_rng(seed), draws), (0.025, 0.975))
    return Interval(n=n, estimate=found, ci_low=low, ci_high=high, method=method)


def clemscore_difference(
    first: Sequence[Sequence[Episode]], second: Sequence[Sequence[Episode]], *, seed: int = 0, draws: int = DRAWS
) -> Interval:
    """Estimate the first clemscore minus the second, drawing both anew (figure 5: textual minus multimodal).

    Where nothing was played, a clemscore counts 0. None where either has no scored episode.
    """
    sides = [[game for game in side if game] for side in (first, second)]
    n = sum(len(game) for side in sides for game in side)
    method = f"percentile bootstrap of the episodes of both ({draws:,} draws, seed {seed})"
    if not all(sides):
        return Interval(n=n, method=sentence(method, NONE_SCORED))
    one, other = (clemscore(map(game_score, side)).clemscore or 0.0 for side in sides)
    if why := _too_few([game for side in sides for game in side]):
        return Interval(n=n, estimate=one - other, method=sentence(method, why))
    rng = np.random.default_rng(seed)
    apart = _drawn(sides[0], rng, draws) - _drawn(sides[1], rng, draws)
    low, high = np.quantile(apart, (0.025, 0.975))
    return Interval(n=n, estimate=one - other, ci_low=low, ci_high=high, method=method)


def played_difference(first: Sequence[Episode], second: Sequence[Episode]) -> Interval:
    """Estimate the first % played minus the second, in percentage points."""
    n = len(first) + len(second)
    if not first or not second:
        return Interval(n=n, method=sentence(NEWCOMBE, NONE_SCORED))
    one, other = ((sum(episode.played for episode in side), len(side)) for side in (first, second))
    (p, q), (low_p, high_p), (low_q, high_q) = (one[0] / one[1], other[0] / other[1]), _wilson(*one), _wilson(*other)
    apart = p - q
    return Interval(
        n=n,
        estimate=100 * apart,
        ci_low=100 * (apart - math.hypot(p - low_p, high_q - q)),
        ci_high=100 * (apart + math.hypot(high_p - p, q - low_q)),
        method=NEWCOMBE,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Take the mean of a column as pandas does: its sums are not exact ones, and rounding shows it at a half."""
    known = [value for value in values if value is not None]
    return _rounded(float(np.sum(known)) / len(known)) if known else None


def _rounded(value: float) -> float:
    """Round as pandas does: scale, round to even, scale back. Python's own round differs where the scaling does."""
    return float(np.round(value, DECIMALS))


def _wilson(successes: int, n: int) -> tuple[float, float]:
    """Return Wilson's score interval of a share; in closed form, since the terminal is not to wait for scipy."""
    z2, p = Z_95**2, successes / n
    middle, half = p + z2 / (2 * n), Z_95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    low, high = (middle - half) / (1 + z2 / n), (middle + half) / (1 + z2 / n)
    return (0.0 if successes == 0 else low), (1.0 if successes == n else high)


def _too_few(games: Sequence[Sequence[Episode]]) -> str:
    if not games:
        return NONE_SCORED
    return "one episode of a game says nothing about spread" if min(map(len, games)) == 1 else ""


def _drawn(games: Sequence[Sequence[Episode]], rng: np.random.Generator, draws: int) -> Numbers:
    """Return clemscores of games whose episodes are drawn anew; not rounded. Episodes that are alike are drawn as one.

    Kinds of episodes, and games, are put in order first: what is read from another place, or ended in another order,
    is the same sample, and must have the same interval.

    Returns:
        An array of ``draws`` clemscores.
    """
    played, quality, defined = np.zeros(draws), np.zeros(draws), np.zeros(draws)
    for kinds in sorted(map(_kinds, games)):
        n = sum(often for *_, often in kinds)
        counts = rng.multinomial(n, np.array([often for *_, often in kinds]) / n, size=draws)
        mains = np.array([main for _, _, main, _ in kinds])
        scored = counts @ np.array([has_main for _, has_main, _, _ in kinds])
        played += counts @ np.array([was_played for was_played, *_ in kinds]) / n
        quality += np.divide(counts @ mains, scored, out=np.zeros(draws), where=scored > 0)
        defined += scored > 0
    average = np.divide(quality, defined, out=np.zeros(draws), where=defined > 0)
    found: Numbers = played / len(games) * average
    return found


def _kinds(game: Iterable[Episode]) -> list[tuple[bool, bool, float, int]]:
    """Return the kinds of episodes of a game, in order: played, with a Main Score, the Main Score, and how often."""
    often = Counter((episode.played, episode.main is not None, episode.main or 0.0) for episode in game)
    return sorted((*kind, count) for kind, count in often.items())
