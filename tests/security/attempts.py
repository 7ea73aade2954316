"""Things that must not work: each has a name, and is a function that tries it and says what must come of it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.security.house import House

__all__ = ["Attempts", "Bait", "bait"]

Attempt = Callable[[House], Awaitable[None]]


class Attempts(dict[str, Attempt]):
    """Attempts by name."""

    def __call__(self, name: str, *words: Any) -> Callable[[Callable[..., Awaitable[None]]], Any]:
        """Add one: the decorated function, called with the house and ``words``."""
        assert name not in self, name

        def add(attempt: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
            async def with_words(house: House) -> None:
                await attempt(house, *words)

            self[name] = with_words
            return attempt

        return add


@dataclass
class Bait:
    """A server that nobody must call; ``called`` counts the connections."""

    url: str
    port: int
    called: list[bytes] = field(default_factory=list)


@asynccontextmanager
async def bait() -> AsyncIterator[Bait]:
    """Listen; on leaving, see that nobody has called."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        found = Bait(f"http://127.0.0.1:{port}/secret", port)

        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.called.append(await reader.read(1000))
            writer.close()

        async with await asyncio.start_server(called, sock=listener):
            yield found
    assert found.called == []
