"""The application: one source, its index and its feed, behind the doors, as routes."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from aiohttp import web

from .answering import MOST_BYTES, add_headers, guard
from .boards import Boards
from .doors import Doors
from .feed import Feed
from .files import Statics
from .folds import Folds
from .games import Games
from .index import Index
from .results import Results
from .routes import Routes
from .seats import Room, seat_routes, seats_now
from .sources import Source
from .views import SentBytes, Views

__all__ = ["Dashboard"]


@dataclass(slots=True)
class Dashboard:
    """A dashboard, put together.

    Args:
        source: where news come from.
        doors: who may come in.
        environ: the environment, which may name providers of the user's.
        sent: returns the bytes that providers were sent, where a vault has kept them.
        folder: finds the folder of a run.
        room: where people sit down; None where they cannot.
        now: tells the time (epoch seconds).
        games: know the rules.
    """

    source: Source
    doors: Doors
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    sent: SentBytes | None = None
    folder: Callable[[str], Path | None] = lambda _: None
    room: Room | None = None
    now: Callable[[], float] = time.time
    games: Games = field(default_factory=Games)
    index: Index = field(init=False)
    feed: Feed = field(init=False)
    folds: Folds = field(init=False)
    boards: Boards = field(init=False)
    views: Views = field(init=False)
    results: Results = field(init=False)

    def __post_init__(self) -> None:
        self.index = Index(self.now, self.games.primary)
        self.feed = Feed(self.source, self.index, self.games, self.now, self._seats if self.room else None)
        self.folds = Folds(self.source, self.games)
        self.boards = Boards(self.folds, self.source, self.index)
        self.views = Views(self.folds, self.environ, self.sent)
        self.results = Results(self.source, self.games, self.folds, self.folder)

    def hello(self, role: str) -> dict[str, Any]:
        """Return what a page asks first: what this is, and what whoever asks may do."""
        is_operator = role == "operator"
        return {
            "version": version("palaver"),
            "source": self.source.kind,
            "where": self.source.where if is_operator else "",
            "role": role,
            "can": {
                "control": is_operator and self.source.controls,
                "seats": is_operator and self.room is not None,
                "boards": is_operator,
            },
            "now": self.now(),
        }

    def application(self) -> web.Application:
        """Return the application; it follows its source while it runs."""
        application = web.Application(middlewares=[guard(self.doors)], client_max_size=MOST_BYTES)
        application.on_response_prepare.append(add_headers)
        application.cleanup_ctx.append(self._running)
        application.on_shutdown.append(self._close)
        application.add_routes(Routes(self, Statics()).table())
        if self.room is not None:
            application.add_routes(seat_routes(self.room, is_operator=self._is_operator))
        return application

    def _is_operator(self, request: web.Request) -> bool:
        return self.doors.role(request) == "operator"

    async def _seats(self) -> dict[str, Any]:
        return {"seats": [], "studies": []} if self.room is None else seats_now(self.room)

    async def _running(self, _: web.Application) -> AsyncIterator[None]:
        following = asyncio.create_task(self.feed.run(), name="dashboard")
        try:
            yield
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
            await self.games.aclose()
            self.folds.close()
            self.results.close()

    async def _close(self, _: web.Application) -> None:
        self.feed.close()
