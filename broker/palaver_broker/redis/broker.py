"""``redis://``: the bus of many processes on many machines.

    PREFIX in:AGENT            stream: the questions to an agent
    PREFIX out:bus/NAME        stream: what a stranger has said (:mod:`.porter`)
    PREFIX note:bus/NAME       stream: what a stranger is told of what it said; for an hour
    PREFIX gm:NAME             stream: the answers to a game master
    PREFIX log:RUN/EPISODE     stream: the log of an episode; the entry at position N has the id (N+1)-0
    PREFIX calls:RUN/EPISODE   hash: what has been asked and answered in an episode
    PREFIX part:RUN/EPISODE:…  stream: a log that is being put back, and is not all there; for an hour
    PREFIX purse:RUN           hash: what a run may spend, and has spent
    PREFIX commits             stream: word of the latest commits, for those who watch
    PREFIX dead                stream: dead letters
    PREFIX blob:SHA256         string: a picture, for some days after its last use

PREFIX is ``{BUS}:``, a hash tag: all keys of a bus are in one slot, on one instance, in one append-only file, of which
any beginning is a consistent past. A stream holds what is owed and nothing else: an entry goes when its last group has
acknowledged it.
"""

import asyncio
import hashlib
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from typing import Any, Self

from pydantic_core import to_json

from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import Aside, TurnFailure, TurnReply, TurnRequest, TurnTaken, Wire
from palaver_protocols.strangers import Notice, is_stranger

