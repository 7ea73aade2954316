"""The recorder: episodes that have ended on the bus become files in run folders.

An episode leaves the bus when its pictures, its transcript and its line are on disk, in that order, and not before.
Each step may be done twice, so that a recorder that is killed anywhere does its last few episodes again, and no more.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import structlog

from palaver_broker import BlobStore
from palaver_broker.board import RunStatus
from palaver_broker.topics import episode_log
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, PalaverError, ProtocolError, UsageError, VersionError
from palaver_protocols.messages import OWED, Aside, LogEntry, Outcome, TurnTaken
from palaver_protocols.runs import EpisodeRecord

from .files import writing
from .folder import RunFolder
from .records import record_of
from .stats import summarize

__all__ = ["SERVICE", "Ended", "Logs", "OnRecord", "Recorder", "pictures_in"]

SERVICE = "service"
"""The ``recorder`` of runs that any recorder service writes down."""
AT_ONCE = 16
"""Episodes of a run that are on their way to the disk at a time."""

OnRecord = Callable[[EpisodeRecord], None]
"""Told of each episode that has been written down. Called on the event loop: it must be quick, and not raise."""


class Ended(Protocol):
    """What a recorder needs of the board of runs."""

    async def status(self, run_id: str | None = None) -> list[RunStatus]:
        """Say how a run stands (nothing where it is not known), or all of them."""
        ...

    async def owed_to_recorder(self, run_id: str, count: int) -> list[tuple[str, Outcome]]:
        """Return up to ``count`` episodes that have ended and are not archived; the first to end first."""
        ...

    async def archive(self, run_id: str, episode_id: str) -> None:
        """Drop what is kept of an ended episode: it is on disk. Idempotent."""
        ...

    async def bury(self, run_id: str, episode_id: str, reason: str) -> None:
        """Count an ended episode as archived that cannot be written down, and put it with the dead letters.

        Its log stays for people to look at. Nothing happens to an episode that is not, or no more, owed to a recorder.
        """
        ...


class Logs(Protocol):
    """What a recorder needs of the bus."""

    @property
    def blobs(self) -> BlobStore:
        """Where the pictures are."""
        ...

    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return the entries of a log from ``start`` up to, not including, ``stop``; none for an unknown log."""
        ...


class Recorder:
    """Writes down what has ended. One for each run: a folder's lock keeps a second one on the same disk away.

    Args:
        board: where runs are.
        bus: where the logs of their episodes are.
        on_record: told of each episode.
        poll_s: seconds between two looks at the board.
        retry_s: seconds after which a service takes up again a run whose folder failed it.
    """

    def __init__(
        self, board: Ended, bus: Logs, *, on_record: OnRecord | None = None, poll_s: float = 1.0, retry_s: float = 30.0
    ) -> None:
        self._board, self._bus, self._on_record = board, bus, on_record
        self._poll_s, self._retry_s = poll_s, retry_s
        self._runs: dict[str, _Run] = {}
        self._busy: set[str] = set()
        self._not_before: dict[str, float] = {}

    @property
    def busy(self) -> int:
        """Number of runs that a service is writing down at this moment."""
        return len(self._busy)

    async def record(self, folder: RunFolder) -> RunStatus:
        """Write one run down until it is over and nothing of it is left; return how it stood then.

        Raises:
            UsageError: the bus does not know the run, or another process writes its folder.
            ExceptionGroup: the folder or the bus failed us. What is not on disk is still on the bus.
        """
        run = _Run(folder, self._board, self._bus, self._on_record)
        while True:
            await run.drain()
            status = next(iter(await self._board.status(run.run_id)), None)
            if status is None:
                raise UsageError(f"the bus knows no run {run.run_id}", mend="it was forgotten, or never submitted")
            if _is_over(status):
                return status
            await asyncio.sleep(self._poll_s)

    async def serve(self, out: Path) -> None:
        """Write every run that is left to any recorder into ``OUT/RUN_ID``, and sum it up when it is over.

        Never returns; cancel it to stop. A run whose folder fails is taken up again later, and stops no other.

        Raises:
            UsageError: ``out`` cannot be written.
            ExceptionGroup: the bus failed us.
        """
        await asyncio.to_thread(_make, out)
        try:
            async with asyncio.TaskGroup() as tasks:
                while True:
                    for status in await self._board.status():
                        if status.recorder == SERVICE and self._is_due(status, path := _folder_of(out, status)):
                            self._busy.add(status.config.run_id)
                            tasks.create_task(self._attend_to(status, path))
                    await asyncio.sleep(self._poll_s)
        finally:
            for run in self._runs.values():
                await run.folder.aclose()
            self._runs.clear()

    def _is_due(self, status: RunStatus, path: Path) -> bool:
        """Whether there is something to do for a run, and nobody does it."""
        run_id = status.config.run_id
        if run_id in self._busy or self._not_before.get(run_id, 0.0) > asyncio.get_running_loop().time():
            return False
        if _is_over(status):  # maybe long ago, and written down by somebody else, somewhere else
            return run_id in self._runs or _lacks_summary(path)
        return bool(status.ended) or run_id not in self._runs

    async def _attend_to(self, status: RunStatus, path: Path) -> None:
        """Write down what has ended of a run by now, and sum it up if it is over."""
        run_id = status.config.run_id
        log = structlog.get_logger().bind(run_id=run_id, folder=str(path))
        try:
            if run_id not in self._runs:
                # Not in a thread: one that is left behind by a cancelled task would lock the folder for nobody.
                folder = RunFolder.create(path, status.config)
                self._runs[run_id] = _Run(folder, self._board, self._bus, self._on_record)
            await self._runs[run_id].drain()
            if _is_over(status):
                await self._runs[run_id].sum_up()
                await self._let_go(run_id)
                log.info("run recorded", state=status.state, episodes=status.archived)
        except* PalaverError as errors:
            log.error("run not recorded", reason=str(errors.exceptions[0]), again_in_s=self._retry_s)
            self._not_before[run_id] = asyncio.get_running_loop().time() + self._retry_s
            await self._let_go(run_id)  # a folder that has failed takes nothing more
        finally:
            self._busy.discard(run_id)

    async def _let_go(self, run_id: str) -> None:
        run = self._runs.pop(run_id, None)
        if run is not None:
            await run.folder.aclose()


