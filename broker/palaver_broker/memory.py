"""``memory://``: the embedded bus. Everything lives in this process and this event loop; nothing is copied or encoded.

It keeps every promise of :mod:`palaver_broker.base`, leases and redelivery included, so that what works here works on
Redis. Messages are immutable, which is why passing them by reference is safe. With a journal, log entries are durable
before a commit returns, and survive this process.
"""

import asyncio
import hashlib
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import Wire

from .base import BlobStore, Broker, Commit, CommitResult, Delivery

__all__ = ["Journal", "MemoryBlobs", "MemoryBroker"]

IN_A_ROW = 64
"""How many messages a consumer is given before all others have their turn.

Whoever has an answer goes on while the rest of a crowd is served. Otherwise a thousand games fall into step: all of
them wait for the last, turn after turn.
"""


class Journal(Protocol):
    """Where an embedded bus makes its logs durable."""

    async def append(self, log: str, line: bytes) -> None:
        """Add a line to a log; return when it would survive a power cut.

        Raises:
            BrokerError: it could not be written.
        """
        ...


class MemoryBlobs:
    """A blob store that ends with the process."""

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}

    async def put(self, data: bytes) -> str:
        """Store bytes and return their SHA-256."""
        sha256 = hashlib.sha256(data).hexdigest()
        self._blobs[sha256] = data
        return sha256

    async def get(self, sha256: str) -> bytes:
        """Return the bytes stored under a SHA-256."""
        try:
            return self._blobs[sha256]
        except KeyError:
            raise BrokerError(f"there is no blob {sha256}", mend="put it before you refer to it") from None


class _Loan(Delivery):
    """A delivery of the embedded bus."""

    __slots__ = ("_subscription", "deadline", "deliveries", "message")

    def __init__(self, subscription: "_Subscription", message: Wire, deliveries: int, deadline: float) -> None:
        self._subscription = subscription
        self.message = message
        self.deliveries = deliveries
        self.deadline = deadline

    async def ack(self) -> None:
        self._subscription.loans.pop(self, None)

    async def renew(self) -> bool:
        return self._subscription.renew(self)

    async def release(self) -> None:
        self._subscription.give_back(self)


class _Group:
    """The messages that a group of consumers still has to be given, with the number of earlier deliveries of each."""

    __slots__ = ("_sleepers", "ready")

    def __init__(self) -> None:
        self.ready: deque[tuple[Wire, int]] = deque()
        self._sleepers: deque[asyncio.Future[None]] = deque()

    def put(self, message: Wire, deliveries: int = 0) -> None:
        self.ready.append((message, deliveries))
        if self._sleepers:
            self._wake_one()

    def _wake_one(self) -> None:
        while self._sleepers:
            sleeper = self._sleepers.popleft()
            if not sleeper.done():
                sleeper.set_result(None)
                return

    async def sleep(self) -> None:
        """Wait until there may be something ready."""
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append(sleeper)
        try:
            await sleeper
        except asyncio.CancelledError:
            if sleeper.done() and not sleeper.cancelled():
                self._wake_one()  # we were woken and then cancelled: what came is for somebody else
            raise


class _Subscription:
    """One consumer's place in a group, and what it has on loan: an ordered dict, the oldest loan first."""

    def __init__(self, group: _Group, lease_s: float) -> None:
        self._group = group
        self._lease_s = lease_s
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._served = 0
        self.loans: dict[_Loan, None] = {}

    def __aiter__(self) -> "_Subscription":
        return self

    async def __anext__(self) -> Delivery:
        group = self._group
        self._served += 1
        if self._served % IN_A_ROW == 0:
            await asyncio.sleep(0)
        while not group.ready:
            await group.sleep()
        message, deliveries = group.ready.popleft()
        loan = _Loan(self, message, deliveries + 1, self._loop.time() + self._lease_s)
        self._lend(loan)
        return loan

    def _lend(self, loan: _Loan) -> None:
        self.loans[loan] = None
        if self._timer is None:
            self._timer = self._loop.call_at(loan.deadline, self._collect)

    def _collect(self) -> None:
        """Take back what has lapsed, and look again when the next loan would.

        All leases of a subscription are equally long, so that the dict is in order of deadline and one timer serves.
        """
        self._timer = None
        now = self._loop.time()
        for loan in list(self.loans):
            if loan.deadline > now:
                self._timer = self._loop.call_at(loan.deadline, self._collect)
                break
            self.give_back(loan)

    def renew(self, loan: _Loan) -> bool:
        if loan not in self.loans:
            return False
        del self.loans[loan]
        loan.deadline = self._loop.time() + self._lease_s
        self._lend(loan)
        return True

    def give_back(self, loan: _Loan) -> None:
        if loan in self.loans:
            del self.loans[loan]
            self._group.put(loan.message, loan.deliveries)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for loan in list(self.loans):
            self.give_back(loan)


