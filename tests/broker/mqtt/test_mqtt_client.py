"""What is said where there is no broker to be had, or none that will do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from palaver_broker.memory import MemoryBroker
from palaver_broker.mqtt import bridge
from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.bridge import Bridge
from palaver_broker.mqtt.client import AwayError, RefusedLoginError, connected
from palaver_broker.mqtt.rates import DEAF_S, Rate
from palaver_broker.strangers import Stranger
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import Limits
from tests.broker.mqtt.edge import Edge
from tests.mosquitto_server import ADMIN, MosquittoServer
from tests.redis_server import free_port


class Nobody:
    async def strangers(self) -> dict[str, Stranger]:
        return {}


async def serve(address: Address) -> None:
    """Serve nobody there until it fails."""
    async with asyncio.timeout(20), MemoryBroker() as broker:
        await Bridge(broker, Nobody(), address, bus="palaver", consumer="bridge").run()


def the_cause(error: BaseException) -> BaseException:
    """Return what is at the bottom of groups of one."""
    return the_cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


async def why_not(address: Address) -> str:
    with pytest.raises(ExceptionGroup) as error:
        await serve(address)
    cause = the_cause(error.value)
    assert isinstance(cause, BrokerError)
    assert "\n" not in str(cause)
    return str(cause)


async def test_no_broker_is_one_line_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "PATIENCE_S", 0.2)
    port = free_port()
    said = await why_not(Address.of(f"mqtt://bridge:secret@127.0.0.1:{port}"))
    assert f"no MQTT broker can be used at 127.0.0.1:{port}" in said
    assert "secret" not in said


async def test_a_refused_login_is_one_line(edge: Edge) -> None:
    said = await why_not(Address.of(edge.server.url(edge.bridge_user, "secret")))
    assert f"does not let {edge.bridge_user!r} in" in said
    assert "secret" not in said


@asynccontextmanager
async def an_old_broker(answer: bytes) -> AsyncIterator[Address]:
    """Answer to CONNECT as a broker that is no MQTT 5 broker, or nothing of the kind."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        yield Address.of(f"mqtt://me:secret@127.0.0.1:{server.sockets[0].getsockname()[1]}")


async def test_a_broker_without_mqtt_5_is_one_line() -> None:
    async with an_old_broker(b"\x20\x02\x00\x01") as address:
        assert "does not speak MQTT 5" in await why_not(address)


async def test_what_is_no_broker_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_broker.mqtt.client.TIMEOUT_S", 0.3)
    monkeypatch.setattr(bridge, "PATIENCE_S", 0.0)
    async with an_old_broker(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        assert "no MQTT broker can be used" in await why_not(address)


async def test_a_broker_that_lets_anybody_in_is_not_used() -> None:
    with MosquittoServer(allow_anonymous="true", use_username_as_clientid="false") as server:
        said = await why_not(Address.of(server.admin_url))
    assert "lets anybody in" in said


async def test_a_broker_that_grants_every_subscription_is_not_used() -> None:
    no_plugin = {"plugin": None, "plugin_opt_config_file": None}
    server = MosquittoServer(**no_plugin)
    users = server.folder / "passwords"
    users.write_text("bridge:secret\n")
    server.config.write_text(f"{server.config.read_text()}\npassword_file {users}\n")
    server.hash_passwords(users)
    with server:
        said = await why_not(Address.of(server.url("bridge", "secret")))
    assert "does not hold its users to their topics" in said


async def test_the_administrator_is_no_bridge(mosquitto_server: MosquittoServer) -> None:
    assert "does not hold" in await why_not(Address.of(mosquitto_server.url("admin", ADMIN)))


async def test_errors_are_told_apart(edge: Edge) -> None:
    with pytest.raises(RefusedLoginError):
        async with connected(Address.of(edge.server.url("nobody", "x"))):
            pass
    with pytest.raises(AwayError):
        async with connected(Address.of(f"mqtt://me@127.0.0.1:{free_port()}")):
            pass


def test_a_rate_allows_a_burst_then_so_many_a_second() -> None:
    rate = Rate(Limits(per_second=2, burst=3), 0.0)
    assert [rate.allows(0.0) for _ in range(4)] == [True, True, True, False]
    assert [rate.allows(1.0) for _ in range(3)] == [True, True, False]


def test_who_is_too_fast_is_warned_once_a_second_and_a_flood_is_not_listened_to() -> None:
    rate = Rate(Limits(burst=3), 0.0)
    assert [rate.overrun(0.0) for _ in range(3)] == [(True, False), (False, False), (False, False)]
    assert rate.overrun(0.5) == (False, True)
    assert rate.deaf_until == 0.5 + DEAF_S
    assert rate.overrun(0.6) == (False, False)
    assert rate.overrun(1.0) == (True, False)
