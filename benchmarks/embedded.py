"""What a turn costs on the embedded bus, beside what it costs at the very least.

    python benchmarks/embedded.py            (or: make bench)

1,000 concurrent games, two agents each, 20 turns (BENCH_GAMES=5000: as many games as you say). The floor is what nobody
can go below in one process: bare asyncio queues that carry the same questions and answers as plain dicts. Both run
alternately in this process, several times, under the garbage collector settings of ``palaver run``; read the ratios,
machines are noisy. A turn is a question and its answer; CPU is that of this process, in µs a turn.
"""

import asyncio
import gc
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from examples.count_up import GAME, next_number

from palaver_agents import AgentService, Completion, Model
from palaver_agents.scripted import ScriptedModel
from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import collector_spared, plan, roll_out
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.runs import RunConfig

GAMES = int(os.environ.get("BENCH_GAMES", "1000"))
TURNS = 20
ROUNDS = 9
THINK_ROUNDS = 5
THINK_S = 0.2
AGENTS = ("ada", "bob")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took."""

    cpu_us: float
    turns_per_s: float
    wall_s: float


class Thinker(Model):
    """An agent that takes a fifth of a second, as a model would take longer."""

    provider = "bench"

    async def complete(self, request: TurnRequest) -> Completion:
        await asyncio.sleep(THINK_S)
        return Completion((Text(text=next_number(request)),), self.provider)

    async def aclose(self) -> None:
        pass


async def measure(work: Callable[[], Awaitable[None]]) -> Cost:
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    await work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Cost(cpu / (GAMES * TURNS) * 1e6, GAMES * TURNS / wall, wall)


def question_dict(episode: int, turn: int, view: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields of a TurnRequest."""
    return {
        "version": "1.0", "type": "turn.request", "key": f"{episode}/{turn}", "run_id": "bench",
        "episode_id": episode, "game": "count-up", "variant": "to-20", "turn": turn, "seat": turn % 2,
        "agent": AGENTS[turn % 2], "partners": AGENTS, "protocol": "prefixes", "sampling": {}, "seed": episode,
        "view": view[:], "timeout_s": 600.0, "attempt": 1,
    }  # fmt: skip


def answer_dict(question: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a TurnReply."""
    return {
        "version": "1.0", "type": "turn.reply", "key": question["key"], "run_id": "bench",
        "episode_id": question["episode_id"], "turn": question["turn"], "seat": question["seat"],
        "agent": question["agent"], "parts": [{"type": "text", "text": f"{question['turn'] + 1}!"}],
        "provider": "script", "model": "scripted", "finish_reason": "stop", "usage": {}, "latency_s": 0.0,
        "cost_usd": None,
    }  # fmt: skip


async def floor(think_s: float = 0.0) -> Cost:
    """A task and an asyncio queue for each game and each of its two agents; no log, no keys, no leases, no rules."""
    task = {"speaker": "user", "parts": [{"type": "text", "text": "Count to 20 together with your partner."}]}

    async def agent(inbox: asyncio.Queue[dict[str, Any]], outbox: asyncio.Queue[dict[str, Any]]) -> None:
        while True:
            question = await inbox.get()
            if think_s:
                await asyncio.sleep(think_s)
            outbox.put_nowait(answer_dict(question))

    async def game(episode: int) -> None:
        inboxes: list[asyncio.Queue[dict[str, Any]]] = [asyncio.Queue() for _ in AGENTS]
        answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        agents = [asyncio.ensure_future(agent(inbox, answers)) for inbox in inboxes]
        view: list[dict[str, Any]] = [task]
        for turn in range(TURNS):
            inboxes[turn % 2].put_nowait(question_dict(episode, turn, view))
            answer = await answers.get()
            view.append({"speaker": answer["seat"], "parts": answer["parts"]})
        for player in agents:
            player.cancel()

    async def play() -> None:
        await asyncio.gather(*(game(episode) for episode in range(GAMES)))

    return await measure(play)


async def palaver(model: Model) -> Cost:
    """The same through typed messages, content-addressed keys, leases, episode logs and the game's own rules."""
    config = RunConfig(
        run_id="bench", game="count-up", agents=AGENTS, episodes=GAMES, options={"target": TURNS}, concurrency=GAMES
    )
    planned = plan(GAME, config)
    outcomes: list[str] = []

    async def on_end(opening: Any, ended: Any) -> None:
        outcomes.append(ended.outcome)

    async with MemoryBroker() as broker, open_engine(broker) as engine:
        services = [asyncio.ensure_future(AgentService(broker, name, model, GAMES).run()) for name in AGENTS]
        cost = await measure(lambda: roll_out(engine, GAME, planned.openings, concurrency=GAMES, on_end=on_end))
        for service in services:
            service.cancel()
    assert outcomes == ["solved"] * GAMES, "a game went wrong"
    return cost


async def memory_per_episode() -> float:
    """Return KB a concurrent episode, plan, log and tasks included, at its peak (traced, so slow: not timed)."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    await palaver(ScriptedModel("scripted", next_number))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak - before) / GAMES / 1024


def spread(values: list[float], digits: int) -> str:
    """Write the median, and between which values all of them lie."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def row(name: str, *cells: str) -> str:
    return f"{name:<30}" + "".join(f"{cell:>22}" for cell in cells)


def cost_row(name: str, costs: list[Cost], floors: list[Cost]) -> str:
    ratios = [cost.cpu_us / base.cpu_us for cost, base in zip(costs, floors, strict=True)]
    rate = statistics.median(cost.turns_per_s for cost in costs)
    return row(name, spread([cost.cpu_us for cost in costs], 1), spread(ratios, 2), f"{rate:,.0f}")


async def main() -> None:
    print(f"{GAMES:,} concurrent games x {TURNS} turns, 2 agents; medians (min-max), floor and palaver in turn\n")
    floors, ours = [], []
    with collector_spared():
        for _ in range(ROUNDS):
            floors.append(await floor())
            ours.append(await palaver(ScriptedModel("scripted", next_number)))
    print(row(f"instant agents, {ROUNDS} rounds", "CPU µs a turn", "CPU / floor", "turns/s"))
    print(cost_row("bare asyncio queues (floor)", floors, floors))
    print(cost_row("palaver, memory://", ours, floors))

    ideal = TURNS * THINK_S
    floors, ours = [], []
    with collector_spared():
        for _ in range(THINK_ROUNDS):
            floors.append(await floor(THINK_S))
            ours.append(await palaver(Thinker()))
    print()
    print(row(f"agents that take {THINK_S} s, {THINK_ROUNDS} rounds", "wall / ideal", "CPU µs a turn"))
    for name, costs in (("bare asyncio queues (floor)", floors), ("palaver, memory://", ours)):
        walls = [cost.wall_s / ideal for cost in costs]
        print(row(name, spread(walls, 3), spread([cost.cpu_us for cost in costs], 1)))
    print(f"\npeak memory of palaver: {await memory_per_episode():.1f} KB a concurrent episode")


if __name__ == "__main__":
    asyncio.run(main())
