"""What is said in the log of those whose words are not taken."""

from collections import Counter
from collections.abc import Callable

import structlog

from palaver_protocols.errors import one_line
from palaver_protocols.strangers import Reason, RefusedError

__all__ = ["Rejections"]


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
