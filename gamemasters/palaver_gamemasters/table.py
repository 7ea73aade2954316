"""What is on the table while an episode is played: its state, the end of its log, its mail, who is waited for."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from palaver_broker import Broker, Commit, CommitResult, Delivery, Question
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnFailure, TurnRequest, Wire

from .episode import Episode

__all__ = ["OVERTAKEN", "PATIENT", "Mailbox", "OvertakenError", "Patience", "SpentError", "Table", "Tail"]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a try at the model may take, and how often a question is asked.

    ``timeout_s`` bounds one try. ``base_s`` and ``cap_s`` shape the exponential wait between tries. A question that has
    not been answered for ``remind_s`` is asked again, and then at longer and longer intervals; nobody is asked twice by
    it, but an episode goes on whatever has happened to the bus. All in seconds.
    """

    timeout_s: float = 600.0
    tries: int = 5
    base_s: float = 1.0
    cap_s: float = 60.0
    remind_s: float = 15.0


PATIENT = Patience()


OVERTAKEN = "overtaken"
"""The code of a failure by which a question is taken back: the log has gone on without it, and is to be read again.

Where the log has not, it means nothing: the question is asked again in its time.
"""


class OvertakenError(Exception):
    """Somebody else has written to the log: what we know of the episode is not the truth any more."""


class SpentError(Exception):
    """The run has spent what it may."""


@dataclass(slots=True)
class Tail:
    """The end of a log, as far as we know it."""

    broker: Broker
    log: str
    length: int = 0
    key: str | None = None

    async def is_behind(self) -> bool:
        """Whether somebody else has written to the log since: changed a seat by hand, say."""
        return bool(await self.broker.read(self.log, self.length, self.length + 1))

    async def append(
        self,
        entry: Wire,
        ask: Sequence[Question] = (),
        ack: Sequence[Delivery] = (),
        soon: Sequence[TurnRequest] = (),
    ) -> CommitResult:
        """Append, and do what follows.

        Raises:
            OvertakenError: the log ends elsewhere.
        """
        result = await self.broker.commit(Commit(self.log, self.length, self.key, entry, ask, ack, soon))
        if result in ("dup", "gap"):
            raise OvertakenError
        self.length += 1
        self.key = entry.key
        return result


Mail = Delivery | TurnRequest | TurnFailure
"""An answer, a request that is to be asked again, or that we have given up on an answer."""


class Mailbox:
    """What has come for an episode, for the one task that plays it."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        self._items: deque[Mail | Exception] = deque()
        self._reader: asyncio.Future[None] | None = None

    def put(self, item: Mail | Exception) -> None:
        """Add an item, or what went wrong."""
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Mail:
        """Wait for the next item.

        Raises:
            Exception: what went wrong.
        """
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        item = self._items.popleft()
        if isinstance(item, Exception):
            raise item
        return item


@dataclass(slots=True)
class Table:
    """An episode that is being played: what came for it, and what it waits for."""

    episode: Episode
    tail: Tail
    patience: Patience
    mail: Mailbox = field(default_factory=Mailbox)
    asked: dict[str, TurnRequest] = field(default_factory=dict)
    """The questions without an answer, by key."""
    failure: AgentError | SpentError | None = None
