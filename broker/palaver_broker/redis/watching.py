"""Word of commits, read off the stream into which the commit script writes it."""

from collections.abc import AsyncGenerator

from pydantic_core import from_json

from ..base import Committed
from .link import Link
from .packing import Word

__all__ = ["commits_on"]

BLOCK_MS = 500
"""How long a read waits: how soon whoever has seen enough is let go."""
BATCH = 1000
BEGINNING = "0-0"


async def commits_on(link: Link, after: str | None) -> AsyncGenerator[list[Committed], None]:
    """Read the stream for ever, by a link of its own: a read blocks it.

    Args:
        link: the connection.
        after: the entry behind which to begin; None: the last one that is there.
    """
    stream = f"{link.prefix}commits"
    if after is None:
        last = await link.call("XREVRANGE", stream, "+", "-", "COUNT", 1)
        after = last[0][0].decode() if last else BEGINNING
    block: tuple[Word, ...] = ()  # the first batch comes at once
    while True:
        found = await link.call("XREAD", "COUNT", BATCH, *block, "STREAMS", stream, after)
        batch = [_read(id_, fields) for _, entries in found or () for id_, fields in entries]
        if batch or not block:
            yield batch
        after = batch[-1].id if batch else after
        block = ("BLOCK", BLOCK_MS)


def _read(id_: bytes, fields: list[bytes]) -> Committed:
    _, log, _, at, _, gist = fields
    return Committed(id_.decode(), log.decode(), int(at), from_json(gist))
