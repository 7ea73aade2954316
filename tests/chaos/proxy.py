"""A way to the server that breaks between request and reply: what was asked has been done, and nobody hears of it."""

import asyncio
from random import Random
from typing import Self

__all__ = ["BreakingProxy"]

CHUNK = 65_536


class BreakingProxy:
    """A TCP proxy in front of a server. Of its replies a share is lost, whole or from the middle on, with the line.

    Use it as an async context manager.

    Args:
        host: where the server is.
        port: likewise.
        seed: decides which replies are lost.
        share: how many of them; every reply is as likely as any other.
    """

    def __init__(self, host: str, port: int, *, seed: int, share: float) -> None:
        self.port = 0
        self.broken = 0
        """Connections broken so far."""
        self._server_at = host, port
        self._random = Random(seed)
        self._share = share
        self._open: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.transport.abort()
        await asyncio.gather(*self._serving)

    async def _serve(self, asked: asyncio.StreamReader, replied: asyncio.StreamWriter) -> None:
        """Join two lines; when one of them ends, so does the other."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        self._open.add(replied)
        try:
            replies, asks = await asyncio.open_connection(*self._server_at)
        except OSError:
            replied.transport.abort()
            return
        self._open.add(asks)
        await asyncio.gather(self._there(asked, asks), self._back(replies, replied))
        for writer in (replied, asks):
            writer.transport.abort()
            self._open.discard(writer)

    async def _there(self, asked: asyncio.StreamReader, asks: asyncio.StreamWriter) -> None:
        while chunk := await _read(asked):
            asks.write(chunk)
        asks.transport.abort()

    async def _back(self, replies: asyncio.StreamReader, replied: asyncio.StreamWriter) -> None:
        while chunk := await _read(replies):
            if self._random.random() < self._share:
                self.broken += 1
                replied.write(chunk[: len(chunk) // 2 * self._random.randrange(2)])
                break
            replied.write(chunk)
        replied.close()  # not aborted: what was written arrives


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Read what there is; nothing when the line is broken, whoever broke it."""
    try:
        return await stream.read(CHUNK)
    except OSError:
        return b""
