"""What a guest can say at each door: bytes go in, and what it is told comes out."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
from aiohttp import WSMsgType

from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.client import connected
from palaver_broker.mqtt.topics import Topics
from tests.security.house import PATIENCE_S, House
from tests.security.players import BUS

__all__ = ["DOORS", "head", "topics_of"]

Say = Callable[[House, str, bytes], dict[str, Any]]


def head(house: House, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {house.tokens[name]}"}


def topics_of(name: str) -> Topics:
    return Topics("palaver", name)


def by_redis(house: House, name: str, raw: bytes) -> dict[str, Any]:
    note = f"{BUS}note:bus/{name}"
    with house.client() as operator:
        last = operator.xrevrange(note, count=1)
    with house.client(name) as client:
        client.xadd(f"{BUS}out:bus/{name}", {"m": raw})
        said = client.xread({note: last[0][0] if last else "0-0"}, block=int(1000 * PATIENCE_S))
        assert said, "it is told nothing"
        notice: dict[str, Any] = json.loads(said[0][1][0][1][b"m"])
        return notice


def by_socket(house: House, name: str, raw: bytes) -> dict[str, Any]:
    async def say() -> dict[str, Any]:
        async with (
            aiohttp.ClientSession() as web,
            web.ws_connect(f"{house.url}/v1/agent", headers=head(house, name), max_msg_size=0) as ws,
        ):
            await ws.send_frame(raw, WSMsgType.TEXT)
            while True:
                frame = await ws.receive(timeout=PATIENCE_S)
                if frame.type is not WSMsgType.TEXT:
                    reason = {1009: "too_large"}.get(ws.close_code or frame.data)
                    return {"code": "refused", "reason": reason, "message": ""}
                message: dict[str, Any] = json.loads(frame.data)
                if message["type"] == "notice":
                    return message

    return asyncio.run(say())


def by_post(house: House, name: str, raw: bytes) -> dict[str, Any]:
    async def say() -> dict[str, Any]:
        where = f"{house.url}/v1/agent/messages"
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as web,
            web.post(where, data=raw, headers=head(house, name)) as page,
        ):
            message: dict[str, Any] = await page.json()
            assert (page.status == 200) == (message["code"] in ("accepted", "duplicate")), (page.status, message)
            return message

    return asyncio.run(say())


def by_mqtt(house: House, name: str, raw: bytes) -> dict[str, Any]:
    async def say() -> dict[str, Any]:
        assert house.mosquitto is not None
        topics = topics_of(name)
        async with (
            asyncio.timeout(PATIENCE_S),
            connected(Address.of(house.mosquitto.url(name, house.tokens[name]))) as client,
        ):
            await client.subscribe(topics.notices, qos=1)
            await client.publish(topics.answers, raw, qos=1)
            message: dict[str, Any] = json.loads((await anext(client.messages)).payload)
            return message

    return asyncio.run(say())


DOORS: Mapping[str, Say] = {"redis": by_redis, "socket": by_socket, "post": by_post, "mqtt": by_mqtt}
