"""Over HTTP and WebSocket: tokens, paths, broken requests, smuggling, bombs and floods. The games never notice."""

import asyncio
import base64
import gzip
import os
import re
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType
from structlog.testing import capture_logs

from palaver_broker.redis.admitting import renew_token, turn_out
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.codec import encode
from palaver_protocols.strangers import AgentHello
from tests.security.attempts import Attempts, bait
from tests.security.doors import head
from tests.security.house import FEW, PATIENCE_S, House

EVE, FLO = "eve-web", "flo-web"
ATTEMPTS = Attempts()


def port_of(house: House) -> int:
    return int(house.url.rpartition(":")[2])


async def status(house: House, path: str, method: str = "GET", **words: Any) -> int:
    """Ask as a client library would; return the status."""
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as web,
        web.request(method, f"{house.url}{path}", **words) as page,
    ):
        text = await page.text()
        assert "Traceback" not in text
        return page.status


async def statuses(house: House, data: bytes, *, first: bool = False) -> list[int]:
    """Send bytes as they are; return the status of each answer until the server closes, or of the first."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(house))
    writer.write(data)
    with suppress(ConnectionError):
        await writer.drain()
    found = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while more := await reader.read(65536):
                found += more
                if first and b"\r\n" in found:
                    break
    except ConnectionError:
        pass  # what it has not read makes a reset of its leave
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    assert b"Traceback" not in found
    return [int(each) for each in re.findall(rb"HTTP/1\.[01] (\d{3}) ", found)]


def request(house: House, *lines: str, to: str = "GET /v1/agent/requests?wait=0", body: bytes = b"") -> bytes:
    """Write a request of eve's by hand."""
    known = (f"{to} HTTP/1.1", "Host: x", f"Authorization: Bearer {house.tokens[EVE]}", *lines)
    return "\r\n".join([*known, "", ""]).encode("latin-1") + body


# --- tokens ---

TOKENS = {
    "no token": {},
    "an empty token": {"Authorization": "Bearer "},
    "the word of another scheme": {"Authorization": "Basic OWN"},
    "a token as a cookie": {"Cookie": "token=OWN; Authorization=Bearer OWN"},
    "a token of another header": {"X-Authorization": "Bearer OWN"},
    "half of its token": {"Authorization": "Bearer HALF"},
    "a little more than its token": {"Authorization": "Bearer OWNx"},
    "the secret of its token under a player's name": {"Authorization": "Bearer wes.SECRET"},
    "the secret of its token under no name": {"Authorization": "Bearer .SECRET"},
    "a player's token that opens another door": {"Authorization": "Bearer RAE"},
    "the digest that is kept of a player's token": {"Authorization": "Bearer wes.DIGEST"},
    "a name that leads out of a folder": {"Authorization": "Bearer ../wes.SECRET"},
    "a token of 8,000 letters": {"Authorization": "Bearer wes." + "x" * 8000},
    "a token with letters beyond ASCII": {"Authorization": "Bearer wes.\u00e9\u00ff" + "x" * 40},
}


async def turned_away(house: House, headers: dict[str, str]) -> None:
    async def digest() -> str:
        return (await Strangers(house.broker.link).known("wes")).digest

    own = house.tokens[EVE]
    known = {"OWN": own, "HALF": own[:-20], "SECRET": own.partition(".")[2], "RAE": house.tokens["rae"]}
    known["DIGEST"] = await asyncio.to_thread(house.do, digest())
    for word, said in known.items():
        headers = {name: value.replace(word, said) for name, value in headers.items()}
    assert await status(house, "/v1/agent/requests?wait=0", headers=headers) in (400, 401)
    assert await status(house, "/v1/agent/messages", "POST", headers=headers, data=b"{}") in (400, 401)


for _name, _headers in TOKENS.items():
    ATTEMPTS(f"show {_name}", _headers)(turned_away)


@ATTEMPTS("show its token in the address")
async def _(house: House) -> None:
    own = house.tokens[EVE]
    assert await status(house, f"/v1/agent/requests?wait=0&token={own}&access_token={own}") == 401


