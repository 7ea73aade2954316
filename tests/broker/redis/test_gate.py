"""The gate before a provider, shared by replicas, on a real server.

Time passes by moving back what the gate remembers; only where somebody really waits, tests take a part of a second.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from time import monotonic
from typing import Any

import pytest
from structlog.testing import capture_logs

from palaver_broker.redis import Link, Script
from palaver_broker.redis import gate as gate_module
from palaver_broker.redis.gate import RedisGate, gate_name
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_failure, a_reply, a_request

REQUEST = a_request()
UNWANTED = a_request("nobody-waits")


class CountingLink(Link):
    """Counts the scripts that it has had run, and how many at the same time."""

    runs = 0
    now = 0
    most = 0

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        self.runs += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            return await super().run(script, keys, args)
        finally:
            self.now -= 1


class TwiceLink(Link):
    """Loses the first reply to every script: executes it again."""

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        await super().run(script, keys, args)
        return await super().run(script, keys, args)


@pytest.fixture
async def links(redis_server: RedisServer) -> AsyncIterator[tuple[CountingLink, CountingLink]]:
    """Two connections to one bus."""
    url = fresh_bus(redis_server)
    async with CountingLink(url) as link, CountingLink(url) as other:
        await want(link, REQUEST)
        yield link, other


@pytest.fixture
def link(links: tuple[CountingLink, CountingLink]) -> CountingLink:
    return links[0]


@pytest.fixture
def gate(link: Link) -> RedisGate:
    return RedisGate(link, "g")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let who waits look often."""
    monkeypatch.setattr(gate_module, "LOOK_EACH_S", 0.01)


async def want(link: Link, request: TurnRequest) -> None:
    key = f"{link.prefix}calls:{request.run_id}/{request.episode_id}"
    await link.call("HSET", key, f"?{request.key}", "1-0|gm:test")


async def is_closed(gate: RedisGate, link: Link) -> bool:
    """Whether a question has to wait; it goes again if it has."""
    asking = asyncio.create_task(gate.admit(REQUEST))
    await heard(link)
    if asking.done():
        return not asking.result()
    asking.cancel()
    return True


async def told(gate: RedisGate, *answers: TurnReply | TurnFailure) -> float:
    """Have a gate take note of answers; return how long it is paused then."""
    for answer in answers:
        gate.answered(answer)
    await gate.aclose()
    return gate.paused_for()


async def pass_time(link: Link, seconds: float) -> None:
    """Move back what the gate remembers."""
    key = f"{link.prefix}gate:g"
    for field in ("requests_at", "tokens_at", "paused_until"):
        if await link.call("HEXISTS", key, field):
            await link.call("HINCRBYFLOAT", key, field, str(-1000 * seconds))


async def heard(link: Link) -> None:
    """Return when everything that was called before has been answered, and those who waited for it have gone on."""
    for _ in range(3):  # a script that the server does not know yet is sent again, behind the first PING
        await link.call("PING")
        await asyncio.sleep(0)


def used(tokens: int) -> TurnReply:
    return a_reply(REQUEST, usage={"input_tokens": tokens - 1, "output_tokens": 1})


