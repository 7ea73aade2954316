"""The results of agents that have played several variants of a game: measures under each other, a column a variant."""

from collections.abc import Iterator, Sequence
from typing import get_args

from rich.table import Table
from rich.text import Text

from palaver_protocols.messages import Outcome

from .stats import NOT_COUNTED, OVERALL, Estimate, Row
from .writing import NONE, in_short, number

__all__ = ["GAP", "apart", "foot", "matrices"]

GAP = 1
"""Columns between columns."""


def matrices(rows: Sequence[Row], overall: Row, main: Sequence[str] | None, width: int) -> Iterator[Table | Text]:
    """Lay the rows of some agents out, one a variant, with their sum in the last column.

    Standard errors stand below the means. Where not all columns have room beside each other, those that have none
    follow below, under the same names of measures.

    Args:
        rows: of one game and the same agents, one a variant.
        overall: their sum.
        main: scores to lead with; None takes the first two that the game gives.
        width: columns of the terminal.
    """
    first = list(overall.scores)[:2] if main is None else [name for name in main if name in overall.scores]
    names = first + [name for name in overall.scores if name not in first]
    measures = ["n", *(["not counted"] if any(map(apart, rows)) else []), *names]
    columns = [(row.variant, _column(row, measures)) for row in rows]
    columns.append((OVERALL, _column(overall, measures)))
    yield Text(f"{overall.game}: {', '.join(overall.agents)}", style="bold")
    labels = max(map(len, measures)) + GAP
    widths = [max(map(len, [head, *_lines(cells)])) + GAP for head, cells in columns]
    for number_of, chunk in enumerate(_chunks(widths, width - labels)):
        if number_of:
            yield Text()
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
        table.add_column("", no_wrap=True)
        for at in chunk:
            table.add_column(columns[at][0], justify="right", no_wrap=True)
        for down, measure in enumerate(measures):
            style = "" if measure in first else "dim"
            table.add_row(Text(measure, style=style), *(Text(columns[at][1][down], style=style) for at in chunk))
        yield table
    yield Text(foot(overall))


def _column(row: Row, measures: Sequence[str]) -> list[str]:
    facts = {"n": str(row.n), "not counted": str(apart(row))}
    return [facts[name] if name in facts else _mean(row.scores.get(name)) for name in measures]


def _mean(found: Estimate | None) -> str:
    """Write a mean, and its standard error below it; nothing for a measure that does not vary."""
    if found is None or found.mean is None:
        return NONE
    if not found.standard_error:
        return number(found.mean)
    return f"{number(found.mean)}\n±{number(found.standard_error, small=True).removeprefix('0')}"


def _lines(cells: Sequence[str]) -> list[str]:
    return [line for cell in cells for line in cell.splitlines()]


def _chunks(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Divide columns into as few lines of columns as have room, of about the same number each."""
    lines = _filled(widths, room)
    even = -(-len(widths) // len(lines))
    evenly = [list(range(at, min(at + even, len(widths)))) for at in range(0, len(widths), even)]
    yield from evenly if all(sum(widths[at] for at in line) <= room + GAP for line in evenly) else lines


def _filled(widths: Sequence[int], room: int) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = 0
    for at, wide in enumerate(widths):
        if lines[-1] and used + wide > room + GAP:  # the last column needs no gap after it
            lines.append([])
            used = 0
        lines[-1].append(at)
        used += wide
    return lines


def apart(row: Row) -> int:
    """Return how many episodes count in no mean."""
    return row.ungraded + sum(row.outcomes.get(name, 0) for name in get_args(Outcome) if name in NOT_COUNTED)


def foot(row: Row) -> str:
    """Say how episodes ended, and what one takes."""
    outcomes = [f"{row.outcomes[name]} {name}" for name in get_args(Outcome) if name in row.outcomes]
    outcomes += [f"{row.ungraded} ungraded"] if row.ungraded else []
    if row.turns is None:
        return ", ".join(outcomes)
    tokens = in_short(row.tokens.get("input", 0.0) + row.tokens.get("output", 0.0))
    return f"{', '.join(outcomes)}; an episode: {number(row.turns)} turns, {tokens} tokens"
