"""What a run came to: means with their uncertainty, for each pairing of agents. Pure functions."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from palaver_protocols.content import Frozen
from palaver_protocols.messages import OWED, Outcome, Usage
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

__all__ = ["Estimate", "Row", "estimate", "is_ungraded", "summarize"]

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
    counts all but the ungraded: those that ended with ``error`` or ``budget`` too. ``turns``, ``tokens`` (all seats
    together) and ``latency_s`` (time that models took, seconds) are means an episode, over all that were played to an
    end. ``cost_usd`` is what all of its episodes cost together, unfinished ones included; None where a price is not
    known, or nothing has one.
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
    range of the score. Episodes that ended with ``error`` or ``budget`` count in no mean. A score that is not defined
    for an episode (None, not a finite number) is skipped, and that score's own n says so: an ungraded episode has
    none of what a grader would have said.

    Returns:
        Rows in the order in which their first episodes come.
    """
    groups: dict[tuple[str, str, tuple[str, ...]], list[EpisodeRecord]] = {}
    for record in records:
        agents = tuple(relay_of(fillers) for fillers in record.seats.values())
        groups.setdefault((record.game, record.variant, agents), []).append(record)
    return [_row(*key, group) for key, group in groups.items()]


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
    played = [record for record in group if record.outcome not in OWED]
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


def _cost(records: Sequence[EpisodeRecord]) -> float | None:
    """Add up what episodes cost; None where one of them used tokens and does not tell."""
    costs = [record.cost_usd for record in records if record.cost_usd is not None or record.tokens]
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if known and len(known) == len(costs) else None


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