class TestRequests:
    async def test_replicas_share_one_bucket_which_is_refilled(self, links: tuple[Link, Link]) -> None:
        gates = [RedisGate(link, "g", requests_per_minute=600) for link in links]
        began = monotonic()
        assert all(await asyncio.gather(*(gates[n % 2].admit(REQUEST) for n in range(103))))
        assert monotonic() - began > 0.29  # 100 at once, then one in 100 ms

    async def test_ten_seconds_worth_passes_at_once_and_then_nothing(self, link: Link) -> None:
        gate = RedisGate(link, "g", requests_per_minute=60)
        assert all(await asyncio.gather(*(gate.admit(REQUEST) for _ in range(10))))
        assert gate.waited_s == 0
        assert await is_closed(gate, link)
        await pass_time(link, 2)
        assert [await is_closed(gate, link) for _ in range(3)] == [False, False, True]

    async def test_a_rest_saves_up_no_more_than_the_bucket_holds(self, link: Link) -> None:
        gate = RedisGate(link, "g", requests_per_minute=12)
        await gate.admit(REQUEST)
        await pass_time(link, 3000)
        assert [await is_closed(gate, link) for _ in range(3)] == [False, False, True]

    async def test_the_smallest_limit_lets_one_pass(self, link: Link) -> None:
        gate = RedisGate(link, "g", requests_per_minute=1)
        assert [await is_closed(gate, link) for _ in range(2)] == [False, True]

    async def test_each_replica_asks_with_its_own_limits(self, links: tuple[Link, Link]) -> None:
        strict, generous = (
            RedisGate(link, "g", requests_per_minute=limit) for link, limit in zip(links, (6, 60), strict=True)
        )
        assert await strict.admit(REQUEST)
        assert await is_closed(strict, links[0])
        assert not await is_closed(generous, links[1])

    async def test_gates_of_other_names_are_not_concerned(self, link: Link) -> None:
        assert await RedisGate(link, "other", requests_per_minute=1).admit(REQUEST)
        assert not await is_closed(RedisGate(link, "g", requests_per_minute=1), link)

    async def test_a_clock_that_goes_back_delays_by_no_more_than_a_bucket(self, link: Link) -> None:
        gate = RedisGate(link, "g", requests_per_minute=6)
        await gate.admit(REQUEST)
        await pass_time(link, -3600)
        assert await is_closed(gate, link)
        await pass_time(link, 10)
        assert not await is_closed(gate, link)

    async def test_without_a_limit_nothing_waits_and_nothing_is_kept(self, gate: RedisGate, link: Link) -> None:
        assert all(await asyncio.gather(*(gate.admit(REQUEST) for _ in range(100))))
        assert not await link.call("EXISTS", f"{link.prefix}gate:g")

    async def test_what_nobody_uses_is_forgotten_after_an_hour(self, link: Link) -> None:
        await RedisGate(link, "g", requests_per_minute=60).admit(REQUEST)
        assert 3590 < await link.call("TTL", f"{link.prefix}gate:g") <= 3600

    @pytest.mark.parametrize("limits", [{"requests_per_minute": 0}, {"tokens_per_minute": -1}])
    async def test_a_limit_that_lets_nothing_pass_is_refused(self, link: Link, limits: dict[str, int]) -> None:
        with pytest.raises(UsageError, match="a minute lets nothing pass"):
            RedisGate(link, "g", **limits)


class TestTokens:
    async def test_a_debt_is_paid_off_before_anybody_is_admitted(self, links: tuple[Link, Link]) -> None:
        gate, other = (RedisGate(link, "g", tokens_per_minute=600) for link in links)
        await told(gate, used(100))
        assert not await is_closed(other, links[1])  # nothing is left, but nothing owed
        await told(gate, used(50))
        assert await is_closed(other, links[1])
        await pass_time(links[0], 4)
        assert await is_closed(other, links[1])
        await pass_time(links[0], 1)
        assert not await is_closed(other, links[1])

    async def test_who_waits_is_admitted_when_the_debt_is_paid(self, link: Link) -> None:
        gate = RedisGate(link, "g", tokens_per_minute=60_000)
        began = monotonic()
        await told(gate, used(10_100))
        assert await gate.admit(REQUEST)
        assert monotonic() - began > 0.09

    async def test_who_has_no_limit_counts_nothing(self, links: tuple[Link, Link]) -> None:
        limited = RedisGate(links[1], "g", tokens_per_minute=60)
        await told(RedisGate(links[0], "g"), used(1_000_000))
        assert not await is_closed(limited, links[1])

    async def test_failures_cost_nothing(self, link: Link) -> None:
        gate = RedisGate(link, "g", tokens_per_minute=1)
        assert not await told(gate, a_failure(REQUEST, code="timeout"))
        assert not await is_closed(gate, link)


