"""``palaver serve mqtt``: the bridge between the bus and agents that speak MQTT."""

import asyncio
import secrets
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import click
import structlog

from palaver_broker.board import greeted
from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.bridge import Bridge
from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.mqtt.topics import bus_of
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.porter import HELLO_TTL_S
from palaver_broker.redis.reserve import alone
from palaver_broker.redis.strangers import Strangers
from palaver_observability.door_metrics import MqttMetrics
from palaver_protocols.errors import BrokerError, UsageError
from palaver_protocols.strangers import AgentHello

from ..members import myself
from ..options import Service
from ..serve import service_options
from ..session import environment
from ..stations import Station, run_service, service_bus, station, work_until_stopped
from .noting import Noting

__all__ = ["mqtt"]

LEASE_S = 5.0
"""How soon, at the latest, another bridge takes over from one that has gone silent."""
PASSWORD = "PALAVER_MQTT_PASSWORD"  # noqa: S105 - where it is found
ADMIN_PASSWORD = "PALAVER_MQTT_ADMIN_PASSWORD"  # noqa: S105 - where it is found
CONSUMER = "mqtt"
"""What tells an agent's place here from its places elsewhere."""
UNNOTED = 1000
"""Greetings that may wait to be noted."""

EPILOG = """\b
Set a mosquitto up, once (deploy/mosquitto/mosquitto.conf and docs/mqtt.md):
  mosquitto_ctrl dynsec init /var/lib/mosquitto/dynamic-security.json admin
  palaver serve mqtt --broker redis://localhost --mqtt mqtt://bridge@localhost --set-up mqtt://admin@localhost
\b
Then run the bridge, and let an agent in:
  palaver serve mqtt --broker redis://localhost --mqtt mqtt://bridge@localhost
  palaver admin add-agent my-agent --door mqtt --mqtt mqtt://admin@localhost --broker redis://localhost
\b
Passwords are in PALAVER_MQTT_PASSWORD (the bridge's) and PALAVER_MQTT_ADMIN_PASSWORD, or in the URLs.
With TLS: mqtts://bridge@HOST:8883, and ?ca=FILE for a certificate authority of your own.
"""


@click.command(epilog=EPILOG)
@click.option(
    "--mqtt",
    "mqtt_url",
    envvar="PALAVER_MQTT",
    show_envvar=True,
    required=True,
    metavar="URL",
    help="The MQTT 5 broker, with the bridge's user: mqtt[s]://USER[:PASSWORD]@HOST[:PORT]",
)
@click.option(
    "--set-up",
    "admin_url",
    metavar="URL",
    help="Make the bridge's user and its role in mosquitto, as the administrator that this URL names, and end.",
)
@service_options
def mqtt(*, mqtt_url: str, admin_url: str | None, service: Service) -> int:
    """Let agents in that speak MQTT 5: on the edge, in browsers, on small machines.

    Questions are published to palaver/BUS/agents/NAME/in, and answers taken from .../out, at QoS 1. A question is sent
    again until its answer has come, so that nothing is lost or played twice, whichever of mosquitto, bridge and agent
    dies. One bridge of a bus is at work; others stand by.

    The broker must be mosquitto with its dynamic-security plugin, or another that holds each user to its own topics
    as strictly; one that does not is refused.
    """
    environ = environment()
    address = Address.of(mqtt_url, environ.get(PASSWORD, ""), variable=PASSWORD)
    if admin_url is not None:
        return _set_up(address, admin_url, environ, service)
    return run_service(_serve(address, service), service)


def _set_up(address: Address, admin_url: str, environ: Mapping[str, str], service: Service) -> int:
    if not address.password:
        raise UsageError("the bridge's user is to have a password", mend=f"set {PASSWORD}")
    bus = bus_of(RedisBroker(service.url).link.prefix)
    dynsec = DynSec(admin_url, bus, password=environ.get(ADMIN_PASSWORD, ""), variable=ADMIN_PASSWORD)
    asyncio.run(dynsec.set_up(address.user, address.password))
    click.echo(f"{address.user} may serve the bus {bus} at {address.where}")
    return 0


async def _serve(address: Address, service: Service) -> None:
    async with station("mqtt", service, service_bus("mqtt", service)) as here:
        consumer = f"mqtt-{socket.gethostname()}-{secrets.token_hex(4)}"
        notices = Noting(here.broker.link)
        greetings: asyncio.Queue[AgentHello] = asyncio.Queue(UNNOTED)
        bridge = Bridge(
            here.broker,
            Strangers(here.broker.link),
            address,
            bus=bus_of(here.broker.link.prefix),
            consumer=consumer,
            on_hello=partial(_keep, greetings),
            on_notice=notices,
        )
        MqttMetrics(here.registry, bridge)
        me = myself("mqtt", consumer, consumer, 0, {"mqtt": address.where})
        async with asyncio.TaskGroup() as tasks:
            helpers = [
                tasks.create_task(notices.run(), name="notices"),
                tasks.create_task(_greet_on(here, greetings, consumer), name="greetings"),
            ]
            lease_s = min(LEASE_S, service.lease_s)
            # Two at work for a moment do no harm: what one has settled is a duplicate to the other.
            work = alone(here.broker.link, "mqtt", consumer, lease_s=lease_s, work=partial(_bridge, here, bridge))
            serving = asyncio.ensure_future(work)

            def stop() -> None:
                serving.cancel()

            try:
                await work_until_stopped(here, lambda: me(bridge.open), serving, stop, service.grace_s)
            finally:
                for helper in helpers:
                    helper.cancel()


async def _bridge(here: Station, bridge: Bridge) -> None:
    """Bridge, and take those to be there at once whom the last bridge had heard."""
    members = await here.board.members()
    await bridge.run({each.name for each in members if (each.kind, each.consumer) == ("agent", CONSUMER)})


def _keep(waiting: asyncio.Queue[AgentHello], hello: AgentHello) -> None:
    """Leave a greeting to be noted; where too many wait already, the next one will do."""
    if not waiting.full():
        waiting.put_nowait(hello)


async def _greet_on(here: Station, greetings: asyncio.Queue[AgentHello], bridge: str) -> None:
    """Note who is there."""
    since: dict[str, datetime] = {}
    while True:
        hello = await greetings.get()
        began = since.setdefault(hello.agent, datetime.now(UTC))
        try:
            await here.board.beat("agent", greeted(hello, "mqtt", CONSUMER, began), HELLO_TTL_S)
        except BrokerError as error:
            structlog.get_logger().warning("cannot note a greeting", bridge=bridge, reason=str(error))
