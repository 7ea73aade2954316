"""What a study came to, a line a run; and what one would take, before anything is played."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_observability.stats import Estimate as Mean
from palaver_observability.stats import estimate, is_ungraded
from palaver_protocols.messages import OWED
from palaver_protocols.runs import EpisodeRecord, RunConfig

from .configure import plan_of
from .dry_run import DONE, estimate_facts, estimate_notes, estimate_rows
from .estimates import Estimate, estimate_run
from .models import check_scripts
from .options import print_json
from .results import cost_in_words, ends_in_words, tell_errors
from .session import environment
from .studies import Cell, Study

__all__ = ["print_study", "show_plan"]

WIDE = 200
"""Columns of the table at most: agents' names are long, and a row that is broken is not read."""


def print_study(path: Path, study: Study, *, as_json: bool) -> int:
    """Print a line a cell, and where to look; return the exit code."""
    main = load_game(study.game).primary_score
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("experiment", "", "n", main, "95 % CI", "success", "outcomes"):
        table.add_column(name, justify="right" if name in ("n", main, "success") else "left", no_wrap=True)
    rows: list[dict[str, Any]] = []
    every: list[EpisodeRecord] = []
    for cell in study.cells:
        if not (path / cell.folder).is_dir():  # stopped before it
            continue
        records = RunFolder.open(path / cell.folder).records()
        played = [record for record in records if record.outcome not in OWED and not is_ungraded(record)]
        every += records
        scores = {name: estimate(record.scores.get(name) for record in played) for name in (main, "success")}
        outcomes: dict[str, int] = {}
        for record in records:
            what = "ungraded" if is_ungraded(record) else record.outcome
            outcomes[what] = outcomes.get(what, 0) + 1
        rows.append({"cell": cell.id, "n": len(played), "outcomes": outcomes, "scores": _plain(scores)})
        table.add_row(
            cell.experiment,
            Text(", ".join(str(value) for value in cell.labels.values())),
            str(len(played)),
            *_numbers(scores[main]),
            _numbers(scores["success"])[0],
            ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())),
        )
    if as_json:
        print_json({"study": study.name, "folder": str(path), "cells": rows})
    else:
        console = Console(file=sys.stdout, highlight=False, width=WIDE)
        with console.capture() as captured:
            console.print(table)
        sys.stdout.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())
        for said in filter(None, (ends_in_words(every), cost_in_words(every))):
            click.echo(f"\n{said}")
        click.echo(f"\nstudy folder: {path}; look at it: palaver report {shlex.quote(str(path))}")
    return tell_errors(path, every)


def _plain(scores: Mapping[str, Mean]) -> dict[str, Any]:
    return {name: found.model_dump(mode="json") for name, found in scores.items()}


def _numbers(found: Mean) -> tuple[str, str]:
    if found.mean is None:
        return "-", "-"
    low, high = found.ci_low, found.ci_high
    return f"{found.mean:.2f}", "-" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def show_plan(study: Study, runs: Sequence[tuple[Cell, AnyGame, RunConfig]], *, as_json: bool) -> int:
    """Say what a study would play, and about what it would take; ask nobody, create nothing."""
    environ = environment()
    rows: list[dict[str, Any]] = []
    whole: Estimate | None = None
    for cell, game, config in runs:
        planned = plan_of(game, config.model_copy(update={"episodes": min(config.episodes, game.usual.episodes)}))
        check_scripts(game, planned.agents)
        estimate = estimate_run(game, config, planned, environ)
        whole = estimate if whole is None else whole + estimate
        rows.append(
            {
                "cell": cell.id,
                "agents": list(config.agents),
                "episodes": config.episodes,
                **estimate_facts(estimate),
            }
        )
    assert whole is not None, "a study has cells"
    if as_json:
        print_json({"study": study.name, "cells": rows, **estimate_facts(whole)})
        return 0
    for row in rows:
        click.echo(f"{row['cell']:<60} {row['episodes']:>6,} episodes, at most {row['calls_at_most']:>9,} calls")
    click.echo(f"\n{len(rows)} runs")
    for name, value in estimate_rows(whole):
        click.echo(f"{name:<10} {value}")
    click.echo()
    for note in estimate_notes(whole):
        click.echo(note)
    click.echo(DONE)
    return 0
