"""A bus and a gateway on it, on every transport."""

from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from palaver_broker import Broker
from palaver_broker.memory import MemoryBroker
from palaver_broker.redis import RedisBroker
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.redis_server import RedisServer, fresh_bus


@pytest.fixture(params=["memory", "redis"])
async def broker(request: pytest.FixtureRequest) -> AsyncIterator[Broker]:
    connect: Callable[[], Broker] = MemoryBroker
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        connect = partial(RedisBroker, fresh_bus(server))
    async with connect() as broker:
        yield broker


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
async def place(broker: Broker, book: Book) -> AsyncIterator[Place]:
    """A gateway that knows kim and pat."""
    tokens = {name: book.add(name) for name in ("kim", "pat")}
    async with a_gateway(broker, book) as place:
        place.tokens = tokens
        yield place
