"""The conformance kit on a real bus: agents as they should be pass, and every other is told what it misses."""

import asyncio

import pytest
from redis.asyncio import Redis

from palaver_agents.callables import CallableModel, Turn
from palaver_broker.redis import Board, Link, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.conformance.checking import check
from palaver_deploy.conformance.points import POINTS
from palaver_deploy.conformance.report import Report, as_dict
from palaver_deploy.doors.portering import keep_porter
from palaver_deploy.members import myself
from palaver_protocols.errors import AgentError, UsageError
from tests.deploy.conformance.clumsy_agents import (
    CLUMSY,
    DIES_AT,
    EarlierKey,
    EarlierNames,
    GivesUp,
    LateOnce,
    Silent,
    Unable,
)
from tests.deploy.conformance.redis_agents import Agent, Plain, living, pictures
from tests.redis_server import RedisServer, fresh_bus
from tests.toys import serving

SECONDS = 2
"""How long an answer is waited for, where none comes."""
AT_ONCE = 32
"""Agents that are tried out at the same time, each on a bus of its own: mostly, they are waited for."""


def missed(report: Report) -> list[str]:
    """The points that were missed, but for those that are only noted."""
    return [
        verdict.point
        for verdict in report.verdicts
        if verdict.mark == "missed" and POINTS[verdict.point].kind != "informative"
    ]


def came(report: Report, point: str) -> str:
    (found,) = [verdict.came for verdict in report.verdicts if verdict.point == point]
    return found


def mend(report: Report, point: str) -> str:
    (found,) = [each for each in as_dict(report)["points"] if each["point"] == point]
    return str(found["mend"])


@pytest.fixture
def url(redis_server: RedisServer) -> str:
    return fresh_bus(redis_server)


async def keys(server: RedisServer, url: str) -> dict[str, int]:
    """The keys of a bus, with the number of entries of those that are streams."""
    redis = Redis(unix_socket_path=str(server.socket))
    prefix = f"{{{url.partition('bus=')[2]}}}:"
    try:
        found = [key async for key in redis.scan_iter(match=f"{prefix}*", count=1000)]
        return {
            key.decode().removeprefix(prefix): await redis.xlen(key) if await redis.type(key) == b"stream" else 0
            for key in found
        }
    finally:
        await redis.aclose()


async def test_an_agent_as_it_should_be_meets_every_point(redis_server: RedisServer, url: str) -> None:
    async with living(redis_server, url, Agent) as agent:
        report = await check(url, "toy", timeout_s=10)
    assert report.passed
    assert missed(report) == []
    assert {verdict.point for verdict in report.verdicts} == set(POINTS)
    assert not [verdict for verdict in report.verdicts if verdict.mark == "untried"]
    assert came(report, "fetches") == "it was not fetched"
    assert report.questions == len({question["key"] for question in agent.questions}) + 2, "two come twice"


async def test_nothing_of_it_stays_on_the_bus(redis_server: RedisServer, url: str) -> None:
    async with living(redis_server, url, Agent):
        await check(url, "bus/toy", timeout_s=10)
        left = await keys(redis_server, url)
    assert not [key for key in left if key.startswith(("log:", "calls:", "gm:", "blob:", "purse:", "run:"))], left
    assert left["in:bus/toy"] == 0


@pytest.fixture(scope="module")
def reports(redis_server: RedisServer) -> dict[type[Agent], Report]:
    """What each clumsy agent is told."""

    async def all_of_them() -> list[Report]:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(kind: type[Agent]) -> Report:
            url = fresh_bus(redis_server)
            async with room, living(redis_server, url, kind):
                return await check(url, "toy", timeout_s=SECONDS)

        return await asyncio.gather(*map(one, CLUMSY))

    return dict(zip(CLUMSY, asyncio.run(all_of_them()), strict=True))


@pytest.mark.parametrize("kind", CLUMSY, ids=lambda kind: kind.__name__)
def test_a_clumsy_agent_is_told_the_one_thing_that_it_misses(
    reports: dict[type[Agent], Report], kind: type[Agent]
) -> None:
    report = reports[kind]
    assert missed(report) == [CLUMSY[kind]], [verdict for verdict in report.verdicts if verdict.mark == "missed"]
    assert report.passed == (POINTS[CLUMSY[kind]].kind != "required")
    assert "\x1b" not in "".join(verdict.came for verdict in report.verdicts)


def test_every_point_that_can_be_missed_is_missed_by_some_agent() -> None:
    noted = {name for name, point in POINTS.items() if point.kind == "informative"}
    assert set(CLUMSY.values()) == set(POINTS) - noted - {"known"}


