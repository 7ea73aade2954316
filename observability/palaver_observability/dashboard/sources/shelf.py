"""Run folders under some paths, found again as they come, read again when they have changed."""

import os
import stat
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from urllib.parse import quote

import structlog
from pydantic import ValidationError

from palaver_observability.folder import RunFolder
from palaver_protocols.errors import BrokerError, PalaverError, ProtocolError, UsageError, first_problem
from palaver_protocols.messages import OWED, LogEntry
from palaver_protocols.runs import EpisodeRecord

from ..cards import ERRORS, Key

__all__ = ["Shelf", "Stamp", "Sums", "stamp_of", "transcript"]

Stamp = tuple[int, int]
"""Time of the last change (ns) and size of a file; zeros where there is none."""
LOOK_S = 2.0
"""How long a look at which folders there are holds good."""
LOGS = 64
"""Logs that are kept parsed."""


def stamp_of(file: Path) -> Stamp:
    """Return what tells that a file has changed. What is no file, such as a pipe that waits for ever, is not there."""
    try:
        found = file.stat()
    except (OSError, ValueError):  # a name that no file can have
        return 0, 0
    if not stat.S_ISREG(found.st_mode):
        return 0, 0
    return found.st_mtime_ns, found.st_size


class Shelf:
    """Run folders by the names of their runs. All methods block: call them in a thread.

    Args:
        places: run folders, study folders, or folders of these; they need not exist yet.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        self.places = tuple(places)
        self._folders: dict[str, RunFolder] = {}
        self._configs: dict[Path, tuple[Stamp, RunFolder | None]] = {}
        self._records: dict[str, _Records] = {}
        self._logs: OrderedDict[Key, tuple[Stamp, list[LogEntry]]] = OrderedDict()
        self._looked = float("-inf")

    def folders(self, *, again: bool = False) -> dict[str, RunFolder]:
        """Return the folders that are there, by run; ``again``: those that have come this moment, too."""
        if again or time.monotonic() - self._looked > LOOK_S:
            self._folders = {folder.config.run_id: folder for folder in self._look()}
            self._looked = time.monotonic()
        return self._folders

    def folder(self, run: str) -> RunFolder | None:
        """Return the folder of a run, if there is one."""
        return self.folders().get(run)

    def records(self, run: str) -> list[EpisodeRecord]:
        """Return the episodes that are written down of a run, the last line of each; only what is new is read.

        Returns:
            The very same list until something has changed; not to be changed.

        Raises:
            ProtocolError: a line is damaged.
        """
        folder = self.folder(run)
        if folder is None:
            return []
        known = self._records.setdefault(run, _Records(folder.path / "episodes.jsonl"))
        return known.read()

    def sums(self, run: str) -> "Sums":
        """Return what the episodes that are written down of a run come to.

        Raises:
            ProtocolError: a line is damaged.
        """
        self.records(run)
        known = self._records.get(run)
        return Sums() if known is None else known.sums

    def sums_or_why_not(self, run: str) -> "Sums":
        """Return the same; of a run that cannot be read, the reason: it is listed like all others."""
        try:
            return self.sums(run)
        except PalaverError as error:
            structlog.get_logger().warning("a run cannot be read", run=run, reason=str(error))
            return Sums(errors=(("episodes.jsonl", str(error)),))

    def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        """Return the log of an episode from ``start`` on.

        Raises:
            ProtocolError: a line is damaged.
        """
        folder = self.folder(key.run)
        if folder is None:
            return []
        stamp = stamp_of(transcript(folder, key.episode))
        known = self._logs.get(key)
        if known is None or known[0] != stamp:
            known = self._logs[key] = (stamp, folder.read_log(key.episode) if stamp != (0, 0) else [])
            while len(self._logs) > LOGS:
                self._logs.popitem(last=False)
        return known[1][start:]

    def blob_folders(self) -> list[RunFolder]:
        """Return all folders, those that were found last first: the present run's pictures are asked for most."""
        return list(reversed(self.folders().values()))

    def find_blob(self, sha256: str) -> RunFolder:
        """Return a folder that has a picture.

        Raises:
            BrokerError: none has.
        """
        for folder in self.blob_folders():
            if any((folder.path / "blobs" / f"{sha256}{suffix}").is_file() for suffix in SUFFIXES):
                return folder
        raise BrokerError(f"there is no blob {sha256}")

    def _look(self) -> Iterator[RunFolder]:
        seen: set[Path] = set()
        for place in self.places:
            for path in _run_folders(place):
                if path not in seen:
                    seen.add(path)
                    folder = self._open(path)
                    if folder is not None:
                        yield folder

    def _open(self, path: Path) -> RunFolder | None:
        stamp = stamp_of(path / "config.yaml")
        known = self._configs.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            found: RunFolder | None = RunFolder.open(path)
        except PalaverError as error:
            structlog.get_logger().warning("a run folder cannot be read", folder=str(path), reason=str(error))
            found = None
        self._configs[path] = (stamp, found)
        return found