class _Run:
    """One run on its way from the bus into its folder."""

    def __init__(self, folder: RunFolder, board: Ended, bus: Logs, on_record: OnRecord | None) -> None:
        self.folder = folder
        self.run_id = folder.config.run_id
        self._board, self._bus, self._on_record = board, bus, on_record
        self._log = structlog.get_logger().bind(run_id=self.run_id)
        self._done: set[str] | None = None
        self._pictures: set[str] = set()

    async def drain(self) -> None:
        """Write down all that has ended by now."""
        if self._done is None:
            self.folder.lock()
            records = await asyncio.to_thread(self.folder.records)
            self._done = {record.episode_id for record in records if record.outcome not in OWED}
        while owed := dict(await self._board.owed_to_recorder(self.run_id, AT_ONCE)):
            async with asyncio.TaskGroup() as tasks:
                for episode_id in owed:
                    tasks.create_task(self._take(episode_id, self._done))

    async def sum_up(self) -> None:
        """Write the results table; without sums over variants, since a recorder knows no games, and these say how."""
        self.folder.write_summary(summarize(await asyncio.to_thread(self.folder.records)), by_episode=None)

    async def _take(self, episode_id: str, done: set[str]) -> None:
        """Write an episode down, unless it is on disk already, and let it go from the bus."""
        if episode_id not in done:
            try:
                entries, record = await self._read(episode_id)
            except VersionError:
                raise  # for a recorder of the same version it is as good as any
            except ProtocolError as error:
                self._log.error("episode cannot be recorded", episode_id=episode_id, reason=str(error))
                await self._board.bury(self.run_id, episode_id, str(error))
                return
            await self._write(entries, record)
            if record.outcome not in OWED:
                done.add(episode_id)
            if self._on_record is not None:
                self._on_record(record)
        await self._board.archive(self.run_id, episode_id)

    async def _read(self, episode_id: str) -> tuple[list[LogEntry], EpisodeRecord]:
        """Read the log of an episode, and fold it.

        Raises:
            ProtocolError: it makes no record of this episode.
        """
        log = episode_log(self.run_id, episode_id)
        entries: list[LogEntry] = await self._bus.read(log)
        if not entries:
            raise ProtocolError(f"{log} is empty")
        record = record_of(entries)
        if (record.run_id, record.episode_id) != (self.run_id, episode_id):
            raise ProtocolError(f"{log} holds the log of {record.run_id}/{record.episode_id}")
        return entries, record

    async def _write(self, entries: Sequence[LogEntry], record: EpisodeRecord) -> None:
        """Put an episode on disk: what it refers to first, the line that refers to it last."""
        log = episode_log(self.run_id, record.episode_id)
        for sha256 in pictures_in(entries) - self._pictures:
            await self._copy(sha256, log)
        await self.folder.write_log(record.episode_id, entries)
        await self.folder.add(record)

    async def _copy(self, sha256: str, log: str) -> None:
        """Copy a picture into the folder, unless it is there. One that the bus has lost costs us no episode."""
        try:
            await self.folder.blobs.get(sha256)
        except BrokerError:  # it is not there, or damaged
            data = await self._fetch(sha256, log)
            if data is None:
                return
            await self.folder.blobs.put(data)
        self._pictures.add(sha256)

    async def _fetch(self, sha256: str, log: str) -> bytes | None:
        """Get a picture from the bus; None if the bus is there, and the picture is not."""
        try:
            return await self._bus.blobs.get(sha256)
        except BrokerError:
            await self._bus.read(log, 0, 1)  # raises where it is the bus that is away
        try:
            return await self._bus.blobs.get(sha256)
        except BrokerError as error:
            self._log.warning("picture lost", log=log, reason=str(error))
        return None


def pictures_in(entries: Iterable[LogEntry]) -> set[str]:
    """Name the pictures that a log refers to, in what was shown and in what was answered."""
    turns = [entry for entry in entries if isinstance(entry, TurnTaken | Aside)]
    said = [parts for turn in turns for parts in (turn.reply.parts, *(prompt.parts for prompt in turn.prompts))]
    return {part.sha256 for parts in said for part in parts if isinstance(part, Image)}


def _is_over(status: RunStatus) -> bool:
    """Whether nothing of a run will have to be written down any more, as far as can be told."""
    return status.state in ("done", "cancelled") and not status.ended


def _make(out: Path) -> None:
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)


def _folder_of(out: Path, status: RunStatus) -> Path:
    """Return the folder of a run; what is not safe in a file's name is percent-encoded, and so is a dot in front."""
    name = quote(status.config.run_id, safe=" ")
    return out / (f"%2E{name[1:]}" if name.startswith(".") else name)


def _lacks_summary(path: Path) -> bool:
    """Whether a run folder is here whose episodes have not been summed up since the last of them was written."""
    try:
        written = (path / "episodes.jsonl").stat().st_mtime_ns
    except FileNotFoundError:
        return False
    try:
        return (path / "summary.json").stat().st_mtime_ns < written
    except FileNotFoundError:
        return True
