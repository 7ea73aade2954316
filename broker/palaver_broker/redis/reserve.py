"""A place that one process at a time may have, while others stand by to take it over."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files

import structlog

from palaver_protocols.errors import one_line

from .link import Link, Script, briefly

__all__ = ["only_one"]


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
