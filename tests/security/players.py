"""Other people's agents that play well: one on Redis itself, one at a WebSocket, one at MQTT.

They know of the house no more than its doors, and when they may answer.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

import aiohttp
import redis.asyncio
from aiohttp import WSMsgType
from redis.backoff import NoBackoff

from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.client import connected
from palaver_broker.mqtt.topics import Topics
from palaver_broker.strangers import Door
from palaver_broker.topics import inbox, notes, outbox
from palaver_protocols.codec import decode
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import stranger
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer

__all__ = ["BUS", "SEATS", "Table"]

BUS = "{palaver}:"
"""What all keys begin with."""


class Table(Protocol):
    """Where they sit."""

    server: RedisServer
    mosquitto: MosquittoServer | None
    url: str
    tokens: dict[str, str]

    async def answer(self, request: TurnRequest) -> bytes:
        """Answer, when it is time."""
        ...

    def told(self, raw: bytes | str) -> None:
        """Hear what became of an answer."""
        ...


async def _at_redis(house: Table, name: str) -> None:
    agent = stranger(name)
    client: Any
    async with redis.asyncio.Redis(
        unix_socket_path=str(house.server.socket), username=name, password=house.tokens[name], protocol=2,
        socket_timeout=None, retry=redis.asyncio.retry.Retry(NoBackoff(), 0),
    ) as client, asyncio.TaskGroup() as tasks:  # fmt: skip
        ids: dict[str | bytes, Any] = {BUS + inbox(agent): "0-0", BUS + notes(agent): "0-0"}

        async def reply(request: TurnRequest) -> None:
            await client.xadd(BUS + outbox(agent), {"m": await house.answer(request)})

        while True:
            for box, entries in await client.xread(ids, block=1000):
                for id_, fields in entries:
                    ids[box.decode()] = id_
                    if box.decode() == BUS + inbox(agent):
                        tasks.create_task(reply(decode(fields[b"m"])))
                    else:
                        house.told(fields[b"m"])


async def _at_gateway(house: Table, name: str) -> None:
    head = {"Authorization": f"Bearer {house.tokens[name]}"}
    async with (
        aiohttp.ClientSession() as web,
        web.ws_connect(f"{house.url}/v1/agent", headers=head, max_msg_size=0) as ws,
        asyncio.TaskGroup() as tasks,
    ):
        hello = {"version": "1.0", "type": "agent.hello", "key": "h", "agent": stranger(name), "concurrency": 8}
        await ws.send_str(json.dumps(hello))

        async def reply(request: TurnRequest) -> None:
            await ws.send_str((await house.answer(request)).decode())

        async for frame in ws:
            assert frame.type is WSMsgType.TEXT, frame
            if json.loads(frame.data)["type"] == "turn.request":
                tasks.create_task(reply(decode(frame.data)))
            else:
                house.told(frame.data)
        raise AssertionError(f"{name} was cut off: {ws.close_code}")


async def _at_mqtt(house: Table, name: str) -> None:
    assert house.mosquitto is not None
    topics = Topics("palaver", name)
    async with connected(Address.of(house.mosquitto.url(name, house.tokens[name]))) as client:
        async with asyncio.TaskGroup() as tasks:
            seen: set[str] = set()
            told: set[str] = set()
            await client.subscribe([(topics.questions, 1), (topics.notices, 1)])
            hello = {"version": "1.0", "type": "agent.hello", "key": "h", "agent": stranger(name), "concurrency": 8}
            await client.publish(topics.answers, json.dumps(hello), qos=1)

            async def reply(request: TurnRequest) -> None:
                await client.publish(topics.answers, await house.answer(request), qos=1)

            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                if message.topic.value == topics.questions:
                    request = decode(message.payload)
                    if request.key not in seen:  # it comes again while we think
                        seen.add(request.key)
                        tasks.create_task(reply(request))
                elif (key := json.loads(message.payload)["key"]) not in told:
                    told.add(key)
                    house.told(message.payload)


SEATS: Mapping[str, tuple[Door, Callable[[Table, str], Coroutine[Any, Any, None]]]] = {
    "rae": ("redis", _at_redis),
    "wes": ("gateway", _at_gateway),
    "mia": ("mqtt", _at_mqtt),
}
