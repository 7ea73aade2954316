"""Playing a study: its runs one after the other, in one folder, to be stopped and taken up at any time."""

import fcntl
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import yaml

from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_observability.files import replace_file, writing
from palaver_observability.folder import RunFolder
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import HOW, Prefix, RunConfig

from .beforehand import check_run
from .configure import configure, merged, new_folder, plan_of, tuned
from .exits import FAILED, after_signal, complain
from .instances import check_instances, settled
from .known import check_known
from .options import bus_is_chosen, check_cache, is_embedded, parse_settings
from .playing import play_watched
from .remarks import remarks_on, tell
from .results import sum_up
from .session import environment
from .studies import STUDY_FILE, Cell, Study, cells_of, read_study
from .study_results import print_study, show_plan
from .watching import Watch, metrics_served
from .way_back import broker_words

__all__ = ["resume_study", "run_study"]


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
    if episodes is None:
        study = _as_many_as_there_are(study, path)
    if dry_run:
        study = _joined(study, path)
        return show_plan(study, list(_runs(study, path)), as_json=as_json)
    _check(list(_runs(study, path)), broker, people=watch.pages is not None)
    with _alone(path):
        study = _joined(study, path)
        runs = list(_runs(study, path))
        _lay_out(path, study)
    _remark(runs, said.get("protocol"), quiet=watch.quiet)
    return _play(path, study, runs, broker=broker, watch=watch, as_json=as_json)


def resume_study(path: Path, given: Mapping[str, Any], *, broker: str, watch: Watch, as_json: bool) -> int:
    """Go on with the study in a folder; return the exit code.

    Raises:
        UsageError: its file is damaged, or an agent cannot be asked.
    """
    with _alone(path):
        study = read_study(path)
        runs = [run._replace(config=tuned(run.config, given)) for run in _runs(study, path)]
        if given:
            study = study.model_copy(update={"words": {**study.words, **given}})
            _lay_out(path, study)
    _check(runs, broker, people=watch.pages is not None)
    return _play(path, study, runs, broker=broker, watch=watch, as_json=as_json)


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
            "game": study.game_of(cell),
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


def _as_many_as_there_are(study: Study, path: Path) -> Study:
    """Let no cell play more episodes than its game has instances: those of a file, and of a dataset, end."""
    counted: dict[str, int] = {}
    cells = []
    for cell, game, config in _runs(study, path):
        same = json.dumps([game.name, config.options, config.seed, config.episodes])
        if same not in counted:
            options = game.configure(config.options)
            counted[same] = sum(1 for _ in islice(game.instances(options, config.seed), config.episodes))
        cells.append(cell.model_copy(update={"episodes": counted[same] or config.episodes}))
    return study.model_copy(update={"cells": tuple(cells)})


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
    how = {name: value for name, value in study.words.items() if name in HOW}
    there = there.model_copy(update={"words": {**there.words, **how}})
    usual = {name: value for name, value in there.words.items() if name in HOW}
    study = study.model_copy(update={"words": {**usual, **study.words}})
    same = study.model_copy(update={"cells": there.cells}) == there
    other = next((cell.id for cell in study.cells if cells.get(cell.id, cell) != cell), None)
    if not same or other:
        raise UsageError(
            f"{path} holds another study, or this one otherwise{f' ({other})' if other else ''}",
            mend=f"give another folder, or go on with: palaver resume {path}",
        )
    return study.model_copy(update={"cells": tuple({**cells, **{cell.id: cell for cell in study.cells}}.values())})


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from writing ``study.yaml`` while we read and write it."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / ".lock").open("w")
    with lock:
        with suppress(OSError):  # some file systems know no locks; there, nobody is kept apart
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
    watch: Watch,
    as_json: bool,
) -> int:
    embedded = is_embedded(broker)
    environ = environment()
    from .fleet import check_not_on_a_bus, through_bus

    resume = f"palaver resume {shlex.quote(str(path))}"
    left_out: list[str] = []
    with metrics_served(watch) as metrics:
        for number, (cell, game, config) in enumerate(runs, 1):
            planned = plan_of(game, config)
            if not watch.quiet:
                click.echo(f"[{number}/{len(runs)}] {cell.id}", err=True)
            if embedded and not bus_is_chosen() and (path / cell.folder).is_dir():
                check_not_on_a_bus(RunFolder.open(path / cell.folder))
            tight = _within_budget(path, study, cell, config)
            if tight is None:
                left_out.append(f"{cell.id}: the study's budget is spent")
                continue
            _check_like_the_others(path, runs, config, planned)
            folder = RunFolder.create(path / cell.folder, settled(tight, planned, path / cell.folder))
            try:
                if embedded:
                    stopped = play_watched(
                        game, folder, planned, environ=environ, watch=watch, metrics=metrics, cache=tight.cache
                    )
                else:
                    stopped = through_bus(broker, folder, planned, watch=watch)
            except UsageError as error:
                if cell.continues is None:
                    raise
                left_out.append(f"{cell.id}: {error.message}")  # what it continues was not played to its end
                continue
            if stopped:
                again = resume + (watch.again if embedded else broker_words(broker))
                note = f"stopped in {cell.id}; nothing that was answered is lost. Go on with: {again}"
                return complain(note, after_signal(stopped))
            records, _ = sum_up(folder)
            if records and all(record.outcome == "error" for record in records):
                left_out += [f"{other.cell.id}: not begun, since all of {cell.id} failed" for other in runs[number:]]
                break
    code = max(print_study(path, study, as_json=as_json), _tell_left_out(left_out, resume))
    if watch.pages is not None:
        from .run_pages import stay_with

        stay_with(watch.pages, path, environ)
    return code


