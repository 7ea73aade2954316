"""What the embedded bus adds to the promises of all buses: a journal."""

import asyncio

import pytest

from palaver_broker import Commit, Question, inbox
from palaver_broker.lending import IN_A_ROW
from palaver_broker.memory import MemoryBroker
from palaver_protocols.codec import decode
from palaver_protocols.errors import BrokerError
from tests.support import BOX, LOG, a_request, a_start, a_turn


class Disk:
    """A journal that writes when it is let."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, bytes]] = []
        self.works = asyncio.Event()
        self.asked = asyncio.Event()
        self.full = False

    async def append(self, log: str, line: bytes) -> None:
        self.asked.set()
        await self.works.wait()
        if self.full:
            raise BrokerError("the disk is full")
        self.lines.append((log, line))


async def test_a_commit_returns_when_its_entry_is_on_disk() -> None:
    disk = Disk()
    async with MemoryBroker(journal=disk) as broker:
        commit = asyncio.create_task(broker.commit(Commit("l", 0, None, a_start("k0"))))
        await disk.asked.wait()
        assert not commit.done()
        disk.works.set()
        assert await commit == "ok"
    ((log, line),) = disk.lines
    assert (log, decode(line)) == ("l", a_start("k0"))


async def test_what_follows_from_an_entry_waits_for_the_disk() -> None:
    disk = Disk()
    async with MemoryBroker(journal=disk) as broker, broker.subscribe(inbox("echo"), "g", consumer="c") as subscription:
        reader = asyncio.ensure_future(anext(subscription))
        step = Commit(LOG, 0, None, a_start("k0"), ask=[Question(a_request("next"), BOX)])
        commit = asyncio.create_task(broker.commit(step))
        await disk.asked.wait()
        assert not reader.done()
        disk.works.set()
        await commit
        assert (await reader).message.key == "next"


async def test_a_repeat_waits_for_the_disk_too() -> None:
    disk = Disk()
    async with MemoryBroker(journal=disk) as broker:
        first = asyncio.create_task(broker.commit(Commit("l", 0, None, a_start("k0"))))
        await disk.asked.wait()
        repeat = asyncio.create_task(broker.commit(Commit("l", 0, None, a_start("k0"))))
        await asyncio.sleep(0)
        assert not repeat.done()
        disk.works.set()
        assert (await first, await repeat) == ("ok", "dup")


async def test_an_entry_that_could_not_be_written_is_not_there() -> None:
    disk = Disk()
    disk.full = True
    disk.works.set()
    async with MemoryBroker(journal=disk) as broker:
        with pytest.raises(BrokerError, match="the disk is full"):
            await broker.commit(Commit("l", 0, None, a_start("k0")))
        assert await broker.read("l") == []


async def test_logs_of_earlier_processes_are_gone_on_with() -> None:
    disk = Disk()
    disk.works.set()
    async with MemoryBroker(journal=disk, logs={"l": [a_start("k0"), a_turn("k1")]}) as broker:
        assert await broker.commit(Commit("l", 2, "k1", a_turn("k2"))) == "ok"
        assert await broker.commit(Commit("l", 1, "k0", a_turn("k1"))) == "dup"
        assert len(await broker.read("l")) == 3
    assert len(disk.lines) == 1


async def test_a_consumer_with_much_to_do_lets_others_go_on() -> None:
    taken: list[str] = []

    async def take_all() -> None:
        while len(taken) < 4 * IN_A_ROW:
            taken.append((await anext(subscription)).message.key)

    async with MemoryBroker() as broker, broker.subscribe("t", "g", consumer="c") as subscription:
        for n in range(4 * IN_A_ROW):
            await broker.publish("t", a_request(f"k{n}"))
        reader = asyncio.create_task(take_all())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert 0 < len(taken) < 4 * IN_A_ROW
        await reader
    assert taken == [f"k{n}" for n in range(4 * IN_A_ROW)]
