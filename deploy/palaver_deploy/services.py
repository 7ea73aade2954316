"""The services, put together: the bus, the board, the pages, the heartbeat, and what each of them is there for."""

import asyncio
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog
from prometheus_client import CollectorRegistry

from palaver_agents import AgentService
from palaver_agents.journal import AgentJournal
from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_broker.board import Kind, Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.gate import RedisGate, gate_name
from palaver_broker.redis.link import briefly
from palaver_broker.redis.reserve import only_one
from palaver_gamemasters.registry import game_names, load_game
from palaver_gamemasters.rollout import collector_spared
from palaver_gamemasters.service import GameMaster
from palaver_observability.endpoints import endpoints
from palaver_observability.logs import LogHook, logging_to
from palaver_observability.metrics import Metrics
from palaver_observability.recorder import SERVICE, Recorder
from palaver_observability.service_metrics import AgentMetrics, BusMetrics, FleetMetrics, build_info
from palaver_protocols.errors import BrokerError
from palaver_protocols.events import Hook

from .members import BEAT_S, myself
from .models import open_agent, open_vault
from .options import Service
from .session import environment
from .stopping import stop_gracefully, until_stopped

__all__ = ["serve_agent", "serve_gamemaster", "serve_recorder"]


@dataclass(slots=True)
class _Station:
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


def _bus(kind: Kind, service: Service) -> RedisBroker:
    return RedisBroker(service.url, name=f"palaver-{kind}")


@asynccontextmanager
async def _station(kind: Kind, service: Service, broker: RedisBroker) -> AsyncIterator[_Station]:
    """Connect to the bus, and serve the pages.

    The pages come first: whoever starts services wants to know that one waits for its bus.
    """
    async with AsyncExitStack() as stack:
        station = _Station(broker, Board(broker.link), CollectorRegistry())
        build_info(station.registry)
        BusMetrics(station.registry, broker.counters)
        served = await stack.enter_async_context(endpoints(service.http, station.registry, ready=station.why_not_ready))
        structlog.get_logger().info("serving", service=kind, http=served.url, version=version("palaver"))
        await stack.enter_async_context(broker)
        yield station


