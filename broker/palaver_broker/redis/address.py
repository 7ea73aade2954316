"""Where a server is, as its URL says, and how to connect to it.

========================================================= ==========================================================
``redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]``            a server, or any node of a cluster
``rediss://…``                                            the same behind TLS
``unix://[[USER]:PASSWORD@]/PATH[?db=DB]``                a server on this machine
``redis+sentinel://[…@]HOST[:PORT],HOST…/SERVICE[/DB]``   whatever server the sentinels call the master of SERVICE
========================================================= ==========================================================

``?bus=NAME`` chooses one of several buses on a server. User and password are the server's; sentinels are asked without.
"""

import asyncio
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import NoPermissionError

from palaver_protocols.errors import BrokerError

__all__ = ["Address", "Node"]

Node = tuple[str, int]
"""Host and port."""

CONNECT_S = 5.0
"""How long connecting may take, with the greetings. A server that is alive answers them within milliseconds."""
DEFAULT_BUS = "palaver"
FILES = ("ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile")
TLS = frozenset((*FILES, "ssl_cert_reqs", "ssl_check_hostname"))
OURS = frozenset(("bus", "db"))
URL_MEND = "like redis://:PASSWORD@HOST:6379/0?bus=NAME, with %-escapes for / @ : # ? % in user and password"


@dataclass(frozen=True)
class Address:
    """Where a server is.

    Attributes:
        where: host and port or path, for people; never a password.
        prefix: what every key of the bus begins with. The braces put all of a bus into one hash slot of a cluster.
    """

    where: str
    prefix: str
    _options: dict[str, Any] = field(repr=False)  # has the password
    _sentinels: Sequence[Node] = ()
    _service: str = ""

    @classmethod
    def of(cls, url: str) -> "Address":
        """Read a URL.

        Raises:
            BrokerError: it is none of ours. Says what is wrong with it, but does not quote the part with the password.
        """
        parts = _split(url)
        sentinels = _nodes(parts) if parts.scheme == "redis+sentinel" else ()
        service, _, database = parts.path.strip("/").partition("/") if sentinels else ("", "", parts.path.strip("/"))
        where = ",".join(f"{host}:{port}" for host, port in sentinels) or _where(parts)
        query = _query(parts, where)
        if sentinels and not service:
            raise BrokerError(f"the broker's URL for {where} names no service", mend="redis+sentinel://HOST/SERVICE")
        if parts.scheme != "unix" and database and not database.isdecimal():
            raise BrokerError(f"{database!r} is no database of {where}", mend="its databases are numbered from 0")
        bus = query.pop("bus", DEFAULT_BUS)
        if not re.fullmatch(r"[\w.-]{1,64}", bus, re.ASCII):
            raise BrokerError(f"{bus!r} is no name for a bus", mend="use up to 64 letters, digits, '.', '_' and '-'")
        plain = parts._replace(query=urlencode(query))
        if sentinels:
            login, at, _ = parts.netloc.rpartition("@")
            plain = plain._replace(scheme="redis", netloc=f"{login}{at}sentinel", path=f"/{database}")
        try:
            options = dict(parse_url(plain.geturl()))
        except ValueError as error:
            raise BrokerError(f"the broker's URL for {where} is wrong: {error}", mend=URL_MEND) from None
        return cls(where, f"{{{bus}}}:", options, sentinels, service)

    @property
    def by_sentinels(self) -> bool:
        """Whether another connection may well lead to another server."""
        return bool(self._sentinels)

    async def connect(self, name: str, moved: Node | None, timeout: float) -> AbstractConnection:
        """Connect, log in, and have a first command answered.

        Args:
            name: what the server shall call us.
            moved: the node that another node of the cluster has sent us to.
            timeout: seconds, at most :data:`CONNECT_S`.

        Raises:
            RedisError, OSError: there is no server, or none that takes us now.
        """
        async with asyncio.timeout(min(timeout, CONNECT_S)):
            node = await self._master() if self._sentinels else moved
            connection = self._connection(name, node)
            try:
                await connection.connect()  # type: ignore[no-untyped-call]  # as redis-py has it
                await _have_answered(connection)
            except BaseException:
                await connection.disconnect(nowait=True)
                raise
        return connection

    def _connection(self, name: str, node: Node | None) -> AbstractConnection:
        options = self._options.copy()
        kind: type[AbstractConnection] = options.pop("connection_class", Connection)
        if node is not None:
            if options.pop("path", None):
                kind = Connection
            host, options["port"] = node
            options["host"] = host or options.get("host", "localhost")  # a node may not know its own name
        # Errors go to the link, which knows what may be sent again; replies have one shape, whatever redis-py prefers.
        return kind(
            **options,
            client_name=name,
            socket_timeout=None,
            socket_connect_timeout=CONNECT_S,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            legacy_responses=True,
            driver_info=None,
        )

    async def _master(self) -> Node:
        patience = CONNECT_S / (len(self._sentinels) + 1)
        asked = {"socket_timeout": patience, "socket_connect_timeout": patience, "retry": Retry(NoBackoff(), 0)}
        sentinels = Sentinel(self._sentinels, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]  # as redis-py has it
        async with sentinels:
            host, port = await sentinels.discover_master(self._service)
        return str(host), int(port)


