"""What a run came to: means with their uncertainty, for each pairing of agents. Pure functions."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from palaver_protocols.content import Frozen
from palaver_protocols.messages import OWED, Outcome, Usage
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from .records import place_of

__all__ = [
    "NOT_COUNTED",
    "OVERALL",
    "Z_95",
    "Estimate",
    "Row",
    "estimate",
    "is_ungraded",
    "overall",
    "pooled",
    "summarize",
]

OVERALL = "overall"
"""What a row of :func:`overall` has for its variant."""

NOT_COUNTED: frozenset[Outcome] = OWED | {"crashed"}
"""Outcomes that count in no score.

What a study's own programs could not survive is absent from all of its averages: so it is from ours.
"""

Z_95 = 1.96
"""The 0.975 quantile of the normal distribution, as the study rounds it."""


class Estimate(Frozen):
    """A mean over ``n`` episodes, its standard error and its 95 % confidence interval.

    All are None for n = 0; error and interval are None for n = 1, which says nothing about spread.
    """

    n: int
    mean: float | None = None
    standard_error: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None


class Row(Frozen):
    """What one pairing of agents came to in one variant of a game.

    ``agents`` are in seat order, a relay written as ``A@4>B``. ``n`` counts the episodes that were played to an end and
    have a score, ``ungraded`` those that were played to an end too, but whose grader could not be read. ``outcomes``
    counts all but the ungraded: those that are :data:`NOT_COUNTED` too. ``turns``, ``tokens`` (all seats together) and
    ``latency_s`` (time that models took, seconds) are means an episode, over all that were played to an end.
    ``cost_usd`` is what all of its episodes cost together, unfinished ones included; None where a price is not known,
    or nothing has one.
    """

    game: str
    variant: str
    agents: tuple[str, ...]
    n: int
    ungraded: int = 0
    outcomes: dict[Outcome, int]
    scores: dict[str, Estimate]
    turns: float | None
    tokens: dict[str, float]
    latency_s: float | None
    cost_usd: float | None = None


def summarize(records: Iterable[EpisodeRecord]) -> list[Row]:
    """Group episodes by game, variant and agents in seat order, and estimate each score.

    The method is that of the studies (Davidson et al., The Collaboration Gap, "Non-Determinism": 95 % confidence
    intervals based on standard errors): standard error = sample standard deviation (n - 1) / sqrt(n), interval =
    mean ± 1.96 standard errors. It is a normal approximation: for shares near 0 or 1, or small n, it can leave the
    range of the score. Episodes whose outcome is :data:`NOT_COUNTED` count in no mean. A score that is not defined
    for an episode (None, not a finite number) is skipped, and that score's own n says so: an ungraded episode has
    none of what a grader would have said.

    Returns:
        Rows in the order in which their first episodes come: by the numbers of these, whichever ended first.
    """
    groups: dict[tuple[str, str, tuple[str, ...]], list[EpisodeRecord]] = {}
    for record in sorted(records, key=lambda record: place_of(record.episode_id)[0]):
        agents = tuple(relay_of(fillers) for fillers in record.seats.values())
        groups.setdefault((record.game, record.variant, agents), []).append(record)
    return [_row(*key, group) for key, group in groups.items()]


def overall(rows: Iterable[Row], *, by_episode: bool = False) -> list[Row]:
    """Sum rows up over their variants, for each game and each set of agents that has played several.

    The usual method is that of COMMA (Ossowski et al., table 1): the mean over the variants, each counting the same,
    and the standard error over all episodes, as if they were of one kind. clembench takes the mean over all episodes.

    Args:
        rows: what :func:`summarize` returned.
        by_episode: whether each episode counts the same, as the game says (``pools_episodes``), and not each variant.

    Returns:
        Rows whose variant is ``overall``; none where no agents have played more than one variant.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.game, row.agents), []).append(row)
    return [_summed_up(group, by_episode=by_episode) for group in groups.values() if len(group) > 1]


def pooled(parts: Iterable[Estimate], *, by_episode: bool = False) -> Estimate:
    """Estimate the mean over several kinds of episodes, each kind counting the same, whatever its n; or each episode.

    The standard error is sample standard deviation / sqrt(n) of all episodes together. It holds what the kinds differ
    by too, so that it is wider than the error of drawing episodes of each kind.
    """
    known = [(part, part.mean) for part in parts if part.mean is not None]
    if not known:
        return Estimate(n=0)
    n = sum(part.n for part, _ in known)
    centre = math.fsum(part.n * each for part, each in known) / n
    mean = centre if by_episode else math.fsum(each for _, each in known) / len(known)
    if n == 1:
        return Estimate(n=1, mean=mean)
    squares = math.fsum(
        (part.n - 1) * part.n * (part.standard_error or 0.0) ** 2 + part.n * (each - centre) ** 2
        for part, each in known
    )
    error = math.sqrt(squares / (n - 1) / n)
    return Estimate(n=n, mean=mean, standard_error=error, ci_low=mean - Z_95 * error, ci_high=mean + Z_95 * error)