def _check_like_the_others(path: Path, runs: Sequence[_Run], config: RunConfig, planned: Plan) -> None:
    """Make sure that a run has the instances of the others that play the same, whoever plays.

    Raises:
        UsageError: its files have changed since these were planned.
    """
    what = ("game", "options", "seed", "episodes")
    for cell, _, other in runs:
        alike = all(getattr(other, name) == getattr(config, name) for name in what)
        if alike and (path / cell.folder / "config.yaml").is_file():
            check_instances(RunFolder.open(path / cell.folder).config, planned)


def _within_budget(path: Path, study: Study, cell: Cell, config: RunConfig) -> RunConfig | None:
    """Give a run what the others have left of the study's budget; None if that is nothing."""
    tokens, usd = config.budget_tokens, config.budget_usd
    if tokens is None and usd is None:
        return config
    for other in study.cells:
        if other.id != cell.id and (path / other.folder).is_dir():
            for record in RunFolder.open(path / other.folder).records():
                if tokens is not None:
                    tokens -= record.tokens
                if usd is not None:
                    usd -= record.cost_usd or 0.0
    if (tokens is not None and tokens <= 0) or (usd is not None and usd <= 0):
        return None
    return config.model_copy(update={"budget_tokens": tokens, "budget_usd": usd})


def _tell_left_out(left_out: Sequence[str], resume: str) -> int:
    """Say which runs were not played, and why the first one was not; return the exit code."""
    if not left_out:
        return 0
    return complain(f"{len(left_out)} runs were left out, the first: {left_out[0]} (go on with: {resume})", FAILED)


def _remark(runs: Sequence[_Run], protocol: str | None, *, quiet: bool) -> None:
    """Say once what holds of several runs."""
    environ = environment()
    plans = [(game, config, plan_of(game, config.model_copy(update={"episodes": 1}))) for _, game, config in runs]
    tell(
        [remark for each in plans for remark in remarks_on(*each, environ, protocol)],
        quiet=quiet,
    )


def _check(runs: Sequence[_Run], broker: str, *, people: bool) -> None:
    """Make sure that everybody can be asked, before anybody is; ``people`` says whether people can sit down.

    Raises:
        UsageError: somebody cannot; says who and why.
    """
    embedded = is_embedded(broker)
    check_cache(cache=any(run.config.cache for run in runs), embedded=embedded)
    environ = environment()
    asked: set[str] = set()
    for _, game, config in runs:
        planned = plan_of(game, config.model_copy(update={"episodes": min(config.episodes, game.usual.episodes)}))
        check_run(game, config, planned, environ, embedded=embedded, people=people)
        asked.update(planned.agents)
    if not embedded:
        check_known(broker, asked)
