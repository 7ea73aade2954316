"""Notices of a door, written to the bus as well: where agents on Redis itself are told, and where others watch."""

import asyncio
from contextlib import suppress

import structlog

from palaver_broker.redis.link import Link
from palaver_broker.redis.notices import tell
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import Notice

__all__ = ["Noting"]

UNTOLD = 1024
"""Notices that may wait for the bus; more are not written there. The agents are told them all the same."""


class Noting:
    """Writes notices down beside the work, as long as the bus can keep up.

    Args:
        link: the bus.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._waiting: asyncio.Queue[Notice] = asyncio.Queue(UNTOLD)

    def __call__(self, notice: Notice) -> None:
        """Have a notice written down."""
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(notice)

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            notice = await self._waiting.get()
            try:
                await tell(self._link, notice)
            except BrokerError as error:
                structlog.get_logger().warning("cannot write a notice", agent=notice.agent, reason=str(error))
