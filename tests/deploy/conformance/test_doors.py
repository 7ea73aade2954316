"""The conformance kit and agents that do not come by Redis: what a door does with their words is all it can see."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from palaver_broker.desk import Desk, OpenQuestion, open_desk
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.notices import tell
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.conformance.checking import check
from palaver_deploy.conformance.points import POINTS
from palaver_deploy.conformance.report import Report
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import Notice
from tests.deploy.conformance.redis_agents import NAMES
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_reply

Answer = Callable[[TurnRequest], bytes]


def good(request: TurnRequest) -> bytes:
    return a_reply(request, request.view[-1].text[-300:]).model_dump_json().encode()


@asynccontextmanager
async def behind_a_door(broker: RedisBroker, answer: Answer) -> AsyncIterator[None]:
    """Let an agent in by a door that carries bytes between it and a desk."""
    await Strangers(broker.link).add("toy", ["gateway"])
    questions: asyncio.Queue[OpenQuestion] = asyncio.Queue()
    notices: asyncio.Queue[Notice] = asyncio.Queue()
    desk = Desk(broker, "bus/toy", on_question=questions.put_nowait, on_notice=notices.put_nowait)

    async def carry() -> None:
        while True:
            await desk.hear(answer((await questions.get()).request))

    async def write_down() -> None:
        while True:
            await tell(broker.link, await notices.get())

    async with open_desk(desk, "door"):
        tasks = [asyncio.create_task(carry()), asyncio.create_task(write_down())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def tried(server: RedisServer, answer: Answer, timeout_s: float = 10) -> Report:
    url = fresh_bus(server)
    async with RedisBroker(url) as broker, behind_a_door(broker, answer):
        return await check(url, "toy", timeout_s=timeout_s)


def missed(report: Report) -> list[str]:
    return [each.point for each in report.verdicts if each.mark == "missed" and POINTS[each.point].kind == "required"]


async def test_an_agent_behind_a_desk_meets_every_point(redis_server: RedisServer) -> None:
    report = await tried(redis_server, good)
    assert report.passed, missed(report)
    assert [each.came for each in report.verdicts if each.point == "known"] == ["as a stranger, by gateway"]


class Behind:
    """Answers with names of the question before."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.last: TurnRequest | None = None

    def __call__(self, request: TurnRequest) -> bytes:
        last, self.last = self.last or request, request
        said = a_reply(request, **{name: getattr(last, name) for name in self.names})
        return said.model_dump_json().encode()


@pytest.mark.parametrize("names", [NAMES[:1], NAMES], ids=["key", "all names"])
async def test_who_answers_the_question_before_is_told_of_the_key_alone(
    redis_server: RedisServer, names: tuple[str, ...]
) -> None:
    report = await tried(redis_server, Behind(*names), timeout_s=1.0)
    assert missed(report) == ["key"]
    (said,) = [verdict.came for verdict in report.verdicts if verdict.point == "key"]
    assert said.startswith("an answer came under the key of an earlier question")


@pytest.mark.parametrize(
    ("answer", "point"),
    [
        (lambda request: b"what?", "form"),
        (lambda request: b"x" * 1_000_000, "size"),
        (lambda request: a_reply(request, seat="another").model_dump_json().encode(), "names"),
        (lambda request: a_reply(request, key="another").model_dump_json().encode(), "key"),
    ],
    ids=["form", "size", "names", "key"],
)
async def test_an_agent_behind_a_desk_is_told_what_it_misses(
    redis_server: RedisServer, answer: Answer, point: str
) -> None:
    assert missed(await tried(redis_server, answer, timeout_s=1.5)) == [point]
