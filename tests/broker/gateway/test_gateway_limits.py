"""What agents must not do at the gateway, and that it harms nobody else."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType
from structlog.testing import capture_logs

from palaver_broker import Broker
from palaver_broker.buckets import Bucket
from palaver_broker.gateway import Rules
from palaver_broker.gateway import app as gateway_app
from palaver_broker.gateway import listening as listening_module
from palaver_broker.gateway import pages as pages_module
from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import AgentHello, Limits
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.support import a_reply, a_request, ask, until

HELLO = AgentHello(key="h", agent="bus/kim")
PICTURE = {"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}


def a_question(key: str = "k0") -> TurnRequest:
    return a_request(key, agent="bus/kim")


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(encode(a_reply(a_question()))), **changes}).encode()


BAD = {
    "not JSON": (b"hello?", "not_json", 400),
    "half of it": (encode(HELLO)[:-5], "not_json", 400),
    "no UTF-8": (b'{"type": "\xff"}', "not_json", 400),
    "nothing": (b"", "not_json", 400),
    "a list": (b"[1]", "malformed", 400),
    "another type": (b'{"type": "turn.request"}', "malformed", 400),
    "version": (changed(version="2.0"), "version", 400),
    "field missing": (b'{"type":"agent.hello","key":"h"}', "malformed", 400),
    "other agent": (changed(agent="bus/pat"), "mismatch", 403),
    "other turn": (changed(turn=7), "mismatch", 403),
    "a picture": (
        changed(
            parts=[{"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}]
        ),
        "not_text",
        400,
    ),
    "no question of it": (changed(key="another"), "closed", 409),
    "deep": (b"[" * 100_000, "not_json", 400),
}


@pytest.mark.parametrize("case", BAD)
async def test_what_cannot_be_taken_is_refused_and_does_no_harm(broker: Broker, place: Place, case: str) -> None:
    raw, reason, status = BAD[case]
    await ask(broker, a_question())
    async with place.line() as line:
        assert (await line.question()).key == "k0"
        await line.ws.send_frame(raw, WSMsgType.TEXT)
        assert (await line.notice())[1:] == ("refused", reason)
        code, notice = await place.post(raw)
        assert (code, notice["code"], notice["reason"]) == (status, "refused", reason)
        await line.say(a_reply(a_question()))
        assert await line.notice() == ("k0", "accepted", None)
    assert place.gateway.tally.refused == {reason: 2}


async def test_binary_frames_are_refused(place: Place) -> None:
    async with place.line() as line:
        await line.ws.send_bytes(encode(HELLO))
        assert (await line.notice())[1:] == ("refused", "not_json")


async def test_another_agents_question_cannot_be_answered(broker: Broker, place: Place) -> None:
    question = a_request("k0", agent="bus/pat")
    await ask(broker, question)
    async with place.line("pat") as pat, place.line("kim") as kim:
        assert (await pat.question()).key == "k0"
        await kim.say(a_reply(question))
        assert (await kim.notice())[1:] == ("refused", "mismatch")
        await kim.say(a_reply(question, agent="bus/kim"))
        assert (await kim.notice())[1:] == ("refused", "closed")
        await pat.say(a_reply(question))
        assert (await pat.notice())[1] == "accepted"


async def test_frames_that_are_too_large_end_the_connection(place: Place) -> None:
    most = place.gateway.rules.limits.message_bytes
    async with place.line() as line:
        await line.ws.send_str("x" * (most + 1))
        assert (await line.closed())[0] == 1009
    assert place.gateway.tally.refused["too_large"] == 1


async def test_no_frame_is_compressed(place: Place) -> None:
    async with place.line(compress=15) as line:
        assert line.ws.compress == 0


async def test_bodies_that_are_too_large_are_refused(place: Place) -> None:
    most = place.gateway.rules.limits.message_bytes

    async def in_parts() -> AsyncIterator[bytes]:
        for _ in range(most // 1000 + 2):
            yield b"x" * 1000

    status, notice = await place.post(b"x" * (most + 1))
    assert (status, notice["reason"]) == (413, "too_large")
    status, notice = await place.post(in_parts())
    assert (status, notice["reason"]) == (413, "too_large")
    assert (await place.post(b" " * (most - 200) + encode(HELLO)))[0] == 200


async def test_bodies_that_grow_are_refused(place: Place) -> None:
    bomb = zlib.compress(b" " * 100_000_000 + encode(HELLO))
    status, notice = await place.post(bomb, **{"Content-Encoding": "deflate"})
    assert (status, "plain" in notice["message"]) == (415, True)


async def test_a_flood_of_posts_is_told_to_wait(broker: Broker, book: Book) -> None:
    tokens = {name: book.add(name) for name in ("kim", "pat")}
    async with a_gateway(broker, book, Rules(limits=Limits(per_second=0.5, burst=5))) as place:
        place.tokens = tokens
        told = [(await place.post(encode(HELLO)))[0] for _ in range(5)]
        async with place.web.post(f"{place.url}/v1/agent/messages", data=encode(HELLO), headers=place.head()) as page:
            assert (page.status, (await page.json())["reason"]) == (429, "too_fast")
            assert int(page.headers["Retry-After"]) in (1, 2)
        assert told == [200] * 5
        assert (await place.post(encode(AgentHello(key="h", agent="bus/pat")), "pat"))[0] == 200


async def test_the_log_names_who_floods_in_one_line_a_second(
    broker: Broker, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "REPORT_S", 3600)
    tokens = {name: book.add(name) for name in ("kim", "pat")}
    with capture_logs() as logs:
        async with a_gateway(broker, book, Rules(limits=Limits(per_second=0.5, burst=5))) as place:
            place.tokens = tokens
            for _ in range(20):
                await place.post(b"\x1b[2J\nforged")
            await place.post(b"{}", "pat")
            async with place.line() as line:
                await line.hello()
                await until(lambda: place.gateway.tally.bytes_in > 0)
            place.gateway._report()
            place.gateway._report()
    found = [entry for entry in logs if entry["event"] == "refused"]
    assert [(entry["agent"], entry["messages"]) for entry in found] == [
        ("bus/kim", {"not_json": 5, "too_fast": 15}),
        ("bus/pat", {"malformed": 1}),
    ]
    assert all(entry["latest"].isprintable() for entry in found)
    assert "slowly" in found[0]["latest"]


async def test_connections_beyond_all_are_counted_and_logged(
    broker: Broker, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_app, "REPORT_S", 3600)
    with capture_logs() as logs:
        async with a_gateway(broker, book, Rules(connections=1)) as place:
            address = ("127.0.0.1", int(place.url.rpartition(":")[2]))
            lines = [await asyncio.open_connection(*address) for _ in range(4)]
            assert [await reader.read() for reader, _ in lines[1:]] == [b""] * 3
            for _, writer in lines:
                writer.close()
                await writer.wait_closed()
    assert place.gateway.tally.cut_off == {"full": 3}
    (found,) = [entry for entry in logs if entry["event"] == "no room"]
    assert (found["closed"], found["connections"]) == (3, 1)


async def test_a_flood_on_a_socket_is_read_slowly_and_others_are_not(broker: Broker, book: Book) -> None:
    tokens = {name: book.add(name) for name in ("kim", "pat")}
    async with a_gateway(broker, book, Rules(limits=Limits(per_second=1.0, burst=5))) as place:
        place.tokens = tokens
        async with place.line() as flood, place.line("pat") as pat:
            for _ in range(500):
                await flood.ws.send_str("?")
            await ask(broker, a_request("k0", agent="bus/pat"))
            await pat.say(a_reply(await pat.question()))
            assert (await pat.notice())[1] == "accepted"
            assert place.gateway.tally.refused["not_json"] < 50
            flood.drop()


async def test_bytes_are_counted_too(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    rules = Rules(bytes_per_second=1000, burst_bytes=1000, limits=Limits(message_bytes=1000))
    async with a_gateway(broker, book, rules) as place:
        place.tokens = {"kim": token}
        assert [(await place.post(b" " * 900))[0] for _ in range(3)] == [400, 400, 429]


async def test_an_agent_has_so_many_connections_and_others_have_theirs(place: Place) -> None:
    async with place.line(), place.line(), place.line():
        polling = asyncio.create_task(place.poll(wait=20))
        await until(lambda: place.gateway.connections == 4)
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with place.line():
                pass
        assert refused.value.status == 429
        assert (await place.poll())[0] == 429
        async with place.line("pat"):
            pass
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        await until(lambda: place.gateway.connections == 3)
        async with place.line():
            pass


async def test_all_agents_have_so_many_connections(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    async with a_gateway(broker, book, Rules(connections=3)) as place:
        idle = [await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2])) for _ in range(3)]
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]))
        assert await reader.read() == b""
        for each in [*(line for _, line in idle), writer]:
            each.close()
            await each.wait_closed()
        place.tokens = {"kim": token}
        for _ in range(50):
            try:
                assert (await place.poll(wait=0))[0] == 200
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.01)
            else:
                break
        else:
            pytest.fail("there is no room, though all have left")


@pytest.mark.parametrize("begun", [b"", b"GET /v1/agent HTTP/1.1\r\nX-Slow: "])
async def test_a_connection_without_a_whole_request_is_closed(
    broker: Broker, book: Book, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening_module, "IDLE_S", 0.2)
    async with a_gateway(broker, book) as place:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]))
        writer.write(begun)
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
        await writer.wait_closed()


async def test_a_body_that_does_not_come_is_not_waited_for(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_module, "BODY_S", 0.2)

    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(10)

    assert (await place.post(never()))[0] == 408


async def test_a_message_in_many_frames_is_no_larger_than_one(place: Place) -> None:
    most = place.gateway.rules.limits.message_bytes
    async with place.line() as line:
        writer: Any = line.ws._writer
        with suppress(ConnectionError):
            for number in range(8):
                data = b"x" * (most // 4)
                head = bytes([0x01 if number == 0 else 0x00, 0xFF]) + len(data).to_bytes(8, "big") + bytes(4)
                writer.transport.write(head + data)
                await asyncio.sleep(0)
        assert (await line.closed())[0] in (1009, 1006)
    await until(lambda: place.gateway.tally.refused["too_large"] == 1)


async def test_questions_beyond_the_limit_stay_on_the_bus(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    async with a_gateway(broker, book, Rules(limits=Limits(concurrency=2))) as place:
        place.tokens = {"kim": token}
        async with place.line() as line:
            await line.hello(64)
            for number in range(3):
                await ask(broker, a_question(f"k{number}"))
            first, second = await line.question(), await line.question()
            assert (first.key, second.key, place.gateway.questions) == ("k0", "k1", 2)
            await line.say(a_reply(first))
            assert (await line.notice())[1] == "accepted"
            assert (await line.question()).key == "k2"


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 4.0, lambda: now[0])
    bucket.take(4)
    assert (bucket.lack(1), bucket.lack(4), bucket.lack(100)) == (0.5, 2.0, 2.0)
    now[0] = 0.5
    assert bucket.lack(1) == 0.0
    now[0] = 100.0
    assert bucket.lack(4) == 0.0
