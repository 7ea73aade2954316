"""``--watch``: the pages of a run in this process, while it is played and, if somebody is there, afterwards."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import click

from palaver_agents import AgentService
from palaver_agents.human import HUMAN, Hall, HumanModel, people_service, serve_people
from palaver_broker.memory import MemoryBroker
from palaver_observability.dashboard.seats import Room
from palaver_observability.dashboard.sources import FolderSource, PauseGate, RunSource, Shelf
from palaver_protocols.errors import UsageError

from .options import state_folder
from .pages import Place, checked_token, complaining, for_ever, has_somebody, open_pages
from .people import open_hall
from .stopping import run_until_stopped
from .studies import STUDY_FILE
from .watching import Pages

__all__ = ["RunPages", "pages_of", "stay_with"]

MOMENT_S = 0.2
"""How long a run that is stopped from its pages goes on: they are told first."""
DEEPEST = 2
"""How many folders a run of a study lies below it: STUDY/runs/RUN."""


async def _gamemasters() -> Sequence[str]:
    """Name the one game master of an embedded bus."""
    return ("gamemaster",)


class RunPages:
    """The pages of one run. Use it as a context manager round all of the run, and :meth:`present` round its bus.

    Args:
        wish: where to serve them, and for how long.
        run: the run's id.
        folder: its folder.
        environ: the environment.
        needs_people: whether seats wait for people, so that it is an error where none can sit down.

    Raises:
        UsageError: the address makes no sense, or people cannot sit down.
    """

    def __init__(
        self, wish: Pages, run: str, folder: Path, environ: Mapping[str, str], *, needs_people: bool = False
    ) -> None:
        self._wish, self._environ = wish, environ
        self._place = _place(wish, environ)
        whole = _study_of(folder)
        self._shelf = Shelf([whole])
        self._source = RunSource(self._shelf, run, str(whole), _stop_soon)
        self._hall = _hall(run, environ, needs_people=needs_people)
        self._stack = AsyncExitStack()
        self._url = ""

    @property
    def gate(self) -> PauseGate:
        """What holds the agents back while the run is paused."""
        return self._source.gate

    @property
    def human(self) -> HumanModel | None:
        """What answers for people; None where they cannot sit down."""
        return None if self._hall is None else HumanModel(self._hall)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    @asynccontextmanager
    async def present(
        self, broker: MemoryBroker, begun: Iterable[str], services: Sequence[AgentService]
    ) -> AsyncIterator[None]:
        """Show a bus while the context lasts, and let people answer on it.

        Args:
            broker: the bus.
            begun: the episodes that were begun before.
            services: the agents that answer there.
        """
        room = None
        if self._hall is not None:
            served = frozenset({HUMAN, *(service.name for service in services)})
            room = Room(self._hall, broker, gamemasters=_gamemasters, served=served)
        await self._open(room)
        self._source.attach(broker, begun, services)
        await self._source.listening.wait()
        people = None
        if self._hall is not None:
            service = people_service(broker, self._hall)
            people = asyncio.create_task(serve_people(broker, self._hall, service), name="people")
        try:
            yield
        finally:
            if people is not None:
                people.cancel()
                await asyncio.gather(people, return_exceptions=True)
            self._source.detach()

    async def stay(self) -> None:
        """Show what came of the run until somebody presses Ctrl-C, if somebody is there, or was asked for."""
        if not (has_somebody() if self._wish.stay is None else self._wish.stay):
            return
        await self._open(None)
        click.echo(f"the pages stay at {self._url} until Ctrl-C", err=True)
        await for_ever()

    async def _open(self, room: Room | None) -> None:
        """Serve the pages, unless they are, and say where."""
        if not self._url:
            opened = open_pages(self._source, self._shelf, self._place, self._environ, room=room)
            _, self._url = await self._stack.enter_async_context(opened)
            address = self._place.address(self._url)
            spot = self._wish.spot
            if address != spot.said:
                click.echo(f"watch it at {address}", err=True)
            spot.port, spot.said = urlsplit(self._url).port or 0, address


def _place(wish: Pages, environ: Mapping[str, str]) -> Place:
    """Return where to serve: where pages of this study were before, so that a browser finds the next run there."""
    at, is_chosen, spot = wish.at, wish.is_chosen, wish.spot
    spot.token = checked_token(spot.token, environ)
    if spot.port:
        host, _, port = at.rpartition(":")
        at, is_chosen = f"{host}:{spot.port}", is_chosen and port != "0"
    return Place(at, spot.token, is_chosen=is_chosen)


def _study_of(folder: Path) -> Path:
    """Return the folder of the study that a run is a part of, to show its other runs, too; else the run's own."""
    return next((each for each in list(folder.parents)[:DEEPEST] if (each / STUDY_FILE).is_file()), folder)


def _hall(run: str, environ: Mapping[str, str], *, needs_people: bool) -> Hall | None:
    """Open the hall of a run; a disk that cannot remember people is no trouble where none are wanted."""
    try:
        return open_hall(run, state_folder(None, environ))[0]
    except UsageError:
        if needs_people:
            raise
        return None


def _stop_soon() -> None:
    """Stop as Ctrl-C does."""
    asyncio.get_running_loop().call_later(MOMENT_S, signal.raise_signal, signal.SIGINT)


def pages_of(
    wish: Pages | None, run: str, folder: Path, environ: Mapping[str, str], agents: Iterable[str]
) -> RunPages | None:
    """Return the pages of a run; None where nobody has asked for any."""
    return None if wish is None else RunPages(wish, run, folder, environ, needs_people=HUMAN in set(agents))


def stay_with(wish: Pages | None, path: Path, environ: Mapping[str, str]) -> None:
    """Show what came of several runs until somebody presses Ctrl-C; nothing where nobody is there, or has asked."""
    if wish is None or not (has_somebody() if wish.stay is None else wish.stay):
        return

    async def show() -> None:
        shelf = Shelf([path])
        place = _place(wish, environ)
        async with open_pages(FolderSource(shelf), shelf, place, environ) as (_, url):
            click.echo(f"the pages stay at {place.address(url)} until Ctrl-C", err=True)
            await for_ever()

    with complaining():
        run_until_stopped(show())
