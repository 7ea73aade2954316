"""Whether graders dispute successes more than failures: The Collaboration Gap, appendix D, "Conditional Analysis"."""

from pydantic import FiniteFloat

from palaver_protocols.content import Frozen

from .comparisons import fisher
from .intervals import difference, wilson
from .results import Comparison, Interval
from .samples import Numbers, Ratings, Values, complete, matrix, verdicts

__all__ = ["Conditional", "Group", "conditional"]


class Group(Frozen):
    """Episodes on which the reference grader gave one verdict.

    ``disputed`` is the share of them on which at least one other grade differs from the verdict. ``deviation`` and
    ``spread`` are the standard deviation (n - 1) and the range of an episode's weighted grades, as means over episodes;
    None where there is no episode, or no second grader to differ from.
    """

    n: int
    disputed: Interval
    deviation: FiniteFloat | None = None
    spread: FiniteFloat | None = None


class Conditional(Frozen):
    """Successes and failures of the reference, and what sets them apart.

    ``disputed`` compares how often they are disputed (Fisher), ``deviation`` by how much the weighted grades of an
    episode spread (Welch's t, Cohen's d); both are successes minus failures. ``left_out`` counts episodes without a
    verdict or with a grade missing.
    """

    successes: Group
    failures: Group
    disputed: Comparison
    deviation: Comparison
    left_out: int


def conditional(reference: Values, outcomes: Ratings, weighted: Ratings) -> Conditional:
    """Split episodes by the reference's verdict and compare how far the graders are apart in each group.

    Args:
        reference: 0 or 1 an episode.
        outcomes: binary grades, episodes x raters.
        weighted: weighted outcomes of the same grades.

    Raises:
        ValueError: not as many of each, rows that are not of one length, or a verdict that is neither 0 nor 1.
    """
    if not len(reference) == len(outcomes) == len(weighted):
        raise ValueError(f"not as many episodes: {len(reference)}, {len(outcomes)} and {len(weighted)}")
    votes = [(verdict, *grades) for verdict, grades in zip(verdicts(reference), map(verdicts, outcomes), strict=True)]
    raters = len(outcomes[0]) if outcomes else 0
    table = matrix([(*grades, *scores) for grades, scores in zip(votes, weighted, strict=True)])
    kept = complete(table).reshape(-1, max(1, table.shape[1]))
    verdict, grades, scores = kept[:, 0], kept[:, 1 : raters + 1], kept[:, raters + 1 :]
    (won, won_deviations), (lost, lost_deviations) = (
        _group(grades[verdict == value], scores[verdict == value], value) for value in (1, 0)
    )
    return Conditional(
        successes=won,
        failures=lost,
        disputed=fisher((_counts(grades[verdict == 1], 1), _counts(grades[verdict == 0], 0))),
        deviation=difference(won_deviations, lost_deviations, paired=False),
        left_out=len(table) - len(kept),
    )


def _group(grades: Numbers, scores: Numbers, verdict: int) -> tuple[Group, list[float]]:
    disputed, _ = _counts(grades, verdict)
    group = Group(n=len(grades), disputed=wilson(disputed, len(grades)))
    if not len(grades) or scores.shape[1] < 2:
        return group, []
    deviations = scores.std(axis=1, ddof=1)
    spread = float((scores.max(axis=1) - scores.min(axis=1)).mean())
    return group.model_copy(update={"deviation": float(deviations.mean()), "spread": spread}), deviations.tolist()


def _counts(grades: Numbers, verdict: int) -> tuple[int, int]:
    """How many episodes are disputed, and how many are not."""
    disputed = int((grades != verdict).any(axis=1).sum())
    return disputed, len(grades) - disputed
