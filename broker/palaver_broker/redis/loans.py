"""What a consumer of a stream has on loan, and what it does with it."""

import asyncio
from collections.abc import Callable
from typing import Any

from ..base import Delivery
from .commands import Script
from .link import Link
from .scripts import ACK, RELEASE, RENEW

__all__ = ["BATCH", "NOBODY", "Loan", "Subscription"]

BATCH = 512
"""Entries a read: small reads cost more than anything else on this bus."""
NOBODY = "released"
"""The consumer that holds what has been handed back. It never reads."""


class Loan(Delivery):
    """An entry of a stream, on loan to us."""

    __slots__ = ("_subscription", "deliveries", "id", "message", "topic")

    def __init__(self, subscription: "Subscription", id_: str, message: Any, deliveries: int) -> None:
        self._subscription = subscription
        self.topic = subscription.topic
        self.id = id_
        self.message = message
        self.deliveries = deliveries

    @property
    def stream(self) -> str:
        """The key of the stream."""
        return self._subscription.stream

    @property
    def group(self) -> str:
        """The group that has it on loan."""
        return self._subscription.group

    async def ack(self) -> None:
        """Acknowledge, if it is still ours."""
        if self._subscription.settled(self):
            await self._subscription.run(ACK, self.id)

    async def renew(self) -> bool:
        """Start the lease anew, if it is still ours."""
        return self._subscription.is_latest(self) and bool(await self._subscription.run(RENEW, self.id))

    async def release(self) -> None:
        """Hand back, if it is still ours."""
        if self._subscription.settled(self):
            await self._subscription.run(RELEASE, self.id, NOBODY)

    def spent(self) -> None:
        """Forget the loan: a script has acknowledged it."""
        self._subscription.settled(self)


class Subscription:
    """One consumer's place in a group of a topic, and what it has on loan.

    Args:
        commands: the connection for what is done with loans.
        group: the group.
        consumer: our name in it.
        topic: the topic.
        lease_s: seconds after which what we have not acknowledged or renewed goes to others.
        limit: how many messages may be on loan to us; None: any number.
        changed: called when there is room again.
    """

    def __init__(
        self,
        commands: Link,
        group: str,
        consumer: str,
        topic: str,
        *,
        lease_s: float,
        limit: int | None,
        changed: Callable[[], None],
    ) -> None:
        self.topic = topic
        self.stream = commands.prefix + topic
        self.group = group
        self.lease_s = lease_s
        self._commands = commands
        self._consumer = consumer
        self._limit = limit
        self._changed = changed
        self._ready: asyncio.Queue[Loan] = asyncio.Queue()
        self._loans: dict[str, Loan] = {}
        self._waiting = 0

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> Delivery:
        self._waiting += 1
        try:
            while True:
                loan = await self._ready.get()
                if self.is_latest(loan):  # else it lapsed while it waited here, and has come again
                    return loan
        finally:
            self._waiting -= 1

    @property
    def room(self) -> int:
        """How many more messages it has room for."""
        return BATCH if self._limit is None else self._limit - len(self._loans)

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody has nothing to do but to take what comes."""
        return self._waiting > 0 and self._ready.empty()

    def has(self, id_: str) -> bool:
        """Whether an entry is on loan to us."""
        return id_ in self._loans

    def is_latest(self, loan: Loan) -> bool:
        """Whether a loan is the one by which we hold its entry."""
        return self._loans.get(loan.id) is loan

    def settled(self, loan: Loan) -> bool:
        """Forget a loan. False: it was forgotten already."""
        if not self.is_latest(loan):
            return False
        was_full = self.room <= 0
        del self._loans[loan.id]
        if was_full:
            self._changed()
        return True

    async def run(self, script: Script, id_: str, *more: str) -> Any:
        """Run a script about one of our entries."""
        return await self._commands.run(script, [self.stream], [self.group, self._consumer, id_, *more])

    def lend(self, id_: str, message: Any, deliveries: int) -> None:
        """Lend a message to whoever asks next."""
        loan = self._loans[id_] = Loan(self, id_, message, deliveries)
        self._ready.put_nowait(loan)
