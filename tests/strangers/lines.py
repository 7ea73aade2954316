"""An agent's end of a way in: the connection on which it hears and speaks, and how it is broken."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from palaver_broker import Broker

__all__ = ["Come", "Line", "LostError", "Plain", "Way", "end"]

Plain = dict[str, Any]


class LostError(Exception):
    """The line is broken: by the other end, or because the agent has died."""


class Line(ABC):
    """One connection of an agent. What comes is heard in order, questions and notices alike."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[Plain | None] = asyncio.Queue()

    async def hear(self) -> Plain:
        """Return what has come.

        Raises:
            LostError: nothing will come any more.
        """
        said = await self.news.get()
        if said is None:
            raise LostError
        return said

    @abstractmethod
    async def say(self, raw: bytes) -> None:
        """Say something.

        Raises:
            LostError: it cannot be said.
        """


Come = Callable[[], AbstractAsyncContextManager[Line]]


@dataclass(frozen=True, slots=True)
class Way:
    """A bus with a door for one agent: ``come`` connects it, and leaving breaks the connection without a word."""

    broker: Broker
    agent: str
    come: Come


async def end(*tasks: asyncio.Task[None]) -> None:
    """End tasks.

    Raises:
        Exception: what one has died of.
    """
    left: set[asyncio.Task[None]] = set(tasks)
    while left:
        for task in left:
            task.cancel()
        # While it connects, redis-py does not heed the first; and one too many would cut short how it leaves.
        _, left = await asyncio.wait(left, timeout=1.0)
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
