"""The run folder: everything about a run, in files that survive the process that wrote them.

    config.yaml               what was asked for, resolved, and what it was run with
    episodes.jsonl            one line an episode, when it has ended
    transcripts/EPISODE.jsonl the log of an episode: the only truth about it
    blobs/SHA.png             pictures, by content
    summary.json              the results table
    .lock                     held by the process that writes

The log is the truth; ``episodes.jsonl`` follows from it and is mended by :meth:`RunFolder.reconcile`.
"""

import asyncio
import errno
import fcntl
import hashlib
import json
import os
import platform
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import unquote
from uuid import uuid4

import yaml
from pydantic import ValidationError

from palaver_broker.topics import episode_log
from palaver_protocols.errors import BrokerError, PalaverError, ProtocolError, UsageError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, Outcome, TurnTaken, decode
from palaver_protocols.runs import EpisodeRecord, RunConfig

from .journal import Journal, sync_folder, whole_lines
from .records import OWED, ended_for_good, line_of, record_of
from .stats import Row

__all__ = ["FolderBlobs", "RunFolder"]

T = TypeVar("T")

LIBRARIES = ("aiohttp", "numpy", "openai", "pillow", "pydantic")
"""Libraries whose version may explain a difference between two runs."""

SUFFIXES = {b"\x89PNG\r\n\x1a\n": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif"}
"""How the files of each kind of picture begin (WebP's mark comes later)."""

NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP}
"""What file systems answer that know no locks (some clusters'); there, nobody is kept apart."""


