"""The transports that the contract suite holds to the interface. A new one adds a parameter, not a test."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import pytest

from palaver_broker import Broker
from palaver_broker.memory import MemoryBroker
from palaver_broker.redis import RedisBroker
from tests.redis_server import RedisServer, fresh_bus

Connect = Callable[[], AbstractAsyncContextManager[Broker]]


@pytest.fixture(params=["memory", "redis"])
def connect(request: pytest.FixtureRequest) -> Connect:
    """Open one more connection to a bus that is this test's own."""
    if request.param == "memory":
        return MemoryBroker
    server: RedisServer = request.getfixturevalue("redis_server")
    return partial(RedisBroker, fresh_bus(server), patience_s=5.0)


@pytest.fixture
async def broker(connect: Connect) -> AsyncIterator[Broker]:
    async with connect() as broker:
        yield broker
