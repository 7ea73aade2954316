"""How many words it takes: The Collaboration Gap, appendix C, "collaborative efficiency"."""

import math
from collections.abc import Sequence
from statistics import median

from pydantic import FiniteFloat

from palaver_protocols.content import Frozen

from .intervals import mean_ci
from .results import sentence
from .samples import Values, left_out

__all__ = ["RANGES", "RangeRow", "by_range", "outcome_range"]

RANGES = {"fail": -math.inf, "partial fail": 0.25, "partial success": 0.5, "success": 0.75}
"""The lower bounds of the ranges of weighted outcomes (Figure C.2), worst first."""


class RangeRow(Frozen):
    """What a solution took in the ``n`` episodes of one range of outcomes.

    ``tokens_per_message`` is the mean over episodes of the median tokens of their messages, ``messages`` the mean
    number of messages, ``tokens_per_solution`` the product of the two; ``tokens_ci`` and ``messages_ci`` are 95 %
    intervals, low and high. None where no episode, or for an interval only one, has such a number.
    """

    range: str
    n: int
    tokens_per_message: FiniteFloat | None = None
    tokens_ci: tuple[FiniteFloat, FiniteFloat] | None = None
    messages: FiniteFloat | None = None
    messages_ci: tuple[FiniteFloat, FiniteFloat] | None = None
    tokens_per_solution: FiniteFloat | None = None
    method: str


def outcome_range(value: float) -> str:
    """Name the range of a weighted outcome: ``fail``, ``partial fail``, ``partial success`` or ``success``.

    The paper (Figure C.2) does not say where 0.25, 0.5 and 0.75 belong: here each opens the range above it. Below 0
    (further from the goal than at the start) is a ``fail``.

    Raises:
        ValueError: it is not a number.
    """
    if math.isnan(value):
        raise ValueError("an outcome that is not a number is in no range")
    return [name for name, low in RANGES.items() if value >= low][-1]


def by_range(outcomes: Values, message_tokens: Sequence[Sequence[float]], messages: Values) -> tuple[RangeRow, ...]:
    """Stratify efficiency by outcome, as the number of messages depends on how far an episode came (appendix C).

    Args:
        outcomes: the weighted outcome of each episode; episodes without one are left out.
        message_tokens: the tokens of each message of each episode, thinking left out; an episode for which they are
            not known has none.
        messages: the number of messages of each episode.

    Returns:
        A row for each range, worst first, those without episodes too.

    Raises:
        ValueError: not as many of each.
    """
    if not len(outcomes) == len(message_tokens) == len(messages):
        raise ValueError(f"not as many episodes: {len(outcomes)}, {len(message_tokens)} and {len(messages)}")
    strata: dict[str, list[tuple[Sequence[float], float | None]]] = {name: [] for name in RANGES}
    ungraded = 0
    for outcome, tokens, count in zip(outcomes, message_tokens, messages, strict=True):
        if outcome is None or not math.isfinite(outcome):
            ungraded += 1
        else:
            strata[outcome_range(outcome)].append((tokens, count))
    missing = left_out(ungraded, "without an outcome")
    return tuple(_row(name, episodes, missing) for name, episodes in strata.items())


def _row(name: str, episodes: Sequence[tuple[Sequence[float], float | None]], missing: str) -> RangeRow:
    medians = [median(tokens) for tokens, _ in episodes if tokens]
    tokens, messages = mean_ci(medians), mean_ci([count for _, count in episodes])
    product = None
    if tokens.estimate is not None and messages.estimate is not None:
        product = tokens.estimate * messages.estimate
    return RangeRow(
        range=name,
        n=len(episodes),
        tokens_per_message=tokens.estimate,
        tokens_ci=_ends(tokens.ci_low, tokens.ci_high),
        messages=messages.estimate,
        messages_ci=_ends(messages.ci_low, messages.ci_high),
        tokens_per_solution=product,
        method=sentence(
            "median tokens a message of each episode x messages an episode, means ± 1.96 standard errors",
            "no episodes" if not episodes else "",
            f"tokens known of {tokens.n} episodes" if tokens.n < len(episodes) else "",
            f"messages known of {messages.n} episodes" if messages.n < len(episodes) else "",
            missing,
        ),
    )


def _ends(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)
