"""What the verdicts on the steps of a reference solution come to."""

from collections.abc import Sequence
from itertools import takewhile
from statistics import fmean

from palaver_gamemasters.game import Scores

__all__ = ["SCORES", "measure"]

SCORES = ("stepwise", "step_prefix", "step_mean", "judged_answer")
"""What a judge's scores are called; the first is the study's."""


def measure(verdicts: Sequence[bool]) -> Scores:
    """Measure a solution by what a judge says of each step.

    ``stepwise`` is the study's score, the number of the last step that is there, of all steps; so a solution with the
    right answer has 1, however it came to it. Ours show what that hides: ``step_prefix`` is how far the solution goes
    without a gap, ``step_mean`` the share of steps that are there; both are of all steps too. ``judged_answer`` is the
    verdict on the last step, the answer.

    Args:
        verdicts: one a step, in order; at least one.
    """
    count = len(verdicts)
    last = max((number for number, correct in enumerate(verdicts, 1) if correct), default=0)
    unbroken = sum(1 for _ in takewhile(bool, verdicts))
    return {
        "stepwise": last / count,
        "step_prefix": unbroken / count,
        "step_mean": fmean(verdicts),
        "judged_answer": float(verdicts[-1]),
    }
