"""Success against the number of allowed turns, from the same episodes (COMMA, figure 4, left)."""

from collections.abc import Sequence

from palaver_observability.statistics import Interval, wilson
from palaver_protocols.runs import EpisodeRecord

from ..charts.curves import Curve, Point, curves
from ..document import Block, Chart, Figure, Section, Table, num, words
from ..lineups import Lineup
from ..numbers import between, count, number
from ..paper import Paper
from ..samples import SUCCESS
from ..study import Study
from ..svg import SERIES

__all__ = ["LENGTH", "allowed"]

LENGTH = "length"
"""The score that says at which turn, from 0, an episode ended; or how many turns it had, if it was not over then."""
NAMED = 4
"""Line-ups of which a sentence is said."""
NAMES = 240.0
"""Pixels for the names of curves."""


def allowed(study: Study) -> Section | None:
    """Draw how many episodes would have been solved if fewer turns had been allowed."""
    figures: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        paper = Paper.of(study, game)
        found = [
            lineup
            for lineup in paper.lineups(study, game)
            if any(_known(record) is not None for record in lineup.records)
        ]
        if most := max((_turns(lineup) for lineup in found), default=0):
            figures.append(_figure(found, most, paper, game))
    if not figures:
        return None
    about = (
        "An episode counts as solved with K allowed turns if it was solved in turn K or before. All points of a curve "
        "are of the same episodes; none was played again."
    )
    return Section("allowed", "Success by allowed turns", about, tuple(figures))


def _known(record: EpisodeRecord) -> tuple[bool, float] | None:
    """Return whether an episode was solved, and its length; None where one of them is not known."""
    solved, length = record.scores.get(SUCCESS), record.scores.get(LENGTH)
    return None if solved is None or length is None else (solved >= 0.5, length)


def _turns(lineup: Lineup) -> int:
    """Return how many turns were allowed: as the options say, or as many as an episode took."""
    given = lineup.options.get("turns")
    took = [length + solved for record in lineup.records if (known := _known(record)) for solved, length in (known,)]
    return max([given if isinstance(given, int) else 1, *map(int, took)])


def _shares(lineup: Lineup, most: int) -> list[Interval]:
    """Return the share that is solved with 1, 2, ... allowed turns."""
    known = [each for record in lineup.records if (each := _known(record)) is not None]
    return [wilson(sum(solved and length < k for solved, length in known), len(known)) for k in range(1, most + 1)]


def _figure(found: Sequence[Lineup], most: int, paper: Paper, game: str) -> Figure:
    title = "Success by number of allowed turns"
    groups = [found[at : at + SERIES] for at in range(0, len(found), SERIES)]
    charts, rows, any_published = [], [], False
    for number_of, group in enumerate(groups, 1):
        drawn = []
        for series, lineup in enumerate(group):
            shares = _shares(lineup, most)
            drawn.append(Curve(lineup.name, _points(shares), series=series))
            row = paper.row(SUCCESS, lineup)
            if row and _turns(lineup) == most:
                theirs = Point(most, paper.overall(SUCCESS, row).mean, None, None, row.n or 0)
                drawn.append(Curve(f"{row.name}, published", (theirs,), hollow=True, series=series))
                any_published = True
            rows.append((lineup.name, count(shares[0].n), *(number(each.estimate) for each in shares)))
            rows.append(("", "", *(between(each.ci_low, each.ci_high) for each in shares)))
        part = title if len(groups) == 1 else f"{title}, {number_of} of {len(groups)}"
        charts.append(Chart(part, curves(part, "allowed turns", "share solved", drawn, right=NAMES)))
    caption = (
        f"{title}, {game}: share of all episodes of a line-up that are solved, with Wilson's 95 % interval; "
        f"n {_ns(found)}."
    )
    if any_published:
        caption += f" Hollow marks: the success rates of {paper.study}, {paper.by_variant[SUCCESS].where}."
    head = (words("line-up"), num("n"), *(num(f"{k} turn{'s' if k > 1 else ''}") for k in range(1, most + 1)))
    table = Table(f"{title}, in numbers", head, tuple(rows), folded=True)
    return Figure(tuple(charts), caption, table, _findings(found, most))


def _points(shares: Sequence[Interval]) -> tuple[Point, ...]:
    return tuple(
        Point(k, each.estimate, each.ci_low, each.ci_high, each.n)
        for k, each in enumerate(shares, 1)
        if each.estimate is not None
    )


def _findings(found: Sequence[Lineup], most: int) -> tuple[str, ...]:
    """Say from which turn on a line-up gains next to nothing more: 95 % of what it comes to."""
    lines = []
    for lineup in found:
        values = [each.estimate or 0.0 for each in _shares(lineup, most)]
        if values[-1] <= 0:
            continue
        enough = next(k for k, value in enumerate(values, 1) if value >= 0.95 * values[-1])
        if enough <= most - 2:
            lines.append(
                f"{lineup.name}: {number(values[-1])} with {most} turns, and {number(values[enough - 1])} "
                f"already with {enough}."
            )
    return tuple(lines[:NAMED])


def _ns(found: Sequence[Lineup]) -> str:
    ns = sorted(sum(_known(record) is not None for record in lineup.records) for lineup in found)
    return count(ns[0]) if ns[0] == ns[-1] else f"{count(ns[0])} to {count(ns[-1])}"
