"""What Redis streams need beyond what every transport promises."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from palaver_broker import Commit, inbox
from palaver_broker.redis import Link, RedisBroker
from palaver_broker.redis import broker as broker_module
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import TurnTaken
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, LOG, NOON, a_reply, a_request, ask

LONG = 60.0
Connect = Callable[[], RedisBroker]


@pytest.fixture
def connect(redis_server: RedisServer) -> Connect:
    url = fresh_bus(redis_server)
    return lambda: RedisBroker(url, patience_s=5.0)


@pytest.fixture
async def broker(connect: Connect) -> AsyncIterator[RedisBroker]:
    async with connect() as broker:
        yield broker


async def length(broker: RedisBroker, topic: str) -> int:
    found: int = await broker.link.call("XLEN", broker.link.prefix + topic)
    return found


class TestWhatIsLeft:
    async def test_a_stream_holds_what_is_owed_and_nothing_else(self, broker: RedisBroker) -> None:
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            for n in range(5):
                await broker.publish("t", a_request(f"k{n}"))
            for left in (4, 3, 2, 1, 0):
                await (await anext(subscription)).ack()
                assert await length(broker, "t") == left

    async def test_an_entry_stays_until_every_group_has_acknowledged_it(self, broker: RedisBroker) -> None:
        async with (
            broker.subscribe("t", "one", consumer="c") as one,
            broker.subscribe("t", "two", consumer="c") as two,
        ):
            await broker.publish("t", a_request("k"))
            await (await anext(one)).ack()
            assert await length(broker, "t") == 1
            await (await anext(two)).ack()
            assert await length(broker, "t") == 0

    async def test_a_turn_leaves_its_log_and_nothing_in_between(self, broker: RedisBroker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
            broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
        ):
            await ask(broker, a_request("k"))
            question = await anext(questions)
            await broker.settle(a_reply(question.message), question)
            answer = await anext(answers)
            assert (
                await broker.commit(
                    Commit(LOG, 1, "start", TurnTaken(key="k", reply=answer.message, at=NOON), ack=[answer])
                )
                == "ok"
            )
            assert await length(broker, inbox("echo")) == await length(broker, BOX) == 0
            calls = await broker.link.call("HGETALL", f"{broker.link.prefix}calls:run/e0")
            assert calls == [b"=k", b""]

    async def test_a_box_that_nobody_looks_after_goes_by_itself(self, broker: RedisBroker) -> None:
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            await ask(broker, a_request("k"), to="gm:gone")
            question = await anext(questions)
            await broker.settle(a_reply(question.message), question)
        assert 0 < await broker.link.call("PTTL", f"{broker.link.prefix}gm:gone") <= 3_600_000

    async def test_two_connections_carry_any_number_of_games(self, connect: Connect) -> None:
        async with connect() as watcher, connect() as broker:

            async def connections() -> int:
                return len((await watcher.link.call("CLIENT", "LIST")).splitlines())

            before = await connections()
            async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
                await asyncio.gather(*(ask(broker, a_request(f"k{n}", episode_id=f"e{n}")) for n in range(200)))
                for _ in range(200):
                    question = await anext(questions)
                    await broker.settle(a_reply(question.message), question)
                assert await connections() == before + 1

    async def test_those_who_begin_before_their_connection_is_open_wait_for_it(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = asyncio.Event()

        class Slow(Link):
            async def open(self) -> "Slow":
                await opened.wait()
                return await super().open()

        async def hear(broker: RedisBroker, agent: str) -> str:
            async with broker.subscribe(inbox(agent), "agents", consumer="host") as questions:
                key: str = (await anext(questions)).message.key
                return key

        agents = ("one", "two", "three")
        async with connect() as broker:
            monkeypatch.setattr(broker_module, "Link", Slow)
            hearing = [asyncio.create_task(hear(broker, agent)) for agent in agents]
            for turn in range(5):  # time enough for whoever does not wait
                for agent in agents:
                    await broker.publish(inbox(agent), a_request(f"{agent}{turn}"))
            opened.set()
            assert await asyncio.gather(*hearing) == [f"{agent}0" for agent in agents]

    async def test_a_connection_that_cannot_be_opened_is_tried_again_by_the_next(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Broken(Link):
            async def open(self) -> "Broken":
                raise BrokerError("no more connections")

        async with connect() as broker:
            with monkeypatch.context() as patch:
                patch.setattr(broker_module, "Link", Broken)
                with pytest.raises(BrokerError, match="no more connections"):
                    async with broker.subscribe("t", "g", consumer="c"):
                        pass
            async with broker.subscribe("t", "g", consumer="c") as subscription:
                await broker.publish("t", a_request("k"))
                assert (await anext(subscription)).message.key == "k"


class TestTrouble:
    async def test_what_nobody_can_read_is_put_aside_with_the_reason(self, broker: RedisBroker) -> None:
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            for raw in ("no JSON", '{"type":"turn.request","version":"7.0"}'):
                await broker.link.call("XADD", f"{broker.link.prefix}t", "*", "m", raw)
            await broker.link.call("XADD", f"{broker.link.prefix}t", "*", "something", "else")
            await broker.publish("t", a_request("good"))
            assert (await anext(subscription)).message.key == "good"
            letters = await broker.dead_letters()
        assert [letter.topic for letter in letters] == ["t"] * 3
        assert "no JSON" in letters[0].reason
        assert "version 7.0" in letters[1].reason
        assert letters[0].text == "no JSON"
        assert "something" in letters[2].text
        assert broker.counters.dead_letters == 3

    @pytest.mark.parametrize("loss", [("FLUSHALL",), ("XGROUP", "DESTROY"), ("DEL",)], ids=lambda words: words[-1])
    async def test_a_lost_group_is_made_anew(
        self, connect: Connect, loss: tuple[str, ...], redis_server: RedisServer
    ) -> None:
        async with connect() as broker, broker.subscribe("t", "g", consumer="c") as subscription:
            reading = asyncio.ensure_future(anext(subscription))
            stream = f"{broker.link.prefix}t"
            await broker.link.call(*loss, *{"FLUSHALL": (), "DEL": (stream,)}.get(loss[0], (stream, "g")))
            await broker.publish("t", a_request("k"))
            assert (await reading).message.key == "k"

    async def test_a_restarted_consumer_waits_for_no_lease(self, connect: Connect) -> None:
        async with connect() as broker:
            await broker.publish("t", a_request("k"))
            crashed = connect()
            await crashed.__aenter__()
            lost = crashed.subscribe("t", "g", consumer="me", lease_s=LONG)
            await anext(await lost.__aenter__())
            for reader in crashed._readers.values():  # as a killed process leaves it: nothing handed back
                for task in reader._tasks:
                    task.cancel()
            await crashed.aclose()
            async with broker.subscribe("t", "g", consumer="me", lease_s=LONG) as subscription:
                again = await anext(subscription)
                assert (again.message.key, again.deliveries) == ("k", 2)

    async def test_what_was_taken_up_is_still_held_after_the_server_was_killed(self) -> None:
        with RedisServer() as server:
            async with RedisBroker(server.url, patience_s=20.0) as broker:
                await broker.publish("t", a_request("k"))
                stream = f"{broker.link.prefix}t"
                await broker.link.call("XGROUP", "CREATE", stream, "g", "0")
                await broker.link.call("XREADGROUP", "GROUP", "g", "me", "STREAMS", stream, ">")
                (pending,) = await broker.link.call("XPENDING", stream, "g", "-", "+", 1)
                long_ago = ("XCLAIM", stream, "g", "me", 0, pending[0], "IDLE", 100_000, "JUSTID")
                await broker.link.call(*long_ago)
                async with broker.subscribe("t", "g", consumer="me", lease_s=LONG) as subscription:
                    await anext(subscription)
                    server.kill()
                    server.start()
                    ((_, holder, idle_ms, _),) = await broker.link.call("XPENDING", stream, "g", "-", "+", 1)
                    assert (holder, idle_ms < 60_000) == (b"me", True)

    async def test_a_question_whose_inbox_entry_is_lost_is_asked_anew(self, broker: RedisBroker) -> None:
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            assert await ask(broker, a_request("k")) == "asked"
            await (await anext(questions)).ack()  # by somebody who does not know that it must be settled
            assert await ask(broker, a_request("k")) == "asked"
            assert (await anext(questions)).message.key == "k"

    async def test_two_readers_of_one_name_are_refused(self, broker: RedisBroker) -> None:
        async with broker.subscribe("t", "g", consumer="c"):
            with pytest.raises(Exception, match="c reads t already"):
                async with broker.subscribe("t", "g", consumer="c"):
                    pass

    async def test_a_killed_server_that_comes_back_costs_nothing(self) -> None:
        with RedisServer() as server:
            async with RedisBroker(server.url, patience_s=20.0) as broker:
                async with (
                    broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
                    broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
                ):
                    await ask(broker, a_request("k"))
                    question = await anext(questions)
                    server.kill()
                    settling = asyncio.ensure_future(broker.settle(a_reply(question.message), question))
                    server.start()
                    await settling
                    assert (await anext(answers)).message.key == "k"
                    assert broker.counters.reconnects >= 1
