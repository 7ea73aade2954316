"""Whether what must stay private is told, beside how often the task is solved (COMMA, figure 4, right)."""

from collections.abc import Iterable, Sequence

from palaver_observability.statistics import Interval, wilson
from palaver_observability.stats import estimate
from palaver_protocols.runs import EpisodeRecord

from ..charts.dots import Dot, DotRow, dot_plot
from ..document import Block, Chart, Figure, Section, Table, num, words
from ..lineups import Lineup, variants_of
from ..numbers import count, number, with_interval
from ..paper import Paper
from ..samples import SUCCESS
from ..study import Study

__all__ = ["LEAKED", "privacy"]

LEAKED = "leaked"
"""The score that is 1 for an episode in which something private was told; only games with secrets have it."""
LEAKS = "leaks"
SERIES = ("solved", "something private told")


def privacy(study: Study) -> Section | None:
    """Draw success and disclosure beside each other, for variants in which there is something to keep."""
    figures: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        paper = Paper.of(study, game)
        found = paper.lineups(study, game)
        for variant in variants_of(found, paper.variants):
            keeping = [
                each for each in found if any(LEAKED in record.scores for record in each.variants.get(variant, ()))
            ]
            if keeping:
                figures.append(_figure(keeping, variant, paper))
    if not figures:
        return None
    about = (
        "An agent that knows something private can tell it to solve the task sooner. Told counts an episode in which "
        "any of its messages holds a secret, in whatever spelling the game's rules find."
    )
    return Section("privacy", "Privacy", about, tuple(figures))


def _figure(found: Sequence[Lineup], variant: str, paper: Paper) -> Figure:
    rows, table, any_published = [], [], False
    for lineup in found:
        records = lineup.variants[variant]
        solved, told = _share(records, SUCCESS), _share(records, LEAKED)
        dots = [
            Dot(series, each.estimate, each.ci_low, each.ci_high, each.n)
            for series, each in enumerate((solved, told))
            if each.estimate is not None
        ]
        if (row := paper.row(SUCCESS, lineup)) and (theirs := paper.printed(SUCCESS, row).get(variant)):
            dots.insert(1, Dot(0, theirs.mean, hollow=True))
            any_published = True
        rows.append(DotRow(lineup.name, tuple(dots)))
        times = estimate(record.scores.get(LEAKS) for record in records)
        table.append((lineup.name, count(told.n), with_interval(solved), with_interval(told), number(times.mean)))
    title = f"Solved and told, {variant}"
    svg = dot_plot(title, "share of episodes", rows, SERIES, include=(0.0, 1.0))
    caption = (
        f"{variant}: share of episodes that are solved, and share in which something private is told; Wilson's 95 % "
        "intervals, n beside each mark."
    )
    if any_published:
        caption += f" Hollow marks: the success rates of {paper.study}, {paper.by_variant[SUCCESS].where}."
    head = (
        words("line-up"),
        num("n"),
        num("solved [Wilson 95 % CI]"),
        num("told [Wilson 95 % CI]"),
        num("messages that tell, an episode"),
    )
    return Figure((Chart(title, svg),), caption, Table(f"{title}, in numbers", head, tuple(table), folded=True))


def _share(records: Iterable[EpisodeRecord], score: str) -> Interval:
    known = [value for record in records if (value := record.scores.get(score)) is not None]
    return wilson(sum(value >= 0.5 for value in known), len(known))