async def _have_answered(connection: AbstractConnection) -> None:
    """Have a command answered: a server that loads its data takes us in, and then refuses whatever we ask."""
    await connection.send_command("PING")
    with suppress(NoPermissionError):  # it is ready, though not for this
        await connection.read_response(timeout=math.inf)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        if parts.scheme != "redis+sentinel":
            _ = parts.port  # raises, and its message may quote a password
    except ValueError:
        raise BrokerError("the broker's URL is wrong: its host or port cannot be read", mend=URL_MEND) from None
    if parts.scheme not in ("redis", "rediss", "unix", "redis+sentinel"):
        raise BrokerError(
            f"redis is not at {parts.scheme}://", mend="but at redis://, rediss://, unix://, redis+sentinel://"
        )
    if parts.fragment or "@" in parts.query or ("@" in parts.path and parts.scheme != "unix"):
        # Most likely all that we take for host and path is a password: quote nothing of it.
        raise BrokerError("the broker's URL has an '@' or '#' after its host", mend=URL_MEND)
    if not (parts.path if parts.scheme == "unix" else parts.hostname):
        raise BrokerError("the broker's URL names no server", mend=URL_MEND)
    return parts


def _where(parts: SplitResult) -> str:
    if parts.scheme == "unix":
        return unquote(parts.path)
    host = parts.hostname or ""
    tls = " with TLS" if parts.scheme == "rediss" else ""
    return f"[{host}]:{parts.port or 6379}{tls}" if ":" in host else f"{host}:{parts.port or 6379}{tls}"


def _nodes(parts: SplitResult) -> list[Node]:
    nodes = []
    for each in parts.netloc.rpartition("@")[2].split(","):
        host, _, port = each.rpartition(":") if ":" in each else (each, "", "26379")
        if not host or not port.isdecimal():
            raise BrokerError("the broker's URL names a sentinel that is none", mend="HOST:PORT,HOST:PORT/SERVICE")
        nodes.append((host.strip("[]"), int(port)))
    return nodes


def _query(parts: SplitResult, where: str) -> dict[str, str]:
    known = OURS | TLS if parts.scheme == "rediss" else OURS
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name, value in query.items():
        if name not in known:
            raise BrokerError(f"the broker's URL for {where} sets {name!r}", mend=f"it may set {sorted(known)}")
        if name == "ssl_cert_reqs" and value not in ("none", "optional", "required"):
            raise BrokerError(f"ssl_cert_reqs of {where} is {value!r}", mend="it is none, optional or required")
        if name in FILES and not Path(value).exists():
            raise BrokerError(f"there is no {value!r}, which the broker's URL for {where} names as {name}")
    return query
