"""Processes: a Redis of one's own, the children of a side, and what each of them costs."""

import asyncio
import contextlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from redis.client import Redis
from redis.exceptions import RedisError

from .workload import Job

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / ".venv-peers"
REQUIREMENTS = Path(__file__).with_name("requirements-peers.txt")
DRIVER = "driver"
"""What the driver's own connections are called."""
PATIENCE_S = 30.0
"""How long a process may take to be ready."""

Persistence = Literal["none", "everysec", "always"]
PERSISTENCE: dict[Persistence, list[str]] = {
    "none": ["--appendonly", "no"],
    "everysec": ["--appendonly", "yes", "--appendfsync", "everysec"],
    "always": ["--appendonly", "yes", "--appendfsync", "always"],
}


def own_python() -> Path:
    """Return the interpreter that has palaver."""
    return Path(sys.executable)


def peers_python() -> Path:
    """Return the interpreter that has the peers; install them first if they are not there."""
    python = PEERS / "bin" / "python"
    done = PEERS / REQUIREMENTS.name
    wanted = REQUIREMENTS.read_text()
    if not done.exists() or done.read_text() != wanted:
        print(f"installing the peers into {PEERS.relative_to(ROOT)}", file=sys.stderr)
        subprocess.run((sys.executable, "-m", "venv", "--clear", PEERS), check=True)
        (PEERS / ".gitignore").write_text("*\n")
        pip = (python, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
        subprocess.run((*pip, "-r", REQUIREMENTS), check=True)
        done.write_text(wanted)
    return python


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that all threads of a process have had, to the nanosecond (Linux)."""
    return time.clock_gettime((~pid << 3) | 2)  # the number of that process's CPU clock: clock_getcpuclockid(3)


@dataclass(frozen=True, slots=True)
class Server:
    """A redis-server that nobody else uses."""

    pid: int
    url: str
    client: Redis

    def connections(self) -> int:
        """Count the clients that are not the driver's."""
        clients: list[dict[str, str]] = self.client.client_list()
        return sum(client["name"] != DRIVER for client in clients)

    def keys(self) -> int:
        """Count the keys."""
        return self.client.dbsize()

    def memory(self) -> int:
        """Return the bytes that its data takes, its own tables included."""
        info: dict[str, Any] = self.client.info("memory")
        return int(info["used_memory"])


@asynccontextmanager
async def redis_server(folder: Path, persistence: Persistence) -> AsyncIterator[Server]:
    """Run a redis-server on a socket in this folder; nothing of it stays."""
    program = shutil.which("redis-server")
    if program is None:
        sys.exit("there is no redis-server on the PATH: install redis 7 (on Debian: apt install redis-server)")
    data = folder / "redis"
    data.mkdir()
    socket = data / "socket"
    arguments = ["--port", "0", "--unixsocket", str(socket), "--dir", str(data), "--save", "", "--loglevel", "warning"]
    # A rewrite of the AOF would fall into some rounds and not into others.
    arguments += [*PERSISTENCE[persistence], "--auto-aof-rewrite-percentage", "0"]
    process = await asyncio.create_subprocess_exec(program, *arguments, stdout=subprocess.DEVNULL)
    client = Redis(unix_socket_path=str(socket), protocol=2, client_name=DRIVER)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with contextlib.suppress(RedisError):
                    client.ping()
                    break
                await asyncio.sleep(0.01)
        yield Server(process.pid, f"unix://{socket}", client)
    finally:
        client.close()
        await _end(process)
        shutil.rmtree(data)


@dataclass(frozen=True, slots=True)
class Child:
    """A process of a side."""

    name: str
    process: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    async def line(self, patience_s: float) -> str:
        """Return the next line that it prints.

        Raises:
            TimeoutError: it did not print one in time, or has ended; what it said is on stderr.
        """
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(patience_s):
                line = await self.process.stdout.readline()
        except TimeoutError:
            raise TimeoutError(f"{self.name} said nothing for {patience_s:.0f} s") from None
        if not line:
            raise TimeoutError(f"{self.name} has ended")
        return line.decode().strip()

    async def ready(self) -> None:
        """Wait until it is ready."""
        assert await self.line(PATIENCE_S) == "ready"

    def let_go(self) -> None:
        """Say the word that it waits for."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")

    async def seen(self, patience_s: float) -> dict[str, float]:
        """Return what it reports."""
        read: dict[str, float] = json.loads(await self.line(patience_s))
        return read


@asynccontextmanager
async def child(python: Path, module: str, job: Job) -> AsyncIterator[Child]:
    """Run a module of this package with a job, until the context is left."""
    process = await asyncio.create_subprocess_exec(
        python, "-m", f"benchmarks.redis_bus.{module}", *job.arguments(),
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Child(f"{job.role} of {module}", process)
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process: kindly, and if that takes too long, at once."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
