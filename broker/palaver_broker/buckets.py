"""Token buckets, which measure how fast somebody does something."""

import time
from collections.abc import Callable

__all__ = ["Bucket"]


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

    @property
    def level(self) -> float:
        """What is in it now; less than nothing where it was taken on credit."""
        self.lack(0)
        return self._level