async def test_a_silent_agent_is_asked_once(redis_server: RedisServer, url: str) -> None:
    async with Link(url) as link:
        await Strangers(link).add("nobody", ["redis"])
    report = await check(url, "nobody", timeout_s=0.3)
    assert (report.questions, report.passed) == (1, False)
    assert came(report, "answers").startswith("no answer within 0.3")
    assert came(report, "answers").endswith("nobody is, so it seems")
    assert mend(report, "answers").startswith("is it running?")
    assert [verdict.mark for verdict in report.verdicts if verdict.point == "pictures"] == ["untried"]
    assert (await keys(redis_server, url))["in:bus/nobody"] == 0


@pytest.mark.parametrize("kind", DIES_AT, ids=lambda kind: kind.__name__)
def test_who_falls_silent_is_told_since_when(reports: dict[type[Agent], Report], kind: type[Agent]) -> None:
    report, (step, answers) = reports[kind], DIES_AT[kind]
    since = {1: "1st", 2: "2nd"}[answers]
    assert came(report, "answers") == (
        f"silent since its {since} answer: no answer to {step!r}, nor to a plain question after it"
    )
    marks = {verdict.point: verdict.mark for verdict in report.verdicts}
    assert (marks[step], marks["pictures"]) == ("untried", "untried")
    assert POINTS[step].mend in mend(report, "answers"), "it may have died of it"


def test_who_answers_under_an_earlier_key_is_told_so(reports: dict[type[Agent], Report]) -> None:
    for kind in (EarlierKey, EarlierNames):
        assert came(reports[kind], "key").startswith("an answer came under the key of an earlier question")
        assert came(reports[kind], "unknown-fields") == "its question has no answer: see key"


def test_excuses_are_told_in_their_own_words(reports: dict[type[Agent], Report]) -> None:
    assert came(reports[GivesUp], "answers").startswith("since its 1st answer, it says that it cannot: rate_limited")
    assert "wait, and check again" in mend(reports[GivesUp], "answers")
    assert "key or token" in mend(reports[Unable], "answers")


def test_who_is_late_is_told_so_and_goes_on(reports: dict[type[Agent], Report]) -> None:
    report = reports[LateOnce]
    assert came(report, "answers").startswith(f"its answer to 'unknown-fields' came after more than {SECONDS}")
    assert "--timeout" in mend(report, "answers")
    assert [verdict.point for verdict in report.verdicts if verdict.mark == "untried"] == ["unknown-fields"]


async def test_a_first_answer_that_is_late_is_waited_for(redis_server: RedisServer, url: str) -> None:
    class Warm(Agent):
        async def on_question(self, question: Plain) -> None:
            await asyncio.sleep(question["timeout_s"] + 0.1)
            await super().on_question(question)

    async with living(redis_server, url, Warm):
        report = await check(url, "toy", timeout_s=0.7)
    assert (report.questions, missed(report)) == (1, ["answers"])
    assert came(report, "answers").endswith("and 0.7 s were allowed")
    assert "--timeout" in mend(report, "answers")


async def test_what_it_said_before_it_fell_silent_is_told(redis_server: RedisServer, url: str) -> None:
    class AsksToWait(Agent):
        async def on_question(self, question: Plain) -> None:
            if question["attempt"] == 1:
                await self.send({**self.failure(question, "rate_limited"), "retryable": True, "retry_after_s": 20})

    async with living(redis_server, url, AsksToWait):
        report = await check(url, "toy", timeout_s=0.5)
    assert came(report, "answers") == "it says that it cannot: rate_limited: so it is"


def test_no_mend_speaks_of_what_is_not_there(reports: dict[type[Agent], Report]) -> None:
    assert "0-0" in mend(reports[Silent], "answers")
    assert "0-0" not in mend(reports[Unable], "answers") + mend(reports[GivesUp], "answers")


async def test_an_agent_that_takes_the_picture_is_seen_to(redis_server: RedisServer, url: str) -> None:
    class Sees(Agent):
        async def on_question(self, question: Plain) -> None:
            for picture in pictures(question):
                prefix = self._inbox.partition(":")[0]
                data = await self.redis.get(f"{prefix}:blob:{picture['sha256']}")
                assert data is not None
                assert len(data) == picture["size"]
            await super().on_question(question)

    async with living(redis_server, url, Sees):
        report = await check(url, "toy", timeout_s=10, points=["fetches"])
    assert came(report, "fetches") == "it was fetched"
    assert report.passed
    assert report.questions == 2, "the first question, and the one with the picture"


