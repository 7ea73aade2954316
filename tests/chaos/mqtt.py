"""An agent at the far end of MQTT, while everything on its way is killed: ``python -m tests.chaos.mqtt``.

It plays both seats of many short games of `count-up` through `palaver serve mqtt`, and keeps its answers in a file as
`examples/mqtt_agent.py` does. mosquitto, the bridge and the agent are killed with -9, in an order drawn from a seed.
Then the logs are counted: what is missing, what is there twice, and what the agent has worked on twice. Exit code 1 if
anything was lost or doubled.
"""

import argparse
import asyncio
import os
import random
import re
import sys
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, NamedTuple

from examples.count_up import GAME

from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.rollout import plan, roll_out
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, TurnTaken
from palaver_protocols.runs import RunConfig
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer

TURNS = 20
KILLS = {"mosquitto": 8, "bridge": 3, "agent": 7}
THINKS_S = 0.35
"""How long the agent thinks: so that the game outlasts the kills."""
ANSWERS = "answers.jsonl"
AGENT = Path(__file__).parents[2] / "examples" / "mqtt_agent.py"
GIVEN_UP_S = 600.0
BRAIN = """
import time

def reply(question):
    with open({worked!r}, "a") as worked:
        worked.write(question["key"] + "\\n")
    time.sleep({thinks_s})
    return str(question["turn"] + 1)
"""


class Verdict(NamedTuple):
    """What came of it.

    ``lost`` turns are missing, ``doubled`` ones are there twice; ``worked_twice`` is how often a question was taken up
    again, ``though_answered`` how often although it had been answered.
    """

    lost: int
    doubled: int
    worked_twice: int
    though_answered: int


class Edge:
    """mosquitto, the bridge and the agent, which are killed and started again."""

    def __init__(self, folder: Path, server: MosquittoServer, log: IO[bytes]) -> None:
        self._folder, self._server, self._log = folder, server, log
        self._processes: dict[str, Process] = {}
        self._token = ""

    async def start(self, broker: RedisBroker, url: str) -> None:
        """Set everything up, and start it."""
        self._environ = {**os.environ, "PALAVER_BROKER": url, "PALAVER_MQTT": self._server.url("bridge", "pw")}
        brain = BRAIN.format(worked=str(self._folder / "worked"), thinks_s=THINKS_S)
        (self._folder / "brain.py").write_text(brain)
        dynsec = DynSec(self._server.admin_url)
        await dynsec.set_up("bridge", "pw")
        self._token = await Strangers(broker.link).add("edge", ["mqtt"])
        await dynsec.add("edge", self._token)
        await self._run("bridge")
        await self._run("agent")

    async def _run(self, name: str) -> None:
        words = {
            "bridge": ("-m", "palaver_deploy", "serve", "mqtt"),
            "agent": (str(AGENT), str(self._folder / "brain.py"), str(self._folder / ANSWERS)),
        }[name]
        environ = self._environ
        if name == "agent":
            environ = {**environ, "PALAVER_MQTT": self._server.url("edge", self._token)}
        self._processes[name] = await asyncio.create_subprocess_exec(
            sys.executable, *words, env=environ, stdout=self._log, stderr=self._log
        )

    async def strike(self, name: str, down_s: float) -> None:
        """Kill one with -9, and start it again after a while."""
        if name == "mosquitto":
            await asyncio.to_thread(self._server.kill)
            await asyncio.sleep(down_s)
            await asyncio.to_thread(self._server.start)
            return
        await self._end(name)
        await asyncio.sleep(down_s)
        await self._run(name)

    async def _end(self, name: str) -> None:
        process = self._processes.pop(name)
        if process.returncode is None:
            process.kill()
        else:
            print(f"{name} had ended by itself with {process.returncode}")
        await process.wait()

    async def stop(self) -> None:
        """End what runs."""
        for name in list(self._processes):
            await self._end(name)


async def storm(edge: Edge, dice: random.Random, each_s: float) -> None:
    """Kill, one after the other."""
    strikes = [name for name, count in KILLS.items() for _ in range(count)]
    dice.shuffle(strikes)
    for name in strikes:
        await asyncio.sleep(dice.uniform(0.5, 1.5) * each_s)
        await edge.strike(name, dice.uniform(0.0, 1.0))


async def judge(broker: RedisBroker, openings: Sequence[EpisodeStarted], folder: Path) -> Verdict:
    """Count, in the logs and in what the agent has noted."""
    lost = doubled = 0
    for opening in openings:
        log = await broker.read(episode_log(opening.run_id, opening.episode_id))
        turns = [entry for entry in log if isinstance(entry, TurnTaken)]
        numbers = Counter(turn.reply.text for turn in turns)
        lost += sum(str(number) not in numbers for number in range(1, TURNS + 1))
        lost += not (isinstance(log[-1], EpisodeEnded) and log[-1].outcome == "solved")
        doubled += sum(count - 1 for count in numbers.values())
    begun, answered = await asyncio.to_thread(lambda: [(folder / name).read_text() for name in ("worked", ANSWERS)])
    finished = re.findall(r'"key": "(\w+)"', answered)
    return Verdict(lost, doubled, _repeats(begun.split()), _repeats(finished))


def _repeats(keys: list[str]) -> int:
    return len(keys) - len(set(keys))


async def nobody_minds(_: EpisodeStarted, __: EpisodeEnded) -> None:
    """Do nothing: the logs are read in the end."""


async def play(episodes: int, each_s: float, seed: int, *, persistence: bool) -> int:
    """Play in a storm; return the exit code."""
    folder = Path(mkdtemp(prefix="palaver-mqtt-"))
    changes = {"persistence": "true", "autosave_on_changes": "true", "autosave_interval": "1"} if persistence else {}
    config = RunConfig(
        run_id="edge", game=GAME.name, agents=("bus/edge",), options={"target": TURNS}, episodes=episodes, seed=seed
    )
    planned = plan(GAME, config)
    with MosquittoServer(**changes) as mosquitto, RedisServer() as redis, (folder / "log").open("wb") as log:
        async with RedisBroker(redis.url) as broker:
            edge = Edge(folder, mosquitto, log)
            try:
                await edge.start(broker, redis.url)
                began = time.monotonic()
                async with asyncio.timeout(GIVEN_UP_S), open_engine(broker) as engine:
                    storming = asyncio.create_task(storm(edge, random.Random(seed), each_s))
                    await roll_out(engine, GAME, planned.openings, concurrency=24, on_end=nobody_minds)
                    played = time.monotonic() - began
                    await storming
            finally:
                await edge.stop()
            verdict = await judge(broker, planned.openings, folder)
    kept = "with" if persistence else "without"
    print(f"{episodes * TURNS:,} turns in {played:.0f} s, mosquitto {kept} persistence, killed with -9: {KILLS}")
    print(f"lost {verdict.lost}, doubled {verdict.doubled}, worked twice {verdict.worked_twice}, ", end="")
    print(f"of these though it had answered {verdict.though_answered} ({folder})")
    return int(verdict.lost + verdict.doubled > 0)


def main() -> int:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.mqtt", description=__doc__)
    parser.add_argument("--episodes", type=int, default=75, help=f"of {TURNS} turns each")
    parser.add_argument("--each", type=float, default=3.5, metavar="S", help="seconds from kill to kill, about")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--persistence", action="store_true", help="let mosquitto write down what it has")
    said = parser.parse_args()
    return asyncio.run(play(said.episodes, said.each, said.seed, persistence=said.persistence))


if __name__ == "__main__":
    sys.exit(main())
