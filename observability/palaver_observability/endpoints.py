"""Three pages that every service serves: whether it lives, whether it is ready, what it has counted.

/healthz   200 as long as the event loop turns
/readyz    200, or 503 and what the service waits for
/metrics   Prometheus' text format, or OpenMetrics where the scraper asks for it
"""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from socket import gaierror
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from palaver_broker.unread import server_log
from palaver_protocols.errors import UsageError

__all__ = ["Served", "endpoints", "host_and_port"]

SHUTDOWN_S = 1.0
"""How long a page that is being written holds up the end of a service."""
EVERY_INTERFACE = {"0.0.0.0", "::"}  # noqa: S104 - recognised, not chosen


@dataclass(frozen=True, slots=True)
class Served:
    """Where the pages are: ``http://HOST:PORT``, without a slash at the end."""

    url: str


@asynccontextmanager
async def endpoints(
    address: str, registry: CollectorRegistry, *, ready: Callable[[], str | None]
) -> AsyncIterator[Served]:
    """Serve the pages while the context lasts.

    Args:
        address: ``HOST:PORT``; port 0 takes any free one, and without a host every interface is served.
        registry: what ``/metrics`` shows.
        ready: None if the service can work, else in one line what it waits for. Called for each ``/readyz``.

    Raises:
        UsageError: the address is malformed, or cannot be served; names it.
    """
    host, port = host_and_port(address)
    runner = web.AppRunner(
        _application(registry, ready), access_log=None, logger=server_log(), shutdown_timeout=SHUTDOWN_S
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise UsageError(
                f"cannot serve at {address}: {_reason(error)}",
                mend="give another --http HOST:PORT; port 0 is any free one",
            ) from error
        yield Served(_url(*runner.addresses[0][:2]))
    finally:
        await runner.cleanup()


def host_and_port(address: str) -> tuple[str | None, int]:
    """Take ``HOST:PORT`` apart; the host is None where there is none, and ``[::1]:80`` has host ``::1``.

    Raises:
        UsageError: it does not read so.
    """
    try:
        split = urlsplit(f"//{address}")
        host, port = split.hostname, split.port
    except ValueError:
        host, port = None, None
    if port is None or split.netloc != address or "@" in address or (host is None and address != f":{port}"):
        raise UsageError(f"the address {address!r} does not read HOST:PORT", mend="write 127.0.0.1:9464, or :0 for any")
    return host, port


def _application(registry: CollectorRegistry, ready: Callable[[], str | None]) -> web.Application:
    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def readyz(_: web.Request) -> web.Response:
        reason = ready()
        return web.Response(text="ready") if reason is None else web.Response(text=reason, status=503)

    async def metrics(request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get(hdrs.ACCEPT, ""))
        return web.Response(body=encode(registry), headers={hdrs.CONTENT_TYPE: content_type})

    application = web.Application()
    application.add_routes(
        [web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)]  # HEAD included
    )
    return application


def _url(host: str, port: int) -> str:
    """Name an address that a browser on this machine can open."""
    if host in EVERY_INTERFACE:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reason(error: OSError) -> str:
    """Say in a few words why an address cannot be had; asyncio wraps the system's into a sentence of its own."""
    if isinstance(error, gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
