"""The proxy that breaks, in front of a server that keeps what it was asked."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.chaos.proxy import BreakingProxy


class Echo(asyncio.Protocol):
    """Sends back what it gets."""

    def __init__(self, asked: list[bytes]) -> None:
        self._asked = asked

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._asked.append(data)
        self._transport.write(data)


@pytest.fixture
async def asked() -> list[bytes]:
    return []


@pytest.fixture
async def port(asked: list[bytes]) -> AsyncIterator[int]:
    async with await asyncio.get_running_loop().create_server(lambda: Echo(asked), "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def exchange(port: int, line: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(line)
    try:
        return await reader.readline()
    finally:
        writer.close()


async def test_a_request_whose_reply_is_lost_has_been_heard(port: int, asked: list[bytes]) -> None:
    async with BreakingProxy("127.0.0.1", port, seed=0, share=1.0) as proxy:
        replies = [await exchange(proxy.port, b"hello world\n") for _ in range(20)]
    assert asked == [b"hello world\n"] * 20
    assert set(replies) == {b"", b"hello "}
    assert proxy.broken == 20


async def test_what_is_not_to_be_lost_comes_through(port: int) -> None:
    async with BreakingProxy("127.0.0.1", port, seed=0, share=0.0) as proxy:
        assert await exchange(proxy.port, b"hello\n") == b"hello\n"
    assert proxy.broken == 0


async def test_where_nobody_listens_the_line_ends_at_once() -> None:
    async with BreakingProxy("127.0.0.1", 1, seed=0, share=0.0) as proxy:
        assert await exchange(proxy.port, b"hello\n") == b""
