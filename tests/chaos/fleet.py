"""A whole fleet on one machine: Redis, game masters, agents with their replicas, a recorder; and what to ask of it."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from tests.chaos.games import GAME, announce
from tests.chaos.power import Notes, compile_notes
from tests.chaos.proxy import BreakingProxy
from tests.chaos.service import Service
from tests.redis_server import RedisServer

__all__ = ["AGENTS", "RUN", "Fleet", "Redis", "Size", "environment", "palaver", "words_of_run"]

RUN = "chaos"
AGENTS = ("openai/one", "openai/two")
LOOK_S = 0.5
LOOKS = 20


@dataclass(frozen=True, slots=True)
class Size:
    """How large a fleet is, what it plays, and on what ground.

    ``lease_s`` is how long (seconds) a silent game master keeps its episodes, ``patience_s`` how long a silent agent
    keeps its questions: longer than it takes to start it again, as only its own journal has its answers. ``power``:
    power can be cut. ``replies_lost`` is the share of Redis' replies that are lost on the way, together with the line.
    """

    episodes: int
    turns: int = 20
    gamemasters: int = 2
    replicas: int = 2
    concurrency: int = 200
    fsync: Literal["always", "everysec"] = "always"
    lease_s: float = 3.0
    patience_s: float = 6.0
    power: bool = False
    replies_lost: float = 0.0


class Redis:
    """The server of the bus, to be killed and started like a service, without holding up the event loop."""

    name = "redis"

    def __init__(self, server: RedisServer, notes: Notes | None) -> None:
        self.server = server
        self.alive = False
        self.unsynced = 0
        """Bytes that power cuts have taken so far."""
        self._notes = notes

    async def start(self) -> None:
        """Start it on what it left; return when it answers."""
        await asyncio.to_thread(self.server.start)
        self.alive = True

    async def kill(self) -> None:
        """End it with SIGKILL."""
        self.alive = False
        await asyncio.to_thread(self.server.kill)

    async def cut_power(self) -> None:
        """Kill it, and take what was not on the disk."""
        assert self._notes is not None, "it was not started with power cuts in mind"
        await self.kill()
        self.unsynced += self._notes.cut(self.server.folder)


class Fleet:
    """The processes; use it as an async context manager, which starts them all and leaves none.

    Args:
        size: how many there are.
        provider: the base URL of the provider that all agents ask.
        folder: where everything is written: ``out/RUN`` is the run's folder.
    """

    def __init__(self, size: Size, provider: str, folder: Path) -> None:
        self.size = size
        self.run_folder = folder / "out" / RUN
        self._environ = environment(folder, provider)
        self._folder = folder
        self._stack = AsyncExitStack()
        self.redis: Redis
        self.proxy: BreakingProxy | None = None
        self.broker = ""
        self.services: dict[str, list[Service]] = {}

    async def __aenter__(self) -> Self:
        notes = None
        if self.size.power:
            (self._folder / "notes").mkdir()
            notes = Notes(await compile_notes(self._folder), self._folder / "notes")
        environ = notes.environ if notes else {}
        server = RedisServer(tcp=True, env=environ, appendfsync=self.size.fsync)
        self._stack.callback(server.stop)
        self.redis = Redis(server, notes)
        await self.redis.start()
        self.broker = server.url
        if self.size.replies_lost:
            self.proxy = BreakingProxy("127.0.0.1", server.port, seed=self.size.episodes, share=self.size.replies_lost)
            await self._stack.enter_async_context(self.proxy)
            self.broker = f"redis://127.0.0.1:{self.proxy.port}"
        self._stack.push_async_callback(self._kill_all)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def everybody(self) -> list[Service]:
        """All services but Redis."""
        return [service for services in self.services.values() for service in services]

    async def start(self) -> None:
        """Start all services."""
        size = self.size
        at_once, state, out = str(size.concurrency), str(self._folder / "state"), str(self._folder / "out")
        self.services = {
            "gamemaster": [
                self._service("gamemaster", "--lease", str(size.lease_s), name=f"gamemaster-{number}")
                for number in range(size.gamemasters)
            ],
            "agent": [
                self._service(
                    *("agent", "--agent", agent, "--concurrency", at_once),
                    *("--state", state, "--lease", str(size.patience_s)),
                    name=f"{agent.replace('/', '-')}-{number}",
                )
                for agent in AGENTS
                for number in range(size.replicas)
            ],
            "recorder": [self._service("recorder", "--lease", str(size.lease_s), "--out", out, name="recorder")],
        }
        for service in self.everybody:
            await service.start()

    def _service(self, *words: str, name: str) -> Service:
        words = ("serve", *words, "--broker", self.broker)
        return Service(name, words, environ=self._environ, folder=self._folder)

    async def submit(self) -> None:
        """Hand the run to the fleet."""
        await self._palaver("submit", *words_of_run(self.size), "--run-id", RUN, "--broker", self.broker)

    async def status(self) -> dict[str, Any]:
        """Return what ``palaver status`` says of the run, as soon as it is done or a while has passed."""
        for _ in range(LOOKS):
            said = json.loads(await self._palaver("status", RUN, "--json", "--broker", self.broker))
            if said["runs"][0]["state"] == "done":
                break
            await asyncio.sleep(LOOK_S)
        status: dict[str, Any] = said["runs"][0]
        return status

    async def _palaver(self, *words: str) -> str:
        return await palaver(*words, environ=self._environ, folder=self._folder)

    async def stop(self) -> dict[str, int | None]:
        """Ask all services to end; return the exit codes of those that did not end well (None: not at all)."""
        codes = await asyncio.gather(*(service.stop() for service in self.everybody))
        return {service.name: code for service, code in zip(self.everybody, codes, strict=True) if code != 0}

    async def _kill_all(self) -> None:
        for service in self.everybody:
            await service.kill()


def environment(folder: Path, provider: str) -> dict[str, str]:
    """Return an environment in which the agents ask this provider, and the game is installed."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PALAVER_"))},
        "OPENAI_BASE_URL": provider,
        "OPENAI_API_KEY": "none",
        "PYTHONPATH": announce(folder / "games"),
    }


def words_of_run(size: Size) -> Sequence[str]:
    """Return what describes the run, for ``run`` and ``submit`` alike."""
    return (
        GAME.name, "--agents", ",".join(AGENTS), "-n", str(size.episodes), "--set", f"target={size.turns}",
        "--concurrency", str(size.concurrency),
    )  # fmt: skip


async def palaver(*words: str, environ: Mapping[str, str], folder: Path) -> str:
    """Call the command line and return what it prints; it must end well."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "palaver_deploy", *words), env=environ, cwd=folder, stdout=PIPE, stderr=PIPE
    )
    out, complaints = await process.communicate()
    assert process.returncode == 0, f"palaver {' '.join(words)}: {complaints.decode()}"
    return out.decode()
