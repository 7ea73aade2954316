"""The link carries every command to its answer, whatever happens to the server and on the way."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from palaver_broker.redis import Link, Script, commands
from palaver_broker.redis.errors import ReplyError
from palaver_protocols.errors import BrokerError
from tests.broker.redis.proxy import Proxy
from tests.redis_server import RedisServer, fresh_bus
from tests.support import until

ECHO = Script("return {KEYS[1], ARGV[1]}")


@pytest.fixture
async def link(redis_server: RedisServer) -> AsyncIterator[Link]:
    async with Link(fresh_bus(redis_server)) as link:
        yield link


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    """A server that may be treated badly."""
    with RedisServer(tcp=True) as server:
        yield server


async def test_each_call_gets_its_own_answer_in_the_order_of_the_calls(link: Link) -> None:
    key = f"{link.prefix}n"
    assert await asyncio.gather(*(link.call("INCR", key) for _ in range(1000))) == list(range(1, 1001))


async def test_a_reply_is_bytes_numbers_none_and_lists_of_them(link: Link) -> None:
    key = f"{link.prefix}h"
    assert await link.call("HSET", key, "é", b"\x00\xff", "n", 7) == 2
    assert await link.call("HMGET", key, "é", "n", "none") == [b"\x00\xff", b"7", None]


async def test_the_commands_of_one_turn_of_the_loop_leave_in_one_write(link: Link) -> None:
    async def reads() -> int:
        found = re.search(rb"total_reads_processed:(\d+)", await link.call("INFO", "stats"))
        assert found
        return int(found[1])

    before = await reads()
    await asyncio.gather(*(link.call("PING") for _ in range(300)))
    assert await reads() - before == 2  # one for all of them, one for the last INFO


async def test_no_write_waits_for_the_answers_to_an_earlier_one(redis_server: RedisServer) -> None:
    async with Proxy(redis_server.url) as proxy, Link(proxy.url) as link:
        proxy.passing.clear()
        first = asyncio.create_task(link.call("ECHO", "first"))
        await until(lambda: b"first" in proxy.received[0])
        second = asyncio.create_task(link.call("ECHO", "second"))
        await until(lambda: b"second" in proxy.received[0])
        assert not first.done()
        proxy.passing.set()
        assert [await first, await second] == [b"first", b"second"]


async def test_unanswered_commands_go_out_again_whole_and_in_order(redis_server: RedisServer) -> None:
    """A client's pipeline that has failed is empty, and succeeds when it is tried again."""
    async with Proxy(redis_server.url, lose_after=b"value-199") as proxy, Link(fresh_bus_at(proxy)) as link:
        key = f"{link.prefix}last"
        answers = await asyncio.gather(*(link.call("SET", key, f"value-{n}") for n in range(200)))
        assert answers == [b"OK"] * 200
        assert await link.call("GET", key) == b"value-199"
        assert link.reconnects == 1
        again = proxy.received[1].split(b"*2\r\n$3\r\nGET")[0]
        assert again == proxy.received[0]  # greetings and commands


def fresh_bus_at(proxy: Proxy) -> str:
    return f"{proxy.url}?bus=behind-a-proxy"


async def test_a_server_that_is_killed_while_200_writes_have_lost_their_answers(own_server: RedisServer) -> None:
    async with Proxy(own_server.url, lose_after=b"value-199") as proxy, Link(proxy.url) as link:
        writes = [asyncio.create_task(link.call("SET", f"k{n}", f"value-{n}")) for n in range(200)]
        await proxy.lost.wait()
        own_server.kill()
        await asyncio.to_thread(own_server.start)
        assert await asyncio.gather(*writes) == [b"OK"] * 200
        values = await link.call("MGET", *(f"k{n}" for n in range(200)))
        assert values == [f"value-{n}".encode() for n in range(200)]
        assert link.reconnects >= 1


async def test_a_server_that_hangs_is_left_and_asked_again_when_it_goes_on(own_server: RedisServer) -> None:
    async with Link(own_server.url, answer_within_s=0.1) as link:
        own_server.pause()
        answer = asyncio.create_task(link.call("ECHO", "here"))
        await until(lambda: not link.connected)
        own_server.resume()
        assert await answer == b"here"
        assert link.reconnects >= 1


