"""A link finds its server again when a cluster moves its keys or sentinels name another master."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest

from palaver_broker import Commit, Question, inbox
from palaver_broker.redis import Link, RedisBroker
from palaver_protocols.messages import TurnTaken
from tests.redis_server import RedisServer, free_port
from tests.support import BOX, LOG, NOON, a_reply, a_request, ask


async def eventually(ask: Callable[[], Awaitable[Any]], wanted: Callable[[Any], object]) -> Any:
    """Ask until the answer is as wanted; servers tell each other things in their own time."""
    while not wanted(answer := await ask()):  # noqa: ASYNC110  # they do not say when
        await asyncio.sleep(0.02)
    return answer


@pytest.mark.usefixtures("redis_7")
async def test_a_cluster_that_moves_the_keys_of_a_bus() -> None:
    with ExitStack() as stack:
        buses = [str(free_port()) for _ in range(2)]
        nodes = [stack.enter_context(RedisServer(tcp=True, cluster_enabled="yes", cluster_port=bus)) for bus in buses]
        async with Link(nodes[0].url) as first, Link(nodes[1].url) as second:
            await second.call("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            await first.call("CLUSTER", "MEET", "127.0.0.1", nodes[1].port, buses[1])
            await eventually(lambda: first.call("CLUSTER", "INFO"), lambda told: b"cluster_state:ok" in told)
            async with Link(nodes[0].tcp_url) as link:
                key = f"{link.prefix}k"
                assert await asyncio.gather(*(link.call("SET", key, n) for n in range(9))) == [b"OK"] * 9
                assert await second.call("GET", key) == b"8"  # where it was sent to
                slot = await first.call("CLUSTER", "KEYSLOT", key)
                home = await first.call("CLUSTER", "MYID")
                await second.call("DEL", key)
                for node in (first, second):
                    await node.call("CLUSTER", "SETSLOT", slot, "NODE", home)
                assert await link.call("SET", key, "moved") == b"OK"
                assert await first.call("GET", key) == b"moved"
                assert link.reconnects == 2
            await a_whole_turn(nodes[1].tcp_url)  # where the keys of the bus are not


async def a_whole_turn(url: str) -> None:
    """Ask, answer and commit, with every script that this takes."""
    async with (
        RedisBroker(url, patience_s=10.0) as broker,
        broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
        broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
    ):
        assert await ask(broker, a_request("k")) == "asked"
        question = await anext(questions)
        await broker.settle(a_reply(question.message), question)
        answer = await anext(answers)
        taken = TurnTaken(key="k", reply=answer.message, at=NOON)
        following = Question(a_request("next"), BOX)
        assert await broker.commit(Commit(LOG, 1, "start", taken, ask=[following], ack=[answer])) == "ok"
        assert (await anext(questions)).message.key == "next"


async def test_a_master_that_sentinels_replace() -> None:
    with ExitStack() as stack:
        old, new = (stack.enter_context(RedisServer(tcp=True)) for _ in range(2))
        sentinel = stack.enter_context(RedisServer(tcp=True, arguments=["--sentinel"]))
        async with Link(sentinel.url) as watcher:
            await watcher.call("SENTINEL", "MONITOR", "main", "127.0.0.1", old.port, 1)
            nowhere = sentinel.tcp_url.replace("redis://", "redis+sentinel://127.0.0.1:1,")
            async with Link(f"{nowhere}/main?bus=b") as link:
                assert await link.call("SET", f"{link.prefix}k", 1) == b"OK"
                await watcher.call("SENTINEL", "REMOVE", "main")
                await watcher.call("SENTINEL", "MONITOR", "main", "127.0.0.1", new.port, 1)
                async with Link(old.url) as deposed:
                    await deposed.call("REPLICAOF", "127.0.0.1", new.port)
                assert await link.call("SET", f"{link.prefix}k", 2) == b"OK"
            async with Link(new.url) as master:
                assert await master.call("GET", "{b}:k") == b"2"
