"""The provider's bill: what is paid once, what twice, and what for nobody."""

import asyncio
from collections.abc import AsyncIterator, Callable

import aiohttp
import pytest

from tests.chaos.provider import NOBODY, Provider, Said, said_in

KEY = "0123456789abcdef" * 2


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def ask(client: aiohttp.ClientSession, provider: Provider, text: str = "Count to 20.", key: str = KEY) -> str:
    body = {"model": "test-model", "messages": [{"role": "user", "content": text}]}
    async with client.post(f"{provider.url}/chat/completions", json=body, headers={"Idempotency-Key": key}) as answer:
        said: str = (await answer.json())["choices"][0]["message"]["content"]
        return said


async def until(happened: Callable[[], bool]) -> None:
    while not happened():  # noqa: ASYNC110 - the provider notes, it does not call
        await asyncio.sleep(0.005)


async def test_it_counts_and_names_what_it_builds_on(client: aiohttp.ClientSession) -> None:
    async with Provider(idempotent=True, latency=(0, 0)) as provider:
        first = await ask(client, provider)
        second = await ask(client, provider, f"[user]: Count to 20.\n[other agent]: {first}", key="f" * 32)
    assert said_in(first) == Said(1, "01234567.1", NOBODY)
    assert said_in(second) == Said(2, "ffffffff.1", "01234567.1")


async def test_a_known_key_is_paid_once(client: aiohttp.ClientSession) -> None:
    async with Provider(idempotent=True, latency=(0, 0)) as provider:
        assert await ask(client, provider) == await ask(client, provider)
    assert [call.generation for call in provider.calls] == [0, 0]


async def test_a_known_key_is_paid_twice_by_a_plain_provider(client: aiohttp.ClientSession) -> None:
    async with Provider(idempotent=False, latency=(0, 0)) as provider:
        assert [await ask(client, provider) for _ in range(2)] == [
            "1! 01234567.1 after nobody",
            "1! 01234567.2 after nobody",
        ]
    assert [call.generation for call in provider.calls] == [0, 1]


@pytest.mark.parametrize("idempotent", [True, False])
async def test_who_hangs_up_is_noticed(client: aiohttp.ClientSession, idempotent: bool) -> None:
    async with Provider(idempotent=idempotent, latency=(60, 60)) as provider:
        asking = asyncio.create_task(ask(client, provider))
        await until(lambda: len(provider.calls) == 1)
        asking.cancel()
        await until(lambda: provider.calls[0].lost is not None)
    assert provider.calls[0].answered is None


async def test_the_next_asker_gets_what_the_first_has_begun(client: aiohttp.ClientSession) -> None:
    async with Provider(idempotent=True, latency=(0.3, 0.3)) as provider:
        asking = asyncio.create_task(ask(client, provider))
        await until(lambda: len(provider.calls) == 1)
        asking.cancel()
        assert await ask(client, provider) == "1! 01234567.1 after nobody"
    first, second = provider.calls
    assert (first.generation, second.generation) == (0, 0)
    assert second.answered is not None
    assert second.answered - first.begun < 0.6
