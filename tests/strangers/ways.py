"""The ways in for somebody else's program, each with a bus of its own, and an agent's end of it to misbehave at."""

import asyncio
import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from socket import SHUT_RDWR, socket
from typing import Any

import aiohttp
import aiomqtt
import pytest
from aiohttp import WSMsgType
from redis.asyncio import Redis

from palaver_broker import Broker
from palaver_broker.desk import Desk, OpenQuestion, open_desk
from palaver_broker.memory import MemoryBroker
from palaver_broker.mqtt.client import connected
from palaver_broker.redis import Board, Link, RedisBroker
from palaver_broker.redis.acl import Users
from palaver_broker.redis.porter import Porter
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import inbox, notes, outbox
from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import AgentHello, Notice, stranger
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.broker.mqtt.edge import Edge, an_edge
from tests.redis_server import fresh_bus

__all__ = ["WAYS", "Line", "LostError", "Plain", "Way", "way_in"]

Plain = dict[str, Any]


class LostError(Exception):
    """The line is broken: by the other end, or because the agent has died."""


class Line(ABC):
    """One connection of an agent. What comes is heard in order, questions and notices alike."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[Plain | None] = asyncio.Queue()

    async def hear(self) -> Plain:
        """Return what has come.

        Raises:
            LostError: nothing will come any more.
        """
        said = await self.news.get()
        if said is None:
            raise LostError
        return said

    @abstractmethod
    async def say(self, raw: bytes) -> None:
        """Say something.

        Raises:
            LostError: it cannot be said.
        """


Come = Callable[[], AbstractAsyncContextManager[Line]]


@dataclass(frozen=True, slots=True)
class Way:
    """A bus with a door for one agent: ``come`` connects it, and leaving breaks the connection without a word."""

    broker: Broker
    agent: str
    come: Come


# --- on the embedded bus ---


class AtADesk(Line):
    desk: Desk

    def asked(self, question: OpenQuestion) -> None:
        self.news.put_nowait(json.loads(question.data))

    def told(self, notice: Notice) -> None:
        self.news.put_nowait(json.loads(encode(notice)))

    async def say(self, raw: bytes) -> None:
        await self.desk.hear(raw)


@asynccontextmanager
async def embedded(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    async with MemoryBroker() as broker:
        agent = stranger("clumsy")

        @asynccontextmanager
        async def come() -> AsyncIterator[Line]:
            line = AtADesk()
            line.desk = Desk(broker, agent, on_question=line.asked, on_notice=line.told)
            async with open_desk(line.desk, "door"):
                yield line

        yield Way(broker, agent, come)


# --- on Redis itself ---


class AtRedis(Line):
    def __init__(self, client: Redis, outbox: str) -> None:
        super().__init__()
        self._client, self._outbox = client, outbox

    async def say(self, raw: bytes) -> None:
        await self._client.xadd(self._outbox, {"m": raw})

    async def read(self, stream: str, read_to: dict[str, str]) -> None:
        while True:
            found: Any = await self._client.xread({stream: read_to[stream]}, block=1000)
            for _, entries in found:
                for id_, fields in entries:
                    read_to[stream] = id_.decode()
                    self.news.put_nowait(json.loads(fields[b"m"]))


@asynccontextmanager
async def on_redis(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    request.getfixturevalue("redis_7")
    server = request.getfixturevalue("redis_server")
    url = fresh_bus(server)
    name = f"clumsy-{url.rpartition('=')[2]}"
    agent = stranger(name)
    async with RedisBroker(url) as broker, Link(url) as link:
        registry = Strangers(broker.link)
        token = await registry.add(name, ["redis"])
        await Users(broker.link).make(await registry.known(name))
        box, out, told = (broker.link.prefix + topic(agent) for topic in (inbox, outbox, notes))
        read_to = {told: "0-0"}

        @asynccontextmanager
        async def come() -> AsyncIterator[Line]:
            client = Redis(host="127.0.0.1", port=server.port, username=name, password=token)
            line = AtRedis(client, out)
            read_to[box] = "0-0"  # whoever starts reads all that is open
            reading = [asyncio.create_task(line.read(stream, read_to)) for stream in (box, told)]
            try:
                yield line
            finally:
                await _end(*reading)
                await client.aclose()

        porter = asyncio.create_task(Porter(broker, registry, Board(broker.link), link).run())
        try:
            yield Way(broker, agent, come)
        finally:
            await _end(porter)


# --- at the gateway ---


class AtASocket(Line):
    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__()
        self._ws = ws

    async def say(self, raw: bytes) -> None:
        try:
            await self._ws.send_frame(raw, WSMsgType.TEXT)
        except ConnectionError as error:
            raise LostError from error

    async def read(self) -> None:
        async for frame in self._ws:
            self.news.put_nowait(frame.json())
        self.news.put_nowait(None)


@asynccontextmanager
async def a_place(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Broker, Place]]:
    book = Book()
    token = book.add("clumsy")
    async with RedisBroker(fresh_bus(request.getfixturevalue("redis_server"))) as broker:
        async with a_gateway(broker, book) as place:
            place.tokens = {"clumsy": token}
            yield broker, place


@asynccontextmanager
async def by_socket(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    agent = stranger("clumsy")

    @asynccontextmanager
    async def come(place: Place) -> AsyncIterator[Line]:
        async with place.line("clumsy") as there:
            await there.hello()
            line = AtASocket(there.ws)
            reading = asyncio.create_task(line.read())
            try:
                yield line
            finally:
                await _end(reading)
                if there.ws._response.connection is not None:
                    there.drop()

    async with a_place(request) as (broker, place):
        yield Way(broker, agent, partial(come, place))


async def _piece_by_piece(raw: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(raw), 64 * 1024):
        yield raw[start : start + 64 * 1024]


class ByPolls(Line):
    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    async def say(self, raw: bytes) -> None:
        try:
            _, notice = await self._place.post(_piece_by_piece(raw), "clumsy")
        except aiohttp.ClientError as error:
            raise LostError from error
        self.news.put_nowait(notice)

    async def read(self) -> None:
        again = 1
        while True:
            status, page = await self._place.poll("clumsy", again=again)
            if status == 200:
                again = 0
                for question in page["requests"]:
                    self.news.put_nowait(question)
            else:  # too fast, after a flood
                await asyncio.sleep(1)


@asynccontextmanager
async def by_polls(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    @asynccontextmanager
    async def come(place: Place) -> AsyncIterator[Line]:
        line = ByPolls(place)
        reading = asyncio.create_task(line.read())
        try:
            yield line
        finally:
            await _end(reading)

    async with a_place(request) as (broker, place):
        yield Way(broker, stranger("clumsy"), partial(come, place))


# --- by MQTT ---


class ByMqtt(Line):
    def __init__(self, client: aiomqtt.Client, edge: Edge) -> None:
        super().__init__()
        self._client, self._topics = client, edge.topics("clumsy")

    async def say(self, raw: bytes) -> None:
        try:
            await self._client.publish(self._topics.answers, raw, qos=1)
        except aiomqtt.MqttError as error:
            raise LostError from error

    async def read(self) -> None:
        with suppress(aiomqtt.MqttError):
            async for message in self._client.messages:
                assert isinstance(message.payload, bytes)
                self.news.put_nowait(json.loads(message.payload))
        self.news.put_nowait(None)

    def drop(self) -> None:
        found = self._client._client.socket()
        if isinstance(found, socket):
            found.shutdown(SHUT_RDWR)


@asynccontextmanager
async def by_mqtt(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    servers = [request.getfixturevalue(name) for name in ("mosquitto_server", "redis_server")]
    async with an_edge(*servers) as edge:
        token, topics = await edge.add("clumsy"), edge.topics("clumsy")
        agent = stranger(topics.name)

        @asynccontextmanager
        async def come() -> AsyncIterator[Line]:
            with suppress(BrokerError):  # it goes without a word
                async with connected(edge.address("clumsy", token)) as client:
                    line = ByMqtt(client, edge)
                    await client.subscribe([(topics.questions, 1), (topics.notices, 1)])
                    reading = asyncio.create_task(line.read())
                    await line.say(encode(AgentHello(key=uuid.uuid4().hex, agent=agent, concurrency=8)))
                    try:
                        yield line
                    finally:
                        line.drop()
                        await _end(reading)

        async with edge.bridge():
            yield Way(edge.broker, agent, come)


async def _end(*tasks: asyncio.Task[None]) -> None:
    """End tasks.

    Raises:
        Exception: what one has died of.
    """
    left: set[asyncio.Task[None]] = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)  # while it connects, redis-py does not heed the first
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


WAYS = {
    "embedded": embedded,
    "redis": on_redis,
    "websocket": by_socket,
    "long-poll": by_polls,
    "mqtt": by_mqtt,
}


def way_in(name: str, request: pytest.FixtureRequest) -> AbstractAsyncContextManager[Way]:
    """Open a way in on a bus of its own."""
    return WAYS[name](request)
