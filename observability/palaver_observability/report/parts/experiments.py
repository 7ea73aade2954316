"""Games of clembench by experiment: what was played, and how well, with the study's own tables beside ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaver_observability.measures import told_once
from palaver_observability.statistics import GameScore
from palaver_observability.stats import Estimate, estimate
from palaver_protocols.runs import EpisodeRecord

from ..charts.heat import Heat, heat_map
from ..clembench import (
    ClemPaper,
    Figures,
    Lineups,
    Measure,
    WholeFigures,
    games_of,
    measured,
    on_instances_of_ours,
    players,
)
from ..document import Block, Chart, Figure, Note, Section, Table, num, words
from ..numbers import NONE, TIMES, between, count, number, percent
from ..study import Study

__all__ = ["experiments"]

TITLES: Mapping[Measure, str] = {"quality": "Quality", "weighted": f"% played {TIMES} quality / 100"}
WHOLE = "all"


@dataclass(frozen=True, slots=True)
class _Ours:
    """What one line-up came to, by experiment, and over all of them."""

    who: Lineups
    by: Mapping[str, GameScore]
    whole: GameScore


def experiments(study: Study) -> Section | None:
    """Tabulate and draw each game by experiment."""
    found = players(study)
    blocks: list[Block] = []
    said: dict[str, None] = {}
    for game in games_of(study):
        paper = ClemPaper.of(study, game)
        ours = [
            _Ours(each, dict(measured(each.games[game])), each.standing.of(game))
            for each in found
            if game in each.games
        ]
        played = dict.fromkeys(name for each in ours for name in each.by)
        columns = [name for name in paper.experiments if name in played]
        columns += [name for name in played if name not in columns]
        blocks.append(_figure(game, ours, columns))
        differ = on_instances_of_ours((each.who for each in ours), paper) if paper.tables or paper.whole else ""
        if differ and differ not in said:  # once, where the first such table is
            said[differ] = None
            blocks.append(Note(differ))
        blocks += [_beside(game, ours, table, paper) for table in paper.tables]
        if paper.whole is not None:
            blocks.append(_whole(game, ours, paper.whole, paper))
        blocks.append(_scores(game, ours, columns))
    if not blocks:
        return None
    about = (
        "Of each experiment: % played, the quality of what was played, and their product, in which aborted episodes "
        "count 0. The study's tables are of one or the other, whatever it calls them; each says which."
    )
    return Section("experiments", "By experiment", about, tuple(blocks))


def _figure(game: str, ours: Sequence[_Ours], columns: Sequence[str]) -> Figure:
    cells = {
        (each.who.name, name): Heat(score.quality, score.quality_low, score.quality_high, score.played)
        for each in ours
        for name, score in (*each.by.items(), (WHOLE, each.whole))
        if score.quality is not None
    }
    heads = [*columns, *([WHOLE] if len(columns) > 1 else [])]
    svg = heat_map(f"Quality in {game} by experiment", [each.who.name for each in ours], heads, cells, places=None)
    rows = tuple(
        (each.who.name, name, *_cells(score))
        for each in ours
        for name, score in (*((name, each.by[name]) for name in columns if name in each.by), (WHOLE, each.whole))
    )
    head = (
        words("agents"),
        words("experiment"),
        num("scored episodes"),
        num("% played"),
        num("95 % CI"),
        num("quality"),
        num("95 % CI"),
        num(TITLES["weighted"]),
    )
    table = Table(f"{game} by experiment, in numbers", head, rows, folded=True)
    caption = (
        f"Quality in {game} by experiment: the mean Main Score of the episodes that were played, and their number; "
        "a dot where none was. The last column is over all episodes."
    )
    return Figure((Chart(f"{game}: quality", svg),), caption, table)


def _cells(score: GameScore) -> tuple[str, ...]:
    return (
        count(score.n),
        percent(score.percent_played),
        between(score.played_low, score.played_high) or NONE,
        percent(score.quality),
        between(score.quality_low, score.quality_high) or NONE,
        percent(_of(score, "weighted")),
    )


def _of(score: GameScore, measure: Measure) -> float | None:
    """Return what a table of the study holds of an experiment; what was not played at all counts 0 where 0 counts."""
    if measure == "quality" or score.percent_played is None:
        return score.quality
    return score.percent_played * (score.quality or 0.0) / 100


def _beside(game: str, ours: Sequence[_Ours], table: Figures, paper: ClemPaper) -> Table:
    """Set the study's rows below ours of the same model, the others at the end."""
    rows: list[tuple[str, ...]] = []
    left = dict(table.rows)
    for each in ours:
        known = [_of(each.by[name], table.measure) if name in each.by else None for name in paper.experiments]
        rows.append((each.who.name, *map(number, known)))
        if (model := paper.model(each.who.agents)) and (row := left.pop(model, None)):
            rows.append((f"{model}, published", *map(number, row)))
    rows += [(f"{model}, published", *map(number, row)) for model, row in left.items()]
    head = (words("agents"), *map(num, paper.experiments))
    return Table(f"{game}: {TITLES[table.measure]}, ours and published ({table.where})", head, tuple(rows), folded=True)


def _whole(game: str, ours: Sequence[_Ours], figures: WholeFigures, paper: ClemPaper) -> Table:
    """Set what the study prints of the whole game beside ours of the same model, the others at the end."""
    rows: list[tuple[str, ...]] = []
    left = dict(figures.rows)
    for each in ours:
        model = paper.model(each.who.agents)
        theirs = left.pop(model, None) if model else None
        rows.append((each.who.name, number(_of(each.whole, figures.measure)), number(theirs)))
    rows += [(model, NONE, number(value)) for model, value in left.items()]
    title = f"{game}: {TITLES[figures.measure]} of all experiments, ours and published ({figures.where})"
    return Table(title, (words("agents"), num("ours"), num("published")), tuple(rows), folded=True)


def _scores(game: str, ours: Sequence[_Ours], columns: Sequence[str]) -> Table:
    """Tabulate the mean of every score."""
    found = {
        (each.who.name, column): _estimates(played[column])
        for each in ours
        for played in [each.who.games[game].variants]
        for column in columns
        if column in played
    }
    names = told_once(found.values())
    rows = tuple((*place, *(number(_mean(scores.get(name))) for name in names)) for place, scores in found.items())
    head = (words("agents"), words("experiment"), *map(num, names))
    return Table(f"{game}: all scores by experiment, means of the episodes that have them", head, rows, folded=True)


def _estimates(records: Sequence[EpisodeRecord]) -> dict[str, Estimate]:
    names = dict.fromkeys(name for record in records for name in record.scores)
    return {name: estimate(record.scores.get(name) for record in records) for name in names}


def _mean(found: Estimate | None) -> float | None:
    return None if found is None else found.mean
