"""Runs of ours written as a folder of clembench's results."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from palaver_deploy.studies import runs_in
from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.pictures import load
from palaver_gamemasters.registry import load_game
from palaver_observability.files import writing
from palaver_observability.folder import RunFolder
from palaver_observability.records import ended_for_good
from palaver_observability.writing import counted
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import EpisodeStarted

from .files import documents, models_folder

__all__ = ["Exported", "export_all"]

ELSEWHERE = "../clembench/"
"""What newer instances put before the names of pictures: they are played beside a checkout."""


@dataclass(slots=True)
class Exported:
    """What was written: episodes, of which games, and what there is to say about it."""

    episodes: int = 0
    unfinished: int = 0
    crashed: int = 0
    pictures: int = 0
    lost: set[str] = field(default_factory=set)
    """Pictures that could not be written where they are named."""
    games: list[str] = field(default_factory=list)

    @property
    def notes(self) -> Iterator[str]:
        """Say what is not as one would expect."""
        if self.unfinished:
            yield f"{counted(self.unfinished, 'episode')} left out: not ended"
        if self.crashed:
            yield f"{counted(self.crashed, 'episode')} without scores: v1.6.5 raises there, and counts them nowhere"
        if self.lost:
            yield f"pictures that lie elsewhere: {len(self.lost):,}, the first is {min(self.lost)}"

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "episodes": self.episodes,
            "games": self.games,
            "unfinished": self.unfinished,
            "crashed": self.crashed,
            "pictures": self.pictures,
            "pictures elsewhere": sorted(self.lost),
        }


def export_all(folders: Sequence[Path], out: Path) -> Exported:
    """Write runs, or all runs of studies, as a folder of results.

    Raises:
        UsageError: one of them is no run of a game of clembench, or the folder is not empty.
    """
    runs = [RunFolder.open(path) for folder in folders for path in runs_in(folder)]
    games = [(run, _clem_game(run)) for run in runs]
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty", mend="give a new folder")
    writer = _Writer(out)
    with _all_or_nothing(out), writing(out):
        for run, game in games:
            for name in sorted(run.episode_ids_with_logs(), key=_number):
                writer.add(run, game, name)
        writer.finish()
    if not writer.exported.episodes:
        raise UsageError(f"{folders[0]} has no episodes that have ended", mend="play it to its end: palaver resume")
    return writer.exported


@contextmanager
def _all_or_nothing(out: Path) -> Iterator[None]:
    """Leave nothing behind in a folder that was empty, or was not there, if writing to it comes to no end."""
    new = not out.exists()
    try:
        yield
    except BaseException:
        with suppress(OSError):  # where nothing can be written, perhaps nothing can be removed; the error says why
            for each in out.iterdir():
                shutil.rmtree(each) if each.is_dir() else each.unlink()
            if new:
                out.rmdir()
        raise


def _clem_game(run: RunFolder) -> ClemGame[Any, Any]:
    game = load_game(run.config.game)
    if not isinstance(game, ClemGame):
        raise UsageError(f"{run.path} plays {game.name}, which is no game of clembench")
    return game


def _number(episode: str) -> tuple[int, str]:
    """Order episodes as they were planned: experiments come first that the game, or a file, names first."""
    number = episode.rpartition("-")[2]
    return (int(number) if number.isdecimal() else 0, episode)


class _Writer:
    """Writes episode after episode, and at last what they were played on."""

    def __init__(self, out: Path) -> None:
        self.exported = Exported()
        self._out = out
        self._episodes: Counter[Path] = Counter()
        self._experiments: dict[str, dict[str, dict[str, JsonValue]]] = {}
        self._usual: dict[str, tuple[str, ...]] = {}
        self._instances: dict[tuple[str, str], dict[str, dict[str, JsonValue]]] = {}
        self._written: set[str] = set()

    def add(self, run: RunFolder, game: ClemGame[Any, Any], episode_id: str) -> None:
        """Write an episode."""
        entries = run.read_log(episode_id)
        if not ended_for_good(entries):
            self.exported.unfinished += 1
            return
        started = entries[0]
        assert isinstance(started, EpisodeStarted), "the log of an episode that has ended"
        found = documents(game, entries)
        number = self._enter(game, found.instance, run)
        models = self._out / models_folder(game, started) / game.name
        experiment = models / f"{number}_{found.instance.name}"
        folder = experiment / f"episode_{self._episodes[experiment]}"
        self._episodes[experiment] += 1
        _write(experiment / f"experiment_{found.instance.name}.json", found.instance.experiment)
        for name, document in found.files.items():
            _write(folder / name, document)
        self._write_pictures(found.instance)
        self.exported.episodes += 1
        self.exported.crashed += "scores.json" not in found.files
        if game.name not in self.exported.games:
            self.exported.games.append(game.name)

    def finish(self) -> None:
        """Write the instances."""
        for game, experiments in self._experiments.items():
            listed = [
                {**fields, "game_instances": list(self._instances[game, name].values())}
                for name, fields in sorted(experiments.items(), key=lambda each: self._place(game, each[0]))
            ]
            _write(self._out / "games" / game / "in" / "instances.json", {"experiments": listed})

    def _enter(self, game: ClemGame[Any, Any], instance: ClemInstance, run: RunFolder) -> int:
        """Take note of what was played on; return the number of its experiment, as folders count them."""
        self._usual[game.name] = game.experiments(game.configure({}))
        experiments = self._experiments.setdefault(game.name, {})
        experiments.setdefault(instance.name, instance.experiment)
        instances = self._instances.setdefault((game.name, instance.name), {})
        id_ = str(instance.instance.get("game_id"))
        if instances.setdefault(id_, instance.instance) != instance.instance:
            raise UsageError(
                f"{run.path} has another instance {id_} of {game.name}, {instance.name}, than a run before it",
                mend="write them to folders of their own",
            )
        return self._place(game.name, instance.name)

    def _place(self, game: str, experiment: str) -> int:
        """Return the number of an experiment: ours have theirs, and others follow as they come."""
        usual = self._usual[game]
        others = (name for name in self._experiments[game] if name not in usual)
        return [*usual, *others].index(experiment)

    def _write_pictures(self, instance: ClemInstance) -> None:
        for name, picture in instance.pictures.items():
            if name in self._written:
                continue
            self._written.add(name)
            file = self._out / name.removeprefix(ELSEWHERE)
            is_ours = (picture.draw or {}).get("kind") != "missing"
            if "://" in name or not file.resolve().is_relative_to(self._out.resolve()) or not is_ours:
                self.exported.lost.add(name)
                continue
            try:
                data = load(name, picture, told=False).data
            except InstanceError:  # it was at hand when the run was played
                data = None
            if data is None:
                self.exported.lost.add(name)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            self.exported.pictures += 1


def _write(file: Path, document: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
