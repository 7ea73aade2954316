"""The outboxes of strangers on Redis itself: read within bounds, kept within bounds, whatever is put into them.

Their owners may write what they like: entries of any size and number, under ids that leave no room for others. Nothing
of it is read before the server has said that it is small enough.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Literal, NamedTuple

from ..topics import outbox
from .link import Link, Script

__all__ = ["MOST_BYTES", "MOST_ENTRIES", "Entry", "Outboxes"]

MOST_ENTRIES = 4096
"""Entries that an outbox may hold. The oldest go first; what they answered is still open, and may be answered again."""
MOST_BYTES = 32 * 2**20
"""Memory that an outbox may take: 64 answers of the largest size, and as much again. One that takes more is emptied."""
READ_BYTES = 8 * 2**20
"""After how much the server looks at no further outbox, so that it is free for others."""


def _load(name: str) -> Script:
    return Script((files(__package__) / "lua" / f"outboxes_{name}.lua").read_text())


READ, DONE, GUARD = map(_load, ("read", "done", "guard"))


class Entry(NamedTuple):
    """What an agent has said. ``text`` is empty, and ``size`` not 0, where it is too large to be read (bytes)."""

    agent: str
    id: bytes
    text: bytes
    size: int


class Outboxes:
    """The outboxes of one bus.

    Args:
        link: the bus.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    async def read(self, room: Sequence[tuple[str, int]], entry_bytes: int) -> list[Entry]:
        """Read some of what is in outboxes, the oldest entries of each first.

        Args:
            room: agents, and how many entries of each are wanted. The first are read first.
            entry_bytes: how large an entry may be.
        """
        words = [entry_bytes, READ_BYTES, *(wanted for _, wanted in room)]
        found = await self._link.run(READ, [self._key(agent) for agent, _ in room], words)
        return [
            Entry(
                room[number - 1][0], id_, b"" if isinstance(said, int) else said, said if isinstance(said, int) else 0
            )
            for number, id_, said in zip(found[::3], found[1::3], found[2::3], strict=True)
        ]

    async def done(self, agent: str, ids: Sequence[bytes]) -> None:
        """Delete what has been dealt with."""
        await self._link.run(DONE, [self._key(agent)], ids)

    async def guard(self, agents: Sequence[str]) -> list[tuple[str, Literal["many", "large", "strange"]]]:
        """Keep outboxes within bounds; return of which agents something is gone, and why.

        ``many`` entries: the oldest are gone. Too ``large``, or something ``strange`` that is no outbox: all is gone.
        """
        done = await self._link.run(GUARD, [self._key(agent) for agent in agents], [MOST_ENTRIES, MOST_BYTES])
        return [(agents[number - 1], why.decode()) for number, why in done]

    def _key(self, agent: str) -> str:
        return self._link.prefix + outbox(agent)
