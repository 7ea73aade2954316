"""The keys of a bus, and what its scripts do that no other transport needs."""

from collections.abc import AsyncIterator

import pytest
from redis.crc import key_slot

from palaver_broker import Commit, Question, inbox
from palaver_broker.redis import Board, RedisBroker
from palaver_protocols.errors import BrokerError
from palaver_protocols.runs import RunConfig
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
