"""The topics of an agent, in one place: ``palaver/BUS/agents/NAME/…``."""

from typing import NamedTuple

__all__ = ["Topics", "bus_of"]


class Topics(NamedTuple):
    """The topics of one agent of one bus. ``bus`` and ``name`` may be ``+`` where a filter is wanted."""

    bus: str
    name: str

    def _topic(self, end: str) -> str:
        return f"palaver/{self.bus}/agents/{self.name}/{end}"

    @property
    def questions(self) -> str:
        """Where it is asked."""
        return self._topic("in")

    @property
    def answers(self) -> str:
        """Where it answers, and says hello."""
        return self._topic("out")

    @property
    def notices(self) -> str:
        """Where it is told what became of what it said."""
        return self._topic("note")

    def picture(self, sha256: str) -> str:
        """Where the bytes of a picture come."""
        return self._topic(f"blob/{sha256}")


def bus_of(prefix: str) -> str:
    """Return the name of a bus, given what its keys begin with: ``{BUS}:``."""
    return prefix[1:-2]
