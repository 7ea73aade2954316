"""The feed: what browsers are sent, when, and that all of them are sent the same."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from palaver_broker import Commit
from palaver_broker.memory import MemoryBroker
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.cards import Key
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.feed import KEPT, ROOM, Client, Feed, frame
from palaver_observability.dashboard.games import Games
from palaver_observability.dashboard.index import Index
from palaver_observability.dashboard.sources import RunNow, RunSource, Shelf, Source
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import EpisodeEnded, LogEntry
from palaver_protocols.runs import EpisodeRecord, RunConfig
from tests.observability.dashboard.stage import OURS, TOKEN, browsing, ended, key, listening, started, turn
from tests.support import LOG, NOON, a_start, a_turn, until
from tests.toys import Match


class Wire(Source):
    """A source that tells what a test puts on it; an exception is raised."""

    kind = "bus"
    where = "a wire"

    def __init__(self) -> None:
        self.news: asyncio.Queue[tuple[Key, int, dict[str, Any]] | Exception] = asyncio.Queue()
        self.entries: list[LogEntry] = []
        self.stood: list[RunNow] = []

    async def follow(self, index: Index) -> None:
        while True:
            told = await self.news.get()
            if isinstance(told, Exception):
                raise told
            index.apply(*told)

    async def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        return self.entries[start:]

    async def runs(self, index: Index) -> list[RunNow]:
        return self.stood

    async def records(self, run: str) -> list[EpisodeRecord]:
        return []

    async def blob(self, sha256: str) -> bytes:
        raise BrokerError("there is no blob")


def a_board(source: Source, **doors: Any) -> Dashboard:
    return Dashboard(source, Doors(**{"token": TOKEN, **doors}), games=Games({"toy": Match(), "match": Match()}))


@pytest.fixture
def wire() -> Wire:
    return Wire()


@asynccontextmanager
async def fed(board: Dashboard) -> AsyncIterator[Feed]:
    feeding = asyncio.create_task(board.feed.run())
    try:
        yield board.feed
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)


def a_client(aborted: list[str] | None = None, *, sees_all: bool = True, topics: str = "cards") -> Client:
    told = [] if aborted is None else aborted
    return Client(frozenset({topics}), sees_all, lambda: told.append("aborted"))


async def test_whoever_comes_is_told_all_and_then_what_changes(wire: Wire) -> None:
    wire.news.put_nowait((key("e0"), 0, started()))
    wire.news.put_nowait((key("e1"), 0, started()))
    board = a_board(wire)
    async with browsing(board) as client:
        await until(lambda: len(board.index.playing) == 2)
        async with listening(client, "/api/stream?topics=cards") as events:
            first = await events.next("cards")
            wire.news.put_nowait((key("e1"), 1, turn()))
            later = await events.next("cards")
            while not later["totals"]["turns"]:  # what was there before may be told once more
                later = await events.next("cards")

    assert (first["all"], {card["key"] for card in first["cards"]}) == (True, {"run/e0", "run/e1"})
    assert (later["all"], [card["turn"] for card in later["cards"] if card["key"] == "run/e1"]) == (False, [1])
    assert (later["totals"]["running"], later["totals"]["turns"]) == (2, 1)


async def test_all_browsers_are_sent_the_very_same_bytes(wire: Wire) -> None:
    async with fed(a_board(wire)) as feed:
        one, two = a_client(), a_client(sees_all=False)
        await feed.join(one)
        await feed.join(two)
        for each in (one, two):
            await each.frames.get()
        wire.news.put_nowait((key(), 0, started()))

        assert await one.frames.get() is await two.frames.get()


async def test_who_comes_back_is_sent_what_it_has_missed_and_no_more(wire: Wire) -> None:
    board = a_board(wire)
    async with browsing(board) as client:
        async with listening(client, "/api/stream") as events:
            await events.next("cards")
            wire.news.put_nowait((key("e0"), 0, started()))
            await events.next("cards")
            seen = events.last_id
        wire.news.put_nowait((key("e1"), 0, started()))
        before = board.feed.sent["cards"]
        await until(lambda: board.feed.sent["cards"] > before)
        async with listening(client, "/api/stream", **{"Last-Event-ID": seen}) as events:
            missed = await events.next("cards")
        async with listening(client, f"/api/stream?after={seen}") as events:
            asked = await events.next("cards")

    assert (missed["all"], [card["key"] for card in missed["cards"]]) == (False, ["run/e1"])
    assert asked == missed


@pytest.mark.parametrize("after", ["elsewhere-3", "nonsense", "-1", "x-99999999999999999999999", ""])
async def test_who_comes_from_another_time_is_told_all(wire: Wire, after: str) -> None:
    async with browsing(a_board(wire)) as client, listening(client, f"/api/stream?after={after}") as events:
        assert (await events.next("cards"))["all"]


async def test_who_was_away_for_too_long_is_told_all(wire: Wire) -> None:
    board = a_board(wire)
    async with fed(board) as feed:
        first = a_client()
        await feed.join(first)
        boot = (await first.frames.get() or b"").split(b"id: ")[1].split(b"-")[0].decode()
        feed.leave(first)
        feed._number += KEPT + 1
        back = a_client()
        await feed.join(back, f"{boot}-0")

    assert b'"all":true' in (back.frames.get_nowait() or b"")


async def test_a_browser_that_does_not_read_is_let_go_and_holds_nobody_up(wire: Wire) -> None:
    async with fed(a_board(wire)) as feed:
        aborted: list[str] = []
        slow, quick = a_client(aborted), a_client()
        await feed.join(slow)
        await feed.join(quick)
        for _ in range(ROOM + 1):
            feed._send("cards", b"x")
            while not quick.frames.empty():
                quick.frames.get_nowait()

        assert (aborted, feed.clients) == (["aborted"], 1)


async def test_a_source_that_fails_is_tried_again_and_the_pages_stay(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver_observability.dashboard.feed.AWAY_S", 0.0)
    board = a_board(wire)
    async with browsing(board) as client:
        wire.news.put_nowait(BrokerError("the bus is away"))
        wire.news.put_nowait((key(), 0, started()))
        await until(lambda: board.index.playing)
        async with client.get("/api/cards") as response:
            assert len((await response.json())["cards"]) == 1


def a_run(**changes: Any) -> RunNow:
    config = RunConfig(run_id="run", game="toy", agents=("echo",))
    fields = {"state": "open", "total": 2, "owed": 1, "playing": 1, "ended": 0, "outcomes": {}, "tokens": 0}
    return RunNow(config=config, **{**fields, "cost": None, "errors": (("e0", "it said: secret"),), **changes})


async def test_runs_are_told_at_once_and_when_they_change(wire: Wire) -> None:
    wire.stood = [a_run()]
    async with browsing(a_board(wire)) as client, listening(client, "/api/stream?topics=runs") as events:
        first = await events.next("runs")
        wire.stood = [a_run(state="paused")]
        second = await events.next("runs")

    assert (first["runs"][0]["errors"], second["runs"][0]["state"]) == (
        [{"episode": "e0", "error": "it said: secret"}],
        "paused",
    )


async def test_visitors_are_told_of_runs_without_their_errors_and_of_no_seats(wire: Wire) -> None:
    wire.stood = [a_run()]
    board = a_board(wire, visitors=True)
    async with (
        browsing(board) as operator,
        listening(operator, "/api/stream?topics=runs") as all_of_it,
        operator.get("/api/stream?topics=runs,seats", headers={"Authorization": ""}, timeout=None) as response,
    ):
        assert response.status == 200
        assert (await all_of_it.next("runs"))["runs"][0]["errors"]
        told = b""
        while b"event: runs" not in told or not told.endswith(b"\n\n"):
            told += await response.content.readline()

    assert b"secret" not in told
    assert b"event: seats" not in told


async def test_the_pace_of_a_run_is_that_of_its_latest_ends(wire: Wire) -> None:
    wire.stood = [a_run(owed=10, playing=0)]
    board = a_board(wire)
    now = board.now()
    for number in range(4):
        board.index.apply(key(f"e{number}"), 0, started())
        board.index.apply(key(f"e{number}"), 1, ended(at=now - 60 + 20 * number))

    (run,) = (await board.feed.runs())["runs"]

    assert run["per_min"] == pytest.approx(4, rel=0.05)
    assert run["eta_s"] == pytest.approx(150, rel=0.05)


def test_a_frame_is_one_event() -> None:
    assert frame("step", b"{}", "7") == b"event: step\nid: 7\ndata: {}\n\n"


async def test_an_episode_is_followed_to_its_end(tmp_path: Path) -> None:
    """Steps come as they are taken, from where the browser was; then its end."""
    broker = MemoryBroker()
    source = RunSource(Shelf([tmp_path]), "run", "here", lambda: None)
    entries: list[Any] = [a_start(), a_turn("k1", "one"), a_turn("k2", "two", turn=1)]
    entries.append(EpisodeEnded(key="end", outcome="failed", scores={}, at=NOON))
    board = a_board(source)
    async with browsing(board) as client:
        source.attach(broker, ())
        await source.listening.wait()
        await broker.commit(Commit(LOG, 0, None, entries[0]))
        await broker.commit(Commit(LOG, 1, "start", entries[1]))
        await until(lambda: board.index.length(key()) == 2)
        async with listening(client, "/api/episode/run/e0/stream?after=0") as events:
            steps = [await events.next("step")]
            await broker.commit(Commit(LOG, 2, "k1", entries[2]))
            steps.append(await events.next("step"))
            await broker.commit(Commit(LOG, 3, "k2", entries[3]))
            end = await events.next("ended")
        async with listening(client, "/api/episode/run/e0/stream?after=1") as events:
            again = await events.next("step")
    await broker.aclose()

    assert [(step["n"], step["parts"][0]["text"]) for step in steps] == [(1, "one"), (2, "two")]
    assert (end["outcome"], again["n"]) == ("failed", 2)


async def test_streams_end_when_the_dashboard_does(wire: Wire) -> None:
    async with browsing(a_board(wire)) as client:
        response = await client.get("/api/stream", timeout=None, headers=OURS)
        await response.content.readline()
    async with asyncio.timeout(5):
        await response.release()
