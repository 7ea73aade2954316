"""Results of clembench become run folders of ours: one for each game and who played it, together a study's folder.

Where there is but one, it is the folder.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml

from palaver_deploy.results import sum_up
from palaver_deploy.studies import STUDY_FILE, Cell, Study, read_study
from palaver_gamemasters.bugs import bug_in_words
from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.records import events_of, scores_of
from palaver_gamemasters.registry import game_names, load_game
from palaver_observability.files import replace_file, writing
from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.messages import LogEntry, Sampling, TurnTaken
from palaver_protocols.runs import EpisodeRecord, RunConfig

from .files import Found, Models, Sources, json_of
from .logs import Played, agents_of, play_again, verdict_of

__all__ = ["Imported", "Told", "import_all", "lay_out"]

UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
AT_ONCE = 32
"""Logs that are written at the same time."""

Status = Literal["equal", "different", "unscored", "incomplete", "not played", "unreadable"]


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one episode: where it was read, which episode of which run it has become, and what is to be said."""

    source: str
    run: str
    status: Status
    episode: str | None = None
    why: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    known: bool = False
    """It had been imported before."""

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        said = {"source": self.source, "run": self.run, "episode": self.episode, "status": self.status}
        return {**said, "why": list(self.why), "remarks": list(self.remarks), "already there": self.known}


@dataclass(slots=True)
class Imported:
    """What came of a folder: every episode, those of games that we do not play by game, and the runs in their order.

    ``alone``: there is but one run, and its folder is no study's.
    """

    told: list[Told] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    alone: bool = False

    def count(self, status: Status, run: str | None = None) -> int:
        """Count the episodes that something came of."""
        return sum(told.status == status for told in self.told if run in (None, told.run))


def import_all(
    found: Sequence[Found], root: Path, out: Path, sources: Sources, watch: Callable[[EpisodeRecord | None], None]
) -> Imported:
    """Import episodes into a folder.

    Args:
        found: the episodes of a results folder.
        root: that folder.
        out: where the runs go.
        sources: where instances come from.
        watch: told of each episode; None is one of which nothing came.

    Raises:
        UsageError: the folder holds something else, or another record of the same episode.
    """
    imported = Imported()
    known = set(game_names())
    runs: list[tuple[ClemGame[Any, Any], list[Found]]] = []
    for _, group in groupby(found, lambda each: (each.above, each.models, each.game)):
        episodes = list(group)
        name = episodes[0].game
        game = load_game(name) if name in known else None
        if isinstance(game, ClemGame):
            runs.append((game, episodes))
            continue
        imported.skipped[name] = imported.skipped.get(name, 0) + len(episodes)
        for _ in episodes:
            watch(None)
    imported.alone = len(runs) == 1 and not (out / STUDY_FILE).exists()
    if not imported.alone and (out / "config.yaml").exists():
        raise UsageError(f"{out} holds one run, and these are {len(runs)}", mend="give another folder: --out")
    where = _Place(root, out, sources, imported.alone)
    for game, episodes in runs:
        _Run(game, episodes[0], where).take(episodes, imported, watch)
    return imported


class _Place(NamedTuple):
    """Where results come from, and where runs go: ``out`` is the run's own folder where it is ``alone``."""

    root: Path
    out: Path
    sources: Sources
    alone: bool

    def of(self, path: Path) -> str:
        """Name a path below the results."""
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()


