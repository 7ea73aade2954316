"""The bus as everything else sees it.

Topics carry messages at least once to each group of consumers. Logs are ordered, and grow only where the writer knows
their end. Blobs are bytes under their SHA-256. Every transport keeps these promises to the letter; one suite
(``tests/contract/test_broker.py``) holds all of them to it.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, NamedTuple, Protocol, Self

from palaver_protocols.messages import Wire

__all__ = ["BlobStore", "Broker", "Commit", "CommitResult", "Delivery", "Subscription"]

CommitResult = Literal["ok", "dup", "gap"]


class Delivery(ABC):
    """A message on loan: unless it is acknowledged before its lease lapses, it goes to another consumer."""

    __slots__ = ()

    message: Any
    """The message itself, one of :data:`palaver_protocols.messages.BusMessage`."""
    deliveries: int
    """How often it has been handed out, this time included."""

    @abstractmethod
    async def ack(self) -> None:
        """Say that the message has had its effect. Idempotent; harmless after the lease has lapsed."""

    @abstractmethod
    async def renew(self) -> bool:
        """Start the lease anew. False: it had lapsed, and the message belongs to somebody else by now."""

    @abstractmethod
    async def release(self) -> None:
        """Hand the message back at once, to be delivered again."""


class Subscription(Protocol):
    """A consumer's place in a group: an endless iterator of deliveries, for one task to read."""

    def __aiter__(self) -> AsyncIterator[Delivery]:
        """Iterate over deliveries as they come."""
        ...

    async def __anext__(self) -> Delivery:
        """Wait for the next delivery."""
        ...


class Commit(NamedTuple):
    """One step of a log and everything that follows from it, all or nothing.

    ``entry`` is appended at position ``at`` (0: the first) if the log is exactly that long and its last entry's key is
    ``after`` (None at position 0). Then ``publish`` goes out and ``ack`` is acknowledged.
    """

    log: str
    at: int
    after: str | None
    entry: Wire
    publish: Sequence[tuple[str, Wire]] = ()
    ack: Sequence[Delivery] = ()


class BlobStore(Protocol):
    """Bytes under their SHA-256."""

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their SHA-256 (64 hex digits). Storing them again changes nothing."""
        ...

    async def get(self, sha256: str) -> bytes:
        """Return the bytes.

        Raises:
            BrokerError: there are none under this name.
        """
        ...


class Broker(ABC):
    """An at-least-once message bus with durable logs. Use it as an async context manager; leaving it releases all."""

    blobs: BlobStore

    @abstractmethod
    async def publish(self, topic: str, message: Wire) -> None:
        """Put a message on a topic. It stays there until every group has acknowledged it.

        A topic that no group has ever read keeps everything for the first group to come.
        """

    @abstractmethod
    def subscribe(
        self, topic: str, group: str, *, consumer: str, lease_s: float = 30.0
    ) -> AbstractAsyncContextManager[Subscription]:
        """Join a group of consumers: each message of the topic goes to one consumer of each group.

        Messages come in order of publication; a redelivery comes when it comes. What is not acknowledged within
        ``lease_s`` seconds is delivered to any consumer of the group. Leaving the context hands back what is
        unacknowledged.
        """

    @abstractmethod
    async def commit(self, commit: Commit) -> CommitResult:
        """Append to a log and do what follows from it, atomically.

        Returns:
            ``ok``: done, and durable. ``dup``: the log has an entry with this key already, so only the
            acknowledgements were carried out. ``gap``: the log ends elsewhere, and nothing was done.
        """

    @abstractmethod
    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return the entries of a log from ``start`` up to, not including, ``stop``; none for an unknown log."""

    @abstractmethod
    async def drop(self, log: str) -> None:
        """Forget a log that has been archived. Idempotent."""

    @abstractmethod
    async def aclose(self) -> None:
        """Release everything. Idempotent."""

    async def __aenter__(self) -> Self:
        """Open the bus."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the bus."""
        await self.aclose()
