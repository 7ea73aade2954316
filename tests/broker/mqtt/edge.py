"""A bus, a mosquitto, and agents that speak MQTT by hand."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.properties import Properties

from palaver_broker import Delivery
from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.bridge import Bridge
from palaver_broker.mqtt.client import AwayError, connected
from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.mqtt.topics import Topics, bus_of
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.strangers import Door
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import TurnRequest, Wire
from palaver_protocols.strangers import LIMITS, AgentHello, Limits, Notice
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_reply, until

__all__ = ["Agent", "Edge", "an_edge"]

PASSWORD = "the-bridge-s-password"


@dataclass(frozen=True, slots=True)
class Edge:
    """Where agents come in. Names are its own, since users of mosquitto are everybody's."""

    server: MosquittoServer
    broker: RedisBroker
    bus: str
    dynsec: DynSec
    hellos: list[AgentHello] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    @property
    def registry(self) -> Strangers:
        return Strangers(self.broker.link)

    @property
    def bridge_user(self) -> str:
        return f"bridge-{self.bus}"

    def named(self, name: str) -> str:
        return f"{name}-{self.bus}"

    async def add(self, name: str, *doors: Door) -> str:
        """Let an agent in; return its token."""
        token = await self.registry.add(self.named(name), doors or ("mqtt",))
        await self.dynsec.add(self.named(name), token)
        return token

    def topics(self, name: str) -> Topics:
        return Topics(self.bus, self.named(name))

    def address(self, name: str, token: str) -> Address:
        return Address.of(self.server.url(self.named(name), token))

    @asynccontextmanager
    async def bridge(self, consumer: str = "bridge", limits: Limits = LIMITS) -> AsyncIterator[Bridge]:
        """Serve; yield when all who are known can be heard."""
        bridge = Bridge(
            self.broker,
            self.registry,
            Address.of(self.server.url(self.bridge_user, PASSWORD)),
            bus=self.bus,
            consumer=consumer,
            limits=limits,
            on_hello=self.hellos.append,
            on_notice=self.notices.append,
        )
        serving = asyncio.create_task(bridge.run())
        try:
            known = await self.registry.strangers()
            await until(lambda: serving.done() or (bridge.connected and bridge.agents >= len(known)))
            if not serving.done():
                await bridge._wire.tune(bridge._wanted())  # what its next look would do
            yield bridge
        finally:
            serving.cancel()
            await asyncio.wait({serving})
        if not serving.cancelled():
            serving.result()

    @asynccontextmanager
    async def agent(self, name: str, token: str) -> AsyncIterator["Agent"]:
        """Connect as an agent that does nothing by itself."""
        async with connected(self.address(name, token)) as client:
            agent = Agent(self.topics(name), client)
            topics = agent.topics
            await client.subscribe([(each, 1) for each in (topics.questions, topics.notices, topics.picture("+"))])
            reading = asyncio.create_task(agent.read())
            try:
                yield agent
            finally:
                reading.cancel()
                await asyncio.wait({reading})

    async def fate(self, name: str, token: str, topic: str, payload: bytes, *, retain: bool = False) -> str:
        """Publish, as an agent, what one is cut off for; return how the broker puts it."""
        with pytest.raises(AwayError) as cut:
            await self._publish_until_cut_off(name, token, topic, payload, retain)
        return str(cut.value)

    async def _publish_until_cut_off(self, name: str, token: str, topic: str, payload: bytes, retain: bool) -> None:
        async with connected(self.address(name, token)) as client:
            publishing = asyncio.create_task(client.publish(topic, payload, qos=1, retain=retain))
            try:
                async for _ in client.messages:
                    pass
            finally:
                publishing.cancel()
                await asyncio.wait({publishing})

    async def die(self, name: str, token: str, will: aiomqtt.Will) -> None:
        """Connect as an agent with a will, and drop dead; return when the broker has noticed."""
        client = aiomqtt.Client(
            "127.0.0.1",
            self.server.port,
            username=self.named(name),
            password=token,
            will=will,
            protocol=aiomqtt.ProtocolVersion.V5,
        )
        before = self.server.log.count("closed its connection")
        async with client:
            found = client._client.socket()
            assert isinstance(found, socket.socket)
            found.shutdown(socket.SHUT_RDWR)
            with suppress(aiomqtt.MqttError):
                async for _ in client.messages:
                    pass
        await until(lambda: self.server.log.count("closed its connection") > before)

    @asynccontextmanager
    async def answers(self) -> AsyncIterator[AsyncIterator[Delivery]]:
        """Wait for answers as a game master does."""
        async with self.broker.subscribe(BOX, "gamemasters", consumer="test") as answers:
            yield aiter(answers)


class Agent:
    """One that speaks by hand: what has come is in ``questions``, ``notices``, ``pictures``, and ``order``."""

    def __init__(self, topics: Topics, client: aiomqtt.Client) -> None:
        self.topics, self.client = topics, client
        self.questions: asyncio.Queue[aiomqtt.Message] = asyncio.Queue()
        self.notices: asyncio.Queue[aiomqtt.Message] = asyncio.Queue()
        self.pictures: dict[str, aiomqtt.Message] = {}
        self.order: list[str] = []

    @property
    def name(self) -> str:
        return f"bus/{self.topics.name}"

    async def read(self) -> None:
        async for message in self.client.messages:
            topic = message.topic.value
            self.order.append(topic.split("/")[4])
            if topic == self.topics.questions:
                self.questions.put_nowait(message)
            elif topic == self.topics.notices:
                self.notices.put_nowait(message)
            else:
                self.pictures[topic.rpartition("/")[2]] = message

    async def asked(self) -> TurnRequest:
        request: TurnRequest = decode((await self.questions.get()).payload)
        return request

    async def told(self) -> Notice:
        return Notice.model_validate_json((await self.notices.get()).payload)

    async def say(self, message: Wire | dict[str, Any] | bytes, **how: Any) -> None:
        raw = message if isinstance(message, bytes) else _raw(message)
        await self.client.publish(self.topics.answers, raw, qos=1, **how)

    async def answer(self, request: TurnRequest, text: str = "Hello.") -> None:
        await self.say(a_reply(request, text))

    async def hello(self, key: str = "hello", **fields: Any) -> None:
        await self.say(AgentHello(key=key, agent=self.name, **fields))


def _raw(message: Wire | dict[str, Any]) -> bytes:
    return encode(message) if isinstance(message, Wire) else json.dumps(message).encode()


def said(message: aiomqtt.Message) -> dict[str, Any]:
    """Return the properties of a message."""
    assert isinstance(message.properties, Properties)
    found: dict[str, Any] = message.properties.json()  # type: ignore[no-untyped-call]  # as paho has it
    return found


@asynccontextmanager
async def an_edge(server: MosquittoServer, redis: RedisServer) -> AsyncIterator[Edge]:
    """Set up a bus of its own on these servers, without a bridge."""
    async with RedisBroker(fresh_bus(redis)) as broker:
        bus = bus_of(broker.link.prefix)
        dynsec = DynSec(server.admin_url, bus)
        edge = Edge(server, broker, bus, dynsec)
        await dynsec.set_up(edge.bridge_user, PASSWORD)
        yield edge
