"""How much of a stranger's words is taken at a time."""

from collections.abc import Collection

from palaver_protocols.strangers import Limits

from ..buckets import Bucket

__all__ = ["Pace"]


class Pace:
    """How many messages of each agent may be taken now. What is too much waits where it is.

    Args:
        limits: what they may do.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: dict[str, Bucket] = {}

    def room(self, agent: str) -> int:
        """Return how many may be taken."""
        return max(0, int(self._bucket(agent).level))

    def took(self, agent: str) -> None:
        """Count one that was taken."""
        self._bucket(agent).take(1)

    def forget_all_but(self, agents: Collection[str]) -> None:
        """Forget those who are here no more."""
        self._buckets = {agent: bucket for agent, bucket in self._buckets.items() if agent in agents}

    def _bucket(self, agent: str) -> Bucket:
        if agent not in self._buckets:
            self._buckets[agent] = Bucket(self._limits.per_second, self._limits.burst)
        return self._buckets[agent]
