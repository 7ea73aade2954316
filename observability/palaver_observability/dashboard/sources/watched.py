"""What a bus tells of its commits, whichever bus it is, and what is on disk of episodes that have left it."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import aclosing

import structlog

from palaver_broker import Broker, Committed
from palaver_broker.topics import episode_log
from palaver_protocols.errors import BrokerError, PalaverError
from palaver_protocols.gist import gist_of
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import EpisodeRecord

from ..cards import Key
from ..index import Index
from .shelf import Shelf

__all__ = ["blob_from", "entries_from", "follow_bus", "records_from", "replay"]

AT_ONCE = 32
"""Logs that are read at a time when we come late."""


async def follow_bus(
    broker: Broker, index: Index, playing: Sequence[Key], shelf: Shelf, listening: asyncio.Event | None = None
) -> None:
    """Tell the index of what is being played, and of every commit from now on; never returns.

    Args:
        broker: the bus.
        index: is told.
        playing: what is being played now.
        shelf: has the logs of what has left the bus meanwhile.
        listening: set as soon as nothing is missed any more.
    """
    async with aclosing(broker.watch()) as batches:
        is_late = True
        async for batch in batches:
            if is_late:
                is_late = False
                if listening is not None:
                    listening.set()
                await _catch_up(broker, index, playing, shelf)
            for committed in batch:
                await _take(broker, index, committed, shelf)


async def _catch_up(broker: Broker, index: Index, playing: Iterable[Key], shelf: Shelf) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def read(key: Key) -> None:
        async with room:
            try:
                replay(index, key, await entries_from(broker, shelf, key, index.length(key)))
            except PalaverError as error:
                structlog.get_logger().warning("a log cannot be shown", log=str(key), reason=str(error))

    await asyncio.gather(*(read(key) for key in playing))


async def _take(broker: Broker, index: Index, committed: Committed, shelf: Shelf) -> None:
    key = Key.of_log(committed.log)
    if index.apply(key, committed.at, committed.gist) != "gap":
        return
    try:
        entries = await entries_from(broker, shelf, key, index.length(key))
        replay(index, key, entries[: committed.at - index.length(key)])
    except PalaverError as error:
        structlog.get_logger().warning("a log has a gap", log=committed.log, reason=str(error))
    if index.length(key):  # of what nobody has the beginning of, there is nothing to show
        index.apply(key, committed.at, committed.gist, force=True)


def replay(index: Index, key: Key, entries: Sequence[LogEntry]) -> None:
    """Tell the index of entries that a log has had for a while, from where it stands."""
    for at, entry in enumerate(entries, index.length(key)):
        index.apply(key, at, gist_of(entry), live=False)


async def entries_from(broker: Broker | None, shelf: Shelf, key: Key, start: int) -> list[LogEntry]:
    """Return the entries of a log from ``start`` on: from the bus, or else from the disk."""
    if broker is not None:
        entries = await broker.read(episode_log(*key), start)
        if entries:
            return entries
    return await asyncio.to_thread(shelf.log, key, start)


async def records_from(shelf: Shelf, run: str) -> list[EpisodeRecord]:
    """Return what is written of a run's episodes."""
    return await asyncio.to_thread(shelf.records, run)


async def blob_from(broker: Broker | None, shelf: Shelf, sha256: str) -> bytes:
    """Return a picture: from the bus, or else from the disk.

    Raises:
        BrokerError: there is none.
    """
    if broker is not None:
        try:
            return await broker.blobs.get(sha256)
        except BrokerError:
            pass  # it may have been recorded and let go
    folder = await asyncio.to_thread(shelf.find_blob, sha256)
    return await folder.blobs.get(sha256)
