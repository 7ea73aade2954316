"""What every service stands on: the bus, the board, the pages, the heartbeat, and an orderly end."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import structlog
from prometheus_client import CollectorRegistry

from palaver_broker.board import Kind, Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.link import briefly
from palaver_gamemasters.rollout import collector_spared
from palaver_observability.bus_metrics import BusTraffic
from palaver_observability.endpoints import endpoints
from palaver_observability.logs import logging_to
from palaver_observability.service_metrics import BusMetrics, build_info

from .members import BEAT_S
from .options import Service
from .stopping import stop_gracefully, until_stopped

__all__ = ["Station", "run_service", "service_bus", "station", "work_until_stopped"]


@dataclass(slots=True)
class Station:
    """What a service stands on."""

    broker: RedisBroker
    board: Board
    registry: CollectorRegistry
    draining: bool = False

    def why_not_ready(self) -> str | None:
        """Say what the service waits for."""
        if self.draining:
            return "shutting down"
        return None if self.broker.connected else "the bus cannot be reached"


def service_bus(kind: Kind, service: Service) -> RedisBroker:
    """Make a service's connection to its bus, under a name by which the server lists it."""
    return RedisBroker(service.url, name=f"palaver-{kind}")


@asynccontextmanager
async def station(kind: Kind, service: Service, broker: RedisBroker) -> AsyncIterator[Station]:
    """Connect to the bus, and serve the pages.

    The pages come first: whoever starts services wants to know that one waits for its bus.
    """
    async with AsyncExitStack() as stack:
        here = Station(broker, Board(broker.link), CollectorRegistry())
        build_info(here.registry)
        BusMetrics(here.registry, broker.counters)
        broker.counters.traffic = BusTraffic(here.registry)
        served = await stack.enter_async_context(endpoints(service.http, here.registry, ready=here.why_not_ready))
        structlog.get_logger().info("serving", service=kind, http=served.url, version=version("palaver"))
        await stack.enter_async_context(broker)
        yield here


async def work_until_stopped(
    station: Station,
    member: Callable[[], Member],
    work: Awaitable[None],
    drain: Callable[[], None],
    grace_s: float,
) -> None:
    """Do a service's work until it is asked to stop, while its heart beats."""

    def stop() -> None:
        station.draining = True
        structlog.get_logger().info("stopping", grace_s=grace_s)
        drain()

    try:
        async with asyncio.TaskGroup() as tasks:
            heart = tasks.create_task(_beat(station.board, member), name="heartbeat")
            await stop_gracefully(work, stop, grace_s)
            heart.cancel()
    finally:
        async with briefly():  # whoever has failed is not to be taken for alive, either
            last = member()
            await station.board.leave(last.kind, last)
    structlog.get_logger().info("stopped")


async def _beat(board: Board, member: Callable[[], Member]) -> None:
    while True:
        now = member()
        await board.beat(now.kind, now, 3 * BEAT_S)
        await asyncio.sleep(BEAT_S)


def run_service(work: Coroutine[Any, Any, None], service: Service) -> int:
    """Run a service until it is asked to stop, with its log on stderr; return the exit code."""
    with (
        logging_to(sys.stderr, service.log_level, json=True),
        collector_spared(),
        asyncio.Runner(loop_factory=_quickest_loop()) as runner,
    ):
        runner.run(until_stopped(work))
    return 0


def _quickest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop if it is installed (``palaver[fast]``): a tenth less CPU a turn. None: asyncio's."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
