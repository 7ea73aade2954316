"""A run in this process: its embedded bus while it is played, its folder before and after."""

import asyncio
import os
import socket
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, ClassVar

from palaver_agents import AgentService
from palaver_broker.board import Member
from palaver_broker.memory import MemoryBroker
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import LogEntry, TurnFailure, TurnReply, TurnRequest
from palaver_protocols.runs import EpisodeRecord

from ..cards import Key
from ..index import Index
from .base import Action, Kind, RunNow, Source, member_as_dict
from .folders import run_of
from .shelf import Shelf
from .watched import blob_from, entries_from, follow_bus, records_from

__all__ = ["PauseGate", "RunSource"]


class PauseGate:
    """A gate before agents that lets everything pass, except while the run is paused."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_open(self) -> bool:
        """Whether agents are asked now."""
        return self._open.is_set()

    def pause(self) -> None:
        """Ask nobody from now on; what is being thought about goes on."""
        self._open.clear()

    def resume(self) -> None:
        """Ask again."""
        self._open.set()

    async def admit(self, request: TurnRequest) -> bool:
        """Wait while the run is paused."""
        await self._open.wait()
        return True

    def answered(self, answer: TurnReply | TurnFailure) -> None:
        """Nothing: no limit is kept here."""


class RunSource(Source):
    """A run that this process plays. It may be looked at before its bus is there (:meth:`attach`), and afterwards.

    Args:
        shelf: the folder of the run, and of others of its study.
        run: which run is played.
        where: the folder, for people.
        cancel: stops the run as Ctrl-C does.
    """

    kind: ClassVar[Kind] = "run"
    controls = True

    def __init__(self, shelf: Shelf, run: str, where: str, cancel: Callable[[], None]) -> None:
        self._shelf, self._run, self._cancel = shelf, run, cancel
        self.where = where
        self.gate = PauseGate()
        self._broker: MemoryBroker | None = None
        self._is_over = False
        self._began: tuple[Key, ...] = ()
        self._services: tuple[AgentService, ...] = ()
        self._since = datetime.now(UTC)
        self._attached = asyncio.Event()
        self.listening = asyncio.Event()
        """Set as soon as nothing of the run is missed any more."""

    def attach(self, broker: MemoryBroker, episodes: Iterable[str], services: Iterable[AgentService] = ()) -> None:
        """Look at the bus from now on.

        Args:
            broker: the bus.
            episodes: those that were begun before.
            services: the agents that answer there.
        """
        self._services = tuple(services)
        self._began = tuple(Key(self._run, episode) for episode in episodes)
        self._broker = broker
        self._attached.set()

    def detach(self) -> None:
        """The bus is closed: what there is to see is in the folder."""
        self._broker = None
        self._is_over = True

    async def follow(self, index: Index) -> None:
        """Tell of every commit of the run."""
        await self._attached.wait()
        if self._broker is not None:
            await follow_bus(self._broker, index, self._began, self._shelf, self.listening)

    async def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        """Read a log off the bus, or its transcript."""
        broker = self._broker if key.run == self._run else None
        return await entries_from(broker, self._shelf, key, start)

    async def runs(self, index: Index) -> list[RunNow]:
        """Say how the run stands, after others of its study."""
        folders = await asyncio.to_thread(self._shelf.folders)
        return [
            self._with_controls(
                run_of(
                    folder, await asyncio.to_thread(self._shelf.sums_or_why_not, run), index, is_live=self._is_mine(run)
                )
            )
            for run, folder in folders.items()
        ]

    def _is_mine(self, run: str) -> bool:
        return run == self._run and not self._is_over

    def _with_controls(self, run: RunNow) -> RunNow:
        if self._is_mine(run.config.run_id) and run.state == "open":
            run.state = "open" if self.gate.is_open else "paused"
            run.can = ("pause", "cancel") if self.gate.is_open else ("resume", "cancel")
        return run

    async def records(self, run: str) -> list[EpisodeRecord]:
        """Read what is written down."""
        return await records_from(self._shelf, run)

    async def blob(self, sha256: str) -> bytes:
        """Return a picture of the run."""
        return await blob_from(self._broker, self._shelf, sha256)

    async def agents(self) -> dict[str, Any]:
        """Return the agents: they live in this process, and no registry knows them."""
        if self._is_over:
            return {"members": [], "queues": [], "limits": []}
        members = [
            Member(
                kind="agent",
                name=service.name,
                consumer=service.consumer,
                host=socket.gethostname(),
                pid=os.getpid(),
                version=version("palaver"),
                concurrency=service.concurrency,
                about={"provider": service.model.provider},
                since=self._since,
                busy=service.busy,
            )
            for service in self._services
        ]
        return {"members": [member_as_dict(member) for member in members], "queues": [], "limits": []}

    async def control(self, run: str, action: Action) -> bool:
        """Pause, resume or stop the run.

        Raises:
            UsageError: it is not the one that is played here.
        """
        if run != self._run:
            raise UsageError(f"{run} is not played here", mend=f"this process plays {self._run}")
        if self._is_over:
            return False
        match action:
            case "pause":
                self.gate.pause()
            case "resume":
                self.gate.resume()
            case "cancel":
                self._cancel()
        return True
