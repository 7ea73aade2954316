"""palaver alone: more game masters, more games, and the memory of Redis over a long run."""

import asyncio
import itertools
import sys
import tempfile
from pathlib import Path

from palaver_protocols.runs import RunConfig

from .measuring import Setting
from .palaver_side import GAME, LOOK_S, fleet, play
from .workload import AGENTS, TURNS

LONG_S = 600.0
"""How long the long run may take."""
MB = 1e6


async def fleets(*, quick: bool) -> None:
    """Print what a turn costs with 1, 2 and 4 game masters, and with 100 to 10,000 games; one round each.

    The 10,000 games take a quarter of the turns.
    """
    print("\n| game masters | games at a time | game masters µs | agents µs | Redis µs | turns/s | p99 | connections |")
    print("| ---: |" + " ---: |" * 7)
    sizes = (10, 50) if quick else (100, 1000, 10_000)
    for games, masters in itertools.product(sizes, (1, 2, 4)):
        turns = TURNS if games <= 1000 else TURNS // 4
        try:
            with tempfile.TemporaryDirectory() as folder:
                played = await play(Path(folder), Setting("everysec", 0.0, games), masters=masters, turns=turns)
        except TimeoutError as error:
            print(f"{masters} game masters, {games:,} games: left out: {str(error) or 'too slow'}", file=sys.stderr)
            continue
        cost = played.cost
        cells = (
            f"{masters}",
            f"{games:,}",
            f"{played.masters_us:.0f}",
            f"{cost.python_us - played.masters_us:.0f}",
            f"{cost.redis_us:.0f}",
            f"{cost.turns / cost.wall_s:,.0f}",
            f"{cost.p99_s * 1000:,.0f} ms",
            f"{cost.connections}",
        )
        print("| " + " | ".join(cells) + " |", flush=True)


async def long_run(*, quick: bool) -> None:
    """Print how much memory Redis has in use while a recorder archives what ends.

    Raises:
        TimeoutError: it took too long.
    """
    episodes, at_a_time = (100, 20) if quick else (5000, 500)
    config = RunConfig(
        run_id="long",
        game=GAME.name,
        agents=AGENTS,
        episodes=episodes,
        options={"target": TURNS},
        concurrency=at_a_time,
    )
    print(f"\n{episodes:,} episodes, {at_a_time} at a time, archived by a recorder; the memory of Redis:")
    print("\n| archived | ended, not archived | used_memory | keys |")
    print("| ---: |" + " ---: |" * 3)
    with tempfile.TemporaryDirectory() as folder:
        async with fleet(Path(folder), "everysec", masters=1, games=at_a_time, recorded=True) as services:
            await services.let_go(config)
            marks = iter(range(0, episodes + 1, episodes // 10))
            mark: int | None = next(marks)
            async with asyncio.timeout(LONG_S):
                while mark is not None:
                    status = await services.status(config.run_id)
                    if status.archived < mark:
                        await asyncio.sleep(LOOK_S)
                        continue
                    used, keys = services.server.memory() / MB, services.server.keys()
                    print(f"| {status.archived:,} | {status.ended:,} | {used:.1f} MB | {keys:,} |", flush=True)
                    mark = next((mark for mark in marks if mark > status.archived), None)
