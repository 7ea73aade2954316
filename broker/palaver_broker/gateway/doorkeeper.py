"""Who comes in: tokens, the registry that is looked at every second, and those who show none that opens this door."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

import structlog
from aiohttp import hdrs, web

from palaver_protocols.errors import BrokerError

from ..strangers import Registry, Stranger, known_by
from .rules import Rules

__all__ = ["PROTOCOL", "Doorkeeper", "address_of", "shown"]

PROTOCOL = "palaver.v1"
"""The WebSocket subprotocol."""
LOOK_S = 1.0
"""How often the registry is looked at."""
SOONEST_S = 0.1
"""How long it is left alone after a look, though somebody comes whom we do not know."""
FRESH_S = 2.0
"""How long such a caller waits for the next look."""
TOKEN = re.compile(r"[a-z0-9-]{1,32}\.[A-Za-z0-9_-]{16,128}")
SLOWEST_S = 5.0
"""How long, at most, whoever shows a wrong token waits to be told so."""
WAITERS = 64
"""How many may wait so at a time; others are told at once, and cost us no memory."""
ADDRESSES = 4096
"""How many addresses are remembered by their wrong tokens."""


def shown(request: web.Request) -> str | None:
    """Return the token that a request shows, if it has the form of one: in a header, or as a WebSocket subprotocol."""
    kind, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    if kind.lower() != "bearer":
        offered = request.headers.get(hdrs.SEC_WEBSOCKET_PROTOCOL, "").split(",")
        token = next((each.strip()[6:] for each in offered if each.strip().startswith("token.")), "")
    token = token.strip()
    return token if TOKEN.fullmatch(token) else None


def address_of(request: web.Request, rules: Rules) -> str:
    """Return who calls. What a proxy of ours was told by others is not believed, only what it has added itself."""
    if rules.behind_proxy and (said := request.headers.getall("X-Forwarded-For", ())):
        return said[-1].rpartition(",")[2].strip()[:64]
    return request.remote or ""


class Doorkeeper:
    """Knows whose token is whose.

    Args:
        registry: who may come in.
        on_change: called with all that are known, after each look.
    """

    def __init__(self, registry: Registry, on_change: Callable[[Mapping[str, Stranger]], None]) -> None:
        self._registry, self._on_change = registry, on_change
        self._known: Mapping[str, Stranger] | None = None
        self._wrong: OrderedDict[str, int] = OrderedDict()
        self._waiting = 0
        self._next = asyncio.Event()
        self._unknown = asyncio.Event()

    @property
    def knows_anybody(self) -> bool:
        """Whether the registry has been read at all."""
        return self._known is not None

    async def whose(self, token: str | None) -> Stranger | None:
        """Return whose token this is, if it opens this door. One that is new a moment ago is known, too."""
        if token is None:
            return None
        found = known_by(token, self._known or {}, "gateway")
        if found is None and self._waiting < WAITERS:
            fresh = self._next
            self._unknown.set()
            with self._one_waits(), suppress(TimeoutError):
                async with asyncio.timeout(FRESH_S):
                    await fresh.wait()
            found = known_by(token, self._known or {}, "gateway")
        return found

    async def look(self) -> None:
        """Look at the registry every second, and for whoever is not known; until cancelled."""
        while True:
            self._unknown.clear()
            fresh, self._next = self._next, asyncio.Event()
            try:
                self._known = await self._registry.strangers()
            except BrokerError as error:
                structlog.get_logger().warning("cannot look who may come in", reason=str(error))
            else:
                self._on_change(self._known)
            fresh.set()
            await asyncio.sleep(SOONEST_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S - SOONEST_S):
                    await self._unknown.wait()

    @contextmanager
    def _one_waits(self) -> Iterator[None]:
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def turn_away(self, address: str) -> None:
        """Let a caller without a token that is right wait: the longer, the more often it has come."""
        times = self._wrong.pop(address, 0) + 1
        self._wrong[address] = times
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
        if times & (times - 1) == 0:  # the first, the second, the fourth: a flood is no flood of log lines
            structlog.get_logger().info("turned away", address=address, times=times)
        if self._waiting < WAITERS:
            with self._one_waits():
                await asyncio.sleep(min(SLOWEST_S, 0.1 * 2.0 ** min(times - 1, 10)))
