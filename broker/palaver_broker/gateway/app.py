"""The gateway's web application, and its life: who answers which request, and what goes on while it is open.

All that goes wrong is answered by a notice (:class:`~palaver_protocols.strangers.Notice`) in one line of JSON.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import structlog
from aiohttp import WSCloseCode, hdrs, web

from palaver_protocols.errors import BrokerError, one_line
from palaver_protocols.strangers import Notice

from ..base import Broker
from ..strangers import Registry
from .answers import TurnedAwayError, as_ours
from .bounds import check_connections
from .doorkeeper import PROTOCOL
from .entry import Entry
from .house import House, Late
from .pages import Pages
from .rules import Rules
from .sessions import Presence
from .sockets import Socket
from .tally import Tally

__all__ = ["Gateway"]

REPORT_S = 1.0
"""How often the log is told of what was refused."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Gateway:
    """Lets strangers come to a bus. Use :meth:`open`, and serve :attr:`app` meanwhile.

    Args:
        broker: the bus.
        registry: who may come in.
        consumer: what this gateway is called on the bus; under the same name, one that starts again finds at once
            what it had on loan.
        rules: what strangers may do.
        on_notice: hears every notice that an agent is given.
        late: settles answers to questions that are not here, where the bus can tell.
        why_away: None while the bus can be reached, else why it cannot.
    """

    def __init__(
        self,
        broker: Broker,
        registry: Registry,
        consumer: str,
        *,
        rules: Rules | None = None,
        on_notice: Callable[[Notice], None] = lambda _: None,
        late: Late | None = None,
        why_away: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.rules = rules or Rules()
        self._house = House(broker, self.rules, consumer, on_notice, late)
        self._entry = Entry(registry, self._house)
        self._sockets: set[Socket] = set()
        self._without_room = 0
        # One more byte than is allowed, so that we and not the server say that it is too much.
        self.app = web.Application(middlewares=[self._guard], client_max_size=self.rules.limits.message_bytes + 1)
        self.app.on_response_prepare.append(as_ours)
        pages = Pages(self._entry, self._house, why_away)
        self.app.add_routes(
            [
                web.get("/v1/agent", self._socket, allow_head=False),
                web.get("/v1/agent/requests", pages.requests, allow_head=False),
                web.post("/v1/agent/messages", pages.message),
                web.get("/v1/blobs/{sha256}", pages.blob),
            ]
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let strangers in until the context is left; then hand their questions back."""
        looking = asyncio.create_task(self._entry.doorkeeper.look(), name="who may come in")
        reporting = asyncio.create_task(self._report_on(), name="what was refused")
        try:
            yield
        finally:
            self.stop()
            looking.cancel()
            reporting.cancel()
            closing = (session.aclose() for session in self._entry.sessions.values())
            await asyncio.gather(looking, reporting, *closing, return_exceptions=True)
            self._report()

    def stop(self) -> None:
        """Take leave of everybody, and let nobody in."""
        self.stopping.set()
        for socket in list(self._sockets):
            socket.cut(WSCloseCode.GOING_AWAY, "the gateway stops; nothing is lost, connect again")
        for session in self._entry.sessions.values():
            session.cut(WSCloseCode.GOING_AWAY, "the gateway stops")

    @property
    def stopping(self) -> asyncio.Event:
        """Set when nobody is let in any more."""
        return self._entry.stopping

    @property
    def knows_anybody(self) -> bool:
        """Whether the registry has been read at all."""
        return self._entry.doorkeeper.knows_anybody

    @property
    def tally(self) -> Tally:
        """What has been counted."""
        return self._house.tally

    @property
    def present(self) -> Mapping[str, Presence]:
        """The agents that are here, by full name."""
        return {agent: session.presence for agent, session in self._entry.sessions.items() if session.is_in_sight}

    @property
    def connections(self) -> int:
        """WebSockets, and polls that wait."""
        return sum(session.connections for session in self._entry.sessions.values())

    @property
    def questions(self) -> int:
        """Questions that are with agents."""
        return sum(session.questions for session in self._entry.sessions.values())

    # --- what is said of those who are refused ---

    def has_no_room(self) -> None:
        """Count a connection that was let go, since there are as many as there may be."""
        self.tally.cut_off["full"] += 1
        self._without_room += 1

    async def _report_on(self) -> None:
        while True:
            await asyncio.sleep(REPORT_S)
            self._report()

    def _report(self) -> None:
        self._house.rejections.report()
        if self._without_room:
            log = structlog.get_logger()
            log.warning("no room", closed=self._without_room, connections=self.rules.connections)
            self._without_room = 0

    # --- who answers ---

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer what goes wrong by a notice."""
        try:
            return await handler(request)
        except TurnedAwayError as error:
            return error.response()
        except web.HTTPException as error:
            if error.status < 400:
                raise
            return TurnedAwayError(error.status, one_line(error.text or error.reason)).response()
        except BrokerError as error:
            structlog.get_logger().warning("a request failed", reason=str(error))
            return TurnedAwayError.away("the bus is away").response()
        except ConnectionError:
            return web.Response()  # nobody is there to read it
        except Exception as error:  # aiohttp would log it over many lines
            structlog.get_logger().error("a request failed", path=request.path[:100], reason=one_line(repr(error)))
            return TurnedAwayError.failed().response()

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        session, digest = await self._entry.enter(request)
        offered = request.headers.get(hdrs.SEC_WEBSOCKET_PROTOCOL)
        if offered is not None and PROTOCOL not in [each.strip() for each in offered.split(",")]:
            # aiohttp would log what was offered, the token among it
            raise TurnedAwayError(400, f"offer the subprotocol {PROTOCOL} beside your token")
        check_connections(session, self.rules.limits)
        socket = Socket(session, digest, self.rules, self.tally)
        self._sockets.add(socket)
        try:
            return await socket.serve(request)
        finally:
            self._sockets.discard(socket)
