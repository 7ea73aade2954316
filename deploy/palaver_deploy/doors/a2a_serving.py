"""A2A servers as services: who is let in, where they listen, and an orderly end."""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING

import structlog

from palaver_agents.a2a import no_sdk
from palaver_agents.names import parse_agent
from palaver_broker.desk import Desk, open_desk
from palaver_broker.memory import MemoryBlobs
from palaver_broker.redis.strangers import Strangers
from palaver_broker.strangers import known_by
from palaver_observability.endpoints import host_and_port
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, UsageError, one_line
from palaver_protocols.strangers import LIMITS, NAME_MEND, is_stranger, stranger

from ..members import BEAT_S, myself
from ..models import open_agent
from ..options import Service, check_shared
from ..session import environment
from ..stations import Station, run_service, service_bus, station, work_until_stopped
from ..stopping import stop_gracefully

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from palaver_agents.a2a.app import Admit

__all__ = ["Place", "public_name", "serve_agent", "serve_seat"]

TOKEN = "PALAVER_A2A_TOKEN"  # noqa: S105 - the name of a variable
CONNECTIONS = 512
"""Of clients at a time; more are told to come back later."""
LESS_SECRET = 16
"""A token shorter than this is guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where and how a server serves.

    ``listen`` (A2A) and ``http`` (pages of a seat's server) are HOST:PORT, ``idle_s`` and ``grace_s`` seconds.
    """

    listen: str
    url: str | None
    http: str
    concurrency: int
    idle_s: float
    grace_s: float
    log_level: str

    def service(self, broker: str) -> Service:
        """Say it as for any other service."""
        return Service(broker, self.http, 0.0, self.grace_s, self.log_level)


def serve_agent(text: str, place: Place) -> int:
    """Serve an agent until stopped; return the exit code.

    Raises:
        UsageError: it cannot be asked, or the address cannot be served.
    """
    try:
        from palaver_agents.a2a.app import application, card_of, only_with
        from palaver_agents.a2a.serving import ModelExecutor
    except ImportError as error:
        raise no_sdk("palaver serve a2a", error) from error
    environ = environment()
    name, token = public_name(text), _token(environ)
    if token is None and not _is_loopback(place.listen):
        raise UsageError(f"at {place.listen} anybody could spend what {text} costs", mend=f"set {TOKEN} to a token")

    async def work() -> None:
        async with open_agent(text, MemoryBlobs(), environ) as model:
            with _listening(place) as (listener, url):
                card = card_of(name, f"{name}, served by palaver", url, guarded=token is not None)
                executor = ModelExecutor(model, name, place.concurrency)
                server = _server(application(executor, card, only_with(token) if token else None), place)
                structlog.get_logger().info("serving", service="a2a", http=url, agent=text, version=version("palaver"))
                await stop_gracefully(server.serve([listener]), _closing(server), place.grace_s)

    with _sdk_logging():
        return run_service(work(), place.service(""))


def public_name(text: str) -> str:
    """Return what strangers may know of an agent's name: no addresses and no files of ours.

    Raises:
        UsageError: it is no agent's name.
    """
    name = parse_agent(text)
    if name.kind == "model":
        return f"{name.provider}/{name.model}"
    return name.model if name.kind == "script" else name.kind


def serve_seat(name: str, broker_url: str, place: Place) -> int:
    """Let A2A clients play as ``bus/NAME`` until stopped; return the exit code.

    Raises:
        UsageError: it is no name, or an address cannot be served.
        BrokerError: the bus refuses us.
    """
    try:
        from palaver_agents.a2a.app import application, card_of
        from palaver_agents.a2a.seats import SeatExecutor
    except ImportError as error:
        raise no_sdk("palaver serve a2a", error) from error
    agent = stranger(name)
    if not is_stranger(agent):
        raise UsageError(f"{name!r} is no name for an agent on the bus", mend=NAME_MEND)
    check_shared(broker_url)
    token = _token(environment())
    service = place.service(broker_url)
    consumer = f"a2a-{socket.gethostname()}-{secrets.token_hex(4)}"

    async def work() -> None:
        async with AsyncExitStack() as stack:
            here = await stack.enter_async_context(station("a2a", service, service_bus("a2a", service)))
            listener, url = stack.enter_context(_listening(place))
            admit = _admits(here, name, token)

            async def fetch(image: Image) -> bytes:
                return await here.broker.blobs.get(image.sha256)

            executor = SeatExecutor(fetch, place.idle_s, admit)
            limits = replace(LIMITS, concurrency=min(place.concurrency, LIMITS.concurrency))
            desk = Desk(here.broker, agent, limits=limits, on_question=executor.arrived)
            executor.desk = await stack.enter_async_context(open_desk(desk, consumer))
            card = card_of(agent, f"plays as {agent} in palaver", url, guarded=True)
            server = _server(application(executor, card, admit), place)
            await stack.enter_async_context(_present(here, agent, consumer, place, lambda: executor.is_taken))
            structlog.get_logger().info("serving", service="a2a", a2a=url, agent=agent, version=version("palaver"))
            me = myself("a2a", name, consumer, place.concurrency, {"url": url})

            def drain() -> None:
                executor.drain()
                _closing(server)()

            await work_until_stopped(here, lambda: me(len(desk)), server.serve([listener]), drain, place.grace_s)

    with _sdk_logging():
        return run_service(work(), service)


