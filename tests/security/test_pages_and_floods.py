"""Floods at the pages: connections, listeners, steps of people, pictures. What is played beside them goes on."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from palaver_agents.human import SeatingError
from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import Instance, Options
from palaver_gamemasters.rollout import plan
from palaver_observability.dashboard import feed, listening, streaming
from palaver_observability.dashboard.answering import VISITS
from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.games import Games
from palaver_observability.dashboard.index import Index
from palaver_observability.dashboard.listening import Site, most_connections
from palaver_observability.dashboard.seats.pace import LINKS, STREAMS, Pace
from palaver_observability.dashboard.sources import RunNow, RunSource, Shelf, bus
from palaver_protocols.runs import RunConfig
from tests.observability.dashboard.stage import OURS, TOKEN, Client, browsing, folder_dashboard
from tests.observability.dashboard.test_dashboard_feed import Wire
from tests.security.test_pages_and_strangers import pages_of_a_game
from tests.support import until
from tests.toys import Match, ToyModel, serving

PATIENCE_S = 5.0


@asynccontextmanager
async def a_site(most: int) -> AsyncIterator[tuple[web.AppRunner, int]]:
    """Serve one page to so many connections; yield what serves it, and the port."""

    async def page(_: web.Request) -> web.Response:
        return web.Response(text="here")

    application = web.Application()
    application.add_routes([web.get("/", page)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await Site(runner, "127.0.0.1", 0, most).start()
        yield runner, int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def test_connections_without_a_word_take_no_more_than_their_share() -> None:
    async with a_site(8) as (runner, port), AsyncExitStack() as stack:
        for _ in range(100):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            stack.callback(writer.close)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        stack.callback(writer.close)
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)  # it is shown out, and not kept waiting

        assert runner.server is not None
        assert len(runner.server.connections) == 8


async def test_who_says_nothing_makes_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "IDLE_S", 0.05)
    async with a_site(1) as (runner, port):
        reader, silent = await asyncio.open_connection("127.0.0.1", port)
        silent.write(b"GET / HT")
        async with asyncio.timeout(PATIENCE_S):
            assert await reader.read() == b""
        silent.close()
        assert runner.server is not None
        server = runner.server
        await until(lambda: not server.connections)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()


def test_the_pages_leave_half_of_what_a_process_may_open_to_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for may_open, most in ((1024, 512), (resource.RLIM_INFINITY, listening.MOST), (1_000_000, listening.MOST)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=may_open: (soft, soft))
        assert most_connections() == most


async def test_visitors_who_listen_leave_room_for_operators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "most_connections", lambda: 4)
    board = folder_dashboard(tmp_path, visitors=True)
    async with browsing(board, {}) as client, AsyncExitStack() as stack:
        for _ in range(2):
            response = await stack.enter_async_context(client.get("/api/stream", timeout=None))
            assert response.status == 200
        await until(lambda: board.feed.clients == 2)
        async with client.get("/api/stream") as response:
            assert (response.status, (await response.json())["error"]) == (503, "too many browsers listen")
        async with client.get("/api/stream", headers=OURS) as response:
            assert response.status == 200


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_link_is_used_at_a_pace_and_other_links_are_free() -> None:
    clock = Clock()
    pace = Pace(2.0, 3.0, clock)
    for _ in range(3):
        pace.step("one")
    with pytest.raises(SeatingError, match="too fast"):
        pace.step("one")
    pace.step("two")
    clock.now += 1.0
    pace.step("one")


def test_made_up_links_fill_no_memory() -> None:
    pace = Pace(1.0, 1.0, Clock())
    for number in range(2 * LINKS):
        pace.step(f"{number:04}" + "x" * 8000)
    assert sum(len(link) for link in pace._left) <= LINKS * 64


async def test_one_link_opens_only_so_many_pages_and_takes_only_so_many_steps(tmp_path: Path) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client), AsyncExitStack() as stack:
        for _ in range(STREAMS):
            response = await stack.enter_async_context(client.get(f"/api{pages.link}/stream", timeout=None))
            assert response.status == 200
        async with client.get(f"/api{pages.link}/stream") as response:
            assert response.status == 429
        headers = {"X-Palaver": "1", "Origin": str(client.make_url("/")).rstrip("/")}
        seen = set()
        for _ in range(60):
            async with client.post(
                f"/api{pages.link}/say", json={"key": "k", "text": "x"}, headers=headers
            ) as response:
                seen.add(response.status)
        assert seen == {403, 429}


class Matches(Match):
    """As many as are wanted."""

    def instances(self, options: Options, seed: int) -> Iterator[Instance]:
        yield from (Instance(f"i{number}", {}) for number in count())


async def test_a_run_ends_the_same_beside_all_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty games are played while somebody asks for every board at once, and others listen and read nothing."""
    monkeypatch.setattr(feed, "ROOM", 4)
    config = RunConfig(run_id="run", game="match", agents=("echo",), episodes=40)
    game = Matches()
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(MemoryBroker())
        source = RunSource(Shelf([tmp_path]), "run", "here", lambda: None)
        source.attach(broker, ())
        board = Dashboard(source, Doors(TOKEN))
        board.games._known["match"] = game
        client = await stack.enter_async_context(TestClient(TestServer(board.application()), headers=OURS))
        await source.listening.wait()
        engine = await stack.enter_async_context(open_engine(broker))
        await stack.enter_async_context(serving(broker, "echo", ToyModel(lambda _: "same")))
        for _ in range(20):
            await stack.enter_async_context(client.get("/api/stream?topics=cards,runs,agents", timeout=None))
        openings = plan(game, config).openings
        asking = [asyncio.create_task(_status(client, each.episode_id, turn)) for each in openings for turn in range(6)]
        async with asyncio.timeout(20):
            ended = [end.outcome for end in await asyncio.gather(*(engine.play(game, each) for each in openings))]
            statuses = await asyncio.gather(*asking)

        assert ended == ["solved"] * 40
        assert board.index.totals()["turns"] == 160
        assert set(statuses) <= {200, 404}


