"""The gateway's web application: who may come in, and what they find there.

All that goes wrong is answered by a notice (:class:`~palaver_protocols.strangers.Notice`) in one line of JSON.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

import structlog
from aiohttp import WSCloseCode, hdrs, web

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError, one_line
from palaver_protocols.strangers import AgentHello, Notice, RefusedError, stranger

from ..base import Broker
from ..strangers import Registry, Stranger
from .answers import STATUS, TurnedAwayError, as_json, number
from .doorkeeper import PROTOCOL, Doorkeeper, address_of, shown
from .rules import Rules
from .sessions import House, Late, Presence, Session
from .sockets import Socket
from .tally import Tally

__all__ = ["Gateway"]

LONGEST_WAIT_S = 60.0
HEAR_S = 10.0
"""How long a posted answer waits for the bus before its sender is told to say it again."""
BODY_S = 10.0
"""How long a message may take to come in."""
CHUNK = 64 * 1024
REQUESTS = 32
"""Messages and pictures of one agent that are dealt with at a time, polls not among them."""
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
        self.tally = Tally()
        self.stopping = asyncio.Event()
        self._why_away = why_away
        self._blobs = broker.blobs
        self._house = House(broker, self.rules, self.tally, consumer, on_notice, late)
        self._doorkeeper = Doorkeeper(registry, self._known)
        self._sessions: dict[str, Session] = {}
        self._digests: dict[str, str] = {}
        self._sockets: set[Socket] = set()
        # One more byte than is allowed, so that we and not the server say that it is too much.
        self.app = web.Application(middlewares=[self._guard], client_max_size=self.rules.limits.message_bytes + 1)
        self.app.add_routes(
            [
                web.get("/v1/agent", self._socket, allow_head=False),
                web.get("/v1/agent/requests", self._requests, allow_head=False),
                web.post("/v1/agent/messages", self._message),
                web.get("/v1/blobs/{sha256}", self._blob),
            ]
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let strangers in until the context is left; then hand their questions back."""
        looking = asyncio.create_task(self._doorkeeper.look(), name="who may come in")
        try:
            yield
        finally:
            self.stop()
            looking.cancel()
            await asyncio.gather(
                looking, *(session.aclose() for session in self._sessions.values()), return_exceptions=True
            )

    def stop(self) -> None:
        """Take leave of everybody, and let nobody in."""
        self.stopping.set()
        for socket in list(self._sockets):
            socket.cut(WSCloseCode.GOING_AWAY, "the gateway stops; nothing is lost, connect again")
        for session in self._sessions.values():
            session.cut(WSCloseCode.GOING_AWAY, "the gateway stops")

    @property
    def present(self) -> Mapping[str, Presence]:
        """The agents that are here, by full name."""
        return {agent: session.presence for agent, session in self._sessions.items() if session.is_present}

    @property
    def connections(self) -> int:
        """WebSockets, and polls that wait."""
        return sum(session.connections for session in self._sessions.values())

    @property
    def questions(self) -> int:
        """Questions that are with agents."""
        return sum(session.questions for session in self._sessions.values())

    # --- who may come in ---

    def _known(self, strangers: Mapping[str, Stranger]) -> None:
        """Cut off whoever is known no more, or by another token."""
        self._digests = {stranger(name): known.digest for name, known in strangers.items() if "gateway" in known.doors}
        for agent, session in list(self._sessions.items()):
            session.evict(self._digests.get(agent))
            if agent not in self._digests and not session.is_present:
                del self._sessions[agent]

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
            return TurnedAwayError(500, "the gateway failed; this is its own fault").response()

    async def _enter(self, request: web.Request) -> tuple[Session, str]:
        """Return the session of who asks, and the digest of its token.

        Raises:
            TurnedAwayError: it may not come in.
        """
        if (origin := request.headers.get(hdrs.ORIGIN)) is not None and origin not in self.rules.origins:
            raise TurnedAwayError(403, "scripts of this web page may not come in (palaver serve gateway --origin)")
        if self.stopping.is_set():
            raise TurnedAwayError.away("the gateway stops")
        if not self._doorkeeper.knows_anybody:
            raise TurnedAwayError.away("the bus cannot be reached")
        known = await self._doorkeeper.whose(shown(request))
        if known is None:
            self.tally.turned_away += 1
            await self._doorkeeper.turn_away(one_line(address_of(request, self.rules), 64))
            raise TurnedAwayError(401, "show the token of an agent: Authorization: Bearer NAME.…", "revoked")
        agent = stranger(known.name)
        if agent not in self._sessions:
            self._sessions[agent] = Session(agent, self._house)
        return self._sessions[agent], known.digest

    def _may_stay(self, session: Session, digest: str) -> bool:
        return not self.stopping.is_set() and self._digests.get(session.agent) == digest

    def _spend(self, session: Session) -> None:
        """Count a request as a message.

        Raises:
            TurnedAwayError: it comes too fast.
        """
        if lack := max(session.messages.lack(1), session.bytes.lack(0)):
            raise self._refused(session, RefusedError("too_fast", f"more than you may: wait {lack:.1f} s"), lack)
        session.messages.take(1)

    def _refused(self, session: Session, error: RefusedError, retry_s: float | None = None) -> TurnedAwayError:
        session.refuse(error)
        return TurnedAwayError(STATUS[error.reason], str(error), error.reason, retry_s)

    # --- what they find ---

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        session, digest = await self._enter(request)
        offered = request.headers.get(hdrs.SEC_WEBSOCKET_PROTOCOL)
        if offered is not None and PROTOCOL not in [each.strip() for each in offered.split(",")]:
            # aiohttp would log what was offered, the token among it
            raise TurnedAwayError(400, f"offer the subprotocol {PROTOCOL} beside your token")
        self._check_room(session)
        socket = Socket(session, digest, self.rules, self.tally)
        self._sockets.add(socket)
        try:
            return await socket.serve(request)
        finally:
            self._sockets.discard(socket)

    def _check_room(self, session: Session) -> None:
        if session.connections >= self.rules.limits.connections:
            most = self.rules.limits.connections
            raise self._refused(session, RefusedError("too_fast", f"you have {most} connections, which is all"), 1.0)

    async def _requests(self, request: web.Request) -> web.StreamResponse:
        session, digest = await self._enter(request)
        wait_s = number(request, "wait", 25.0, LONGEST_WAIT_S)
        most = int(number(request, "max", 8.0, self.rules.limits.concurrency))
        again = bool(number(request, "again", 0.0, 1.0))
        if most < 1:
            raise TurnedAwayError(400, "max: at least 1 question")
        self._check_room(session)
        self._spend(session)
        if (away := self._why_away()) is not None:
            raise TurnedAwayError.away(away)
        found = await session.poll(most, wait_s, again=again, may_stay=lambda: self._may_stay(session, digest))
        if self.stopping.is_set():
            raise TurnedAwayError.away("the gateway stops")
        if not self._may_stay(session, digest):
            raise TurnedAwayError(401, "your token is no longer valid", "revoked")
        self.tally.told["request"] += len(found)
        body = b'{"requests":[' + b",".join(question.data for question in found) + b"]}"
        headers: dict[str, str] = {hdrs.CONTENT_TYPE: "application/json", hdrs.CACHE_CONTROL: "no-store"}
        try:
            return await self._send(request, body, headers)
        except (ConnectionError, asyncio.CancelledError):
            session.take_back(found)
            raise

    @contextmanager
    def _place(self, session: Session) -> Iterator[None]:
        """Keep to a number of requests of one agent at a time.

        Raises:
            TurnedAwayError: there are too many.
        """
        if session.requests >= REQUESTS:
            raise self._refused(session, RefusedError("too_fast", f"you have {REQUESTS} requests at a time"), 1.0)
        session.requests += 1
        try:
            yield
        finally:
            session.requests -= 1

    async def _message(self, request: web.Request) -> web.StreamResponse:
        session, _ = await self._enter(request)
        with self._place(session):
            return await self._take(request, session)

    async def _take(self, request: web.Request, session: Session) -> web.StreamResponse:
        if request.headers.get(hdrs.CONTENT_ENCODING, "identity") != "identity":
            raise TurnedAwayError(415, "send it plain, without Content-Encoding")
        self._spend(session)
        raw = await self._body(request, session)
        session.bytes.take(len(raw))
        session.linger()
        if (away := self._why_away()) is not None:
            raise TurnedAwayError.away(away)
        try:
            async with asyncio.timeout(HEAR_S):
                said = await session.hear(raw)
        except (BrokerError, TimeoutError):
            raise TurnedAwayError.away("the bus is away") from None
        if isinstance(said, AgentHello):
            said = Notice(key=said.key, agent=session.agent, code="accepted")
        return as_json(encode(said), 200 if said.code != "refused" else STATUS[said.reason])

    async def _body(self, request: web.Request, session: Session) -> bytes:
        most = self.rules.limits.message_bytes
        try:
            async with asyncio.timeout(BODY_S):
                if (request.content_length or 0) > most:
                    raise web.HTTPRequestEntityTooLarge(most)
                raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            error = RefusedError("too_large", f"more than the {most:,} bytes that are allowed")
            raise self._refused(session, error) from None
        except TimeoutError:
            raise TurnedAwayError(408, f"the message did not come within {BODY_S:g} s") from None
        return raw

    async def _blob(self, request: web.Request) -> web.StreamResponse:
        """Show a picture to an agent that was sent it in a question: nobody finds out what others have seen."""
        session, _ = await self._enter(request)
        with self._place(session):
            return await self._show(request, session)

    async def _show(self, request: web.Request, session: Session) -> web.StreamResponse:
        self._spend(session)
        sha256 = request.match_info["sha256"]
        media_type = session.picture(sha256) if re.fullmatch(r"[0-9a-f]{64}", sha256) else None
        if media_type is None:
            raise TurnedAwayError(404, "there is no such picture in a question that you were sent here")
        headers = {
            hdrs.CONTENT_TYPE: media_type,
            hdrs.ETAG: f'"{sha256}"',
            hdrs.CACHE_CONTROL: "private, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        }
        if any(tag.value == sha256 for tag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        if (away := self._why_away()) is not None:
            raise TurnedAwayError.away(away)
        try:
            data = await self._blobs.get(sha256)
        except BrokerError:
            raise TurnedAwayError(404, "this picture is no longer kept") from None
        return await self._send(request, data, headers)

    async def _send(self, request: web.Request, body: bytes, headers: Mapping[str, str]) -> web.StreamResponse:
        """Send a body, to a reader that takes it in time.

        Raises:
            ConnectionError: there is none.
        """
        response = web.StreamResponse(headers=headers)
        response.content_length = len(body)
        transport = request.transport
        try:
            async with asyncio.timeout(self.rules.write_s):
                await response.prepare(request)
                if request.method != hdrs.METH_HEAD:
                    self.tally.bytes_out += len(body)
                    for start in range(0, len(body), CHUNK):
                        await response.write(body[start : start + CHUNK])
                await response.write_eof()
        except TimeoutError:
            self.tally.cut_off["slow"] += 1
            if transport is not None:
                transport.abort()
            raise ConnectionResetError("it reads too slowly") from None
        return response