@dataclass(frozen=True, slots=True)
class Sums:
    """What the records of a run come to; ``done`` are those that are not owed once more. Money that nobody tells: None.

    ``errors`` are the latest, with their episodes; ``started`` is when the first one began (epoch seconds).
    """

    done: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0
    cost: float | None = None
    started: float | None = None
    errors: tuple[tuple[str, str], ...] = ()


def sums_of(records: Sequence[EpisodeRecord]) -> Sums:
    """Sum records up."""
    costs = [record.cost_usd for record in records if record.cost_usd is not None or record.tokens]
    known = [cost for cost in costs if cost is not None]
    return Sums(
        sum(record.outcome not in OWED for record in records),
        Counter(str(record.outcome) for record in records),
        sum(record.tokens for record in records),
        sum(known) if known and len(known) == len(costs) else None,
        min((record.started.timestamp() for record in records), default=None),
        tuple((record.episode_id, record.error) for record in records if record.error)[-ERRORS:],
    )


class _Records:
    """The lines of an ``episodes.jsonl``: it grows, or is replaced by another file as a whole."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._inode = self._at = 0
        self._stamp: Stamp = (0, 0)
        self._records: dict[str, EpisodeRecord] = {}
        self._list: list[EpisodeRecord] = []
        self._reading = Lock()
        self.sums = Sums()

    def read(self) -> list[EpisodeRecord]:
        with self._reading:
            stamp = stamp_of(self._file)
            if stamp != self._stamp:
                self._read_on()
                self._stamp = stamp
                self._list = list(self._records.values())
                self.sums = sums_of(self._list)
            return self._list

    def _read_on(self) -> None:
        try:
            with self._file.open("rb") as stream:
                found = os.fstat(stream.fileno())
                if found.st_ino != self._inode or found.st_size < self._at:
                    self._inode, self._at, self._records = found.st_ino, 0, {}
                stream.seek(self._at)
                *lines, _ = stream.read().split(b"\n")
        except FileNotFoundError:
            self._inode, self._at, self._records = 0, 0, {}
            return
        except OSError as error:
            raise UsageError(f"cannot read {self._file}: {error.strerror}") from error
        for line in lines:
            try:
                record = EpisodeRecord.model_validate_json(line)
            except ValidationError as error:
                raise ProtocolError(
                    f"{self._file} is damaged: {first_problem(error)}", mend="delete the line"
                ) from error
            self._records.pop(record.episode_id, None)
            self._records[record.episode_id] = record
            self._at += len(line) + 1


SUFFIXES = (".png", ".jpg", ".gif", ".webp", ".bin")


def transcript(folder: RunFolder, episode: str) -> Path:
    """Return the file of an episode's log."""
    return folder.path / "transcripts" / f"{quote(episode, safe=' ')}.jsonl"


def _run_folders(place: Path) -> Iterator[Path]:
    """Yield the run folders that a path stands for: itself, a study's, or what lies in it; the oldest first."""
    if (place / "config.yaml").is_file():
        yield place
        return
    if (place / "study.yaml").is_file():
        yield from _in(place / "runs")
        return
    for path in _children(place):
        if (path / "config.yaml").is_file():
            yield path
        elif (path / "study.yaml").is_file():
            yield from _in(path / "runs")


def _in(place: Path) -> Iterator[Path]:
    yield from (path for path in _children(place) if (path / "config.yaml").is_file())


def _children(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as found:
            folders = [(entry.stat().st_mtime_ns, entry.name) for entry in found if entry.is_dir()]
    except OSError:
        return []
    return [place / name for _, name in sorted(folders)]
