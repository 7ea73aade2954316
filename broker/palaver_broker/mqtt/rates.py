"""How much an agent may say, and what is done with those who do not heed it."""

from palaver_protocols.strangers import Limits

from ..buckets import Bucket

__all__ = ["Rate"]

DEAF_S = 5.0
"""How long nobody listens to whoever floods us."""


class Rate:
    """The rate of one agent. Times are the event loop's.

    Args:
        limits: what it may do.
        now: the time.
    """

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._now = self._warned = now
        self._bucket = Bucket(limits.per_second, limits.burst, lambda: self._now)
        self._over = 0
        self.deaf_until = 0.0

    def allows(self, now: float) -> bool:
        """Whether one more message may come; it is counted."""
        self._now = now
        if self._bucket.lack(1):
            return False
        self._bucket.take(1)
        return True

    def overrun(self, now: float) -> tuple[bool, bool]:
        """Note a message too many; return whether to warn the agent, once a second, and whether to stop listening."""
        warn = self._over == 0 or now - self._warned >= 1
        if warn:
            self._over, self._warned = 0, now
        self._over += 1
        floods = self._over > self._limits.burst and now >= self.deaf_until
        if floods:
            self.deaf_until = now + DEAF_S
        return warn, floods
