"""What a dashboard asks of wherever its news come from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from palaver_broker.board import Member, RunState
from palaver_protocols.errors import BrokerError, UsageError
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import EpisodeRecord, RunConfig

from ..cards import Key
from ..index import Index

__all__ = ["Action", "AwayError", "Kind", "RunNow", "Source", "member_as_dict", "run_as_dict"]

Kind = Literal["bus", "run", "folder"]
Action = Literal["pause", "resume", "cancel"]


class AwayError(BrokerError):
    """The bus does not answer now; what was asked for may be there."""


@dataclass(slots=True)
class RunNow:
    """How a run stands. ``ended`` counts what is written down, too; None for money that nobody knows."""

    config: RunConfig
    state: RunState
    total: int
    owed: int
    playing: int
    ended: int
    outcomes: Mapping[str, int]
    tokens: int
    cost: float | None
    submitted: float | None = None
    eta_s: float | None = None
    waits_for: str = ""
    folder: bool = False
    can: tuple[Action, ...] = ()
    errors: Sequence[tuple[str, str]] = field(default_factory=tuple)


def run_as_dict(run: RunNow, index: Index, now: float) -> dict[str, Any]:
    """Return a run as the pages want it; its pace, and errors that nobody wrote down, are the index's to tell."""
    tally = index.run(run.config.run_id)
    pace = tally.per_minute(now) if run.state == "open" else None
    eta = run.eta_s
    if eta is None and pace and run.state == "open":
        eta = (run.owed + run.playing) / pace * 60
    errors = run.errors or tuple(tally.errors)
    return {
        "run": run.config.run_id,
        "game": run.config.game,
        "agents": list(run.config.agents),
        "state": run.state,
        "total": run.total,
        "owed": run.owed,
        "playing": run.playing,
        "ended": run.ended,
        "outcomes": dict(run.outcomes),
        "tokens": run.tokens,
        "cost": run.cost,
        "budget_tokens": run.config.budget_tokens,
        "budget_usd": run.config.budget_usd,
        "submitted": run.submitted,
        "eta_s": None if eta is None else round(eta, 1),
        "per_min": None if pace is None else round(pace, 2),
        "errors": [{"episode": episode, "error": error} for episode, error in errors][-20:],
        "waits_for": run.waits_for,
        "folder": run.folder,
        "can": list(run.can),
    }


def member_as_dict(member: Member) -> dict[str, Any]:
    """Return a process as the pages want it."""
    return {**member._asdict(), "since": member.since.timestamp()}


class Source(ABC):
    """Where news come from. One event loop uses it."""

    kind: ClassVar[Kind]
    where: str
    """For people: a bus's address without its secrets, or a folder."""
    controls: bool = False
    """Whether runs can be paused, resumed and cancelled."""

    @abstractmethod
    async def follow(self, index: Index) -> None:
        """Tell the index of all that is being played now and from now on. Never returns; cancel it to stop."""

    @abstractmethod
    async def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        """Return the entries of an episode's log from ``start`` on; none for an unknown episode.

        Raises:
            PalaverError: it cannot be read.
        """

    @abstractmethod
    async def runs(self, index: Index) -> list[RunNow]:
        """Say how all runs stand, the latest last."""

    @abstractmethod
    async def records(self, run: str) -> list[EpisodeRecord]:
        """Return what is written of a run's episodes: the very same list until something has changed.

        None where nobody has written it down here.
        """

    @abstractmethod
    async def blob(self, sha256: str) -> bytes:
        """Return a picture.

        Raises:
            BrokerError: there is none of this name.
        """

    async def agents(self) -> dict[str, Any]:
        """Return the registry of processes, queues and rate limits: ``{"members", "queues", "limits"}``."""
        return {"members": [], "queues": [], "limits": []}

    async def control(self, run: str, action: Action) -> bool:
        """Pause, resume or cancel a run; False where that makes no sense now.

        Raises:
            UsageError: nobody can here.
        """
        raise UsageError(f"{self.where} is only looked at: nothing can be {action}d here")
