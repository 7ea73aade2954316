"""The transports that the contract suite holds to the interface. A new one adds a parameter, not a test."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest

from palaver_broker import Broker
from palaver_broker.memory import MemoryBroker

Connect = Callable[[], AbstractAsyncContextManager[Broker]]


@pytest.fixture(params=["memory"])
def connect(request: pytest.FixtureRequest) -> Connect:
    """Open one more connection to a bus that is this test's own."""
    return {"memory": MemoryBroker}[request.param]


@pytest.fixture
async def broker(connect: Connect) -> AsyncIterator[Broker]:
    async with connect() as broker:
        yield broker