def is_ungraded(record: EpisodeRecord) -> bool:
    """Whether an episode was played to an end, and what counts of it is a grading that nobody could read.

    That is so if its newest grading has no usable vote, and stands in front: what the rules had said is None in the
    record's scores. Where the rules have been put in front again, their scores are there.
    """
    if record.outcome in OWED or not record.gradings or record.gradings[-1].scores:
        return False
    rules = record.gradings[0].scores
    return any(value is not None and record.scores.get(name) is None for name, value in rules.items())


def estimate(values: Iterable[float | None]) -> Estimate:
    """Estimate a mean from a sample; what is None or not finite is skipped."""
    sample = np.array([value for value in values if value is not None and math.isfinite(value)])
    n = len(sample)
    if n == 0:
        return Estimate(n=0)
    mean = float(sample.mean())
    if n == 1:
        return Estimate(n=1, mean=mean)
    error = float(sample.std(ddof=1)) / math.sqrt(n)
    return Estimate(n=n, mean=mean, standard_error=error, ci_low=mean - Z_95 * error, ci_high=mean + Z_95 * error)


def _row(game: str, variant: str, agents: tuple[str, ...], group: Sequence[EpisodeRecord]) -> Row:
    played = [record for record in group if record.outcome not in NOT_COUNTED]
    names = dict.fromkeys(name for record in played for name in record.scores)
    ungraded = sum(map(is_ungraded, played))
    usages = [sum(record.usage.values(), Usage()) for record in played]
    return Row(
        game=game,
        variant=variant,
        agents=agents,
        n=len(played) - ungraded,
        ungraded=ungraded,
        outcomes=dict(Counter(record.outcome for record in group if not is_ungraded(record))),
        scores={name: estimate(record.scores.get(name) for record in played) for name in names},
        turns=_mean([record.turns for record in played]),
        tokens={
            kind: _mean([getattr(usage, f"{kind}_tokens") for usage in usages]) or 0.0
            for kind in ("input", "output", "reasoning")
        },
        latency_s=_mean([record.latency_s for record in played]),
        cost_usd=_cost(group),
    )


def _summed_up(rows: Sequence[Row], *, by_episode: bool) -> Row:
    names = dict.fromkeys(name for row in rows for name in row.scores)
    outcomes: Counter[Outcome] = Counter()
    for row in rows:
        outcomes.update(row.outcomes)
    played = [(row, row.n + row.ungraded) for row in rows if row.n + row.ungraded]
    costs = [row.cost_usd for row in rows if row.cost_usd is not None or any(row.tokens.values())]
    billed = [cost for cost in costs if cost is not None]
    return Row(
        game=rows[0].game,
        variant=OVERALL,
        agents=rows[0].agents,
        n=sum(row.n for row in rows),
        ungraded=sum(row.ungraded for row in rows),
        outcomes=dict(outcomes),
        scores={
            name: pooled((row.scores[name] for row in rows if name in row.scores), by_episode=by_episode)
            for name in names
        },
        turns=_weighted([(row.turns, n) for row, n in played]),
        tokens={
            kind: _weighted([(row.tokens.get(kind, 0.0), n) for row, n in played]) or 0.0 for kind in rows[0].tokens
        },
        latency_s=_weighted([(row.latency_s, n) for row, n in played]),
        cost_usd=math.fsum(billed) if billed and len(billed) == len(costs) else None,
    )


def _weighted(values: Sequence[tuple[float | None, int]]) -> float | None:
    """Return the mean over all episodes, from the means of parts of them."""
    known = [(value, n) for value, n in values if value is not None]
    return math.fsum(value * n for value, n in known) / sum(n for _, n in known) if known else None


def _cost(records: Sequence[EpisodeRecord]) -> float | None:
    """Add up what episodes cost; None where one of them used tokens and does not tell."""
    costs = [record.cost_usd for record in records if record.cost_usd is not None or record.tokens]
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if known and len(known) == len(costs) else None


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
