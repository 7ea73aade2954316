"""The dashboard's pages from the command line: where they are, who has their token, and how that is said."""

import asyncio
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import click
import structlog

from palaver_agents.providers.vault import DiskVault, default_cache
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.seats import Room
from palaver_observability.dashboard.serving import is_loopback, served
from palaver_observability.dashboard.sources import Shelf, Source
from palaver_observability.dashboard.views import SentBytes
from palaver_observability.endpoints import host_and_port
from palaver_observability.logs import logging_to
from palaver_protocols.errors import UsageError, one_line

from .exits import complain
from .watching import PAGES_AT, TOKEN_VARIABLE

__all__ = ["Place", "checked_token", "complaining", "for_ever", "has_somebody", "open_pages", "sent_bytes"]

SHORTEST = 8
"""Letters of a token that somebody has chosen."""
LONGEST = 400
"""Letters of a complaint."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where pages are served, and for whom. ``is_chosen``: by the user; else another port will do."""

    listen: str = PAGES_AT
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    visitors: bool = False
    names: tuple[str, ...] = ()
    is_chosen: bool = False

    def address(self, url: str, path: str = "/") -> str:
        """Return the address that lets its reader in."""
        return f"{url}{path}?token={quote(self.token, safe='')}"


def checked_token(given: str | None, environ: Mapping[str, str]) -> str:
    """Return the token of an operator: as given, as the environment says, or a new one.

    Raises:
        UsageError: it is too short to keep anybody out, or cannot stand in an address.
    """
    token = given if given is not None else environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(
            f"the dashboard's token has to have {SHORTEST} letters at least, and no blanks",
            mend="leave --token out: a random one is made",
        )
    return token


def sent_bytes(environ: Mapping[str, str]) -> SentBytes | None:
    """Return what finds the bytes that were sent to providers; None where there is no cache on this machine."""
    folder = default_cache(environ)
    if not (folder / "sent").is_dir():
        return None
    try:
        return DiskVault(folder).sent
    except UsageError:  # it is not ours to write to, and so no vault of ours
        return None


@asynccontextmanager
async def open_pages(
    source: Source,
    shelf: Shelf,
    place: Place,
    environ: Mapping[str, str],
    *,
    room: Room | None = None,
) -> AsyncIterator[tuple[Dashboard, str]]:
    """Serve the pages of a source while the context lasts; yield the dashboard, and where it is without the token.

    Args:
        source: what is shown.
        shelf: the run folders that go with it.
        place: where to serve, and for whom.
        environ: the environment.
        room: where people sit down, if they can.

    Raises:
        UsageError: the address makes no sense, or cannot be had.
    """
    host, port = host_and_port(place.listen)
    if not is_loopback(host):
        click.echo(
            "palaver: the pages can be reached from other machines, and are not encrypted: put a reverse proxy with "
            "TLS before them, and name it with --host",
            err=True,
        )
    doors = Doors(place.token, host or "", place.names, place.visitors)

    def folder(run: str) -> Path | None:
        found = shelf.folder(run)
        return None if found is None else found.path

    ports = (port,) if place.is_chosen or port == 0 else (port, 0)
    async with AsyncExitStack() as stack:
        board = Dashboard(source, doors, environ, sent_bytes(environ), folder, room)
        yield board, await _first_free(stack, board, host, ports)


async def _first_free(stack: AsyncExitStack, board: Dashboard, host: str | None, ports: tuple[int, ...]) -> str:
    """Serve at the first of some ports that can be had."""
    for port in ports[:-1]:
        if _is_free(host, port):
            return await stack.enter_async_context(served(board.application(), host, port))
    return await stack.enter_async_context(served(board.application(), host, ports[-1]))


def _is_free(host: str | None, port: int) -> bool:
    """Whether nobody listens at an address now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host or "", port))
        except OSError:
            return False
    return True


@contextmanager
def complaining() -> Iterator[None]:
    """Say in a line on stderr what would be logged as a warning, once each: folders are looked at again and again."""
    said: set[str] = set()

    def complain_once(_logger: object, _method: str, event: structlog.typing.EventDict) -> str:
        why = str(event.get("reason") or event["event"])
        if why not in said:
            said.add(why)
            complain(one_line(why, LONGEST), 0)
        raise structlog.DropEvent

    with logging_to(sys.stderr, "warning"):
        structlog.configure(processors=[complain_once])
        yield


def has_somebody() -> bool:
    """Whether somebody sits at a terminal, and can press Ctrl-C."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def for_ever() -> None:
    """Wait to be cancelled."""
    await asyncio.Event().wait()
