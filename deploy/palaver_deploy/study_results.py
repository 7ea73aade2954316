"""What a study came to, a line a run; and what one would take, before anything is played."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.bounds import bounds_of, clipped
from palaver_observability.folder import RunFolder
from palaver_observability.statistics.clemscore import episodes_of
from palaver_observability.stats import NOT_COUNTED, estimate, is_ungraded
from palaver_observability.stats import Estimate as Mean
from palaver_observability.writing import NONE
from palaver_protocols.runs import EpisodeRecord, RunConfig

from .configure import plan_of
from .dry_run import estimate_facts, tell_estimate
from .estimates import Estimate, estimate_run
from .leaderboard import board_table, boards
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
    games = {name: load_game(name) for name in dict.fromkeys(map(study.game_of, study.cells))}
    begun = [cell for cell in study.cells if (path / cell.folder).is_dir()]  # others come after where it was stopped
    results = [_result(path, cell, games[study.game_of(cell)].primary_score) for cell in begun]
    every = [record for result in results for record in result.records]
    found = boards(every, _paper(games.values()))
    if as_json:
        together = {"clemscore": [each.plain for each in found]} if found else {}
        print_json({"study": study.name, "folder": str(path), "cells": [each.plain for each in results], **together})
    else:
        names = list(dict.fromkeys(game.primary_score for game in games.values()))
        _print(_table(results, names[0] if len(names) == 1 else "primary score"))
        if found:
            click.echo()
            _print(board_table(found))
        for said in filter(None, (ends_in_words(every), cost_in_words(every))):
            click.echo(f"\n{said}")
        click.echo(f"\nstudy folder: {path}; look at it: palaver report {shlex.quote(str(path))}")
    return tell_errors(path, every)


@dataclass(frozen=True)
class _Result:
    """What a cell came to; ``score`` is what its game leads with, ``main`` the mean of it.

    ``played`` is the share of its episodes that were not aborted, where its game says so.
    """

    cell: Cell
    records: list[EpisodeRecord]
    n: int
    score: str
    main: Mean
    success: Mean
    played: Mean
    plain: dict[str, Any]

    @property
    def outcomes(self) -> str:
        """How its episodes ended."""
        return ", ".join(f"{count} {name}" for name, count in sorted(self.plain["outcomes"].items()))


def _result(path: Path, cell: Cell, main: str) -> _Result:
    records = RunFolder.open(path / cell.folder).records()
    counted = [record for record in records if record.outcome not in NOT_COUNTED and not is_ungraded(record)]
    scores = {name: estimate(record.scores.get(name) for record in counted) for name in (main, "success")}
    outcomes = Counter("ungraded" if is_ungraded(record) else record.outcome for record in records)
    plain = {"cell": cell.id, "n": len(counted), "outcomes": dict(outcomes), "scores": _plain(scores)}
    played = estimate(float(episode.played) for episode in episodes_of(record.scores for record in counted))
    return _Result(cell, records, len(counted), main, scores[main], scores["success"], played, plain)


def _table(results: Sequence[_Result], score: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    told = any(result.played.n for result in results)
    numbers = ("n", *(["% played"] if told else []), score)
    solved = [] if score == "success" else ["success"]
    for name in ("experiment", "", *numbers, "95 % CI", *solved, "outcomes"):
        table.add_column(name, justify="right" if name in (*numbers, "success") else "left", no_wrap=True)
    for result in results:
        played = NONE if result.played.mean is None else f"{100 * result.played.mean:.2f}"
        mean, interval = _numbers(result.main, result.score)
        table.add_row(
            result.cell.experiment,
            Text(", ".join(str(value) for value in result.cell.labels.values())),
            str(result.n),
            *([played] if told else []),
            mean,
            interval,
            *(_numbers(result.success, name)[0] for name in solved),
            result.outcomes,
        )
    return table


def _paper(games: Iterable[AnyGame]) -> Mapping[str, Any]:
    """Return what the study publishes of the first game that says which games are averaged together."""
    return next((found for game in games if "clemscore" in (found := game.published())), {})


def _print(table: Table) -> None:
    console = Console(file=sys.stdout, highlight=False, width=WIDE)
    with console.capture() as captured:
        console.print(table)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _plain(scores: Mapping[str, Mean]) -> dict[str, Any]:
    return {name: found.model_dump(mode="json") for name, found in scores.items()}


def _numbers(found: Mean, score: str) -> tuple[str, str]:
    """Write a mean, and its interval, no farther than the score can go."""
    if found.mean is None:
        return NONE, NONE
    low, high = (clipped(end, bounds_of(score)) for end in (found.ci_low, found.ci_high))
    return f"{found.mean:.2f}", NONE if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


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
    tell_estimate(whole)
    return 0
