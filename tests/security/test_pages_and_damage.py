"""Folders and logs that somebody has damaged, forged or used again: what can be shown is, and nothing else is read."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientPayloadError

from palaver_broker import Commit
from palaver_broker.memory import MemoryBroker
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.games import Games
from palaver_observability.dashboard.index import Index
from palaver_observability.dashboard.sources import FolderSource, RunSource, Shelf
from palaver_observability.folder import RunFolder
from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, SeatFiller, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message
from tests.observability.dashboard.stage import (
    OURS,
    TOKEN,
    browsing,
    ended,
    folder_dashboard,
    key,
    listening,
    started,
    told,
    turn,
)
from tests.observability.dashboard.test_dashboard_feed import Wire
from tests.support import LOG, NOON, a_reply, a_request, a_start, a_turn, until
from tests.toys import Choices, Match

EPISODE = "/api/episode/run/e0"
SEATS = dict.fromkeys(("left", "right"), (SeatFiller(agent="echo"),))


@pytest.fixture
async def memory() -> AsyncIterator[MemoryBroker]:
    async with MemoryBroker() as broker:
        yield broker


def a_run(home: Path, name: str = "run") -> Path:
    """Make the folder of a run of Match."""
    RunFolder.create(home / name, RunConfig(run_id=name, game="match", agents=("echo",), episodes=1))._unlock()
    return home / name


def a_log(*said: str, **reply: Any) -> list[EpisodeStarted | TurnTaken]:
    """Make the log of an episode in which the seats say something in turn; ``reply`` changes their replies."""
    log: list[EpisodeStarted | TurnTaken] = [a_start(game="match", seats=SEATS)]
    for number, (seat, text) in enumerate(zip(("left", "right") * 2, said, strict=False)):
        request = a_request(f"k{number}", turn=number, seat=seat, game="match")
        log.append(TurnTaken(key=request.key, reply=a_reply(request, text, **reply), at=NOON))
    return log


def write(run: Path, *entries: Any) -> Path:
    file = run / "transcripts" / "e0.jsonl"
    file.write_bytes(b"".join(entry if isinstance(entry, bytes) else encode(entry) + b"\n" for entry in entries))
    return file


def a_dashboard(home: Path, game: Match | None = None, **more: Any) -> Dashboard:
    board = folder_dashboard(home)
    return Dashboard(board.source, board.doors, games=Games({"match": game or Match()}), folder=board.folder, **more)


DAMAGE = {
    "nothing": (b"", 404),
    "a line that is no JSON": (b"{]\n", 422),
    "binary": (os.urandom(4000) + b"\n", 422),
    "a torn line": (b'{"type": "episode.sta', 404),
    "another version": (encode(a_start()).replace(b'"version":"1.0"', b'"version":"9.0"') + b"\n", 422),
    "no such type": (encode(a_start()).replace(b"episode.started", b"episode.dreamt") + b"\n", 422),
    "an end without a beginning": (encode(EpisodeEnded(key="e", outcome="solved", at=NOON)) + b"\n", 422),
    "too deep": (b"[" * 100_000 + b"\n", 422),
    "half a character": (encode(a_start()).replace(b'"toy"', rb'"\ud800"') + b"\n", 422),
}


@pytest.mark.parametrize("what", DAMAGE)
async def test_a_damaged_log_is_named_in_one_line_and_spoils_nothing_else(tmp_path: Path, what: str) -> None:
    data, status = DAMAGE[what]
    write(a_run(tmp_path, "bad"), data)
    write(a_run(tmp_path), *a_log("a", "a", "b", "b"))
    async with browsing(a_dashboard(tmp_path)) as client:
        for path in ("", "/stream", "/view?seat=left&turn=1", "/sent?n=1"):
            error = await told(client, f"/api/episode/bad/e0{path}", status)
            assert len(error["error"]) < 600
            assert error["error"].isprintable()
        assert len((await told(client, EPISODE))["steps"]) == 4
        assert len((await told(client, "/api/runs"))["runs"]) == 2


async def test_pipes_and_devices_are_no_files_and_hold_nobody_up(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    os.mkfifo(run / "transcripts" / "e0.jsonl")
    (run / "transcripts" / "e1.jsonl").symlink_to("/dev/zero")
    os.mkfifo(run / "episodes.jsonl")
    os.mkfifo(run / "blobs" / f"{'a' * 64}.png")
    os.mkfifo(tmp_path / "config.yaml")
    async with asyncio.timeout(5), browsing(a_dashboard(tmp_path)) as client:
        for path in (EPISODE, "/api/episode/run/e1", f"/api/blob/{'a' * 64}", "/api/episode/run/%00"):
            await told(client, path, 404)
        assert (await told(client, "/api/runs"))["runs"][0]["ended"] == 0


async def test_a_picture_is_what_its_name_says_wherever_a_link_leads(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a key of the operator's")
    run = a_run(tmp_path / "runs")
    (run / "blobs" / f"{'b' * 64}.png").symlink_to(secret)
    async with browsing(a_dashboard(tmp_path / "runs")) as client:
        async with client.get(f"/api/blob/{'b' * 64}") as response:
            assert (response.status, "a key" in await response.text()) == (404, False)


async def test_a_report_that_is_a_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(tmp_path / "runs")
    (run / "episodes.jsonl").touch()
    secret = tmp_path / "secret"
    secret.write_text("a key of the operator's")
    (run / "report.html").symlink_to(secret)
    made: list[Path] = []

    def write_one(folder: Path, facts: Any, file: Path) -> None:
        made.append(file)
        file.write_text("a report")

    monkeypatch.setattr("palaver_observability.dashboard.results._write", write_one)
    async with browsing(a_dashboard(tmp_path / "runs")) as client:
        async with client.get("/report/run") as response:
            assert await response.text() == "a report"


async def test_reports_of_runs_with_long_names_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_one(folder: Path, facts: Any, file: Path) -> None:
        file.write_text(folder.name)

    monkeypatch.setattr("palaver_observability.dashboard.results._write", write_one)
    names = [f"{'long' * 20}-{number}" for number in range(2)]
    for name in names:
        (a_run(tmp_path, name) / "episodes.jsonl").touch()
    async with browsing(a_dashboard(tmp_path)) as client:
        for name in names:
            async with client.get(f"/report/{name}") as response:
                assert await response.text() == name


async def test_a_run_that_was_played_again_under_its_name_is_not_taken_for_the_first(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    write(run, *a_log("first", "first"))
    async with browsing(a_dashboard(tmp_path, Drawn())) as client:
        async with client.get("/api/board/run/e0/2") as response:
            before, tag = await response.read(), response.headers["ETag"]
        again = [entry.model_copy(update={"at": NOON.replace(year=2027)}) for entry in a_log("second", "second")]
        os.utime(write(run, *again), ns=(1, 1))

        steps = (await told(client, EPISODE))["steps"]
        async with client.get("/api/board/run/e0/2", headers={"If-None-Match": tag}) as response:
            assert (response.status, await response.read() != before) == (200, True)
    assert [step["parts"][0]["text"] for step in steps] == ["second", "second"]


class Drawn(Match):
    """Shows what was said."""

    def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
        words = [f"{seat}: {said}" for round_ in state.rounds for seat, said in round_.items()]
        return (Message.text_from("user", "\n".join(["board", *words, "end"])),)


class Raising(Match):
    """Raises wherever it is looked at."""

    def view(self, state: Choices, seat: str) -> tuple[Message, ...]:
        raise ZeroDivisionError

    def partners(self, options: Any, seat: str) -> tuple[str, ...]:
        raise ZeroDivisionError

    def why(self, state: Choices) -> str:
        raise ZeroDivisionError


async def test_a_game_that_raises_whatever_it_is_asked_keeps_no_log_from_being_read(tmp_path: Path) -> None:
    write(a_run(tmp_path), *a_log("a", "b"))
    async with browsing(a_dashboard(tmp_path, Raising())) as client:
        assert len((await told(client, EPISODE))["steps"]) == 2
        for path in ("view?seat=left&turn=0", "sent?n=1"):
            assert "ZeroDivisionError" in (await told(client, f"{EPISODE}/{path}", 422))["error"]


async def test_what_a_log_calls_a_digest_leads_to_no_other_file(tmp_path: Path) -> None:
    asked: list[str] = []

    async def vault(sha256: str) -> bytes | None:
        asked.append(sha256)
        return b"{}"

    for sent in ("../../../etc/passwd", "\0", "a" * 63, "A" * 64):
        write(a_run(tmp_path / str(len(sent))), *a_log("a", sent=sent))
        async with browsing(a_dashboard(tmp_path / str(len(sent)), sent=vault)) as client:
            assert (await told(client, f"{EPISODE}/sent?n=1"))["stored"] is None
    assert asked == []


async def test_one_damaged_run_does_not_hide_the_results_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_run(tmp_path)
    bad = a_run(tmp_path, "bad")
    board = a_dashboard(tmp_path)
    async with browsing(board) as client:
        runs = await board.source.runs(board.index)
        (bad / "episodes.jsonl").write_text("{]\n")

        async def as_a_board_has_them(_: Index) -> Any:
            return runs

        monkeypatch.setattr(board.source, "runs", as_a_board_has_them)
        found = {run["run"]: run for run in (await told(client, "/api/results"))["runs"]}
        error = await told(client, "/api/results/bad", 422)
        write(bad, *a_log("a"))
        steps = (await told(client, "/api/episode/bad/e0"))["steps"]

    assert set(found) == {"run", "bad"}
    assert "is damaged" in found["bad"]["error"]
    assert "is damaged" in error["error"]
    assert len(steps) == 1


async def test_what_stands_before_a_damaged_line_of_a_run_that_is_written_is_shown(tmp_path: Path) -> None:
    index = Index(lambda: 0.0, lambda _: None)
    async with RunFolder.create(tmp_path / "run", RunConfig(run_id="run", game="match", agents=("echo",))):
        write(tmp_path / "run", *a_log("a"), b"{]\n")
        (tmp_path / "run" / "transcripts" / os.fsdecode(b"\xff.jsonl")).touch()  # a name that is no text
        following = asyncio.create_task(FolderSource(Shelf([tmp_path])).follow(index))
        try:
            await until(lambda: index.length(key()) == 2)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def test_numbers_without_end_reach_every_page_as_json(memory: MemoryBroker, tmp_path: Path) -> None:
    """On an embedded bus nothing is written on the way: what an agent or a game makes of numbers is what there is."""
    source = RunSource(Shelf([tmp_path]), "run", "here", lambda: None)
    source.attach(memory, ())
    board = Dashboard(source, Doors(TOKEN), games=Games({"toy": Match()}))
    async with browsing(board) as client, listening(client, "/api/stream?topics=cards,runs") as events:
        await source.listening.wait()
        await memory.commit(Commit(LOG, 0, None, a_start()))
        await memory.commit(Commit(LOG, 1, "start", a_turn("k1", cost_usd=float("inf"), usage={"input_tokens": 9})))
        last = EpisodeEnded(key="end", outcome="solved", scores={"success": float("nan")}, at=datetime.now(UTC))
        await memory.commit(Commit(LOG, 2, "k1", last))
        await until(lambda: board.index.length(key()) == 3)
        event: dict[str, Any] = {"cards": []}
        while not any(card["outcome"] for card in event["cards"]):
            event = await events.next("cards")
        assert [(card["cost"], card["score"]) for card in event["cards"]] == [(None, None)]
        for path in ("/api/cards", "/api/runs", EPISODE):
            async with client.get(path) as response:
                json.loads(await response.text(), parse_constant=_no_json)


def _no_json(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


class Broken(Wire):
    """Its agents cannot be looked at, in a way that nobody has thought of."""

    async def agents(self) -> dict[str, Any]:
        raise ZeroDivisionError


async def test_one_thing_that_fails_does_not_end_the_others() -> None:
    wire = Broken()
    board = Dashboard(wire, Doors(TOKEN), games=Games({"toy": Match()}))
    async with browsing(board) as client, listening(client, "/api/stream?topics=cards,agents,runs") as events:
        assert (await events.next("runs"))["runs"] == []
        wire.news.put_nowait((key(), 0, started(variant="half \ud800 a character")))
        await until(lambda: board.index.length(key()) == 1)
        wire.news.put_nowait((key("e1"), 0, started()))
        wire.news.put_nowait((key("e1"), 1, turn()))
        wire.news.put_nowait((key("e0"), 1, ended()))
        await until(lambda: board.index.totals()["running"] == 1)
        async with client.get("/api/hello") as response:
            assert response.status == 200


async def test_a_stream_that_fails_in_the_middle_is_cut_and_holds_no_second_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(a_run(tmp_path), *a_log("a"))
    board = a_dashboard(tmp_path)
    async with browsing(board) as client:
        async with client.get(f"{EPISODE}/stream", headers=OURS, timeout=None) as response:
            await response.content.readuntil(b"\n\n")

            async def gone(*_: Any) -> Any:
                raise BrokerError("the bus is gone")

            monkeypatch.setattr(board.folds, "entries", gone)
            board.index.changed(key())
            with pytest.raises(ClientPayloadError, match="Not enough data"):  # and not: a chunk that is none
                await asyncio.wait_for(response.content.read(), 5)
