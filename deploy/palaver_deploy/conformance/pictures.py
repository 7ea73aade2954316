"""Pictures that are shown to an agent under trial, and whether somebody has taken them."""

import structlog

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.broker import BOX_MS
from palaver_broker.redis.errors import ReplyError

__all__ = ["Pictures"]

IDLE_S = 86_400
"""How long a picture seems not to have been looked at when it is put on the bus: whoever takes it ends that."""


class Pictures:
    """Pictures on a bus. ``keys`` is where they lie.

    Args:
        broker: the bus.
    """

    def __init__(self, broker: RedisBroker) -> None:
        self.keys: list[str] = []
        self._broker, self._link = broker, broker.link

    async def show(self, picture: bytes) -> None:
        """Put a picture on the bus, so that it can be seen whether somebody takes it.

        Raises:
            BrokerError: the bus failed.
        """
        key = f"{self._link.prefix}blob:{await self._broker.blobs.put(picture)}"
        self.keys.append(key)
        try:  # in this form, a key comes with the time for which nobody has looked at it
            dumped = await self._link.call("DUMP", key)
            await self._link.call("RESTORE", key, BOX_MS, dumped, "REPLACE", "IDLETIME", IDLE_S)
        except ReplyError as error:  # not every server lets us
            structlog.get_logger().debug("cannot see who takes pictures", reason=str(error))

    async def was_fetched(self) -> bool | None:
        """Whether somebody has taken a picture that was shown; None if that cannot be seen, or none was shown."""
        if not self.keys:
            return None
        try:
            idle = [await self._link.call("OBJECT", "IDLETIME", key) for key in self.keys]
        except ReplyError:
            return None
        return any(idle_s is not None and int(idle_s) < IDLE_S // 2 for idle_s in idle)
