"""Scores by what instances are labelled with: tables by label, and heat maps over two scales (iVISPAR, figure 7).

Read from ``published()["labels"]`` of a game; without it, every label has a table of the primary score and of success:

    scales: [geoms, path]              two labels: the rows and the columns of heat maps
    drawn: [closest]                   the scores that are drawn over them
    scores: [success, stepwise]        the scores that have tables by label
    order: {difficulty: [easy, ...]}   values in the order of the columns; others come after them
    tables:                            what the study prints by label
      - {where: table 2, score: success, label: modality, percent: true, rows: {o3: {text: 15.6, ...}}}
    grids:                             and by both scales, of one model each
      - {where: table 6, score: success, model: o3, percent: true, rows: {easy: {text: 19.5, ...}}}
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict

from palaver_observability.bounds import bounds_of, clipped
from palaver_observability.statistics import Interval, mean_ci, wilson
from palaver_protocols.content import Frozen
from palaver_protocols.runs import EpisodeRecord

from ..charts.heat import Heat, heat_map
from ..document import Block, Chart, Figure, Note, Section, Table, num, words
from ..lineups import Lineup
from ..naming import model_of
from ..numbers import NONE, between, count, number
from ..paper import Paper
from ..study import Study

__all__ = ["labels"]

SUCCESS = "success"
MOST = 12
"""Heat maps of one score at most: more are a wall that nobody reads."""


class _Read(Frozen):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PrintedTable(_Read):
    """What the study prints of a score by the values of a label, by model."""

    where: str
    score: str
    label: str
    percent: bool = False
    rows: dict[str, dict[str, float]]


class PrintedGrid(_Read):
    """What the study prints of a score over both scales, of one model."""

    where: str
    score: str
    model: str
    percent: bool = False
    rows: dict[str, dict[str, float]]

    @property
    def cells(self) -> dict[tuple[str, str], Heat]:
        """The figures by row and column, in the units of our scores."""
        unit = 100.0 if self.percent else 1.0
        return {(row, column): Heat(each / unit) for row, known in self.rows.items() for column, each in known.items()}


class LabelPaper(_Read):
    """How a game's labels are shown, and what its study prints by them."""

    scales: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    order: dict[str, tuple[str, ...]] = {}
    tables: tuple[PrintedTable, ...] = ()
    grids: tuple[PrintedGrid, ...] = ()

    @classmethod
    def of(cls, study: Study, game: str) -> "LabelPaper":
        """Read what a game publishes.

        Raises:
            UsageError: it is malformed; names the place.
        """
        return study.figures(cls, game, "labels")

    def values(self, label: str, records: Iterable[EpisodeRecord]) -> list[str]:
        """Return the values that a label has, those of the paper's order first, numbers by size."""
        found = {value for record in records for value in record.labels.get(label, ())}
        known = [value for value in self.order.get(label, ()) if value in found]
        return known + sorted(found - set(known), key=_by_size)

    def table(self, score: str, label: str) -> PrintedTable | None:
        """Return what the study prints of a score by a label."""
        return next((each for each in self.tables if (each.score, each.label) == (score, label)), None)


def labels(study: Study) -> Section | None:
    """Show scores by label, for games whose instances have some."""
    blocks: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        found = [each for each in Paper.of(study, game).lineups(study, game) if any(r.labels for r in each.records)]
        if found:
            blocks += _of_game(study, game, found)
    if not blocks:
        return None
    about = (
        "An instance counts in each value that a label has for it, so that the numbers of episodes may add up to more "
        "than all. 95 % CI: Wilson's for scores that are 0 or 1, else mean ± 1.96 standard errors, no "
        "farther than the score can go."
    )
    return Section("labels", "By label", about, tuple(blocks))


def _of_game(study: Study, game: str, found: Sequence[Lineup]) -> list[Block]:
    paper = LabelPaper.of(study, game)
    records = [record for each in found for record in each.records]
    present = {name for record in records for name in record.scores}
    primary = study.primary(game)
    wanted = [name for name in paper.scores or dict.fromkeys((primary, SUCCESS)) if name in present]
    scores = [_Score.over(name, records) for name in wanted]
    names = dict.fromkeys([*paper.order, *(name for record in records for name in record.labels)])
    shown = {name: values for name in names if len(values := paper.values(name, records)) > 1}
    blocks: list[Block] = []
    if len(paper.scales) == 2 and all(name in shown for name in paper.scales):
        for score in (_Score.over(name, records) for name in paper.drawn if name in present):
            blocks += _map(game, score, [shown[name] for name in paper.scales], found, paper)
    for name, values in shown.items():
        blocks += [_table(f"{game}: {score.words}", (score, name), values, found, paper) for score in scores]
    return blocks