class TestPause:
    async def test_everybody_keeps_the_pause_that_one_was_asked_for(self, links: tuple[Link, Link]) -> None:
        gate, other = (RedisGate(link, "g") for link in links)
        began = monotonic()
        await told(gate, a_failure(REQUEST, retry_after_s=0.1))
        assert await other.admit(REQUEST)
        assert monotonic() - began > 0.09
        assert (gate.pauses, other.pauses) == (1, 0)

    async def test_others_hear_of_it_when_they_ask(self, links: tuple[Link, Link]) -> None:
        gate, other = (RedisGate(link, "g") for link in links)
        await told(gate, a_failure(REQUEST, retry_after_s=30))
        assert other.paused_for() == 0
        assert await is_closed(other, links[1])
        assert 29 < other.paused_for() <= 30

    @pytest.mark.parametrize(("asked_s", "then_s", "paused_s"), [(30, 5, 30), (5, 30, 30), (7200, 5, 600)])
    async def test_the_longest_counts_up_to_ten_minutes(
        self, gate: RedisGate, asked_s: float, then_s: float, paused_s: float
    ) -> None:
        answers = [a_failure(REQUEST, retry_after_s=seconds) for seconds in (asked_s, then_s)]
        assert await told(gate, *answers) == pytest.approx(paused_s, abs=1)

    @pytest.mark.parametrize("unsaid", [None, 0.0])
    async def test_pauses_grow_where_the_provider_names_no_time(
        self, gate: RedisGate, link: Link, unsaid: float | None
    ) -> None:
        lengths = []
        for _ in range(8):
            lengths.append(await told(gate, a_failure(REQUEST, retry_after_s=unsaid)))
            await pass_time(link, 61)
        assert lengths == pytest.approx([1, 2, 4, 8, 16, 32, 60, 60], abs=0.5)

    async def test_an_answer_ends_the_growth(self, gate: RedisGate, link: Link) -> None:
        for _ in range(5):
            await told(gate, a_failure(REQUEST))
            await pass_time(link, 61)
        await told(gate, used(1))
        assert await told(gate, a_failure(REQUEST)) == pytest.approx(1, abs=0.5)

    async def test_what_comes_in_a_pause_was_asked_before_it(self, gate: RedisGate, link: Link) -> None:
        assert await told(gate, *[a_failure(REQUEST)] * 50) == pytest.approx(1, abs=0.5)
        await told(gate, used(1))
        await pass_time(link, 61)
        assert await told(gate, a_failure(REQUEST)) == pytest.approx(2, abs=0.5)
        assert gate.pauses == 51

    async def test_an_overloaded_server_that_names_a_time_is_given_it(self, gate: RedisGate) -> None:
        assert await told(gate, a_failure(REQUEST, code="server", retry_after_s=20)) == pytest.approx(20, abs=1)

    async def test_other_failures_are_no_reason_to_pause(self, gate: RedisGate) -> None:
        assert await told(gate, a_failure(REQUEST, code="server"), a_failure(REQUEST, code="timeout")) == 0
        assert gate.pauses == 0

    async def test_a_pause_that_another_clock_has_set_is_forgotten(self, gate: RedisGate, link: Link) -> None:
        await told(gate, a_failure(REQUEST, retry_after_s=30))
        await pass_time(link, -3600)
        assert not await is_closed(gate, link)

    async def test_it_makes_little_difference_if_a_script_runs_twice(self, redis_server: RedisServer) -> None:
        async with TwiceLink(fresh_bus(redis_server)) as link:
            await want(link, REQUEST)
            gate = RedisGate(link, "g", requests_per_minute=60, tokens_per_minute=600)
            assert await told(gate, used(50), a_failure(REQUEST)) == pytest.approx(1, abs=0.5)
            await pass_time(link, 2)
            assert await gate.admit(REQUEST)


class TestWanted:
    async def test_a_question_that_nobody_waits_for_is_not_admitted(self, gate: RedisGate) -> None:
        assert not await gate.admit(UNWANTED)

    async def test_nor_is_one_of_a_run_that_is_cancelled(self, gate: RedisGate, link: Link) -> None:
        await link.call("HSET", f"{link.prefix}run:run", "state", "open")
        assert await gate.admit(REQUEST)
        await link.call("HSET", f"{link.prefix}run:run", "state", "cancelled")
        assert not await gate.admit(REQUEST)

    async def test_it_takes_nothing_from_the_others(self, link: Link) -> None:
        gate = RedisGate(link, "g", requests_per_minute=1)
        assert not await gate.admit(UNWANTED)
        assert await gate.admit(REQUEST)

    async def test_it_waits_for_no_pause(self, gate: RedisGate) -> None:
        await told(gate, a_failure(REQUEST, retry_after_s=500))
        assert not await gate.admit(UNWANTED)

    @pytest.mark.usefixtures("impatient")
    async def test_who_waits_looks_again_and_again(self, gate: RedisGate, link: Link) -> None:
        await told(gate, a_failure(REQUEST, retry_after_s=500))
        waiting = asyncio.create_task(gate.admit(REQUEST))
        await heard(link)
        await link.call("DEL", f"{link.prefix}calls:run/e0")
        assert not await waiting


