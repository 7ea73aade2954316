"""The three pages of a service, over a real socket."""

import asyncio
import socket
from collections.abc import AsyncIterator

import aiohttp
import pytest
from prometheus_client import CollectorRegistry, Counter
from structlog.testing import capture_logs

from palaver_observability.endpoints import endpoints, host_and_port
from palaver_protocols.errors import UsageError

ANY = "127.0.0.1:0"


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    Counter("palaver_jokes", "Jokes told.", registry=registry).inc(3)
    return registry


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def test_a_living_service_is_healthy(registry: CollectorRegistry, client: aiohttp.ClientSession) -> None:
    async with endpoints(ANY, registry, ready=lambda: "the bus") as served, client.get(f"{served.url}/healthz") as page:
        assert (page.status, await page.text()) == (200, "ok")


async def test_it_is_ready_when_it_says_so(registry: CollectorRegistry, client: aiohttp.ClientSession) -> None:
    reason: str | None = "the bus is away"
    async with endpoints(ANY, registry, ready=lambda: reason) as served:
        async with client.get(f"{served.url}/readyz") as page:
            assert (page.status, await page.text()) == (503, "the bus is away")
        reason = None
        async with client.get(f"{served.url}/readyz") as page:
            assert (page.status, await page.text()) == (200, "ready")


@pytest.mark.parametrize(
    ("accept", "content_type", "last_line"),
    [
        ("*/*", "text/plain; version=0.0.4; charset=utf-8", "palaver_jokes_created"),
        ("application/openmetrics-text;version=1.0.0", "application/openmetrics-text; version=1.0.0", "# EOF"),
    ],
)
async def test_metrics_come_in_the_form_that_is_asked_for(
    registry: CollectorRegistry, client: aiohttp.ClientSession, accept: str, content_type: str, last_line: str
) -> None:
    async with endpoints(ANY, registry, ready=lambda: None) as served:
        async with client.get(f"{served.url}/metrics", headers={"Accept": accept}) as page:
            text = await page.text()
    assert page.headers["Content-Type"].startswith(content_type)
    assert "palaver_jokes_total 3.0" in text
    assert text.splitlines()[-1].startswith(last_line)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_head_is_get_without_a_body(
    registry: CollectorRegistry, client: aiohttp.ClientSession, path: str
) -> None:
    async with endpoints(ANY, registry, ready=lambda: None) as served, client.head(served.url + path) as page:
        assert (page.status, await page.read()) == (200, b"")


async def test_other_paths_are_not_found_in_one_line(
    registry: CollectorRegistry, client: aiohttp.ClientSession
) -> None:
    async with endpoints(ANY, registry, ready=lambda: None) as served, client.get(f"{served.url}/admin") as page:
        assert page.status == 404
        assert len((await page.text()).splitlines()) == 1


async def test_the_port_is_free_again_afterwards(registry: CollectorRegistry) -> None:
    async with endpoints(ANY, registry, ready=lambda: None) as served:
        address = served.url.removeprefix("http://")
    async with endpoints(address, registry, ready=lambda: None) as served:
        assert served.url == f"http://{address}"


async def test_nothing_is_said_on_the_log(
    registry: CollectorRegistry, client: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "aiohttp")
    async with endpoints(ANY, registry, ready=lambda: None) as served, client.get(f"{served.url}/healthz"):
        pass
    assert caplog.records == []


async def test_broken_requests_leave_few_lines_and_no_traceback(
    registry: CollectorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with endpoints(ANY, registry, ready=lambda: None) as served:
        with capture_logs() as logs:
            for _ in range(5):
                reader, writer = await asyncio.open_connection("127.0.0.1", int(served.url.rpartition(":")[2]))
                writer.write(b"GET / HTTP/1.1\r\nX: \0\x1b[2J\n{}\r\n\r\n")
                assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.0 400 ")
                writer.close()
                await writer.wait_closed()
    assert [(each["event"], each["times"]) for each in logs] == [("requests that cannot be read", n) for n in (1, 2, 4)]
    assert all(each["latest"].isprintable() for each in logs)
    assert [each for each in caplog.records if each.name.startswith("aiohttp")] == []


async def test_a_page_that_fails_leaves_one_line(
    registry: CollectorRegistry, client: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise ValueError("a bug\nof ours")

    async with endpoints(ANY, registry, ready=broken) as served:
        with capture_logs() as logs:
            async with client.get(f"{served.url}/readyz") as page:
                assert page.status == 500
    assert [(each["event"], each["reason"]) for each in logs] == [("a request failed", "ValueError: a bug of ours")]
    assert caplog.records == []


async def test_an_address_in_use_is_named(registry: CollectorRegistry) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(
            UsageError, match=rf"^cannot serve at {address}: Address already in use \(.*--http"
        ) as caught:
            async with endpoints(address, registry, ready=lambda: None):
                pass
    assert "\n" not in str(caught.value)


async def test_an_address_of_another_machine_is_named(registry: CollectorRegistry) -> None:
    with pytest.raises(UsageError, match=r"cannot serve at 192\.0\.2\.1:0: Cannot assign requested address"):
        async with endpoints("192.0.2.1:0", registry, ready=lambda: None):
            pass


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)),
        ("localhost:0", ("localhost", 0)),
        (":0", (None, 0)),
        ("[::1]:80", ("::1", 80)),
    ],
)
def test_addresses_read_host_and_port(address: str, expected: tuple[str | None, int]) -> None:
    assert host_and_port(address) == expected


MALFORMED = (
    *("", "9464", "localhost", "localhost:", "localhost:http", ":65536", ":-1"),
    *("a:1/metrics", "me@a:1", "http://a:1", "::1:80", "[::1:80", "a:1?b"),
)


@pytest.mark.parametrize("address", MALFORMED)
async def test_a_malformed_address_is_named(registry: CollectorRegistry, address: str) -> None:
    with pytest.raises(UsageError, match=r"does not read HOST:PORT \(write 127\.0\.0\.1:9464") as caught:
        async with endpoints(address, registry, ready=lambda: None):
            pass
    assert repr(address) in str(caught.value)
