"""One porter of a bus is at work, whichever process it is in."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from structlog.testing import capture_logs

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.doors import portering
from palaver_deploy.doors.portering import keep_porter
from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnRequest
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_reply, a_request, ask, until


async def settled(broker: RedisBroker, key: str) -> None:
    """Ask, answer as a stranger does, and wait until the answer is there."""
    request: TurnRequest = a_request(key, agent="bus/ported")
    await ask(broker, request)
    before = await broker.link.call("XLEN", broker.link.prefix + BOX)
    await broker.link.call("XADD", f"{broker.link.prefix}out:bus/ported", "*", "m", encode(a_reply(request)))
    while await broker.link.call("XLEN", broker.link.prefix + BOX) == before:  # noqa: ASYNC110 - on a server
        await asyncio.sleep(0.005)


async def test_another_takes_over_and_whoever_has_lost_the_place_stands_by(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portering, "LEASE_S", 0.15)
    url = fresh_bus(redis_server)
    async with AsyncExitStack() as stack, asyncio.timeout(20):
        broker = await stack.enter_async_context(RedisBroker(url))
        await Strangers(broker.link).add("ported", ["redis"])
        place = f"{broker.link.prefix}porter"
        first = asyncio.create_task(keep_porter(broker, url))
        await settled(broker, "k0")
        with capture_logs() as logs:
            await broker.link.call("SET", place, "somebody else", "PX", 300)
            await until(lambda: [line for line in logs if "taken over" in line["event"]])
            assert await broker.link.call("GET", place) == b"somebody else", "it leaves what is not its own"
        await settled(broker, "k1")  # the other has gone silent, and the first is back
        second = asyncio.create_task(keep_porter(broker, url))
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await settled(broker, "k2")
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        assert first.cancelled()
        assert second.cancelled()
        assert await broker.link.call("GET", place) is None
        await broker.link.call("ACL", "DELUSER", "ported")
