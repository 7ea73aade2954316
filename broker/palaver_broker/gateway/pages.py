"""What agents find over plain HTTP: their questions, a place for their answers, and pictures."""

import asyncio
import re
from collections.abc import Callable, Mapping

from aiohttp import hdrs, web

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import AgentHello, Notice, RefusedError

from .answers import STATUS, TurnedAwayError, as_json, number
from .bounds import check_connections, place, refused, spend
from .entry import Entry
from .house import House
from .sessions import Session

__all__ = ["Pages"]

LONGEST_WAIT_S = 60.0
HEAR_S = 10.0
"""How long a posted answer waits for the bus before its sender is told to say it again."""
BODY_S = 10.0
"""How long a message may take to come in."""
CHUNK = 64 * 1024


class Pages:
    """The pages of a gateway.

    Args:
        entry: who may come in.
        house: the bus and its rules.
        why_away: None while the bus can be reached, else why it cannot.
    """

    def __init__(self, entry: Entry, house: House, why_away: Callable[[], str | None]) -> None:
        self._entry, self._house, self._why_away = entry, house, why_away

    # --- questions ---

    async def requests(self, request: web.Request) -> web.StreamResponse:
        """Answer with questions, as soon as there are any."""
        entry, limits = self._entry, self._house.rules.limits
        session, digest = await entry.enter(request)
        wait_s = number(request, "wait", 25.0, LONGEST_WAIT_S)
        most = int(number(request, "max", 8.0, limits.concurrency))
        again = bool(number(request, "again", 0.0, 1.0))
        if most < 1:
            raise TurnedAwayError(400, "max: at least 1 question")
        check_connections(session, limits)
        spend(session)
        self._check_bus()
        found = await session.poll(most, wait_s, again=again, may_stay=lambda: entry.may_stay(session, digest))
        if entry.stopping.is_set():
            raise TurnedAwayError.away("the gateway stops")
        if not entry.may_stay(session, digest):
            raise TurnedAwayError(401, "your token is no longer valid", "revoked")
        self._house.tally.told["request"] += len(found)
        body = b'{"requests":[' + b",".join(question.data for question in found) + b"]}"
        headers: dict[str, str] = {hdrs.CONTENT_TYPE: "application/json", hdrs.CACHE_CONTROL: "no-store"}
        try:
            return await self._send(request, body, headers)
        except (ConnectionError, asyncio.CancelledError):
            session.take_back(found)
            raise

    def _check_bus(self) -> None:
        """Make sure that the bus is there.

        Raises:
            TurnedAwayError: it is not.
        """
        if (away := self._why_away()) is not None:
            raise TurnedAwayError.away(away)

    # --- answers ---

    async def message(self, request: web.Request) -> web.StreamResponse:
        """Take one message, and answer with its notice."""
        session, _ = await self._entry.enter(request)
        with place(session):
            return await self._take(request, session)

    async def _take(self, request: web.Request, session: Session) -> web.StreamResponse:
        if request.headers.get(hdrs.CONTENT_ENCODING, "identity") != "identity":
            raise TurnedAwayError(415, "send it plain, without Content-Encoding")
        spend(session)
        raw = await self._body(request, session)
        session.bytes.take(len(raw))
        session.linger()
        self._check_bus()
        try:
            async with asyncio.timeout(HEAR_S):
                said = await session.hear(raw)
        except (BrokerError, TimeoutError):
            raise TurnedAwayError.away("the bus is away") from None
        if isinstance(said, AgentHello):
            said = Notice(key=said.key, agent=session.agent, code="accepted")
        return as_json(encode(said), 200 if said.code != "refused" else STATUS[said.reason])

    async def _body(self, request: web.Request, session: Session) -> bytes:
        most = self._house.rules.limits.message_bytes
        try:
            async with asyncio.timeout(BODY_S):
                if (request.content_length or 0) > most:
                    raise web.HTTPRequestEntityTooLarge(most)
                raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            error = RefusedError("too_large", f"more than the {most:,} bytes that are allowed")
            raise refused(session, error) from None
        except TimeoutError:
            raise TurnedAwayError(408, f"the message did not come within {BODY_S:g} s") from None
        return raw

    # --- pictures ---

    async def blob(self, request: web.Request) -> web.StreamResponse:
        """Show a picture to an agent that was sent it in a question: nobody finds out what others have seen."""
        session, _ = await self._entry.enter(request)
        with place(session):
            return await self._show(request, session)

    async def _show(self, request: web.Request, session: Session) -> web.StreamResponse:
        spend(session)
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
        self._check_bus()
        try:
            data = await self._house.broker.blobs.get(sha256)
        except BrokerError:
            raise TurnedAwayError(404, "this picture is no longer kept") from None
        return await self._send(request, data, headers)

    async def _send(self, request: web.Request, body: bytes, headers: Mapping[str, str]) -> web.StreamResponse:
        """Send a body, to a reader that takes it in time.

        Raises:
            ConnectionError: there is none.
        """
        response, tally = web.StreamResponse(headers=headers), self._house.tally
        response.content_length = len(body)
        transport = request.transport
        try:
            async with asyncio.timeout(self._house.rules.write_s):
                await response.prepare(request)
                if request.method != hdrs.METH_HEAD:
                    tally.bytes_out += len(body)
                    for start in range(0, len(body), CHUNK):
                        await response.write(body[start : start + CHUNK])
                await response.write_eof()
        except TimeoutError:
            tally.cut_off["slow"] += 1
            if transport is not None:
                transport.abort()
            raise ConnectionResetError("it reads too slowly") from None
        return response
