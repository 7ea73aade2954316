"""The full matrix: ``python -m tests.chaos.matrix`` (``make chaos``).

Each row is 200 episodes of 20 turns, by models that take their time, on a fleet that is struck fifty times. What must
not happen is 0 in every row; the other columns say what it cost. Exit code 1 if a row broke a promise.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterable
from itertools import product, starmap
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal, NamedTuple

from tests.chaos.fleet import Size
from tests.chaos.provider import Provider
from tests.chaos.storm import EVERYTHING, Storm, Strike
from tests.chaos.trial import Trial, attempt, undisturbed
from tests.chaos.verdict import Run

SLOW = (0.8, 4.0)
STRIKES = 50
GAP = (0.6, 1.8)
MOST_PAID_AGAIN = 10
"""Where a power cut takes a second of settled answers, nothing is promised: what is paid again is shown, not judged."""
COSTS = frozenset({"paid_again", "lost_in_flight", "unlike"})
"""What a provider without keys makes us pay; and answers that are paid again are other answers."""
ADVISORY = frozenset({"at_once", "other_histories"})
"""Leases, and questions whose answers nobody has built on, go with what a power cut takes if syncs come late."""

Fsync = Literal["always", "everysec"]
Redis = Literal["kill9", "power"]
FSYNC: tuple[Fsync, ...] = ("always", "everysec")
REDIS: tuple[Redis, ...] = ("kill9", "power")

COLUMNS = (
    "fsync", "Redis", "keys", "seed", "strikes (Redis)", "seconds", "lost ep.", "dup turns", "holes", "forks",
    "strays", "scored twice", "unlike", "calls (ideal)", "paid again", "two at once", "lost in flight (told)",
    "other histories", "broken",
)  # fmt: skip


class Row(NamedTuple):
    """What a row varies: when Redis syncs, how it ends, whether the provider heeds keys, and the dice."""

    fsync: Fsync
    redis: Redis
    keys: bool
    seed: int

    @property
    def name(self) -> str:
        """Such as ``always-kill9-keys-0``."""
        return f"{self.fsync}-{self.redis}-{'keys' if self.keys else 'plain'}-{self.seed}"


async def play(row: Row, episodes: int, folder: Path, like: Run) -> Trial:
    """Play one row."""
    strikes: dict[Strike, float] = {**EVERYTHING, "pause": 0.5}
    if row.redis == "power":
        strikes["power"] = strikes.pop("redis")
    size = Size(episodes, fsync=row.fsync, power=row.redis == "power")
    storm = Storm(row.seed, strikes, gap=GAP, most=STRIKES)
    async with Provider(idempotent=row.keys, latency=SLOW) as provider:
        return await attempt(size, storm, provider, folder, like)


def broken(row: Row, trial: Trial) -> dict[str, object]:
    """Say which promises a row has broken."""
    but = (frozenset() if row.keys else COSTS) | (ADVISORY if row.fsync == "everysec" else frozenset())
    found: dict[str, object] = dict(trial.verdict.broken(but=but))
    rolled_back = row.fsync == "everysec" and row.redis == "power"
    if trial.verdict.paid_again > MOST_PAID_AGAIN and not rolled_back:
        found["paid_again"] = trial.verdict.paid_again
    if trial.status["state"] != "done":
        found["state"] = trial.status["state"]
    return {**found, **trial.aftermath.deaths, **trial.ill_ends}


def cells(row: Row, trial: Trial) -> list[object]:
    """Write a row of the table."""
    verdict, struck = trial.verdict, trial.aftermath.struck
    return [
        row.fsync, row.redis, "yes" if row.keys else "no", row.seed,
        f"{struck.total()} ({struck['redis'] + struck['power']})",
        "never" if trial.aftermath.stalled else f"{trial.aftermath.seconds:.1f}",
        verdict.lost_episodes, verdict.double_turns, verdict.holes, verdict.forks, verdict.strays,
        verdict.double_scores, verdict.unlike, f"{verdict.calls} ({verdict.ideal})", verdict.paid_again,
        verdict.at_once, f"{verdict.lost_in_flight} ({trial.told_lost})", verdict.other_histories,
        broken(row, trial) or "",
    ]  # fmt: skip


async def matrix(seeds: int, episodes: int, only: str) -> int:
    """Play all rows, print each as it comes, and return the exit code."""
    folder = Path(mkdtemp(prefix="palaver-chaos-"))
    print(f"Logs, provider's bill and run folder of each row are kept in {folder}.\n", flush=True)
    like = await undisturbed(Size(episodes), folder)
    _print(COLUMNS)
    _print(["---"] * len(COLUMNS))
    bad = 0
    for row in starmap(Row, product(FSYNC, REDIS, (True, False), range(seeds))):
        if only in row.name:
            trial = await play(row, episodes, Path(mkdtemp(prefix=f"{row.name}-", dir=folder)), like)
            bad += bool(broken(row, trial))
            _print(cells(row, trial))
    return 1 if bad else 0


def _print(values: Iterable[object]) -> None:
    print("|", " | ".join(map(str, values)), "|", flush=True)


def main() -> int:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.matrix", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, help="how often each row is played")
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--only", default="", help="rows whose name has this, such as always-kill9-keys")
    return asyncio.run(matrix(**vars(parser.parse_args())))


if __name__ == "__main__":
    sys.exit(main())
