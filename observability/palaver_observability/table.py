"""The results table, for people: means with their uncertainty, a block of lines for each pairing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_protocols.messages import Outcome

from .bounds import bounds_of, clipped
from .experiments import experiments, has_experiments
from .matrix import matrices
from .measures import told_once
from .stats import Estimate, Row, overall
from .writing import NONE, in_short, number

__all__ = ["PLAIN_WIDTH", "in_short", "print_results", "results_table"]

PLAIN_WIDTH = 100
"""Columns of the table where there is no terminal whose width could be asked."""


def print_results(
    rows: Sequence[Row], file: TextIO, *, main: Sequence[str] | None = None, by_episode: bool = False
) -> None:
    """Print the results table: in the width of a terminal, as plain text of :data:`PLAIN_WIDTH` columns elsewhere.

    Agents that have played several variants of a game have a table of their own, with a column a variant; with a line
    a variant where the game tells what was played from how well.

    Args:
        rows: what :func:`~palaver_observability.stats.summarize` returned.
        file: where to.
        main: scores to lead with, shown in full; None takes the first two that the game gives.
        by_episode: how variants are summed up (see :func:`~palaver_observability.stats.overall`).
    """
    console = Console(file=file, highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    narrow = console.width < PLAIN_WIDTH
    several = overall(rows, by_episode=by_episode)
    theirs = {(row.game, row.agents) for row in several}
    others = [row for row in rows if (row.game, row.agents) not in theirs]
    with console.capture() as captured:
        if others:
            console.print(results_table(others, main=main, plain=narrow or not console.is_terminal, narrow=narrow))
        for at, row in enumerate(several):
            if others or at:
                console.print()
            each = [one for one in rows if (one.game, one.agents) == (row.game, row.agents)]
            lay_out = experiments if has_experiments(row) else matrices
            for part in lay_out(each, row, main, console.width):
                console.print(part)
        if not rows:
            console.print("no episodes yet")
    file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def results_table(
    rows: Sequence[Row], *, main: Sequence[str] | None = None, plain: bool = False, narrow: bool = False
) -> Table:
    """Lay rows out as a table. ``n`` is what the scores are taken over; turns and tokens are means an episode.

    Intervals are shown no farther than a score can go. Episodes whose grader could not be read are counted below the
    outcomes. Where it is ``narrow`` (a terminal of 80
    columns), turns and tokens are left to ``summary.json``.
    """
    table = Table(box=None if plain else box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("game", overflow="fold", min_width=7)
    table.add_column("agents", overflow="fold", min_width=12)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("score", no_wrap=True)
    for name in ("mean", "SE", "95 % CI"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("outcomes",) if narrow else ("outcomes", "turns", "tokens"):
        table.add_column(name, justify="left" if name == "outcomes" else "right", no_wrap=True)
    for at, row in enumerate(rows):
        if at:
            table.add_row()
        table.add_row(*_cells(row, main)[: len(table.columns)])
    return table


def _cells(row: Row, main: Sequence[str] | None) -> tuple[Text, ...]:
    told = told_once([row.scores])
    leading = [name for name in (told[:2] if main is None else main) if name in row.scores]
    names = leading + [name for name in told if name not in leading]
    estimates = [row.scores[name] for name in names]
    in_full = len(leading)
    return (
        _lines((row.game, row.variant)),
        _lines(row.agents),
        Text(str(row.n)),
        _lines(names, in_full),
        _lines((number(found.mean) for found in estimates), in_full),
        _lines((number(found.standard_error, small=True) for found in estimates), in_full),
        _lines(_interval(name, row.scores[name]) for name in leading),
        _lines(_outcomes(row)),
        Text(number(row.turns)),
        Text(in_short(row.tokens.get("input", 0.0) + row.tokens.get("output", 0.0)) if row.n or row.ungraded else NONE),
    )


def _outcomes(row: Row) -> Iterator[str]:
    yield from (f"{row.outcomes[name]} {name}" for name in get_args(Outcome) if name in row.outcomes)
    if row.ungraded:
        yield f"{row.ungraded} ungraded"


def _lines(lines: Iterable[str], in_full: int | None = None) -> Text:
    """Put lines under each other, dimmed from ``in_full`` on. A Text, so that brackets in names stay brackets."""
    return Text("\n").join(
        Text(line, style="" if in_full is None or at < in_full else "dim") for at, line in enumerate(lines)
    )


def _interval(name: str, found: Estimate) -> str:
    low, high = (clipped(end, bounds_of(name)) for end in (found.ci_low, found.ci_high))
    return NONE if low is None or high is None else f"[{number(low)}, {number(high)}]"
