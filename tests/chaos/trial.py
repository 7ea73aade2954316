"""One trial: a run in a storm, judged by the same run in a calm."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos.fleet import RUN, Fleet, Size, environment, palaver, words_of_run
from tests.chaos.provider import Call, Provider
from tests.chaos.storm import Aftermath, Storm, weather
from tests.chaos.verdict import Run, Verdict, judge, read_run

__all__ = ["Trial", "attempt", "undisturbed"]

LOST = "calls lost in flight"
"""The event that an agent logs when it finds what an earlier process of its slot had begun."""

LEASE_LOST = "lease lost"
"""The event that a game master logs when it notices that somebody else plays an episode of its."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it.

    Args:
        verdict: on the run.
        aftermath: what was done to the fleet.
        calls: the provider's view of it.
        told_lost: how many calls the agents say that killed processes have lost in flight.
        ill_ends: exit codes of services that did not end well when they were asked to end.
        status: what ``palaver status`` says in the end.
        leases_lost: how often a game master noticed that an episode was somebody else's by now.
        lines_broken: connections to Redis that broke between request and reply.
        unsynced: bytes that power cuts have taken from Redis' file.
    """

    verdict: Verdict
    aftermath: Aftermath
    calls: Sequence[Call]
    told_lost: int
    ill_ends: dict[str, int | None]
    status: dict[str, Any]
    leases_lost: int
    lines_broken: int
    unsynced: int

    @property
    def hung_up(self) -> int:
        """Calls whose asker was gone before the answer was there: the provider's view of what was lost in flight."""
        return sum(call.lost is not None for call in self.calls)


async def undisturbed(size: Size, folder: Path) -> Run:
    """Play the run in one process, on the embedded bus, and return what came of it."""
    async with Provider(idempotent=True, latency=(0.0, 0.0)) as provider:
        environ = environment(folder, provider.url)
        await palaver("run", *words_of_run(size), "--quiet", "--out", RUN, environ=environ, folder=folder)
    return read_run(folder / RUN)


async def attempt(size: Size, storm: Storm, provider: Provider, folder: Path, like: Run) -> Trial:
    """Play the run on a fleet in a storm.

    Args:
        size: of the fleet.
        storm: what will come over it.
        provider: whom its agents ask.
        folder: where all is written.
        like: what the run should be like; more episodes than are played are no harm.
    """
    async with Fleet(size, provider.url, folder) as fleet:
        await fleet.start()
        await fleet.submit()
        aftermath = await weather(fleet, storm, provider)
        status = await fleet.status()
        ill_ends = await fleet.stop()
        logged = [event for service in fleet.everybody for event in service.log]
    calls = provider.calls
    provider.write(folder / "provider.jsonl")
    (folder / "diary.txt").write_text("".join(f"{struck}\n" for struck in aftermath.diary))
    stories = dict(list(like.stories.items())[: size.episodes])
    return Trial(
        verdict=judge(read_run(fleet.run_folder), Run(like.lines, stories), calls),
        aftermath=aftermath,
        calls=calls,
        told_lost=sum(event["calls"] for event in logged if event["event"] == LOST),
        ill_ends=ill_ends,
        status=status,
        leases_lost=sum(event["event"] == LEASE_LOST for event in logged),
        lines_broken=fleet.proxy.broken if fleet.proxy else 0,
        unsynced=fleet.redis.unsynced,
    )
