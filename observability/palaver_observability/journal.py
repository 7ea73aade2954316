"""The journal: lines that are on disk before anybody builds on them.

One writer thread takes everything that has queued up, appends it to its files, syncs each file once and only then lets
the waiting coroutines go on (group commit). The event loop never waits for the disk, and no file stays open.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import quote

from palaver_broker.disk import sync_folder
from palaver_protocols.errors import BrokerError

__all__ = ["Journal", "cut_torn_line", "whole_lines"]

OPEN_AT_ONCE = 64
"""Files written between two syncs: far below any limit on open files."""
SYNCING_AT_ONCE = 8
"""Disks sync several files at once faster than one after the other (measured: three times as fast)."""
CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class _Line:
    """A line on its way to a file, and who waits for it."""

    path: Path
    data: bytes
    written: asyncio.Future[None]


class Journal:
    """Appends lines durably to ``FOLDER/EPISODE.jsonl``, one file a log. For one event loop; close it with ``aclose``.

    Only whole lines count: what a crash left of a last line is cut off before more is appended to the file.

    Args:
        folder: where the files lie; it must exist.
        prefix: what the names of the run's logs begin with (``log:RUN/``); the rest is the episode's id.
        fsync: False keeps the promise against killed processes, and gives it up against power cuts.
    """

    def __init__(self, folder: Path, prefix: str, *, fsync: bool = True) -> None:
        self._folder = folder
        self._prefix = prefix
        self._fsync = fsync
        self._queue: SimpleQueue[_Line | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._known: set[Path] = set()
        self._failure: BrokerError | None = None
        self._closed = False

    def path_of(self, log: str) -> Path:
        """Return the file of a log.

        Raises:
            BrokerError: it is no log of this run.
        """
        episode_id = log.removeprefix(self._prefix)
        if not episode_id or not log.startswith(self._prefix):
            raise BrokerError(f"the journal in {self._folder} does not keep {log!r}", mend="give each run its folder")
        return self._folder / f"{quote(episode_id, safe=' ')}.jsonl"

    async def append(self, log: str, line: bytes) -> None:
        """Add a line to a log; return when it would survive a power cut. Lines of one log keep their order.

        Raises:
            BrokerError: a file could not be written; names it. The journal takes nothing from then on. The line itself
                may or may not be in its file, whole or not at all for whoever reads it.
        """
        await self.append_to(self.path_of(log), line)

    async def append_to(self, path: Path, line: bytes) -> None:
        """Add a line to any file, with the promises of :meth:`append`."""
        if self._closed:
            raise BrokerError(f"the journal in {self._folder} is closed")
        if self._failure is not None:
            raise _again(self._failure)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="palaver-journal", daemon=True)
            self._thread.start()
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Line(path, line if line.endswith(b"\n") else line + b"\n", written))
        await written

    async def aclose(self) -> None:
        """Write what has been queued, and stop. Idempotent."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        """Commit batch after batch until None comes (in the writer thread)."""
        with ThreadPoolExecutor(SYNCING_AT_ONCE, "palaver-sync") as syncers:
            stopped = False
            while not stopped:
                batch = list(self._take())
                lines = [line for line in batch if line is not None]
                stopped = len(lines) < len(batch)
                self._try_to_write(lines, syncers)
                _tell(lines, self._failure)

    def _take(self) -> Iterator[_Line | None]:
        """Wait for a line, and take with it all that have come by then."""
        yield self._queue.get()
        with suppress(Empty):
            while True:
                yield self._queue.get_nowait()

    def _try_to_write(self, lines: Sequence[_Line], syncers: ThreadPoolExecutor) -> None:
        if self._failure is not None:
            return
        try:
            self._write(lines, syncers)
        except BrokerError as error:
            self._failure = error
        except Exception as error:  # whatever it is, nobody may wait for ever
            self._failure = BrokerError(f"cannot write to {self._folder}: {error!r}")

    def _write(self, lines: Sequence[_Line], syncers: ThreadPoolExecutor) -> None:
        texts: dict[Path, list[bytes]] = {}
        for line in lines:
            texts.setdefault(line.path, []).append(line.data)
        files = iter(texts.items())
        while some := list(islice(files, OPEN_AT_ONCE)):
            self._commit([(path, b"".join(text)) for path, text in some], syncers)

    def _commit(self, files: Sequence[tuple[Path, bytes]], syncers: ThreadPoolExecutor) -> None:
        """Append to each file once, then sync each file once, and the folders that got new ones."""
        new = [path for path, _ in files if path not in self._known]
        with ExitStack() as opened:
            descriptors = [self._append(path, data, opened) for path, data in files]
            if self._fsync:
                list(syncers.map(_sync, [path for path, _ in files], descriptors))
        if self._fsync:
            for folder in {path.parent for path in new}:
                with _naming(folder):
                    sync_folder(folder)
        self._known.update(new)

    def _append(self, path: Path, data: bytes, opened: ExitStack) -> int:
        """Append to a file and return its descriptor, which stays open until ``opened`` is closed.

        A file that was there before and is gone now is an error: made anew, it would lack its beginning.
        """
        known = path in self._known
        with _naming(path):
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | (0 if known else os.O_CREAT), 0o666)
            opened.callback(os.close, descriptor)
            if not known:
                cut_torn_line(descriptor)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        return descriptor


def whole_lines(path: Path) -> list[bytes]:
    """Read the lines of a file without their newlines; what follows the last newline is what a crash left.

    Raises:
        OSError: it cannot be read.
    """
    return path.read_bytes().split(b"\n")[:-1]


def cut_torn_line(descriptor: int) -> None:
    """Cut off what follows the last newline of an open file."""
    size = end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - CHUNK)
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(descriptor, end)


def _sync(path: Path, descriptor: int) -> None:
    with _naming(path):
        os.fsync(descriptor)


def _tell(lines: Sequence[_Line], failure: BrokerError | None) -> None:
    """Let those go on who wait for these lines, on their own loop."""
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        if lines:
            lines[0].written.get_loop().call_soon_threadsafe(_settle, lines, failure)


def _settle(lines: Sequence[_Line], failure: BrokerError | None) -> None:
    for line in lines:
        if line.written.done():  # cancelled meanwhile
            continue
        if failure is None:
            line.written.set_result(None)
        else:
            line.written.set_exception(_again(failure))


def _again(failure: BrokerError) -> BrokerError:
    """Copy an error for one more who waits: a raised exception collects the stack of whoever caught it."""
    return BrokerError(failure.message, mend=failure.mend)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn the system's errors into ours, which name the file and the mend."""
    try:
        yield
    except OSError as error:
        raise BrokerError(
            f"cannot write {path}: {error.strerror}", mend="see to the disk, then take the run up with palaver resume"
        ) from error