async def test_saying_that_it_takes_no_picture_is_an_answer(redis_server: RedisServer, url: str) -> None:
    class SaysSo(Agent):
        def reply(self, question: Plain, **changes: object) -> Plain:
            reply = super().reply(question)
            if not any(pictures(question)):
                return reply
            del reply["parts"]
            why = {"code": "no_picture", "message": "I see none", "retryable": False}
            return {**reply, "type": "turn.failure", **why}

    async with living(redis_server, url, SaysSo):
        report = await check(url, "toy", timeout_s=10)
    assert report.passed
    assert came(report, "pictures") == "it says that it cannot: no_picture: I see none"


async def test_an_agent_that_asks_to_be_asked_again_is(redis_server: RedisServer, url: str) -> None:
    class Hesitates(Agent):
        async def on_question(self, question: Plain) -> None:
            if question["attempt"] > 1:
                await super().on_question(question)
                return
            reply = self.reply(question)
            del reply["parts"]
            await self.send(
                {**reply, "type": "turn.failure", "code": "busy", "message": "in a moment", "retryable": True}
            )

    async with living(redis_server, url, Hesitates):
        report = await check(url, "toy", timeout_s=10, points=["unicode", "redelivery"])
    assert report.passed, missed(report)


async def test_slow_is_not_wrong(redis_server: RedisServer, url: str) -> None:
    class Ponders(Agent):
        async def on_question(self, question: Plain) -> None:
            await asyncio.sleep(question["timeout_s"] + 0.05 if question["episode_id"] == "time-limit" else 0)
            await super().on_question(question)

    async with living(redis_server, url, Ponders):
        report = await check(url, "toy", timeout_s=2)
    assert report.passed
    (verdict,) = [verdict for verdict in report.verdicts if verdict.point == "time-limit"]
    assert verdict.mark == "missed"


async def test_a_porter_that_is_there_already_is_no_hindrance(redis_server: RedisServer, url: str) -> None:
    async with RedisBroker(url) as broker:
        porter = asyncio.create_task(keep_porter(broker, url))
        async with living(redis_server, url, Agent):
            reports = await asyncio.gather(*(check(url, "toy", timeout_s=10) for _ in range(2)))
        porter.cancel()
        await asyncio.gather(porter, return_exceptions=True)
    assert [missed(report) for report in reports] == [[], []]


async def test_a_function_served_by_palaver_meets_every_point(url: str) -> None:
    def reply(turn: Turn) -> str:
        return "I heard: " + turn.text[-300:]

    async with RedisBroker(url) as broker, CallableModel("toy:reply", reply, broker.blobs) as model:
        me = myself("agent", "bus/toy", "one", 8, {"provider": "python"})
        await Board(broker.link).beat("agent", me(0), 60)
        async with serving(broker, "bus/toy", model):
            report = await check(url, "toy", timeout_s=10)
    assert missed(report) == []
    assert came(report, "known") == "as a service of palaver"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (ValueError("no weights"), "it says that it cannot: bug: it raised ValueError: no weights"),
        (None, "returned NoneType"),
        ("x" * 300_000, "300,000 bytes of text"),
        (AgentError("not now", code="rate_limited", retryable=False), "rate_limited: not now"),
    ],
    ids=["raises", "None", "too much", "failure"],
)
async def test_a_function_that_fails_is_told_what_it_said(url: str, said: object, words: str) -> None:
    def reply(turn: Turn) -> object:
        if isinstance(said, Exception):
            raise said
        return said

    async with RedisBroker(url) as broker, CallableModel("toy:reply", reply, broker.blobs) as model:
        me = myself("agent", "bus/toy", "one", 8, {"kind": "python", "provider": "python"})
        await Board(broker.link).beat("agent", me(0), 60)
        async with serving(broker, "bus/toy", model):
            report = await check(url, "toy", timeout_s=10)
    assert missed(report) == ["answers"]
    assert words in came(report, "answers")
    assert "the function" in mend(report, "answers")
    assert "0-0" not in mend(report, "answers")


async def test_an_agent_that_nobody_has_let_in_is_named(url: str) -> None:
    async with Link(url) as link:
        await Strangers(link).add("somebody", ["redis"])
    with pytest.raises(UsageError, match=r"knows no agent 'bus/nobody' \(there are: somebody; .*add-agent NAME"):
        await check(url, "nobody", timeout_s=1)
