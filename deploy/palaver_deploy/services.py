"""The services, put together: the bus, the board, the pages, the heartbeat, and what each of them is there for."""

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Collection, Coroutine, Iterable
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path
from typing import Any

import structlog

from palaver_agents import AgentService
from palaver_agents.callables import CallableModel
from palaver_agents.journal import AgentJournal
from palaver_agents.loading import agent_name, load_callable
from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_broker.redis.gate import RedisGate, gate_name
from palaver_broker.redis.measuring import measure_streams
from palaver_broker.redis.reserve import only_one
from palaver_gamemasters.registry import game_names, load_game
from palaver_gamemasters.service import GameMaster, Name
from palaver_observability.door_metrics import count_refusals
from palaver_observability.fleet_metrics import FleetMetrics
from palaver_observability.gate_metrics import GateMetrics
from palaver_observability.logs import LogHook
from palaver_observability.metrics import Metrics
from palaver_observability.recorder import SERVICE, Recorder
from palaver_observability.service_metrics import AgentMetrics, RecorderMetrics
from palaver_protocols.errors import BrokerError, UsageError
from palaver_protocols.events import Hook

from .doors.portering import keep_porter
from .members import BEAT_S, myself
from .models import open_agent, open_vault
from .options import Service, state_folder
from .session import environment
from .stations import Station, run_service, service_bus, station, work_until_stopped
from .tracing import Tracing, both, traces

__all__ = ["serve_agent", "serve_gamemaster", "serve_python", "serve_recorder"]


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
    if name.kind == "bus":
        raise UsageError(
            f"{name} answers for itself, and nobody else can", mend="--python MODULE:NAME serves a function of yours"
        )

    async def work() -> None:
        async with AsyncExitStack() as stack:
            tracing = stack.enter_context(traces("palaver-agent", service.otlp, environ))
            broker = service_bus("agent", service)
            vault = open_vault(environ) if cache else None
            # Before all else, so that an agent that cannot be asked waits for no bus.
            model = await stack.enter_async_context(open_agent(str(name), broker.blobs, environ, vault))
            here = await stack.enter_async_context(station("agent", service, broker))
            gate = None
            about: dict[str, Any] = {"kind": name.kind, "provider": name.provider or name.kind, "model": name.model}
            if name.kind == "script":
                about["games"] = [game for game in game_names() if name.model in load_game(game).players()]
            if name.kind == "model":
                endpoint = resolve(name, environ)
                about |= {"base_url": endpoint.base_url, "several_pictures": endpoint.quirks.several_images}
                shared = gate_name(endpoint.provider, endpoint.base_url, endpoint.key)
                about |= {"gate": shared, "rpm": rpm, "tpm": tpm}
                gate = RedisGate(broker.link, shared, requests_per_minute=rpm, tokens_per_minute=tpm)
                stack.push_async_callback(gate.aclose)
                GateMetrics(here.registry, gate, endpoint.provider)
            agent = AgentService(broker, str(name), model, concurrency=concurrency, gate=gate)
            await _answer(here, agent, about, service, state_folder(state, environ), tracing=tracing)

    return run_service(work(), service)


def serve_python(target: str, given: str | None, service: Service, *, concurrency: int, state: Path | None) -> int:
    """Serve a Python callable, ``MODULE:NAME``, as an agent until stopped; return the exit code.

    Args:
        target: which callable.
        given: what the agent is called; None: after the module.
        service: what every service is told.
        concurrency: how many turns it is given at a time.
        state: where answers are written down; None: in the user's state folder.

    Raises:
        UsageError: it cannot be imported or called, or the agent cannot be called so; or the state folder cannot be
            used.
        BrokerError: the bus refuses us.
    """
    environ = environment()
    os.environ.update(environ)  # whatever it imports looks for its keys there
    reply = load_callable(target, Path.cwd())
    name = agent_name(target, given)

    async def work() -> None:
        broker = service_bus("agent", service)
        async with AsyncExitStack() as stack:
            tracing = stack.enter_context(traces("palaver-agent", service.otlp, environ))
            model = await stack.enter_async_context(CallableModel(target, reply, broker.blobs, threads=concurrency))
            here = await stack.enter_async_context(station("agent", service, broker))
            agent = AgentService(broker, name, model, concurrency=concurrency)
            about = {"kind": "python", "provider": model.provider, "model": target}
            await _answer(here, agent, about, service, state_folder(state, environ), tracing=tracing)

    return run_service(work(), service)


