"""Serving an application at an address, and saying where it is."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import gaierror

from aiohttp import web

from palaver_broker.unread import server_log
from palaver_protocols.errors import UsageError

from .doors import EVERYWHERE, LOOPBACK
from .listening import Site

__all__ = ["address_of", "is_loopback", "served"]

SHUTDOWN_S = 1.0
"""How long an answer that is being written holds up the end."""


@asynccontextmanager
async def served(application: web.Application, host: str | None, port: int) -> AsyncIterator[str]:
    """Serve while the context lasts; yield where: ``http://HOST:PORT``, as a browser on this machine opens it.

    Args:
        application: what is served.
        host: where it listens; None: on every interface.
        port: 0 takes any free one.

    Raises:
        UsageError: the address cannot be had; names it.
    """
    runner = web.AppRunner(application, access_log=None, logger=server_log(), shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    try:
        try:
            await Site(runner, host, port).start()
        except OSError as error:
            raise UsageError(
                f"cannot serve pages at {host or ''}:{port}: {_reason(error)}",
                mend="give another HOST:PORT; port 0 is any free one",
            ) from error
        yield address_of(*runner.addresses[0][:2])
    finally:
        await runner.cleanup()


def address_of(host: str, port: int) -> str:
    """Name an address that a browser on this machine can open."""
    if host in EVERYWHERE:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str | None) -> bool:
    """Whether only this machine reaches a host."""
    return host is not None and (host in LOOPBACK or host.startswith("127."))


def _reason(error: OSError) -> str:
    if isinstance(error, gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