class RunFolder:
    """One run on disk. Whoever adds to it has it locked from then on until :meth:`aclose`; reading needs no lock."""

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path = path
        self.config = config
        self.blobs = FolderBlobs(path / "blobs")
        self._journal = Journal(path / "transcripts", episode_log(config.run_id, ""))
        self._lock: int | None = None
        self._outcomes: dict[str, Outcome] | None = None

    @classmethod
    def create(cls, path: Path, config: RunConfig) -> Self:
        """Make the folder of a new run, or open the one that holds this very run, and lock it.

        Raises:
            UsageError: it cannot be written, or holds something else, or another process writes it.
        """
        folder = cls(path, config)
        try:
            with _writing(path):
                path.mkdir(parents=True, exist_ok=True)
                folder._check_is_ours()
                folder.lock()
                folder._lay_out()
        except BaseException:
            folder._unlock()
            raise
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the folder of a run, for reading until something is written to it.

        Raises:
            UsageError: it is no run folder, or its ``config.yaml`` is malformed.
        """
        return cls(path, _read_config(path / "config.yaml"))

    @property
    def journal(self) -> Journal:
        """Where the logs of this run's episodes grow (locks the folder)."""
        self.lock()
        return self._journal

    def lock(self) -> None:
        """Keep other processes from writing here. Idempotent.

        Raises:
            UsageError: another one does already, or the folder is not writable.
        """
        if self._lock is not None:
            return
        with _writing(self.path):
            descriptor = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
            if error.errno not in NO_LOCKS:
                os.close(descriptor)
                raise UsageError(
                    f"{self.path} is being written by another palaver (pid {holder})", mend="wait for it, or stop it"
                ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        self._lock = descriptor

    async def aclose(self) -> None:
        """Finish writing and let others write. Idempotent."""
        await self._journal.aclose()
        self._unlock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def episode_ids_with_logs(self) -> list[str]:
        """Name the episodes that have been begun, in order of name."""
        return sorted(unquote(file.stem) for file in (self.path / "transcripts").glob("[!.]*.jsonl"))

    def read_log(self, episode_id: str) -> list[LogEntry]:
        """Return the log of an episode, without the line that a crash may have torn; none for an unknown episode.

        Raises:
            ProtocolError: a line is damaged; names file and line.
        """
        file = self._journal.path_of(episode_log(self.config.run_id, episode_id))
        return [entry for entry, _ in _read_lines(file, _log_entry, mend="delete the file to play the episode anew")]

    def records(self) -> list[EpisodeRecord]:
        """Return what is written of the episodes so far, in the order in which they ended; the last line of each.

        Raises:
            ProtocolError: a line is damaged; names file and line.
        """
        return [record for record, _ in self._lines().values()]

    async def add(self, record: EpisodeRecord) -> None:
        """Write down an episode; return when the line is on disk. One that is done already is not written twice.

        Raises:
            BrokerError: the file could not be written; names it.
        """
        journal = self.journal
        if self._outcomes is None:
            self._outcomes = {written.episode_id: written.outcome for written in self.records()}
        if self._outcomes.get(record.episode_id, "error") in OWED:
            self._outcomes[record.episode_id] = record.outcome
            await journal.append_to(self._episodes, line_of(record))

    def reconcile(self) -> set[str]:
        """Make ``episodes.jsonl`` agree with the logs before a run is taken up; return the ids that are done.

        Lines of episodes that are owed (``error``, ``budget``) go, and the lines that a killed process did not get to
        write are added. Locks the folder; call it before anything is appended.
        """
        self.lock()
        written = self._lines()
        lines = {id_: line for id_, (record, line) in written.items() if record.outcome not in OWED}
        outcomes = {id_: written[id_][0].outcome for id_ in lines}
        for episode_id in self.episode_ids_with_logs():
            if episode_id not in lines and ended_for_good(entries := self.read_log(episode_id)):
                record = record_of(entries)
                lines[episode_id], outcomes[episode_id] = line_of(record), record.outcome
        with _writing(self.path):
            _replace(self._episodes, b"".join(lines.values()))
        self._outcomes = outcomes
        return set(lines)

    def write_summary(self, rows: Sequence[Row]) -> None:
        """Write the results table to ``summary.json``: ``{"schema", "run_id", "rows": [...]}``.

        A folder that is not locked is locked for this moment only, so that a run that has ended can be summed up again.
        """
        summary = {
            "schema": "palaver.summary/1.0",
            "run_id": self.config.run_id,
            "rows": [row.model_dump(mode="json") for row in rows],
        }
        text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
        held = self._lock is not None
        self.lock()
        try:
            with _writing(self.path):
                _replace(self.path / "summary.json", text.encode() + b"\n")
        finally:
            if not held:
                self._unlock()

    @property
    def _episodes(self) -> Path:
        return self.path / "episodes.jsonl"

    def _lines(self) -> dict[str, tuple[EpisodeRecord, bytes]]:
        """Read ``episodes.jsonl``: the last record of each episode and its line, newline included."""
        lines: dict[str, tuple[EpisodeRecord, bytes]] = {}
        for record, line in _read_lines(
            self._episodes, EpisodeRecord.model_validate_json, mend="delete the line; palaver resume writes it again"
        ):
            lines.pop(record.episode_id, None)
            lines[record.episode_id] = (record, line + b"\n")
        return lines

    def _check_is_ours(self) -> None:
        """Refuse a folder that holds anything but this run."""
        file = self.path / "config.yaml"
        if file.exists():
            found = _read_config(file)
            asked = self.config.model_dump(mode="json")
            if other := [name for name, value in found.model_dump(mode="json").items() if value != asked[name]]:
                raise UsageError(
                    f"{self.path} holds another run, {found.run_id} (another {other[0]})",
                    mend=f"give another folder, or take that one up: palaver resume {self.path}",
                )
        elif names := sorted(file.name for file in self.path.iterdir() if not file.name.startswith(".")):
            raise UsageError(f"{self.path} is no run folder and not empty ({names[0]})", mend="give a new folder")

    def _lay_out(self) -> None:
        """Write ``config.yaml``, where it is not there yet, and make the folders."""
        for name in ("transcripts", "blobs"):
            (self.path / name).mkdir(exist_ok=True)
        if not (self.path / "config.yaml").exists():
            resolved = {**self.config.model_dump(mode="json"), "started": _now(), "made_with": _made_with()}
            text = yaml.safe_dump(resolved, sort_keys=False, allow_unicode=True)
            _replace(self.path / "config.yaml", text.encode())

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class FolderBlobs:
    """A blob store in a folder: ``SHA.png``, ``.jpg``, ``.gif``, ``.webp`` by content, ``.bin`` for anything else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their SHA-256. Storing them again changes nothing.

        Raises:
            BrokerError: they could not be written, or were not read back as written.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._known:
            await asyncio.to_thread(self._write, sha256, data)
            self._known.add(sha256)
        return sha256

    async def get(self, sha256: str) -> bytes:
        """Return the bytes.

        Raises:
            BrokerError: there are none under this name, or they are damaged.
        """
        return await asyncio.to_thread(self._read, sha256)

    def _write(self, sha256: str, data: bytes) -> None:
        file = self._folder / (sha256 + _suffix(data))
        try:
            if not (file.exists() and file.read_bytes() == data):
                _replace(file, data)
                if file.read_bytes() != data:
                    raise BrokerError(f"{file} does not hold what was written to it", mend="see to the disk")
        except OSError as error:
            raise BrokerError(f"cannot write {file}: {error.strerror}", mend="see to the disk") from error

    def _read(self, sha256: str) -> bytes:
        if not re.fullmatch("[0-9a-f]{64}", sha256):
            raise BrokerError(f"{sha256[:80]!r} is no SHA-256", mend="give 64 hex digits")
        files = [self._folder / (sha256 + suffix) for suffix in (*SUFFIXES.values(), ".webp", ".bin")]
        file = next((file for file in files if file.exists()), None)
        if file is None:
            raise BrokerError(f"there is no blob {sha256} in {self._folder}", mend="put it before you refer to it")
        try:
            data = file.read_bytes()
        except OSError as error:
            raise BrokerError(f"cannot read {file}: {error.strerror}", mend="see to the disk") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise BrokerError(f"{file} is damaged", mend="put the picture again")
        return data


def _suffix(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return next((suffix for mark, suffix in SUFFIXES.items() if data.startswith(mark)), ".bin")


def _replace(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, durably."""
    part = file.with_name(f".{file.name}.{uuid4().hex[:8]}")
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def _log_entry(line: bytes) -> LogEntry:
    entry = decode(line)
    if not isinstance(entry, EpisodeStarted | TurnTaken | EpisodeEnded):
        raise ProtocolError(f"{entry.type} has no place in a log")
    return entry


def _read_lines(file: Path, read: Callable[[bytes], T], *, mend: str) -> Iterator[tuple[T, bytes]]:
    """Yield what the whole lines of a file say, with the lines; nothing for a file that is not there."""
    try:
        lines = whole_lines(file)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield read(line), line
        except (ProtocolError, ValidationError) as error:
            raise ProtocolError(f"{file}, line {number} is damaged: {_said(error)}", mend=mend) from error


def _read_config(file: Path) -> RunConfig:
    try:
        return RunConfig.model_validate(yaml.safe_load(file.read_bytes()))
    except FileNotFoundError as error:
        raise UsageError(
            f"{file.parent} is no run folder: it has no {file.name}", mend="give a run's folder"
        ) from error
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except (yaml.YAMLError, ValidationError) as error:
        raise UsageError(f"{file} is malformed: {_said(error)}", mend="restore it as palaver run wrote it") from error


def _said(error: Exception) -> str:
    """Return the gist of an error in one line."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]
    if isinstance(error, PalaverError):
        return error.message
    return " ".join(str(error).split())


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say in one line that a folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}", mend="give another folder") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _made_with() -> dict[str, Any]:
    """Describe the software that this run is made with."""
    return {
        "palaver": version("palaver"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name))},
        "git_commit": _git_commit(Path(__file__)),
    }


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _git_commit(source: Path) -> str | None:
    """Return the commit that a source file belongs to, ``-dirty`` if changed since; None if it is in no checkout."""
    for arguments in (
        ["ls-files", "--error-unmatch", source.name],
        ["describe", "--always", "--exclude=*", "--dirty", "--abbrev=40"],
    ):
        try:
            done = subprocess.run(  # noqa: S603 - fixed words, and the name of this very file
                ["git", *arguments],  # noqa: S607 - the user's own git
                cwd=source.parent,
                capture_output=True,
                text=True,
                timeout=5,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode:
            return None
    return done.stdout.strip()
