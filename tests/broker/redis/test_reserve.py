"""One process at a time."""

import asyncio
from contextlib import AbstractAsyncContextManager

from palaver_broker.redis import Link
from palaver_broker.redis.reserve import only_one
from tests.redis_server import RedisServer, fresh_bus
from tests.support import until


def place(link: Link, me: str, said: list[str]) -> AbstractAsyncContextManager[None]:
    return only_one(
        link, "p", me, lease_s=0.15, on_wait=lambda: said.append("waits"), on_lost=lambda: said.append("lost")
    )


async def test_a_second_process_waits_until_the_first_leaves(redis_server: RedisServer) -> None:
    said: list[str] = []
    async with Link(fresh_bus(redis_server)) as link:

        async def second() -> None:
            async with place(link, "b", said):
                said.append("in")

        async with place(link, "a", said):
            standing_by = asyncio.create_task(second())
            await until(lambda: "waits" in said)
            await asyncio.sleep(0.3)  # two leases: the first one keeps its place
            assert said == ["waits"]
        await standing_by
    assert said == ["waits", "in"]


async def test_the_place_of_a_silent_process_is_taken_and_it_is_told(redis_server: RedisServer) -> None:
    said: list[str] = []
    async with Link(fresh_bus(redis_server)) as link:
        async with place(link, "a", said):
            await link.call("SET", f"{link.prefix}p", "b")  # as a successor does after our lease
            await until(lambda: said)
        assert said == ["lost"]
        assert await link.call("GET", f"{link.prefix}p") == b"b"
