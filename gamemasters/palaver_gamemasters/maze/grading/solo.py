"""The route that a solo player submits: the last one of its last turn that has one.

The critic step submits again or merely confirms, and then the earlier solution stands (Davidson et al., The
Collaboration Gap, figures A.2 and A.3). A solution may be told in directions where there are no cells.
"""

from collections.abc import Sequence

from .extraction import Entry, Extraction
from .notations import Alphabet, Annotated, annotate
from .plain import plain
from .runs import Run, likeliest, runs

__all__ = ["submitted_route"]


def submitted_route(turns: Sequence[tuple[str, str]], alphabet: Alphabet) -> Extraction:
    """Extract the solution of a player who plays alone.

    Args:
        turns: (seat, text) in order; the last is usually the critic step.
        alphabet: what letters can mean in this transcript.
    """
    chosen, number, speaker = Run((), 0), 0, ""
    for place, (seat, text) in enumerate(turns, start=1):
        said = annotate(plain(text), alphabet)
        run = likeliest(list(runs(Annotated(said.text.lower(), said.mentions))))
        if run and (not chosen.steps or _submits_again(run, chosen)):
            chosen, number, speaker = run, place, seat
    words = chosen.cells or [step.direction for step in chosen.steps if step.direction]
    return Extraction(route=tuple(Entry(turn=number, coordinates=(word,), agent=speaker) for word in words))


def _submits_again(run: Run, chosen: Run) -> bool:
    """Whether a run of the critic step is a solution of its own, not just some cells in a remark."""
    if run.merit[0] < chosen.merit[0] or bool(run.cells) < bool(chosen.cells):
        return False
    share = len(run.steps) / len(chosen.steps)
    return run.worth > 2 or share > 2 / 3 or (run.worth > 1 and share >= 1 / 2)
