"""What a turn costs over Redis: the redis-py floor, palaver, and its peers.

    python benchmarks/redis_bus/bench.py               (--quick: a look that takes a minute; --only floor palaver)

1,000 games at a time, 20 turns each, questions and answers of 1 KB, agents in another process, for every measurement a
redis-server of its own on a unix socket. Prints Markdown as it goes. Machines are noisy: read the ratios, each of
which compares a side with the floors just before and after it.
"""

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.redis_bus.fleets import fleets, long_run
from benchmarks.redis_bus.measuring import LIMIT_S, Cost, Measure, Setting, autogen, faststream, floor
from benchmarks.redis_bus.palaver_side import palaver
from benchmarks.redis_bus.workload import TURNS

GAMES = 1000
ROUNDS = 3
THINK_S = 0.2
SIDES: dict[str, Measure] = {"palaver": palaver, "FastStream": faststream, "AutoGen gRPC": autogen}
NO_REDIS = {"AutoGen gRPC"}
"""Sides that keep nothing, so that persistence means nothing to them."""


@dataclass(frozen=True, slots=True)
class Section:
    """All measurements of one setting: of every side, and of the floor before and after each of its rounds."""

    setting: Setting
    floors: list[tuple[Cost, Cost]]
    sides: dict[str, list[Cost]]


async def measure_section(setting: Setting, sides: dict[str, Measure], rounds: int) -> Section:
    """Measure all sides in turn, round after round, with the floor first and last."""
    section = Section(setting, [], {name: [] for name in sides})
    for _ in range(rounds):
        first = await measured(floor, setting)
        for name, side in sides.items():
            try:
                section.sides[name].append(await measured(side, setting))
            except TimeoutError as error:
                print(f"{name} is left out: {str(error) or 'too slow'}", file=sys.stderr)
        section.floors.append((first, await measured(floor, setting)))
    return section


async def measured(side: Measure, setting: Setting) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        return await side(setting, Path(folder))


def write_section(section: Section) -> None:
    setting = section.setting
    agents = f"agents that take {setting.think_s} s" if setting.think_s else "agents that answer at once"
    kept = "no persistence" if setting.persistence == "none" else f"appendfsync {setting.persistence}"
    speed = "wall / ideal" if setting.think_s else "turns/s"
    print(f"\n| {agents}, {kept} | x floor CPU | Python µs | Redis µs | {speed} | p50 | p99 | connections |")
    print("| --- |" + " ---: |" * 7)
    floors = [cost for pair in section.floors for cost in pair]
    bases = [statistics.mean(cost.cpu_us for cost in pair) for pair in section.floors]
    write_row("redis-py (floor)", floors, "1", setting)
    for name, costs in section.sides.items():
        if len(costs) == len(bases):
            ratios = [cost.cpu_us / base for cost, base in zip(costs, bases, strict=True)]
            spread = f"**{statistics.median(ratios):.1f}** ({min(ratios):.1f}-{max(ratios):.1f})"
            write_row(name, costs, spread, setting)
    sys.stdout.flush()


def write_row(name: str, costs: Sequence[Cost], ratio: str, setting: Setting) -> None:
    def median(of: Callable[[Cost], float]) -> float:
        return statistics.median(map(of, costs))

    wall_s = median(lambda cost: cost.wall_s)
    ideal_s = TURNS * setting.think_s
    cells = (
        ratio,
        f"{median(lambda cost: cost.python_us):.0f}",
        f"{median(lambda cost: cost.redis_us):.0f}",
        f"{wall_s / ideal_s:.3f}" if ideal_s else f"{median(lambda cost: cost.turns / cost.wall_s):,.0f}",
        f"{median(lambda cost: cost.p50_s) * 1000:.0f} ms",
        f"{median(lambda cost: cost.p99_s) * 1000:.0f} ms",
        f"{median(lambda cost: cost.connections):,.0f}",
    )
    print(f"| {name} | " + " | ".join(cells) + " |")


def settings(games: int, *, quick: bool) -> Iterable[Setting]:
    """Return what is measured: all persistence, both kinds of agents; of these, two for a quick look."""
    if quick:
        yield Setting("none", 0.0, games)
        yield Setting("always", 0.0, games)
        return
    for think_s in (0.0, THINK_S):
        yield Setting("none", think_s, games)
        yield Setting("everysec", think_s, games)
        yield Setting("always", think_s, games)


def ended_by_others() -> None:
    """Clean up when we are told to end (SIGTERM), as after Ctrl-C: no server and no file is left behind."""
    me = asyncio.current_task()
    assert me is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="50 games, one round: does it work, roughly how much")
    parser.add_argument("--rounds", type=int, help=f"measurements of each side (default {ROUNDS})")
    parser.add_argument("--only", nargs="+", choices=("palaver", "peers", "fleet", "memory"), default=[])
    said = parser.parse_args()
    ended_by_others()
    games, rounds = (50, 1) if said.quick else (GAMES, ROUNDS)
    rounds = said.rounds or rounds
    wanted = said.only or ("palaver", "peers", "fleet", "memory")

    print(f"{games:,} games at a time x {TURNS} turns, 1 KB a message; medians of {rounds} rounds (least-greatest)")
    print(f"A side that takes more than {LIMIT_S:.0f} s is left out.")
    sides = {name: side for name, side in SIDES.items() if ("palaver" if name == "palaver" else "peers") in wanted}
    if sides:
        for setting in settings(games, quick=said.quick):
            taking_part = {
                name: side for name, side in sides.items() if setting.persistence == "none" or name not in NO_REDIS
            }
            write_section(await measure_section(setting, taking_part, rounds))
    if "fleet" in wanted:
        await fleets(quick=said.quick)
    if "memory" in wanted:
        await long_run(quick=said.quick)


if __name__ == "__main__":
    asyncio.run(main())
