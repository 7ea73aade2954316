"""What goes wrong: error categories by a judge (COMMA, section 5.2 and figure 3), and repetition found by rule."""

from collections.abc import Sequence

from palaver_observability.statistics import Interval, wilson

from ..charts.dots import Dot, DotRow, dot_plot
from ..charts.stacks import Stack, stacks
from ..document import Block, Chart, Figure, Section, Table, num, words
from ..lineups import Lineup
from ..numbers import count, number, with_interval
from ..paper import Paper
from ..study import Study

__all__ = ["errors"]

JUDGED = "error_"
"""How the scores of a judge begin: 1 where the error is in the dialogue."""
REPETITIONS = "repetitions"
"""The score that counts, by rule, mistakes that were made in the same state before."""


def errors(study: Study) -> Section | None:
    """Draw the errors of each line-up: the kinds that a judge found, and the episodes in which rules found loops."""
    blocks: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        found = Paper.of(study, game).lineups(study, game)
        if judged := [lineup for lineup in found if _kinds([lineup])]:
            blocks.append(_judged(judged, game))
        if looping := [lineup for lineup in found if _share(lineup, REPETITIONS).n]:
            blocks.append(_loops(looping, game))
    if not blocks:
        return None
    about = "Why episodes go wrong: kinds of error as a judge named them, and loops that the rules found by themselves."
    return Section("errors", "Errors", about, tuple(blocks))


def _kinds(found: Sequence[Lineup]) -> list[str]:
    names = dict.fromkeys(name for lineup in found for record in lineup.records for name in record.scores)
    return [name for name in names if name.startswith(JUDGED)]


def _share(lineup: Lineup, score: str) -> Interval:
    """Return the share of episodes in which there is any."""
    known = [value for record in lineup.records if (value := record.scores.get(score)) is not None]
    return wilson(sum(value > 0 for value in known), len(known))


def _judged(found: Sequence[Lineup], game: str) -> Figure:
    kinds = _kinds(found)
    series = [name.removeprefix(JUDGED).replace("_", " ") for name in kinds]
    drawn, rows = [], []
    for lineup in found:
        shares = {name: _share(lineup, name) for name in kinds}
        n = max(each.n for each in shares.values())
        clean = [
            record
            for record in lineup.records
            if any(name in record.scores for name in kinds) and not any(record.scores.get(name) for name in kinds)
        ]
        total = sum(each.estimate or 0.0 for each in shares.values())
        parts = tuple((each.estimate or 0.0) / total if total else 0.0 for each in shares.values())
        drawn.append(Stack(lineup.name, parts, f"{count(n - len(clean))} of {count(n)}"))
        rows.append((lineup.name, count(n), count(len(clean)), *map(with_interval, shares.values())))
    title = "Kinds of error, by the judge"
    caption = (
        f"{title}, {game}: each bar is all errors found in the dialogues of a line-up, divided by kind (a dialogue can "
        "hold several). Beside it, in how many of the judged episodes there were any. The table gives the share of "
        "episodes with each kind, with Wilson's 95 % interval."
    )
    head = (words("line-up"), num("n"), num("without error"), *(num(f"{each} [95 % CI]") for each in series))
    table = Table(f"{title}, in numbers", head, tuple(rows), folded=True)
    return Figure((Chart(title, stacks(title, series, drawn)),), caption, table)


def _loops(found: Sequence[Lineup], game: str) -> Figure:
    title = "Repetition loops, by rule"
    rows, table = [], []
    for lineup in found:
        share, times = _share(lineup, REPETITIONS), lineup.overall(REPETITIONS)
        if share.estimate is not None:
            rows.append(DotRow(lineup.name, (Dot(0, share.estimate, share.ci_low, share.ci_high, share.n),)))
        table.append((lineup.name, count(share.n), with_interval(share), number(times.mean)))
    svg = dot_plot(title, "share of episodes", rows, include=(0.0, 1.0))
    caption = (
        f"{title}, {game}: share of episodes in which a mistake is made again in a state in which it was made before; "
        "Wilson's 95 % interval, n beside each mark."
    )
    head = (words("line-up"), num("n"), num("with a loop [Wilson 95 % CI]"), num("repeated mistakes an episode"))
    return Figure((Chart(title, svg),), caption, Table(f"{title}, in numbers", head, tuple(table), folded=True))
