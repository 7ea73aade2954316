"""What the dashboard's tests stand on: a run that was played, gists that are made up, a browser that has the token."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient, TestServer

from palaver_observability.dashboard.app import Dashboard
from palaver_observability.dashboard.cards import Key
from palaver_observability.dashboard.doors import Doors
from palaver_observability.dashboard.sources import FolderSource, Shelf, Source

TOKEN = "a-token-for-tests"
OURS = {"Authorization": f"Bearer {TOKEN}"}
PATIENCE_S = 10.0

Client = TestClient[Any, Any]


def started(**changes: Any) -> dict[str, Any]:
    """Make the gist of an episode's start; it asks seat a."""
    gist = {"type": "episode.started", "at": 1000.0, "asked": [["a", "echo"]], "game": "toy", "variant": "plain"}
    return {**gist, "instance": "i0", "seats": {"a": "echo", "b": "parrot"}, **changes}


def turn(seat: str = "a", **changes: Any) -> dict[str, Any]:
    """Make the gist of a turn that cost 30 tokens and half a dollar."""
    gist = {"type": "turn.taken", "at": 1001.0, "asked": [], "turn": 0, "seat": seat, "voice": seat, "agent": "echo"}
    told = {"model": "echo-1", "input": 20, "output": 10, "reasoning": 0, "latency": 0.5, "usd": 0.5, "finish": "stop"}
    return {**gist, **told, "copied": False, **changes}


def ended(outcome: str = "solved", **changes: Any) -> dict[str, Any]:
    """Make the gist of an end."""
    gist = {"type": "episode.ended", "at": 1002.0, "asked": [], "outcome": outcome, "scores": {"success": 1.0}}
    return {**gist, "error": None, **changes}


def folder_dashboard(*places: Path, **doors: Any) -> Dashboard:
    """Make a dashboard of run folders."""
    shelf = Shelf(places)

    def folder(run: str) -> Path | None:
        found = shelf.folder(run)
        return None if found is None else found.path

    return Dashboard(FolderSource(shelf), Doors(**{"token": TOKEN, **doors}), folder=folder)


@asynccontextmanager
async def browsing(board: Dashboard, headers: Mapping[str, str] = OURS) -> AsyncIterator[Client]:
    """Serve a dashboard, and yield who looks at it; an operator unless told otherwise."""
    async with TestClient(TestServer(board.application()), headers=dict(headers)) as client:
        yield client


async def told(client: Client, path: str, status: int = 200) -> Any:
    """Get JSON from a path."""
    async with client.get(path) as response:
        assert response.status == status, await response.text()
        return await response.json()


def same_site(client: Client) -> dict[str, str]:
    """Return the headers with which the pages write."""
    return {"X-Palaver": "1", "Origin": str(client.make_url("/")).rstrip("/")}


class Events:
    """Reads server-sent events."""

    def __init__(self, response: ClientResponse) -> None:
        self._response = response
        self.last_id = ""

    async def next(self, wanted: str) -> Any:
        """Return the data of the next event of this kind."""
        async with asyncio.timeout(PATIENCE_S):
            event = ""
            while line := await self._response.content.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "id":
                    self.last_id = value
                elif name == "data" and event == wanted:
                    return json.loads(value)
        raise AssertionError("the stream has ended")


@asynccontextmanager
async def listening(client: Client, path: str, **headers: str) -> AsyncIterator[Events]:
    """Listen to a stream."""
    async with client.get(path, headers=headers, timeout=None) as response:
        assert response.status == 200, await response.text()
        yield Events(response)


async def until_true(look: Any) -> Any:
    """Ask again and again until the answer is something."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := await look()):  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.01)
        return found


def key(episode: str = "e0", run: str = "run") -> Key:
    return Key(run, episode)


__all__ = ["OURS", "TOKEN", "Client", "Events", "Source", "browsing", "ended", "folder_dashboard", "key", "listening"]
__all__ += ["same_site", "started", "told", "turn", "until_true"]
