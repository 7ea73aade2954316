"""Whole games through the gateway, and what a seat is asked and told there."""

import asyncio
import contextlib
from io import BytesIO

import pytest
from PIL import Image as Pillow

from palaver_broker import Broker
from palaver_broker.base import Question
from palaver_broker.gateway import sessions
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import plan, roll_out
from palaver_protocols.codec import encode
from palaver_protocols.content import Image
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello
from palaver_protocols.transcript import Message
from tests.broker.gateway.places import Place, sit_and_poll, sit_at_a_socket
from tests.support import BOX, a_failure, a_reply, a_request, ask, until


async def test_a_maze_is_played_by_a_socket_and_by_polls(broker: Broker, place: Place) -> None:
    game = load_game("maze")
    config = RunConfig(run_id="run", game="maze", agents=("bus/kim", "bus/pat"), episodes=2)
    ended: list[EpisodeEnded] = []

    async def on_end(_: EpisodeStarted, end: EpisodeEnded) -> None:
        ended.append(end)

    player = game.players()["scripted"]
    async with open_engine(broker) as engine:
        sitting = [
            asyncio.create_task(sit_at_a_socket(place, "kim", player)),
            asyncio.create_task(sit_and_poll(place, "pat", player)),
        ]
        rolling = asyncio.create_task(roll_out(engine, game, plan(game, config).openings, concurrency=2, on_end=on_end))
        await asyncio.wait([rolling, *sitting], return_when=asyncio.FIRST_COMPLETED)
        assert rolling.done(), [task.exception() for task in sitting if task.done()]
        await rolling
        for task in sitting:
            task.cancel()
        await asyncio.gather(*sitting, return_exceptions=True)
    assert [end.outcome for end in ended] == ["solved", "solved"]
    tally = place.gateway.tally
    assert tally.told["accepted"] == tally.said["turn.reply"] == tally.told["request"] > 10
    assert (tally.refused.total(), tally.told["duplicate"]) == (0, 0)


async def test_questions_are_shared_out_by_what_each_connection_takes(broker: Broker, place: Place) -> None:
    async with place.line() as narrow, place.line() as wide:
        await narrow.hello(1)
        await wide.hello(3)
        await until(lambda: place.gateway.tally.said["agent.hello"] == 2)
        for number in range(5):
            await ask(broker, a_request(f"k{number}", agent="bus/kim"))
        first = [await wide.question() for _ in range(3)]
        other = await narrow.question()
        assert len({other.key, *(each.key for each in first)}) == 4
        await narrow.say(a_reply(other))
        assert (await narrow.notice())[1] == "accepted"
        fifth = await narrow.question()  # it had to wait for room
        assert fifth.key not in {other.key, *(each.key for each in first)}


async def test_an_answer_may_come_by_another_connection_or_by_a_post(broker: Broker, place: Place) -> None:
    async with place.line() as asked, place.line() as other:
        await asked.hello(8)
        await until(lambda: place.gateway.tally.said["agent.hello"] == 1)
        for number in range(2):
            await ask(broker, a_request(f"k{number}", agent="bus/kim"))
        first, second = await asked.question(), await asked.question()
        await other.say(a_reply(first))
        assert await other.notice() == (first.key, "accepted", None)
        status, notice = await place.post(encode(a_reply(second)))
        assert (status, notice["code"], notice["key"]) == (200, "accepted", second.key)


async def test_a_withdrawn_question_is_told_and_its_place_is_free(broker: Broker, place: Place) -> None:
    async with place.line() as line:
        question = a_request("k0", agent="bus/kim")
        await ask(broker, question)
        assert (await line.question()).key == "k0"
        await ask(broker, a_request("k1", agent="bus/kim"))
        assert await broker.withdraw(question)
        assert await line.notice() == ("k0", "cancelled", None)
        assert (await line.question()).key == "k1"
        await line.say(a_reply(question))
        assert await line.notice() == ("k0", "refused", "closed")


async def test_a_failure_is_asked_again(broker: Broker, place: Place) -> None:
    async with place.line() as line:
        question = a_request("k0", agent="bus/kim")
        await ask(broker, question)
        assert await line.question() == question
        await line.ws.send_str(encode(a_failure(question)).decode())
        assert (await line.notice())[1] == "accepted"
        await broker.ask(Question(question, BOX))
        assert (await line.question()).key == "k0"
        await line.say(a_reply(question))
        assert (await line.notice())[1] == "accepted"