class _Run:
    """The episodes of one game and the same players; ``first`` is one of them."""

    def __init__(self, game: ClemGame[Any, Any], first: Found, where: _Place) -> None:
        who = Models.of(first.models)
        agents = agents_of(game, who)
        below = where.of(first.above)
        place = [below] if first.above.is_relative_to(where.root) and below != "." else []
        labels: dict[str, str | int | float] = {"model": agents[0]}
        if len(set(agents)) > 1:
            labels = {"first": agents[0], "second": agents[1]}
        if place:
            labels["results"] = below
        name = "--".join([UNSAFE.sub("-", part).strip("-.") for part in (*place, first.models, game.name)])
        self.cell = Cell(
            id="/".join([*place, first.models, game.name]),
            experiment=game.name,
            game=game.name,
            labels=labels,
            folder="." if where.alone else f"runs/{name}",
            agents=",".join(agents),
            episodes=1,
        )
        self._game, self._where = game, where
        self._path = where.out / self.cell.folder
        self._config = RunConfig(
            run_id=where.out.absolute().name if where.alone else f"{where.out.absolute().name}.{name}",
            game=game.name,
            agents=agents,
            options=game.configure({}).model_dump(mode="json"),
            protocol=game.usual.protocol,
            sampling=Sampling(temperature=who.temperature),
        )
        self._logs: dict[str, Sequence[LogEntry]] = {}
        self._new: dict[str, Played] = {}

    def take(
        self, episodes: Iterable[Found], imported: Imported, watch: Callable[[EpisodeRecord | None], None]
    ) -> None:
        """Import them all.

        Raises:
            UsageError: the folder holds another run, or another record of the same episode.
        """
        there: dict[str, EpisodeRecord] = {}
        if (self._path / "config.yaml").exists():
            folder = RunFolder.open(self._path)
            self._config = self._config.model_copy(update={"episodes": folder.config.episodes})
            there = {record.episode_id: record for record in folder.records()}
            self._logs = {episode_id: folder.read_log(episode_id) for episode_id in folder.episode_ids_with_logs()}
        for found in episodes:
            told = self._one(found)
            imported.told.append(told)
            log = self._logs.get(told.episode or "", ())
            watch(record_of(log) if log else None)
        if not self._logs:
            return
        records = [there.get(episode_id) or record_of(log) for episode_id, log in self._logs.items()]
        asyncio.run(self._write(records))
        sum_up(RunFolder.open(self._path))
        self.cell = self.cell.model_copy(update={"episodes": len(records)})
        imported.cells.append(self.cell)

    def _one(self, found: Found) -> Told:
        source = self._where.of(found.path)
        try:
            return self._read(found, source)
        except PalaverError as error:
            why = str(error).replace(f"{found.path}/", "").replace(str(found.path), "it")
            return Told(source, self.cell.id, "unreadable", why=(why,))
        except Exception as error:  # what one record brings out in a game must not hide the others
            return Told(source, self.cell.id, "unreadable", why=(bug_in_words(found.game, found.experiment, error),))

    def _read(self, found: Found, source: str) -> Told:
        instance = self._where.sources.instance(self._game, found)
        recorded = found.path / "interactions.json"
        if not recorded.exists():
            return Told(source, self.cell.id, "not played")
        try:
            events = events_of(json_of(recorded))
        except UsageError as error:
            raise UsageError(_named(recorded, error), mend=error.mend) from error
        episode_id = f"{found.game}-{instance.name}-{found.number:05d}"
        played = play_again(self._game, self._config, episode_id, instance, events)
        known = episode_id in self._logs
        if known and _said(self._logs[episode_id]) != _said(played.entries):
            raise UsageError(
                f"{episode_id} is there already, and was played otherwise", mend="import it into another folder"
            )
        if not known:
            self._logs[episode_id] = played.entries
            self._new[episode_id] = played
        file = found.path / "scores.json"
        try:
            scores = scores_of(json_of(file)) if file.exists() else None
        except UsageError as error:  # the answers are there all the same
            why = _named(file, error).replace(f"{found.path}/", "")
            return Told(source, self.cell.id, "unreadable", episode_id, (why,), known=known)
        verdict = verdict_of(self._game, played, events, scores)
        return Told(source, self.cell.id, verdict.status, episode_id, verdict.differences, verdict.remarks, known)

    async def _write(self, records: Sequence[EpisodeRecord]) -> None:
        async with RunFolder.create(self._path, self._config) as folder:
            pictures = {data for played in self._new.values() for data in played.pictures}
            for data in pictures:
                await folder.blobs.put(data)
            new = list(self._new.items())
            for at in range(0, len(new), AT_ONCE):
                written = (folder.write_log(name, played.entries) for name, played in new[at : at + AT_ONCE])
                await asyncio.gather(*written)
            if self._new:
                folder.rewrite(records)
            if len(records) != self._config.episodes:
                _recount(folder.path / "config.yaml", len(records))


def _named(file: Path, error: UsageError) -> str:
    return error.message if str(file) in error.message else f"{file}: {error.message}"


def _said(entries: Iterable[LogEntry]) -> list[tuple[str, str]]:
    return [(entry.reply.seat, entry.reply.text) for entry in entries if isinstance(entry, TurnTaken)]


def _recount(file: Path, episodes: int) -> None:
    """Say in a run's configuration how many episodes it has come to have."""
    with writing(file):
        words = yaml.safe_load(file.read_bytes())
        text = yaml.safe_dump({**words, "episodes": episodes}, sort_keys=False, allow_unicode=True)
        replace_file(file, text.encode())


def lay_out(out: Path, root: Path, cells: Sequence[Cell]) -> None:
    """Write ``study.yaml``, joined with what was imported before.

    Raises:
        UsageError: it cannot be written, or the one that is there is damaged.
    """
    before = read_study(out) if (out / STUDY_FILE).exists() else None
    joined = {cell.id: cell for cell in (*(before.cells if before else ()), *cells)}
    about = before.about if before else f"imported from results of clembench ({root.name})"
    study = Study(name=before.name if before else out.absolute().name, about=about, cells=tuple(joined.values()))
    with writing(out):
        text = yaml.safe_dump(study.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
        replace_file(out / STUDY_FILE, text.encode())