async def _work(
    station: _Station,
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

    async with asyncio.TaskGroup() as tasks:
        heart = tasks.create_task(_beat(station.board, member), name="heartbeat")
        await stop_gracefully(work, stop, grace_s)
        heart.cancel()
    async with briefly():
        last = member()
        await station.board.leave(last.kind, last)
    structlog.get_logger().info("stopped")


async def _beat(board: Board, member: Callable[[], Member]) -> None:
    while True:
        now = member()
        await board.beat(now.kind, now, 3 * BEAT_S)
        await asyncio.sleep(BEAT_S)


def _run(work: Coroutine[Any, Any, None], service: Service) -> int:
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


def serve_agent(
    text: str,
    service: Service,
    *,
    concurrency: int,
    state: Path | None,
    rpm: int | None,
    tpm: int | None,
    cache: bool = False,
) -> int:
    """Serve an agent until stopped; return the exit code.

    Raises:
        UsageError: it cannot be asked: unknown, without its key or SDK; or the state folder cannot be used.
        BrokerError: the bus refuses us.
    """
    environ = environment()
    name = parse_agent(text)
    folder = state or Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "palaver"

    async def work() -> None:
        async with AsyncExitStack() as stack:
            broker = _bus("agent", service)
            vault = open_vault(environ) if cache else None
            # Before all else, so that an agent that cannot be asked waits for no bus.
            model = await stack.enter_async_context(open_agent(str(name), broker.blobs, environ, vault))
            station = await stack.enter_async_context(_station("agent", service, broker))
            journal = AgentJournal.open(folder, str(name))
            stack.push_async_callback(journal.aclose)
            metrics = AgentMetrics(station.registry)
            metrics.lost(str(name), len(journal.lost))
            if journal.lost:
                structlog.get_logger().warning("calls lost in flight", agent=str(name), calls=len(journal.lost))
            gate = None
            about: dict[str, Any] = {"kind": name.kind, "provider": name.provider or name.kind, "model": name.model}
            if name.kind == "script":
                about["games"] = [game for game in game_names() if name.model in load_game(game).players()]
            if name.kind == "model":
                endpoint = resolve(name, environ)
                about |= {"base_url": endpoint.base_url, "several_pictures": endpoint.quirks.several_images}
                shared = gate_name(endpoint.provider, endpoint.base_url, endpoint.key)
                gate = RedisGate(broker.link, shared, requests_per_minute=rpm, tokens_per_minute=tpm)
                stack.push_async_callback(gate.aclose)
            agent = AgentService(
                broker,
                str(name),
                model,
                concurrency=concurrency,
                consumer=journal.consumer,
                lease_s=service.lease_s,
                journal=journal,
                gate=gate,
                on_call=metrics,
            )
            me = myself("agent", str(name), journal.consumer, concurrency, about)
            await _work(station, lambda: me(agent.busy), agent.run(), agent.drain, service.grace_s)

    return _run(work(), service)


def serve_gamemaster(service: Service, *, episodes: int) -> int:
    """Serve a game master until stopped; return the exit code.

    Raises:
        BrokerError: the bus refuses us.
    """
    name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
    games = game_names()

    async def work() -> None:
        async with _station("gamemaster", service, _bus("gamemaster", service)) as station:
            fleet = FleetMetrics(station.registry)
            hooks: list[Hook] = [Metrics(station.registry), LogHook(structlog.get_logger())]
            master = GameMaster(
                station.broker,
                station.board,
                load_game,
                games,
                name,
                episodes=episodes,
                lease_s=service.lease_s,
                hooks=hooks,
            )
            me = myself("gamemaster", name, name, episodes, {"games": games})
            watching = asyncio.create_task(_watch(station, fleet), name="fleet metrics")
            try:
                await _work(station, lambda: me(master.busy), master.run(), master.drain, service.grace_s)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    return _run(work(), service)


async def _watch(station: _Station, fleet: FleetMetrics) -> None:
    """Look at the whole fleet now and then, so that whoever scrapes any game master sees it."""
    board = station.board
    while True:
        try:
            memory = await station.broker.memory_bytes()
            fleet.update(await board.status(), await board.members(), await board.queues(), memory)
        except BrokerError as error:
            structlog.get_logger().warning("cannot look at the fleet", reason=str(error))
        await asyncio.sleep(BEAT_S)


def serve_recorder(service: Service, *, out: Path) -> int:
    """Serve a recorder until stopped; return the exit code.

    Raises:
        UsageError: ``out`` cannot be written.
        BrokerError: the bus refuses us.
    """
    place = out.absolute()

    async def work() -> None:
        async with _station("recorder", service, _bus("recorder", service)) as station:
            recorder = Recorder(station.board, station.broker)
            consumer = f"{socket.gethostname()}-{os.getpid()}"
            me = myself("recorder", SERVICE, consumer, 0, {"out": str(place)})

            async def record() -> None:
                """Record alone: two recorders with folders of their own would each get a part of a run."""
                log = structlog.get_logger()
                async with only_one(
                    station.broker.link,
                    "recorder",
                    consumer,
                    lease_s=service.lease_s,
                    on_wait=lambda: log.info("another recorder is at work; standing by"),
                    on_lost=stop,
                ):
                    await recorder.serve(out)

            def stop() -> None:
                serving.cancel()

            serving = asyncio.ensure_future(_until_cancelled(record()))
            await _work(station, lambda: me(recorder.busy), serving, stop, service.grace_s)

    return _run(work(), service)


async def _until_cancelled(work: Coroutine[Any, Any, None]) -> None:
    """Do work that has no end of its own."""
    with suppress(asyncio.CancelledError):
        await work
