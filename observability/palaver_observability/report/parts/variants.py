"""Every score by variant, a row a line-up, with the study's own rows beside ours (COMMA, tables 1, 3, 4 and 5)."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from palaver_observability.bounds import bounds_of, clipped
from palaver_observability.stats import Estimate

from ..charts.heat import Heat, heat_map
from ..clembench import games_of
from ..document import Block, Chart, Figure, Headline, Section, Table, num, words
from ..lineups import Lineup, variants_of
from ..numbers import NONE, count, number, plural
from ..paper import Paper, PaperRow, Printed
from ..study import Study
from .against import against

__all__ = ["variants"]

OVERALL = "overall"
PLUS_MINUS = "\n±\N{NO-BREAK SPACE}"
"""The error stands below its mean: a column for each of ten puzzles has no room for both in a line."""
JUDGED = "error_"
"""How the scores of a judge begin; they have a part of their own."""


def variants(study: Study) -> Section | None:
    """Draw and tabulate what each line-up came to in each variant, for games that are played in several."""
    blocks: list[Block] = []
    headlines: list[Headline] = []
    called = "variant"
    by_experiment = games_of(study)  # these have a part of their own
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        if game in by_experiment:
            continue
        paper = Paper.of(study, game)
        found = paper.lineups(study, game)
        names = variants_of(found, paper.variants)
        if not any(len(lineup.variants) > 1 for lineup in found) and not set(names) & set(paper.variants):
            continue
        called = paper.variant
        columns = [*paper.variants, *(name for name in names if name not in paper.variants)]
        primary = study.primary(game)
        scores = _scores(found, primary, paper)
        blocks.append(_figure(found, primary, columns, paper, game))
        blocks += [_table(found, score, columns, paper) for score in scores if score != primary]
        blocks += against(found, scores, paper)
        headlines += _headlines(found, primary, paper)
    if not blocks:
        return None
    about = (
        f"Means by {called}, their standard errors below them (±). Overall is the mean over the {plural(called)}, each "
        "counting the same; its standard error is that of all episodes together. Published rows stand below ours of "
        "the same agents, the others at the end."
    )
    return Section("variants", f"By {called}", about, tuple(blocks), tuple(headlines[:1]))


def _scores(found: Iterable[Lineup], primary: str, paper: Paper) -> list[str]:
    """Name the scores that every variant has: the primary one and those of the paper first."""
    by = [{name for record in each for name in record.scores} for lineup in found for each in lineup.variants.values()]
    everywhere = set.intersection(*by) if by else set()
    order = dict.fromkeys(name for lineup in found for record in lineup.records for name in record.scores)
    rest = [name for name in order if name in everywhere and not name.startswith(JUDGED)]
    return list(dict.fromkeys([primary, *paper.by_variant, *rest]))


def _figure(found: Sequence[Lineup], primary: str, columns: Sequence[str], paper: Paper, game: str) -> Figure:
    title = _title(primary)
    ours = {}
    for lineup in found:
        for column in columns:
            ours[lineup.name, column] = _heat(primary, lineup.of(column, primary))
        ours[lineup.name, OVERALL] = _heat(primary, lineup.overall(primary))
    heads = [*columns, OVERALL]
    charts = [Chart(f"{title}, measured here", _map(title, [lineup.name for lineup in found], heads, ours))]
    if table := paper.by_variant.get(primary):
        theirs = {
            (row.name, column): Heat(each.mean, *_interval(each), row.n)
            for row in table.rows
            for column, each in {**paper.printed(primary, row), OVERALL: paper.overall(primary, row)}.items()
        }
        rows = list(dict.fromkeys(row.name for row in table.rows))
        charts.append(Chart(f"{title}, published", _map(f"{title}, as published", rows, heads, theirs)))
    caption = f"{title} in {game} by {paper.variant}: a row for each line-up, the mean of each cell; n in the table."
    if len(charts) > 1:
        caption += f" Below it the rows of {paper.study}, {paper.by_variant[primary].where}."
    return Figure(tuple(charts), caption, _table(found, primary, columns, paper), _findings(found, primary, paper))


def _map(
    title: str, rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Heat | None]
) -> Markup:
    known = {place: heat for place, heat in cells.items() if heat}
    return heat_map(f"Heat map of {title}", rows, columns, known, places=None)


def _findings(found: Sequence[Lineup], score: str, paper: Paper) -> tuple[str, ...]:
    """Say which variants are hardest and easiest, over the line-ups that have played all of them."""
    names = variants_of(found, paper.variants)
    found = [lineup for lineup in found if all(lineup.of(name, score).mean is not None for name in names)]
    means = {}
    for name in names if found else ():
        means[name] = sum(lineup.of(name, score).mean or 0.0 for lineup in found) / len(found)
    if len(means) < 2 or max(means.values()) - min(means.values()) < 0.005:
        return ()
    easy, hard = max(means, key=lambda name: means[name]), min(means, key=lambda name: means[name])
    of = f" for {found[0].name}" if len(found) == 1 else f", the mean over the {len(found)} line-ups that played all"
    measure = score.replace("_", " ")
    return (f"Highest {measure}: {easy} ({number(means[easy])}); lowest: {hard} ({number(means[hard])}){of}.",)


def _table(found: Sequence[Lineup], score: str, columns: Sequence[str], paper: Paper) -> Table:
    rows, shown = [], []
    for lineup in found:
        rows.append(_ours(lineup, score, columns, paper))
        if row := paper.row(score, lineup):
            rows.append(_theirs(row, score, columns, paper))
            shown.append(row)
    rows += [_theirs(row, score, columns, paper) for row in paper.others(score, shown)]
    title = f"{_title(score)}{', %' if paper.unit(score) > 1 else ''} by {paper.variant}"
    head = (words("line-up"), num(f"n a {paper.variant}"), *(num(name) for name in (*columns, OVERALL)))
    return Table(title, head, tuple(rows), folded=True)


def _ours(lineup: Lineup, score: str, columns: Sequence[str], paper: Paper) -> tuple[str, ...]:
    unit = paper.unit(score)
    cells = [lineup.of(column, score) for column in columns]
    played = [cell.n for cell in cells if cell.n]
    ns = [count(n) for n in sorted({min(played), max(played)})] if played else ["0"]
    texts = [_text(cell.mean, cell.standard_error, unit) for cell in cells]
    overall = lineup.overall(score)
    whole = "" if len(played) == len(columns) else f"\nof {len(played)} of {len(columns)}"
    last = _text(overall.mean, overall.standard_error, unit, fine=True)
    return (lineup.name, " to ".join(ns), *texts, f"{last}{whole}")


def _theirs(row: PaperRow, score: str, columns: Sequence[str], paper: Paper) -> tuple[str, ...]:
    unit = paper.unit(score)
    known = paper.printed(score, row)
    texts = [_printed(known.get(column), unit) for column in columns]
    n = NONE if row.n is None else count(row.n)
    return (f"{row.name}, published", n, *texts, _printed(paper.overall(score, row), unit, fine=True))


def _text(mean: float | None, error: float | None, unit: float, *, fine: bool = False) -> str:
    """Write a mean and its error: of shares, whole per cents with one decimal for the error, as the paper does."""
    if mean is None:
        return NONE
    shown = number(mean * unit, 2 if unit == 1 else 1 if fine else 0)
    return shown if error is None else f"{shown}{PLUS_MINUS}{number(error * unit, 2 if unit == 1 else 1)}"


def _printed(each: Printed | None, unit: float, *, fine: bool = False) -> str:
    if each is None:
        return NONE
    shown = number(each.mean * unit, 2 if unit == 1 or fine else 0)
    return shown if each.error is None else f"{shown}{PLUS_MINUS}{number(each.error * unit, 1)}"


def _heat(score: str, found: Estimate) -> Heat | None:
    """Return a mean with its interval, no farther than the score can go."""
    within = bounds_of(score)
    ends = (clipped(found.ci_low, within), clipped(found.ci_high, within))
    return None if found.mean is None else Heat(found.mean, *ends, found.n)


def _interval(each: Printed) -> tuple[float | None, float | None]:
    return (None, None) if each.error is None else (each.mean - 1.96 * each.error, each.mean + 1.96 * each.error)


def _title(score: str) -> str:
    return score.replace("_", " ").capitalize()


def _headlines(found: Sequence[Lineup], primary: str, paper: Paper) -> list[Headline]:
    """Give the best line-up over all variants."""
    known = [
        (overall.mean, lineup, overall) for lineup in found if (overall := lineup.overall(primary)).mean is not None
    ]
    if not known:
        return []
    mean, lineup, overall = max(known, key=lambda each: each[0] or 0.0)
    row = paper.row(primary, lineup)
    theirs = f"; published {number(paper.overall(primary, row).mean)}" if row else ""
    kinds = f"{len(lineup.variants)} {plural(paper.variant) if len(lineup.variants) > 1 else paper.variant}"
    detail = f"SE {number(overall.standard_error)}, n {count(overall.n)}, mean over {kinds}{theirs}"
    return [Headline(number(mean), f"best {primary.replace('_', ' ')}: {lineup.name}", detail)]
