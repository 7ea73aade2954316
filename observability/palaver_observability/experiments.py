"""The results of agents in a game that counts what was played: a line an experiment, a column a measure (clembench)."""

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from .matrix import GAP, apart, foot
from .measures import told_once
from .statistics.clemscore import ABORTED
from .stats import OVERALL, Estimate, Row
from .writing import NONE, number

__all__ = ["experiments", "has_experiments"]

PLAYED = "% played"


def has_experiments(row: Row) -> bool:
    """Whether a row's episodes say if they were aborted, so that what was played is told apart from how well."""
    return ABORTED in row.scores


def experiments(rows: Sequence[Row], overall: Row, main: Sequence[str] | None, width: int) -> Iterator[Table | Text]:
    """Lay the rows of some agents out, one an experiment, with their sum in the last line.

    Means of the leading scores have their standard errors beside them. Scores that have no room beside these are told
    of the sum only; ``summary.json`` and the report have them all.

    Args:
        rows: of one game and the same agents, one an experiment.
        overall: their sum.
        main: scores to lead with; None takes the first two that the game gives.
        width: columns of the terminal.
    """
    names = [name for name in told_once(row.scores for row in rows) if name != ABORTED]
    first = names[:2] if main is None else [name for name in main if name in names]
    leading = ["n", *(["not counted"] if any(map(apart, rows)) else []), PLAYED, *first]
    lines = [*((row.variant, row) for row in rows), (OVERALL, overall)]
    measures = [*leading, *(name for name in names if name not in first)]
    cells = {name: [_cell(row, name, full=name in first) for _, row in lines] for name in measures}
    room = width - max(len(name) for name, _ in lines) - GAP
    shown = []
    for name in measures:
        room -= max(map(len, [name, *cells[name]])) + GAP
        if room + GAP < 0 and name not in leading:
            break
        shown.append(name)
    yield Text(f"{overall.game}: {', '.join(overall.agents)}", style="bold")
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    for down, (variant, _) in enumerate(lines):
        style = "bold" if variant == OVERALL else ""
        table.add_row(
            Text(variant, style=style),
            *(Text(cells[name][down], style=style or ("" if name in leading else "dim")) for name in shown),
        )
    yield table
    if left := [f"{name} {cells[name][-1]}" for name in measures if name not in shown]:
        yield Text(f"over all: {', '.join(left)}", style="dim")
    yield Text(foot(overall))


def _cell(row: Row, measure: str, *, full: bool) -> str:
    if measure == "n":
        return str(row.n)
    if measure == "not counted":
        return str(apart(row))
    if measure == PLAYED:
        aborted = row.scores.get(ABORTED, Estimate(n=0)).mean
        return NONE if aborted is None else f"{100 * (1 - aborted):.2f}"
    found = row.scores.get(measure, Estimate(n=0))
    if not full or found.mean is None or not found.standard_error:
        return number(found.mean)
    return f"{number(found.mean)} ±{number(found.standard_error, small=True)}"
