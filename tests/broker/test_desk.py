"""What lies on a stranger's desk, and what is made of what it says; on every transport, doors left out."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from palaver_broker import Broker, Question
from palaver_broker import desk as desk_module
from palaver_broker.desk import Desk, open_desk
from palaver_broker.memory import MemoryBroker
from palaver_broker.redis import RedisBroker
from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import AgentHello, Limits, Notice
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_failure, a_reply, a_request, ask, until

AGENT = "bus/mine"


@pytest.fixture(params=["memory", "redis"])
async def broker(request: pytest.FixtureRequest) -> AsyncIterator[Broker]:
    connect: Callable[[], Broker] = MemoryBroker
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        connect = partial(RedisBroker, fresh_bus(server), patience_s=5.0)
    async with connect() as broker:
        yield broker


def a_question(key: str = "k", **changes: Any) -> TurnRequest:
    return a_request(key, agent=AGENT, **changes)


def said(answer: TurnReply | TurnFailure | AgentHello, **changes: Any) -> bytes:
    return json.dumps({**json.loads(encode(answer)), **changes}).encode()


@asynccontextmanager
async def sitting(broker: Broker, *questions: TurnRequest, **settings: Any) -> AsyncIterator[Desk]:
    async with open_desk(Desk(broker, AGENT, **settings), "door") as desk:
        for question in questions:
            await ask(broker, question)
        await until(lambda: len(desk) == len(questions))
        yield desk


async def heard(broker: Broker) -> Any:
    """Return the next answer that reaches the game master."""
    async with broker.subscribe(BOX, "g", consumer="c") as answers:
        delivery = await anext(answers)
        await delivery.ack()
        return delivery.message


async def test_a_question_lies_there_until_it_is_answered(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question) as desk:
        assert [each.request for each in desk] == [question]
        assert [each.data for each in desk] == [encode(question)]
        notice = await desk.hear(said(a_reply(question, "Hi.")))
        assert notice == Notice(key="k", agent=AGENT, code="accepted")
        assert (await heard(broker)).text == "Hi."
        assert len(desk) == 0


async def test_a_failure_is_an_answer_too(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question) as desk:
        said_so = a_failure(question, code="tired\x1b[2J", message="x" * 1000, retry_after_s=1e9)
        assert (await desk.hear(said(said_so))).code == "accepted"  # type: ignore[union-attr]  # no greeting
        failure = await heard(broker)
        assert (failure.code, len(failure.message), failure.retry_after_s) == ("tired [2J", 503, 300.0)


async def test_a_second_answer_changes_nothing(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question) as desk:
        await desk.hear(said(a_reply(question, "first")))
        notice = await desk.hear(said(a_reply(question, "second")))
        assert notice == Notice(key="k", agent=AGENT, code="duplicate")
        assert (await heard(broker)).text == "first"


async def test_an_answer_is_refused_and_the_question_stays(broker: Broker) -> None:
    question = a_question()
    told: list[Notice] = []
    async with sitting(broker, question, on_notice=told.append, limits=Limits(message_bytes=2000)) as desk:
        answer = a_reply(question)
        for raw in (
            b"\xff\xfe",
            b"[]",
            said(answer, version="2.0"),
            said(answer, type="turn.request"),
            said(answer, agent="bus/other"),
            said(answer, seat="b"),
            said(answer, turn=7),
            said(answer, key="guessed"),
            said(answer, parts=[{"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}]),  # noqa: E501 - one answer a line
            said(answer, usage={"output_tokens": 10**12}),
            said(answer, provider="x" * 2000),
        ):  # fmt: skip
            await desk.hear(raw)
        assert [notice.reason for notice in told] == [
            *("not_json", "malformed", "version", "malformed", "mismatch", "mismatch", "mismatch", "closed"),
            *("not_text", "malformed", "too_large"),
        ]
        assert all(notice.message.isprintable() for notice in told)
        assert "k" in desk
        assert (await desk.hear(said(answer))).code == "accepted"  # type: ignore[union-attr]  # no greeting


async def test_what_a_stranger_says_of_itself_is_marked_as_such(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question) as desk:
        lies = {"latency_s": 1e6, "cached": True, "sent": "a" * 64, "provider": "openai\x07", "cost_usd": 5.0}
        await desk.hear(said(a_reply(question), **lies))
        reply = await heard(broker)
        assert (reply.cached, reply.sent, reply.provider, reply.unverified) == (False, None, "openai ", True)
        assert reply.latency_s < 60


async def test_a_greeting_is_the_doors_business(broker: Broker) -> None:
    hello = AgentHello(key="h", agent=AGENT, concurrency=3)
    async with sitting(broker) as desk:
        assert await desk.hear(said(hello)) == hello


async def test_leaving_hands_back_what_is_unanswered(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question):
        pass
    async with open_desk(Desk(broker, AGENT), "another door") as desk:
        await until(lambda: "k" in desk)


async def test_a_withdrawn_question_is_taken_off(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "LEASE_S", 0.5)
    question = a_question()
    cancelled: list[str] = []
    async with sitting(broker, question, on_cancelled=cancelled.append) as desk:
        await broker.withdraw(question)
        await until(lambda: cancelled == ["k"])
        notice = await desk.hear(said(a_reply(question)))
        assert isinstance(notice, Notice)
        assert (notice.code, notice.reason) == ("refused", "closed")


async def test_a_question_that_comes_again_after_its_failure_can_be_answered(broker: Broker) -> None:
    question = a_question()
    async with sitting(broker, question) as desk:
        await desk.hear(said(a_failure(question)))
        await broker.ask(Question(question.model_copy(update={"attempt": 2}), BOX))
        await until(lambda: "k" in desk)
        notice = await desk.hear(said(a_reply(question)))
        assert isinstance(notice, Notice)
        assert notice.code == "accepted"


async def test_no_more_lies_there_than_is_allowed(broker: Broker) -> None:
    questions = [a_question(f"k{n}", turn=n) for n in range(5)]
    async with open_desk(Desk(broker, AGENT, limits=Limits(concurrency=2)), "door") as desk:
        for question in questions:
            await ask(broker, question)
        for question in questions:
            await until(lambda key=question.key: key in desk)  # type: ignore[misc]  # bound to this one
            assert len(desk) <= 2
            await desk.hear(said(a_reply(question)))


async def test_what_the_bus_did_not_take_is_still_open(monkeypatch: pytest.MonkeyPatch) -> None:
    async with MemoryBroker() as broker:
        question = a_question()
        async with sitting(broker, question) as desk:

            async def away(*_: object) -> None:
                raise BrokerError("there is no bus")

            with monkeypatch.context() as patched:
                patched.setattr(broker, "settle", away)
                with pytest.raises(BrokerError):
                    await desk.hear(said(a_reply(question)))
            notice, again = await asyncio.gather(*(desk.hear(said(a_reply(question))) for _ in range(2)))
            assert isinstance(notice, Notice)
            assert isinstance(again, Notice)
            assert (notice.code, again.code) == ("accepted", "duplicate")
