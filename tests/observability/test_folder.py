"""The run folder: what it refuses, what it keeps, and what is left of it after a kill."""

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
import yaml
from PIL import Image as Pillow

from palaver_broker.topics import episode_log
from palaver_observability.folder import RunFolder
from palaver_observability.records import line_of, record_of
from palaver_observability.stats import summarize
from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError, ProtocolError, UsageError
from palaver_protocols.messages import EpisodeEnded, LogEntry
from palaver_protocols.runs import EpisodeRecord, RunConfig
from tests.support import NOON, a_request, a_start, a_turn

ROOT = Path(__file__).parents[2]
CONFIG = RunConfig(run_id="run", game="toy", agents=("echo",), options={"size": 6, "name": "groß", "on": True})


def log_of(episode_id: str, outcome: str | None = "solved", turns: int = 2) -> list[LogEntry]:
    log: list[LogEntry] = [a_start(episode_id=episode_id), *(a_turn(f"k{number}") for number in range(turns))]
    return log if outcome is None else [*log, EpisodeEnded.model_validate({"key": "x", "outcome": outcome, "at": NOON})]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def record(episode_id: str = "e0", outcome: str = "solved") -> EpisodeRecord:
    return record_of(log_of(episode_id, outcome))


async def write_log(folder: RunFolder, log: Sequence[LogEntry]) -> None:
    for entry in log:
        await folder.journal.append(episode_log("run", log[0].episode_id), encode(entry))  # type: ignore[union-attr] # it starts


# -- making and opening


async def test_the_config_keeps_what_was_asked_and_what_it_was_run_with(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path / "runs" / "r", CONFIG) as folder:
        written = yaml.safe_load((folder.path / "config.yaml").read_text("utf-8"))
        assert written["options"] == {"size": 6, "name": "groß", "on": True}
        assert set(written["made_with"]) == {"palaver", "python", "platform", "libraries", "git_commit"}
        assert "pydantic" in written["made_with"]["libraries"]
        assert written["started"].endswith("+00:00")
        assert RunFolder.open(folder.path).config == CONFIG


async def test_the_same_run_may_use_its_folder_again(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        before = (folder.path / "config.yaml").read_bytes()
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        assert (folder.path / "config.yaml").read_bytes() == before


async def test_another_run_s_folder_is_refused(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG):
        pass
    with pytest.raises(UsageError, match=r"holds another run, run \(another seed\).*palaver resume"):
        RunFolder.create(tmp_path, CONFIG.model_copy(update={"seed": 7}))


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match=r"not empty \(thesis\.tex\)"):
        RunFolder.create(tmp_path, CONFIG)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write to .*file/run: Not a directory"):
        RunFolder.create(tmp_path / "file" / "run", CONFIG)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run_id: [", r"config\.yaml is malformed: .*line 1"),
        ("run_id: r\ngame: maze", r"config\.yaml is malformed: agents: Field required"),
        ("just words", r"config\.yaml is malformed"),
        ("run_id: \xff", r"config\.yaml is malformed"),
        (None, r"no run folder: it has no config\.yaml"),
    ],
)
def test_a_malformed_config_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "config.yaml").write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=said) as caught:
        RunFolder.open(tmp_path)
    assert "\n" not in str(caught.value)


async def test_two_writers_are_kept_apart_and_readers_are_not(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG):
        other = RunFolder.open(tmp_path)
        assert other.records() == []
        for write in (other.reconcile, other.lock, lambda: other.journal, lambda: other.write_summary([])):
            with pytest.raises(UsageError, match=rf"being written by another palaver \(pid {os.getpid()}\)"):
                write()
    other.lock()
    await other.aclose()


# -- logs


