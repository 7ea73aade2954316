"""A place that one process at a time may have, while others stand by to take it over."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from importlib.resources import files

import structlog

from palaver_protocols.errors import one_line

from .link import Link, Script, briefly

__all__ = ["alone", "only_one"]


def _load(name: str) -> Script:
    return Script((files(__package__) / "lua" / f"reserve_{name}.lua").read_text())


TAKE, LEAVE = _load("take"), _load("leave")


@asynccontextmanager
async def only_one(
    link: Link, place: str, me: str, *, lease_s: float, on_lost: Callable[[], None]
) -> AsyncIterator[None]:
    """Wait for a place, and keep it while the context lasts. The log says who is waited for, and when that is over.

    A process that was held up for longer than its lease may share the place with its successor until it looks again: a
    third of a lease. What it does there must be safe to do twice.

    Args:
        link: the bus.
        place: what the place is called: a key, and a word for the log.
        me: who we are; what others who wait for us read in their log.
        lease_s: seconds after which the place of a process that has gone silent is free.
        on_lost: called if somebody else has taken it.
    """
    key, lease_ms, log = link.prefix + place, round(lease_s * 1000), structlog.get_logger()

    async def take() -> bool:
        return bool(await link.run(TAKE, [key], [me, lease_ms]))

    async def keep() -> None:
        taken = True
        while taken:
            await asyncio.sleep(lease_s / 3)
            taken = await take()
        on_lost()

    if not await take():
        holder = one_line((await link.call("GET", key) or b"another").decode(errors="replace"), 100)
        log.info(f"standing by: {holder} is at work, or has died less than {lease_s:g} s ago", place=place)
        while not await take():  # noqa: ASYNC110 - another process lets it go
            await asyncio.sleep(lease_s / 3)
        log.info("taken over; at work", place=place)
    keeping = asyncio.create_task(keep(), name=f"keeping {place}")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        async with briefly():
            await link.run(LEAVE, [key], [me])


async def alone(
    link: Link, place: str, me: str, *, lease_s: float, work: Callable[[], Coroutine[None, None, None]]
) -> None:
    """Do work that has no end of its own at a place, whenever it is ours, until cancelled.

    Args:
        link: the bus.
        place: what the place is called.
        me: who we are.
        lease_s: seconds after which the place of a process that has gone silent is free.
        work: begins it; called anew each time that the place has become ours. Two at work for a moment must do no harm.
    """
    while True:
        lost = asyncio.Event()
        async with only_one(link, place, me, lease_s=lease_s, on_lost=lost.set):
            working, losing = asyncio.ensure_future(work()), asyncio.ensure_future(lost.wait())
            try:
                await asyncio.wait({working, losing}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                losing.cancel()
                working.cancel()
                await asyncio.gather(losing, working, return_exceptions=True)
            if not working.cancelled():
                working.result()  # raises what has ended it
        structlog.get_logger().info("another has taken over; standing by", place=place)
