"""Where a gateway listens: an address, with TLS or behind a proxy that has it, for so many connections at most."""

import asyncio
import ipaddress
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import web

from palaver_protocols.errors import UsageError

from ..unread import server_log
from .app import Gateway
from .broken import Connected

__all__ = ["Listening", "check_safe", "listen", "tls"]

IDLE_S = 30.0
"""How long a connection may be without a whole request: at its beginning, or between two."""
SHUTDOWN_S = 5.0


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a gateway can be reached: ``http://HOST:PORT`` or ``https://…``."""

    url: str


class _Closed(asyncio.Protocol):
    """Takes a connection that is one too many, and lets it go."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


def check_safe(host: str | None, *, has_tls: bool, behind_proxy: bool) -> None:
    """Make sure that tokens do not cross a network in the clear.

    Raises:
        UsageError: they would.
    """
    if has_tls or behind_proxy or host == "localhost":
        return
    try:
        if host is not None and ipaddress.ip_address(host).is_loopback:
            return
    except ValueError:
        pass  # a name, which may lead anywhere
    raise UsageError(
        f"{host or 'every interface'} is reached from elsewhere, and without TLS anybody on the way reads the tokens",
        mend="give --tls-cert and --tls-key, or --behind-proxy where a proxy has TLS",
    )


def tls(certificate: Path, key: Path) -> ssl.SSLContext:
    """Load a certificate, with its chain, and its key.

    Raises:
        UsageError: they cannot be read, or do not belong together.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except OSError as error:  # an SSLError is one
        reason = error.reason if isinstance(error, ssl.SSLError) else os.strerror(error.errno or 0)
        raise UsageError(
            f"there is no TLS with {certificate} and {key}: {reason or 'they cannot be read'}",
            mend="give PEM files that belong together; the key without a password",
        ) from error
    return context


@asynccontextmanager
async def listen(
    gateway: Gateway, host: str | None, port: int, context: ssl.SSLContext | None = None
) -> AsyncIterator[Listening]:
    """Serve a gateway while the context lasts.

    Args:
        gateway: which; it is open.
        host: an address or a name; None: every interface.
        port: 0 takes any free one.
        context: of TLS; None: none.

    Raises:
        UsageError: the address cannot be served; names it.
    """
    runner = web.AppRunner(
        gateway.app,
        handler_cancellation=True,  # a poll whose client has gone takes no question with it
        shutdown_timeout=SHUTDOWN_S,
    )
    await runner.setup()
    site = _Site(runner, gateway, host, port, context)
    try:
        try:
            await site.start()
        except OSError as error:
            where = f"{host or ''}:{port}"
            raise UsageError(
                f"cannot listen at {where}: {os.strerror(error.errno) if error.errno else error}",
                mend="give another --listen HOST:PORT; port 0 is any free one",
            ) from error
        yield Listening(site.name)
    finally:
        gateway.stop()
        await runner.cleanup()


class _Site(web.BaseSite):
    """Listens, and takes no more than so many connections at a time."""

    def __init__(
        self, runner: web.AppRunner, gateway: Gateway, host: str | None, port: int, context: ssl.SSLContext | None
    ) -> None:
        super().__init__(runner, ssl_context=context)
        self._gateway, self._host, self._port = gateway, host, port

    @property
    def name(self) -> str:
        """Where it is."""
        listening: Any = self._server
        address = listening.sockets[0].getsockname() if listening else (self._host or "", self._port)
        host, port = str(address[0]), int(address[1])
        if host in ("0.0.0.0", "::"):  # noqa: S104 - recognised, not chosen
            host = "localhost"
        scheme = "https" if self._ssl_context else "http"
        return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"

    async def start(self) -> None:
        """Begin to listen."""
        await super().start()
        server, gateway, log, loop = self._runner.server, self._gateway, server_log(), asyncio.get_running_loop()
        assert server is not None, "the runner is set up"

        def protocol() -> asyncio.Protocol:
            if len(server.connections) >= gateway.rules.connections:
                gateway.has_no_room()
                return _Closed()
            return Connected(
                server,
                loop=loop,
                access_log=None,  # type: ignore[arg-type]  # as AppRunner would give it: there is none
                logger=log,
                auto_decompress=False,  # what is small on the way must not grow here
                keepalive_timeout=IDLE_S,
            )

        self._server = await loop.create_server(
            protocol,
            self._host,
            self._port,
            ssl=self._ssl_context,
            backlog=self._backlog,
            ssl_handshake_timeout=10.0 if self._ssl_context else None,
        )
