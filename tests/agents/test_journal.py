"""The journal of an agent: what is written stays written, and every call lost in flight is counted once."""

import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from palaver_agents import journal as journal_module
from palaver_agents.journal import AgentJournal
from palaver_protocols.errors import BrokerError, UsageError

AGENT = "vllm/Qwen/Qwen3-8B@http://gpu:8000"
PLACE = "vllm%2FQwen%2FQwen3-8B%40http%3A%2F%2Fgpu%3A8000-1"


def key(number: int) -> str:
    return f"{number:032x}"


def segments(folder: Path) -> list[Path]:
    return sorted((folder / PLACE).glob("*.log"))


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[AgentJournal]:
    journal = AgentJournal.open(tmp_path, AGENT)
    yield journal
    await journal.aclose()


def reopened(folder: Path) -> AgentJournal:
    return AgentJournal.open(folder, AGENT)


class Disk:
    """Stands in for fsync: counts, and can be made to wait or to fail."""

    def __init__(self) -> None:
        self.syncs = 0
        self.waits = threading.Event()
        self.go = threading.Event()
        self.go.set()
        self.error: OSError | None = None

    def fsync(self, descriptor: int) -> None:
        self.syncs += 1
        self.waits.set()
        self.go.wait()
        if self.error is not None:
            raise self.error


