"""What a turn costs an agent that is somebody else's program, by each door, beside an agent of ours.

    python benchmarks/strangers.py           (a minute; redis-server 7, and mosquitto and node for their agents)

Agents, game master (with the porter), gateway, bridge, Redis and mosquitto are processes of their own; this one asks.
The floor is a Python function behind ``palaver serve agent --python``. All agents answer at once with a fixed text.
``alone``: one question at a time, milliseconds from asking to hearing. ``at once``: 32 questions out, turns a second.
Doors alternate in rounds; read the ratios, machines are noisy.
"""

import asyncio
import os
import shutil
import statistics
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from palaver_broker import Question
from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.admitting import admit
from palaver_broker.topics import episode_log
from palaver_protocols.content import Text
from palaver_protocols.transcript import USER, Message
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer, free_port
from tests.support import BOX, a_request, a_start

ROUNDS, ALONE, AT_ONCE, OUT = 7, 50, 100, 32
"""So few at once that nobody meets the limit of 50 messages a second, 200 in a burst."""
VIEW = (Message(speaker=USER, parts=(Text(text="Where shall we go? " * 100),)),)
ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
_turns = count()


class Asker:
    """Asks as a game master would, and hears the answers."""

    def __init__(self, broker: RedisBroker) -> None:
        self._broker = broker
        self._waiting: dict[str, asyncio.Future[None]] = {}

    async def listen(self) -> None:
        """Hear answers until cancelled."""
        async with self._broker.subscribe(BOX, "bench", consumer="bench") as answers:
            async for delivery in answers:
                await delivery.ack()
                self._waiting.pop(delivery.message.key).set_result(None)

    async def ask(self, agent: str) -> float:
        """Ask one question; return how long its answer took, in seconds."""
        turn = next(_turns)
        request = a_request(f"{turn:032x}", turn=turn, agent=agent, view=VIEW)
        heard = self._waiting[request.key] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        await self._broker.ask(Question(request, BOX))
        await heard
        return time.perf_counter() - began

    async def alone(self, agent: str) -> float:
        """Return the median of one answer, in milliseconds."""
        return 1000 * statistics.median([await self.ask(agent) for _ in range(ALONE)])

    async def at_once(self, agent: str) -> float:
        """Return how many turns a second there are."""
        places = asyncio.Semaphore(OUT)

        async def one() -> None:
            async with places:
                await self.ask(agent)

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))
        return AT_ONCE / (time.perf_counter() - began)


@asynccontextmanager
async def running(*words: str | Path, **environ: str) -> AsyncIterator[Process]:
    """Run a process until the context is left."""
    process = await asyncio.create_subprocess_exec(
        *map(str, words), env={**os.environ, **environ}, cwd=EXAMPLES, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def seated(stack: AsyncExitStack, broker: RedisBroker, server: RedisServer) -> list[str]:
    """Start everything; return the agents, the floor first."""
    palaver = (sys.executable, "-m", "palaver_deploy", "serve")
    start = stack.enter_async_context
    port = free_port()
    bus = {"PALAVER_BROKER": server.tcp_url, "PALAVER_STATE": str(server.folder / "state")}

    async def admitted(name: str, door: str) -> str:
        return await admit(broker.link, name, [door])  # type: ignore[list-item]  # one of the three

    await start(running(*palaver, "gamemaster", **bus))
    await start(running(*palaver, "gateway", "--listen", f"127.0.0.1:{port}", "--rate", "1e6", **bus))
    await start(running(*palaver, "agent", "--python", "python_agent:agree", "--name", "function", **bus))
    agents = ["bus/function", "bus/redis", "bus/websocket"]
    url = server.tcp_url.replace("redis://", "redis://redis:{}@").format(await admitted("redis", "redis"))
    await start(running(sys.executable, "agent.py", PALAVER_URL=url))
    token = await admitted("websocket", "gateway")
    socket = f"ws://127.0.0.1:{port}/v1/agent"
    await start(running(sys.executable, "websocket_agent.py", socket, PALAVER_TOKEN=token))
    modules = ROOT / ".venv" / "node" / "node_modules"
    if shutil.which("node") and modules.is_dir():
        (server.folder / "node_modules").symlink_to(modules)
        shutil.copy(EXAMPLES / "agent.mjs", server.folder)
        url = server.tcp_url.replace("redis://", "redis://node:{}@").format(await admitted("node", "redis"))
        await start(running("node", server.folder / "agent.mjs", PALAVER_URL=url))
        agents.append("bus/node")
    if shutil.which("mosquitto", path="/usr/sbin:/usr/bin"):
        mosquitto = stack.enter_context(MosquittoServer())
        dynsec = DynSec(mosquitto.admin_url)
        await dynsec.set_up("bridge", "pw")
        token = await admitted("mqtt", "mqtt")
        await dynsec.add("mqtt", token)
        await start(running(*palaver, "mqtt", **bus, PALAVER_MQTT=mosquitto.url("bridge", "pw")))
        await start(running(sys.executable, "mqtt_agent.py", PALAVER_MQTT=mosquitto.url("mqtt", token)))
        agents.append("bus/mqtt")
    return agents


async def until_there(board: Board, agents: list[str]) -> None:
    while {member.name for member in await board.members()} < set(agents):  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0.1)


async def measured(what: Mapping[str, Awaitable[float]]) -> dict[str, float]:
    return {agent: await each for agent, each in what.items()}


async def main() -> None:
    """Measure, and print a table."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(RedisServer(tcp=True))
        broker = await stack.enter_async_context(RedisBroker(server.url))
        agents = await seated(stack, broker, server)
        await broker.restore(episode_log("run", "e0"), [a_start()])
        asker = Asker(broker)
        async with asyncio.timeout(600), asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(asker.listen())
            await until_there(Board(broker.link), agents)
            rounds = []
            for number in range(ROUNDS + 1):
                alone = await measured({agent: asker.alone(agent) for agent in agents})
                at_once = await measured({agent: asker.at_once(agent) for agent in agents})
                if number:  # the first warms everybody up
                    rounds.append((alone, at_once))
                print(f"round {number} of {ROUNDS}", file=sys.stderr)
            listening.cancel()
    print(f"{'agent':<16}{'alone, ms':>12}{'x floor':>9}{'at once, /s':>14}{'x floor':>9}")
    for agent in agents:
        cells = [statistics.median(each[kind][agent] for each in rounds) for kind in (0, 1)]
        ratios = [statistics.median(each[kind][agent] / each[kind][agents[0]] for each in rounds) for kind in (0, 1)]
        print(f"{agent:<16}{cells[0]:>12.2f}{ratios[0]:>9.2f}{cells[1]:>14,.0f}{ratios[1]:>9.2f}")


if __name__ == "__main__":
    asyncio.run(main())
