"""What a relay gains by the turn at which it hands over: The Collaboration Gap, section 4.4 and Figure 4.6."""

from collections.abc import Mapping

from palaver_protocols.content import Frozen

from .intervals import difference, mean_ci
from .results import Comparison, Interval, sentence
from .samples import Values

__all__ = ["RelayPoint", "relay_curve"]


class RelayPoint(Frozen):
    """A relay that hands over after ``k`` turns: its outcome, and its gain over a baseline on the same mazes."""

    k: int
    estimate: Interval
    gain: Comparison


def relay_curve(points: Mapping[int, Values], baseline: Values) -> tuple[RelayPoint, ...]:
    """Draw the curve over K against one baseline; call it again for each of the others.

    The figure's baselines are the pairings without a relay: the weak model with itself, the strong model with itself,
    the two together. The paper compares by eye; our gain is the paired difference, relay minus baseline, over the mazes
    that both played.

    Args:
        points: for each K an outcome an instance.
        baseline: the baseline's outcomes in the same order of instances; empty where it was not played.

    Returns:
        A point for each K, in rising order.

    Raises:
        ValueError: a K has not as many outcomes as the baseline.
    """
    return tuple(RelayPoint(k=k, estimate=mean_ci(points[k]), gain=_gain(points[k], baseline)) for k in sorted(points))


def _gain(values: Values, baseline: Values) -> Comparison:
    if baseline:
        return difference(values, baseline, paired=True)
    return Comparison(n=0, method=sentence("mean difference over the same instances", "there is no baseline"))
