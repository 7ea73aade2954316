"""What is exported: run folders, and those of studies, with what is known of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from palaver_deploy.studies import STUDY_FILE, read_study, runs_in
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_observability.records import place_of
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord

__all__ = ["Source", "game_of", "sources_in", "spread"]


CONFIG_FILE = "config.yaml"


@dataclass(frozen=True, slots=True)
class Source:
    """A run that is exported.

    ``written`` is all that its ``config.yaml`` holds, ``records`` are its episodes that have ended, in the order in
    which they were planned, ``left_out`` counts those that have begun and have not. ``study``, ``experiment`` and
    ``labels`` are its place in a study, if it has one. ``name`` is its folder's, or its id where two have one name.
    """

    name: str
    run: RunFolder
    written: Mapping[str, Any]
    records: tuple[EpisodeRecord, ...]
    left_out: int
    study: str | None = None
    experiment: str | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)


def spread(folders: Sequence[Path]) -> list[Path]:
    """Return folders of runs and studies; one that holds several of these, as `runs` does, stands for all of them."""
    found: list[Path] = []
    for folder in folders:
        is_one = _is_run_or_study(folder) or not folder.is_dir()
        found += [folder] if is_one else [*filter(_is_run_or_study, sorted(folder.iterdir()))] or [folder]
    return found


def _is_run_or_study(folder: Path) -> bool:
    return (folder / CONFIG_FILE).is_file() or (folder / STUDY_FILE).is_file()


def sources_in(folders: Sequence[Path]) -> list[Source]:
    """Open runs, or all runs of studies that have been begun.

    Raises:
        UsageError: one of them is neither; two runs have one name; or no episode of any has ended.
        ProtocolError: a line of their episodes is damaged.
    """
    found: dict[Path, Source] = {}
    for folder in folders:
        for source in _sources(folder):
            found.setdefault(source.run.path.resolve(), source)
    sources = list(found.values())
    ids = Counter(source.run.config.run_id for source in sources)
    if twice := [id_ for id_, times in ids.items() if times > 1]:
        raise UsageError(f"two of these runs are called {twice[0]}", mend="export them one by one")
    if not any(source.records for source in sources):
        raise UsageError(f"{folders[0]} has no episodes that have ended", mend="play it to its end: palaver resume")
    names = Counter(source.name for source in sources)
    return [source if names[source.name] == 1 else replace(source, name=source.run.config.run_id) for source in sources]


def _sources(folder: Path) -> list[Source]:
    if not (folder / STUDY_FILE).is_file():
        return [_source(path) for path in runs_in(folder)]
    study = read_study(folder)
    cells = {folder / cell.folder: cell for cell in study.cells}
    return [
        _source(path, study.name, cells[path].experiment, cells[path].labels)
        for path in runs_in(folder)
        if (path / CONFIG_FILE).exists()
    ]


def _source(
    path: Path, study: str | None = None, experiment: str | None = None, labels: Mapping[str, Any] | None = None
) -> Source:
    run = RunFolder.open(path)
    written = yaml.safe_load((path / CONFIG_FILE).read_bytes())
    records = tuple(sorted(run.records(), key=lambda record: place_of(record.episode_id)))
    known = {record.episode_id for record in records}
    left_out = sum(episode_id not in known for episode_id in run.episode_ids_with_logs())
    return Source(path.resolve().name, run, written, records, left_out, study, experiment, labels or {})


def game_of(source: Source) -> AnyGame | None:
    """Return the game of a run; None where it is not installed here: its logs can be read all the same."""
    try:
        return load_game(source.run.config.game)
    except UsageError:
        return None