from ..base import (
    NOTHING,
    AskResult,
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
from ..topics import episode_log, inbox, notes
from .link import Link
from .loans import Loan, Subscription
from .packing import Word
from .scripts import ASK, BURY, COMMIT, RESTORE, SETTLE, WITHDRAW
from .streams import Counters, Reader
from .watching import commits_on

__all__ = ["RedisBlobs", "RedisBroker"]

BOX_MS = 3_600_000
"""How long answers to a game master wait that nobody reads. They are with their questions, too."""
BLOB_MS = 7 * 24 * 3_600_000
"""How long a picture is kept after its last use."""
COMMITS = 20_000
"""How many commits are remembered, at least, for those who watch."""
LETTERS = 1000
"""How many dead letters are shown."""
PART_BYTES = 2**20
"""How much of a log is put back by one call, or one entry if that is more: the server stays free for others."""
PART_MS = 3_600_000
"""How long what has gathered of a log waits for the rest."""


class RedisBlobs:
    """Pictures as strings under their SHA-256, which go some days after their last use."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def _key(self, sha256: str) -> str:
        return f"{self._link.prefix}blob:{sha256}"

    async def put(self, data: bytes) -> str:
        """Store bytes and return their SHA-256."""
        sha256 = hashlib.sha256(data).hexdigest()
        if not await self._link.call("PEXPIRE", self._key(sha256), BLOB_MS):
            await self._link.call("SET", self._key(sha256), data, "PX", BLOB_MS)
        return sha256

    async def get(self, sha256: str) -> bytes:
        """Return the bytes stored under a SHA-256."""
        data: bytes | None = await self._link.call("GETEX", self._key(sha256), "PX", BLOB_MS)
        if data is None:
            raise BrokerError(f"there is no blob {sha256}", mend="put it before you refer to it")
        return data


class RedisBroker(Broker):
    """A connection to a bus on Redis: two sockets, one for the commands of everybody and one for the blocking read.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``; ``?bus=NAME`` names the bus (``palaver``).
        name: how the server lists our connections.
        patience_s: how long a server that cannot be reached or used is waited for; None: for ever.
    """

    def __init__(self, url: str, *, name: str = "palaver", patience_s: float | None = None) -> None:
        self._url, self._name, self._patience_s = url, name, patience_s
        self.link = Link(url, name=name, patience_s=patience_s)
        self.blobs = RedisBlobs(self.link)
        self._prefix = self.link.prefix
        self._readers: dict[tuple[str, str], Reader] = {}
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()
        self.counters = Counters(links=[self.link])

    @property
    def connected(self) -> bool:
        """Whether the bus can be used now."""
        return self.link.connected

    @property
    def losses(self) -> int:
        """How often a connection was lost and made anew."""
        return self.counters.reconnects

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            BrokerError: the server cannot be reached or used; says why.
        """
        await self._stack.enter_async_context(self.link)
        return self

    async def aclose(self) -> None:
        """Disconnect."""
        await self._stack.aclose()

    async def publish(self, topic: str, message: Any) -> None:
        """Put a message on a topic."""
        await self.link.call("XADD", self._prefix + topic, "*", "k", message.key, "m", self._written(message))

    @asynccontextmanager
    async def subscribe(
        self, topic: str, group: str, *, consumer: str, lease_s: float = 30.0, limit: int | None = None
    ) -> AsyncIterator[Subscription]:
        """Join a group of consumers."""
        reader = await self._reader(group, consumer)
        async with reader.subscribed(topic, lease_s, limit) as subscription:
            yield subscription

    async def _reader(self, group: str, consumer: str) -> Reader:
        """Return the reader of a consumer; its link is open."""
        async with self._opening:  # a second subscription waits for the link that the first one opens
            reader = self._readers.get((group, consumer))
            if reader is None:
                link = Link(self._url, name=f"{self._name}-reader", patience_s=self._patience_s)
                await self._stack.enter_async_context(link)
                self.counters.links.append(link)
                reader = self._readers[group, consumer] = Reader(link, self.link, group, consumer, self.counters)
        return reader

    async def commit(self, commit: Commit) -> CommitResult:
        """Append to a log and do what follows from it."""
        entry = commit.entry
        loans = [_loan(delivery) for delivery in commit.ack]
        spent = spent_on(entry)
        run_id, _, episode_id = commit.log.removeprefix("log:").partition("/")
        keys = [
            *self._keys_of(commit.log),
            f"{self._prefix}run:{run_id}/archived",
            f"{self._prefix}commits",
            *[loan.stream for loan in loans],
            *[self._prefix + inbox(request.agent) for request, _ in commit.ask],
        ]
        words: list[Word] = [
            self._prefix, BOX_MS, commit.at, commit.after or "", entry.key, self._written(entry),
            int(isinstance(entry, TurnTaken | Aside)), spent.tokens, spent.micro_usd, episode_id,
            commit.log, to_json(commit.gist), COMMITS, len(loans),
        ]  # fmt: skip
        for loan in loans:
            words += (loan.group, loan.id)
        for request, to in commit.ask:
            words += (request.key, to, self._written(request))
        result: CommitResult = _word(await self.link.run(COMMIT, keys, words))
        if result in self.counters.refused:
            self.counters.refused[result] += 1
        if result != "gap":
            for loan in loans:
                loan.spent()
        return result

    def _written(self, message: Any) -> bytes:
        """Return a message as it goes out, and count it."""
        text = encode(message)
        if (traffic := self.counters.traffic) is not None:
            traffic.sent(message.type, len(text))
        return text

    def _keys_of(self, log: str) -> tuple[str, str, str]:
        """Name the log, the calls and the purse that belong together."""
        episode = log.removeprefix("log:")
        run_id = episode.partition("/")[0]
        return f"{self._prefix}{log}", f"{self._prefix}calls:{episode}", f"{self._prefix}purse:{run_id}"

    async def ask(self, question: Question) -> AskResult:
        """Ask a question, unless it has been asked or answered."""
        request, to = question
        keys = [
            *self._keys_of(episode_log(request.run_id, request.episode_id)),
            self._prefix + inbox(request.agent),
        ]
        words: list[Word] = [self._prefix, BOX_MS, request.key, to, self._written(request)]
        result: AskResult = _word(await self.link.run(ASK, keys, words))
        return result

    async def settle(self, answer: TurnReply | TurnFailure, delivery: Delivery) -> None:
        """Remember an answer, send it to whoever waits for it, acknowledge the question."""
        loan = _loan(delivery)
        log, calls, _ = self._keys_of(episode_log(answer.run_id, answer.episode_id))
        is_reply = int(isinstance(answer, TurnReply))
        words: list[Word] = [self._prefix, BOX_MS, answer.key, is_reply, self._written(answer), loan.group, loan.id]
        await self.link.run(SETTLE, [log, calls, loan.stream], words)
        loan.spent()

    async def withdraw(self, request: TurnRequest) -> bool:
        """Take back a question that has no answer; a stranger is told."""
        notice = b""
        if is_stranger(request.agent):
            notice = encode(Notice(key=request.key, agent=request.agent, code="cancelled"))
        _, calls, _ = self._keys_of(episode_log(request.run_id, request.episode_id))
        keys = [calls, self._prefix + inbox(request.agent), self._prefix + notes(request.agent)]
        return bool(await self.link.run(WITHDRAW, keys, [request.key, BOX_MS, notice]))

    async def refusals(self, agent: str, within_s: float) -> list[Notice]:
        """Return what a stranger was told lately of messages that were refused."""
        now: list[bytes] = await self.link.call("TIME")
        since = max(0, int((int(now[0]) - within_s) * 1000))
        entries = await self.link.call("XRANGE", self._prefix + notes(agent), since, "+")
        told = [Notice.model_validate_json(fields[1]) for _, fields in entries]
        return [notice for notice in told if notice.code == "refused"]

    async def fund(self, run_id: str, budget: Budget, spent: Spent = NOTHING) -> None:
        """Limit what a run may spend."""
        key = f"{self._prefix}purse:{run_id}"
        for name, most, already in (
            ("tokens", budget.tokens, spent.tokens),
            ("micro_usd", budget.micro_usd, spent.micro_usd),
        ):
            await self.link.call("HSETNX", key, name, already)
            if most is None:
                await self.link.call("HDEL", key, f"max_{name}")
            else:
                await self.link.call("HSET", key, f"max_{name}", most)

    async def bury(self, delivery: Delivery, reason: str) -> None:
        """Move a message to the dead letters."""
        loan = _loan(delivery)
        self.counters.dead_letters += 1
        words: list[Word] = [loan.group, loan.id, loan.topic, reason, encode(loan.message)]
        await self.link.run(BURY, [loan.stream, f"{self._prefix}dead"], words)
        loan.spent()

    async def dead_letters(self) -> list[DeadLetter]:
        """Return the dead letters."""
        entries = await self.link.call("XREVRANGE", f"{self._prefix}dead", "+", "-", "COUNT", LETTERS)
        letters = [dict(zip(fields[::2], fields[1::2], strict=True)) for _, fields in reversed(entries)]
        return [
            DeadLetter(*(letter[field].decode(errors="replace") for field in (b"t", b"r", b"m"))) for letter in letters
        ]

    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return the entries of a log."""
        last = "+" if stop is None else f"{stop}-0"
        entries = await self.link.call("XRANGE", self._prefix + log, f"{start + 1}-0", last)
        return [decode(fields[3]) for _, fields in entries]

    async def watch(self, after: str | None = None) -> AsyncGenerator[list[Committed], None]:
        """Tell of every commit, in batches."""
        async with Link(self._url, name=f"{self._name}-watch", patience_s=self._patience_s) as link:
            async for batch in commits_on(link, after):
                yield batch

    async def restore(self, log: str, entries: Sequence[Wire], *, again: bool = False) -> None:
        """Put a log back that was archived and dropped: all of it or, if we are killed meanwhile, nothing.

        One that is here stays as it is.

        Args:
            log: which.
            entries: all that it has.
            again: whether its episode is played again if it is archived; else there is no log to put back.
        """
        name = log.removeprefix("log:")
        run_id, _, episode_id = name.partition("/")
        keys = [
            f"{self._prefix}{log}",
            f"{self._prefix}part:{name}:{secrets.token_hex(8)}",  # ours alone: somebody else may put back other entries
            f"{self._prefix}run:{run_id}/archived",
        ]
        at = 0
        while at < len(entries):
            words = [episode_id, int(again), PART_MS, len(entries), at, *_part(entries, at)]
            at = await self.link.run(RESTORE, keys, words)

    async def memory_bytes(self) -> int | None:
        """Return how much memory the server uses; None if it may not be asked."""
        try:
            info: bytes = await self.link.call("INFO", "memory")
        except BrokerError:
            return None
        found = re.search(rb"used_memory:(\d+)", info)
        return int(found[1]) if found else None

    async def drop(self, log: str) -> None:
        """Forget a log, and what was asked in its episode."""
        key, calls, _ = self._keys_of(log)
        await self.link.call("UNLINK", key, calls)


def _part(entries: Sequence[Wire], start: int) -> Iterator[Word]:
    """Word what one call puts back of a log: key and text of at least one entry."""
    room = PART_BYTES
    for entry in islice(entries, start, None):
        text = encode(entry)
        if len(text) > room < PART_BYTES:
            return
        room -= len(text)
        yield entry.key
        yield text


def _loan(delivery: Delivery) -> Loan:
    assert isinstance(delivery, Loan), "a delivery of another bus"
    return delivery


def _word(reply: bytes) -> Any:
    return reply.decode()
