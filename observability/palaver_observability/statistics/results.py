"""What a statistic comes to: a value with its uncertainty, and the sentence that says how it was found."""

from pydantic import FiniteFloat

from palaver_protocols.content import Frozen

__all__ = ["Comparison", "Correlation", "Interval", "p_value", "sentence"]


class Interval(Frozen):
    """An estimate from ``n`` values and its 95 % confidence interval.

    What is not defined is None, and ``method`` says why. A number that is not finite is refused, so that none can slip
    into a report.
    """

    n: int
    estimate: FiniteFloat | None = None
    ci_low: FiniteFloat | None = None
    ci_high: FiniteFloat | None = None
    method: str


class Comparison(Frozen):
    """Two samples compared: ``estimate`` is the first minus the second, with its 95 % confidence interval.

    ``n`` counts pairs, or the values of both samples where they are not paired. ``statistic`` and the two-sided ``p``
    are the test's, ``effect`` is a size without a unit; ``method`` names all three. What is not defined is None, and
    ``method`` says why.
    """

    n: int
    estimate: FiniteFloat | None = None
    ci_low: FiniteFloat | None = None
    ci_high: FiniteFloat | None = None
    statistic: FiniteFloat | None = None
    p: FiniteFloat | None = None
    effect: FiniteFloat | None = None
    method: str


class Correlation(Frozen):
    """Pearson's ``r`` of two raters, given by their columns from 0, over the ``n`` episodes that both rated."""

    first: int
    second: int
    n: int
    r: FiniteFloat | None = None
    p: FiniteFloat | None = None
    method: str


def sentence(*parts: str) -> str:
    """Join the parts of a method that have something to say."""
    return "; ".join(part for part in parts if part)


def p_value(p: float) -> str:
    """Write a p-value as papers do: ``p = 0.031``, ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
