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
NAMED = 4
"""How many figures are named before the rest is counted."""
ROUNDING = 0.005
"""Half of the last digit of a printed figure: whole per cents, or two decimals."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A figure of ours and the published one."""

    lineup: str
    score: str
    variant: str
    ours: Estimate
    theirs: Printed

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return (self.ours.mean or 0.0) - self.theirs.mean

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return math.hypot(self.ours.standard_error or 0.0, self.theirs.error or 0.0)

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
        own = [pair for pair in pairs if pair.lineup == name]
        apart = [f"{pair.score.replace('_', ' ')} of {pair.variant}" for pair in own if not pair.agrees]
        more = f" and {len(apart) - NAMED} more, in the table" if len(apart) > NAMED else ""
        said = f"; beyond: {', '.join(apart[:NAMED])}{more}" if apart else ""
        lines.append(
            f"{name}: {len(own) - len(apart)} of {len(own)} figures lie within {WITHIN:g} combined standard errors of "
            f"those of {paper.study}{said}."
        )
    rows = tuple(
        (
            pair.lineup,
            pair.score.replace("_", " "),
            pair.variant,
            number(pair.ours.mean),
            number(pair.theirs.mean),
            signed(pair.difference),
            number(abs(pair.difference) / pair.error, 1) if pair.error else NONE,
            "yes" if pair.agrees else "no",
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
    return [*(Note(line) for line in lines), Table("Ours against the published figures", head, rows, folded=True)]


def _pairs(lineup: Lineup, scores: Sequence[str], paper: Paper) -> Iterator[_Pair]:
    for score in scores:
        row = paper.row(score, lineup)
        if row is None:
            continue
        for variant, theirs in paper.printed(score, row).items():
            ours = lineup.of(variant, score)
            if ours.mean is not None:
                yield _Pair(lineup.name, score, variant, ours, theirs)
        overall = lineup.overall(score)
        if set(lineup.variants) >= set(paper.variants) and overall.mean is not None:
            yield _Pair(lineup.name, score, "overall", overall, paper.overall(score, row))