@ATTEMPTS("show a wrong token and its own behind it")
async def _(house: House) -> None:
    own = f"Authorization: Bearer {house.tokens[EVE]}"
    said = f"GET /v1/agent/requests?wait=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wes.x\r\n{own}"
    assert await statuses(house, f"{said}\r\nConnection: close\r\n\r\n".encode()) in ([400], [401])


@ATTEMPTS("ask for a player's questions by every name it can think of")
async def _(house: House) -> None:
    headers = head(house, EVE) | {"X-Agent": "bus/wes", "Agent": "wes", "Cookie": "agent=bus/wes", "From": "bus/wes"}
    query = "wait=9&again=1&agent=bus/wes&name=wes&consumer=gate"
    async with (
        aiohttp.ClientSession() as web,
        web.get(f"{house.url}/v1/agent/requests?{query}", headers=headers) as page,
    ):
        assert {each["agent"] for each in (await page.json())["requests"]} == {f"bus/{EVE}"}


@ATTEMPTS("come from a page in a browser")
async def _(house: House) -> None:
    headers = head(house, EVE) | {"Origin": "https://evil.example"}
    assert await status(house, "/v1/agent/requests?wait=0", headers=headers) == 403
    assert await status(house, "/v1/agent/messages", "POST", headers=headers, data=b"{}") == 403


@ATTEMPTS("stay connected when its token is another one")
async def _(house: House) -> None:
    before = head(house, "eve-rotated")
    async with aiohttp.ClientSession() as web, web.ws_connect(f"{house.url}/v1/agent", headers=before) as ws:
        token = await house.meanwhile(renew_token(house.broker.link, "eve-rotated"))
        assert token is not None
        house.tokens["eve-rotated"] = token
        assert await closed(ws) == 4001
    assert await status(house, "/v1/agent/requests?wait=0", headers=before) == 401
    assert await status(house, "/v1/agent/requests?wait=0", headers=head(house, "eve-rotated")) == 200


@ATTEMPTS("stay connected when it was turned out")
async def _(house: House) -> None:
    client = house.client("eve-revoked")
    client.ping()
    async with (
        aiohttp.ClientSession() as web,
        web.ws_connect(f"{house.url}/v1/agent", headers=head(house, "eve-revoked")) as ws,
    ):
        await house.meanwhile(turn_out(house.broker.link, "eve-revoked"))
        with pytest.raises(Exception, match=r"invalid username-password|Connection"):
            client.ping()
        client.close()
        assert await closed(ws) == 4001
    assert await status(house, "/v1/agent/requests?wait=0", headers=head(house, "eve-revoked")) == 401


# --- paths, methods, numbers ---

PATHS = {
    "a path out of the pictures": "/v1/blobs/../../etc/passwd",
    "a path out of the pictures, in escapes": "/v1/blobs/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "a path out of the pictures, in escapes of escapes": "/v1/blobs/%252e%252e%252fetc%252fpasswd",
    "a path with NUL": "/v1/blobs/" + "0" * 63 + "%00",
    "a picture that nobody has": "/v1/blobs/" + "0" * 64,
    "a picture by a pattern": "/v1/blobs/*",
    "a picture by an address": "/v1/blobs/http%3A%2F%2F127.0.0.1%2F",
    "another version": "/v2/agent/requests",
    "the pages of a service": "/metrics",
    "another's place": "/v1/agent/wes/requests",
    "a path of 7,000 letters": "/v1/" + "a" * 7000,
}


async def nothing_there(house: House, path: str) -> None:
    said = request(house, "Connection: close", to=f"GET {path}")
    assert await statuses(house, said) in ([404], [400])


for _name, _path in PATHS.items():
    ATTEMPTS(f"ask for {_name}", _path)(nothing_there)


@ATTEMPTS("ask for a picture that a player was sent")
async def _(house: House) -> None:
    digest = await house.meanwhile(house.broker.blobs.put(b"\x89PNG of a player"))
    assert await status(house, f"/v1/blobs/{digest}", headers=head(house, EVE)) == 404


METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "HEAD")


async def no_such_method(house: House, method: str) -> None:
    said = request(house, "Connection: close", to=f"{method} /v1/agent/requests?wait=0")
    assert await statuses(house, said) in ([405], [400], [404])


for _name in METHODS:
    ATTEMPTS(f"use the method {_name}", _name)(no_such_method)

QUERIES = ("wait=-1", "wait=nan", "wait=1e999x", "max=-1", "max=0", "max=1e-9", "again=yes", "wait=0&max=%00")


async def no_number(house: House, query: str) -> None:
    assert await status(house, f"/v1/agent/requests?{query}", headers=head(house, EVE)) == 400


for _name in QUERIES:
    ATTEMPTS(f"poll with {_name}", _name)(no_number)


@ATTEMPTS("poll for 1e308 questions")
async def _(house: House) -> None:
    query = "wait=0&max=1e308&again=1"
    assert await status(house, f"/v1/agent/requests?{query}", headers=head(house, EVE)) == 200


@ATTEMPTS("have the gateway call somebody else, by a whole address")
async def _(house: House) -> None:
    async with bait() as trap:
        said = request(house, "Connection: close", to=f"GET {trap.url}")
        assert await statuses(house, said) in ([404], [400])


@ATTEMPTS("have the gateway call somebody else, by CONNECT")
async def _(house: House) -> None:
    async with bait() as trap:
        assert await statuses(house, request(house, "Connection: close", to=f"CONNECT 127.0.0.1:{trap.port}")) in (
            [404],
            [400],
            [405],
        )


# --- requests that are none, and one that hides in another ---

HIDDEN = b"POST /v1/agent/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
BROKEN: dict[str, tuple[tuple[str, ...], bytes]] = {
    "a length and chunks": (("Content-Length: 5", "Transfer-Encoding: chunked"), b"0\r\n\r\n" + HIDDEN),
    "chunks and a length": (("Transfer-Encoding: chunked", "Content-Length: 5"), b"0\r\n\r\n" + HIDDEN),
    "two lengths": (("Content-Length: 2", "Content-Length: 100"), b"{}" + HIDDEN),
    "a length below nothing": (("Content-Length: -1",), HIDDEN),
    "a length with a sign": (("Content-Length: +2",), b"{}" + HIDDEN),
    "a length in hex": (("Content-Length: 0x2",), b"{}" + HIDDEN),
    "chunks of another kind": (("Transfer-Encoding: xchunked",), b"0\r\n\r\n" + HIDDEN),
    "chunks before the last": (("Transfer-Encoding: chunked, identity",), b"0\r\n\r\n" + HIDDEN),
    "a chunk whose length is none": (("Transfer-Encoding: chunked",), b"zz\r\n{}\r\n0\r\n\r\n" + HIDDEN),
    "a chunk with a length of 100 digits": (("Transfer-Encoding: chunked",), b"f" * 100 + b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk below nothing": (("Transfer-Encoding: chunked",), b"-1\r\n{}\r\n0\r\n\r\n" + HIDDEN),
    "a header with a space before its colon": (("Content-Length : 2",), b"{}" + HIDDEN),
    "a header in two lines": (("X: a", " Content-Length: 2"), b"{}" + HIDDEN),
    "a header with NUL": (("X: a\0b",), b""),
    "a header without a name": ((": x",), b""),
}


async def refused_as_broken(house: House, lines: tuple[str, ...], body: bytes) -> None:
    said = request(house, *lines, to="POST /v1/agent/messages", body=body)
    found = await statuses(house, said)
    assert found[:1] == [400], found
    assert len(found) == 1, "what follows was taken for a request"


for _name, (_lines, _body) in BROKEN.items():
    ATTEMPTS(f"send {_name}", _lines, _body)(refused_as_broken)

GARBAGE = {
    "no HTTP at all": b"hello?\r\n\r\n",
    "a greeting of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a greeting of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "a version of the future": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "10,000 headers": b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: y\r\n" % i for i in range(10_000)) + b"\r\n",
    "a header of a megabyte": b"GET / HTTP/1.1\r\nX: " + b"y" * 2**20 + b"\r\n\r\n",
    "an address of a megabyte": b"GET /" + b"y" * 2**20 + b" HTTP/1.1\r\n\r\n",
    "a line that never ends": b"GET " * 100_000,
    "a commandment of Redis": b"*1\r\n$8\r\nFLUSHALL\r\n",
}


