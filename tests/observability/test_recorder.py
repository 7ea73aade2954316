"""From the bus to the disk: in what order, how often, and what stops it."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow
from structlog.testing import capture_logs

from palaver_broker.board import RunState, RunStatus
from palaver_broker.memory import MemoryBlobs
from palaver_broker.topics import episode_log
from palaver_observability.folder import RunFolder
from palaver_observability.recorder import AT_ONCE, SERVICE, Recorder
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, PalaverError, ProtocolError, UsageError, VersionError
from palaver_protocols.messages import EpisodeEnded, LogEntry, Outcome, TurnTaken
from palaver_protocols.runs import EpisodeRecord, RunConfig
from palaver_protocols.transcript import Message
from tests.observability.report.dialogues import a_dialogue
from tests.support import NOON, a_reply, a_request, a_start, a_turn


def config(run_id: str = "run") -> RunConfig:
    return RunConfig(run_id=run_id, game="toy", agents=("echo",))


def log_of(episode_id: str, outcome: Outcome | None = "solved", run_id: str = "run") -> list[LogEntry]:
    log: list[LogEntry] = [a_start(run_id=run_id, episode_id=episode_id), a_turn("k0"), a_turn("k1")]
    return log if outcome is None else [*log, EpisodeEnded(key="end", outcome=outcome, at=NOON)]


class Bus:
    """A board and the logs of its episodes, in memory."""

    def __init__(self) -> None:
        self.blobs: Any = MemoryBlobs()
        self.logs: dict[str, list[LogEntry] | PalaverError] = {}
        self.ended: dict[str, dict[str, Outcome]] = {}
        self.archived: list[str] = []
        self.buried: dict[str, str] = {}
        self.states: dict[str, RunState] = {}
        self.recorders: dict[str, str] = {}
        self.looks: Counter[str | None] = Counter()
        self.on_look: Callable[[], None] = lambda: None
        self.on_archive: Callable[[str, str], None] = lambda run_id, episode_id: None
        self._changed = asyncio.Event()

    def submit(self, run_id: str = "run", recorder: str = SERVICE) -> None:
        self.ended.setdefault(run_id, {})
        self.states[run_id] = "open"
        self.recorders[run_id] = recorder

    def finish(self, *episode_ids: str, outcome: Outcome = "solved", run_id: str = "run") -> None:
        for episode_id in episode_ids:
            self.logs.setdefault(episode_log(run_id, episode_id), log_of(episode_id, outcome, run_id))
            self.ended[run_id][episode_id] = outcome

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something that is archived, or a look at the board, has made a condition true."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    async def status(self, run_id: str | None = None) -> list[RunStatus]:
        self.looks[run_id] += 1
        self.on_look()
        self._changed.set()
        runs = list(self.states) if run_id is None else [run_id] if run_id in self.states else []
        return [self._status(run) for run in runs]

    def _status(self, run_id: str) -> RunStatus:
        return RunStatus(
            config=config(run_id),
            state=self.states[run_id],
            recorder=self.recorders[run_id],
            total=10,
            owed=0,
            playing=0,
            ended=len(self.ended[run_id]),
            archived=len(self.archived),
            outcomes={},
            tokens=0,
            cost_usd=0.0,
            submitted=NOON,
        )

    async def owed_to_recorder(self, run_id: str, count: int) -> list[tuple[str, Outcome]]:
        return list(self.ended[run_id].items())[:count]

    async def archive(self, run_id: str, episode_id: str) -> None:
        self.on_archive(run_id, episode_id)
        del self.ended[run_id][episode_id]
        self.archived.append(episode_id)
        self._changed.set()

    async def bury(self, run_id: str, episode_id: str, reason: str) -> None:
        del self.ended[run_id][episode_id]
        self.buried[episode_id] = reason

    async def read(self, log: str, start: int = 0, stop: int | None = None) -> list[LogEntry]:
        found = self.logs.get(log, [])
        if isinstance(found, PalaverError):
            raise found
        return found[start:stop]


@pytest.fixture
def bus() -> Bus:
    bus = Bus()
    bus.submit()
    return bus


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[RunFolder]:
    async with RunFolder.create(tmp_path / "folder", config()) as folder:
        yield folder


def recorder(bus: Bus, **changes: Any) -> Recorder:
    return Recorder(bus, bus, **{"poll_s": 0.001, "retry_s": 0.0, **changes})


async def record_all(bus: Bus, folder: RunFolder, **changes: Any) -> None:
    """Record what has ended, of a run that is done with that."""
    bus.states["run"] = "done"
    await recorder(bus, **changes).record(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def ids(folder: RunFolder) -> list[str]:
    return sorted(record.episode_id for record in folder.records())


def leaves(group: BaseExceptionGroup[Any]) -> list[str]:
    return [str(error) for error in group.exceptions]


# -- one run


async def test_an_episode_leaves_the_bus_when_it_is_on_disk(bus: Bus, folder: RunFolder) -> None:
    bus.finish("e0", "e1")

    def on_disk(_: str, episode_id: str) -> None:
        assert folder.read_log(episode_id) == log_of(episode_id)
        assert episode_id in ids(folder)

    bus.on_archive = on_disk
    told: list[EpisodeRecord] = []
    await record_all(bus, folder, on_record=told.append)
    assert sorted(bus.archived) == ["e0", "e1"] == ids(folder)
    assert sorted(told, key=lambda record: record.episode_id) == sorted(folder.records(), key=lambda r: r.episode_id)
    assert not (folder.path / "summary.json").exists()


async def test_what_is_on_disk_already_is_only_archived(bus: Bus, folder: RunFolder) -> None:
    bus.finish("e0")
    await record_all(bus, folder)
    bus.finish("e0")
    bus.logs.clear()
    told: list[EpisodeRecord] = []
    await record_all(bus, folder, on_record=told.append)
    assert bus.archived == ["e0", "e0"]
    assert (ids(folder), told, bus.buried) == (["e0"], [], {})


async def test_an_episode_that_is_played_again_replaces_its_error(bus: Bus, folder: RunFolder) -> None:
    for outcome in ("error", "budget", "solved"):
        bus.logs.clear()
        bus.finish("e0", outcome=outcome)
        await record_all(bus, folder)
        assert [record.outcome for record in folder.records()] == [outcome]
        assert folder.read_log("e0") == log_of("e0", outcome)


async def test_a_recorder_that_fails_before_it_archives_writes_nothing_twice(bus: Bus, folder: RunFolder) -> None:
    def fail(_: str, episode_id: str) -> None:
        raise BrokerError("the bus is away")

    bus.finish("e0")
    bus.on_archive = fail
    with pytest.raises(ExceptionGroup) as raised:
        await record_all(bus, folder)
    assert leaves(raised.value) == ["the bus is away"]
    bus.on_archive = Bus().on_archive
    await record_all(bus, folder)
    assert bus.archived == ["e0"]
    assert (folder.path / "episodes.jsonl").read_bytes().count(b"\n") == 1


async def test_a_torn_transcript_is_written_anew(bus: Bus, folder: RunFolder) -> None:
    (folder.path / "transcripts" / "e0.jsonl").write_bytes(b'{"type":"episode.star')
    bus.finish("e0")
    await record_all(bus, folder)
    assert folder.read_log("e0") == log_of("e0")
    assert [file.name for file in (folder.path / "transcripts").iterdir()] == ["e0.jsonl"]


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ([], "log:run/bad is empty"),
        (log_of("bad", None), "bad has not ended"),
        (log_of("bad")[1:], "must begin with episode.started"),
        (log_of("good"), "log:run/bad holds the log of run/good"),
        (ProtocolError("type: Field required"), "type: Field required"),
    ],
)
async def test_a_log_that_makes_no_record_is_buried_and_stops_nothing(
    bus: Bus, folder: RunFolder, log: list[LogEntry] | PalaverError, reason: str
) -> None:
    bus.logs[episode_log("run", "bad")] = log
    bus.finish("bad", "e0")
    with capture_logs() as logged:
        await record_all(bus, folder)
    assert list(bus.buried) == ["bad"]
    assert reason in bus.buried["bad"]
    assert [(line["episode_id"], line["log_level"]) for line in logged] == [("bad", "error")]
    assert bus.archived == ["e0"] == ids(folder)


async def test_what_another_version_can_read_is_not_buried(bus: Bus, folder: RunFolder) -> None:
    bus.logs[episode_log("run", "e0")] = VersionError("this message speaks version 2.0")
    bus.finish("e0")
    with pytest.raises(ExceptionGroup) as raised:
        await record_all(bus, folder)
    assert leaves(raised.value) == ["this message speaks version 2.0"]
    assert (bus.buried, list(bus.ended["run"])) == ({}, ["e0"])


async def test_a_damaged_folder_buries_nothing(bus: Bus, folder: RunFolder) -> None:
    (folder.path / "episodes.jsonl").write_bytes(b"{}\n")
    bus.finish("e0")
    with pytest.raises(ProtocolError, match=r"episodes\.jsonl, line 1 is damaged"):
        await record_all(bus, folder)
    assert (bus.buried, list(bus.ended["run"])) == ({}, ["e0"])


async def test_it_goes_on_until_the_run_is_done(bus: Bus, folder: RunFolder) -> None:
    def go_on() -> None:
        if bus.looks["run"] == 2:
            bus.finish("e0")
        if bus.looks["run"] == 4:
            bus.states["run"] = "done"

    bus.on_look = go_on
    status = await recorder(bus).record(folder)
    assert (status.state, status.archived) == ("done", 1)
    assert bus.looks["run"] == 4


async def test_a_cancelled_run_is_recorded_to_its_last_ended_episode(bus: Bus, folder: RunFolder) -> None:
    def cancel() -> None:
        if bus.states["run"] == "open":
            bus.states["run"] = "cancelled"
            bus.finish("late")

    bus.on_look = cancel
    status = await recorder(bus).record(folder)
    assert status.state == "cancelled"
    assert ids(folder) == ["late"]


async def test_between_two_looks_it_sleeps(bus: Bus, folder: RunFolder) -> None:
    recording = asyncio.create_task(recorder(bus, poll_s=3600).record(folder))
    await bus.until(lambda: bus.looks["run"] == 1)
    done, _ = await asyncio.wait([recording], timeout=0.05)
    assert not done
    assert bus.looks["run"] == 1
    recording.cancel()
    with pytest.raises(asyncio.CancelledError):
        await recording


async def test_a_run_that_the_bus_does_not_know_is_named(bus: Bus, folder: RunFolder) -> None:
    del bus.states["run"]
    with pytest.raises(UsageError, match="the bus knows no run run"):
        await recorder(bus).record(folder)


async def test_sixteen_at_a_time(bus: Bus, folder: RunFolder) -> None:
    reading, most, full, read = 0, 0, asyncio.Event(), bus.read

    async def slow(log: str, start: int = 0, stop: int | None = None) -> list[LogEntry]:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        if reading == AT_ONCE:
            full.set()
        await full.wait()
        reading -= 1
        return await read(log, start, stop)

    bus.read = slow  # type: ignore[method-assign] # a bus that takes its time
    bus.finish(*(f"e{number}" for number in range(40)))
    await record_all(bus, folder)
    assert most == AT_ONCE == 16
    assert len(ids(folder)) == 40


# -- pictures


def picture(colour: str) -> Image:
    file = BytesIO()
    Pillow.new("RGB", (4, 4), colour).save(file, "PNG")
    return Image.from_bytes(file.getvalue())


def log_with(episode_id: str, shown: Image, answered: Image) -> list[LogEntry]:
    prompts = (Message(speaker="user", parts=(shown,)),)
    taken = TurnTaken(key="k0", prompts=prompts, reply=a_reply(a_request(), parts=(answered,)), at=NOON)
    return [log_of(episode_id)[0], taken, log_of(episode_id)[-1]]


class CountedBlobs(MemoryBlobs):
    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    async def get(self, sha256: str) -> bytes:
        self.fetched.append(sha256)
        return await super().get(sha256)


async def test_pictures_come_along_once(bus: Bus, folder: RunFolder) -> None:
    bus.blobs = CountedBlobs()
    red, green, here = (picture(colour) for colour in ("red", "green", "blue"))
    for image in (red, green):
        await bus.blobs.put(image.data)
    await folder.blobs.put(here.data or b"")
    for episode_id, shown, answered in (("e0", red, here), ("e1", red, green)):
        bus.logs[episode_log("run", episode_id)] = log_with(episode_id, shown, answered)
        bus.finish(episode_id)
        await record_all(bus, folder)
    assert bus.blobs.fetched == [red.sha256, green.sha256]
    for image in (red, green, here):
        assert hashlib.sha256(await folder.blobs.get(image.sha256)).hexdigest() == image.sha256


async def test_a_picture_that_the_bus_has_lost_costs_no_episode(bus: Bus, folder: RunFolder) -> None:
    bus.logs[episode_log("run", "e0")] = log_with("e0", picture("red"), picture("red"))
    bus.finish("e0")
    with capture_logs() as logged:
        await record_all(bus, folder)
    assert [(line["event"], line["log_level"]) for line in logged] == [("picture lost", "warning")]
    assert bus.archived == ["e0"] == ids(folder)


async def test_a_bus_that_is_away_has_lost_no_picture(bus: Bus, folder: RunFolder) -> None:
    log = episode_log("run", "e0")
    bus.logs[log] = log_with("e0", picture("red"), picture("red"))
    bus.finish("e0")

    class Away(MemoryBlobs):
        async def get(self, sha256: str) -> bytes:
            bus.logs[log] = BrokerError("the bus is away")
            raise BrokerError("the bus is away")

    bus.blobs = Away()
    with pytest.raises(ExceptionGroup) as raised:
        await record_all(bus, folder)
    assert leaves(raised.value) == ["the bus is away"]
    assert (bus.archived, ids(folder)) == ([], [])


# -- a service


@asynccontextmanager
async def serving(bus: Bus, out: Path, **changes: Any) -> AsyncIterator[Recorder]:
    service = recorder(bus, **changes)
    task = asyncio.create_task(service.serve(out))
    try:
        yield service
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert service.busy == 0


def is_summed_up(folder: Path) -> Callable[[], bool]:
    return (folder / "summary.json").exists


async def test_every_run_gets_its_folder_and_its_summary(bus: Bus, tmp_path: Path) -> None:
    bus.finish("e0")
    async with serving(bus, tmp_path / "out") as service:
        await bus.until(lambda: bus.archived == ["e0"])
        bus.submit("later")
        bus.finish("f0", run_id="later")
        bus.states["run"] = bus.states["later"] = "done"
        for run_id in ("run", "later"):
            await bus.until(is_summed_up(tmp_path / "out" / run_id))
        await bus.until(lambda: not service.busy)
        for run_id, episode_id in (("run", "e0"), ("later", "f0")):
            async with RunFolder.open(tmp_path / "out" / run_id) as written:
                written.lock()  # the service has let go of it
                assert (written.config, ids(written)) == (config(run_id), [episode_id])
                assert json.loads((written.path / "summary.json").read_bytes())["rows"][0]["n"] == 1


async def test_sums_over_variants_are_left_to_who_knows_the_game(bus: Bus, tmp_path: Path) -> None:
    path = tmp_path / "out" / "run"
    path.parent.mkdir()
    async with RunFolder.create(path, config()) as there:
        for number, variant in enumerate(("same", "other")):
            await there.add(a_dialogue("show", variant, number, 50.0))
    bus.finish("e0")
    bus.states["run"] = "done"
    async with serving(bus, tmp_path / "out") as service:
        await bus.until(is_summed_up(path))
        await bus.until(lambda: not service.busy)
    summary = json.loads((path / "summary.json").read_bytes())
    assert [row["variant"] for row in summary["rows"] if row["game"] == "show"] == ["same", "other"]
    assert summary["overall"] is None
    assert "palaver score" in summary["overall_left_out"]


async def test_a_run_that_somebody_else_writes_down_is_left_alone(bus: Bus, tmp_path: Path) -> None:
    bus.submit("mine", recorder="laptop:/runs/mine")
    bus.finish("e0", run_id="mine")
    bus.finish("e1")
    async with serving(bus, tmp_path):
        await bus.until(lambda: bus.archived == ["e1"])
        seen = bus.looks[None]
        await bus.until(lambda: bus.looks[None] > seen + 1)
    assert names(tmp_path) == ["run"]
    assert list(bus.ended["mine"]) == ["e0"]


async def test_a_run_is_taken_up_after_a_restart(bus: Bus, tmp_path: Path) -> None:
    for episode_id in ("e0", "e1"):
        bus.finish(episode_id)
        async with serving(bus, tmp_path):
            await bus.until(lambda: not bus.ended["run"])
        (tmp_path / "run" / "transcripts" / ".e9.jsonl.1a2b3c4d").touch()  # as a kill in mid-write leaves it
    assert ids(RunFolder.open(tmp_path / "run")) == ["e0", "e1"]
    seen = bus.looks[None]
    async with serving(bus, tmp_path) as service:
        await bus.until(lambda: bus.looks[None] > seen + 1 and not service.busy)
    assert names(tmp_path / "run" / "transcripts") == ["e0.jsonl", "e1.jsonl"]


async def test_a_folder_in_use_is_tried_again_and_stops_no_other(bus: Bus, tmp_path: Path) -> None:
    bus.submit("other")
    bus.finish("e0")
    bus.finish("f0", run_id="other")
    with capture_logs() as logged:
        async with RunFolder.create(tmp_path / "run", config()), serving(bus, tmp_path):
            await bus.until(lambda: bus.archived == ["f0"] and bool(logged))
        async with serving(bus, tmp_path):
            await bus.until(lambda: bus.archived == ["f0", "e0"])
    assert {(line["run_id"], line["log_level"]) for line in logged} == {("run", "error")}
    assert "is being written by another palaver" in logged[0]["reason"]


async def test_a_failure_waits_for_its_time(bus: Bus, tmp_path: Path) -> None:
    with capture_logs() as logged:
        async with RunFolder.create(tmp_path / "run", config()), serving(bus, tmp_path, retry_s=3600):
            await bus.until(lambda: bool(logged))
            seen = bus.looks[None]
            await bus.until(lambda: bus.looks[None] > seen + 3)
    assert len(logged) == 1


async def test_a_run_that_was_over_before_is_only_summed_up_where_that_is_missing(bus: Bus, tmp_path: Path) -> None:
    bus.finish("e0")
    async with serving(bus, tmp_path):
        await bus.until(lambda: bus.archived == ["e0"])  # and the service is gone before the run is over
    bus.submit("elsewhere")
    bus.states.update(run="done", elsewhere="done")
    async with serving(bus, tmp_path):
        await bus.until(is_summed_up(tmp_path / "run"))
    assert names(tmp_path) == ["run"]


async def test_a_run_that_is_opened_again_is_summed_up_again(bus: Bus, tmp_path: Path) -> None:
    def is_counted(episodes: int) -> bool:
        file = tmp_path / "run" / "summary.json"
        return file.exists() and json.loads(file.read_bytes())["rows"][0]["n"] == episodes

    async with serving(bus, tmp_path):
        for number in (1, 2):
            bus.submit()
            bus.finish(f"e{number}")
            await bus.until(lambda: not bus.ended["run"])
            bus.states["run"] = "done"
            await bus.until(partial(is_counted, number))


@pytest.mark.parametrize(("run_id", "name"), [("..", "%2E."), (".", "%2E"), ("a/b", "a%2Fb"), ("a b", "a b")])
async def test_a_run_stays_within_its_folder(bus: Bus, tmp_path: Path, run_id: str, name: str) -> None:
    del bus.states["run"]
    bus.submit(run_id)
    bus.finish("e0", run_id=run_id)
    async with serving(bus, tmp_path / "out"):
        await bus.until(lambda: bus.archived == ["e0"])
    assert names(tmp_path / "out") == [name]
    assert names(tmp_path) == ["out"]


async def test_a_place_that_cannot_be_written_is_named(bus: Bus, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write to .*file/out: Not a directory"):
        await recorder(bus).serve(tmp_path / "file" / "out")
