"""A way to a server on which things go wrong."""

import asyncio
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Proxy"]


class Proxy:
    """Stands between a link and a server on a unix socket.

    Attributes:
        received: what came over each connection, oldest first.
        passing: replies go through while this is set.
        lose_after: once this stands in what has come over a connection, its next reply is lost, and the connection too.
            It happens once.
        lost: is set then.
    """

    def __init__(self, server: str, *, lose_after: bytes = b"") -> None:
        self.received: list[bytes] = []
        self.passing = asyncio.Event()
        self.passing.set()
        self.lose_after = lose_after
        self.lost = asyncio.Event()
        self._path = server.removeprefix("unix://")
        self._folder = Path(tempfile.mkdtemp(prefix="rp-"))
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"unix://{self._folder}/s"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, self._folder / "s")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        shutil.rmtree(self._folder)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(self.received)
        self.received.append(b"")
        try:
            answers, requests = await asyncio.open_unix_connection(self._path)
        except OSError:
            writer.close()
            return
        up = asyncio.create_task(self._up(number, reader, requests))
        down = asyncio.create_task(self._down(number, answers, writer))
        self._tasks |= {up, down}
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            up.cancel()
            down.cancel()
            for each in (writer, requests):
                each.close()

    async def _up(self, number: int, reader: asyncio.StreamReader, requests: asyncio.StreamWriter) -> None:
        while data := await reader.read(2**20):
            self.received[number] += data
            requests.write(data)
            await requests.drain()

    async def _down(self, number: int, answers: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await answers.read(2**20):
                await self.passing.wait()
                if self.lose_after and self.lose_after in self.received[number]:
                    self.lose_after = b""
                    self.lost.set()
                    return
                writer.write(data)
                await writer.drain()