async def garbage(house: House, data: bytes) -> None:
    assert await statuses(house, data) in ([400], [404], [431], [414], [505], [])


for _name, _data in GARBAGE.items():
    ATTEMPTS(f"send {_name}", _data)(garbage)


@ATTEMPTS("fill the log with 100 broken requests, and forge a line of it")
async def _(house: House) -> None:
    with capture_logs() as logs:
        for _ in range(100):
            assert await statuses(house, b"GET / HTTP/1.1\r\nX: \0\x1b[2J\n{}\r\n\r\n") == [400]
    said = [entry for entry in logs if entry["event"] == "requests that cannot be read"]
    assert len(said) < 10
    assert all(entry["latest"].isprintable() for entry in said)


# --- bodies ---


@ATTEMPTS("post what unpacks to 100 MB, by gzip")
async def _(house: House) -> None:
    headers = head(house, EVE) | {"Content-Encoding": "gzip"}
    bomb = gzip.compress(b" " * 100_000_000, 1)
    assert await status(house, "/v1/agent/messages", "POST", headers=headers, data=bomb) in (413, 415)


@ATTEMPTS("post what unpacks once more, by deflate and br")
async def _(house: House) -> None:
    for kind in ("deflate", "br", "gzip, gzip", "zstd"):
        headers = head(house, EVE) | {"Content-Encoding": kind}
        assert await status(house, "/v1/agent/messages", "POST", headers=headers, data=b"x" * 99) == 415


@ATTEMPTS("post without an end")
async def _(house: House) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(64):
            yield b" " * 65536

    with suppress(aiohttp.ClientConnectionError):  # it may be cut off before it has heard why
        assert await status(house, "/v1/agent/messages", "POST", headers=head(house, EVE), data=endless()) == 413


@ATTEMPTS("say that a body has 10^18 bytes")
async def _(house: House) -> None:
    said = request(house, f"Content-Length: {10**18}", to="POST /v1/agent/messages", body=b"x")
    assert await statuses(house, said, first=True) in ([413], [408])


@ATTEMPTS("post a form with a file")
async def _(house: House) -> None:
    form = aiohttp.FormData({"file": "x" * 1000})
    assert await status(house, "/v1/agent/messages", "POST", headers=head(house, EVE), data=form) == 400


# --- WebSocket ---


async def closed(ws: aiohttp.ClientWebSocketResponse) -> int | None:
    while True:
        frame = await ws.receive(timeout=PATIENCE_S)
        if frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING, WSMsgType.ERROR):
            return ws.close_code


@asynccontextmanager
async def by_hand(house: House, *lines: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a WebSocket whose frames are written by hand."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(house))
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}")
    writer.write(request(house, *upgrade, *lines, to="GET /v1/agent"))
    said = await reader.readuntil(b"\r\n\r\n")
    assert b"101 Switching" in said, said
    assert b"permessage-deflate" not in said
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def frame(first: int, payload: bytes, *, masked: bool = True, length: int | None = None) -> bytes:
    size, mask = len(payload) if length is None else length, 0x80 if masked else 0
    if size < 126:
        begin = struct.pack(">BB", first, mask | size)
    elif size < 2**16:
        begin = struct.pack(">BBH", first, mask | 126, size)
    else:
        begin = struct.pack(">BBQ", first, mask | 127, size)
    return begin + (b"\0\0\0\0" if masked else b"") + payload


