"""An agent on Redis itself takes all that it can get: its outbox, connections, commands. The games go on."""

import asyncio
import socket
from contextlib import suppress
from typing import Any

import pytest
from redis.exceptions import NoPermissionError, RedisError

from palaver_broker.redis.outboxes import MOST_BYTES, MOST_ENTRIES
from palaver_protocols.codec import encode
from palaver_protocols.strangers import AgentHello
from tests.security.attempts import Attempts
from tests.security.house import PATIENCE_S, House
from tests.security.players import BUS

EVE = "eve-flood"
OUT, IN = f"{BUS}out:bus/{EVE}", f"{BUS}in:bus/{EVE}"
LAST = "18446744073709551615-18446744073709551615"
ATTEMPTS = Attempts()


def flood(client: Any, commands: list[tuple[Any, ...]]) -> list[Any]:
    """Send commands in one go."""
    with client.pipeline(transaction=False) as pipe:
        for words in commands:
            pipe.execute_command(*words)
        replies: list[Any] = pipe.execute(raise_on_error=False)
        return replies


async def until_empty(house: House) -> None:
    """Wait until its outbox has been dealt with."""
    async with asyncio.timeout(PATIENCE_S):
        with house.client() as operator:
            while operator.xlen(OUT):  # noqa: ASYNC110 - what is waited for is on a server
                await asyncio.sleep(0.01)


async def fill(house: House, *entries: tuple[Any, ...]) -> None:
    """Put entries into its outbox, and play on; then nothing of them is left but what its own pace leaves there."""
    with house.client(EVE) as eve:
        await asyncio.to_thread(flood, eve, list(entries))
    await house.meanwhile()
    with house.client() as operator:
        async with asyncio.timeout(PATIENCE_S):
            while operator.xlen(OUT) > MOST_ENTRIES or (operator.memory_usage(OUT, samples=0) or 0) > MOST_BYTES:
                await house.meanwhile()
        operator.unlink(OUT)


FILLED: dict[str, tuple[tuple[Any, ...], ...]] = {
    "20,000 messages that are none": (("XADD", OUT, "*", "m", "?"),) * 20_000,
    "2,000 greetings": (("XADD", OUT, "*", "m", encode(AgentHello(key="h", agent=f"bus/{EVE}"))),) * 2000,
    "40 messages of a megabyte": (("XADD", OUT, "*", "m", b" " * 2**20),) * 40,
    "a message of 30 megabytes": (("XADD", OUT, "*", "m", b" " * 30 * 2**20),),
    "a message of 100,000 fields": (("XADD", OUT, "*", *("f", "v") * 100_000),),
    "a message without its field": (("XADD", OUT, "*", "x", "y"),),
    "a message with its field 1,000 times": (("XADD", OUT, "*", *("m", "{}") * 1000),),
    "a message under a name of a megabyte": (("XADD", OUT, "*", b"m" * 2**20, "x"),),
    "the last id that there is": (("XADD", OUT, LAST, "m", "?"),),
    "the last id, and thousands behind it": (("XADD", OUT, LAST, "m", "?"), *(("XADD", OUT, "*", "m", "?"),) * 3000),
    "a message, and all before it away": (("XADD", OUT, "MAXLEN", "0", "*", "m", "?"),) * 100,
}
for _name, _entries in FILLED.items():
    ATTEMPTS(f"put into its outbox {_name}", *_entries)(fill)


@ATTEMPTS("hold 200 connections, each waiting for ever")
async def _(house: House) -> None:
    word = f"*3\r\n$4\r\nAUTH\r\n${len(EVE)}\r\n{EVE}\r\n${len(house.tokens[EVE])}\r\n{house.tokens[EVE]}\r\n".encode()
    wait = f"*6\r\n$5\r\nXREAD\r\n$5\r\nBLOCK\r\n$1\r\n0\r\n$7\r\nSTREAMS\r\n${len(IN)}\r\n{IN}\r\n$1\r\n$\r\n".encode()
    held = []
    for _ in range(200):
        held.append(socket.socket(socket.AF_UNIX))
        held[-1].connect(str(house.server.socket))
        held[-1].sendall(word + wait)
    await house.meanwhile()
    await house.meanwhile()
    for each in held:
        each.close()