async def test_a_log_reads_back(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        await write_log(folder, log_of("e/1"))
        await write_log(folder, log_of("e0", None))
        assert folder.episode_ids_with_logs() == ["e/1", "e0"]
        assert folder.read_log("e/1") == log_of("e/1")
        assert folder.read_log("unknown") == []


async def test_a_torn_last_line_is_no_entry_and_is_gone_when_the_log_grows(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        await write_log(folder, log_of("e0", None))
    with (tmp_path / "transcripts" / "e0.jsonl").open("ab") as stream:
        stream.write(encode(log_of("e0")[-1]))  # whole, but for its newline: nobody was told that it is durable
    async with RunFolder.open(tmp_path) as folder:
        assert folder.read_log("e0") == log_of("e0", None)
        await folder.journal.append("log:run/e0", encode(a_turn("k2")))
        assert folder.read_log("e0") == log_of("e0", None, turns=3)


@pytest.mark.parametrize("line", [b'{"type": "turn.ta', b"", encode(a_request())])
async def test_a_damaged_line_is_named_by_file_and_number(tmp_path: Path, line: bytes) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        lines = [encode(entry) for entry in log_of("e0")]
        (tmp_path / "transcripts" / "e0.jsonl").write_bytes(b"\n".join([lines[0], line, *lines[1:]]) + b"\n")
        with pytest.raises(ProtocolError, match=r"e0\.jsonl, line 2 is damaged"):
            folder.read_log("e0")


# -- episodes.jsonl


async def test_an_episode_is_written_once_unless_it_was_owed(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        for outcome in ("error", "budget", "failed", "solved", "error"):
            await folder.add(record("e0", outcome))
        await folder.add(record("e1"))
        assert [json.loads(line)["outcome"] for line in (tmp_path / "episodes.jsonl").read_text().splitlines()] == [
            "error", "budget", "failed", "solved",
        ]  # fmt: skip
        assert folder.records() == [record("e0", "failed"), record("e1")]
    async with RunFolder.open(tmp_path) as folder:
        await folder.add(record("e1", "failed"))
        assert folder.records() == [record("e0", "failed"), record("e1")]


async def test_a_torn_record_is_none_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        await folder.add(record("e0"))
        file = tmp_path / "episodes.jsonl"
        with file.open("ab") as stream:
            stream.write(line_of(record("e1"))[:-20])
        assert folder.records() == [record("e0")]
        file.write_bytes(b'{"schema": "palaver.episode/1.0"}\n' + line_of(record("e1")))
        with pytest.raises(ProtocolError, match=r"episodes\.jsonl, line 1 is damaged: run_id: Field required"):
            folder.records()


async def test_reconcile_drops_what_is_owed_and_adds_what_was_not_written(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        for written in (record("done"), record("owed", "error"), record("retried", "budget")):
            await folder.add(written)
        await write_log(folder, log_of("done"))
        await write_log(folder, log_of("owed", "error"))
        await write_log(folder, [*log_of("retried", "error"), a_turn("k9"), *log_of("retried", "failed")[-1:]])
        await write_log(folder, log_of("unwritten", "crashed"))
        await write_log(folder, log_of("going on", None))
    (tmp_path / "transcripts" / "torn at once.jsonl").write_bytes(b'{"type": "epi')
    with (tmp_path / "episodes.jsonl").open("ab") as stream:
        stream.write(b'{"schema": "palav')
    async with RunFolder.open(tmp_path) as folder:
        assert folder.reconcile() == {"done", "retried", "unwritten"}
        outcomes = {found.episode_id: found.outcome for found in folder.records()}
        assert outcomes == {"done": "solved", "retried": "failed", "unwritten": "crashed"}
        before = (tmp_path / "episodes.jsonl").read_bytes()
        assert folder.reconcile() == {"done", "retried", "unwritten"}
        assert (tmp_path / "episodes.jsonl").read_bytes() == before
        await folder.add(record("owed"))
        assert len(folder.records()) == 4


async def test_reconcile_keeps_what_a_newer_version_wrote_into_a_line(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        line = json.dumps({**json.loads(line_of(record())), "mood": "good"}).encode() + b"\n"
        (tmp_path / "episodes.jsonl").write_bytes(line + line_of(record("e1", "error")))
        assert folder.reconcile() == {"e0"}
        assert (tmp_path / "episodes.jsonl").read_bytes() == line


async def test_the_summary_is_the_rows(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        rows = summarize([record("e0"), record("e1", "failed")])
        folder.write_summary(rows)
        folder.write_summary(rows)
        summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
        assert summary["rows"] == [row.model_dump(mode="json") for row in rows]
        assert names(tmp_path) == [".lock", "blobs", "config.yaml", "summary.json", "transcripts"]


@pytest.mark.parametrize(("variants", "left_out"), [(["one"], False), (["one", "two"], True)])
async def test_who_knows_no_game_leaves_sums_over_variants_out_and_says_so(
    tmp_path: Path, variants: list[str], left_out: bool
) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        rows = summarize([record(f"e{variant}").model_copy(update={"variant": variant}) for variant in variants])
        folder.write_summary(rows, by_episode=None)
        summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
        assert summary["overall"] == (None if left_out else [])
        assert ("overall_left_out" in summary) == left_out


async def test_a_run_that_has_ended_can_be_summed_up_and_taken_up_again(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        await folder.add(record("e0"))
    folder.write_summary(summarize(folder.records()))
    async with RunFolder.open(tmp_path) as again:
        assert again.reconcile() == {"e0"}


# -- blobs


def picture(kind: str) -> bytes:
    stream = BytesIO()
    Pillow.new("RGB", (3, 2)).save(stream, format=kind)
    return stream.getvalue()


@pytest.mark.parametrize(("kind", "suffix"), [("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"), ("WEBP", "webp")])
async def test_a_picture_lies_under_its_hash(tmp_path: Path, kind: str, suffix: str) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        data = picture(kind)
        sha256 = hashlib.sha256(data).hexdigest()
        assert await asyncio.gather(*(folder.blobs.put(data) for _ in range(8))) == [sha256] * 8
        assert [file.name for file in (tmp_path / "blobs").iterdir()] == [f"{sha256}.{suffix}"]
        assert await RunFolder.open(tmp_path).blobs.get(sha256) == data


async def test_anything_else_is_kept_too(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        assert await folder.blobs.get(await folder.blobs.put(b"")) == b""


async def test_a_damaged_blob_is_noticed_and_healed_by_putting_it_again(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        sha256 = await folder.blobs.put(picture("PNG"))
        (tmp_path / "blobs" / f"{sha256}.png").write_bytes(b"\x89PN")
        with pytest.raises(BrokerError, match="damaged"):
            await folder.blobs.get(sha256)
        other = RunFolder.open(tmp_path).blobs
        await other.put(picture("PNG"))
        assert await other.get(sha256) == picture("PNG")


@pytest.mark.parametrize("sha256", ["0" * 64, "../config", ""])
async def test_an_unknown_blob_is_an_error(tmp_path: Path, sha256: str) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        with pytest.raises(BrokerError, match=r"no blob|no SHA-256"):
            await folder.blobs.get(sha256)


async def test_a_blob_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path, CONFIG) as folder:
        (tmp_path / "blobs").rmdir()
        with pytest.raises(BrokerError, match=r"cannot write .*\.bin"):
            await folder.blobs.put(b"x")


# -- the kill

CHILD = """
import asyncio, pathlib, sys
from palaver_observability.folder import RunFolder
from palaver_protocols.codec import encode
from palaver_protocols.messages import EpisodeEnded
from palaver_protocols.runs import RunConfig
from tests.support import NOON, a_start, a_turn

async def play(folder, name):
    for turn in range(1_000_000):
        entry = a_turn(f"k{turn}", "word " * 2000) if turn else a_start(episode_id=name)
        await folder.journal.append(f"log:run/{name}", encode(entry))
        print(name, turn, flush=True)

async def main():
    config = RunConfig(run_id="run", game="toy", agents=("echo",))
    async with RunFolder.create(pathlib.Path(sys.argv[1]), config) as folder:
        end = EpisodeEnded(key="x", outcome="solved", at=NOON)
        for entry in (a_start(episode_id="ended"), a_turn("k"), end):
            await folder.journal.append("log:run/ended", encode(entry))
        await asyncio.gather(*(play(folder, f"e{number}") for number in range(16)))

asyncio.run(main())
"""


def play_and_kill(path: Path, acknowledged: int) -> dict[str, int]:
    """Play until so many entries are acknowledged, kill, and return the last acknowledged turn of each episode."""
    command = [sys.executable, "-c", CHILD, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(acknowledged)]
        child.send_signal(signal.SIGKILL)
        told += child.stdout.readlines()
    last: dict[str, int] = {}
    for line in told:
        if line.endswith("\n"):
            name, turn = line.split()
            last[name] = int(turn)
    return last


@pytest.mark.parametrize("acknowledged", [1, 100, 700])
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, acknowledged: int) -> None:
    last = play_and_kill(tmp_path / "run", acknowledged)
    assert last
    async with RunFolder.open(tmp_path / "run") as folder:
        for name, turn in last.items():
            keys = [entry.key for entry in folder.read_log(name)]
            assert len(keys) > turn
            assert keys == ["start", *(f"k{number}" for number in range(1, len(keys)))]
            await folder.journal.append(f"log:run/{name}", encode(a_turn("again")))
            assert [entry.key for entry in folder.read_log(name)] == [*keys, "again"]
        assert folder.reconcile() == {"ended"}
        assert [found.episode_id for found in folder.records()] == ["ended"]


def test_a_killed_writer_leaves_no_lock(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, CONFIG)._unlock()
    folder = RunFolder.open(tmp_path)
    program = (
        "import sys; from palaver_observability.folder import RunFolder; from pathlib import Path;"
        "folder = RunFolder.open(Path(sys.argv[1])); folder.lock(); print('locked', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "locked\n"
        with pytest.raises(UsageError, match=rf"pid {child.pid}\)"):
            folder.lock()
        child.kill()
    folder.lock()
    folder._unlock()
