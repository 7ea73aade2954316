"""palaver's side: agents, game masters and the recorder, each in a process of its own, put together as they are served.

Nothing is left out: typed messages, leases, logs that are committed by a script, the ledger, the agents' journals with
fsync, metrics and a log. The game is ``examples/count_up.py``, with longer answers and a shorter memory, so that
messages are about 1 KB. Game masters are not asked for times: their logs have them.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from examples.count_up import Count, CountUp, next_number, task_for
from prometheus_client import CollectorRegistry

from palaver_agents import AgentService, Completion, Model
from palaver_agents.journal import AgentJournal
from palaver_broker.board import RunStatus
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.rollout import collector_spared, plan
from palaver_gamemasters.service import GameMaster
from palaver_observability.logs import LogHook, logging_to
from palaver_observability.metrics import Metrics
from palaver_observability.recorder import Recorder
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import Message

from .measuring import LIMIT_S, Cost, Setting
from .running import DRIVER, Child, Persistence, Server, child, cpu_s, own_python, redis_server
from .workload import AGENTS, PADDING, TURNS, Job, read_job, seen, serve, word_from_driver, work_on

RUN = 1000
"""Games of a run: where nobody records, a run that has so many ended games is given no new ones."""
LOOK_S = 0.1
"""How often the driver looks whether all episodes have ended."""


class ShortMemory(CountUp):
    """Counting, where a seat sees the last number alone."""

    def view(self, state: Count, seat: str) -> tuple[Message, ...]:
        return (task_for(state.target, seat), *state.said[-1:])


GAME = ShortMemory()


class Talker(Model):
    """Says the next number, takes its time, and many words."""

    provider = "script"

    def __init__(self, think_s: float) -> None:
        self._think_s = think_s

    async def complete(self, request: TurnRequest) -> Completion:
        if self._think_s:
            await asyncio.sleep(self._think_s)
        return Completion((Text(text=next_number(request) + PADDING[:500]),), self.provider, "scripted")

    async def aclose(self) -> None:
        pass


async def agents(job: Job) -> None:
    """Both agents, each with a journal."""
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(RedisBroker(job.address, name="agents"))
        services = []
        for name in AGENTS:
            journal = AgentJournal.open(Path(job.folder), name)
            stack.push_async_callback(journal.aclose)
            services.append(
                AgentService(
                    broker,
                    name,
                    Talker(job.think_s),
                    concurrency=job.games,
                    consumer=journal.consumer,
                    journal=journal,
                )
            )
        stack.enter_context(collector_spared())
        await serve(*(service.run() for service in services))


async def gamemaster(job: Job) -> None:
    """A game master, with its metrics and its log."""
    name = f"gamemaster-{os.getpid()}"
    log = (Path(job.folder) / name).open("w")
    with log, logging_to(log, "info", json=True) as logger:
        async with RedisBroker(job.address, name="gamemaster") as broker:
            hooks = (Metrics(CollectorRegistry()), LogHook(logger))
            board = Board(broker.link)
            master = GameMaster(broker, board, lambda _: GAME, (GAME.name,), name, episodes=job.games, hooks=hooks)
            await word_from_driver()
            with collector_spared():
                await work_on(master.run())


async def recorder(job: Job) -> None:
    """A recorder."""
    async with RedisBroker(job.address, name="recorder") as broker:
        await serve(Recorder(Board(broker.link), broker).serve(Path(job.folder) / "runs"))


@dataclass(frozen=True, slots=True)
class Fleet:
    """The services that are running, and who looks at them from outside."""

    server: Server
    broker: RedisBroker
    board: Board
    masters: Sequence[Child]
    agents: Child

    def cpu_s(self) -> tuple[float, float, float]:
        """Return the seconds of CPU of the game masters, of the agents and of Redis."""
        return sum(cpu_s(one.pid) for one in self.masters), cpu_s(self.agents.pid), cpu_s(self.server.pid)

    async def let_go(self, *configs: RunConfig) -> None:
        """Submit runs; only then are the game masters let go."""
        for config in configs:
            await self.board.submit(config, plan(GAME, config).openings)
        for master in self.masters:
            master.let_go()

    async def status(self, run_id: str) -> RunStatus:
        """Say how a run stands."""
        (status,) = await self.board.status(run_id)
        return status

    async def solved(self, config: RunConfig) -> None:
        """Wait until all games of a run are solved."""
        while True:
            status = await self.status(config.run_id)
            if status.outcomes == {"solved": config.episodes}:
                return
            await asyncio.sleep(LOOK_S)


@asynccontextmanager
async def fleet(
    folder: Path, persistence: Persistence, *, masters: int, games: int, think_s: float = 0.0, recorded: bool = False
) -> AsyncIterator[Fleet]:
    """Start everything that plays ``games`` at a time, and wait until all of it is ready."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(redis_server(folder, persistence))

        async def start(role: str, at_a_time: int) -> Child:
            job = Job(role, server.url, at_a_time, think_s, str(folder))
            started = await stack.enter_async_context(child(own_python(), "palaver_side", job))
            await started.ready()
            return started

        answering = await start("agents", games)
        playing = [await start("gamemaster", -(-games // masters)) for _ in range(masters)]
        if recorded:
            await start("recorder", games)
        broker = await stack.enter_async_context(RedisBroker(server.url, name=DRIVER))
        yield Fleet(server, broker, Board(broker.link), playing, answering)


@dataclass(frozen=True, slots=True)
class Played:
    """What a run has taken: its cost, of which the game masters had this much (µs a turn), and the memory of Redis."""

    cost: Cost
    masters_us: float
    memory: int


async def play(folder: Path, setting: Setting, *, masters: int = 1, turns: int = TURNS) -> Played:
    """Play so many games at a time to the end, without a recorder.

    Raises:
        TimeoutError: it took too long, or a game went wrong.
    """
    games = setting.games
    runs = [run(f"bench-{first}", min(RUN, games - first), turns) for first in range(0, games, RUN)]
    async with fleet(folder, setting.persistence, masters=masters, games=games, think_s=setting.think_s) as services:
        before, memory = services.cpu_s(), services.server.memory()
        begun = datetime.now(UTC)
        await services.let_go(*runs)
        async with asyncio.timeout(LIMIT_S):
            for config in runs:
                await services.solved(config)
        masters_s, agents_s, redis_s = (now - then for now, then in zip(services.cpu_s(), before, strict=True))
        memory = services.server.memory() - memory
        connections = services.server.connections()
        told = await tell(services.broker, runs, begun)
    per_turn = 1e6 / (games * turns)
    cost = Cost(
        python_us=(masters_s + agents_s) * per_turn,
        redis_us=redis_s * per_turn,
        wall_s=told["wall_s"],
        turns=games * turns,
        p50_s=told["p50_s"],
        p99_s=told["p99_s"],
        connections=connections,
    )
    return Played(cost, masters_s * per_turn, memory)


def run(run_id: str, episodes: int, turns: int) -> RunConfig:
    """Return a run of which all games are played at a time."""
    return RunConfig(
        run_id=run_id,
        game=GAME.name,
        agents=AGENTS,
        episodes=episodes,
        options={"target": turns},
        concurrency=episodes,
    )


async def tell(broker: RedisBroker, runs: Sequence[RunConfig], begun: datetime) -> dict[str, float]:
    """Read from the logs how long it took in all, and how long from one turn of a game to its next."""
    waits: list[float] = []
    ended = begun
    for opening in (opening for config in runs for opening in plan(GAME, config).openings):
        entries = await broker.read(episode_log(opening.run_id, opening.episode_id))
        *turns, end = [entry.at for entry in entries]
        ended = max(ended, end)
        waits += [(later - earlier).total_seconds() for earlier, later in pairwise(turns)]
    return seen((ended - begun).total_seconds(), waits)


async def palaver(setting: Setting, folder: Path) -> Cost:
    """Measure palaver with one game master."""
    return (await play(folder, setting)).cost


if __name__ == "__main__":
    job = read_job()
    asyncio.run({"agents": agents, "gamemaster": gamemaster, "recorder": recorder}[job.role](job))
