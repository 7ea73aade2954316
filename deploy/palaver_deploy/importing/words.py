"""What an import came to, in words and numbers."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_observability.writing import counted

from .runs import Imported, Status, Told

__all__ = ["plain", "print_imported"]

WIDE = 200
"""Columns of the table where there is no terminal whose width could be asked."""

SHOWN = 12
"""Episodes of a kind that are named; all of them are in ``import.json``."""

MEANING: dict[Status, str] = {
    "different": "not as recorded",
    "incomplete": "with answers that end before the game does; counted nowhere",
    "unreadable": "that cannot be read",
    "unscored": "without scores to compare with",
    "not played": "without interactions.json: v1.6.5 leaves none where its programs raise; counted nowhere",
}
"""What there is to say of episodes that were not found equal."""

NAMED: tuple[Status, ...] = ("different", "incomplete", "unreadable")
"""Those that are named one by one."""


def plain(imported: Imported, root: Path, out: Path) -> dict[str, Any]:
    """Return it all as JSON has it."""
    return {
        "schema": "palaver.import/1.0",
        "from": str(root),
        "folder": str(out),
        "runs": [{"id": cell.id, "folder": cell.folder, "episodes": cell.episodes} for cell in imported.cells],
        "counts": {status: imported.count(status) for status in get_args(Status)},
        "skipped games": imported.skipped,
        "episodes": [told.plain for told in imported.told],
    }


def print_imported(imported: Imported, folder: Path, out: Path) -> None:
    """Print a line a run, then whatever is not as it should be."""
    known = sum(told.known for told in imported.told)
    before = f", {known:,} imported before" if known else ""
    click.echo(f"{counted(len(imported.told), 'episode')} of clembench in {folder}{before}")
    if imported.told:
        click.echo()
        _print(_table(imported))
    for status, meaning in MEANING.items():
        told = [each for each in imported.told if each.status == status]
        if told:
            click.echo(f"\n{counted(len(told), 'episode')} {meaning}{':' if status in NAMED else ''}")
            if status in NAMED:
                for line in _lines(told):
                    click.echo(line)
    remarks = Counter(remark.partition(", the first")[0] for told in imported.told for remark in told.remarks)
    for remark, count in remarks.most_common(SHOWN):
        click.echo(f"\n{counted(count, 'episode')}: {remark}")
    if imported.skipped:
        games = ", ".join(f"{game} ({count:,})" for game, count in sorted(imported.skipped.items()))
        click.echo(f"\n{counted(sum(imported.skipped.values()), 'episode')} of other games, left out: {games}")
    if imported.cells:
        what = "run" if imported.alone else "study"
        click.echo(f"\n{what} folder: {out}; look at it: palaver report {shlex.quote(str(out))}")


def _lines(told: list[Told]) -> Iterator[str]:
    for each in told[:SHOWN]:
        yield f"  {each.source}: {'; '.join(each.why)}"
    if len(told) > SHOWN:
        yield f"  ... and {len(told) - SHOWN:,} more, in import.json"


def _table(imported: Imported) -> Table:
    columns = [status for status in get_args(Status) if imported.count(status)]
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("run", overflow="fold")  # models' names are long, and the counts are what is looked for
    for name in ("episodes", *columns):
        table.add_column(name, justify="right", no_wrap=True, min_width=len(name))
    for run in dict.fromkeys(told.run for told in imported.told):
        counts = [imported.count(status, run) for status in columns]
        table.add_row(Text(run), str(sum(counts)), *map(str, counts))
    return table


def _print(table: Table) -> None:
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = WIDE
    with console.capture() as captured:
        console.print(table)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())
