"""One measurement of a side: start its processes, let its games go, and see what everything took."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from .running import Persistence, Server, child, cpu_s, peers_python, redis_server
from .workload import TURNS, Job

LIMIT_S = 120.0
"""How long the games of one measurement may take."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is asked of a side."""

    persistence: Persistence
    think_s: float
    games: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What one measurement has shown. CPU is in µs a turn: that of the server, and that of all other processes."""

    python_us: float
    redis_us: float
    wall_s: float
    turns: int
    p50_s: float
    p99_s: float
    connections: int

    @property
    def cpu_us(self) -> float:
        """CPU of everything, in µs a turn."""
        return self.python_us + self.redis_us


Measure = Callable[[Setting, Path], Awaitable[Cost]]
"""Measure a side once; files may be left in the folder."""


async def floor(setting: Setting, folder: Path) -> Cost:
    """Measure the redis-py floor."""
    async with redis_server(folder, setting.persistence) as server:
        return await _on_redis("floor", server, setting, folder)


async def faststream(setting: Setting, folder: Path) -> Cost:
    """Measure FastStream on Redis streams."""
    async with redis_server(folder, setting.persistence) as server:
        return await _on_redis("faststream_peer", server, setting, folder)


async def autogen(setting: Setting, folder: Path) -> Cost:
    """Measure AutoGen's gRPC runtime, which knows no Redis and keeps nothing."""
    address, helpers = f"unix:{folder}/grpc", ("host", "agents")
    return await _measure("autogen_peer", helpers=helpers, address=address, server=None, setting=setting, folder=folder)


async def _on_redis(module: str, server: Server, setting: Setting, folder: Path) -> Cost:
    return await _measure(
        module, helpers=("agents",), address=server.url, server=server, setting=setting, folder=folder
    )


async def _measure(
    module: str, *, helpers: Sequence[str], address: str, server: Server | None, setting: Setting, folder: Path
) -> Cost:
    """Run the helpers and the games of a module, each role a process."""
    async with AsyncExitStack() as stack:
        children = []
        for role in (*helpers, "games"):
            job = Job(role, address, setting.games, setting.think_s, str(folder))
            children.append(await stack.enter_async_context(child(peers_python(), module, job)))
            await children[-1].ready()
        games = children[-1]
        before = [cpu_s(one.pid) for one in children]
        redis_before = cpu_s(server.pid) if server else 0.0
        games.let_go()
        seen = await games.seen(LIMIT_S)
        python_s = sum(cpu_s(one.pid) for one in children) - sum(before)
        redis_s = cpu_s(server.pid) - redis_before if server else 0.0
        turns = setting.games * TURNS
        return Cost(
            python_us=python_s / turns * 1e6,
            redis_us=redis_s / turns * 1e6,
            wall_s=seen["wall_s"],
            turns=turns,
            p50_s=seen["p50_s"],
            p99_s=seen["p99_s"],
            connections=server.connections() if server else 0,
        )