def _map(
    game: str, score: "_Score", values: Sequence[Sequence[str]], found: Sequence[Lineup], paper: LabelPaper
) -> list[Block]:
    """Draw a score over two scales: a map for each line-up and variant, and what the study prints."""
    scales = paper.scales
    drawn = [
        (f"{each.name}, {variant}" if variant != each.name else each.name, records)
        for each in found
        for variant, records in each.variants.items()
    ]
    rows, columns = values
    title = f"{score.words} by {_words(scales[0])} and {_words(scales[1])}"
    axes = f"{score.words.capitalize()}, {_words(scales[0])} (rows) by {_words(scales[1])} (columns)"
    charts, lines = [], []
    for name, records in drawn[:MOST]:
        cells = {}
        for row in rows:
            for column in columns:
                here = [r for r in records if _has(r, scales[0], row) and _has(r, scales[1], column)]
                known = score.of(here)
                if known.estimate is not None:
                    cells[row, column] = Heat(known.estimate, known.ci_low, known.ci_high, known.n)
                    lines.append((name, row, column, number(known.estimate), count(known.n)))
        charts.append(
            Chart(f"{axes}: {name}", heat_map(f"Heat map of {title}: {name}", rows, columns, cells, places=None))
        )
    for grid in (each for each in paper.grids if each.score == score.name):
        name = f"{grid.model}, published, {grid.where}"
        drawing = heat_map(f"Heat map of {title}: {name}", rows, columns, grid.cells, places=None)
        charts.append(Chart(f"{axes}: {name}", drawing))
    head = (words("line-up"), num(_words(scales[0])), num(_words(scales[1])), num("mean"), num("n"))
    caption = (
        f"{title.capitalize()} in {game}: rows are {_words(scales[0])}, columns {_words(scales[1])}; each cell is the "
        "mean over its episodes."
    )
    blocks: list[Block] = [Figure(tuple(charts), caption, Table(title.capitalize(), head, tuple(lines), folded=True))]
    if len(drawn) > MOST:
        blocks.append(Note(f"{len(drawn) - MOST} more line-ups are not drawn; summary.json and the records have them."))
    return blocks


def _table(
    title: str, by: "tuple[_Score, str]", values: Sequence[str], found: Sequence[Lineup], paper: LabelPaper
) -> Table:
    """Tabulate a score by a label, a row for each line-up and variant, with the published rows beside them."""
    score, label = by
    printed = paper.table(score.name, label)
    unit = 100.0 if printed and printed.percent else 1.0
    rows, beside = [], set()
    for each in found:
        for variant, records in each.variants.items():
            name = each.name if len(each.variants) == 1 else f"{each.name}, {variant}"
            cells = [_cell(score, [r for r in records if _has(r, label, value)], unit) for value in values]
            rows.append((name, *cells))
            theirs = _row(printed, each.agents)
            if theirs and theirs not in beside:
                beside.add(theirs)
                rows.append(_published(theirs, printed, values))
    if printed:
        rows += [_published(name, printed, values) for name in printed.rows if name not in beside]
    where = f" (published: {printed.where})" if printed else ""
    title += f"{', %' if unit > 1 else ''} by {_words(label)}{where}"
    return Table(title, (words("line-up"), *map(num, values)), tuple(rows), folded=printed is None)


def _cell(score: "_Score", records: Sequence[EpisodeRecord], unit: float) -> str:
    known = score.of(records)
    if known.estimate is None:
        return NONE
    low, high = (None if each is None else each * unit for each in (known.ci_low, known.ci_high))
    return f"{number(known.estimate * unit)} {between(low, high)}\nn {count(known.n)}".replace(" \n", "\n")


@dataclass(frozen=True, slots=True)
class _Score:
    """A score, and whether it is 0 or 1 in every episode: a share, in whichever cell."""

    name: str
    is_share: bool

    @classmethod
    def over(cls, name: str, records: Iterable[EpisodeRecord]) -> "_Score":
        """Look at all episodes, so that no table mixes intervals of two kinds."""
        return cls(name, set(_values(name, records)) <= {0.0, 1.0})

    @property
    def words(self) -> str:
        """Its name in words."""
        return _words(self.name)

    def of(self, records: Iterable[EpisodeRecord]) -> Interval:
        """Estimate it."""
        values = _values(self.name, records)
        if self.is_share and values:
            return wilson(round(sum(values)), len(values))
        found, within = mean_ci(values), bounds_of(self.name)
        ends = {"ci_low": clipped(found.ci_low, within), "ci_high": clipped(found.ci_high, within)}
        return found.model_copy(update=ends)


def _values(score: str, records: Iterable[EpisodeRecord]) -> list[float]:
    return [value for record in records if (value := record.scores.get(score)) is not None]


def _row(printed: PrintedTable | None, agents: Sequence[str]) -> str | None:
    """Return the paper's name of who plays all seats."""
    if printed is None or len(set(agents)) != 1:
        return None
    ours = model_of(agents[0]).lower()
    return next((name for name in printed.rows if name.lower() == ours), None)


def _published(name: str, printed: PrintedTable | None, values: Sequence[str]) -> tuple[str, ...]:
    row = printed.rows[name] if printed else {}
    return (f"{name}, published", *(number(row.get(value)) for value in values))


def _has(record: EpisodeRecord, label: str, value: str) -> bool:
    return value in record.labels.get(label, ())


def _by_size(value: str) -> tuple[float, str]:
    try:
        return (float(value), "")
    except ValueError:
        return (float("inf"), value)


def _words(name: str) -> str:
    return name.replace("_", " ")
