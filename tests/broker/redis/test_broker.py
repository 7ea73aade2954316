"""The keys of a bus, and what its scripts do that no other transport needs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from redis.crc import key_slot

from palaver_broker import Commit, Question, inbox
from palaver_broker.redis import Board, RedisBroker, Script
from palaver_broker.redis import broker as broker_module
from palaver_broker.redis.notices import tell
from palaver_protocols.errors import BrokerError
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import Notice
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, LOG, a_reply, a_request, a_start, a_turn, ask

RUN = RunConfig(run_id="run", game="toy", agents=("echo",))


@pytest.fixture
async def broker(redis_server: RedisServer) -> AsyncIterator[RedisBroker]:
    async with RedisBroker(fresh_bus(redis_server), patience_s=5.0) as broker:
        yield broker


async def keys_of(broker: RedisBroker) -> list[bytes]:
    prefix = broker.link.prefix
    found: list[bytes] = await broker.link.call("KEYS", prefix.replace("[", "\\[") + "*")
    return found


async def test_every_key_of_a_bus_is_in_one_slot_of_a_cluster(broker: RedisBroker) -> None:
    board = Board(broker.link)
    await board.submit(RUN, [a_start("s", episode_id="e0"), a_start("s1", episode_id="e1")])
    await board.claim("gm", ["toy"], 1, 30.0)
    async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
        await ask(broker, a_request("k"))
        question = await anext(questions)
        await broker.settle(a_reply(question.message), question)
        await broker.bury(question, "for the test")
    await broker.blobs.put(b"a picture")
    await board.finish("run", "e0", "solved")
    keys = await keys_of(broker)
    kinds = {key.partition(b"}:")[2].partition(b":")[0] for key in keys}
    assert {b"in", b"gm", b"log", b"calls", b"dead", b"blob", b"run", b"runs", b"done"} <= kinds
    assert {key_slot(key) for key in keys} == {key_slot(broker.link.prefix.encode())}


async def test_two_buses_on_a_server_do_not_mix(redis_server: RedisServer) -> None:
    async with (
        RedisBroker(fresh_bus(redis_server)) as one,
        RedisBroker(fresh_bus(redis_server)) as two,
    ):
        await one.commit(Commit(LOG, 0, None, a_start("k0")))
        assert await two.read(LOG) == []


async def test_whoever_slept_cannot_begin_an_archived_episode_anew(broker: RedisBroker) -> None:
    board = Board(broker.link)
    await board.submit(RUN, [a_start("k0")])
    await board.claim("gm", ["toy"], 1, 30.0)
    await broker.commit(Commit(LOG, 0, None, a_start("k0")))
    await board.finish("run", "e0", "solved")
    await board.archive("run", "e0")
    step = Commit(LOG, 0, None, a_start("k0"), ask=[Question(a_request("k"), BOX)])
    assert await broker.commit(step) == "gap"
    assert await broker.read(LOG) == []


async def test_an_archived_log_can_be_put_back_and_is_paid_for_once(broker: RedisBroker) -> None:
    entries = [a_start("k0"), a_turn("k1")]
    await broker.restore(LOG, entries)
    await broker.restore(LOG, [a_start("other")])
    assert await broker.read(LOG) == entries
    assert await broker.commit(Commit(LOG, 2, "k1", a_turn("k2"))) == "ok"
    assert await broker.link.call("EXISTS", f"{broker.link.prefix}purse:run") == 0


class TestPuttingBackInParts:
    """Of a log that is longer than one call may be; here each entry is."""

    ENTRIES = (a_start("k0"), *(a_turn(f"k{n}") for n in range(1, 6)))

    @pytest.fixture(autouse=True)
    def one_entry_a_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(broker_module, "PART_BYTES", 1)

    def before_each_call(self, broker: RedisBroker, monkeypatch: pytest.MonkeyPatch, interfere: Any) -> None:
        """Await something before each call that puts back a part; it is told how many there were."""
        calls, run = 0, broker.link.run

        async def late(script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
            nonlocal calls
            await interfere(calls, script, keys, args)
            calls += 1
            return await run(script, keys, args)

        monkeypatch.setattr(broker.link, "run", late)

    async def test_it_is_the_log_that_it_was_and_nothing_else_is_left(self, broker: RedisBroker) -> None:
        await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == list(self.ENTRIES)
        assert await keys_of(broker) == [f"{broker.link.prefix}{LOG}".encode()]
        assert await broker.link.call("PTTL", f"{broker.link.prefix}{LOG}") == -1
        assert await broker.commit(Commit(LOG, 6, "k5", a_turn("k6"))) == "ok"

    async def test_whoever_is_killed_meanwhile_leaves_no_half_of_it(
        self, broker: RedisBroker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail_in_the_middle(calls: int, *_: object) -> None:
            if calls == 3:
                raise BrokerError("killed")

        with monkeypatch.context() as patch:
            self.before_each_call(broker, patch, fail_in_the_middle)
            with pytest.raises(BrokerError, match="killed"):
                await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == []
        (part,) = await keys_of(broker)
        assert 0 < await broker.link.call("PTTL", part) <= broker_module.PART_MS
        await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == list(self.ENTRIES)

    async def test_calls_may_be_executed_twice(self, broker: RedisBroker, monkeypatch: pytest.MonkeyPatch) -> None:
        run = broker.link.run

        async def before(_: int, script: Script, keys: Sequence[str], args: Sequence[str | bytes | int]) -> None:
            await run(script, keys, args)

        self.before_each_call(broker, monkeypatch, before)
        await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == list(self.ENTRIES)

    async def test_what_the_server_forgets_meanwhile_is_put_back_again(
        self, broker: RedisBroker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def forget(calls: int, _: Script, keys: Sequence[str], __: object) -> None:
            if calls == 3:
                await broker.link.call("DEL", keys[1])

        self.before_each_call(broker, monkeypatch, forget)
        await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == list(self.ENTRIES)

    async def test_of_two_who_do_so_at_once_one_is_heard(self, broker: RedisBroker) -> None:
        others = [a_start("o0"), *(a_turn(f"o{n}") for n in range(1, 4))]
        await asyncio.gather(broker.restore(LOG, self.ENTRIES), broker.restore(LOG, others))
        assert await broker.read(LOG) in (list(self.ENTRIES), others)
        assert len(await keys_of(broker)) == 1

    async def test_a_log_that_begins_meanwhile_stays_as_it_is(
        self, broker: RedisBroker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def begin(calls: int, *_: object) -> None:
            if calls == 3:
                monkeypatch.undo()
                await broker.commit(Commit(LOG, 0, None, a_start("other")))

        self.before_each_call(broker, monkeypatch, begin)
        await broker.restore(LOG, self.ENTRIES)
        assert await broker.read(LOG) == [a_start("other")]
        assert len(await keys_of(broker)) == 2, "the log, and word of its commit"


@pytest.mark.parametrize(("again", "there"), [(False, []), (True, [a_start("k0")])])
async def test_the_log_of_an_archived_episode_is_put_back_only_to_be_played_again(
    broker: RedisBroker, again: bool, there: list[object]
) -> None:
    board = Board(broker.link)
    await board.submit(RUN, [a_start("k0")])
    await board.finish("run", "e0", "solved")
    await board.archive("run", "e0")
    await broker.restore(LOG, [a_start("k0")], again=again)
    assert await broker.read(LOG) == there


async def test_a_picture_goes_some_days_after_its_last_use(broker: RedisBroker) -> None:
    sha256 = await broker.blobs.put(b"a picture")
    key = f"{broker.link.prefix}blob:{sha256}"
    for use in (broker.blobs.get(sha256), broker.blobs.put(b"a picture")):
        await broker.link.call("PEXPIRE", key, 1000)
        await use
        assert await broker.link.call("PTTL", key) > 6 * 24 * 3_600_000


async def test_refused_commits_are_counted(broker: RedisBroker) -> None:
    await broker.commit(Commit(LOG, 0, None, a_start("k0")))
    await broker.commit(Commit(LOG, 0, None, a_start("k0")))
    await broker.commit(Commit(LOG, 5, "k4", a_turn("k5")))
    assert broker.counters.refused == {"dup": 1, "gap": 1}


async def test_a_server_that_is_not_there_is_one_line() -> None:
    with pytest.raises(BrokerError, match=r"there is no redis at 127\.0\.0\.1:1"):
        async with RedisBroker("redis://127.0.0.1:1", patience_s=0.1):
            pass


async def test_the_memory_of_the_server_can_be_asked_for(broker: RedisBroker) -> None:
    memory = await broker.memory_bytes()
    assert memory is not None
    assert memory > 100_000


async def test_what_a_stranger_was_told_of_refused_messages_is_known_for_a_while(broker: RedisBroker) -> None:
    told = [
        Notice(key="k0", agent="bus/mine", code="accepted"),
        Notice(key="k1", agent="bus/mine", code="refused", reason="closed", message="no such question"),
        Notice(key="k2", agent="bus/other", code="refused", reason="not_json"),
    ]
    for notice in told:
        await tell(broker.link, notice)
    assert await broker.refusals("bus/mine", 60.0) == [told[1]]
    assert await broker.refusals("bus/mine", -60.0) == []
    assert await broker.refusals("bus/nobody", 60.0) == []
