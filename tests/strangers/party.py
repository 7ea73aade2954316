"""Five programs that are none of ours, the house that lets them in, and what that stands on: all may be killed.

Python and JavaScript on Redis itself, one at a WebSocket, one by MQTT, and an A2A server. Whoever is killed is started
again by the same command line, and finds what it left.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from palaver_broker.redis import Board, RedisBroker
from palaver_observability.folder import RunFolder
from palaver_protocols.messages import LogEntry
from tests.mosquitto_server import ADMIN, MosquittoServer
from tests.node import node_binary, with_redis
from tests.redis_server import RedisServer, free_port

__all__ = ["Party", "a_party"]

EXAMPLES = Path(__file__).parents[2] / "examples"
HOUSE = "the-house-s-password"
BRIDGE = "the-bridge-s-password"
BRAINS = {
    "brain.py": """
import time
from maze_brain import reply as think

def reply(question):
    time.sleep({think_s})
    return think(question)
""",
    "brain.mjs": """
import {{ reply as think }} from "./maze_brain.mjs";

export async function reply(question) {{
  await new Promise((done) => setTimeout(done, 1000 * {think_s}));
  return think(question);
}}
""",
}


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


class Program(NamedTuple):
    """How a process is started."""

    words: tuple[str, ...]
    environ: dict[str, str]


@dataclass
class Party:
    """Made by :func:`a_party`. ``names`` are the agents as they are seated."""

    folder: Path
    redis: RedisServer
    mosquitto: MosquittoServer
    names: list[str] = field(default_factory=list)
    _environ: dict[str, str] = field(default_factory=dict)
    _programs: dict[str, Program] = field(default_factory=dict)
    _running: dict[str, Process] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The bus, for the house."""
        return f"redis://:{HOUSE}@127.0.0.1:{self.redis.port}"

    async def palaver(self, *words: str) -> Said:
        """Run a command of ours to its end."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "palaver_deploy", *words),
            env=self._environ,
            cwd=self.folder,
            stdout=PIPE,
            stderr=PIPE,
        )
        try:
            out, err = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode is not None
        return Said(process.returncode, out.decode(), err.decode())

    async def admit(self, name: str, door: str) -> str:
        """Let an agent in; return its token."""
        more = ("--mqtt", self.mosquitto.url("admin")) if door == "mqtt" else ()
        said = await self.palaver("admin", "add-agent", name, "--door", door, *more, "--json")
        assert said.code == 0, said.err
        token: str = json.loads(said.out)["token"]
        return token

    async def set_up(self, think_s: float) -> None:
        """Let everybody in, and start them and the house."""
        self._environ = os.environ | {
            "PALAVER_BROKER": self.url,
            "PALAVER_STATE": str(self.folder / "state"),
            "PALAVER_MQTT": self.mosquitto.url("bridge"),
            "PALAVER_MQTT_PASSWORD": BRIDGE,
            "PALAVER_MQTT_ADMIN_PASSWORD": ADMIN,
            "PYTHONPATH": os.pathsep.join([str(self.folder), str(EXAMPLES)]),
        }
        for name, text in BRAINS.items():
            (self.folder / name).write_text(text.format(think_s=think_s))
        with_redis(self.folder, EXAMPLES / "agent.mjs", EXAMPLES / "maze_brain.mjs")
        doors = {"py": "redis", "js": "redis", "ws": "gateway", "edge": "mqtt"}
        admitting = asyncio.gather(*(self.admit(name, door) for name, door in doors.items()))
        done = await self.palaver("serve", "mqtt", "--set-up", self.mosquitto.url("admin"))
        assert done.code == 0, done.err
        self._write_down(*await admitting)
        self.names = [*(f"bus/{name}" for name in doors), self._a2a]
        for name in self._programs:
            await self.start(name)
            if name == "bridge":  # an agent that says hello to nobody says it again in twenty seconds
                await self._until_logged(name, '"connected"')

    def _write_down(self, py: str, js: str, ws: str, edge: str) -> None:
        """Write down how everybody is started: their own words, and what they must know, which is not our password."""
        gateway, a2a = free_port(), free_port()
        self._a2a = f"a2a/http://127.0.0.1:{a2a}"
        brain, at = str(self.folder / "brain.py"), f"127.0.0.1:{self.redis.port}/0"
        plain = {name: value for name, value in self._environ.items() if not name.startswith("PALAVER_")}

        def ours(*words: str) -> Program:
            return Program((sys.executable, "-m", "palaver_deploy", "serve", *words), self._environ)

        def theirs(*words: str, **environ: str) -> Program:
            return Program(words, plain | environ)

        def example(name: str) -> tuple[str, str]:
            return sys.executable, str(EXAMPLES / name)

        agent_js, brain_js = (str(self.folder / name) for name in ("agent.mjs", "brain.mjs"))
        edge_url = self.mosquitto.url("edge", edge)
        self._programs = {
            "gamemaster": ours("gamemaster"),
            "gateway": ours("gateway", "--listen", f"127.0.0.1:{gateway}"),
            "bridge": ours("mqtt"),
            "served": ours("agent", "--agent", self._a2a),
            "py": theirs(*example("agent.py"), brain, PALAVER_URL=f"redis://py:{py}@{at}"),
            "js": theirs(node_binary(), agent_js, brain_js, PALAVER_URL=f"redis://js:{js}@{at}"),
            "ws": theirs(*example("websocket_agent.py"), f"ws://127.0.0.1:{gateway}/v1/agent", brain, PALAVER_TOKEN=ws),
            "edge": theirs(*example("mqtt_agent.py"), brain, str(self.folder / "answers"), PALAVER_MQTT=edge_url),
            "a2a": theirs(*example("a2a_agent.py"), "--python", "brain:reply", "--whole", "--port", str(a2a)),
        }

    async def start(self, name: str) -> None:
        """Start one, again if it was killed."""
        if name == "redis":
            await asyncio.to_thread(self.redis.start)
        elif name == "mosquitto":
            await asyncio.to_thread(self.mosquitto.start)
        else:
            program = self._programs[name]
            with (self.folder / f"{name}.log").open("ab") as log:
                self._running[name] = await asyncio.create_subprocess_exec(
                    *program.words, env=program.environ, cwd=self.folder, stdin=DEVNULL, stdout=log, stderr=log
                )

    async def kill(self, name: str) -> None:
        """End one by SIGKILL."""
        if name == "redis":
            await asyncio.to_thread(self.redis.kill)
        elif name == "mosquitto":
            await asyncio.to_thread(self.mosquitto.kill)
        else:
            process = self._running.pop(name)
            assert process.returncode is None, f"{name} had ended by itself:\n{self.log(name)}"
            process.kill()
            await process.wait()

    async def end(self) -> None:
        """End all that run."""
        for name in list(self._running):
            await self.kill(name)

    def log(self, name: str) -> str:
        """Return what one has logged."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    async def until_present(self, broker: RedisBroker) -> None:
        """Wait until the bus knows that all are there."""
        port = int(self._a2a.rpartition(":")[2])
        while not (set(self.names) <= await _present(broker) and await _listens(port)):  # noqa: ASYNC110 - as users look
            await asyncio.sleep(0.05)

    async def _until_logged(self, name: str, words: str) -> None:
        while words not in self.log(name):  # noqa: ASYNC110 - it is a file
            await asyncio.sleep(0.05)

    async def play(self, *words: str) -> Said:
        """Play one maze together; the run folder is ``run``."""
        agents = ",".join(self.names)
        return await self.palaver("run", "maze", "--agents", agents, "--set", "agents=5", "--out", "run", *words)

    @property
    def record(self) -> list[LogEntry]:
        """The log of the game, as the run folder has it."""
        folder = RunFolder.open(self.folder / "run")
        (episode,) = folder.episode_ids_with_logs()
        return folder.read_log(episode)


async def _present(broker: RedisBroker) -> set[str]:
    return {member.name for member in await Board(broker.link).members()}


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@asynccontextmanager
async def a_party(folder: Path, *, think_s: float = 0.0) -> AsyncIterator[Party]:
    """Start everything in a folder; end it with the context. Each thinks so long about a question (seconds)."""
    with RedisServer(tcp=True, requirepass=HOUSE) as redis, MosquittoServer() as mosquitto:
        party = Party(folder, redis, mosquitto)
        try:
            await party.set_up(think_s)
            yield party
        finally:
            await party.end()