TEXT, LAST, RSV1 = 1, 0x80, 0x40
FRAMES: dict[str, tuple[bytes, ...]] = {
    "without a mask": (frame(LAST | TEXT, b"{}", masked=False),),
    "compressed, though nobody has agreed to that": (frame(LAST | RSV1 | TEXT, gzip.compress(b" " * 10_000_000)),),
    "with the other reserved bits": (frame(LAST | 0x30 | TEXT, b"{}"),),
    "of an unknown kind": (frame(LAST | 0xB, b""),),
    "of 2^63 bytes": (frame(LAST | TEXT, b"x", length=2**63 - 1),),
    "of a megabyte": (frame(LAST | TEXT, b" " * 2**20),),
    "of a megabyte in 1,000 pieces": (frame(TEXT, b" " * 1024), *[frame(0, b" " * 1024)] * 1000),
    "that go on with what was not begun": (frame(LAST | 0, b"{}"),),
    "that begin anew in the middle": (frame(TEXT, b"{"), frame(LAST | TEXT, b"}")),
    "of control in pieces": (frame(0x9, b""),),
    "of control that are large": (frame(LAST | 0x9, b"x" * 200),),
    "that close with a code that is none": (frame(LAST | 0x8, struct.pack(">H", 1)),),
    "that close with one byte": (frame(LAST | 0x8, b"x"),),
    "that close with text that is none": (frame(LAST | 0x8, struct.pack(">H", 1000) + b"\xff\xfe"),),
}


async def cut_off(house: House, frames: tuple[bytes, ...]) -> None:
    async with by_hand(house, "Sec-WebSocket-Extensions: permessage-deflate") as (reader, writer):
        with suppress(ConnectionError):
            for each in frames:
                writer.write(each)
            await writer.drain()
            async with asyncio.timeout(PATIENCE_S):
                said = b""
                while b'"refused"' not in said and (more := await reader.read(65536)):
                    said += more  # its own question; then it is cut off, or told that this is no message


for _name, _frames in FRAMES.items():
    ATTEMPTS(f"send frames {_name}", _frames)(cut_off)


@ATTEMPTS("send 5,000 pings, and hear none of the pongs")
async def _(house: House) -> None:
    async with by_hand(house) as (_, writer):
        writer.write(frame(LAST | 0x9, b"x" * 100) * 5000)
        with suppress(ConnectionError):
            await writer.drain()
        await house.meanwhile()


@ATTEMPTS("open a WebSocket under a player's name")
async def _(house: House) -> None:
    own = house.tokens[EVE].partition(".")[2]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        async with aiohttp.ClientSession() as web:
            await web.ws_connect(f"{house.url}/v1/agent", protocols=("palaver.v1", f"token.wes.{own}"))
    assert refused.value.status == 401


@ATTEMPTS("open a WebSocket of another version")
async def _(house: House) -> None:
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 99", "Sec-WebSocket-Key: x")
    assert await statuses(house, request(house, *upgrade, "Connection: close", to="GET /v1/agent")) in ([400], [426])


# --- floods; each by a guest of its own, whose bucket is empty afterwards ---


@ATTEMPTS("open more connections than it may have")
async def _(house: House) -> None:
    refused, held = Counter[int](), []
    async with aiohttp.ClientSession() as web:
        for _ in range(40):
            try:
                held.append(await web.ws_connect(f"{house.url}/v1/agent", headers=head(house, f"{FLO}-1")))
            except aiohttp.WSServerHandshakeError as error:
                refused[error.status] += 1
        await house.meanwhile()
    assert (refused, len(held)) == ({429: 36}, 4)


@ATTEMPTS("wait with 200 polls at once")
async def _(house: House) -> None:
    headers = head(house, f"{FLO}-2")
    async with aiohttp.ClientSession() as web:

        async def poll() -> int:
            async with web.get(f"{house.url}/v1/agent/requests?wait=0.2", headers=headers) as page:
                return page.status

        found = await asyncio.gather(*(poll() for _ in range(200)))
    await house.meanwhile()
    assert 429 in found
    assert set(found) <= {200, 429}


