"""Connections that break in every phase of a turn, gateways that die, a bus that is away: nothing lost or doubled."""

import asyncio
from typing import Any

import pytest

from palaver_broker import Broker
from palaver_broker.gateway import Rules
from palaver_broker.gateway.pages import Pages
from palaver_broker.redis import RedisBroker
from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnReply, TurnRequest
from tests.broker.gateway.places import Book, Place, a_gateway
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_reply, a_request, ask, until


def a_question(key: str = "k0") -> TurnRequest:
    return a_request(key, agent="bus/kim")


async def the_answers(broker: Broker, *texts: str) -> None:
    """Make sure that the game master is told exactly these answers."""
    async with broker.subscribe(BOX, "gm", consumer="test") as box:
        for text in texts:
            delivery = await asyncio.wait_for(anext(box), 20)
            assert isinstance(delivery.message, TurnReply)
            assert delivery.message.text == text
            await delivery.ack()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(box), 0.1)


async def test_a_drop_before_the_question_costs_nothing(broker: Broker, place: Place) -> None:
    async with place.line() as line:
        line.drop()
    await ask(broker, a_question())
    async with place.line() as line:
        await line.say(a_reply(await line.question(), "Here."))
        assert await line.notice() == ("k0", "accepted", None)
    await the_answers(broker, "Here.")


async def test_a_question_that_was_not_answered_is_sent_again_at_once(broker: Broker, place: Place) -> None:
    await ask(broker, a_question())
    for _ in range(5):
        async with place.line() as line:
            assert (await line.question()).key == "k0"
            line.drop()
    async with place.line() as line:
        await line.say(a_reply(await line.question(), "Here."))
        assert await line.notice() == ("k0", "accepted", None)
    assert place.gateway.tally.told["request"] == 6
    await the_answers(broker, "Here.")


async def test_a_question_goes_to_the_other_connection_when_one_drops(broker: Broker, place: Place) -> None:
    await ask(broker, a_question())
    async with place.line() as first:
        assert (await first.question()).key == "k0"
        async with place.line() as second:
            await until(lambda: place.gateway.connections == 2)
            first.drop()
            assert (await second.question()).key == "k0"


async def test_an_answer_whose_notice_was_lost_may_be_sent_again(broker: Broker, place: Place) -> None:
    await ask(broker, a_question())
    async with place.line() as line:
        question = await line.question()
        await line.say(a_reply(question, "Here."))
        await until(lambda: place.gateway.tally.said["turn.reply"] == 1)
        line.drop()
    await until(lambda: place.gateway.tally.told["accepted"] == 1)
    async with place.line() as line:
        await line.say(a_reply(question, "Other."))
        assert await line.notice() == ("k0", "duplicate", None)
    assert (await place.post(encode(a_reply(question))))[1]["code"] == "duplicate"
    await the_answers(broker, "Here.")


async def test_an_answer_said_twice_at_the_same_moment_counts_once(broker: Broker, place: Place) -> None:
    await ask(broker, a_question())
    async with place.line() as line:
        question = await line.question()
        for text in ("First.", "Second.", "Third."):
            await line.say(a_reply(question, text))
        assert sorted([(await line.notice())[1] for _ in range(3)]) == ["accepted", "duplicate", "duplicate"]
    await the_answers(broker, "First.")


async def test_an_agent_goes_on_at_another_gateway(redis_server: RedisServer, book: Book) -> None:
    token = book.add("kim")
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as here, RedisBroker(url) as there:
        async with a_gateway(here, book) as one, a_gateway(there, book, consumer="second gate") as other:
            one.tokens = other.tokens = {"kim": token}
            await ask(here, a_question())
            async with one.line() as line:
                question = await line.question()
                line.drop()
            async with other.line() as line:  # before its question has come there
                await line.say(a_reply(question, "Here."))
                assert await line.notice() == ("k0", "accepted", None)
                await line.say(a_reply(question, "Other."))
                assert await line.notice() == ("k0", "duplicate", None)
            # For a moment the first gateway does not know: then it takes what the bus drops.
            assert (await one.post(encode(a_reply(question))))[1]["code"] in ("accepted", "duplicate")
        await the_answers(here, "Here.")


async def test_what_waits_at_one_gateway_comes_to_another_when_the_agent_is_there(
    redis_server: RedisServer, book: Book
) -> None:
    token = book.add("kim")
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as here, RedisBroker(url) as there:
        async with a_gateway(here, book) as one, a_gateway(there, book, consumer="second gate") as other:
            one.tokens = other.tokens = {"kim": token}
            await ask(here, a_question())
            async with one.line() as line:
                assert (await line.question()).key == "k0"
            async with other.line() as line:
                assert (await line.question()).key == "k0"


async def test_a_gateway_that_starts_again_under_its_name_has_its_questions_at_once(
    redis_server: RedisServer, book: Book
) -> None:
    token = book.add("kim")
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as before, RedisBroker(url) as after:
        await ask(before, a_question())
        async with before.subscribe("in:bus/kim", "agents", consumer="gate") as dead:  # has it on loan, and is silent
            assert (await anext(dead)).message.key == "k0"
            async with a_gateway(after, book) as place:
                place.tokens = {"kim": token}
                async with place.line() as line:
                    await line.say(a_reply(await line.question(), "Here."))
                    assert await line.notice() == ("k0", "accepted", None)
        await the_answers(after, "Here.")


