"""Kills, pauses and power cuts, drawn at random from a seed, until the run is over or nothing moves any more."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from tests.chaos.fleet import Fleet, Redis
from tests.chaos.provider import Provider
from tests.chaos.service import Service

__all__ = ["EVERYTHING", "Aftermath", "Storm", "Strike", "Struck", "weather"]

Strike = Literal["gamemaster", "agent", "recorder", "redis", "power", "pause"]
"""Whom to kill; ``power`` is Redis with what it has not synced, ``pause`` a game master for longer than its lease."""

EVERYTHING: Mapping[Strike, float] = {"gamemaster": 4, "agent": 6, "recorder": 1, "redis": 2}

LOOK_S = 0.2
HOLD_S = 8.0
BACK_AFTER_S = (0.2, 0.8)
LEASES = (1.5, 2.5)
"""How long a pause takes, in leases."""


@dataclass(frozen=True, slots=True)
class Storm:
    """What to disturb a run with.

    Args:
        seed: gives the same strikes in the same order.
        strikes: how often each is chosen, relative to the others.
        gap: seconds from one strike to the next, from and to.
        pace: calls that must have been made since the last strike, so that a slow machine is not struck more often
            than it gets up; a storm that has waited for them :data:`HOLD_S` waits no longer.
        most: how many strikes at most; 0: a calm day.
        stall_s: seconds after which a run that does not move is given up.
    """

    seed: int = 0
    strikes: Mapping[Strike, float] = field(default_factory=lambda: EVERYTHING)
    gap: tuple[float, float] = (0.6, 1.6)
    pace: int = 50
    most: int = 10_000
    stall_s: float = 40.0


class Struck(NamedTuple):
    """A line of the diary: what was done to whom, and when it was over, in seconds on the clock of the provider."""

    kind: Strike
    whom: str
    at: float
    back: float


@dataclass(slots=True)
class Aftermath:
    """What a storm came to.

    ``deaths`` are the exit codes of services that nobody killed. ``seconds`` is the time from submission to the last
    record; ``stalled`` says that it never came.
    """

    seconds: float = 0.0
    stalled: bool = False
    diary: list[Struck] = field(default_factory=list)
    deaths: dict[str, list[int]] = field(default_factory=dict)

    @property
    def struck(self) -> Counter[Strike]:
        """How often what was done."""
        return Counter(struck.kind for struck in self.diary)


async def weather(fleet: Fleet, storm: Storm, provider: Provider) -> Aftermath:
    """Let a storm rage over a fleet until all episodes are recorded; whoever was struck is up again then."""
    aftermath = Aftermath()
    raging = _Raging(fleet, storm, lambda: len(provider.calls), aftermath.diary)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(raging.rage(tasks))
        aftermath.stalled = not await raging.until_recorded()
        aftermath.seconds = raging.now
        raging.over.set()
    aftermath.deaths = {service.name: service.deaths for service in fleet.everybody if service.deaths}
    return aftermath


class _Raging:
    """A storm over a fleet. ``asked`` tells how many calls have been made, which is how far the run has come."""

    def __init__(self, fleet: Fleet, storm: Storm, asked: Callable[[], int], diary: list[Struck]) -> None:
        self.over = asyncio.Event()
        self._fleet, self._storm, self._asked, self._diary = fleet, storm, asked, diary
        self._random = Random(storm.seed)
        self._began = time.monotonic()
        self._down: set[str] = set()

    @property
    def now(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    async def until_recorded(self) -> bool:
        """Wait until every episode has its line. False: nothing has moved for a while."""
        file, seen, moved = self._fleet.run_folder / "episodes.jsonl", (0, 0), self.now
        while (lines := _lines(file)) < self._fleet.size.episodes:
            if (progress := (lines, self._asked())) != seen:
                seen, moved = progress, self.now
            elif self.now - moved > self._storm.stall_s:
                return False
            for service in self._fleet.everybody:
                if service.died:
                    await service.start()
            await asyncio.sleep(LOOK_S)
        return True

    async def rage(self, tasks: asyncio.TaskGroup) -> None:
        """Strike whom the dice choose, again and again; who is down already is spared."""
        storm, random = self._storm, self._random
        for _ in range(storm.most):
            await self._lull()
            if self.over.is_set():
                break
            (kind,) = random.choices(list(storm.strikes), list(storm.strikes.values()))
            victim = self._victim(kind)
            leases, seconds = random.uniform(*LEASES), random.uniform(*BACK_AFTER_S)
            if victim.name not in self._down and victim.alive:
                self._down.add(victim.name)
                down_s = leases * self._fleet.size.lease_s if kind == "pause" else seconds
                tasks.create_task(self._strike(kind, victim, down_s))

    async def _lull(self) -> None:
        """Wait for a while, and for some calls, but for those not for ever; no longer than until it is over."""
        target = self._asked() + self._storm.pace
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), self._random.uniform(*self._storm.gap))
        deadline = self.now + HOLD_S
        while self._asked() < target and self.now < deadline:  # noqa: ASYNC110 - the provider notes, it does not call
            await asyncio.sleep(LOOK_S)

    async def _strike(self, kind: Strike, victim: Service | Redis, down_s: float) -> None:
        at = time.monotonic()
        if kind == "pause":
            assert isinstance(victim, Service)
            victim.pause()
            await asyncio.sleep(down_s)
            victim.resume()
        else:
            await (victim.cut_power() if kind == "power" and isinstance(victim, Redis) else victim.kill())
            await asyncio.sleep(down_s)
            await victim.start()
        self._diary.append(Struck(kind, victim.name, at, time.monotonic()))
        self._down.discard(victim.name)

    def _victim(self, kind: Strike) -> Service | Redis:
        if kind in ("redis", "power"):
            return self._fleet.redis
        if kind == "pause":  # the one that plays: it has most to tell
            return max(self._fleet.services["gamemaster"], key=lambda service: service.log_file.stat().st_size)
        return self._random.choice(self._fleet.services[kind])


def _lines(file: Path) -> int:
    with suppress(FileNotFoundError):
        return file.read_bytes().count(b"\n")
    return 0
