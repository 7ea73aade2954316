"""One process at a time."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from structlog.testing import capture_logs

from palaver_broker.redis import Link
from palaver_broker.redis.reserve import only_one
from tests.redis_server import RedisServer, fresh_bus
from tests.support import until


def place(link: Link, me: str, said: list[str]) -> AbstractAsyncContextManager[None]:
    return only_one(link, "p", me, lease_s=0.15, on_lost=lambda: said.append("lost"))


async def test_a_second_process_waits_until_the_first_leaves(redis_server: RedisServer) -> None:
    said: list[str] = []
    async with Link(fresh_bus(redis_server)) as link:

        async def second() -> None:
            async with place(link, "b", said):
                said.append("in")

        with capture_logs() as logs:
            async with place(link, "a", said):
                assert logs == [], "who finds the place free has taken over from nobody"
                standing_by = asyncio.create_task(second())
                await until(lambda: logs)
                await asyncio.sleep(0.3)  # two leases: the first one keeps its place
                assert said == []
            await standing_by
    assert said == ["in"]
    assert [(line["event"], line["place"]) for line in logs] == [
        ("standing by: a is at work, or has died less than 0.15 s ago", "p"),
        ("taken over; at work", "p"),
    ]


@pytest.mark.parametrize("holder", ["killed", "killed\x1b[2J"])
async def test_the_place_of_a_process_that_was_killed_is_free_after_its_lease(
    redis_server: RedisServer, holder: str
) -> None:
    async with Link(fresh_bus(redis_server)) as link:
        await link.call("SET", f"{link.prefix}p", holder, "PX", 100)
        with capture_logs() as logs:
            async with asyncio.timeout(10), place(link, "b", []):
                assert await link.call("GET", f"{link.prefix}p") == b"b"
    assert logs[0]["event"].startswith("standing by: killed")
    assert "\x1b" not in logs[0]["event"]
    assert logs[1]["event"] == "taken over; at work"


async def test_the_place_of_a_silent_process_is_taken_and_it_is_told(redis_server: RedisServer) -> None:
    said: list[str] = []
    async with Link(fresh_bus(redis_server)) as link:
        async with place(link, "a", said):
            await link.call("SET", f"{link.prefix}p", "b")  # as a successor does after our lease
            await until(lambda: said)
        assert said == ["lost"]
        assert await link.call("GET", f"{link.prefix}p") == b"b"