async def test_a_poll_hands_a_question_out_once_in_a_while_and_again_when_asked(broker: Broker, place: Place) -> None:
    assert await place.poll(wait=0) == (200, {"requests": []})
    await ask(broker, a_request("k0", agent="bus/kim"))
    first, second = (await place.poll(wait=5))[1], (await place.poll(wait=0))[1]
    assert [each["key"] for each in first["requests"]] == ["k0"]
    assert second["requests"] == []
    assert [each["key"] for each in (await place.poll(wait=0, again=1))[1]["requests"]] == ["k0"]
    assert (await place.post(encode(a_reply(a_request("k0", agent="bus/kim")))))[0] == 200
    assert (await place.poll(wait=0, again=1))[1]["requests"] == []


async def test_a_poll_that_is_given_up_takes_no_question_with_it(broker: Broker, place: Place) -> None:
    waiting = asyncio.create_task(place.poll(wait=20))
    await until(lambda: place.gateway.connections == 1)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await until(lambda: place.gateway.connections == 0)
    await ask(broker, a_request("k0", agent="bus/kim"))
    assert len((await place.poll(wait=5))[1]["requests"]) == 1


async def test_a_greeting_by_post_is_accepted_and_seen(place: Place) -> None:
    hello = AgentHello(key="h", agent="bus/kim", software="mine 1.0", model="m")
    status, notice = await place.post(encode(hello))
    assert (status, notice["code"], notice["key"]) == (200, "accepted", "h")
    assert place.gateway.present["bus/kim"].hello == hello


async def test_an_agent_that_polls_may_think_for_long(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its questions go back to the bus, where another of its programs may find them; but it is there."""
    monkeypatch.setattr(sessions, "BETWEEN_POLLS_S", 0.01)
    monkeypatch.setattr(sessions, "IN_SIGHT_S", 1.0)
    await place.post(encode(AgentHello(key="h", agent="bus/kim")))
    await place.poll(wait=0)
    session = place.gateway._entry.sessions["bus/kim"]
    await until(lambda: not session.is_present)
    assert "bus/kim" in place.gateway.present
    await until(lambda: "bus/kim" not in place.gateway.present)


async def test_a_picture_is_shown_to_whom_it_was_sent_and_to_nobody_else(broker: Broker, place: Place) -> None:
    file = BytesIO()
    Pillow.new("RGB", (4, 4)).save(file, "PNG")
    image = Image.from_bytes(file.getvalue())
    await broker.blobs.put(file.getvalue())
    where = f"{place.url}/v1/blobs/{image.sha256}"
    async with place.web.get(where, headers=place.head()) as page:
        assert page.status == 404
    await ask(broker, a_request("k0", agent="bus/kim", view=(Message(speaker="user", parts=(image,)),)))
    assert len((await place.poll())[1]["requests"]) == 1
    async with place.web.get(where, headers=place.head()) as page:
        assert (page.status, page.content_type, await page.read()) == (200, "image/png", file.getvalue())
        assert "immutable" in page.headers["Cache-Control"]
        tag = page.headers["ETag"]
    async with place.web.head(where, headers=place.head()) as page:
        assert (page.status, page.content_length, await page.read()) == (200, image.size, b"")
    async with place.web.get(where, headers=place.head() | {"If-None-Match": tag}) as page:
        assert page.status == 304
    async with place.web.get(where, headers=place.head("pat")) as page:
        assert page.status == 404
    async with place.web.get(where) as page:
        assert page.status == 401


async def test_leaving_hands_the_questions_back(broker: Broker, place: Place) -> None:
    async with place.line() as line:
        await ask(broker, a_request("k0", agent="bus/kim"))
        await line.question()
    await until(lambda: "bus/kim" not in place.gateway.present)
    async with broker.subscribe("in:bus/kim", "agents", consumer="another") as inbox:
        assert (await anext(inbox)).message.key == "k0"


async def test_what_stops_says_so(broker: Broker, place: Place) -> None:
    async with place.line() as line:
        polling = asyncio.create_task(place.poll("pat", wait=20))
        await until(lambda: place.gateway.connections == 2)
        place.gateway.stop()
        assert (await line.closed())[0] == 1001
        status, notice = await polling
        assert (status, "nothing is lost" in notice["message"]) == (503, True)


@pytest.mark.parametrize("query", [{"wait": "x"}, {"max": "-1"}, {"max": "0"}, {"again": "yes"}, {"wait": "nan"}])
async def test_numbers_that_are_none_are_refused(place: Place, query: dict[str, str]) -> None:
    status, notice = await place.poll(**query)
    assert (status, notice["code"]) == (400, "refused")
    assert next(iter(query)) in notice["message"]


async def test_a_plain_request_for_the_socket_is_told_what_is_missing(place: Place) -> None:
    async with place.web.get(f"{place.url}/v1/agent", headers=place.head()) as page:
        assert page.status == 400
        with contextlib.suppress(KeyError):
            assert "UPGRADE" in (await page.json())["message"]
