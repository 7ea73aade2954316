"""A gateway on a real socket, an agent that speaks WebSocket, and one that polls."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import aiohttp
from aiohttp import WSMsgType

from palaver_broker import Broker
from palaver_broker.gateway import Gateway, Rules, listen
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.answering import settle_by_key
from palaver_broker.strangers import Stranger, digest_of, new_token
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import Player, TurnReply, TurnRequest
from palaver_protocols.strangers import AgentHello, stranger
from tests.support import a_reply

PATIENCE_S = 20.0


class Book:
    """A registry in memory."""

    def __init__(self) -> None:
        self.known: dict[str, Stranger] = {}

    async def strangers(self) -> Mapping[str, Stranger]:
        return dict(self.known)

    def add(self, name: str, doors: frozenset[Any] = frozenset({"gateway"})) -> str:
        token = new_token(name)
        self.known[name] = Stranger(name, doors, digest_of(token), datetime.now(UTC))
        return token


class Line:
    """A WebSocket of an agent."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse, agent: str) -> None:
        self.ws, self.agent = ws, agent

    async def hello(self, concurrency: int = 8, **more: Any) -> None:
        await self.ws.send_str(encode(AgentHello(key="h", agent=self.agent, concurrency=concurrency, **more)).decode())

    async def say(self, reply: TurnReply) -> None:
        await self.ws.send_str(encode(reply).decode())

    async def next(self) -> dict[str, Any]:
        """Return the next message; fail where the connection ends instead."""
        frame = await self.ws.receive(timeout=PATIENCE_S)
        assert frame.type is WSMsgType.TEXT, (frame, self.ws.close_code)
        message: dict[str, Any] = json.loads(frame.data)
        return message

    async def question(self) -> TurnRequest:
        message = await self.next()
        assert message["type"] == "turn.request", message
        request: TurnRequest = decode(json.dumps(message))
        return request

    async def notice(self) -> tuple[str, str, str | None]:
        message = await self.next()
        assert message["type"] == "notice", message
        return message["key"], message["code"], message["reason"]

    async def closed(self) -> tuple[int | None, str]:
        """Wait for the end; return its code and reason."""
        while True:
            frame = await self.ws.receive(timeout=PATIENCE_S)
            if frame.type is WSMsgType.CLOSE:
                return frame.data, frame.extra or ""
            if frame.type in (WSMsgType.CLOSED, WSMsgType.ERROR, WSMsgType.CLOSING):
                return self.ws.close_code, ""

    def drop(self) -> None:
        """Break the connection without a word."""
        transport = self.ws._response.connection and self.ws._response.connection.transport
        assert transport is not None
        transport.abort()


@dataclass
class Place:
    """A gateway, and who comes to it."""

    gateway: Gateway
    url: str
    web: aiohttp.ClientSession
    tokens: dict[str, str] = field(default_factory=dict)

    def head(self, name: str = "kim") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    @asynccontextmanager
    async def line(self, name: str = "kim", **words: Any) -> AsyncIterator[Line]:
        words.setdefault("headers", {} if "protocols" in words else self.head(name))
        async with self.web.ws_connect(f"{self.url}/v1/agent", max_msg_size=0, **words) as ws:
            yield Line(ws, stranger(name))

    async def poll(self, name: str = "kim", **query: Any) -> tuple[int, dict[str, Any]]:
        query = {"wait": 5} | query
        async with self.web.get(f"{self.url}/v1/agent/requests", params=query, headers=self.head(name)) as page:
            return page.status, await page.json()

    async def post(
        self, data: bytes | AsyncIterator[bytes], name: str = "kim", **headers: str
    ) -> tuple[int, dict[str, Any]]:
        where = f"{self.url}/v1/agent/messages"
        async with self.web.post(where, data=data, headers={**self.head(name), **headers}) as page:
            return page.status, await page.json()


@asynccontextmanager
async def a_gateway(
    broker: Broker, book: Book, rules: Rules | None = None, consumer: str = "gate", **more: Any
) -> AsyncIterator[Place]:
    """Open a gateway on a free port; everybody in the book has a token."""
    if isinstance(broker, RedisBroker):
        more = {"late": lambda said: settle_by_key(broker, said)} | more
    gateway = Gateway(broker, book, consumer, rules=rules, **more)
    async with (
        gateway.open(),
        listen(gateway, "127.0.0.1", 0) as listening,
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE_S)) as web,
    ):
        while not gateway.knows_anybody:  # noqa: ASYNC110 - one turn of the loop
            await asyncio.sleep(0)
        yield Place(gateway, listening.url, web)


def answers(request: TurnRequest, player: Player) -> TurnReply:
    return a_reply(request, player(request), agent=request.agent)


async def sit_at_a_socket(place: Place, name: str, player: Player) -> None:
    """Answer whatever comes, by a WebSocket."""
    async with place.line(name) as line:
        await line.hello(4)
        while True:
            message = await line.next()
            if message["type"] == "turn.request":
                await line.say(answers(decode(json.dumps(message)), player))
            else:
                assert message["code"] == "accepted", message


async def sit_and_poll(place: Place, name: str, player: Player) -> None:
    """Answer whatever comes, by polls."""
    while True:
        status, page = await place.poll(name)
        assert status == 200, page
        for message in page["requests"]:
            request = decode(json.dumps(message))
            status, notice = await place.post(encode(answers(request, player)), name)
            assert (status, notice["code"]) == (200, "accepted")
