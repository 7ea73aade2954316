"""The ways in by the gateway: a WebSocket, and polls."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import aiohttp
import pytest
from aiohttp import WSMsgType

from palaver_broker import Broker
from palaver_broker.redis import RedisBroker
from palaver_protocols.strangers import stranger
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.redis_server import fresh_bus
from tests.strangers.lines import Line, LostError, Way, end

__all__ = ["by_polls", "by_socket"]


class AtASocket(Line):
    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__()
        self._ws = ws

    async def say(self, raw: bytes) -> None:
        try:
            await self._ws.send_frame(raw, WSMsgType.TEXT)
        except ConnectionError as error:
            raise LostError from error

    async def read(self) -> None:
        async for frame in self._ws:
            self.news.put_nowait(frame.json())
        self.news.put_nowait(None)


@asynccontextmanager
async def a_place(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Broker, Place]]:
    book = Book()
    token = book.add("clumsy")
    async with RedisBroker(fresh_bus(request.getfixturevalue("redis_server"))) as broker:
        async with a_gateway(broker, book) as place:
            place.tokens = {"clumsy": token}
            yield broker, place


@asynccontextmanager
async def by_socket(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    agent = stranger("clumsy")

    @asynccontextmanager
    async def come(place: Place) -> AsyncIterator[Line]:
        async with place.line("clumsy") as there:
            await there.hello()
            line = AtASocket(there.ws)
            reading = asyncio.create_task(line.read())
            try:
                yield line
            finally:
                await end(reading)
                if there.ws._response.connection is not None:
                    there.drop()

    async with a_place(request) as (broker, place):
        yield Way(broker, agent, partial(come, place))


async def _piece_by_piece(raw: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(raw), 64 * 1024):
        yield raw[start : start + 64 * 1024]


class ByPolls(Line):
    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    async def say(self, raw: bytes) -> None:
        try:
            _, notice = await self._place.post(_piece_by_piece(raw), "clumsy")
        except aiohttp.ClientError as error:
            raise LostError from error
        self.news.put_nowait(notice)

    async def read(self) -> None:
        again = 1
        while True:
            status, page = await self._place.poll("clumsy", again=again)
            if status == 200:
                again = 0
                for question in page["requests"]:
                    self.news.put_nowait(question)
            else:  # too fast, after a flood
                await asyncio.sleep(1)


@asynccontextmanager
async def by_polls(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    @asynccontextmanager
    async def come(place: Place) -> AsyncIterator[Line]:
        line = ByPolls(place)
        reading = asyncio.create_task(line.read())
        try:
            yield line
        finally:
            await end(reading)

    async with a_place(request) as (broker, place):
        yield Way(broker, stranger("clumsy"), partial(come, place))
