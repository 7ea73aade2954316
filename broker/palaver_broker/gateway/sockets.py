"""Agents at a WebSocket: questions down, answers up, one JSON message a text frame."""

import asyncio
from collections import deque
from typing import Any

import structlog
from aiohttp import WebSocketError, WSCloseCode, WSMsgType, web

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError, one_line
from palaver_protocols.strangers import AgentHello, Notice, RefusedError

from ..desk import OpenQuestion
from .doorkeeper import PROTOCOL
from .rules import Rules
from .sessions import Session
from .tally import Tally

__all__ = ["Socket"]

AT_A_TIME = 16
"""Messages of one connection that are being dealt with; more are not read."""
CLOSE_S = 2.0
"""How long an agent is given to take its leave."""


class Socket:
    """One WebSocket of an agent, which takes as many questions at a time as it says in its greeting; else one.

    Args:
        session: the agent's.
        digest: of the token that opened it.
        rules: what the agent may do.
        tally: what is counted.
    """

    def __init__(self, session: Session, digest: str, rules: Rules, tally: Tally) -> None:
        self.digest = digest
        self._session, self._rules, self._tally = session, rules, tally
        self._ws: web.WebSocketResponse[bool] = web.WebSocketResponse(
            protocols=(PROTOCOL,),
            heartbeat=rules.ping_s,
            compress=False,  # a small frame could hold a large message
            max_msg_size=rules.limits.message_bytes,
            timeout=CLOSE_S,
            decode_text=False,
        )
        self._most = 1
        self._has: set[str] = set()
        self._out: deque[OpenQuestion | Notice] = deque()
        self._wake = asyncio.Event()
        self._places = asyncio.Semaphore(AT_A_TIME)
        self._end: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._dealing: set[asyncio.Task[None]] = set()

    @property
    def room(self) -> int:
        """How many more questions it takes now."""
        return self._most - len(self._has)

    def give(self, question: OpenQuestion) -> None:
        """Send a question."""
        self._has.add(question.key)
        self._out.append(question)
        self._wake.set()

    def withdraw(self, key: str, *, tell: bool) -> None:
        """Forget a question that it was given; tell the agent, if it has been sent."""
        self._has.discard(key)
        unsent = [each for each in self._out if isinstance(each, OpenQuestion) and each.key == key]
        for question in unsent:
            self._out.remove(question)
        if tell and not unsent:
            self._out.append(Notice(key=key, agent=self._session.agent, code="cancelled"))
            self._wake.set()

    def cut(self, code: int, why: str) -> None:
        """End it."""
        if not self._end.done():
            self._end.set_result((code, why))

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve it until it ends."""
        await self._ws.prepare(request)
        transport = request.transport
        tasks: list[asyncio.Task[None]] = []
        try:
            self._session.arrive(self)
            tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
            ends: list[asyncio.Future[Any]] = [*tasks, self._end]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._session.leave(self)
            for task in [*tasks, *self._dealing]:
                task.cancel()
            for result in await asyncio.gather(*tasks, *self._dealing, return_exceptions=True):
                if isinstance(result, Exception):
                    structlog.get_logger().error(
                        "a connection failed", agent=self._session.agent, reason=one_line(repr(result))
                    )
            code, why = self._end.result() if self._end.done() else (WSCloseCode.OK, "")
            try:
                async with asyncio.timeout(CLOSE_S):
                    await self._ws.close(code=code, message=why.encode())
            except TimeoutError:
                pass  # it takes nothing any more, not even our leave
            finally:
                if transport is not None:
                    transport.abort()  # else what it has not read would keep the connection
        return self._ws

    async def _read(self) -> None:
        """Take what the agent says, no faster than it may."""
        while True:
            frame = await self._ws.receive()
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                if isinstance(frame.data, WebSocketError) and frame.data.code == WSCloseCode.MESSAGE_TOO_BIG:
                    self._session.refuse(RefusedError("too_large", "a frame is larger than a message may be"))
                return
            raw: bytes = frame.data
            self._session.messages.take(1)
            self._session.bytes.take(len(raw))
            if lack := max(self._session.messages.lack(0), self._session.bytes.lack(0)):
                self._session.remark("says more than it may, and is read slowly")
            await asyncio.sleep(lack)
            await self._places.acquire()
            dealing = asyncio.create_task(self._deal_with(raw, is_text=frame.type is WSMsgType.TEXT))
            self._dealing.add(dealing)
            dealing.add_done_callback(self._dealt_with)

    def _dealt_with(self, done: "asyncio.Task[None]") -> None:
        self._dealing.discard(done)
        self._places.release()
        if not done.cancelled() and (error := done.exception()):
            reason = one_line(repr(error))
            structlog.get_logger().error("cannot deal with a message", agent=self._session.agent, reason=reason)
            self.cut(WSCloseCode.INTERNAL_ERROR, "this message could not be dealt with")

    async def _deal_with(self, raw: bytes, *, is_text: bool) -> None:
        """Take one message, and tell what has become of it."""
        if not is_text:
            notice = self._session.refuse(RefusedError("not_json", "a message travels in a text frame, as JSON"))
            await self._send(encode(notice))
            return
        try:
            said = await self._session.hear(raw)
        except BrokerError as error:
            structlog.get_logger().warning("an answer was not taken", agent=self._session.agent, reason=str(error))
            self._tally.cut_off["bus"] += 1
            self.cut(WSCloseCode.TRY_AGAIN_LATER, "the bus is away; nothing is lost, connect again")
            return
        if isinstance(said, AgentHello):
            self._most = min(said.concurrency, self._rules.limits.concurrency)
            self._session.deal()
        else:
            await self._send(encode(said))

    async def _write(self) -> None:
        """Send what there is to be sent."""
        while not self._end.done():
            self._wake.clear()
            while self._out:
                each = self._out.popleft()
                if isinstance(each, OpenQuestion):
                    self._tally.told["request"] += 1
                    await self._send(each.data)
                else:
                    await self._send(encode(each))
            await self._wake.wait()

    async def _send(self, data: bytes) -> None:
        self._tally.bytes_out += len(data)
        try:
            async with asyncio.timeout(self._rules.write_s):
                await self._ws.send_frame(data, WSMsgType.TEXT)
        except TimeoutError:
            self._tally.cut_off["slow"] += 1
            self.cut(WSCloseCode.POLICY_VIOLATION, "you read too slowly")
        except ConnectionError:
            self.cut(WSCloseCode.OK, "")  # it is gone; what it was sent goes to the next
