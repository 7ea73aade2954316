"""`palaver serve mqtt` as a user runs it, with the agent of `examples/` at the far end."""

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import TurnTaken
from palaver_protocols.runs import RunConfig
from tests.deploy.children import child
from tests.deploy.conftest import Palaver
from tests.mosquitto_server import ADMIN, MosquittoServer
from tests.redis_server import RedisServer, free_port, fresh_bus
from tests.support import until

EXAMPLES = Path(__file__).parents[2] / "examples"
SECRET = "the-bridge-s-password"


@pytest.fixture(scope="module")
def mosquitto() -> Iterator[MosquittoServer]:
    with MosquittoServer() as server:
        yield server


@pytest.fixture
def bus(
    redis_server: RedisServer, mosquitto: MosquittoServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """Return where the bus is and what it is called; the environment says the rest, as a user's would."""
    url = fresh_bus(redis_server)
    name = url.rpartition("=")[2]
    monkeypatch.setenv("PALAVER_BROKER", url)
    monkeypatch.setenv("PALAVER_MQTT", mosquitto.url(f"bridge-{name}"))
    monkeypatch.setenv("PALAVER_MQTT_PASSWORD", SECRET)
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", ADMIN)
    return url, name


@dataclass(frozen=True, slots=True)
class Served:
    """A bridge: its process, what it logs, and where its pages are."""

    process: Process
    pages: str

    async def until_logged(self, event: str) -> None:
        assert self.process.stderr is not None
        while not json.loads(await self.process.stderr.readline())["event"].startswith(event):
            pass

    async def page(self, name: str) -> str:
        async with aiohttp.ClientSession() as web, web.get(f"{self.pages}/{name}") as page:
            return await page.text()


@asynccontextmanager
async def a_bridge(home: Path) -> AsyncIterator[Served]:
    async with child("serve", "mqtt", cwd=home) as process:
        assert process.stderr is not None
        yield Served(process, json.loads(await process.stderr.readline())["http"])


@asynccontextmanager
async def an_agent(server: MosquittoServer, bus: str, name: str, token: str, *files: Path) -> AsyncIterator[Process]:
    environ = os.environ | {"PALAVER_MQTT": server.url(name, token), "PALAVER_BUS": bus}
    words = (EXAMPLES / "mqtt_agent.py", EXAMPLES / "maze_brain.py", *files)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *map(str, words), env=environ, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until_present(broker: RedisBroker, agents: set[str]) -> None:
    """Wait until the bridge has noted who is there."""
    while not agents <= {member.name for member in await Board(broker.link).members()}:  # noqa: ASYNC110 - as users look
        await asyncio.sleep(0.01)


async def until_longer(broker: RedisBroker, log: str, length: int) -> None:
    """Wait until a log has so many entries."""
    while len(await broker.read(log)) < length:  # noqa: ASYNC110 - what is waited for has no event of its own
        await asyncio.sleep(0.005)


async def set_up(home: Path, mosquitto: MosquittoServer) -> str:
    async with child("serve", "mqtt", "--set-up", mosquitto.url("admin"), cwd=home) as process:
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_a_maze_is_played_through_a_bridge_that_is_killed(
    bus: tuple[str, str], mosquitto: MosquittoServer, home: Path
) -> None:
    url, name = bus
    assert f"bridge-{name} may serve the bus {name}" in await set_up(home, mosquitto)
    async with asyncio.timeout(50), AsyncExitStack() as stack:
        broker = await stack.enter_async_context(RedisBroker(url))
        names = [f"{each}-{name}" for each in ("one", "two")]
        for each in names:
            token = await Strangers(broker.link).add(each, ["mqtt"])
            await DynSec(mosquitto.admin_url, name).add(each, token)
            await stack.enter_async_context(an_agent(mosquitto, name, each, token))
        first = await stack.enter_async_context(a_bridge(home))
        await first.until_logged("connected")
        await until_present(broker, {f"bus/{each}" for each in names})
        second = await stack.enter_async_context(a_bridge(home))
        await second.until_logged("standing by: mqtt-")
        config = RunConfig(
            run_id="run", game="maze", agents=tuple(f"bus/{each}" for each in names), options={"agents": 2}, seed=5
        )
        opening = plan(MAZE, config).openings[0]
        log = episode_log(opening.run_id, opening.episode_id)
        engine = await stack.enter_async_context(open_engine(broker))
        playing = asyncio.create_task(engine.play(MAZE, opening))
        await until_longer(broker, log, 4)
        first.process.kill()
        assert not playing.done(), "the game was over before the bridge went"
        await second.until_logged("taken over; at work")
        end = await playing
        turns = [entry for entry in await broker.read(log) if isinstance(entry, TurnTaken)]
        assert end.outcome == "solved", end.error
        assert len({turn.key for turn in turns}) == len(turns)
        page = await second.page("metrics")
        assert "palaver_mqtt_connected 1.0" in page
        assert "palaver_mqtt_agents 2.0" in page
        assert re.search(r"palaver_mqtt_questions_sent_total [1-9]", page)
        members = {member.kind: member for member in await Board(broker.link).members()}
        assert members["mqtt"].about["mqtt"] == f"127.0.0.1:{mosquitto.port}"
        assert members["agent"].about["door"] == "mqtt"
        second.process.terminate()
        assert await second.process.wait() == 0


def kept(answers: Path) -> list[str]:
    """Return the keys of the answers in a file."""
    text = answers.read_text() if answers.exists() else ""
    return re.findall(r'"turn.reply".*"key": "(\w+)".*}\n', text)


def tear(answers: Path) -> None:
    """End a file as one who is killed while writing."""
    with answers.open("a") as file:
        file.write('{"type": "turn.reply", "key": "torn')


async def test_an_agent_that_is_killed_gives_the_answer_that_it_has_kept(
    bus: tuple[str, str], mosquitto: MosquittoServer, home: Path
) -> None:
    url, name = bus
    await set_up(home, mosquitto)
    answers = home / "answers.jsonl"
    me = f"one-{name}"
    async with asyncio.timeout(50), AsyncExitStack() as stack:
        broker = await stack.enter_async_context(RedisBroker(url))
        token = await Strangers(broker.link).add(me, ["mqtt"])
        await DynSec(mosquitto.admin_url, name).add(me, token)
        config = RunConfig(run_id="run", game="maze", agents=(f"bus/{me}",), options={"agents": 2}, seed=5)
        opening = plan(MAZE, config).openings[0]
        engine = await stack.enter_async_context(open_engine(broker))
        playing = asyncio.create_task(engine.play(MAZE, opening))
        await stack.enter_async_context(a_bridge(home))
        async with an_agent(mosquitto, name, me, token, answers) as agent:
            await until(lambda: len(kept(answers)) >= 2)
            agent.kill()
            await agent.wait()
        assert not playing.done(), "the game was over before the agent went"
        tear(answers)
        await stack.enter_async_context(an_agent(mosquitto, name, me, token, answers))
        end = await playing
        log = await broker.read(episode_log(opening.run_id, opening.episode_id))
    turns = [entry.key for entry in log if isinstance(entry, TurnTaken)]
    assert end.outcome == "solved", end.error
    assert sorted(kept(answers)) == sorted(turns)


def complaint(palaver: Palaver, *words: str) -> str:
    """Return the one line on stderr, its log aside."""
    result = palaver("serve", "mqtt", *words, "--http", "127.0.0.1:0")
    assert result.code in (1, 2)
    last = result.err.strip().splitlines()[-1]
    assert last.startswith("palaver: ")
    assert SECRET not in result.err
    assert "Traceback" not in result.err
    return last


@pytest.mark.usefixtures("bus")
def test_wrong_words_are_one_line(palaver: Palaver) -> None:
    assert "MQTT is not at http://" in complaint(palaver, "--mqtt", "http://me@host")
    assert "names no user" in complaint(palaver, "--mqtt", "mqtt://host")
    assert "lives in one process" in complaint(palaver, "--broker", "memory://")


@pytest.mark.usefixtures("bus")
def test_a_set_up_without_passwords_or_a_broker_is_one_line(
    mosquitto: MosquittoServer, palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = f"mqtt://admin@127.0.0.1:{free_port()}"
    assert "no MQTT broker can be used" in complaint(palaver, "--set-up", nowhere)
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", "guessed")
    refused = complaint(palaver, "--set-up", mosquitto.url("admin"))
    assert "does not let 'admin' in" in refused
    assert "PALAVER_MQTT_ADMIN_PASSWORD" in refused
    monkeypatch.delenv("PALAVER_MQTT_PASSWORD")
    assert "set PALAVER_MQTT_PASSWORD" in complaint(palaver, "--set-up", nowhere)


async def test_a_refused_login_ends_the_service_with_one_line(bus: tuple[str, str], home: Path) -> None:
    async with asyncio.timeout(30), child("serve", "mqtt", cwd=home) as process:
        _, err = await process.communicate()
    *_, last = err.decode().splitlines()
    assert process.returncode == 1
    assert last.startswith("palaver: the broker at 127.0.0.1:")
    assert f"does not let 'bridge-{bus[1]}' in" in last
    assert "PALAVER_MQTT_PASSWORD" in last
    async with RedisBroker(bus[0]) as broker:
        assert await Board(broker.link).members() == [], "who has failed is not listed as if it were at work"
    assert SECRET not in err.decode()


def test_help_tells_how_to_begin(palaver: Palaver) -> None:
    result = palaver("serve", "mqtt", "--help")
    assert result.code == 0
    for word in ("mosquitto_ctrl dynsec init", "--set-up", "PALAVER_MQTT_PASSWORD", "add-agent", "mqtts://"):
        assert word in result.out
