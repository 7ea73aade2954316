"""The gateway as a service: its address, its metrics, its agents in the registry, their notices on the bus."""

import asyncio
import secrets
import socket
from pathlib import Path

import structlog

from palaver_broker.board import Member, greeted
from palaver_broker.gateway import Gateway, Presence, Rules, listen, tls
from palaver_broker.gateway.listening import check_safe
from palaver_broker.redis import Board
from palaver_broker.redis.answering import settle_by_key
from palaver_broker.redis.link import briefly
from palaver_broker.redis.strangers import Strangers
from palaver_observability.door_metrics import GatewayMetrics
from palaver_observability.endpoints import host_and_port
from palaver_protocols.errors import BrokerError

from ..members import BEAT_S, myself
from ..options import Service
from ..stations import Station, run_service, service_bus, station, work_until_stopped
from .noting import Noting

__all__ = ["serve_gateway"]

LOOK_S = 0.5
"""How often we look who has come or gone."""


def serve_gateway(
    service: Service, *, address: str, certificate: tuple[Path, Path] | None, rules: Rules, name: str | None
) -> int:
    """Serve a gateway until stopped; return the exit code.

    Args:
        service: what every service is told.
        address: where agents come in, ``HOST:PORT``.
        certificate: the files of a certificate and its key; None: no TLS.
        rules: what agents may do.
        name: what it is called on the bus; None: after where it listens.

    Raises:
        UsageError: it cannot listen there, or not safely.
        BrokerError: the bus refuses us.
    """
    host, port = host_and_port(address)
    check_safe(host, has_tls=certificate is not None, behind_proxy=rules.behind_proxy)
    context = None if certificate is None else tls(*certificate)
    consumer = name or f"gateway-{socket.gethostname()}-{port or secrets.token_hex(4)}"

    async def work() -> None:
        async with station("gateway", service, service_bus("gateway", service)) as here:
            broker, notices = here.broker, Noting(here.broker.link)
            gateway = Gateway(
                broker,
                Strangers(broker.link),
                consumer,
                rules=rules,
                on_notice=notices,
                late=lambda said: settle_by_key(broker, said),
                why_away=lambda: None if broker.connected else "the bus cannot be reached",
            )
            GatewayMetrics(here.registry, gateway)
            me = myself("gateway", "gateway", consumer, rules.connections, {"listen": address})
            async with gateway.open(), listen(gateway, host, port, context) as listening:
                structlog.get_logger().info("listening", url=listening.url, name=consumer)
                await work_until_stopped(
                    here,
                    lambda: me(gateway.connections),
                    _work(gateway, consumer, here, notices),
                    gateway.stop,
                    service.grace_s,
                )

    return run_service(work(), service)


async def _work(gateway: Gateway, consumer: str, here: Station, notices: Noting) -> None:
    """Keep the agents in the registry of processes, and their notices on the bus, until the gateway stops."""
    async with asyncio.TaskGroup() as tasks:
        helpers = [
            tasks.create_task(_beat_for(gateway, consumer, here.board), name="heartbeats of agents"),
            tasks.create_task(notices.run(), name="notices"),
        ]
        await gateway.stopping.wait()
        for helper in helpers:
            helper.cancel()


async def _beat_for(gateway: Gateway, consumer: str, board: Board) -> None:
    """Say for each agent that it is here, as long as it is; at once when it comes, goes or says who it is."""
    here: dict[str, tuple[Presence, float]] = {}
    loop = asyncio.get_running_loop()
    try:
        while True:
            present, now = gateway.present, loop.time()
            try:
                for agent in here.keys() - present.keys():
                    await board.leave("agent", _member(here.pop(agent)[0], consumer))
                for agent, presence in present.items():
                    before, due = here.get(agent, (None, 0.0))
                    if before is None or before.hello != presence.hello or now >= due:
                        await board.beat("agent", _member(presence, consumer), 3 * BEAT_S)
                        here[agent] = presence, now + BEAT_S
            except BrokerError as error:
                structlog.get_logger().warning("cannot say who is here", reason=str(error))
            await asyncio.sleep(LOOK_S)
    finally:
        async with briefly():  # else they are believed to be here for a while
            for presence, _ in here.values():
                await board.leave("agent", _member(presence, consumer))


def _member(presence: Presence, consumer: str) -> Member:
    hello, more = presence.hello, {"pictures": presence.hello.pictures, "connections": presence.connections}
    return greeted(hello, "gateway", consumer, presence.since, presence.questions, **more)
