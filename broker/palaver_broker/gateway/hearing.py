"""What an agent says at a gateway, and what it is told of it.

An answer is settled on the bus before its agent hears that it counts. It goes on being settled when the connection
breaks that it came by; whoever says the same again meanwhile waits for it, and is told what has become of it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.strangers import AgentHello, Notice, RefusedError, read_stranger

from ..desk import Desk
from .house import House

__all__ = ["Hearing", "remember"]

REMEMBERED = 4096
"""How many keys of answered questions, and how many digests of pictures, are remembered of an agent."""
UNDER_WAY = 64
"""Answers of an agent that may wait for the bus at a time."""

Value = TypeVar("Value")


class Hearing:
    """What one agent says.

    Args:
        agent: its full name.
        house: what it shares with others.
        on_accepted: called with the key of each question that is answered, when its notice is on the way.
    """

    def __init__(self, agent: str, house: House, on_accepted: Callable[[str], None]) -> None:
        self.desk: Desk | None = None
        """Where its questions lie, while they are here."""
        self._agent, self._house, self._on_accepted = agent, house, on_accepted
        self._loop = asyncio.get_running_loop()
        self._under_way: dict[str, asyncio.Task[Notice]] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()

    def asked(self, key: str) -> None:
        """Note that a question has come. One may come again: a failure settles nothing."""
        self._answered.pop(key, None)

    async def hear(self, raw: bytes) -> Notice | AgentHello:
        """Take what the agent says, and return what it is to be told, or its greeting.

        Cancelled, it goes on: whoever says the same again is told what has become of it.

        Raises:
            BrokerError: the bus failed; the question is still open, and the agent may say it again.
        """
        self._house.tally.bytes_in += len(raw)
        try:
            said = read_stranger(raw, self._agent, self._house.rules.limits)
        except RefusedError as error:
            return self.refuse(error)
        self._house.tally.said[said.type] += 1
        if isinstance(said, AgentHello):
            return said
        if len(self._under_way) >= UNDER_WAY:
            raise BrokerError("the bus is slow, and many of your answers wait for it", mend="say it again in a moment")
        before = self._under_way.get(said.key)
        task = asyncio.create_task(self._settle(said, raw, before), name=f"answer of {self._agent}")
        self._under_way[said.key] = task
        task.add_done_callback(lambda done: self._heard(said.key, done))
        return await asyncio.shield(task)

    def refuse(self, error: RefusedError) -> Notice:
        """Return what the agent is to be told of something that was not taken."""
        return self._house.told(error.notice(self._agent))

    async def aclose(self) -> None:
        """Let what has been said be settled, for a moment; then give it up."""
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=1.0)
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _heard(self, key: str, done: "asyncio.Task[Notice]") -> None:
        if self._under_way.get(key) is done:
            del self._under_way[key]
        if not done.cancelled():
            done.exception()  # whoever waits for it is told; if nobody does, it will be said again

    async def _settle(self, said: TurnReply | TurnFailure, raw: bytes, before: "asyncio.Task[Notice] | None") -> Notice:
        if before is not None:
            await asyncio.wait([before])
        key, desk = said.key, self.desk
        try:
            if desk is not None and key in desk:
                notice = await desk.hear(raw)
                assert isinstance(notice, Notice), "an answer is no greeting"
            elif key in self._answered:
                notice = Notice(key=key, agent=self._agent, code="duplicate")
            elif self._house.late is not None:
                notice = await self._house.late(said)
            else:
                raise RefusedError("closed", "no such question is open to you", key)
        except RefusedError as error:
            notice = error.notice(self._agent)
        if notice.code == "accepted":
            remember(self._answered, key, None)
            # Two turns of the loop later, so that this notice leaves before the question that takes the place.
            self._loop.call_soon(self._loop.call_soon, self._on_accepted, key)
        return self._house.told(notice)


def remember(known: OrderedDict[str, Value], key: str, value: Value) -> None:
    """Note something as the latest; forget what was noted long ago."""
    known[key] = value
    known.move_to_end(key)
    if len(known) > REMEMBERED:
        known.popitem(last=False)
