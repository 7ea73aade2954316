"""How much of a stranger's words is taken at a time, and what is said of those that are not taken."""

from collections import Counter
from collections.abc import Callable, Collection

import structlog

from palaver_protocols.errors import one_line
from palaver_protocols.strangers import Limits, Reason, RefusedError

from ..buckets import Bucket

__all__ = ["Pace", "Rejections"]


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


class Rejections:
    """What was refused. The log is told in one line for each agent, when :meth:`report` is called: nobody floods it.

    Args:
        on_refused: called for each message, with the reason.
    """

    def __init__(self, on_refused: Callable[[Reason], None]) -> None:
        self._on_refused = on_refused
        self._counts: dict[str, Counter[str]] = {}
        self._latest: dict[str, str] = {}

    def count(self, agent: str, error: RefusedError) -> None:
        """Count a message that was refused."""
        self._on_refused(error.reason)
        self._counts.setdefault(agent, Counter())[error.reason] += 1
        self.remark(agent, error.message)

    def remark(self, agent: str, text: str) -> None:
        """Have something said of an agent in its next line."""
        self._counts.setdefault(agent, Counter())
        self._latest[agent] = one_line(text)

    def report(self) -> None:
        """Write down what was refused since the last time."""
        for agent, reasons in self._counts.items():
            structlog.get_logger().info("refused", agent=agent, messages=dict(reasons), latest=self._latest[agent])
        self._counts, self._latest = {}, {}