def _token(environ: Mapping[str, str]) -> str | None:
    """Return the token that clients show, if one is set.

    Raises:
        UsageError: it is none that keeps anybody out.
    """
    token = environ.get(TOKEN, "").strip()
    if token and (len(token) < LESS_SECRET or not token.isascii() or not token.isprintable() or " " in token):
        mend = "make one: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        raise UsageError(f"{TOKEN} holds what can be guessed, or cannot be sent", mend=mend)
    return token or None


def _is_loopback(address: str) -> bool:
    host, _ = host_and_port(address)
    try:
        return host == "localhost" or (host is not None and ip_address(host).is_loopback)
    except ValueError:
        return False


def _admits(here: Station, name: str, token: str | None) -> "Admit":
    """Let in whoever shows the agent's own token, or the server's."""
    from palaver_agents.a2a.app import only_with

    own = only_with(token) if token else None
    registry = Strangers(here.broker.link)

    async def admit(shown: str) -> bool:
        if own is not None and await own(shown):
            return True
        try:
            known = known_by(shown, await registry.strangers(), "gateway")
        except BrokerError as error:
            structlog.get_logger().warning("cannot look up tokens", reason=str(error))
            return False
        return known is not None and known.name == name

    return admit


@contextmanager
def _listening(place: Place) -> Iterator[tuple[socket.socket, str]]:
    """Listen; yield the socket, and the URL for the card."""
    host, port = host_and_port(place.listen)
    family = socket.AF_INET6 if host and ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host or "", port), family=family, backlog=1024)
    except OSError as error:
        raise UsageError(
            f"cannot serve at {place.listen}: {os.strerror(error.errno) if error.errno else error}",
            mend="give another --listen HOST:PORT; port 0 is any free one",
        ) from error
    with listener:
        bound, port = listener.getsockname()[:2]
        if ip_address(bound).is_unspecified:
            bound = socket.gethostname()
        yield listener, place.url or (f"http://[{bound}]:{port}" if ":" in bound else f"http://{bound}:{port}")


def _server(application: "Starlette", place: Place) -> "uvicorn.Server":
    """Make a server that leaves signals to us."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    return Server(
        uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=max(1, int(place.grace_s)),
        )
    )


def _closing(server: "uvicorn.Server") -> Callable[[], None]:
    def close() -> None:
        server.should_exit = True

    return close


@asynccontextmanager
async def _present(
    here: Station, agent: str, consumer: str, place: Place, is_taken: Callable[[], bool]
) -> AsyncIterator[None]:
    """Tell the bus that the agent is there, as long as somebody plays it."""
    about = {"kind": "bus", "provider": "a2a", "model": ""}
    me = myself("agent", agent, consumer, place.concurrency, about)

    async def beat() -> None:
        while True:
            if is_taken():
                await here.board.beat("agent", me(0), 3 * BEAT_S)
            await asyncio.sleep(BEAT_S / 5)

    beating = asyncio.create_task(beat(), name="heartbeat of the agent")
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)


class _OneLine(logging.Handler):
    """Writes what the SDK logs as we log: in one line, and without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        error = record.exc_info[1] if record.exc_info else None
        more = {"error": one_line(f"{type(error).__name__}: {error}")} if error else {}
        log = structlog.get_logger()
        (log.warning if record.levelno >= logging.ERROR else log.debug)(
            one_line(record.getMessage()), library=record.name, **more
        )


@contextmanager
def _sdk_logging() -> Iterator[None]:
    """Keep what the libraries log, tracebacks too, off the terminal."""
    handler = _OneLine(logging.WARNING)
    loggers = [logging.getLogger(name) for name in ("a2a", "uvicorn", "sse_starlette", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
