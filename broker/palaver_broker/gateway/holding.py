"""Who has which of an agent's questions: a connection, a poll for a while, or nobody yet.

One that was handed to a connection is with that connection until it is answered or withdrawn, or the connection
breaks: then the next takes it. One that was handed to a poll is handed to no other for a while.
"""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Protocol

from ..desk import Desk, OpenQuestion

__all__ = ["Connection", "Holding"]


class Connection(Protocol):
    """A way to an agent that questions can be sent on."""

    digest: str
    """Of the token that opened it."""

    @property
    def room(self) -> int:
        """How many more questions it takes now."""
        ...

    def give(self, question: OpenQuestion) -> None:
        """Send a question."""
        ...

    def withdraw(self, key: str, *, tell: bool) -> None:
        """Forget a question that it was given; tell the agent that it is withdrawn."""
        ...

    def cut(self, code: int, why: str) -> None:
        """End it."""
        ...


class Holding:
    """The questions of one agent, and who has them.

    Args:
        hold_s: for how many seconds a poll has what it was handed.
    """

    def __init__(self, hold_s: float) -> None:
        self._hold_s = hold_s
        self._loop = asyncio.get_running_loop()
        self._desk: Desk | None = None
        self._connections: dict[Connection, None] = {}
        self._held: dict[str, Connection | float] = {}
        self._change = asyncio.Event()

    @property
    def connections(self) -> list[Connection]:
        """Those that questions are sent on."""
        return list(self._connections)

    @property
    def open(self) -> list[OpenQuestion]:
        """All questions that are here, the oldest first."""
        return list(self._desk or ())

    @property
    def free(self) -> list[OpenQuestion]:
        """The questions that nobody has, the oldest first."""
        return list(self._free())

    def _free(self) -> Iterator[OpenQuestion]:
        now = self._loop.time()
        for question in self._desk or ():
            holder = self._held.get(question.key)
            if holder is None or (isinstance(holder, float) and holder <= now):
                yield question

    def take_from(self, desk: Desk) -> None:
        """Take the questions from this desk from now on."""
        self._desk = desk

    def lay_down(self) -> None:
        """The questions are here no more; polls that were handed some may still answer them."""
        self._desk = None
        held, now = self._held, self._loop.time()
        self._held = {key: each for key, each in held.items() if isinstance(each, float) and each > now}
        for key, holder in held.items():
            if not isinstance(holder, float):
                holder.withdraw(key, tell=False)

    def arrive(self, connection: Connection) -> None:
        """Send questions on one more connection."""
        self._connections[connection] = None
        self.deal()

    def leave(self, connection: Connection) -> None:
        """Send none on it any more; those that it had go to others, or wait for the next."""
        self._connections.pop(connection, None)
        self._held = {key: holder for key, holder in self._held.items() if holder is not connection}
        self.deal()

    def deal(self) -> None:
        """Give what nobody has to the connections that have room, each in turn to the one with the most."""
        if self._connections:
            for question in self._free():
                connection = max(self._connections, key=lambda each: each.room)
                if connection.room <= 0:
                    break
                self._held[question.key] = connection
                connection.give(question)
        self.wake()

    def let_go(self, key: str, *, tell: bool) -> None:
        """Take a question from whoever has it: it is answered, or withdrawn; ``tell``: which the agent is to hear."""
        holder = self._held.pop(key, None)
        if holder is not None and not isinstance(holder, float):
            holder.withdraw(key, tell=tell)
        self.deal()

    def lend(self, questions: Iterable[OpenQuestion]) -> None:
        """Hand questions to a poll. What a connection has, it keeps."""
        until = self._loop.time() + self._hold_s
        for question in questions:
            if isinstance(self._held.get(question.key, 0.0), float):
                self._held[question.key] = until

    def take_back(self, questions: Iterable[OpenQuestion]) -> None:
        """Hand out again what was handed to a poll that did not get it."""
        for question in questions:
            if isinstance(self._held.get(question.key), float):
                del self._held[question.key]
        self.deal()

    def wake(self) -> None:
        """Let those who wait look again."""
        before, self._change = self._change, asyncio.Event()
        before.set()

    async def change(self) -> None:
        """Wait until something may have changed."""
        await self._change.wait()