async def test_a_slow_answer_is_waited_for_as_long_as_it_may_take(own_server: RedisServer) -> None:
    async with Link(own_server.url, answer_within_s=1.5) as link:
        assert await link.call("BLPOP", f"{link.prefix}none", "0.3") is None
        assert link.reconnects == 0


async def test_a_command_whose_caller_is_cancelled_keeps_its_place(redis_server: RedisServer) -> None:
    async with Proxy(redis_server.url) as proxy, Link(proxy.url) as link:
        proxy.passing.clear()
        impatient = asyncio.create_task(link.call("ECHO", "first"))
        patient = asyncio.create_task(link.call("ECHO", "second"))
        await until(lambda: b"second" in proxy.received[0])
        impatient.cancel()
        await asyncio.wait({impatient})
        proxy.passing.set()
        assert await patient == b"second"


async def test_a_command_that_nobody_waits_for_is_not_sent_again(redis_server: RedisServer) -> None:
    async with Proxy(redis_server.url) as proxy, Link(proxy.url) as link:
        proxy.passing.clear()
        impatient = asyncio.create_task(link.call("ECHO", "first"))
        patient = asyncio.create_task(link.call("ECHO", "second"))
        await until(lambda: b"second" in proxy.received[0])
        impatient.cancel()
        await asyncio.wait({impatient})
        proxy.lose_after = b"second"
        proxy.passing.set()
        assert await patient == b"second"
        assert b"first" not in proxy.received[1]


async def test_a_script_that_the_server_has_forgotten_is_sent_whole(link: Link) -> None:
    for n in range(2):
        await link.call("SCRIPT", "FLUSH")
        assert await link.run(ECHO, [f"{link.prefix}k"], [n]) == [f"{link.prefix}k".encode(), b"%d" % n]
    assert await link.call("SCRIPT", "EXISTS", ECHO.sha1) == [1]


async def test_a_script_runs_on_a_server_that_has_been_started_anew(own_server: RedisServer) -> None:
    async with Link(own_server.url) as link:
        assert await link.run(ECHO, ["k"], ["before"]) == [b"k", b"before"]
        own_server.kill()
        await asyncio.to_thread(own_server.start)
        assert await link.run(ECHO, ["k"], ["after"]) == [b"k", b"after"]


async def test_a_full_server_is_asked_again_until_it_has_room(own_server: RedisServer) -> None:
    async with Link(own_server.url) as link:
        await link.call("CONFIG", "SET", "maxmemory", "1")
        with capture_logs() as logs:
            writes = [
                asyncio.create_task(link.call("SET", "k", "v")),
                asyncio.create_task(link.run(Script("return redis.call('SET', KEYS[1], 'v')"), ["s"], [])),
            ]
            await until(lambda: logs)
        assert [(entry["log_level"], entry["event"]) for entry in logs] == [
            ("warning", f"redis at {own_server.socket} refuses commands: OOM")
        ]
        assert "maxmemory" in logs[0]["mend"]
        await link.call("CONFIG", "SET", "maxmemory", "0")
        assert await asyncio.gather(*writes) == [b"OK", b"OK"]


@pytest.mark.parametrize(
    ("spoil", "code"), [(("CONFIG", "SET", "maxmemory", "1"), "OOM"), (("REPLICAOF", "127.0.0.1", "1"), "READONLY")]
)
async def test_a_server_that_stays_unusable_is_an_error_after_a_while(
    own_server: RedisServer, spoil: tuple[str, ...], code: str
) -> None:
    async with Link(own_server.url, patience_s=0.1) as link:
        await link.call(*spoil)
        with pytest.raises(ReplyError, match=f"refuses a command: {code}") as caught:
            await link.call("SET", "k", "v")
        assert caught.value.code == code
        assert caught.value.mend
        assert await link.call("GET", "k") is None  # whatever needs no more goes on


async def test_a_server_that_stays_away_is_an_error_after_a_while(own_server: RedisServer) -> None:
    async with Link(own_server.url, patience_s=0.2) as link:
        own_server.kill()
        with pytest.raises(BrokerError, match=f"there is no redis at {own_server.socket}"):
            await link.call("PING")
        await asyncio.to_thread(own_server.start)
        assert await link.call("PING") == b"PONG"


