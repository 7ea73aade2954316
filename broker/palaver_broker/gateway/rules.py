"""What strangers may do at a gateway, and buckets that measure how fast they do it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from palaver_protocols.strangers import LIMITS, Limits

__all__ = ["Bucket", "Rules"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How a gateway treats strangers. Times are seconds.

    ``limits`` are each agent's; ``bytes_per_second`` and ``burst_bytes`` what it may send, ``connections`` how many
    there may be of all agents together. A reader that takes nothing for ``write_s`` is cut off, and so is one that
    answers no ping, sent each ``ping_s``, in half that time. A question handed to a poll is handed to no other for
    ``hold_s``. ``origins`` are the web pages whose scripts may come in; ``behind_proxy`` is whether the last entry of
    X-Forwarded-For says who calls.
    """

    limits: Limits = LIMITS
    bytes_per_second: int = 1024 * 1024
    burst_bytes: int = 4 * 1024 * 1024
    connections: int = 1000
    ping_s: float = 20.0
    write_s: float = 20.0
    hold_s: float = 30.0
    origins: frozenset[str] = frozenset()
    behind_proxy: bool = False


class Bucket:
    """A token bucket.

    Args:
        rate: what flows in, a second.
        size: what it holds; it is full at first.
        clock: tells the time in seconds.
    """

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._level, self._at = size, clock()

    def lack(self, amount: float) -> float:
        """Return in how many seconds so much can be taken; 0: now. More than it holds counts as all that it holds."""
        now = self._clock()
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (min(amount, self._size) - self._level) / self._rate)

    def take(self, amount: float) -> None:
        """Take so much, though it be on credit."""
        self.lack(amount)
        self._level -= amount
