"""The journal of an agent: what its model has answered, and which calls have been begun, so that none is paid twice.

Whatever happens to a call is appended to a log (:mod:`palaver_agents.segments`). It is handed to the kernel at once, in
the event loop, which takes a microsecond or two: no kill of this process can undo it. Answers are also synced before
anybody uses them, in a thread, where one sync serves all that have come by then (group commit): no power cut can undo
them either. A call that was begun and has no end in the log is one that a killed process lost in flight.

Every replica has a slot of its own, and the log is cut into segments, so that old answers are dropped by the file::

    FOLDER/AGENT-SLOT/replica         the replica's name on the bus; locked while it lives
    FOLDER/AGENT-SLOT/00000001.log    a segment
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from palaver_broker.disk import sync_folder
from palaver_protocols.errors import BrokerError, UsageError

from .segments import ANSWERED, BEGUN, ENDED, Segment, name_of
from .slots import take_slot

__all__ = ["AgentJournal"]

SEGMENTS = 8
"""How many segments are kept: 1 GiB, and half a million calls, of which an index is kept in memory."""
SEGMENT_BYTES = 1 << 27
SEGMENT_FRAMES = 1 << 17
PAUSE_S = 0.005
"""At least, from sync to sync: one costs as much CPU as twenty calls, and an answer waits for it for that long."""
DAY_S = 86_400.0


class AgentJournal:
    """What one replica of an agent has asked and been answered. For one event loop; close it with ``aclose``.

    Made by :meth:`open`. Keys are request keys, but any string will do.

    Attributes:
        consumer: the replica's name on the bus, the same after every restart: ``HOST-8HEX``, made with the journal.
        lost: the calls that an earlier process of this slot had begun when it ended, by key: neither answered nor
            failed, lost in flight. A call is told once; the next opening does not know of it any more. A key that is
            not 32 hex digits is told by its BLAKE2b-128.
    """

    def __init__(self, place: Path, lock: int, consumer: str, keep_s: float) -> None:
        self._place = place
        self._lock: int | None = lock
        self._keep_s = keep_s
        self._segments: list[Segment] = []  # the oldest first; the last is being written
        self._rolled: list[Segment] = []  # full, and not yet synced to the end
        self._dropped: list[Segment] = []  # and not yet deleted
        self._waiting: list[asyncio.Future[None]] = []  # for the next sync
        self._timer: asyncio.TimerHandle | None = None
        self._not_before = 0.0  # the loop's time at which the next sync may begin
        self._syncing: asyncio.Future[None] | None = None
        self._syncer = ThreadPoolExecutor(1, "palaver-agent-journal")
        self._failure: BrokerError | None = None
        self.consumer = consumer
        self.lost: tuple[str, ...] = ()

    @classmethod
    def open(cls, folder: Path, agent: str, *, keep_days: float = 7.0) -> Self:
        """Take the first free slot of an agent, with the journal that an earlier process has left there.

        Blocks while it reads, a few microseconds a call.

        Args:
            folder: where the journals of this machine's agents lie; made if it is missing.
            agent: the agent's name.
            keep_days: how long answers are kept, unless newer ones fill the journal. They go by the segment, and so
                up to a seventh of that time later.

        Raises:
            UsageError: the folder cannot be used, or what lies there is no journal.
        """
        with _usable(folder):
            place, lock, consumer = take_slot(folder, agent)
            journal = cls(place, lock, consumer, keep_days * DAY_S)
            try:
                journal._load()
            except BaseException:
                journal._close()
                raise
        return journal

    def _load(self) -> None:
        begun: Counter[bytes] = Counter()
        for path in sorted(self._place.glob("[0-9]*.log")):
            self._segments.append(Segment.load(path, begun))
        if not self._segments or self._is_full(self._segments[-1]):
            self._roll()
        self._drop_old()
        self._segments[-1].cut_torn_tail()
        self.lost = tuple(name.hex() for name in begun.elements())
        for name in begun.elements():
            self._segments[-1].append(ENDED, name)
        _sync_and_delete(self._segments, self._dropped)
        self._rolled, self._dropped = [], []
        sync_folder(self._place.parent)

    def look_up(self, key: str) -> bytes | None:
        """Return what the model has answered to a request, or None. Of several answers the first one stands.

        It may be one that is still on its way to the disk.

        Raises:
            BrokerError: it cannot be read.
        """
        name = name_of(key)
        for segment in self._segments:
            at = segment.answers.get(name)
            if at is not None:
                with _failing("read", segment.path):
                    return segment.read(name, at)
        return None

    def begin(self, key: str) -> None:
        """Note that a call is about to be made. When this returns, no kill of the process can undo it.

        Raises:
            BrokerError: it cannot be written, or something could not be earlier: make no call.
        """
        self._write(BEGUN, key)

    def failed(self, key: str) -> None:
        """Note that a call has ended without an answer, so that nothing was lost.

        Not for a call that we have cancelled ourselves: it was asked, and may have to be paid.

        Raises:
            BrokerError: it cannot be written, or something could not be earlier.
        """
        self._write(ENDED, key)

    async def answer(self, key: str, data: bytes) -> None:
        """Write an answer down; return when it would survive a power cut. A kill of the process it survives at once.

        Raises:
            BrokerError: it could not be written; names the file. The journal takes nothing from then on.
        """
        self._write(ANSWERED, key, data)
        synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(synced)
        self._sync_soon()
        await synced

    async def aclose(self) -> None:
        """Sync what has been written, and leave the slot. Idempotent. Calls that are still open count as lost."""
        self._failure = self._failure or BrokerError(f"the journal in {self._place} is closed")
        while self._waiting or self._syncing is not None:
            if self._syncing is None:
                self._sync()
            else:
                await asyncio.wait([self._syncing])
        self._close()

    def _close(self) -> None:
        self._syncer.shutdown(wait=False)
        for segment in [*self._segments, *self._dropped]:
            segment.close()
        self._segments, self._dropped = [], []
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write(self, kind: int, key: str, data: bytes = b"") -> None:
        if self._failure is not None:
            raise _again(self._failure)
        try:
            with _failing("write", self._segments[-1].path):
                if self._is_full(self._segments[-1]):
                    self._roll()
                self._segments[-1].append(kind, name_of(key), data)
        except BrokerError as error:
            self._failure = _again(error)
            raise

    def _is_full(self, segment: Segment) -> bool:
        return (
            segment.frames >= SEGMENT_FRAMES
            or segment.size >= SEGMENT_BYTES
            or time.time() - segment.started > self._keep_s / (SEGMENTS - 1)
        )

    def _roll(self) -> None:
        """Begin a new segment."""
        number = int(self._segments[-1].path.stem) + 1 if self._segments else 1
        self._rolled += self._segments[-1:]
        self._segments.append(Segment.create(self._place / f"{number:08}.log"))
        self._drop_old()

    def _drop_old(self) -> None:
        """Let go of segments that are too many or too old; the next sync deletes them."""
        oldest = time.time() - self._keep_s
        while len(self._segments) > 1 and (len(self._segments) > SEGMENTS or self._segments[0].written() < oldest):
            self._dropped.append(self._segments.pop(0))

    def _sync_soon(self) -> None:
        """See to it that those who wait are served, as soon as the pause is over and the thread is back."""
        if self._waiting and self._timer is None and self._syncing is None:
            self._timer = asyncio.get_running_loop().call_at(self._not_before, self._sync)

    def _sync(self) -> None:
        """Send the thread off for all that wait."""
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._not_before = loop.time() + PAUSE_S
        waiting, self._waiting = self._waiting, []
        dirty, self._rolled = [*self._rolled, self._segments[-1]], []
        dropped, self._dropped = self._dropped, []
        self._syncing = loop.run_in_executor(self._syncer, _sync_and_delete, dirty, dropped)
        self._syncing.add_done_callback(lambda done: self._synced(waiting, done.exception()))

    def _synced(self, waiting: Sequence[asyncio.Future[None]], error: BaseException | None) -> None:
        self._syncing = None
        failure = error if isinstance(error, BrokerError) or error is None else BrokerError(f"{self._place}: {error!r}")
        if failure is not None:
            self._failure = failure
            waiting, self._waiting = [*waiting, *self._waiting], []  # no later sync of these files can be believed
        for synced in waiting:
            if synced.done():  # cancelled meanwhile
                continue
            if failure is not None:
                synced.set_exception(_again(failure))
            else:
                synced.set_result(None)
        self._sync_soon()


def _sync_and_delete(dirty: Sequence[Segment], dropped: Sequence[Segment]) -> None:
    """Do what takes time (in the syncing thread)."""
    for segment in dirty:
        with _failing("write", segment.path):
            segment.sync()
    for segment in dropped:
        with _failing("delete", segment.path):
            segment.remove()


def _again(failure: BrokerError) -> BrokerError:
    """Copy an error for one more who is told: a raised exception collects the stack of whoever caught it."""
    return BrokerError(failure.message, mend=failure.mend)


@contextmanager
def _failing(to: str, path: Path) -> Iterator[None]:
    """Turn the system's errors into ours, which name the file and the mend."""
    try:
        yield
    except OSError as error:
        raise BrokerError(
            f"cannot {to} {path}: {error.strerror}", mend="see to the disk, then start the agent again"
        ) from error


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"cannot keep the agent's journal in {folder}: {error.strerror}",
            mend="name a folder that can be written with --state or PALAVER_STATE",
        ) from error
