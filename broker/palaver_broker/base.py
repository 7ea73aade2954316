"""The bus as everything else sees it.

Topics carry messages at least once to each group of consumers. Logs are ordered, and grow only where the writer knows
their end. Questions are asked once and answered once, however often anybody tries: the bus remembers both. Blobs are
bytes under their SHA-256. Every transport keeps these promises to the letter; one suite
(``tests/contract/test_broker.py``) holds all of them to it.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, NamedTuple, Protocol, Self

from palaver_protocols.gist import Gist, gist_of
from palaver_protocols.messages import Aside, TurnFailure, TurnReply, TurnRequest, TurnTaken, Wire
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import Notice

__all__ = [
    "NOTHING",
    "AskResult",
    "BlobStore",
    "Broker",
    "Budget",
    "Commit",
    "CommitResult",
    "Committed",
    "DeadLetter",
    "Delivery",
    "Question",
    "Spent",
    "Subscription",
    "in_micro_usd",
    "spent_on",
]

AskResult = Literal["asked", "waiting", "answered", "gone", "budget"]
"""What came of asking.

``asked``: the question is in its agent's inbox. ``waiting``: it had been asked already, and its answer will come to who
asked last. ``answered``: its answer was there, and is on its way. ``gone``: the episode has no log, or has taken this
turn already; its asker has been overtaken. ``budget``: the run has spent what it may, and nobody is asked.
"""

CommitResult = Literal["ok", "dup", "gap", "budget"]


class Delivery(ABC):
    """A message on loan: unless it is acknowledged before its lease lapses, it goes to another consumer."""

    __slots__ = ()

    topic: str
    """Where it was published."""
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


class Question(NamedTuple):
    """A request on its way to its agent's inbox, and the topic where the answer is waited for."""

    request: TurnRequest
    to: str


class Commit(NamedTuple):
    """One step of a log and everything that follows from it, all or nothing.

    ``entry`` is appended at position ``at`` (0: the first) if the log is exactly that long and its last entry's key is
    ``after`` (None at position 0). Then ``ack`` is acknowledged and ``ask`` is asked, as by :meth:`Broker.ask`.
    ``soon`` will be asked by itself right afterwards, of which those who watch are told.
    """

    log: str
    at: int
    after: str | None
    entry: Wire
    ask: Sequence[Question] = ()
    ack: Sequence[Delivery] = ()
    soon: Sequence[TurnRequest] = ()

    @property
    def gist(self) -> Gist:
        """What those who watch are told of it."""
        return gist_of(self.entry, [*(question.request for question in self.ask), *self.soon])


class Committed(NamedTuple):
    """Word of a commit: ``log`` has a new entry at position ``at``, of which ``gist`` says the most important.

    ``id`` is its place among all commits of the bus: :meth:`Broker.watch` goes on behind it.
    """

    id: str
    log: str
    at: int
    gist: Gist


class Spent(NamedTuple):
    """Tokens (input and output) and millionths of a US dollar: whole numbers, so that sums are exact."""

    tokens: int = 0
    micro_usd: int = 0


NOTHING = Spent()


def in_micro_usd(usd: float | None) -> int:
    """Return dollars in millionths; none where nobody says what was spent."""
    return round((usd or 0.0) * 1_000_000)


class Budget(NamedTuple):
    """What a run may spend; None where there is no limit."""

    tokens: int | None = None
    micro_usd: int | None = None

    @classmethod
    def of(cls, config: RunConfig) -> Self:
        """Return a run's budget; the smallest that it can have is one millionth of a dollar."""
        usd = config.budget_usd
        return cls(config.budget_tokens, None if usd is None else max(1, in_micro_usd(usd)))

    def is_spent(self, spent: Spent) -> bool:
        """Whether nothing is left."""
        return (self.tokens is not None and spent.tokens >= self.tokens) or (
            self.micro_usd is not None and spent.micro_usd >= self.micro_usd
        )


class DeadLetter(NamedTuple):
    """A message that nobody could do anything with, kept for people to look at."""

    topic: str
    reason: str
    text: str
    """The message as it came, or as much of it as makes sense to keep."""


