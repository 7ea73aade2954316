"""TLS as docs/isolation.md says: its commands, its settings, and an agent with nothing but a Redis client."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from palaver_broker.redis import Link, RedisBroker
from palaver_broker.redis.admitting import admit
from palaver_protocols.errors import BrokerError
from tests.redis_server import RedisServer, free_port
from tests.support import a_request, ask

pytestmark = pytest.mark.usefixtures("redis_7")

PAGE = (Path(__file__).parents[3] / "docs" / "isolation.md").read_text(encoding="utf-8")
SETTINGS = re.search(r" (--port 0 .*?)\n```", PAGE, re.DOTALL)
COMMANDS = re.search(r"```bash\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    assert COMMANDS is not None
    made = tmp_path_factory.mktemp("certificates")
    subprocess.run(["bash", "-euc", COMMANDS[1]], cwd=made, check=True, capture_output=True)
    return made


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    assert SETTINGS is not None
    free = free_port()
    words = SETTINGS[1].replace("\\\n", " ").replace("--", "").replace('"', "").replace("$PWD/", "").split()
    settings = dict(zip(words[::2], words[1::2], strict=True))
    assert settings["port"] == "0"
    settings["tls-port"] = str(free)
    options: dict[str, Any] = {
        name.replace("-", "_"): str(folder / value) if name.endswith("-file") else value
        for name, value in settings.items()
    }
    with RedisServer(requirepass="operator", **options):
        yield free


def url(folder: Path, port: int, who: str = "services") -> str:
    files = f"ssl_ca_certs={folder}/ca.crt&ssl_certfile={folder}/{who}.crt&ssl_keyfile={folder}/{who}.key"
    return f"rediss://:operator@localhost:{port}?{files}"


def agent(folder: Path, port: int, token: str, *, certificate: bool = True) -> "Redis":
    own = {"ssl_certfile": f"{folder}/mine.crt", "ssl_keyfile": f"{folder}/mine.key"} if certificate else {}
    once = Retry(NoBackoff(), 0)
    return Redis.from_url(f"rediss://mine:{token}@localhost:{port}", ssl_ca_certs=f"{folder}/ca.crt", retry=once, **own)


async def test_an_agent_reads_and_answers_with_nothing_but_a_redis_client(folder: Path, port: int) -> None:
    async with RedisBroker(url(folder, port)) as broker:
        token = await admit(broker.link, "mine", ["redis"])
        await ask(broker, a_request(agent="bus/mine"))
    with agent(folder, port, token) as client:
        assert len(client.xread({"{palaver}:in:bus/mine": "0-0"})) == 1
        assert client.xadd("{palaver}:out:bus/mine", {"m": "an answer"})
    with agent(folder, port, token, certificate=False) as client, pytest.raises(RedisError):
        client.ping()
    with agent(folder, port, "mine.guessed") as client, pytest.raises(RedisError, match="invalid username-password"):
        client.ping()


async def test_services_that_do_not_know_the_authority_do_not_connect(folder: Path, port: int) -> None:
    with pytest.raises(BrokerError, match="has no certificate to trust"):
        await Link(f"rediss://:operator@localhost:{port}").open()


async def test_a_service_without_a_certificate_is_turned_away(folder: Path, port: int) -> None:
    without = f"rediss://:operator@localhost:{port}?ssl_ca_certs={folder}/ca.crt"
    with pytest.raises(BrokerError, match=r"TLS|hangs up"):
        await Link(without, patience_s=0).open()


async def test_nothing_is_to_be_had_without_tls(port: int) -> None:
    with pytest.raises(BrokerError, match="hangs up"):
        await Link(f"redis://:operator@localhost:{port}", patience_s=0).open()