@ATTEMPTS("ask for its inbox 5,000 times, and read nothing of it")
async def _(house: House) -> None:
    with house.client(EVE) as eve:
        connection = eve.connection_pool.get_connection()
        packed = connection.pack_commands([("XREAD", "STREAMS", IN, "0-0")] * 5000)
        connection._sock.settimeout(1.0)
        with suppress(TimeoutError, OSError):
            for part in packed:
                connection._sock.sendall(part)
        await house.meanwhile()
        connection.disconnect()


@ATTEMPTS("ask for what it may not have 20,000 times in one go")
async def _(house: House) -> None:
    with house.client(EVE) as eve:
        said = await asyncio.to_thread(flood, eve, [("XREAD", "STREAMS", f"{BUS}in:bus/rae", "0-0")] * 20_000)
    assert {type(each) for each in said} == {NoPermissionError}
    await house.meanwhile()


@ATTEMPTS("guess 5,000 passwords of a player on one connection")
async def _(house: House) -> None:
    guesses = b"".join(f"AUTH rae rae.{number}\r\n".encode() for number in range(5000))
    reader, writer = await asyncio.open_unix_connection(str(house.server.socket))
    writer.write(guesses)
    said = b""
    with suppress(ConnectionError):  # newer servers cut off whoever has not logged in and makes them say so much
        async with asyncio.timeout(PATIENCE_S):
            while said.count(b"\n") < 5000 and (more := await reader.read(65536)):
                said += more
    assert {line[:10] for line in said.splitlines()[:-1]} <= {b"-WRONGPASS"}
    await house.meanwhile()
    writer.transport.abort()


@ATTEMPTS("call itself by the name of a service")
async def _(house: House) -> None:
    with house.client(EVE) as eve:
        eve.execute_command("HELLO", "2", "SETNAME", "palaver-porter")
        await house.meanwhile()


@ATTEMPTS("have 20 megabytes said back to it, again and again")
async def _(house: House) -> None:
    with house.client(EVE) as eve:
        for _ in range(5):
            eve.execute_command("PING", b"x" * 20 * 2**20)
        await house.meanwhile()


@ATTEMPTS("get a picture that is no picture's name")
async def _(house: House) -> None:
    with house.client(EVE) as eve:
        for name in ("", "*", "../log:x", "0" * 100_000, "\0", "\xff"):
            assert eve.get(f"{BUS}blob:{name}") is None


BYTES = {
    "a command of 10^9 words": b"*1000000000\r\n",
    "a word of 10^12 bytes": b"*1\r\n$1000000000000\r\n",
    "a command that never ends": b"*3\r\n$4\r\nXADD\r\n",
    "a line of a megabyte": b"x" * 2**20,
    "HTTP": b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
}


async def by_hand(house: House, data: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(house.server.socket))
        with suppress(OSError):
            client.sendall(data)
        await house.meanwhile()


for _name, _data in BYTES.items():
    ATTEMPTS(f"send, before it logs in, {_name}", _data)(by_hand)


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_it_does_not_work(house: House, attempt: str) -> None:
    house.guest(EVE, "redis")
    with house.harmless():
        await ATTEMPTS[attempt](house)


async def test_it_can_speak_as_ever_afterwards(house: House) -> None:
    house.guest(EVE, "redis")
    with house.client(EVE) as eve:
        try:
            eve.xadd(OUT, {"m": b"?"})
        except RedisError as error:
            pytest.fail(f"its outbox takes nothing any more: {error}")
    await until_empty(house)


def test_the_games_end_as_they_would_have(house: House) -> None:
    house.finish()
