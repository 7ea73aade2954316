"""The bridge between the bus and MQTT: questions go out until they are answered, and answers are settled once."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress

import aiomqtt
import pytest

from palaver_broker import Question
from palaver_broker.mqtt import line
from palaver_broker.topics import inbox
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.rollout import plan
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnReply, TurnRequest
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import Limits
from palaver_protocols.transcript import Message
from tests.broker.mqtt.edge import Agent, Edge, an_edge, said
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer
from tests.support import BOX, a_request, ask, until


@pytest.fixture(autouse=True)
async def patience() -> AsyncIterator[None]:
    async with asyncio.timeout(20):
        yield


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send again soon, and wait for nobody's questions."""
    monkeypatch.setattr(line, "FIRST_S", 0.05)
    monkeypatch.setattr(line, "EARLY_S", 0.0)


def asked_of(agent: Agent, key: str = "k0", **changes: object) -> TurnRequest:
    return a_request(key, agent=agent.name, **changes)


async def test_a_question_comes_as_documented_and_its_answer_is_settled(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.bridge(), edge.agent("one", token) as agent, edge.answers() as answers:
        request = asked_of(agent, timeout_s=120)
        await ask(edge.broker, request)
        message = await agent.questions.get()
        assert (message.qos, message.retain, message.payload) == (1, False, request.model_dump_json().encode())
        properties = said(message)
        assert 100 < properties.pop("MessageExpiryInterval") <= 120
        assert properties == {
            "ContentType": "application/json",
            "CorrelationData": b"k0".hex(),
            "PayloadFormatIndicator": 1,
            "ResponseTopic": agent.topics.answers,
        }
        await agent.answer(request, "Here.")
        answer = (await anext(answers)).message
        assert (answer.text, answer.unverified) == ("Here.", True)
        notice = await agent.notices.get()
        assert said(notice)["CorrelationData"] == b"k0".hex()
        assert b'"code":"accepted"' in bytes(notice.payload)
        assert [each.code for each in edge.notices] == ["accepted"]


async def test_a_question_is_sent_again_until_it_is_answered_and_not_after(edge: Edge, quick: None) -> None:
    token = await edge.add("one")
    async with edge.bridge() as bridge, edge.agent("one", token) as agent:
        request = asked_of(agent)
        await ask(edge.broker, request)
        for _ in range(3):
            assert await agent.asked() == request
        await agent.answer(request)
        assert (await agent.told()).code == "accepted"
        assert bridge.open == 0
        assert bridge.counts.sent_again >= 2
        await agent.answer(request, "Something else.")
        assert (await agent.told()).code == "duplicate"


async def test_what_cannot_be_taken_is_refused_and_the_question_stays_open(edge: Edge, quick: None) -> None:
    token = await edge.add("one")
    limits = Limits(message_bytes=210_000)
    async with edge.bridge(limits=limits) as bridge, edge.agent("one", token) as agent:
        request = asked_of(agent)
        await ask(edge.broker, request)
        await agent.asked()
        right = TurnReply.model_validate(request.model_dump() | {"type": "turn.reply", "parts": ()}).model_dump()
        for message, reason in (
            (b"nonsense", "not_json"),
            (b"\xff\x00", "not_json"),
            (b"", "not_json"),
            ({**right, "version": "2.0"}, "version"),
            ({**right, "agent": "bus/other"}, "mismatch"),
            ({**right, "turn": 7}, "mismatch"),
            ({**right, "key": "never-asked"}, "closed"),
            ({**right, "key": "long" * 50_000}, "closed"),
            (b" " * 210_001, "too_large"),
        ):
            await agent.say(message)
            notice = await agent.told()
            assert (notice.code, notice.reason) == ("refused", reason)
        assert bridge.open == 1
        assert bridge.counts.refused == {
            "not_json": 3, "version": 1, "mismatch": 2, "closed": 2, "too_large": 1
        }  # fmt: skip
        await agent.answer(request)
        assert (await agent.told()).code == "accepted"


async def test_a_message_that_is_far_too_large_costs_its_sender_alone(edge: Edge) -> None:
    tokens = {name: await edge.add(name) for name in ("large", "good")}
    async with edge.bridge() as bridge, edge.agent("large", tokens["large"]) as large:
        async with edge.agent("good", tokens["good"]) as good:
            await large.say(b" " * 2_000_000)
            request = asked_of(good)
            await ask(edge.broker, request)
            await good.answer(await good.asked())
            assert (await good.told()).code == "accepted"
        await large.say(b"x")
        assert (await large.told()).reason == "not_json"
        assert (bridge.counts.heard, bridge.counts.reconnects) == (2, 0)  # the broker has kept the large one to itself


async def test_a_new_hello_brings_everything_again_and_an_old_one_nothing(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.bridge(), edge.agent("one", token) as agent:
        await agent.hello("first", concurrency=8, software="by hand")
        await until(lambda: edge.hellos)
        await ask(edge.broker, asked_of(agent))
        await agent.asked()
        await agent.hello("first", concurrency=8)
        await until(lambda: len(edge.hellos) == 2)
        await agent.hello("second", concurrency=8)
        assert (await agent.asked()).key == "k0"
        assert agent.questions.empty()
        assert [hello.software for hello in edge.hellos[:1]] == ["by hand"]


async def test_an_agent_has_no_more_questions_at_a_time_than_it_takes(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.bridge() as bridge, edge.agent("one", token) as agent:
        await agent.hello(concurrency=2)
        await until(lambda: edge.hellos)
        for number in range(4):
            await ask(edge.broker, asked_of(agent, f"k{number}"))
        await until(lambda: bridge.open == 4)
        first, second = await agent.asked(), await agent.asked()
        assert [first.key, second.key] == ["k0", "k1"]
        await agent.hello(concurrency=2)
        await until(lambda: len(edge.hellos) == 2)
        assert agent.questions.empty()
        await agent.answer(second)
        assert (await agent.asked()).key == "k2"


async def test_a_withdrawn_question_is_cancelled(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_broker.desk.LEASE_S", 0.5)
    token = await edge.add("one")
    async with edge.bridge() as bridge, edge.agent("one", token) as agent:
        request = asked_of(agent)
        await ask(edge.broker, request)
        await agent.asked()
        assert await edge.broker.withdraw(request)
        notice = await agent.told()
        assert (notice.code, notice.key) == ("cancelled", "k0")
        assert bridge.open == 0


def a_picture(data: bytes) -> Image:
    digest = hashlib.sha256(data).hexdigest()
    return Image(sha256=digest, media_type="image/png", width=1, height=1, size=len(data))


async def test_pictures_come_ahead_of_their_question_and_once_while_the_agent_has_them(edge: Edge) -> None:
    token = await edge.add("one")
    picture = a_picture(b"a picture")
    await edge.broker.blobs.put(b"a picture")
    shown = (Message(speaker="user", parts=(picture, picture)),)
    async with edge.bridge(), edge.agent("one", token) as agent:
        for key in ("k0", "k1"):
            await ask(edge.broker, asked_of(agent, key, view=shown))
            await agent.answer(await agent.asked())
            assert (await agent.told()).code == "accepted"
        assert agent.order == ["blob", "in", "note", "in", "note"]
        message = agent.pictures[picture.sha256]
        assert (message.payload, message.qos, message.retain) == (b"a picture", 1, False)
        assert said(message)["ContentType"] == "image/png"
        await agent.hello("started anew")
        await until(lambda: edge.hellos)
        await ask(edge.broker, asked_of(agent, "k2", view=shown))
        await agent.asked()
        assert agent.order[-2:] == ["blob", "in"]


async def test_a_question_waits_for_an_agent_that_is_away(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.bridge() as bridge:
        async with edge.agent("one", token) as agent:
            request = asked_of(agent)
            await ask(edge.broker, request)
            await agent.asked()
        async with edge.agent("one", token) as agent:
            await agent.hello("back")
            assert await agent.asked() == request
            await agent.answer(request)
            assert (await agent.told()).code == "accepted"
            assert bridge.open == 0


async def test_who_has_another_way_in_is_asked_here_once_it_says_that_it_is_here(edge: Edge) -> None:
    token = await edge.add("one", "mqtt", "gateway")
    async with edge.bridge() as bridge, edge.agent("one", token) as agent:
        request = asked_of(agent)
        await ask(edge.broker, request)
        async with edge.broker.subscribe(inbox(agent.name), "agents", consumer="a gateway") as questions:
            lent = await anext(aiter(questions))
            assert bridge.open == 0
            await lent.release()
        await agent.hello()
        assert await agent.asked() == request


async def test_an_answer_that_is_here_before_its_question_is_kept_for_it(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.agent("one", token) as agent:
        request = asked_of(agent)
        await ask(edge.broker, request)
        async with edge.broker.subscribe(inbox(agent.name), "agents", consumer="a bridge that dies") as questions:
            lent = await anext(aiter(questions))
            async with edge.bridge() as bridge:
                line = bridge._lines[agent.topics.name][0]
                while not line._early:  # what is said before the bridge listens is said again, as agents do
                    await agent.answer(request)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(2.0):
                            await until(lambda: line._early)
                await lent.release()
                notice = await agent.told()
    assert (notice.code, notice.key) == ("accepted", "k0")


async def test_another_bridge_goes_on_where_one_has_ended(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.agent("one", token) as agent:
        request = asked_of(agent)
        async with edge.bridge("first"):
            await ask(edge.broker, request)
            await agent.asked()
        async with edge.bridge("second"), edge.answers() as answers:
            assert await agent.asked() == request
            await agent.answer(request, "Once.")
            assert (await agent.told()).code == "accepted"
            assert (await anext(answers)).message.text == "Once."


async def test_two_bridges_at_once_settle_a_question_once(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.agent("one", token) as agent, edge.answers() as answers:
        request = asked_of(agent)
        async with edge.bridge("first"), edge.bridge("second"):  # they cut each other off, having one name
            await ask(edge.broker, request)
            asked = await agent.asked()
            while agent.notices.empty():
                await agent.answer(asked, "Once.")
                await asyncio.wait({asyncio.ensure_future(agent.questions.get())}, timeout=0.5)
        await (await anext(answers)).ack()
        assert await edge.broker.ask(Question(request, BOX)) == "answered"


@pytest.mark.parametrize("persistence", ["true", "false"])
async def test_a_mosquitto_that_is_killed_loses_nothing(redis_server: RedisServer, persistence: str) -> None:
    with MosquittoServer(persistence=persistence) as server:
        async with an_edge(server, redis_server) as edge:
            token = await edge.add("one")
            async with edge.bridge() as bridge:
                async with edge.agent("one", token) as agent:
                    request = asked_of(agent)
                    await ask(edge.broker, request)
                    await agent.asked()
                    server.kill()
                    await until(lambda: not bridge.connected)
                    server.start()
                async with edge.agent("one", token) as agent:
                    await until(lambda: bridge.connected)
                    await agent.hello("back")
                    assert await agent.asked() == request
                    await agent.answer(request)
                    assert (await agent.told()).code == "accepted"
                    assert bridge.counts.reconnects == 1


async def test_an_answer_that_comes_while_the_bus_is_away_is_settled_when_it_is_back(
    mosquitto_server: MosquittoServer,
) -> None:
    with RedisServer() as redis:
        async with an_edge(mosquitto_server, redis) as edge:
            token = await edge.add("away")
            async with edge.bridge(), edge.agent("away", token) as agent:
                request = asked_of(agent)
                await ask(edge.broker, request)
                await agent.asked()
                redis.kill()
                await agent.answer(request)
                redis.start()
                assert (await agent.told()).code == "accepted"


async def test_who_is_known_no_more_is_told_so_and_heard_no_more(edge: Edge) -> None:
    token = await edge.add("one")
    async with edge.bridge() as bridge, edge.agent("one", token) as agent:
        await ask(edge.broker, asked_of(agent))
        request = await agent.asked()
        await edge.registry.remove(agent.topics.name)  # its login is still good
        notice = await agent.told()
        assert (notice.code, notice.reason) == ("refused", "revoked")
        await until(lambda: not bridge.agents)
        heard = bridge.counts.heard
        await bridge._wire.tune(bridge._wanted())
        await agent.answer(request)
        assert bridge.counts.heard == heard
        async with edge.broker.subscribe(inbox(agent.name), "agents", consumer="others") as questions:
            assert (await anext(aiter(questions))).message == request


async def test_a_flood_is_warned_once_then_not_listened_to_and_costs_nobody_else(edge: Edge) -> None:
    tokens = {name: await edge.add(name) for name in ("flood", "good")}
    limits = Limits(per_second=5, burst=10)
    async with edge.bridge(limits=limits) as bridge, edge.agent("flood", tokens["flood"]) as flood:
        async with edge.agent("good", tokens["good"]) as good:
            while not bridge.counts.deafened:
                await asyncio.gather(*(flood.say(b"x") for _ in range(8)))
            await until(lambda: bridge._wire._tuned == {good.topics.answers})
            heard = bridge.counts.heard
            await flood.say(b"x")
            await ask(edge.broker, asked_of(good))
            await good.answer(await good.asked())
            assert (await good.told()).code == "accepted"
            assert bridge.counts.heard == heard + 1
            notices = [await flood.told()]
            while not flood.notices.empty():
                notices.append(await flood.told())
            assert [each.reason for each in notices].count("too_fast") <= 2


@pytest.mark.parametrize(
    ("payload", "retain", "why"),
    [(b"poison", True, "Retain not supported"), (b" " * 9_000_000, False, "was lost")],
    ids=["retained", "larger than anything"],
)
async def test_who_publishes_what_nobody_may_is_cut_off(edge: Edge, payload: bytes, retain: bool, why: str) -> None:
    token = await edge.add("one")
    async with edge.bridge() as bridge:
        topic = edge.topics("one").answers
        assert why in await edge.fate("one", token, topic, payload, retain=retain)
        assert (bridge.counts.heard, bridge.connected) == (0, True)


async def test_a_will_is_a_message_like_any_other_and_goes_nowhere_else(edge: Edge) -> None:
    tokens = {name: await edge.add(name) for name in ("one", "two")}
    async with edge.bridge() as bridge, edge.agent("two", tokens["two"]) as two:
        for topic in (two.topics.questions, two.topics.notices, two.topics.answers, edge.topics("one").answers):
            await edge.die("one", tokens["one"], will=aiomqtt.Will(topic, b"a will", qos=1))
        await until(lambda: bridge.counts.heard)
        await two.say(b"x")
        await until(lambda: bridge.counts.heard == 2)
        assert (await two.told()).reason == "not_json"
        assert two.order == ["note"]


async def test_a_whole_maze_is_played_by_agents_at_the_far_end(edge: Edge) -> None:
    tokens = {name: await edge.add(name) for name in ("one", "two")}
    brain = MAZE.players()["scripted"]

    async def play(agent: Agent) -> None:
        await agent.hello(concurrency=4)
        while True:
            request = await agent.asked()
            await agent.answer(request, brain(request))

    names = tuple(f"bus/{edge.named(name)}" for name in tokens)
    opening = plan(MAZE, RunConfig(run_id="run", game="maze", agents=names, seed=3)).openings[0]
    async with edge.bridge(), edge.agent("one", tokens["one"]) as one, edge.agent("two", tokens["two"]) as two:
        async with open_engine(edge.broker) as engine:
            players = [asyncio.create_task(play(agent)) for agent in (one, two)]
            end = await engine.play(MAZE, opening)
            for player in players:
                player.cancel()
            await asyncio.wait(players)
    assert end.outcome == "solved", end.error