@pytest.fixture
def disk(journal: AgentJournal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """The disk under an open journal, from now on."""
    disk = Disk()
    monkeypatch.setattr("palaver_agents.segments.os.fsync", disk.fsync)
    yield disk
    disk.error = None
    disk.go.set()


async def test_an_answer_is_found_under_its_key_alone(journal: AgentJournal) -> None:
    assert journal.look_up(key(1)) is None
    journal.begin(key(1))
    await journal.answer(key(1), b"one")
    assert journal.look_up(key(1)) == b"one"
    assert journal.look_up(key(2)) is None


async def test_any_string_is_a_key(journal: AgentJournal) -> None:
    keys = ["", "k", "f" * 32, "F" * 32, "z" * 32, " " * 32, "ключ", "\ud800", "long" * 100]
    await asyncio.gather(*(journal.answer(each, b"%d" % number) for number, each in enumerate(keys)))
    assert [journal.look_up(each) for each in keys] == [b"%d" % number for number in range(len(keys))]


async def test_the_first_answer_stands(journal: AgentJournal, tmp_path: Path) -> None:
    await journal.answer(key(1), b"first")
    await journal.answer(key(1), b"second")
    assert journal.look_up(key(1)) == b"first"
    await journal.aclose()
    again = reopened(tmp_path)
    assert again.look_up(key(1)) == b"first"
    await again.aclose()


async def test_a_replica_finds_its_name_and_its_answers_again(journal: AgentJournal, tmp_path: Path) -> None:
    answers = {key(number): os.urandom(number * 100) for number in range(20)}
    await asyncio.gather(*(journal.answer(each, data) for each, data in answers.items()))
    await journal.aclose()
    again = reopened(tmp_path)
    assert again.consumer == journal.consumer
    assert {each: again.look_up(each) for each in answers} == answers
    assert again.lost == ()
    await again.aclose()


async def test_replicas_on_one_machine_have_slots_of_their_own(journal: AgentJournal, tmp_path: Path) -> None:
    await journal.answer(key(1), b"one")
    second = AgentJournal.open(tmp_path, AGENT)
    other = AgentJournal.open(tmp_path, "scripted")
    assert len({journal.consumer, second.consumer, other.consumer}) == 3
    assert second.look_up(key(1)) is None
    await journal.aclose()
    first_again = AgentJournal.open(tmp_path, AGENT)
    assert first_again.consumer == journal.consumer
    for each in (second, other, first_again):
        await each.aclose()


async def test_an_answer_returns_when_it_is_on_disk_and_the_loop_does_not_wait(
    journal: AgentJournal, disk: Disk, tmp_path: Path
) -> None:
    disk.go.clear()
    answering = asyncio.create_task(journal.answer(key(1), b"one"))
    await asyncio.to_thread(disk.waits.wait)  # the loop runs while the disk is busy
    assert not answering.done()
    assert journal.look_up(key(1)) == b"one"
    shutil.copytree(tmp_path, tmp_path / "seen by others")
    disk.go.set()
    await answering
    other = reopened(tmp_path / "seen by others")
    assert other.look_up(key(1)) == b"one"
    await other.aclose()


async def test_answers_that_come_while_the_disk_is_busy_share_one_sync(journal: AgentJournal, disk: Disk) -> None:
    disk.go.clear()
    first = asyncio.create_task(journal.answer(key(0), b"first"))
    await asyncio.to_thread(disk.waits.wait)
    rest = [asyncio.create_task(journal.answer(key(number), b"x" * 1024)) for number in range(1, 1000)]
    await asyncio.sleep(0)  # all of them are written now
    disk.go.set()
    await asyncio.gather(first, *rest)
    assert disk.syncs == 2


async def test_a_cancelled_answer_is_written_nevertheless(journal: AgentJournal, disk: Disk) -> None:
    disk.go.clear()
    journal.begin(key(1))
    answering = asyncio.create_task(journal.answer(key(1), b"one"))
    staying = asyncio.create_task(journal.answer(key(2), b"two"))
    await asyncio.to_thread(disk.waits.wait)
    answering.cancel()
    disk.go.set()
    await staying
    assert journal.look_up(key(1)) == b"one"


async def test_closing_syncs_what_waits_and_takes_nothing_more(journal: AgentJournal) -> None:
    answering = [asyncio.create_task(journal.answer(key(number), b"an answer")) for number in range(3)]
    await asyncio.sleep(0)
    await asyncio.gather(journal.aclose(), journal.aclose(), *answering)
    await journal.aclose()
    with pytest.raises(BrokerError, match="is closed"):
        journal.begin(key(4))
    with pytest.raises(BrokerError, match="is closed"):
        await journal.answer(key(4), b"")


async def test_calls_still_open_at_the_end_are_lost_in_flight_and_told_once(
    journal: AgentJournal, tmp_path: Path
) -> None:
    for number in (1, 2, 2, 3, 4, 5, 5):  # 2 and 5 are asked twice
        journal.begin(key(number))
    journal.begin("not a request key")
    journal.failed(key(3))
    await asyncio.gather(journal.answer(key(4), b"four"), journal.answer(key(5), b"five"))
    await journal.aclose()
    again = reopened(tmp_path)
    *lost, other = again.lost
    assert lost == [key(1), key(2), key(2), key(5)]
    assert len(other) == 32
    await again.aclose()
    once_more = reopened(tmp_path)
    assert once_more.lost == ()
    await once_more.aclose()


KILLED = f"""
import asyncio, os, signal, sys, threading
from pathlib import Path
from palaver_agents.journal import AgentJournal

async def main():
    journal = AgentJournal.open(Path(sys.argv[1]), {AGENT!r})
    for number in range(6):
        journal.begin(f"{{number:032x}}")
    await journal.answer(f"{{0:032x}}", b"durable")
    journal.failed(f"{{1:032x}}")
    syncing = threading.Event()
    os.fsync = lambda descriptor: (syncing.set(), threading.Event().wait())
    written = [asyncio.create_task(journal.answer(f"{{number:032x}}", b"just come")) for number in (2, 3)]
    await asyncio.to_thread(syncing.wait)
    journal.begin(f"{{6:032x}}")
    print(journal.consumer, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_a_killed_process_loses_only_what_was_in_flight(tmp_path: Path) -> None:
    child = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, check=False
    )
    assert child.returncode == -signal.SIGKILL
    journal = reopened(tmp_path)
    assert journal.consumer == child.stdout.decode().strip()
    assert journal.lost == (key(4), key(5), key(6))
    found = [journal.look_up(key(number)) for number in range(7)]
    assert found == [b"durable", None, b"just come", b"just come", None, None, None]
    await journal.aclose()


async def test_wherever_a_crash_has_cut_the_log_the_whole_frames_count(journal: AgentJournal, tmp_path: Path) -> None:
    (log,) = segments(tmp_path)
    ends = []
    for number in range(3):
        journal.begin(key(number))
        await journal.answer(key(number), b"answer %d" % number)
        ends.append(log.stat().st_size)
    await journal.aclose()
    whole = log.read_bytes()
    for cut in range(len(whole)):
        log.write_bytes(whole[:cut])
        again = reopened(tmp_path)
        there = [number for number in range(3) if again.look_up(key(number)) is not None]
        assert there == [number for number in range(3) if ends[number] <= cut]
        await again.answer(key(9), b"more")
        await again.aclose()
        again = reopened(tmp_path)
        assert again.look_up(key(9)) == b"more"
        assert again.lost == ()
        await again.aclose()


async def test_one_damaged_answer_does_not_cost_the_others(journal: AgentJournal, tmp_path: Path) -> None:
    for number in range(3):
        await journal.answer(key(number), b"answer %d" % number)
    (log,) = segments(tmp_path)
    log.write_bytes(log.read_bytes().replace(b"answer 1", b"answer X"))
    assert journal.look_up(key(1)) is None
    await journal.aclose()
    again = reopened(tmp_path)
    assert [again.look_up(key(number)) for number in range(3)] == [b"answer 0", None, b"answer 2"]
    await again.aclose()


async def test_an_answer_that_was_cut_off_under_an_open_journal_is_not_there(
    journal: AgentJournal, tmp_path: Path
) -> None:
    await journal.answer(key(1), b"one")
    (log,) = segments(tmp_path)
    os.truncate(log, 30)
    assert journal.look_up(key(1)) is None


@pytest.mark.parametrize("name", ["replica", "00000001.log"])
@pytest.mark.parametrize("text", [b"SQLite format 3\0 and more", b"\xff\xfe"])
async def test_a_foreign_file_is_named(journal: AgentJournal, tmp_path: Path, name: str, text: bytes) -> None:
    await journal.aclose()
    (tmp_path / PLACE / name).write_bytes(text)
    for _ in range(2):  # the slot is not held after the first failure
        with pytest.raises(UsageError, match=rf"-1/{name} .* away\)$"):
            AgentJournal.open(tmp_path, AGENT)


async def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        UsageError, match=r"cannot keep the agent's journal in \S+file/state: Not a directory .*--state"
    ):
        AgentJournal.open(tmp_path / "file" / "state", AGENT)


async def test_old_answers_are_dropped_when_a_journal_is_opened(journal: AgentJournal, tmp_path: Path) -> None:
    await journal.answer(key(1), b"one")
    journal.begin(key(2))
    await journal.aclose()
    (log,) = segments(tmp_path)
    head = log.read_bytes()
    a_while_ago = time.time() - 8 * 86_400
    log.write_bytes(head[:16] + int(a_while_ago).to_bytes(8, "little") + head[24:])
    os.utime(log, (a_while_ago, a_while_ago))
    again = reopened(tmp_path)
    assert again.look_up(key(1)) is None
    assert again.lost == (key(2),)  # however long ago
    assert not log.exists()
    await again.aclose()


async def test_only_the_newest_segments_are_kept(
    journal: AgentJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SEGMENT_FRAMES", 10)
    monkeypatch.setattr(journal_module, "PAUSE_S", 0.0)
    journal.begin(key(1000))
    for number in range(200):
        await journal.answer(key(number), b"%d" % number)
    kept = [number for number in range(200) if journal.look_up(key(number)) is not None]
    assert kept == list(range(kept[0], 200))
    assert 70 <= len(kept) <= 80
    assert len(segments(tmp_path)) == journal_module.SEGMENTS
    await journal.aclose()
    again = reopened(tmp_path)
    assert [number for number in range(200) if again.look_up(key(number)) is not None] == kept
    await again.aclose()


async def test_a_full_segment_is_synced_with_the_new_one(
    journal: AgentJournal, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SEGMENT_FRAMES", 3)
    await asyncio.gather(*(journal.answer(key(number), b"answer") for number in range(4)))
    assert disk.syncs == 3  # the full one, the new one, and the folder that holds the new one's name


async def test_a_full_disk_stops_the_journal_and_names_the_file(journal: AgentJournal, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    await journal.answer(key(1), b"one")
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(BrokerError, match=rf"^cannot write \S+{PLACE}/00000001.log: File too large \(see to the"):
            await journal.answer(key(2), b"x" * 8192)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    for write in (journal.begin, journal.failed):
        with pytest.raises(BrokerError, match="File too large"):
            write(key(3))
    assert journal.look_up(key(1)) == b"one"
    await journal.aclose()
    again = reopened(tmp_path)
    assert (again.look_up(key(1)), again.look_up(key(2))) == (b"one", None)
    await again.aclose()


async def test_when_a_sync_fails_all_who_wait_are_told(journal: AgentJournal, disk: Disk) -> None:
    disk.go.clear()
    disk.error = OSError(5, "Input/output error")
    first = asyncio.create_task(journal.answer(key(1), b"one"))
    await asyncio.to_thread(disk.waits.wait)
    second = asyncio.create_task(journal.answer(key(2), b"two"))
    await asyncio.sleep(0)
    disk.go.set()
    for told in await asyncio.gather(first, second, return_exceptions=True):
        assert isinstance(told, BrokerError)
        assert "00000001.log: Input/output error" in str(told)
    assert disk.syncs == 1
    with pytest.raises(BrokerError, match="Input/output error"):
        journal.begin(key(3))
