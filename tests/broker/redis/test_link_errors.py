"""Whatever is wrong with a server, its URL or the way to it is said in one line that names it and helps."""

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from palaver_broker.redis import Link
from palaver_broker.redis.errors import ReplyError, code_of, refusal, trouble
from palaver_protocols.errors import BrokerError
from tests.redis_server import RedisServer
from tests.support import until

PASSWORD = "hunter2"
DENIED = b"-DENIED Redis is running in protected mode because protected mode is enabled and no password is set.\r\n"


@asynccontextmanager
async def pretender(*replies: bytes, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Something that gives these replies, one a connection, to whatever comes; the last one to all others."""
    left = list(replies)

    class Visit(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport = transport
            self.reply = left.pop(0) if len(left) > 1 else left[0]
            visits.append(transport)

        def data_received(self, data: bytes) -> None:
            self.transport.write(self.reply)

    visits: list[asyncio.Transport] = []
    server = await asyncio.get_running_loop().create_server(Visit, "127.0.0.1", 0, ssl=tls)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for visit in visits:
            visit.abort()
        await asyncio.sleep(0)  # now they are closed


async def failure(url: str, *, patience_s: float | None = None) -> str:
    """Return what opening a link fails with; the first time, unless patience is given."""
    with pytest.raises(BrokerError) as caught:
        await Link(url, patience_s=patience_s).open()
    assert "\n" not in str(caught.value)
    assert PASSWORD not in str(caught.value)
    assert caught.value.mend
    return str(caught.value)


@pytest.fixture(scope="module")
def locked_server() -> Iterator[RedisServer]:
    """A server that wants a password, and has a user who may do little."""
    with RedisServer(tcp=True, requirepass=PASSWORD) as server:
        yield server


def test_a_url_of_another_kind() -> None:
    with pytest.raises(BrokerError, match="redis is not at http://"):
        Link("http://localhost")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("redis://", "names no server"),
        ("unix://", "names no server"),
        ("redis://localhost:port", "host or port cannot be read"),
        ("redis://localhost/first", "'first' is no database of localhost:6379"),
        ("redis://localhost?db=first", "Invalid value for 'db'"),
        ("redis://localhost?socket_timeout=5", r"localhost:6379 sets 'socket_timeout' \(it may set \['bus', 'db'\]"),
        ("redis://localhost?bus=a:b", "'a:b' is no name for a bus"),
        ("redis://localhost?bus=", "'' is no name for a bus"),
        ("rediss://localhost?ssl_ca_certs=/none", "there is no '/none'"),
        ("rediss://localhost?ssl_cert_reqs=perhaps", "ssl_cert_reqs of localhost:6379 with TLS is 'perhaps'"),
        ("redis+sentinel://localhost", "names no service"),
        ("redis+sentinel://localhost:x/main", "names a sentinel that is none"),
    ],
)
def test_a_wrong_url(url: str, says: str) -> None:
    with pytest.raises(BrokerError, match=says):
        Link(url)


@pytest.mark.parametrize("url", ["redis://:{}#@h", "redis://u:1{}/@h/0", "redis://u:1?{}@h", "redis://u:{}/1@h:1"])
def test_a_password_that_tears_its_url_apart_is_not_shown(url: str) -> None:
    with pytest.raises(BrokerError, match="%-escapes") as caught:
        Link(url.format(PASSWORD))
    assert PASSWORD not in str(caught.value)


def test_the_bus_is_the_urls() -> None:
    assert Link("redis://localhost").prefix == "{palaver}:"
    assert Link("unix:///tmp/s?bus=other").prefix == "{other}:"
    assert Link("redis+sentinel://:p@a,b:2/main/3?bus=third").prefix == "{third}:"


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    """A server that may be treated badly."""
    with RedisServer() as server:
        yield server


async def test_no_password(locked_server: RedisServer) -> None:
    port = locked_server.port
    assert await failure(locked_server.tcp_url) == (
        f"redis at 127.0.0.1:{port} wants a password (put it into the broker's URL: redis://:PASSWORD@HOST:PORT)"
    )


async def test_a_wrong_password(locked_server: RedisServer) -> None:
    url = locked_server.tcp_url.replace("//", f"//:{PASSWORD}x@")
    assert "refuses our user name or password" in await failure(url)


async def test_a_password_that_nobody_wants(redis_server: RedisServer) -> None:
    assert "has no password" in await failure(redis_server.tcp_url.replace("//", f"//:{PASSWORD}@"))


async def test_what_a_user_may_not_do(locked_server: RedisServer) -> None:
    async with Link(locked_server.tcp_url.replace("//", f"//:{PASSWORD}@")) as admin:
        await admin.call("ACL", "SETUSER", "guest", "on", f">{PASSWORD}", "~guest:*", "+get", "+client")
        await admin.call("ACL", "SETUSER", "nobody", "on", f">{PASSWORD}")
    async with Link(locked_server.tcp_url.replace("//", f"//guest:{PASSWORD}@")) as guest:
        with pytest.raises(ReplyError, match=r"NOPERM .*permit its commands and keys by ACL SETUSER") as caught:
            await guest.call("GET", "other")
        assert caught.value.code == "NOPERM"
        assert await guest.call("GET", "guest:k") is None
    assert "does not let our user in" in await failure(locked_server.tcp_url.replace("//", f"//nobody:{PASSWORD}@"))


async def test_a_database_that_is_not_there(redis_server: RedisServer) -> None:
    assert "has no database of this number" in await failure(f"{redis_server.tcp_url}/99")


async def test_protected_mode() -> None:
    async with pretender(DENIED) as where:
        assert f"redis at {where} is in protected mode" in await failure(f"redis://{where}")


async def test_something_else_than_redis() -> None:
    async with pretender(b"HTTP/1.1 400 Bad Request\r\n\r\n") as where:
        assert f"what answers at {where} is no redis" in await failure(f"redis://{where}")


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (b"-LOADING Redis is loading the dataset in memory\r\n", "is not ready: LOADING"),
        (b"-ERR max number of clients reached\r\n", "has too many clients"),
        (b"-MASTERDOWN Link with MASTER is down\r\n", "is not ready: MASTERDOWN"),
    ],
)
async def test_a_server_that_is_not_ready_is_waited_for(reply: bytes, says: str) -> None:
    async with pretender(reply, b"+OK\r\n") as where:
        with capture_logs() as logs:
            async with Link(f"redis://{where}"):
                pass
        assert [entry["event"] for entry in logs] == [f"redis at {where} {says}", f"redis at {where} answers now"]
    async with pretender(reply) as where:
        assert says in await failure(f"redis://{where}", patience_s=0.05)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("redis://127.0.0.1:{port}", "there is no redis at 127.0.0.1:{port}: Connection refused"),
        ("unix:///tmp/no-{port}", "there is no redis at /tmp/no-{port}: No such file or directory"),
        ("redis://no.invalid:{port}", "there is no host for redis at no.invalid:{port}"),
        ("redis+sentinel://127.0.0.1:{port}/main", "127.0.0.1:{port} broke: No master found for 'main'"),
    ],
)
async def test_a_server_that_is_not_there(url: str, says: str) -> None:
    with closing(socket.socket()) as bound:  # and does not listen
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        assert says.format(port=port) in await failure(url.format(port=port), patience_s=0.05)


async def test_a_server_that_does_not_answer() -> None:
    async with pretender(b"") as where:
        assert f"redis at {where} does not answer" in await failure(f"redis://{where}", patience_s=0.05)


async def test_a_password_that_is_set_meanwhile_is_waited_for(own_server: RedisServer) -> None:
    """Answers that have been paid for wait for whoever sets it right."""
    async with Link(own_server.url, answer_within_s=0.05) as link:
        await link.call("CONFIG", "SET", "requirepass", PASSWORD)
        with capture_logs() as logs:
            own_server.pause()  # so that it has to connect again
            waiting = asyncio.create_task(link.call("ECHO", "here"))
            await until(lambda: not link.connected)
            own_server.resume()
            await until(lambda: any("wants a password" in entry["event"] for entry in logs))
        async with Link(own_server.url.replace("//", f"//:{PASSWORD}@")) as admin:
            await admin.call("CONFIG", "SET", "requirepass", "")
        assert await waiting == b"here"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of this machine that nobody has signed, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl: apt-get install openssl")
    folder = tmp_path_factory.mktemp("tls")
    key, signed = folder / "key.pem", folder / "cert.pem"
    words = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(["openssl", *words, *names, "-keyout", key, "-out", signed], check=True, capture_output=True)
    return signed, key


@pytest.fixture
def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


async def test_tls_with_an_authority_that_we_know(certificate: tuple[Path, Path], tls: ssl.SSLContext) -> None:
    async with pretender(b"+OK\r\n", tls=tls) as where:
        async with Link(f"rediss://{where}?ssl_ca_certs={certificate[0]}") as link:
            assert await link.call("PING") == b"OK"


async def test_tls_with_an_authority_that_we_do_not_know(tls: ssl.SSLContext) -> None:
    async with pretender(b"+OK\r\n", tls=tls) as where:
        said = await failure(f"rediss://{where}")
    assert f"redis at {where} with TLS has no certificate to trust: self-signed certificate" in said


async def test_tls_where_there_is_none() -> None:
    async with pretender(b"-ERR what is this?\r\n") as where:
        assert f"what answers at {where} with TLS does not speak TLS" in await failure(f"rediss://{where}")


async def test_tls_where_we_want_none(tls: ssl.SSLContext) -> None:
    async with pretender(b"+OK\r\n", tls=tls) as where:
        said = await failure(f"redis://{where}", patience_s=0.05)
    assert "rediss://" in said


def test_where_in_a_script_a_command_was_refused_is_for_us_alone() -> None:
    said = ResponseError(f"OOM command not allowed. script: {'a' * 40}, on @user_script:37.")
    assert refusal(said, "h:1").message == "redis at h:1 refuses a command: OOM command not allowed."


@pytest.mark.parametrize(
    ("said", "code"), [("@user_script: 1: -OOM command not", "OOM"), ("NOGROUP No such", "NOGROUP")]
)
def test_old_servers_hide_the_code_of_what_a_script_met(said: str, code: str) -> None:
    said = f"Error running script (call to f_1): @user_script:1: {said}"
    assert code_of(ResponseError(said, status_code="ERR")) == code


def test_a_trouble_that_nobody_has_foreseen() -> None:
    assert trouble(ValueError("two\nlines"), "h:1").what == "the connection to redis at h:1 broke: two lines"
