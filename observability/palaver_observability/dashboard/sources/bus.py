"""A bus on Redis, with the board of its runs, and the run folders of what has been recorded and dropped from it."""

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from palaver_broker.board import Member, Queue, RunState, RunStatus
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.gate_state import gate_state
from palaver_observability.fleet import seconds_left, waits_for
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import EpisodeRecord

from ..cards import Key
from ..index import Index
from .base import Action, AwayError, Kind, RunNow, Source, member_as_dict
from .folders import FolderSource
from .shelf import Shelf
from .watched import blob_from, entries_from, follow_bus, records_from

__all__ = ["BusSource"]

T = TypeVar("T")
PATIENCE_S = 5.0
"""How long somebody before a page waits for the bus: services wait for it as long as it takes."""
PRUNE_S = 10.0
"""How often we look whether what we show as played still is."""
GOING_ON = frozenset({"loading", "open", "paused"})
CAN: dict[RunState, tuple[Action, ...]] = {
    "open": ("pause", "cancel"),
    "paused": ("resume", "cancel"),
    "cancelled": ("resume",),
}


class BusSource(Source):
    """What a bus plays.

    Args:
        broker: the bus, open.
        board: its board.
        where: the bus for people, without its password.
        shelf: run folders of what has left the bus.
    """

    kind: ClassVar[Kind] = "bus"
    controls = True

    def __init__(self, broker: RedisBroker, board: Board, where: str, shelf: Shelf) -> None:
        self._broker, self._board, self._shelf = broker, board, shelf
        self.where = where
        self._folders = FolderSource(shelf)

    async def follow(self, index: Index) -> None:
        """Tell of what is on lease now, and of every commit from now on."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._prune(index), name="what is not played any more")
            await follow_bus(self._broker, index, sorted(await self._playing()), self._shelf)

    async def _playing(self) -> set[Key]:
        """Name the episodes that are being played, or will be when their run goes on."""
        runs = {status.config.run_id for status in await self._board.status() if status.state in GOING_ON}
        return {Key(*each) for each in await self._board.playing() if each[0] in runs}

    async def _prune(self, index: Index) -> None:
        """Take down the cards of runs that were cancelled or forgotten."""
        while True:
            await asyncio.sleep(PRUNE_S)
            before = set(index.playing)
            for key in before - await self._playing():
                index.drop(key)

    async def log(self, key: Key, start: int = 0) -> list[LogEntry]:
        """Read a log off the bus, or off the disk."""
        return await _soon(entries_from(self._broker, self._shelf, key, start))

    async def runs(self, index: Index) -> list[RunNow]:
        """Say how the board's runs stand, after those that only folders know."""
        statuses = await _soon(self._board.status())
        asked = await _soon(self._board.members()), await _soon(self._board.queues())
        known = {status.config.run_id for status in statuses}
        folders = await asyncio.to_thread(self._shelf.folders)
        others = [run for run in await self._folders.runs(index) if run.config.run_id not in known]
        return [*others, *(_run(status, *asked, status.config.run_id in folders) for status in statuses)]

    async def records(self, run: str) -> list[EpisodeRecord]:
        """Read what recorders have written."""
        return await records_from(self._shelf, run)

    async def blob(self, sha256: str) -> bytes:
        """Return a picture of the bus, or of a folder."""
        return await _soon(blob_from(self._broker, self._shelf, sha256))

    async def agents(self) -> dict[str, Any]:
        """Return the registry, the queues, and what is left at the gates of providers."""
        members, queues = await _soon(self._board.members()), await _soon(self._board.queues())
        limits = await _soon(asyncio.gather(*(self._limit(member) for member in _one_a_gate(members))))
        return {
            "members": [member_as_dict(member) for member in members],
            "queues": [queue._asdict() for queue in queues],
            "limits": limits,
        }

    async def _limit(self, member: Member) -> dict[str, Any]:
        rpm, tpm = member.about.get("rpm"), member.about.get("tpm")
        state = await gate_state(self._broker.link, str(member.about["gate"]), rpm, tpm)
        now = datetime.now(UTC).timestamp()
        return {
            "name": str(member.about["gate"]),
            "agent": member.name,
            "rpm": rpm,
            "tpm": tpm,
            "requests_left": state.requests_left,
            "tokens_left": state.tokens_left,
            "paused_until": now + state.paused_s if state.paused_s else None,
            "failures": state.failures,
        }

    async def control(self, run: str, action: Action) -> bool:
        """Have the board pause, resume or cancel a run."""
        match action:
            case "pause":
                return await _soon(self._board.pause(run))
            case "resume":
                return await _soon(self._board.resume(run))
            case "cancel":
                return await _soon(self._board.cancel(run))


async def _soon(work: Awaitable[T]) -> T:
    """Wait for the bus as long as somebody before a page does.

    Raises:
        AwayError: it does not answer.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await work
    except TimeoutError as error:
        raise AwayError("the bus does not answer", mend="the pages go on by themselves when it is back") from error


def _one_a_gate(members: Sequence[Member]) -> list[Member]:
    return list({str(member.about["gate"]): member for member in members if member.about.get("gate")}.values())


def _run(status: RunStatus, members: Sequence[Member], queues: Sequence[Queue], has_folder: bool) -> RunNow:
    return RunNow(
        config=status.config,
        state=status.state,
        total=status.total,
        owed=status.owed,
        playing=status.playing,
        ended=status.ended + status.archived,
        outcomes={str(outcome): n for outcome, n in status.outcomes.items()},
        tokens=status.tokens,
        cost=status.cost_usd,
        submitted=status.submitted.timestamp(),
        eta_s=seconds_left(status, datetime.now(UTC)),
        waits_for=waits_for(status, members, queues) or "",
        folder=has_folder,
        can=CAN.get(status.state, ()),
    )
