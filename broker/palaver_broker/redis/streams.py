"""Topics as Redis streams: one blocking read for all that a consumer is subscribed to, and what it has on loan.

A message on loan is an entry in the group's list of pending entries; its lease is the time since it was last delivered
or renewed. A lapsed one is claimed by whoever looks first. A consumer that starts takes up what an earlier process of
its name held: a restart waits for no lease, and what that process has noted of its messages is not lost on others.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from palaver_protocols.codec import decode
from palaver_protocols.errors import BrokerError, ProtocolError

from .errors import ReplyError
from .link import Link, briefly
from .loans import BATCH, NOBODY, Subscription
from .scripts import BURY, RELEASE, TAKE_UP

__all__ = ["Counters", "Reader", "Traffic"]

BLOCK_MS = 500
"""How long a read waits; how soon a new subscription is read and a leaving one let go."""
LOOK_S = 0.5
"""How often we look for lapsed leases, at most."""


class Traffic(Protocol):
    """Who counts messages, for metrics. Called for each of them: it must be quick, and must not raise."""

    def sent(self, kind: str, size: int) -> None:
        """Count a message that goes out: its type, and its bytes."""
        ...

    def received(self, kind: str, size: int, delay_s: float | None) -> None:
        """Count one that has come in, and how long it was on its way; None: it had been handed out before."""
        ...


@dataclass(slots=True)
class Counters:
    """What a process's end of the bus has seen, for metrics. ``refused`` are commits, by result."""

    redeliveries: int = 0
    dead_letters: int = 0
    refused: dict[str, int] = field(default_factory=lambda: {"dup": 0, "gap": 0})
    links: list[Link] = field(default_factory=list)
    traffic: Traffic | None = None

    @property
    def reconnects(self) -> int:
        """How often a connection was lost and made anew."""
        return sum(link.reconnects for link in self.links)


