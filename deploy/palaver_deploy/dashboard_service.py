"""The dashboard as a service: the bus, its pages, people at its seats, its metrics, its heartbeat."""

import asyncio
import os
import socket
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import structlog

from palaver_agents.human.study import PEOPLE_FILE
from palaver_observability.dashboard.metrics import DashboardMetrics
from palaver_observability.dashboard.seats import Room
from palaver_observability.dashboard.sources import BusSource, Shelf

from .members import myself
from .options import Service, state_folder
from .pages import Place, open_pages
from .people import gamemasters_of, keep_people, open_hall, open_studies
from .stations import run_service, service_bus, station, work_until_stopped
from .way_back import place as bus_place

__all__ = ["People", "serve_dashboard"]


@dataclass(frozen=True, slots=True)
class People:
    """How people come to seats: where they are remembered, and the studies that hand seats out."""

    state: Path | None = None
    studies: Sequence[str] = ()
    consent: Path | None = None
    each: int | None = None


def serve_dashboard(
    service: Service, place: Place, folders: Sequence[Path], people: People, environ: Mapping[str, str]
) -> int:
    """Serve a dashboard until stopped; return the exit code.

    Args:
        service: what every service is told.
        place: where the pages are, and for whom.
        folders: where run folders are.
        people: how people come to seats.
        environ: the environment.

    Raises:
        UsageError: the address cannot be had, or a study makes no sense.
        BrokerError: the bus refuses us.
    """
    state = state_folder(people.state, environ)
    hall, store = open_hall(service.url, state)
    studies = open_studies(people.studies, hall, store, consent=people.consent, each=people.each)

    async def work() -> None:
        async with station("dashboard", service, service_bus("dashboard", service)) as here:
            shelf = Shelf(folders)
            room = Room(
                hall, here.broker, studies, gamemasters=lambda: gamemasters_of(here.board), runs=here.board.status
            )
            source = BusSource(here.broker, here.board, bus_place(service.url), shelf)

            async with open_pages(source, shelf, place, environ, room=room) as (board, url):
                DashboardMetrics(here.registry, board.feed, room)
                click.echo(f"dashboard: {place.address(url)}")
                for study in studies:
                    click.echo(f"study {study.plan.name}: {url}/join/{study.token}")
                if studies:
                    click.echo(f"who agreed to what: {store.folder / PEOPLE_FILE}")
                structlog.get_logger().info("serving pages", url=url)
                me = myself("dashboard", "dashboard", f"{socket.gethostname()}-{os.getpid()}", 0, {"listen": url})
                people_sit = _until_cancelled(keep_people(here.broker, here.board, hall, url, state))
                keeping = asyncio.ensure_future(people_sit)

                def stop() -> None:
                    keeping.cancel()

                await work_until_stopped(here, lambda: me(board.feed.clients), keeping, stop, service.grace_s)

    return run_service(work(), service)


async def _until_cancelled(work: Coroutine[Any, Any, None]) -> None:
    """Do work that has no end of its own."""
    with suppress(asyncio.CancelledError):
        await work
