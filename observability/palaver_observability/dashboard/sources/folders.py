"""Run folders, finished ones and ones that another process is writing at this moment."""

import asyncio
import os
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

import structlog

from palaver_broker.board import RunState
from palaver_observability.folder import RunFolder
from palaver_protocols.codec import decode
from palaver_protocols.errors import PalaverError, one_line
from palaver_protocols.gist import gist_of
from palaver_protocols.messages import OWED, LogEntry
from palaver_protocols.runs import EpisodeRecord

from ..cards import Key
from ..index import Index
from .base import Kind, RunNow, Source
from .shelf import Shelf, Stamp, Sums, stamp_of, transcript
from .watched import blob_from, entries_from, records_from

__all__ = ["FolderSource", "is_written"]

LOOK_S = 0.5
"""How often we look what has been added to files."""
CHUNK = 4 * 2**20
"""How much of a file is read at a time."""


class FolderSource(Source):
    """What run folders hold; those that a living process writes are followed as they grow.

    Args:
        shelf: the folders.
    """

    kind: ClassVar[Kind] = "folder"

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self.where = ", ".join(map(str, shelf.places))

    async def follow(self, index: Index) -> None:
        """Look every half second what has been added."""
        tails: dict[Key, _Tail] = {}
        while True:
            written = await asyncio.to_thread(self._written)
            for folder in written:
                await self._follow_run(folder, index, tails)
            runs = {folder.config.run_id for folder in written}
            for key in index.playing:
                if key.run not in runs:
                    index.drop(key)
            await asyncio.sleep(LOOK_S)

    def _written(self) -> list[RunFolder]:
        held = _held()
        return [folder for folder in self._shelf.folders().values() if is_written(folder, held)]

    async def _follow_run(self, folder: RunFolder, index: Index, tails: dict[Key, "_Tail"]) -> None:
        run = folder.config.run_id
        try:
            records = await records_from(self._shelf, run)
        except PalaverError as error:
            structlog.get_logger().warning("a run cannot be followed", run=run, reason=str(error))
            return
        done = {record.episode_id for record in records if record.outcome not in OWED}
        for key, entries in await asyncio.to_thread(_added, folder, done, tails):
            for at, entry in enumerate(entries, index.length(key)):
                index.apply(key, at, {**gist_of(entry), "asked": None})  # files tell of answers alone

    async def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        """Read a transcript."""
        return await entries_from(None, self._shelf, key, start)

    async def runs(self, index: Index) -> list[RunNow]:
        """Say how the runs of all folders stand."""
        stood = await asyncio.to_thread(self._stood)
        return [run_of(folder, sums, index, is_live=is_live) for folder, sums, is_live in stood]

    def _stood(self) -> list[tuple[RunFolder, Sums, bool]]:
        """Return each folder, what is written there, and whether somebody writes it."""
        held = _held()
        return [
            (folder, self._shelf.sums_or_why_not(run), is_written(folder, held))
            for run, folder in self._shelf.folders().items()
        ]

    async def records(self, run: str) -> list[EpisodeRecord]:
        """Read ``episodes.jsonl``."""
        return await records_from(self._shelf, run)

    async def blob(self, sha256: str) -> bytes:
        """Return a picture of any of the folders."""
        return await blob_from(None, self._shelf, sha256)


def run_of(folder: RunFolder, sums: Sums, index: Index, *, is_live: bool) -> RunNow:
    """Say how the run of a folder stands, what is being played included."""
    config = folder.config
    cards = index.playing_of(config.run_id)
    owed = max(0, config.episodes - sums.done - len(cards))
    state: RunState = "done" if not owed and not cards else "open" if is_live else "cancelled"
    costs = [sums.cost] if sums.tokens or sums.cost is not None else []
    costs += [card.cost for card in cards if card.tokens or card.cost is not None]
    known = [cost for cost in costs if cost is not None]
    return RunNow(
        config=config,
        state=state,
        total=config.episodes,
        owed=owed,
        playing=len(cards),
        ended=sums.done,
        outcomes=sums.outcomes,
        tokens=sums.tokens + sum(card.tokens for card in cards),
        cost=sum(known) if known and len(known) == len(costs) else None,
        submitted=min(
            [card.started for card in cards] + ([] if sums.started is None else [sums.started]), default=None
        ),
        waits_for=f"somebody who takes it up: palaver resume {folder.path}" if state == "cancelled" else "",
        folder=True,
        errors=sums.errors,
    )


def is_written(folder: RunFolder, held: frozenset[int] | None = None) -> bool:
    """Whether a living process of this machine has the folder: its lock is held.

    A lock of our own would keep that process out for a moment, so we ask the system who holds which.

    Args:
        folder: the folder.
        held: the inodes of the files that are locked, where somebody has asked already.
    """
    lock = folder.path / ".lock"
    held = _held() if held is None else held
    if held is None:
        return _names_a_living_process(lock)
    try:
        return lock.stat().st_ino in held
    except OSError:
        return False


def _held() -> frozenset[int] | None:
    """Return the inodes of all files that are locked on this machine; None where the system does not tell.

    Which device it names depends on the file system (an overlay names another than stat does); the inode does not.
    """
    try:
        locks = Path("/proc/locks").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    places = (word.rpartition(":")[2] for line in locks.splitlines() for word in line.split() if word.count(":") == 2)
    return frozenset(int(inode) for inode in places if inode.isdecimal())


def _names_a_living_process(lock: Path) -> bool:
    """Whether the process that wrote its pid into a lock is still there; where nobody tells who holds locks."""
    try:
        os.kill(int(lock.read_text(encoding="ascii")), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


class _Tail:
    """How far a transcript has been read."""

    __slots__ = ("at", "stamp")

    def __init__(self) -> None:
        self.at = 0
        self.stamp: Stamp = (0, 0)


def _added(folder: RunFolder, done: set[str], tails: dict[Key, _Tail]) -> list[tuple[Key, list[LogEntry]]]:
    """Read what has been added to the transcripts of a run; complete lines only. Blocks."""
    run = folder.config.run_id
    added = []
    try:
        stems = [file.stem for file in (folder.path / "transcripts").iterdir() if file.suffix == ".jsonl"]
    except OSError:
        return []
    names = [unquote(stem) for stem in stems if stem.isprintable()]  # not one of bytes that are no text
    for name in sorted(names):
        key = Key(run, name)
        if name.startswith(".") or (name in done and key not in tails):
            continue
        tail = tails.setdefault(key, _Tail())
        file = transcript(folder, name)
        stamp = stamp_of(file)
        if stamp == tail.stamp:
            continue
        tail.stamp = stamp
        entries: list[LogEntry] = []
        try:
            _read_on(file, tail, entries)
        except (OSError, PalaverError) as error:
            reason = one_line(str(error))
            structlog.get_logger().warning("a transcript cannot be followed", file=str(file), reason=reason)
        added.append((key, entries))  # what stands before a damaged line is there all the same
        if name in done:
            del tails[key]
    return added


def _read_on(file: Path, tail: _Tail, entries: list[LogEntry]) -> None:
    """Read on to the end of the last whole line, or to one that is damaged: behind it nothing is known any more."""
    with file.open("rb") as stream:
        stream.seek(tail.at)
        rest = b""
        while chunk := stream.read(CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                entries.append(decode(line))
                tail.at += len(line) + 1
