"""Our figures against the published ones of the same agents: differences in units of their standard error."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver_observability.stats import Estimate

from ..document import Note, Table, num, words
from ..lineups import Lineup
from ..numbers import NONE, number, signed
from ..paper import Paper, Printed

__all__ = ["against"]

WITHIN = 3.0
"""Combined standard errors within which two figures are said to agree."""
FEWEST = 30
"""Episodes of ours below which the spread of a sample says too little to judge by."""
NAMED = 4
"""How many figures are named before the rest is counted."""
ROUNDING = 0.005
"""Half of the last digit of a printed figure: whole per cents, or two decimals."""
CAPTION = (
    "Ours against the published figures: the combined SE is the root of the sum of both squares, an SE that is printed "
    "as 0 stands for half a unit of its last place, one that is not printed is taken to be as large as ours, and below "
    f"n = {FEWEST} ours are too few to tell"
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A figure of ours and the published one."""

    lineup: str
    score: str
    variant: str
    ours: Estimate
    theirs: Printed
    least: float

    @property
    def few(self) -> bool:
        """Whether there are too few episodes of ours to tell."""
        return self.ours.n < FEWEST

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return (self.ours.mean or 0.0) - self.theirs.mean

    @property
    def error(self) -> float:
        """The standard error of the difference; a printed 0 is ``least``, none that is printed is as large as ours."""
        ours = self.ours.standard_error or 0.0
        return math.hypot(ours, ours if self.theirs.error is None else self.theirs.error or self.least)

    @property
    def agrees(self) -> bool:
        """Whether the difference is no more than chance and rounding make it."""
        return abs(self.difference) <= WITHIN * self.error + ROUNDING


def against(found: Sequence[Lineup], scores: Sequence[str], paper: Paper) -> list[Note | Table]:
    """Compare every figure of ours with its published twin; nothing where there are none."""
    pairs = [pair for lineup in found for pair in _pairs(lineup, scores, paper)]
    if not pairs:
        return []
    lines = []
    for name in dict.fromkeys(pair.lineup for pair in pairs):
        every = [pair for pair in pairs if pair.lineup == name]
        own = [pair for pair in every if not pair.few]
        few = len(every) - len(own)
        if not own:
            lines.append(
                f"{name}: too few episodes to hold against {paper.study}: n is below {FEWEST} for all {few} figures."
            )
            continue
        apart = [f"{pair.score.replace('_', ' ')} of {pair.variant}" for pair in own if not pair.agrees]
        more = f" and {len(apart) - NAMED} more, in the table" if len(apart) > NAMED else ""
        said = f"; beyond: {', '.join(apart[:NAMED])}{more}" if apart else ""
        lines.append(
            f"{name}: {len(own) - len(apart)} of {len(own)} figures lie within {WITHIN:g} combined standard errors of "
            f"those of {paper.study}{said}{f'; n is below {FEWEST} for {few} more, too few to tell' if few else ''}."
        )
    rows = tuple(
        (
            pair.lineup,
            pair.score.replace("_", " "),
            pair.variant,
            number(pair.ours.mean),
            number(pair.theirs.mean),
            signed(pair.difference),
            number(abs(pair.difference) / pair.error, 1) if pair.error and not pair.few else NONE,
            "too few" if pair.few else "yes" if pair.agrees else "no",
        )
        for pair in pairs
    )
    head = (
        words("line-up"),
        words("score"),
        words(paper.variant),
        num("ours"),
        num("published"),
        num("difference"),
        num("in combined SE"),
        words(f"within {WITHIN:g}"),
    )
    return [*(Note(line) for line in lines), Table(CAPTION, head, rows, folded=True)]


def _pairs(lineup: Lineup, scores: Sequence[str], paper: Paper) -> Iterator[_Pair]:
    for score in scores:
        row, least = paper.row(score, lineup), paper.rounding(score)
        if row is None:
            continue
        for variant, theirs in paper.printed(score, row).items():
            ours = lineup.of(variant, score)
            if ours.mean is not None:
                yield _Pair(lineup.name, score, variant, ours, theirs, least)
        overall = lineup.overall(score)
        if set(lineup.variants) >= set(paper.variants) and overall.mean is not None:
            yield _Pair(lineup.name, score, "overall", overall, paper.overall(score, row), least)
