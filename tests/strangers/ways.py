"""The ways in for somebody else's program, each with a bus of its own, and an agent's end of it to misbehave at."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from socket import SHUT_RDWR, socket
from typing import Any

import aiomqtt
import pytest
from redis.asyncio import Redis

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
from tests.broker.mqtt.edge import Edge, an_edge
from tests.redis_server import fresh_bus
from tests.strangers.lines import Line, LostError, Way, end
from tests.strangers.ways_by_gateway import by_polls, by_socket

__all__ = ["WAYS", "way_in"]

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
            async with Redis(host="127.0.0.1", port=server.port, username=name, password=token) as client:
                line = AtRedis(client, out)
                read_to[box] = "0-0"  # whoever starts reads all that is open
                reading = [asyncio.create_task(line.read(stream, read_to)) for stream in (box, told)]
                try:
                    yield line
                finally:
                    await end(*reading)

        porter = asyncio.create_task(Porter(broker, registry, Board(broker.link), link).run())
        try:
            yield Way(broker, agent, come)
        finally:
            await end(porter)


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
                        await end(reading)

        async with edge.bridge():
            yield Way(edge.broker, agent, come)


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
