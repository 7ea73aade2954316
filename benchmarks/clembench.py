"""How long a hundred games of MatchIt take whose players need 50 ms for an answer.

    python benchmarks/clembench.py           (or: make bench)

100 episodes of ``matchit_ascii`` at a concurrency of 100, on the embedded bus, alone and with a run folder on disk. An
episode is 16 answers one after the other, so 0.8 s is what nobody can go below; the floor is measured beside it: a task
an episode that sleeps 16 times. All alternate in this process, several times; planning and starting are part of it.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from palaver_agents import AgentService, Completion, Model
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.clembench.matchit import ASCII
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import collector_spared, plan, roll_out
from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.runs import RunConfig

EPISODES = 100
CALLS = 16
THINK_S = 0.05
ROUNDS = 7
AIM_S = 1.6
AGENT = "thinker"

Work = Callable[[], Awaitable[None]]


class Thinker(Model):
    """Says what the random player says, after a while."""

    provider = "bench"

    async def complete(self, request: TurnRequest) -> Completion:
        await asyncio.sleep(THINK_S)
        return Completion((Text(text=ASCII.players()["random"](request)),), self.provider)

    async def aclose(self) -> None:
        pass


async def floor() -> None:
    """Sleep as long as the answers take, and do nothing else."""

    async def episode() -> None:
        for _ in range(CALLS):
            await asyncio.sleep(THINK_S)

    await asyncio.gather(*(episode() for _ in range(EPISODES)))


async def palaver(path: Path | None) -> None:
    """Plan and play; with a folder, every answer is on disk before it is used."""
    config = RunConfig(
        run_id="bench",
        game=ASCII.name,
        agents=(AGENT,),
        episodes=EPISODES,
        concurrency=EPISODES,
        sampling=ASCII.usual.sampling,
    )
    planned = plan(ASCII, config)
    turns = 0
    folder = None if path is None else RunFolder.create(path, config)
    broker = MemoryBroker() if folder is None else MemoryBroker(journal=folder.journal, blobs=folder.blobs)

    async def on_end(opening: Any, ended: Any) -> None:
        nonlocal turns
        record = record_of(await broker.read(episode_log(opening.run_id, opening.episode_id)))
        turns += record.turns
        assert ended.outcome in ("solved", "failed"), "a game went wrong"
        if folder is not None:
            await folder.add(record)

    async with broker, open_engine(broker) as engine:
        service = asyncio.ensure_future(AgentService(broker, AGENT, Thinker(), EPISODES).run())
        await roll_out(engine, ASCII, planned.openings, concurrency=EPISODES, on_end=on_end)
        service.cancel()
    if folder is not None:
        await folder.aclose()
    assert turns == EPISODES * CALLS, "an answer is missing"


async def timed(work: Work) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def main() -> None:
    """Measure and print."""
    walls: dict[str, list[float]] = {"sleeping (floor)": [], "palaver, memory://": [], "palaver, run folder": []}
    with tempfile.TemporaryDirectory(prefix="palaver-bench-") as scratch, collector_spared():
        for number in range(ROUNDS + 1):
            works: tuple[Work, ...] = (floor, partial(palaver, None), partial(palaver, Path(scratch) / str(number)))
            for name, work in zip(walls, works, strict=True):
                took = await timed(work)
                if number:  # the first round warms up
                    walls[name].append(took)
    print(f"{EPISODES} episodes of {ASCII.name}, {CALLS} answers of {1000 * THINK_S:.0f} ms each, all at a time;")
    print(f"medians (min-max) of {ROUNDS} rounds; aim: at most {AIM_S} s\n")
    base = walls["sleeping (floor)"]
    print(f"{'':<24}{'wall, s':>22}{'wall / floor':>16}")
    for name, each in walls.items():
        ratio = statistics.median(one / other for one, other in zip(each, base, strict=True))
        print(f"{name:<24}{f'{statistics.median(each):.2f} ({min(each):.2f}-{max(each):.2f})':>22}{ratio:>16.2f}")


if __name__ == "__main__":
    asyncio.run(main())
