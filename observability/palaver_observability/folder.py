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
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

import yaml
from pydantic import ValidationError

from palaver_broker.topics import episode_log
from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import (
    OWED,
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    LogEntry,
    Outcome,
    SeatChanged,
    TurnTaken,
)
from palaver_protocols.runs import HOW, EpisodeRecord, RunConfig

from .blobs import FolderBlobs
from .files import gist, read_lines, replace_file, writing
from .journal import Journal
from .provenance import made_with
from .records import ended_for_good, line_of, record_of
from .stats import Row, overall

__all__ = ["RunFolder"]

NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP}
"""What file systems answer that know no locks (some clusters'); there, nobody is kept apart."""


LEFT_OUT = "how variants are summed up is the game's to say, and the recorder knows no games; palaver score DIR adds it"
"""Why a summary has no sums over variants."""


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
            with writing(path):
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
        with writing(self.path):
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
        return [entry for entry, _ in read_lines(file, _log_entry, mend="delete the file to play the episode anew")]

    async def write_log(self, episode_id: str, entries: Iterable[LogEntry]) -> None:
        """Write the whole log of an episode, in place of any that is there; return when it is on disk.

        For a log that has grown elsewhere. The file is written whole or not at all.

        Raises:
            UsageError: it could not be written, or another process writes this folder.
        """
        self.lock()
        file = self._journal.path_of(episode_log(self.config.run_id, episode_id))

        def write() -> None:
            with writing(file):
                replace_file(file, b"".join(encode(entry) + b"\n" for entry in entries))

        await asyncio.to_thread(write)

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
        with writing(self.path):
            replace_file(self._episodes, b"".join(lines.values()))
        self._outcomes = outcomes
        return set(lines)

    def rewrite(self, records: Iterable[EpisodeRecord]) -> None:
        """Replace ``episodes.jsonl`` as a whole, after a run has been scored again. Locks the folder."""
        self.lock()
        records = list(records)
        with writing(self.path):
            replace_file(self._episodes, b"".join(line_of(record) for record in records))
        self._outcomes = {record.episode_id: record.outcome for record in records}

    def retune(self, config: RunConfig) -> None:
        """Go on in another way: with another concurrency, patience or budget. Locks the folder."""
        self.lock()
        with writing(self.path):
            written = yaml.safe_load((self.path / "config.yaml").read_bytes())
            changed = {name: value for name, value in config.model_dump(mode="json").items() if name in HOW}
            self.config = config
            if any(written.get(name) != value for name, value in changed.items()):
                self._write_config({name: value for name, value in written.items() if name not in changed})

    def write_summary(self, rows: Sequence[Row], *, by_episode: bool | None = False) -> None:
        """Write the results table to ``summary.json``: ``{"schema", "run_id", "rows": [...], "overall": [...]}``.

        ``overall`` sums up the rows of agents that have played several variants; it is empty where there are none.
        ``by_episode`` says how (see :func:`~palaver_observability.stats.overall`), as the game has it. None is for who
        knows no game: where there is something to sum up, ``overall`` is null, and ``overall_left_out`` says why.

        A folder that is not locked is locked for this moment only, so that a run that has ended can be summed up again.
        """
        summed_up = [row.model_dump(mode="json") for row in overall(rows, by_episode=bool(by_episode))]
        unknown = by_episode is None and bool(summed_up)
        summary = {
            "schema": "palaver.summary/1.0",
            "run_id": self.config.run_id,
            "rows": [row.model_dump(mode="json") for row in rows],
            "overall": None if unknown else summed_up,
            **({"overall_left_out": LEFT_OUT} if unknown else {}),
        }
        text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
        held = self._lock is not None
        self.lock()
        try:
            with writing(self.path):
                replace_file(self.path / "summary.json", text.encode() + b"\n")
        finally:
            if not held:
                self._unlock()

    @property
    def _episodes(self) -> Path:
        return self.path / "episodes.jsonl"

    def _lines(self) -> dict[str, tuple[EpisodeRecord, bytes]]:
        """Read ``episodes.jsonl``: the last record of each episode and its line, newline included."""
        lines: dict[str, tuple[EpisodeRecord, bytes]] = {}
        for record, line in read_lines(
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
            if other := found.differences(self.config):
                raise UsageError(
                    f"{self.path} holds another run, {found.run_id} (another {other[0]})",
                    mend=f"give another folder, or take that one up: palaver resume {self.path}",
                )
        elif names := sorted(file.name for file in self.path.iterdir() if not file.name.startswith(".")):
            raise UsageError(f"{self.path} is no run folder and not empty ({names[0]})", mend="give a new folder")

    def _lay_out(self) -> None:
        """Write ``config.yaml``, where it is not there yet, make the folders, and sweep what a killed process left."""
        for name in ("transcripts", "blobs"):
            (self.path / name).mkdir(exist_ok=True)
            for part in (self.path / name).glob(f".*.{'[0-9a-f]' * 8}"):  # as replace_file names them
                part.unlink(missing_ok=True)
        if (self.path / "config.yaml").exists():
            self.retune(self.config)
        else:
            self._write_config({"started": _now(), "made_with": made_with()})

    def _write_config(self, more: Mapping[str, Any]) -> None:
        text = yaml.safe_dump({**self.config.model_dump(mode="json"), **more}, sort_keys=False, allow_unicode=True)
        replace_file(self.path / "config.yaml", text.encode())

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _log_entry(line: bytes) -> LogEntry:
    entry = decode(line)
    if not isinstance(entry, EpisodeStarted | TurnTaken | Aside | SeatChanged | EpisodeEnded):
        raise ProtocolError(f"{entry.type} has no place in a log")
    return entry


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
        raise UsageError(f"{file} is malformed: {gist(error)}", mend="restore it as palaver run wrote it") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