async def test_a_bus_that_is_away_loses_nothing(book: Book) -> None:
    token = book.add("kim")
    with RedisServer() as server:
        async with RedisBroker(server.url) as broker:

            def why_away() -> str | None:
                return None if broker.connected else "the bus cannot be reached"

            async with a_gateway(broker, book, why_away=why_away) as place:
                place.tokens = {"kim": token}
                for number in range(2):
                    await ask(broker, a_question(f"k{number}"))
                async with place.line() as line:
                    await line.hello(2)
                    first, second = await line.question(), await line.question()
                    server.kill()
                    await until(lambda: not broker.connected)
                    await line.say(a_reply(first, "One."))
                    status, notice = await place.post(encode(a_reply(second, "Two.")))
                    assert (status, "nothing is lost" in notice["message"]) == (503, True)
                    assert (await place.poll())[0] == 503
                    server.start()
                    assert await line.notice() == (first.key, "accepted", None)
                    status, notice = await place.post(encode(a_reply(second, "Two.")))
                    assert (status, notice["code"]) == (200, "accepted")
            await the_answers(broker, "One.", "Two.")


async def test_a_post_does_not_wait_for_ever_for_the_bus(
    broker: Broker, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(broker, a_question())
    assert len((await place.poll())[1]["requests"]) == 1
    answer, may = broker.settle, asyncio.Event()

    async def slow(*words: Any) -> None:
        await may.wait()
        await answer(*words)

    monkeypatch.setattr(broker, "settle", slow)
    monkeypatch.setattr("palaver_broker.gateway.pages.HEAR_S", 0.1)
    status, notice = await place.post(encode(a_reply(a_question(), "Here.")))
    assert (status, "nothing is lost" in notice["message"]) == (503, True)
    again = asyncio.create_task(place.post(encode(a_reply(a_question(), "Here."))))
    await until(lambda: place.gateway.tally.said["turn.reply"] == 2)
    may.set()
    assert (await again)[1]["code"] == "duplicate"
    await the_answers(broker, "Here.")


async def test_what_a_poll_did_not_get_is_handed_out_at_once(
    broker: Broker, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(broker, a_question())

    async def broken(*_: Any) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as patched:
        patched.setattr(Pages, "_send", broken)
        async with place.web.get(f"{place.url}/v1/agent/requests", headers=place.head()) as page:
            assert await page.read() == b""
    assert len((await place.poll(wait=0))[1]["requests"]) == 1


async def test_a_poll_that_is_not_read_gives_its_questions_back(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    async with a_gateway(broker, book, Rules(write_s=0.3)) as place:
        place.tokens = {"kim": token}
        for number in range(60):
            big = a_question(f"k{number}").model_dump() | {"game": "x" * 200_000}
            await ask(broker, TurnRequest.model_validate(big))
        await place.poll(wait=5)  # now they come
        await until(lambda: place.gateway.questions == 60)
        _, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]), limit=1)
        head = f"Host: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(f"GET /v1/agent/requests?max=64&again=1 HTTP/1.1\r\n{head}".encode())
        await until(lambda: place.gateway.tally.cut_off["slow"] == 1)
        assert len((await place.poll(max=64))[1]["requests"]) == 60
        writer.close()


async def test_what_nobody_foresaw_is_one_line(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("palaver_broker.gateway.pages.spend", broken)
    status, notice = await place.poll()
    assert (status, notice["code"]) == (500, "refused")
    assert "Traceback" not in caplog.text


async def test_a_peer_that_answers_no_ping_is_dropped(broker: Broker, book: Book) -> None:
    token = book.add("kim")
    async with a_gateway(broker, book, Rules(ping_s=0.2)) as place:
        place.tokens = {"kim": token}
        async with place.line(autoping=False) as silent:
            await ask(broker, a_question())
            assert (await silent.question()).key == "k0"
            async with place.line() as line:
                assert (await line.question()).key == "k0"


async def test_a_reader_that_takes_nothing_is_cut_off_and_its_questions_go_elsewhere(
    broker: Broker, book: Book
) -> None:
    token = book.add("kim")
    rules = Rules(write_s=0.3)
    async with a_gateway(broker, book, rules) as place:
        place.tokens = {"kim": token}
        async with place.line() as slow:
            await slow.hello(64)
            await until(lambda: place.gateway.tally.said["agent.hello"] == 1)
            transport: Any = slow.ws._response.connection and slow.ws._response.connection.transport
            transport.pause_reading()
            for number in range(48):
                big = a_question(f"k{number}").model_dump() | {"game": "x" * 200_000}
                await ask(broker, TurnRequest.model_validate(big))
            await until(lambda: place.gateway.tally.cut_off["slow"] == 1)
            await until(lambda: place.gateway.connections == 0)
            assert len((await place.poll(max=64))[1]["requests"]) > 0
            slow.drop()
