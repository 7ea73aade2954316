"""Where the pages listen: so many connections at a time, none of them idle for long, and every answer is one of ours.

Whoever can connect can open connections, token or not. The pages take a share of what the process may open, and never
more, so that a run that is played beside them has the rest. An event loop's own server takes in hundreds before it
looks; this one takes them in one by one.
"""

import asyncio
import resource
import socket
from contextlib import suppress

from aiohttp import web

from palaver_broker.unread import server_log, what_is_wrong

from .answering import json_error
from .doors import HEADERS

__all__ = ["MOST", "Site", "most_connections"]

IDLE_S = 30.0
"""How long a connection may be without a whole request: at its beginning, or between two."""
MOST = 2000
"""Connections at a time, where the process may open as many."""
BACKLOG = 128
AWAY_S = 0.5
"""How soon we try again where the system has nothing left to give."""


def most_connections() -> int:
    """Return how many connections the pages take: half of the files that this process may open, at most."""
    may_open, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if may_open == resource.RLIM_INFINITY else min(MOST, may_open // 2)


class Site(web.BaseSite):
    """An address at which an application is served.

    Args:
        runner: has the application; it is set up.
        host: where it listens; None: on every interface.
        port: 0 takes any free one.
        most: connections at a time; None: see :func:`most_connections`.
    """

    def __init__(self, runner: web.AppRunner, host: str | None, port: int, most: int | None = None) -> None:
        super().__init__(runner)
        self._host, self._port = host, port
        self._most = most_connections() if most is None else most
        self._log = server_log()
        self._listening: list[asyncio.Task[None]] = []

    @property
    def name(self) -> str:
        """Where it is."""
        return f"http://{self._host or ''}:{self._port}"

    async def start(self) -> None:
        """Begin to listen.

        Raises:
            OSError: the address cannot be had.
        """
        await super().start()
        loop = asyncio.get_running_loop()
        # The server finds and binds the sockets; taking connections in is our own business.
        self._server = await loop.create_server(asyncio.Protocol, self._host, self._port, start_serving=False)
        for bound in self._server.sockets:
            listener = bound.dup()
            listener.setblocking(False)
            listener.listen(BACKLOG)
            self._listening.append(loop.create_task(self._take_in(listener), name="the pages' door"))

    async def stop(self) -> None:
        """Take nobody in any more."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await super().stop()

    async def _take_in(self, listener: socket.socket) -> None:
        loop, server = asyncio.get_running_loop(), self._runner.server
        assert server is not None, "the runner is set up"
        with listener:
            while True:
                try:
                    connection, _ = await loop.sock_accept(listener)
                except OSError:  # whoever came has left again, or there is nothing left to open
                    await asyncio.sleep(AWAY_S)
                    continue
                if len(server.connections) >= self._most:
                    connection.close()
                else:
                    with suppress(OSError):
                        await loop.connect_accepted_socket(self._protocol, connection)
                await asyncio.sleep(0)  # a flood of them does not keep others from their work

    def _protocol(self) -> asyncio.Protocol:
        server = self._runner.server
        assert server is not None, "the runner is set up"
        return _Connected(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]  # as AppRunner would give it: there is none
            logger=self._log,
            auto_decompress=False,  # what is small on the way must not grow here
            keepalive_timeout=IDLE_S,
        )


class _Connected(web.RequestHandler):
    """One connection. What cannot be read comes to no page; it is answered like everything else."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Log it as the server does, and answer in one line, without what was sent and what we run on."""
        super().handle_error(request, status, exc, message)
        said = "a bug" if status == 500 else what_is_wrong(message or "this cannot be read")
        response = json_error(said, "", status)
        response.headers.update(HEADERS)
        response.headers["Server"] = "palaver"  # else the versions of what we run on
        response.force_close()
        return response
