"""How fast links may be used: whoever has one is not known, and each step of a person is written to the disk."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from palaver_agents.human import SeatingError

__all__ = ["Pace"]

LINKS = 4096
"""Links of which it is remembered how they were used."""
LONGEST = 64
"""Letters of a link that are looked at: those of ours are shorter."""
STREAMS = 24
"""Pages that may listen by one link."""


class Pace:
    """Holds the users of each link to a pace.

    Args:
        a_second: steps that are made up for in a second.
        at_once: steps that may be taken at once.
        clock: the time, in seconds; monotonic.
    """

    def __init__(self, a_second: float, at_once: float, clock: Callable[[], float]) -> None:
        self._a_second, self._at_once, self._clock = a_second, at_once, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._streams: dict[str, int] = {}

    def step(self, link: str) -> None:
        """Take a step by a link.

        Raises:
            SeatingError: that was too fast.
        """
        now, link = self._clock(), link[:LONGEST]
        left, at = self._left.pop(link, (self._at_once, now))
        left = min(self._at_once, left + (now - at) * self._a_second)
        self._left[link] = (max(0.0, left - 1.0), now)
        while len(self._left) > LINKS:
            self._left.popitem(last=False)
        if left < 1.0:
            raise SeatingError("that was too fast", "too_fast", mend="wait a moment, and try again")

    @contextmanager
    def listening(self, link: str) -> Iterator[None]:
        """Count a page that listens by a link.

        Raises:
            SeatingError: too many do.
        """
        if self._streams.get(link, 0) >= STREAMS:
            raise SeatingError("too many pages are open at this link", "too_fast", mend="close some of them")
        self._streams[link] = self._streams.get(link, 0) + 1
        try:
            yield
        finally:
            self._streams[link] -= 1
            if not self._streams[link]:
                del self._streams[link]