async def _answer(
    here: Station, agent: AgentService, about: dict[str, Any], service: Service, folder: Path, *, tracing: Tracing
) -> None:
    """Give an agent its journal in ``folder`` and its metrics, and let it answer until it is asked to stop."""
    journal = AgentJournal.open(folder, agent.name)
    async with aclosing(journal):
        metrics = AgentMetrics(here.registry)
        metrics.lost(agent.name, len(journal.lost))
        metrics.show(agent)
        if journal.lost:
            structlog.get_logger().warning("calls lost in flight", agent=agent.name, calls=len(journal.lost))
        agent.consumer, agent.lease_s = journal.consumer, service.lease_s
        agent.journal, agent.on_call = journal, both(metrics, tracing.on_call)
        me = myself("agent", agent.name, journal.consumer, agent.concurrency, about)
        await work_until_stopped(here, lambda: me(agent.busy), agent.run(), agent.drain, service.grace_s)


def serve_gamemaster(service: Service, *, episodes: int) -> int:
    """Serve a game master until stopped; return the exit code.

    Raises:
        BrokerError: the bus refuses us.
    """
    name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
    games = game_names()

    async def work() -> None:
        async with AsyncExitStack() as stack:
            tracing = stack.enter_context(traces("palaver-gamemaster", service.otlp, environment()))
            here = await stack.enter_async_context(station("gamemaster", service, service_bus("gamemaster", service)))
            fleet = FleetMetrics(here.registry)
            metrics = Metrics(here.registry)
            hooks: list[Hook] = [metrics, LogHook(structlog.get_logger()), *tracing.hooks]
            master = GameMaster(
                here.broker,
                here.board,
                load_game,
                games,
                name,
                episodes=episodes,
                lease_s=service.lease_s,
                hooks=hooks,
                traceparent=tracing.traceparent,
            )
            me = myself("gamemaster", name, name, episodes, {"games": games})
            async with asyncio.TaskGroup() as tasks:
                helpers = [
                    tasks.create_task(
                        _watch(here, fleet, master, (metrics.keep_only, tracing.keep_only)), name="fleet metrics"
                    ),
                    tasks.create_task(
                        keep_porter(here.broker, service.url, on_refused=count_refusals(here.registry)), name="porter"
                    ),
                ]
                try:
                    await work_until_stopped(here, lambda: me(master.busy), master.run(), master.drain, service.grace_s)
                finally:
                    for helper in helpers:
                        helper.cancel()

    return run_service(work(), service)


async def _watch(
    here: Station, fleet: FleetMetrics, master: GameMaster, forgetful: Iterable[Callable[[Collection[Name]], None]]
) -> None:
    """Look at the whole fleet now and then, so that whoever scrapes any game master sees it.

    Those who keep something of each episode are told what is still played here.
    """
    board = here.board
    while True:
        try:
            memory = await here.broker.memory_bytes()
            members, queues = await board.members(), await board.queues()
            boxes = [member.name for member in members if member.kind == "gamemaster"]
            streams = await measure_streams(here.broker.link, queues, boxes)
            fleet.update(await board.status(), members, queues, memory, streams)
        except BrokerError as error:
            structlog.get_logger().warning("cannot look at the fleet", reason=str(error))
        for keep_only in forgetful:
            keep_only(master.playing)
        await asyncio.sleep(BEAT_S)


def serve_recorder(service: Service, *, out: Path) -> int:
    """Serve a recorder until stopped; return the exit code.

    Raises:
        UsageError: ``out`` cannot be written.
        BrokerError: the bus refuses us.
    """
    place = out.absolute()

    async def work() -> None:
        async with station("recorder", service, service_bus("recorder", service)) as here:
            recorder = Recorder(here.board, here.broker, on_record=RecorderMetrics(here.registry))
            consumer = f"{socket.gethostname()}-{os.getpid()}"
            me = myself("recorder", SERVICE, consumer, 0, {"out": str(place)})

            async def record() -> None:
                """Record alone: two recorders with folders of their own would each get a part of a run."""
                async with only_one(here.broker.link, "recorder", consumer, lease_s=service.lease_s, on_lost=stop):
                    await recorder.serve(out)

            def stop() -> None:
                serving.cancel()

            serving = asyncio.ensure_future(_until_cancelled(record()))
            await work_until_stopped(here, lambda: me(recorder.busy), serving, stop, service.grace_s)

    return run_service(work(), service)


async def _until_cancelled(work: Coroutine[Any, Any, None]) -> None:
    """Do work that has no end of its own."""
    with suppress(asyncio.CancelledError):
        await work
