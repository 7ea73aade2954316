"""The journal: durable before the caller goes on, or a clear error."""

import asyncio
import errno
import os
import resource
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_observability.journal import Journal, cut_torn_line, whole_lines
from palaver_protocols.errors import BrokerError


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    journal = Journal(tmp_path, "log:run/")
    yield journal
    await journal.aclose()


async def test_lines_of_a_log_keep_their_order(journal: Journal, tmp_path: Path) -> None:
    await asyncio.gather(*(journal.append(f"log:run/e{number % 3}", b"%d" % number) for number in range(60)))
    for episode in range(3):
        assert [int(line) for line in whole_lines(tmp_path / f"e{episode}.jsonl")] == list(range(episode, 60, 3))


async def test_a_line_may_bring_its_newline(journal: Journal, tmp_path: Path) -> None:
    await journal.append("log:run/e", b"one\n")
    await journal.append("log:run/e", b"two")
    assert (tmp_path / "e.jsonl").read_bytes() == b"one\ntwo\n"


async def test_an_episode_s_name_cannot_leave_the_folder(journal: Journal, tmp_path: Path) -> None:
    await journal.append("log:run/../x/y", b"1")
    assert names(tmp_path) == ["..%2Fx%2Fy.jsonl"]


@pytest.mark.parametrize("log", ["log:other/e", "log:run/", "e", ""])
async def test_a_log_of_another_run_is_refused(journal: Journal, log: str) -> None:
    with pytest.raises(BrokerError, match="does not keep"):
        await journal.append(log, b"1")


async def test_a_line_is_synced_before_the_caller_goes_on(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        synced.append(b"".join(file.read_bytes() for file in tmp_path.iterdir()))

    monkeypatch.setattr(os, "fsync", fsync)
    await journal.append("log:run/e", b"one")
    assert synced[0] == b"one\n"
    assert len(synced) == 2, "the new file's name is made durable too"


async def test_what_queues_up_is_one_batch(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    at_disk, disk_ready = threading.Event(), threading.Event()
    opened: list[str] = []
    real = os.open

    def slow_open(path: str, *arguments: int) -> int:
        opened.append(str(path))
        at_disk.set()
        disk_ready.wait(10)
        return real(path, *arguments)

    await journal.append("log:run/e", b"known from now on")
    monkeypatch.setattr(os, "open", slow_open)
    first = asyncio.create_task(journal.append("log:run/e", b"0"))
    await asyncio.to_thread(at_disk.wait, 10)
    rest = [asyncio.create_task(journal.append("log:run/e", b"%d" % number)) for number in range(1, 20)]
    await asyncio.sleep(0)
    disk_ready.set()
    await asyncio.gather(first, *rest)
    assert len(opened) == 2


async def test_a_full_disk_is_named_and_ends_the_journal(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    with pytest.raises(BrokerError, match=r"cannot write .*full\.jsonl: No space left"):
        await journal.append("log:run/full", b"1")
    with pytest.raises(BrokerError, match=r"cannot write .*full\.jsonl: No space left"):
        await journal.append("log:run/other", b"1")
    assert not (tmp_path / "other.jsonl").exists()


async def test_a_failed_sync_fails_the_append(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(BrokerError, match=r"e\.jsonl: Input/output error"):
        await journal.append("log:run/e", b"1")


@pytest.mark.parametrize("what", ["folder", "file"])
async def test_what_is_gone_is_not_made_anew_without_its_beginning(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    journal = Journal(folder, "log:run/")
    await journal.append("log:run/e", b"1")
    if what == "folder":
        shutil.rmtree(folder)
    else:
        (folder / "e.jsonl").unlink()
    with pytest.raises(BrokerError, match=r"e\.jsonl: No such file"):
        await journal.append("log:run/e", b"2")
    await journal.aclose()


async def test_an_unforeseen_error_reaches_whoever_waits(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(BrokerError, match="a bug"):
        await journal.append("log:run/e", b"1")


async def test_a_caller_that_gave_up_harms_nobody(journal: Journal, tmp_path: Path) -> None:
    impatient = asyncio.create_task(journal.append("log:run/e", b"1"))
    await asyncio.sleep(0)
    impatient.cancel()
    await journal.append("log:run/e", b"2")
    assert whole_lines(tmp_path / "e.jsonl") == [b"1", b"2"]


async def test_closing_writes_what_is_queued_and_then_refuses(journal: Journal, tmp_path: Path) -> None:
    waiting = [asyncio.create_task(journal.append("log:run/e", b"%d" % number)) for number in range(50)]
    await asyncio.sleep(0)
    await journal.aclose()
    await asyncio.gather(*waiting)
    assert len(whole_lines(tmp_path / "e.jsonl")) == 50
    with pytest.raises(BrokerError, match="closed"):
        await journal.append("log:run/e", b"late")
    await journal.aclose()


async def test_many_more_files_than_descriptors(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    journal = Journal(tmp_path, "log:run/", fsync=False)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 200), hard))
    try:
        await asyncio.gather(*(journal.append(f"log:run/e{number}", b"1") for number in range(2000)))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        await journal.aclose()
    assert len(names(tmp_path)) == 2000


async def test_a_torn_last_line_is_cut_off_before_more_is_appended(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_bytes(b'{"whole": 1}\n{"torn": ')
    await journal.append("log:run/e", b"{}")
    assert (tmp_path / "e.jsonl").read_bytes() == b'{"whole": 1}\n{}\n'


@given(st.lists(st.binary(max_size=40).map(lambda text: text.replace(b"\n", b"")), max_size=6), st.data())
def test_wherever_a_file_was_cut_its_whole_lines_remain(lines: list[bytes], data: st.DataObject) -> None:
    text = b"".join(line + b"\n" for line in lines)
    text = text[: data.draw(st.integers(0, len(text)))]
    with tempfile.TemporaryFile() as stream:
        stream.write(text)
        stream.flush()
        cut_torn_line(stream.fileno())
        stream.seek(0)
        assert stream.read() == text[: text.rfind(b"\n") + 1]


def test_a_torn_line_may_be_longer_than_a_chunk(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    file.write_bytes(b"whole\n" + b"x" * 200_000)
    with file.open("r+b") as stream:
        cut_torn_line(stream.fileno())
    assert file.read_bytes() == b"whole\n"