class Reader:
    """A consumer of a group: reads all the topics that it is subscribed to with one command at a time.

    Args:
        link: a connection of its own, since a read blocks it.
        commands: the connection for everything else.
        group: the group.
        consumer: its name in the group.
        counters: what is counted for metrics.
    """

    def __init__(self, link: Link, commands: Link, group: str, consumer: str, counters: Counters) -> None:
        self.link = link
        self.commands = commands
        self.group = group
        self.consumer = consumer
        self._counters = counters
        self._subscriptions: dict[str, Subscription] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._client_id = 0  # what the server calls the connection that blocks

    @property
    def is_idle(self) -> bool:
        """Whether nobody is subscribed."""
        return not self._subscriptions

    @asynccontextmanager
    async def subscribed(self, topic: str, lease_s: float, limit: int | None) -> AsyncIterator[Subscription]:
        """Read a topic until the context is left; then hand back what is unacknowledged."""
        subscription = Subscription(
            self.commands,
            self.group,
            self.consumer,
            topic,
            lease_s=lease_s,
            limit=limit,
            changed=self._changed.set,
        )
        if subscription.stream in self._subscriptions:
            raise BrokerError(f"{self.consumer} reads {topic} already", mend="give each consumer its own name")
        await self._make_group(subscription.stream)
        await self._take_up(subscription)
        self._subscriptions[subscription.stream] = subscription
        self._changed.set()
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._read_on(), name=f"reader of {self.group}")]
        claiming = asyncio.create_task(self._claim_on(subscription), name=f"lapsed leases of {topic}")
        try:
            yield subscription
        finally:
            claiming.cancel()
            await asyncio.gather(claiming, return_exceptions=True)
            del self._subscriptions[subscription.stream]
            if self.is_idle:
                await self._stop_reading()
            async with briefly():  # else the leases will lapse
                await self._hand_back(subscription)

    async def _stop_reading(self) -> None:
        """Let the read that is under way come to its end: what it brings must be handed back."""
        self._changed.set()
        tasks, self._tasks = self._tasks, []
        async with briefly():
            await self.commands.call("CLIENT", "UNBLOCK", self._client_id)
        done, late = await asyncio.wait(tasks, timeout=4 * BLOCK_MS / 1000)
        for task in late:  # the server does not answer
            task.cancel()
        await asyncio.gather(*done, *late, return_exceptions=True)

    async def _take_up(self, subscription: Subscription) -> None:
        """Lend what the server has lent to our name, and we do not know of.

        An earlier process was lent it, or we were, by a reply that was lost with the connection.
        """
        after = "-"
        while found := await subscription.run(TAKE_UP, after, str(BATCH)):
            after = f"({found[0].decode()}"
            held = [(id_, fields) for id_, fields in (entry for entry in found[1] if entry) if fields]
            await self._lend_again(subscription, [each for each in held if not subscription.has(each[0].decode())])

    async def _hand_back(self, subscription: Subscription) -> None:
        while await subscription.run(RELEASE, "*", NOBODY) == 1000:
            pass

    async def _make_group(self, stream: str) -> None:
        """Make the group, from the beginning of the stream, unless it is there."""
        try:
            await self.commands.call("XGROUP", "CREATE", stream, self.group, "0", "MKSTREAM")
        except ReplyError as error:
            if error.code != "BUSYGROUP":
                raise

    async def _read_on(self) -> None:
        self._client_id = await self.link.call("CLIENT", "ID")
        breaks = self._breaks
        while self._subscriptions:
            self._changed.clear()
            if breaks != self._breaks:
                breaks = self._breaks
                await self._recover()
            hungry = [each for each in self._subscriptions.values() if each.room > 0]
            if not hungry:
                await self._changed.wait()
                continue
            count = min(BATCH, *(each.room for each in hungry))
            streams = [each.stream for each in hungry]
            try:
                read = await self.link.call(
                    "XREADGROUP", "GROUP", self.group, self.consumer, "COUNT", count, "BLOCK", BLOCK_MS,
                    "STREAMS", *streams, *[">"] * len(streams),
                )  # fmt: skip
            except BrokerError as error:
                if not _lost_group(error):
                    await self._complain(error)
                    continue
                for stream in streams:  # the server has lost them, or somebody has removed them
                    await self._make_group(stream)
                continue
            for stream, entries in read or ():
                subscription = self._subscriptions.get(stream.decode())
                if subscription is not None:  # else it has just been left, and takes back what it is lent
                    await self._lend(subscription, [(id_, fields, 1) for id_, fields in entries])

    @property
    def _breaks(self) -> int:
        """How often one of our connections was lost."""
        return self.link.reconnects + self.commands.reconnects

    async def _recover(self) -> None:
        """Look after a break for what we were sent and have not received."""
        try:
            for subscription in list(self._subscriptions.values()):
                await self._make_group(subscription.stream)
                await self._take_up(subscription)
        except BrokerError as error:
            await self._complain(error)

    async def _complain(self, error: BrokerError) -> None:
        structlog.get_logger().warning("cannot read from the bus", group=self.group, error=str(error))
        await asyncio.sleep(BLOCK_MS / 1000)

    async def _lend(self, subscription: Subscription, entries: Iterable[tuple[bytes, list[bytes], int]]) -> None:
        for id_, fields, deliveries in entries:
            words = dict(zip(fields[::2], fields[1::2], strict=True))
            try:
                message = decode(words.get(b"m", b""))
            except ProtocolError as error:
                await self._bury(subscription, id_.decode(), words, error)
            else:
                if (traffic := self._counters.traffic) is not None:
                    delay_s = time.time() - int(id_.partition(b"-")[0]) / 1000 if deliveries == 1 else None
                    traffic.received(message.type, len(words[b"m"]), delay_s)
                subscription.lend(id_.decode(), message, deliveries)

    async def _bury(
        self, subscription: Subscription, id_: str, words: dict[bytes, bytes], error: ProtocolError
    ) -> None:
        """Put aside what nobody can read, so that it does not come again and again."""
        self._counters.dead_letters += 1
        structlog.get_logger().warning("unreadable message", topic=subscription.topic, id=id_, reason=str(error))
        text = words.get(b"m", repr(words).encode())[:100_000]
        keys = [subscription.stream, f"{self.link.prefix}dead"]
        await self.commands.run(BURY, keys, [self.group, id_, subscription.topic, str(error), text])

    async def _claim_on(self, subscription: Subscription) -> None:
        """Take over what others were lent and have not acknowledged in time."""
        while True:
            try:
                await self._claim(subscription)
            except BrokerError as error:
                if not _lost_group(error):
                    await self._complain(error)
            await asyncio.sleep(min(LOOK_S, subscription.lease_s / 4))

    async def _claim(self, subscription: Subscription) -> None:
        cursor, lease_ms = "0-0", round(subscription.lease_s * 1000)
        while subscription.is_waited_for and (room := min(BATCH, subscription.room)) > 0:
            reply = await self.commands.call(
                "XAUTOCLAIM", subscription.stream, self.group, self.consumer, lease_ms, cursor, "COUNT", room
            )
            cursor = reply[0].decode()
            entries = [(id_, fields) for id_, fields in (entry for entry in reply[1] if entry) if fields]
            await self._lend_again(subscription, entries)
            if cursor == "0-0":
                return

    async def _lend_again(self, subscription: Subscription, entries: Sequence[tuple[bytes, list[bytes]]]) -> None:
        """Lend what has been lent before."""
        if entries:
            counts = await self._delivery_counts(subscription, entries[0][0], entries[-1][0], len(entries))
            self._counters.redeliveries += len(entries)
            await self._lend(subscription, [(id_, fields, counts.get(id_, 2)) for id_, fields in entries])

    async def _delivery_counts(
        self, subscription: Subscription, first: bytes, last: bytes, count: int
    ) -> dict[bytes, int]:
        pending = await self.commands.call(
            "XPENDING", subscription.stream, self.group, first, last, count, self.consumer
        )
        return {id_: deliveries for id_, _, _, deliveries in pending}


def _lost_group(error: BrokerError) -> bool:
    """Whether a stream or its group has gone from the server."""
    return isinstance(error, ReplyError) and error.code in ("NOGROUP", "UNBLOCKED")
