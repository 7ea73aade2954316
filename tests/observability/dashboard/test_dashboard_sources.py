"""Where news come from: folders that grow, a run in this process, a bus with its board."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from palaver_broker import Commit, Question, answer_box
from palaver_broker.memory import MemoryBroker
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.gate import RedisGate
from palaver_broker.redis.gate_state import gate_state
from palaver_broker.topics import episode_log
from palaver_observability.dashboard.cards import Key
from palaver_observability.dashboard.index import Index
from palaver_observability.dashboard.sources import BusSource, FolderSource, RunSource, Shelf, Source
from palaver_observability.dashboard.sources.folders import is_written
from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.codec import encode
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted
from palaver_protocols.runs import RunConfig
from tests.observability.dashboard.stage import key
from tests.redis_server import RedisServer, fresh_bus
from tests.support import LOG, NOON, a_request, a_start, a_turn, until

CONFIG = RunConfig(run_id="run", game="toy", agents=("echo",), episodes=2)


def an_end(**changes: Any) -> EpisodeEnded:
    return EpisodeEnded(**{"key": "end", "outcome": "solved", "scores": {"success": 1.0}, "at": NOON, **changes})


def an_index() -> Index:
    return Index(NOON.timestamp, lambda _: "success")


@asynccontextmanager
async def following(source: Source, index: Index) -> AsyncIterator[None]:
    task = asyncio.create_task(source.follow(index))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def append(folder: RunFolder, episode: str, data: bytes) -> None:
    with (folder.path / "transcripts" / f"{episode}.jsonl").open("ab") as file:
        file.write(data)


async def test_a_folder_that_is_written_is_followed_by_whole_lines(tmp_path: Path) -> None:
    index = an_index()
    line = encode(a_turn("k1")) + b"\n"
    async with RunFolder.create(tmp_path / "run", CONFIG) as folder:
        append(folder, "e0", encode(a_start()) + b"\n" + line[:30])
        async with following(FolderSource(Shelf([tmp_path])), index):
            await until(lambda: index.length(key()) == 1)
            append(folder, "e0", line[30:])
            await until(lambda: index.length(key()) == 2)
            append(folder, "e0", encode(an_end()) + b"\n")
            await until(lambda: not index.playing)

    assert index.totals()["outcomes"] == {"solved": 1}


async def test_what_nobody_writes_any_more_is_not_shown_as_played(tmp_path: Path) -> None:
    index = an_index()
    source = FolderSource(Shelf([tmp_path]))
    async with following(source, index):
        async with RunFolder.create(tmp_path / "run", CONFIG) as folder:
            append(folder, "e0", encode(a_start()) + b"\n")
            await until(lambda: index.playing)
            assert (await source.runs(index))[0].state == "open"
        await until(lambda: not index.playing)
        (run,) = await source.runs(index)

    assert (run.state, run.owed, run.can) == ("cancelled", 2, ())
    assert run.waits_for == f"somebody who takes it up: palaver resume {tmp_path / 'run'}"


async def test_a_lock_that_somebody_holds_is_seen_without_taking_it(tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path / "run", CONFIG) as folder:
        assert is_written(folder)
        folder.lock()  # ours still
    assert not is_written(folder)


def test_folders_are_found_in_folders_and_in_studies_and_damaged_ones_left_out(tmp_path: Path) -> None:
    for place, run in (("one", "one"), ("study/runs/two", "two"), (".", "")):
        if run:
            config = CONFIG.model_copy(update={"run_id": run})
            RunFolder.create(tmp_path / place, config)._unlock()
    (tmp_path / "study" / "study.yaml").write_text("name: s\ncells: []\n")
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "config.yaml").write_text("run_id: [")
    (tmp_path / "other").mkdir()

    assert set(Shelf([tmp_path]).folders()) == {"one", "two"}
    assert set(Shelf([tmp_path / "one"]).folders()) == {"one"}
    assert Shelf([tmp_path / "nowhere"]).folders() == {}


async def test_records_are_read_on_from_where_they_ended_and_anew_when_they_were_replaced(tmp_path: Path) -> None:
    shelf = Shelf([tmp_path])
    async with RunFolder.create(tmp_path / "run", CONFIG) as folder:
        await folder.add(record_of([a_start(), an_end()]))
        assert [record.episode_id for record in shelf.records("run")] == ["e0"]
        await folder.add(record_of([a_start(episode_id="e1"), an_end()]))
        assert [record.episode_id for record in shelf.records("run")] == ["e0", "e1"]
        folder.rewrite([record_of([a_start(episode_id="e1"), an_end(outcome="failed")])])

        assert [(record.episode_id, record.outcome) for record in shelf.records("run")] == [("e1", "failed")]


@pytest.fixture
async def memory() -> AsyncIterator[MemoryBroker]:
    async with MemoryBroker() as broker:
        yield broker


def a_run_source(tmp_path: Path, stopped: list[str] | None = None) -> RunSource:
    told = [] if stopped is None else stopped
    return RunSource(Shelf([tmp_path]), "run", str(tmp_path), lambda: told.append("stopped"))


async def test_a_run_in_this_process_is_followed_from_its_bus(tmp_path: Path, memory: MemoryBroker) -> None:
    index, source = an_index(), a_run_source(tmp_path)
    async with following(source, index):
        source.attach(memory, ())
        await source.listening.wait()
        request = a_request("k1")
        await memory.commit(Commit(LOG, 0, None, a_start(), ask=[Question(request, answer_box("gm"))]))
        await until(lambda: index.length(key()) == 1)

        card = index.card(key())
        assert card is not None
        assert card.waiting == {"a": "echo"}
        assert [entry.key for entry in await source.log(key())] == ["start"]


async def test_what_was_played_before_is_caught_up_with(tmp_path: Path, memory: MemoryBroker) -> None:
    await memory.commit(Commit(LOG, 0, None, a_start()))
    await memory.commit(Commit(LOG, 1, "start", a_turn("k1")))
    index, source = an_index(), a_run_source(tmp_path)
    async with following(source, index):
        source.attach(memory, ["e0"])
        await until(lambda: index.length(key()) == 2)
        await memory.commit(Commit(LOG, 2, "k1", a_turn("k2", turn=1)))
        await until(lambda: index.length(key()) == 3)

    assert index.totals()["turns"] == 2


async def test_a_gap_is_closed_from_the_log(tmp_path: Path, memory: MemoryBroker) -> None:
    """Nobody named this episode: its first commit that is heard of is its third."""
    await memory.commit(Commit(LOG, 0, None, a_start()))
    await memory.commit(Commit(LOG, 1, "start", a_turn("k1")))
    index, source = an_index(), a_run_source(tmp_path)
    async with following(source, index):
        source.attach(memory, ())
        await source.listening.wait()
        await memory.commit(Commit(LOG, 2, "k1", a_turn("k2", turn=1)))
        await until(lambda: index.length(key()) == 3)

    card = index.card(key())
    assert card is not None
    assert (card.turns, card.game) == (2, "toy")


async def test_a_run_here_is_paused_by_asking_nobody_and_stopped_like_by_ctrl_c(
    tmp_path: Path, memory: MemoryBroker
) -> None:
    stopped: list[str] = []
    RunFolder.create(tmp_path, CONFIG)._unlock()
    index, source = an_index(), a_run_source(tmp_path, stopped)
    source.attach(memory, ())

    assert await source.control("run", "pause")
    (paused,) = await source.runs(index)
    waiting = asyncio.create_task(source.gate.admit(a_request()))
    await asyncio.sleep(0)
    assert (paused.state, paused.can, waiting.done()) == ("paused", ("resume", "cancel"), False)

    assert await source.control("run", "resume")
    assert await waiting
    assert await source.control("run", "cancel")
    source.detach()
    assert (stopped, await source.control("run", "pause")) == (["stopped"], False)
    with pytest.raises(UsageError, match="other is not played here"):
        await source.control("other", "pause")


@pytest.fixture
async def bus(redis_server: RedisServer) -> AsyncIterator[RedisBroker]:
    async with RedisBroker(fresh_bus(redis_server)) as broker:
        yield broker


def an_opening(number: int) -> EpisodeStarted:
    return a_start(f"s{number}", episode_id=f"e{number}")


async def begun(bus: RedisBroker, episodes: int = 2) -> Board:
    """Put a run on the board, of which one episode is being played and has one turn."""
    board = Board(bus.link)
    await board.submit(CONFIG, [an_opening(number) for number in range(episodes)])
    await board.claim("gm", ["toy"], 1, 30.0)
    log = episode_log("run", "e0")
    await bus.commit(Commit(log, 0, None, an_opening(0)))
    await bus.commit(Commit(log, 1, "s0", a_turn("k1")))
    return board


async def test_whoever_comes_late_to_a_bus_sees_all_that_is_played(bus: RedisBroker, tmp_path: Path) -> None:
    board = await begun(bus)
    index, source = an_index(), BusSource(bus, board, "redis://here", Shelf([tmp_path]))
    async with following(source, index):
        await until(lambda: index.length(key()) == 2)
        await bus.commit(Commit(episode_log("run", "e0"), 2, "k1", an_end()))
        await until(lambda: not index.playing)

    assert index.totals()["outcomes"] == {"solved": 1}


async def test_a_run_that_was_cancelled_is_not_shown_as_played(
    bus: RedisBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver_observability.dashboard.sources.bus.PRUNE_S", 0.01)
    board = await begun(bus)
    index, source = an_index(), BusSource(bus, board, "redis://here", Shelf([tmp_path]))
    async with following(source, index):
        await until(lambda: index.length(key()) == 2)
        assert await board.pause("run")
        assert index.playing == [key()]
        assert await board.cancel("run")
        await until(lambda: not index.playing)


async def test_what_has_left_the_bus_is_read_from_the_folder(bus: RedisBroker, tmp_path: Path) -> None:
    async with RunFolder.create(tmp_path / "run", CONFIG) as folder:
        await folder.write_log("e0", [a_start(), a_turn("k1"), an_end()])
        sha256 = await folder.blobs.put(b"\x89PNG\r\n\x1a\n")
    source = BusSource(bus, Board(bus.link), "redis://here", Shelf([tmp_path]))

    assert [entry.key for entry in await source.log(key())] == ["start", "k1", "end"]
    assert [entry.key for entry in await source.log(key(), 2)] == ["end"]
    assert await source.blob(sha256) == b"\x89PNG\r\n\x1a\n"
    (run,) = await source.runs(an_index())
    assert (run.config.run_id, run.folder) == ("run", True)


async def test_runs_of_a_bus_are_paused_resumed_and_cancelled(bus: RedisBroker, tmp_path: Path) -> None:
    source = BusSource(bus, await begun(bus), "redis://here", Shelf([tmp_path]))

    async def state() -> tuple[str, tuple[str, ...]]:
        (run,) = await source.runs(an_index())
        return run.state, run.can

    seen = [await state()]
    for action in ("pause", "resume", "cancel"):
        assert await source.control("run", action)
        seen.append(await state())

    assert seen == [
        ("open", ("pause", "cancel")),
        ("paused", ("resume", "cancel")),
        ("open", ("pause", "cancel")),
        ("cancelled", ("resume",)),
    ]


async def test_the_registry_tells_what_is_left_at_a_gate(bus: RedisBroker) -> None:
    gate = RedisGate(bus.link, "openai:here", requests_per_minute=60, tokens_per_minute=6000)
    assert (await gate_state(bus.link, "openai:here", 60, 6000)).requests_left == 10
    await bus.commit(Commit(LOG, 0, None, a_start()))
    request = a_request("k1")
    await bus.ask(Question(request, answer_box("gm")))
    assert await gate.admit(request)
    await gate.aclose()

    left = await gate_state(bus.link, "openai:here", 60, None)

    assert left.requests_left == pytest.approx(9, abs=0.5)
    assert (left.tokens_left, left.paused_s, left.failures) == (None, 0.0, 0)


def test_a_log_is_named_after_its_episode() -> None:
    assert Key.of_log("log:run/a/b") == Key("run", "a/b")
