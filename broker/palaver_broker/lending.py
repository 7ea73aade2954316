"""Messages on loan, within one event loop: what groups of consumers still have to be given, and what they hold."""

import asyncio
from collections import deque

from palaver_protocols.messages import Wire

from .base import Delivery

__all__ = ["Subscription", "Topic"]

IN_A_ROW = 64
"""How many messages a consumer is given before all others have their turn.

Whoever has an answer goes on while the rest of a crowd is served. Otherwise a thousand games fall into step: all of
them wait for the last, turn after turn.
"""


class _Loan(Delivery):
    """A delivery of the embedded bus."""

    __slots__ = ("_subscription", "deadline", "deliveries", "message", "topic")

    def __init__(self, subscription: "Subscription", message: Wire, deliveries: int, deadline: float) -> None:
        self._subscription = subscription
        self.topic = subscription.topic
        self.message = message
        self.deliveries = deliveries
        self.deadline = deadline

    async def ack(self) -> None:
        self._subscription.settled(self)

    async def renew(self) -> bool:
        return self._subscription.renew(self)

    async def release(self) -> None:
        self._subscription.give_back(self)


class _Group:
    """The messages that a group of consumers still has to be given, with the number of earlier deliveries of each."""

    __slots__ = ("_sleepers", "lenders", "ready")

    def __init__(self) -> None:
        self.ready: deque[tuple[Wire, int]] = deque()
        self.lenders: set[Subscription] = set()
        self._sleepers: deque[asyncio.Future[None]] = deque()

    def put(self, message: Wire, deliveries: int = 0) -> None:
        self.ready.append((message, deliveries))
        if self._sleepers:
            self.wake_one()

    def withdraw(self, key: str) -> None:
        """Take a message back, from whoever has it."""
        self.ready = deque(each for each in self.ready if each[0].key != key)
        for lender in self.lenders:
            lender.withdraw(key)

    def wake_one(self) -> None:
        """Let one consumer look whether there is something ready."""
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
                self.wake_one()  # we were woken and then cancelled: what came is for somebody else
            raise


class Subscription:
    """One consumer's place in a group, and what it has on loan: an ordered dict, the oldest loan first."""

    def __init__(self, topic: str, group: _Group, lease_s: float, limit: int | None) -> None:
        self.topic = topic
        self._group = group
        self._lease_s = lease_s
        self._limit = limit
        self._room = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._served = 0
        self.loans: dict[_Loan, None] = {}
        group.lenders.add(self)

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> Delivery:
        group = self._group
        self._served += 1
        if self._served % IN_A_ROW == 0:
            await asyncio.sleep(0)
        while True:
            if self._is_full():
                await self._room.wait()
            elif group.ready:
                break
            else:
                await group.sleep()
                if self._is_full():
                    group.wake_one()  # what came is for somebody with room for it
        message, deliveries = group.ready.popleft()
        loan = _Loan(self, message, deliveries + 1, self._loop.time() + self._lease_s)
        self._lend(loan)
        return loan

    def _is_full(self) -> bool:
        if self._limit is None or len(self.loans) < self._limit:
            return False
        self._room.clear()
        return True

    def settled(self, loan: _Loan) -> None:
        """Forget a loan that has been acknowledged."""
        self.loans.pop(loan, None)
        self._room.set()

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
        """Start a lease anew, unless it has lapsed."""
        if loan not in self.loans:
            return False
        del self.loans[loan]
        loan.deadline = self._loop.time() + self._lease_s
        self._lend(loan)
        return True

    def give_back(self, loan: _Loan) -> None:
        """Put a loan back to be delivered again."""
        if loan in self.loans:
            self.settled(loan)
            self._group.put(loan.message, loan.deliveries)

    def withdraw(self, key: str) -> None:
        """Lose what was lent us under a key."""
        for loan in [each for each in self.loans if each.message.key == key]:
            self.settled(loan)

    def close(self) -> None:
        """Give everything back."""
        self._group.lenders.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        for loan in list(self.loans):
            self.give_back(loan)


class Topic:
    """The groups that read a topic, and what waits for the first of them."""

    def __init__(self) -> None:
        self.unread: list[Wire] = []
        self.groups: dict[str, _Group] = {}

    def put(self, message: Wire) -> None:
        """Give a message to every group, or keep it for the first to come."""
        if not self.groups:
            self.unread.append(message)
        for group in self.groups.values():
            group.put(message)

    def withdraw(self, key: str) -> None:
        """Take a message back, from whoever has it."""
        self.unread = [each for each in self.unread if each.key != key]
        for group in self.groups.values():
            group.withdraw(key)

    def group(self, name: str) -> _Group:
        """Return a group, made where it is new."""
        if name not in self.groups:
            self.groups[name] = _Group()
            unread, self.unread = self.unread, []
            for message in unread:
                self.groups[name].put(message)
        return self.groups[name]