class _Topic:
    """The groups that read a topic, and what waits for the first of them."""

    def __init__(self) -> None:
        self.unread: list[Wire] = []
        self.groups: dict[str, _Group] = {}

    def put(self, message: Wire) -> None:
        if not self.groups:
            self.unread.append(message)
        for group in self.groups.values():
            group.put(message)

    def group(self, name: str) -> _Group:
        if name not in self.groups:
            self.groups[name] = _Group()
            unread, self.unread = self.unread, []
            for message in unread:
                self.groups[name].put(message)
        return self.groups[name]


class MemoryBroker(Broker):
    """The embedded bus.

    Args:
        journal: makes log entries durable; None keeps them in memory alone.
        blobs: where pictures go; None keeps them in memory.
        logs: what earlier processes have journaled, by log.
    """

    def __init__(
        self,
        *,
        journal: Journal | None = None,
        blobs: BlobStore | None = None,
        logs: Mapping[str, Sequence[Wire]] | None = None,
    ) -> None:
        self.blobs: BlobStore = MemoryBlobs() if blobs is None else blobs
        self._journal = journal
        self._topics: defaultdict[str, _Topic] = defaultdict(_Topic)
        self._logs: dict[str, dict[str, Wire]] = {
            log: {entry.key: entry for entry in entries} for log, entries in (logs or {}).items()
        }
        self._writing: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._closed = False

    def _check_open(self) -> None:
        if self._closed:
            raise BrokerError("this bus is closed", mend="open a new one")

    async def publish(self, topic: str, message: Wire) -> None:
        """Put a message on a topic."""
        self._check_open()
        self._topics[topic].put(message)

    @asynccontextmanager
    async def subscribe(
        self,
        topic: str,
        group: str,
        *,
        consumer: str,
        lease_s: float = 30.0,
    ) -> AsyncIterator[_Subscription]:
        """Join a group of consumers."""
        self._check_open()
        subscription = _Subscription(self._topics[topic].group(group), lease_s)
        try:
            yield subscription
        finally:
            subscription.close()

    async def commit(self, commit: Commit) -> CommitResult:
        """Append to a log and do what follows from it."""
        self._check_open()
        log = self._logs.setdefault(commit.log, {})
        key = commit.entry.key
        result: CommitResult
        if key in log:
            await self._already_durable(commit.log, key)
            result = "dup"
        elif commit.at != len(log) or commit.after != next(reversed(log), None):
            return "gap"
        else:
            log[key] = commit.entry
            if self._journal is not None:
                await self._make_durable(self._journal, commit, log)
            for topic, message in commit.publish:
                self._topics[topic].put(message)
            result = "ok"
        for delivery in commit.ack:
            await delivery.ack()
        return result

    async def _make_durable(self, journal: Journal, commit: Commit, log: dict[str, Wire]) -> None:
        name = (commit.log, commit.entry.key)
        self._writing[name] = asyncio.get_running_loop().create_future()
        try:
            await journal.append(commit.log, encode(commit.entry) + b"\n")
        except BrokerError:
            del log[commit.entry.key]
            raise
        finally:
            self._writing.pop(name).set_result(None)

    async def _already_durable(self, log: str, key: str) -> None:
        """Wait for whoever wrote this entry first: it may still be waiting for the disk."""
        writing = self._writing.get((log, key))
        if writing is not None:
            await asyncio.shield(writing)

    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return the entries of a log."""
        self._check_open()
        return list(self._logs.get(log, {}).values())[start:stop]

    async def drop(self, log: str) -> None:
        """Forget a log."""
        self._check_open()
        self._logs.pop(log, None)

    async def aclose(self) -> None:
        """Forget everything."""
        self._closed = True
        self._topics.clear()
        self._logs.clear()
