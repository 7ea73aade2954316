"""Other ways to the same mosquitto: TLS, and WebSockets as browsers have them."""

import asyncio
import gc
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import aiomqtt
import pytest

from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.client import AwayError, connected, granted
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import AgentHello, stranger
from tests.broker.mqtt.edge import Edge, an_edge
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer, free_port
from tests.support import until


@pytest.fixture(autouse=True)
async def patience() -> AsyncIterator[None]:
    async with asyncio.timeout(20):
        yield


async def test_an_agent_in_a_browser_says_hello(edge: Edge) -> None:
    token = await edge.add("one")
    name, topics = edge.named("one"), edge.topics("one")
    async with (
        edge.bridge(),
        aiomqtt.Client(
            "127.0.0.1",
            edge.server.websocket_port,
            transport="websockets",
            websocket_path="/mqtt",
            identifier=edge.bridge_user,  # in vain
            username=name,
            password=token,
            protocol=aiomqtt.ProtocolVersion.V5,
        ) as browser,
    ):
        assert granted(await browser.subscribe(topics.questions, qos=1))
        assert not granted(await browser.subscribe(edge.topics("two").questions, qos=1))
        hello = AgentHello(key="hello", agent=stranger(name))
        await browser.publish(topics.answers, hello.model_dump_json(), qos=1)
        await until(lambda: edge.hellos)
    assert edge.hellos == [hello]


def certify(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for the loopback; return it and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl")
    certificate, key = folder / "server.crt", folder / "server.key"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run([openssl, *words, *names, *files], check=True, capture_output=True)
    return certificate, key


def with_tls(server: MosquittoServer, port: int) -> Path:
    """Add a listener with TLS; return the certificate."""
    certificate, key = certify(server.folder)
    lines = (f"listener {port} 127.0.0.1", f"certfile {certificate}", f"keyfile {key}", "use_username_as_clientid true")
    server.config.write_text("\n".join([server.config.read_text(), *lines, ""]))
    return certificate


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a socket that it refuses
async def test_the_same_behind_tls(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server, port = MosquittoServer(), free_port()
    certificate = with_tls(server, port)
    with server:
        async with an_edge(server, redis_server) as edge:
            token = await edge.add("one")
            url = f"mqtts://{edge.named('one')}:{token}@127.0.0.1:{port}"
            async with connected(Address.of(f"{url}?ca={certificate}")) as client:
                assert granted(await client.subscribe(edge.topics("one").questions, qos=1))
            with pytest.raises(BrokerError, match=r"has no certificate to trust: .*\?ca=FILE"):
                async with connected(Address.of(url)):
                    pass
            gc.collect()
            monkeypatch.setattr("palaver_broker.mqtt.client.TIMEOUT_S", 0.5)
            with pytest.raises(AwayError):
                async with connected(Address.of(url.replace("mqtts", "mqtt"))):
                    pass