@ATTEMPTS("post 600 greetings at once")
async def _(house: House) -> None:
    hello = encode(AgentHello(key="h", agent=f"bus/{FLO}-3", software="x" * 200))
    async with aiohttp.ClientSession() as web:

        async def post() -> int:
            where = f"{house.url}/v1/agent/messages"
            async with web.post(where, data=hello, headers=head(house, f"{FLO}-3")) as page:
                return page.status

        found = await asyncio.gather(*(post() for _ in range(600)))
    await house.meanwhile()
    assert found.count(200) < 400
    assert set(found) == {200, 429}


@ATTEMPTS("say 20,000 things on a socket, and listen to nothing")
async def _(house: House) -> None:
    async with (
        aiohttp.ClientSession() as web,
        web.ws_connect(f"{house.url}/v1/agent", headers=head(house, f"{FLO}-4")) as ws,
    ):

        async def flood() -> None:
            for _ in range(20_000):
                await ws.send_str("?" * 100)

        flooding = asyncio.create_task(flood())
        for _ in range(5):
            await house.meanwhile()
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        transport = ws._response.connection and ws._response.connection.transport
        assert transport is not None
        transport.abort()


@ATTEMPTS("come with 300 connections, and say a little on each")
async def _(house: House) -> None:
    begun = [await asyncio.open_connection("127.0.0.1", port_of(house)) for _ in range(300)]
    for _, writer in begun:
        writer.write(b"GET /v1/agent HTTP/1.1\r\nX-Slow: ")
    await house.meanwhile()
    assert await status(house, "/v1/agent/requests?wait=0", headers=head(house, EVE)) == 200
    for _, writer in begun:
        writer.transport.abort()


@ATTEMPTS("begin 20 bodies that do not come")
async def _(house: House) -> None:
    token = f"Authorization: Bearer {house.tokens[f'{FLO}-5']}"
    begun = [await asyncio.open_connection("127.0.0.1", port_of(house)) for _ in range(20)]
    for _, writer in begun:
        writer.write(f"POST /v1/agent/messages HTTP/1.1\r\nHost: x\r\n{token}\r\nContent-Length: 9\r\n\r\n{{".encode())
    await house.meanwhile()
    for _, writer in begun:
        writer.transport.abort()


@ATTEMPTS("ask 400 times in one go, on one connection")
async def _(house: House) -> None:
    token = f"Authorization: Bearer {house.tokens[f'{FLO}-6']}"
    one = f"GET /v1/blobs/{'0' * 64} HTTP/1.1\r\nHost: x\r\n{token}\r\n\r\n".encode()
    last = one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    found = await statuses(house, one * 400 + last)
    await house.meanwhile()
    assert set(found) <= {404, 429}


@ATTEMPTS("guess 100 tokens at once")
async def _(house: House) -> None:
    async with aiohttp.ClientSession() as web:

        async def guess(number: int) -> int:
            headers = {"Authorization": f"Bearer wes.{number:043}"}
            async with web.get(f"{house.url}/v1/agent/requests?wait=0", headers=headers) as page:
                return page.status

        assert set(await asyncio.gather(*(guess(number) for number in range(100)))) == {401}
    await house.meanwhile()


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_it_does_not_work(house: House, attempt: str) -> None:
    house.guest(EVE, "gateway")
    for name in range(1, 7):
        house.guest(f"{FLO}-{name}", "gateway")
    house.guest("eve-rotated", "gateway")
    house.guest("eve-revoked", "gateway", "redis")
    with house.harmless(every=FEW):
        await ATTEMPTS[attempt](house)


def test_the_games_end_as_they_would_have(house: House) -> None:
    house.finish()


def test_tokens_are_compared_in_constant_time() -> None:
    import inspect

    from palaver_agents.a2a import app
    from palaver_broker import strangers

    assert "hmac.compare_digest" in inspect.getsource(strangers.known_by)
    assert "hmac.compare_digest" in inspect.getsource(app.only_with)
