"""Playing a study: its runs one after the other, in one folder, to be stopped and taken up at any time."""

import asyncio
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import yaml
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.files import replace_file, writing
from palaver_observability.folder import RunFolder
from palaver_observability.stats import Estimate as Mean
from palaver_observability.stats import estimate
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import OWED
from palaver_protocols.runs import Prefix, RunConfig

from .configure import configure, merged, new_folder, plan_of, tuned
from .dry_run import DONE, estimate_facts, estimate_notes, estimate_rows
from .estimates import Estimate, estimate_run
from .exits import FAILED, after_signal, complain
from .models import check_agents, check_prices, check_scripts
from .options import is_embedded, parse_settings, print_json
from .playing import play_watched
from .results import sum_up
from .session import environment
from .studies import STUDY_FILE, Cell, Study, cells_of, read_study
from .watching import Watch, metrics_served

__all__ = ["print_study", "resume_study", "run_study"]

WIDE = 200
"""Columns of the table at most: agents' names are long, and a row that is broken is not read."""


class _Run(NamedTuple):
    """One run of a study: its cell, its game, its configuration."""

    cell: Cell
    game: AnyGame
    config: RunConfig


def run_study(
    what: str,
    words: Mapping[str, Any],
    given: Mapping[str, Any],
    only: str | None,
    *,
    out: Path | None,
    broker: str,
    cache: bool,
    dry_run: bool,
    watch: Watch,
    as_json: bool,
) -> int:
    """Play a study from its file; return the exit code.

    Raises:
        UsageError: the study makes no sense, an agent cannot be asked, or the folder holds something else.
    """
    name = Path(what).stem
    said = {key: value for key, value in given.items() if value is not None}
    if "agents" in said or "prefix" in said:
        raise UsageError(f"{name} is a study, and says itself who plays", mend="use --set models=A,B")
    settings = parse_settings(said.pop("settings", ()))
    episodes = said.pop("episodes", None)
    chosen = [each.strip() for each in only.split(",")] if only else []
    study = cells_of(name, {**words, **_shared(words, said)}, settings, only=chosen, episodes=episodes)
    path = out or new_folder(name)
    study = _joined(study, path)
    runs = list(_runs(study, path))
    if dry_run:
        return _show(study, runs, as_json=as_json)
    _lay_out(path, study)
    return _play(path, study, runs, broker=broker, cache=cache, watch=watch, as_json=as_json)


def resume_study(path: Path, given: Mapping[str, Any], *, broker: str, cache: bool, watch: Watch, as_json: bool) -> int:
    """Go on with the study in a folder; return the exit code.

    Raises:
        UsageError: its file is damaged, or an agent cannot be asked.
    """
    study = read_study(path)
    runs = [run._replace(config=tuned(run.config, given)) for run in _runs(study, path)]
    return _play(path, study, runs, broker=broker, cache=cache, watch=watch, as_json=as_json)