def spent_on(entry: Wire) -> Spent:
    """Return what a log entry has cost: something for a turn or an aside that was not paid for elsewhere.

    What a stranger says that it has used is its own business: else it could end a run by saying that it was much.
    """
    if not isinstance(entry, TurnTaken | Aside) or entry.copied_from is not None or entry.reply.unverified:
        return Spent()
    usage = entry.reply.usage
    return Spent(usage.tokens, in_micro_usd(entry.reply.cost_usd))


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

    @property
    def losses(self) -> int:
        """How often the bus was lost and found again. It may have forgotten what it was told last."""
        return 0

    @abstractmethod
    async def publish(self, topic: str, message: Wire) -> None:
        """Put a message on a topic. It stays there until every group has acknowledged it.

        A topic that no group has ever read keeps everything for the first group to come.
        """

    @abstractmethod
    def subscribe(
        self, topic: str, group: str, *, consumer: str, lease_s: float = 30.0, limit: int | None = None
    ) -> AbstractAsyncContextManager[Subscription]:
        """Join a group of consumers: each message of the topic goes to one consumer of each group.

        Messages come in order of publication; a redelivery comes when it comes. What is not acknowledged within
        ``lease_s`` seconds is delivered to any consumer of the group. No more than ``limit`` messages are on loan to
        this consumer at a time. Leaving the context hands back what is unacknowledged.
        """

    @abstractmethod
    async def ask(self, question: Question) -> AskResult:
        """Ask a question of an episode that has a log. Asking again does no harm: nobody is asked twice.

        A question is the same if its key is. A failure (:class:`~palaver_protocols.messages.TurnFailure`) answers it
        without settling it: asked again, it goes to its agent again.
        """

    @abstractmethod
    async def settle(self, answer: TurnReply | TurnFailure, delivery: Delivery) -> None:
        """Answer a question: remember the answer, send it to who waits for it, acknowledge the question; atomically.

        The first reply to a question is its answer; who waits is told that one, whoever settles it later, after a
        lapsed lease for instance.
        """

    @abstractmethod
    async def withdraw(self, request: TurnRequest) -> bool:
        """Take back a question that has no answer: it is nobody's any more, and whoever has it on loan loses it.

        Asked again, it goes to its agent again. False: it has been answered, or was never asked.
        """

    async def refusals(self, agent: str, within_s: float) -> list[Notice]:
        """Return what a stranger was told lately of messages that were refused, the latest last; where the bus knows.

        Args:
            agent: its full name.
            within_s: how many seconds ago at most.
        """
        return []

    @abstractmethod
    async def fund(self, run_id: str, budget: Budget, spent: Spent = NOTHING) -> None:
        """Limit what a run may spend. What turns cost is counted as they are committed.

        Args:
            run_id: the run.
            budget: all that it may spend.
            spent: what it has spent before, elsewhere; ignored where the bus has counted this run itself.
        """

    @abstractmethod
    async def bury(self, delivery: Delivery, reason: str) -> None:
        """Move a message that nobody can do anything with to the dead letters."""

    @abstractmethod
    async def dead_letters(self) -> list[DeadLetter]:
        """Return the dead letters, the oldest first; the last thousand or so."""

    @abstractmethod
    async def commit(self, commit: Commit) -> CommitResult:
        """Append to a log and do what follows from it, atomically.

        Returns:
            ``ok``: done, and durable. ``dup``: the log has an entry with this key already, so only the
            acknowledgements were carried out. ``gap``: the log ends elsewhere, and nothing was done. ``budget``: done,
            but for what was to be asked, since the run has spent what it may.
        """

    @abstractmethod
    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return the entries of a log from ``start`` up to, not including, ``stop``; none for an unknown log."""

    @abstractmethod
    def watch(self, after: str | None = None) -> AsyncGenerator[list[Committed], None]:
        """Tell of every commit, in order, in batches: for those who watch, and need not hear of each.

        The first batch comes at once, and may be empty: from then on nothing is missed, and whoever reads the logs now
        has all that was before. The last 20,000 commits or so are remembered; of older ones nothing is told, which
        shows in positions of a log that are left out.

        Args:
            after: go on behind this :attr:`Committed.id`; None: from now on.
        """

    @abstractmethod
    async def drop(self, log: str) -> None:
        """Forget a log that has been archived, and what was asked in its episode. Idempotent."""

    @abstractmethod
    async def aclose(self) -> None:
        """Release everything. Idempotent."""

    async def __aenter__(self) -> Self:
        """Open the bus."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the bus."""
        await self.aclose()