async def test_a_server_may_come_later_than_its_link(own_server: RedisServer) -> None:
    own_server.kill()
    opening = asyncio.create_task(Link(own_server.url).open())
    with capture_logs() as logs:
        await until(lambda: logs)
        await asyncio.to_thread(own_server.start)
        link = await opening
    assert [entry["event"] for entry in logs][1:] == [f"redis at {own_server.socket} answers now"]
    assert await link.call("PING") == b"PONG"
    await link.aclose()


async def test_the_log_ends_with_the_good_news_and_has_it_once(own_server: RedisServer) -> None:
    with capture_logs() as logs:
        async with Link(own_server.url) as link:
            assert logs == [], "what was never missed is not announced"
            own_server.kill()
            waiting = asyncio.create_task(link.call("PING"))
            await until(lambda: any("there is no redis" in entry["event"] for entry in logs))
            await asyncio.to_thread(own_server.start)
            assert await waiting == b"PONG"
    assert (logs[-1]["log_level"], logs[-1]["event"]) == ("info", f"redis at {own_server.socket} answers now")
    assert sum("answers now" in entry["event"] for entry in logs) == 1


async def test_whoever_waits_when_the_link_is_closed_is_told(redis_server: RedisServer) -> None:
    async with Proxy(redis_server.url) as proxy:
        link = await Link(proxy.url).open()
        proxy.passing.clear()
        waiting = asyncio.create_task(link.call("PING"))
        await until(lambda: proxy.received[0].count(b"PING") == 2)
        await link.aclose()
        with pytest.raises(BrokerError, match="is closed"):
            await waiting
        with pytest.raises(BrokerError, match="is closed"):
            await link.call("PING")
        await link.aclose()


async def test_a_link_that_is_closed_at_once_leaves_no_connection(redis_server: RedisServer) -> None:
    link = await Link(redis_server.url, name="brief").open()
    waiting = asyncio.create_task(link.call("PING"))
    await link.aclose()
    assert not link.connected
    with pytest.raises(BrokerError, match="is closed"):
        await waiting
    async with Link(redis_server.url) as other:
        assert b"name=brief" not in await other.call("CLIENT", "LIST")


async def test_a_link_that_is_not_open_takes_nothing(redis_server: RedisServer) -> None:
    with pytest.raises(BrokerError, match="is not open"):
        await Link(redis_server.url).call("PING")


async def test_callers_wait_while_too_much_is_unanswered(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "MUCH", 1000)
    async with Proxy(redis_server.url) as proxy, Link(proxy.url) as link:
        proxy.passing.clear()
        calls = [asyncio.create_task(link.call("ECHO", f"{n:0100}")) for n in range(50)]
        await until(lambda: proxy.received[0].count(b"ECHO"))
        assert proxy.received[0].count(b"ECHO") < 12
        proxy.passing.set()
        assert await asyncio.gather(*calls) == [f"{n:0100}".encode() for n in range(50)]


async def test_what_the_server_refuses_is_an_error_with_its_code(link: Link) -> None:
    await link.call("SET", f"{link.prefix}k", "text")
    with pytest.raises(ReplyError, match="WRONGTYPE Operation against") as caught:
        await link.call("LPUSH", f"{link.prefix}k", "v")
    assert caught.value.code == "WRONGTYPE"
    with pytest.raises(ReplyError, match="NOGROUP") as caught:
        await link.run(Script("return redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', KEYS[1], '>')"), ["x"], [])
    assert caught.value.code == "NOGROUP"


async def test_a_word_that_is_none_is_the_callers_mistake_alone(link: Link) -> None:
    with pytest.raises(TypeError):
        await link.call("SET", "k", None)  # type: ignore[arg-type]  # the mistake
    assert await link.call("PING") == b"PONG"


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_connection_that_is_closed_under_a_write_is_made_anew(redis_server: RedisServer, loop: str) -> None:
    factory = asyncio.new_event_loop if loop == "asyncio" else pytest.importorskip("uvloop").new_event_loop

    async def close_and_call() -> Any:
        async with Link(fresh_bus(redis_server)) as link:
            assert link._connection is not None
            writer = link._connection._writer
            assert writer is not None
            writer.transport.abort()
            return await link.call("PING")

    with asyncio.Runner(loop_factory=factory) as runner:
        assert runner.run(close_and_call()) == b"PONG"