def _shared(words: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the study's words for all of its runs with the command line's."""
    usual = {key: words[key] for key in ("sampling",) if key in words}
    both = merged({**usual, **{key: value for key, value in words.items() if key in said}}, said)
    return {key: value for key, value in both.items() if key != "options"}


def _runs(study: Study, path: Path) -> Iterator[_Run]:
    """Yield the run of each cell, its configuration checked before anything is played."""
    folders = {cell.id: cell.folder for cell in study.cells}
    home = path.absolute()
    for cell in study.cells:
        words: dict[str, Any] = {
            **study.words,
            "game": study.game,
            "agents": cell.agents,
            "options": cell.options,
            "run_id": _run_id(home, cell.folder),
        }
        if cell.episodes is not None:
            words["episodes"] = cell.episodes
        if cell.continues is not None:
            base = folders[cell.continues]
            words["prefix"] = Prefix(folder=str(home / base), run_id=_run_id(home, base), turns=cell.turns or 1)
        yield _Run(cell, *configure(words, path / cell.folder))


def _run_id(home: Path, folder: str) -> str:
    """Name a run so that no other study on a bus has it."""
    return f"{home.name}.{Path(folder).name}"


def _joined(study: Study, path: Path) -> Study:
    """Join a study with the one that its folder holds already: the same one, of which other experiments were played.

    Raises:
        UsageError: the folder holds another study, or this one otherwise.
    """
    if not (path / STUDY_FILE).exists():
        return study
    there = read_study(path)
    cells = {cell.id: cell for cell in there.cells}
    same = study.model_copy(update={"cells": there.cells}) == there
    other = next((cell.id for cell in study.cells if cells.get(cell.id, cell) != cell), None)
    if not same or other:
        raise UsageError(
            f"{path} holds another study, or this one otherwise{f' ({other})' if other else ''}",
            mend=f"give another folder, or go on with: palaver resume {path}",
        )
    return study.model_copy(update={"cells": tuple({**cells, **{cell.id: cell for cell in study.cells}}.values())})


def _lay_out(path: Path, study: Study) -> None:
    """Write ``study.yaml``."""
    file = path / STUDY_FILE
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        if not file.exists() and (
            names := sorted(each.name for each in path.iterdir() if not each.name.startswith("."))
        ):
            raise UsageError(f"{path} is no study's folder and not empty ({names[0]})", mend="give a new folder")
        replace_file(file, yaml.safe_dump(study.model_dump(mode="json"), sort_keys=False, allow_unicode=True).encode())


def _play(
    path: Path,
    study: Study,
    runs: Sequence[_Run],
    *,
    broker: str,
    cache: bool,
    watch: Watch,
    as_json: bool,
) -> int:
    embedded = is_embedded(broker)
    environ = environment()
    if embedded:
        asyncio.run(_check(runs, environ))
    resume = f"palaver resume {shlex.quote(str(path))}"
    with metrics_served(watch) as metrics:
        for number, (cell, game, config) in enumerate(runs, 1):
            planned = plan_of(game, config)
            if not watch.quiet:
                click.echo(f"[{number}/{len(runs)}] {cell.id}", err=True)
            folder = RunFolder.create(path / cell.folder, config)
            if embedded:
                stopped = play_watched(
                    game, folder, planned, environ=environ, watch=watch, metrics=metrics, cache=cache
                )
            else:
                from .fleet import through_bus

                stopped = through_bus(broker, folder, planned, watch=watch)
            if stopped:
                again = resume if embedded else f"{resume} --broker {shlex.quote(broker)}"
                note = f"stopped in {cell.id}; nothing that was answered is lost. Go on with: {again}"
                return complain(note, after_signal(stopped))
            sum_up(folder)
    return print_study(path, study, as_json=as_json)


async def _check(runs: Sequence[_Run], environ: Mapping[str, str]) -> None:
    """Make sure that everybody can be asked, before anybody is."""
    for _, game, config in runs:
        one = config.model_copy(update={"episodes": 1})
        agents = plan_of(game, one).agents
        check_prices(config, agents, environ)
        await check_agents(game, agents, environ)


def print_study(path: Path, study: Study, *, as_json: bool) -> int:
    """Print a line a cell, and where to look; return the exit code."""
    main = load_game(study.game).primary_score
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("experiment", "", "n", main, "95 % CI", "success", "outcomes"):
        table.add_column(name, justify="right" if name in ("n", main, "success") else "left", no_wrap=True)
    rows, errors = [], 0
    for cell in study.cells:
        if not (path / cell.folder).is_dir():  # stopped before it
            continue
        records = RunFolder.open(path / cell.folder).records()
        played = [record for record in records if record.outcome not in OWED]
        errors += sum(record.outcome == "error" for record in records)
        scores = {name: estimate(record.scores.get(name) for record in played) for name in (main, "success")}
        outcomes: dict[str, int] = {}
        for record in records:
            outcomes[record.outcome] = outcomes.get(record.outcome, 0) + 1
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
        click.echo(f"\nstudy folder: {path}; look at it: palaver report {shlex.quote(str(path))}")
    if errors:
        again = f"palaver resume {shlex.quote(str(path))}"
        return complain(f"{errors} episodes ended with errors; play them again with: {again}", FAILED)
    return 0


def _plain(scores: Mapping[str, Mean]) -> dict[str, Any]:
    return {name: found.model_dump(mode="json") for name, found in scores.items()}


def _numbers(found: Mean) -> tuple[str, str]:
    if found.mean is None:
        return "-", "-"
    low, high = found.ci_low, found.ci_high
    return f"{found.mean:.2f}", "-" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _show(study: Study, runs: Sequence[_Run], *, as_json: bool) -> int:
    """Say what a study would play, and about what it would take; ask nobody, create nothing."""
    environ = environment()
    rows: list[dict[str, Any]] = []
    whole: Estimate | None = None
    for cell, game, config in runs:
        planned = plan_of(game, config.model_copy(update={"episodes": 1}))
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
