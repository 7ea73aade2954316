"""A mosquitto for all, and an edge of its own for each test."""

from collections.abc import AsyncIterator

import pytest

from tests.broker.mqtt.edge import Edge, an_edge
from tests.mosquitto_server import MosquittoServer, mosquitto_server
from tests.redis_server import RedisServer

__all__ = ["edge", "mosquitto_server"]


@pytest.fixture
async def edge(mosquitto_server: MosquittoServer, redis_server: RedisServer) -> AsyncIterator[Edge]:
    async with an_edge(mosquitto_server, redis_server) as edge:
        yield edge
