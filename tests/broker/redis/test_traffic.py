"""What a bus on Redis tells of itself, for metrics: its messages as they go by, its streams as they stand."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from palaver_broker import answer_box
from palaver_broker.board import Queue
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.measuring import StreamState, measure_streams
from palaver_broker.topics import inbox
from palaver_protocols.codec import encode
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_reply, a_request, ask


@dataclass
class Seen:
    """Writes down what it is told."""

    out: list[tuple[str, int]] = field(default_factory=list)
    come: list[tuple[str, int, float | None]] = field(default_factory=list)

    def sent(self, kind: str, size: int) -> None:
        self.out.append((kind, size))

    def received(self, kind: str, size: int, delay_s: float | None) -> None:
        self.come.append((kind, size, delay_s))


@pytest.fixture
async def bus(redis_server: RedisServer) -> AsyncIterator[RedisBroker]:
    async with RedisBroker(fresh_bus(redis_server)) as bus:
        yield bus


async def test_every_message_is_counted_as_it_goes_out_and_as_it_comes_in(bus: RedisBroker) -> None:
    seen = bus.counters.traffic = Seen()
    request = a_request()
    await ask(bus, request)
    assert [kind for kind, _ in seen.out] == ["episode.started", "turn.request"]
    assert seen.out[1] == ("turn.request", len(encode(request)))
    async with bus.subscribe(inbox("echo"), "agents", consumer="one") as questions:
        delivery = await anext(questions)
        ((kind, size, delay_s),) = seen.come
        assert (kind, size) == ("turn.request", len(encode(request)))
        assert delay_s is not None
        assert abs(delay_s) < 60
        await bus.settle(a_reply(request), delivery)
    assert seen.out[-1][0] == "turn.reply"


async def test_what_was_handed_out_before_has_no_time_on_the_way(bus: RedisBroker) -> None:
    seen = bus.counters.traffic = Seen()
    await ask(bus, a_request())
    for _ in range(2):
        async with bus.subscribe(inbox("echo"), "agents", consumer="one") as questions:
            await anext(questions)
    assert [delay_s is None for _, _, delay_s in seen.come] == [False, True]


async def test_streams_are_measured_by_what_they_are_for(bus: RedisBroker) -> None:
    for name in ("one", "two"):
        await bus.publish(answer_box(name), a_reply(a_request()))
    await ask(bus, a_request())
    inboxes = [Queue("echo", unread=3, pending=2, oldest_s=7.0), Queue("other", unread=1, pending=0, oldest_s=1.0)]

    def of(states: list[StreamState]) -> dict[str, tuple[int, int]]:
        return {state.stream_class: (state.length, state.pending) for state in states}

    async with bus.subscribe(answer_box("two"), "gamemasters", consumer="two") as answers:
        await anext(answers)
        states = await measure_streams(bus.link, inboxes, ["one", "two", "nobody"])
    assert of(states) == {"questions": (6, 2), "answers": (2, 1), "commits": (1, 0), "dead": (0, 0)}
    oldest = {state.stream_class: state.oldest_s for state in states}
    assert oldest["questions"] == 7.0
    assert oldest["answers"] >= 0
    assert of(await measure_streams(bus.link, [], [])) | {"commits": (0, 0)} == dict.fromkeys(
        ("questions", "answers", "commits", "dead"), (0, 0)
    )