class TestWaiters:
    async def line_up(self, gate: RedisGate, link: CountingLink) -> list[asyncio.Task[bool]]:
        """Let five wait for the end of a pause."""
        await told(gate, a_failure(REQUEST, retry_after_s=500))
        waiting = []
        for n in range(5):
            await want(link, request := a_request(f"k{n}"))
            waiting.append(asyncio.create_task(gate.admit(request)))
            await heard(link)
        return waiting

    @pytest.mark.usefixtures("impatient")
    async def test_they_are_admitted_in_order_one_asking_at_a_time(self, gate: RedisGate, link: CountingLink) -> None:
        waiting = await self.line_up(gate, link)
        admitted: list[asyncio.Task[bool]] = []
        for task in waiting:
            task.add_done_callback(admitted.append)
        await pass_time(link, 500)
        assert all(await asyncio.gather(*waiting))
        assert admitted == waiting
        assert link.most == 1
        assert gate.waited_s > 0

    async def test_only_the_first_of_them_asks_the_server(self, gate: RedisGate, link: CountingLink) -> None:
        waiting = await self.line_up(gate, link)
        assert link.runs == 2  # the pause, and the first
        for task in waiting:
            task.cancel()

    async def test_questions_that_need_not_wait_ask_all_at_once(self, gate: RedisGate, link: CountingLink) -> None:
        await asyncio.gather(*(gate.admit(REQUEST) for _ in range(20)))
        assert link.most == 20

    @pytest.mark.usefixtures("impatient")
    @pytest.mark.parametrize("gone", [0, 2, 4])
    async def test_one_that_goes_does_not_hold_up_the_others(
        self, gate: RedisGate, link: CountingLink, gone: int
    ) -> None:
        waiting = await self.line_up(gate, link)
        waiting.pop(gone).cancel()
        await pass_time(link, 500)
        assert all(await asyncio.gather(*waiting))
        assert await gate.admit(REQUEST)


class TestOutage:
    async def test_it_only_delays(self) -> None:
        with RedisServer() as server:
            async with AsyncExitStack() as stack:
                link = await stack.enter_async_context(Link(server.url))
                await want(link, REQUEST)
                gate = RedisGate(link, "g", requests_per_minute=60, tokens_per_minute=600)
                assert await gate.admit(REQUEST)
                server.kill()
                asked = [asyncio.create_task(gate.admit(REQUEST)) for _ in range(3)]
                gate.answered(used(1000))
                await asyncio.sleep(0)
                await asyncio.to_thread(server.start)
                assert await asyncio.gather(*asked) == [True] * 3
                await gate.aclose()
                assert await is_closed(gate, link)  # the debt was not lost

    async def test_leaving_does_not_wait_for_its_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gate_module, "LEAVE_S", 0.01)
        with RedisServer() as server:
            async with Link(server.url) as link:
                gate = RedisGate(link, "g")
                server.kill()
                gate.answered(used(1))
                await gate.aclose()

    async def test_what_cannot_be_noted_is_logged(self, redis_server: RedisServer) -> None:
        link = await Link(fresh_bus(redis_server)).open()
        await link.aclose()
        gate = RedisGate(link, "g")
        with capture_logs() as logs:
            await told(gate, used(1))
        assert [entry["event"] for entry in logs] == ["the gate did not hear of an answer"]


class TestName:
    def test_it_names_the_key_by_its_fingerprint(self) -> None:
        fingerprint = hashlib.blake2b(b"sk-secret", digest_size=8).hexdigest()
        assert gate_name("openai", None, "sk-secret") == f"openai:{fingerprint}"

    def test_it_names_the_place_without_what_is_secret_in_it(self) -> None:
        name = gate_name("vllm", "http://me:password@Box:8000/v1/?token=t", None)
        assert name == "vllm:box:8000/v1:no-key"

    def test_other_keys_and_places_are_other_gates(self) -> None:
        urls = (None, "https://a/v1", "https://b/v1")
        assert len({gate_name("openai", url, key) for url in urls for key in (None, "one", "two")}) == 9
