"""``memory://``: the embedded bus. Everything lives in this process and this event loop; nothing is copied or encoded.

It keeps every promise of :mod:`palaver_broker.base`, leases and redelivery included, so that what works here works on
Redis. Messages are immutable, which is why passing them by reference is safe. With a journal, log entries are durable
before a commit returns, and survive this process.
"""

import asyncio
import hashlib
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import Aside, TurnFailure, TurnReply, TurnRequest, TurnTaken, Wire

from .base import (
    NOTHING,
    AskResult,
    BlobStore,
    Broker,
    Budget,
    Commit,
    CommitResult,
    Committed,
    DeadLetter,
    Delivery,
    Question,
    Spent,
    spent_on,
)
from .lending import Subscription, Topic
from .topics import episode_log, inbox

__all__ = ["Journal", "MemoryBlobs", "MemoryBroker"]

DEAD_LETTERS = 1000
"""How many dead letters are kept."""
COMMITS = 20_000
"""How many commits are remembered for those who watch."""


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


class _Calls:
    """What has been asked in an episode: who waits for which answer, and the answers that no turn has taken yet."""

    __slots__ = ("answers", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[str, str] = {}
        self.answers: dict[str, TurnReply] = {}


class _Commits:
    """Word of the latest commits, from when somebody has asked for it: a run that nobody watches pays nothing."""

    def __init__(self) -> None:
        self._known: deque[Committed] | None = None
        self._told = 0
        self._news = asyncio.Event()

    def tell(self, commit: Commit) -> None:
        """Note a commit."""
        if self._known is not None:
            self._told += 1
            self._known.append(Committed(str(self._told), commit.log, commit.at, commit.gist))
            self._news.set()

    async def watch(self, after: str | None) -> AsyncGenerator[list[Committed], None]:
        """Yield batches, the first at once."""
        if self._known is None:
            self._known = deque(maxlen=COMMITS)
        seen = self._told if after is None else int(after)
        while True:
            new = min(self._told - seen, len(self._known))
            seen = self._told
            yield [self._known[at] for at in range(-new, 0)]
            while self._told == seen:
                self._news.clear()
                await self._news.wait()


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
        self._topics: defaultdict[str, Topic] = defaultdict(Topic)
        self._logs: dict[str, dict[str, Wire]] = {
            log: {entry.key: entry for entry in entries} for log, entries in (logs or {}).items()
        }
        self._writing: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._calls: defaultdict[str, _Calls] = defaultdict(_Calls)
        self._budgets: dict[str, Budget] = {}
        self._spent: dict[str, Spent] = {}
        self._dead: deque[DeadLetter] = deque(maxlen=DEAD_LETTERS)
        self._commits = _Commits()
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
        limit: int | None = None,
    ) -> AsyncIterator[Subscription]:
        """Join a group of consumers."""
        self._check_open()
        subscription = Subscription(topic, self._topics[topic].group(group), lease_s, limit)
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
            self._count(commit)
            self._commits.tell(commit)
            results = [self._ask(question) for question in commit.ask]
            result = "budget" if "budget" in results else "ok"
        for delivery in commit.ack:
            await delivery.ack()
        return result

    def _count(self, commit: Commit) -> None:
        """Count what an answer has cost, and forget it: the log has it."""
        entry = commit.entry
        if not isinstance(entry, TurnTaken | Aside):
            return
        self._calls[commit.log].answers.pop(entry.key, None)
        run_id = entry.reply.run_id
        if run_id in self._spent:
            before, more = self._spent[run_id], spent_on(entry)
            self._spent[run_id] = Spent(before.tokens + more.tokens, before.micro_usd + more.micro_usd)

    async def ask(self, question: Question) -> AskResult:
        """Ask a question, unless it has been asked or answered."""
        self._check_open()
        return self._ask(question)

    def _ask(self, question: Question) -> AskResult:
        request, to = question
        log = episode_log(request.run_id, request.episode_id)
        key = request.key
        if log not in self._logs or key in self._logs[log]:
            return "gone"
        calls = self._calls[log]
        answer = calls.answers.get(key)
        if answer is not None:
            self._topics[to].put(answer)
            return "answered"
        asked_before = key in calls.waiting
        if not asked_before and self._is_broke(request.run_id):
            return "budget"
        calls.waiting[key] = to
        if asked_before:
            return "waiting"
        self._topics[inbox(request.agent)].put(request)
        return "asked"

    def _is_broke(self, run_id: str) -> bool:
        budget = self._budgets.get(run_id)
        return budget is not None and budget.is_spent(self._spent[run_id])

    async def settle(self, answer: TurnReply | TurnFailure, delivery: Delivery) -> None:
        """Remember an answer, send it to whoever waits for it, acknowledge the question."""
        self._check_open()
        log = episode_log(answer.run_id, answer.episode_id)
        calls = self._calls.get(log)
        if calls is not None:
            if isinstance(answer, TurnReply) and answer.key not in self._logs[log]:
                answer = calls.answers.setdefault(answer.key, answer)
            to = calls.waiting.pop(answer.key, None)
            if to is not None:
                self._topics[to].put(answer)
        await delivery.ack()

    async def withdraw(self, request: TurnRequest) -> bool:
        """Take back a question that has no answer."""
        self._check_open()
        calls = self._calls.get(episode_log(request.run_id, request.episode_id))
        if calls is None or calls.waiting.pop(request.key, None) is None:
            return False
        self._topics[inbox(request.agent)].withdraw(request.key)
        return True

    async def fund(self, run_id: str, budget: Budget, spent: Spent = NOTHING) -> None:
        """Limit what a run may spend."""
        self._check_open()
        self._budgets[run_id] = budget
        self._spent.setdefault(run_id, spent)

    async def bury(self, delivery: Delivery, reason: str) -> None:
        """Move a message to the dead letters."""
        self._check_open()
        self._dead.append(DeadLetter(delivery.topic, reason, encode(delivery.message).decode()))
        await delivery.ack()

    async def dead_letters(self) -> list[DeadLetter]:
        """Return the dead letters."""
        self._check_open()
        return list(self._dead)

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

    def watch(self, after: str | None = None) -> AsyncGenerator[list[Committed], None]:
        """Tell of every commit, in batches."""
        self._check_open()
        return self._commits.watch(after)

    async def drop(self, log: str) -> None:
        """Forget a log."""
        self._check_open()
        self._logs.pop(log, None)
        self._calls.pop(log, None)

    async def aclose(self) -> None:
        """Forget everything."""
        self._closed = True
        self._topics.clear()
        self._logs.clear()
        self._calls.clear()