async def _status(client: Client, episode: str, turn: int) -> int:
    async with client.get(f"/api/board/run/{episode}/{turn}") as response:
        await response.read()
        return response.status


class Waiting(Wire):
    """Nothing is found out for as long as a test likes."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.go_on = asyncio.Event()

    async def runs(self, index: Index) -> list[RunNow]:
        self.asked += 1
        await self.go_on.wait()
        return []


async def test_visitors_wait_for_one_another_and_operators_for_none_of_them() -> None:
    wire = Waiting()
    board = Dashboard(wire, Doors(TOKEN, visitors=True), games=Games({}))
    async with browsing(board, {}) as client:
        asking = [asyncio.create_task(_runs(client, {})) for _ in range(20)]
        await until(lambda: wire.asked == VISITS)
        operator = asyncio.create_task(_runs(client, OURS))
        await until(lambda: wire.asked == VISITS + 1)
        wire.go_on.set()
        assert await asyncio.gather(operator, *asking) == [200] * 21


async def test_a_bus_that_does_not_answer_is_told_as_such_and_waited_for_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "PATIENCE_S", 0.02)

    async def silent(*_: Any) -> Any:
        await asyncio.Event().wait()

    silence = MagicMock(**dict.fromkeys(("status", "members", "queues", "pause", "read", "blobs.get"), silent))
    source = bus.BusSource(silence, silence, "redis://here", Shelf([tmp_path]))
    board = Dashboard(source, Doors(TOKEN), games=Games({}))
    monkeypatch.setattr(source, "follow", silent)
    async with browsing(board) as client:
        for path in ("/api/runs", "/api/agents", "/api/episode/run/e0", f"/api/blob/{'a' * 64}"):
            async with client.get(path) as response:
                assert (response.status, (await response.json())["error"]) == (503, "the bus does not answer")


async def test_logs_hold_no_link_of_a_seat_and_no_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pages_of_a_game(tmp_path) as (pages, client):

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(pages.scene.hall, "chair_at", broken)
        for path in (f"/api{pages.link}", f"/api{pages.link}/blob/{'a' * 64}", f"/api/hello?token={TOKEN}x"):
            async with client.get(path):
                pass
    said = capsys.readouterr()
    assert said.out.count("/sit/…/") == 2
    assert pages.token not in said.out + said.err
    assert TOKEN not in said.out + said.err


async def _runs(client: Client, headers: dict[str, str]) -> int:
    async with client.get("/api/runs", headers=headers) as response:
        return response.status
