"""The gateway as a process of its own, as a user starts it; the examples; a game through kills of it."""

import asyncio
import json
import os
import signal
import ssl
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import plan, roll_out
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, Player, TurnRequest
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, free_port, fresh_bus
from tests.support import a_reply, a_request, ask
from tests.toys import Match

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def bus(redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    return url


class Gate:
    """A gateway's process: where agents come in, where its pages are, and what it has logged."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.url = self.pages = ""
        self.log: list[dict[str, Any]] = []

    async def read(self) -> None:
        assert self.process.stderr is not None
        while not self.url:
            line = json.loads(await self.process.stderr.readline())
            self.log.append(line)
            self.pages, self.url = line.get("http", self.pages), line.get("url", "")

    async def drain(self) -> None:
        assert self.process.stderr is not None
        while line := await self.process.stderr.readline():
            self.log.append(json.loads(line))

    async def end(self, signum: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(signum)
        return await self.process.wait()


@asynccontextmanager
async def a_gate(home: Path, *words: str | Path) -> AsyncIterator[Gate]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "palaver_deploy", "serve", "gateway", *map(str, words)), cwd=home, stderr=PIPE
    )
    gate = Gate(process)
    draining: asyncio.Task[None] | None = None
    try:
        async with asyncio.timeout(20):
            await gate.read()
        draining = asyncio.create_task(gate.drain())
        yield gate
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        if draining is not None:
            await draining


@asynccontextmanager
async def a_program(*words: str | Path, token: str) -> AsyncIterator[Process]:
    """Run somebody's agent, in a process group of its own, with its helpers."""
    process = await asyncio.create_subprocess_exec(
        *map(str, words), env=os.environ | {"PALAVER_TOKEN": token}, stdout=DEVNULL, stderr=PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()


async def play(broker: RedisBroker, game: AnyGame, episodes: int) -> list[str]:
    """Play with bus/ann and bus/bob; return what the episodes came to."""
    config = RunConfig(run_id="run", game=game.name, agents=("bus/ann", "bus/bob"), episodes=episodes)
    ended: list[str] = []

    async def on_end(_: EpisodeStarted, end: EpisodeEnded) -> None:
        ended.append(end.outcome)

    async with open_engine(broker) as engine:
        await roll_out(engine, game, plan(game, config).openings, concurrency=4, on_end=on_end)
    return ended


class Sitter:
    """An agent that comes back whatever breaks, and counts how often it had to think about each question."""

    def __init__(self, url: str, token: str, player: Player) -> None:
        self.url, self.token, self.player = url, token, player
        self.thought: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self._said: dict[str, bytes] = {}

    def answer(self, request: TurnRequest) -> bytes:
        if request.key not in self._said:
            self.thought[request.key] += 1
            self._said[request.key] = encode(a_reply(request, self.player(request)))
        return self._said[request.key]

    async def run(self) -> None:
        head = {"Authorization": f"Bearer {self.token}"}
        async with aiohttp.ClientSession(headers=head) as web:
            while True:
                with suppress(aiohttp.ClientError, OSError):
                    await self.sit(web)
                await asyncio.sleep(0.02)

    async def sit(self, web: aiohttp.ClientSession) -> None:
        async with web.ws_connect(f"{self.url}/v1/agent") as line:
            await line.send_str(encode(AgentHello(key="h", agent=f"bus/{self.token.partition('.')[0]}")).decode())
            async for frame in line:
                message = frame.json()
                if message["type"] == "turn.request":
                    await line.send_str(self.answer(decode(frame.data)).decode())
                else:
                    self.told[message["code"]] += 1


class Poller(Sitter):
    async def sit(self, web: aiohttp.ClientSession) -> None:
        again = 1
        while True:
            async with web.get(f"{self.url}/v1/agent/requests", params={"wait": 5, "again": again}) as page:
                page.raise_for_status()
                asked = (await page.json())["requests"]
            again = 0
            for message in asked:
                data = self.answer(decode(json.dumps(message)))
                async with web.post(f"{self.url}/v1/agent/messages", data=data) as page:
                    self.told[(await page.json())["code"]] += 1
                    page.raise_for_status()


async def test_a_gateway_is_killed_in_mid_game_and_nothing_is_lost_or_doubled(bus: str, home: Path) -> None:
    game = load_game("maze")
    player = game.players()["scripted"]
    port = free_port()
    async with RedisBroker(bus) as broker:
        book = Strangers(broker.link)
        where = f"http://127.0.0.1:{port}"
        sitters = [
            Sitter(where, await book.add("ann", ["gateway"]), player),
            Poller(where, await book.add("bob", ["gateway"]), player),
        ]
        sitting = [asyncio.create_task(each.run()) for each in sitters]
        playing = asyncio.create_task(play(broker, game, 12))
        for kills in range(3):
            async with a_gate(home, "--listen", f"127.0.0.1:{port}") as gate:
                if kills == 2:
                    outcomes = await asyncio.wait_for(playing, 40)
                    break
                before = sum(each.thought.total() for each in sitters)
                while sum(each.thought.total() for each in sitters) < before + 20:  # noqa: ASYNC110 - it is elsewhere
                    await asyncio.sleep(0.002)
                assert await gate.end(signal.SIGKILL) == -signal.SIGKILL
        for task in sitting:
            task.cancel()
        await asyncio.gather(*sitting, return_exceptions=True)
        assert outcomes == ["solved"] * 12
        assert max(count for each in sitters for count in each.thought.values()) == 1
        assert sum(each.told["refused"] for each in sitters) == 0


async def test_the_examples_play_a_game_together(bus: str, home: Path) -> None:
    async with RedisBroker(bus) as broker, a_gate(home, "--listen", "127.0.0.1:0") as gate:
        book = Strangers(broker.link)
        ann, bob = [await book.add(name, ["gateway"]) for name in ("ann", "bob")]
        socket = f"ws{gate.url.removeprefix('http')}/v1/agent"
        async with (
            a_program(sys.executable, EXAMPLES / "websocket_agent.py", socket, token=ann) as python,
            a_program("sh", EXAMPLES / "poll_agent.sh", gate.url, token=bob) as shell,
        ):
            assert await asyncio.wait_for(play(broker, Match(), 1), 40) == ["solved"]
            board = Board(broker.link)
            async with asyncio.timeout(10):
                while (
                    not {"bus/ann", "bus/bob", "gateway"}
                    <= (members := {m.name: m for m in await board.members()}).keys()
                ):
                    await asyncio.sleep(0.02)
                while await broker.link.call("XLEN", f"{broker.link.prefix}note:bus/ann") < 2:
                    await asyncio.sleep(0.02)
            assert (members["bus/ann"].about["door"], members["gateway"].kind) == ("gateway", "gateway")
            async with aiohttp.ClientSession() as web, web.get(f"{gate.pages}/metrics") as page:
                metrics = await page.text()
            assert 'palaver_gateway_messages_received_total{type="turn.reply"} 4.0' in metrics
            assert "palaver_gateway_connections " in metrics
            await book.remove("ann")
            await book.rotate("bob")
            _, complaint = await asyncio.wait_for(python.communicate(), 20)
            assert complaint.decode().strip() == "our token is no longer valid"
            _, complaint = await asyncio.wait_for(shell.communicate(), 20)
            assert complaint.decode().strip() == "our token is not valid"
        assert await gate.end() == 0
        assert "gateway" not in [each.name for each in await board.members()]
    logged = json.dumps(gate.log)
    assert ann not in logged
    assert bob not in logged


async def test_a_gateway_that_is_stopped_says_so_and_hands_questions_back(bus: str, home: Path) -> None:
    async with RedisBroker(bus) as broker, a_gate(home, "--listen", "127.0.0.1:0") as gate:
        head = {"Authorization": f"Bearer {await Strangers(broker.link).add('ann', ['gateway'])}"}
        await ask(broker, a_request("k0", agent="bus/ann"))
        async with aiohttp.ClientSession(headers=head) as web:
            async with web.ws_connect(f"{gate.url}/v1/agent") as line:
                assert (await line.receive_json(timeout=10))["key"] == "k0"
                gate.process.send_signal(signal.SIGTERM)
                assert (await line.receive(timeout=10)).data == 1001
        assert await gate.process.wait() == 0
        async with broker.subscribe("in:bus/ann", "agents", consumer="another") as inbox:
            assert (await asyncio.wait_for(anext(inbox), 10)).message.key == "k0"


async def test_agents_come_in_by_tls(bus: str, home: Path) -> None:
    certificate, key = home / "cert.pem", home / "key.pem"
    made = await asyncio.create_subprocess_exec(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)),
        stderr=DEVNULL,
    )
    assert await made.wait() == 0
    words = ("--listen", "0.0.0.0:0", "--tls-cert", certificate, "--tls-key", key)
    async with RedisBroker(bus) as broker, a_gate(home, *words) as gate:
        head = {"Authorization": f"Bearer {await Strangers(broker.link).add('ann', ['gateway'])}"}
        url = gate.url.replace("localhost", "127.0.0.1")
        await ask(broker, a_request("k0", agent="bus/ann"))
        trusted = ssl.create_default_context(cafile=str(certificate))
        async with aiohttp.ClientSession(headers=head) as web:
            async with web.ws_connect(f"{url}/v1/agent", ssl=trusted) as line:
                assert (await line.receive_json(timeout=10))["key"] == "k0"
            with pytest.raises(aiohttp.ClientConnectionError):
                await web.get(url.replace("https", "http"))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--listen", "0.0.0.0:1"), "without TLS anybody on the way reads the tokens"),
        (("--listen", "nowhere"), "does not read HOST:PORT"),
        (("--tls-cert", "c.pem"), "--tls-cert and --tls-key go together"),
        (("--tls-cert", "c.pem", "--tls-key", "k.pem"), "there is no TLS with c.pem and k.pem: No such file"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    palaver: Palaver, bus: str, words: tuple[str, ...], complaint: str
) -> None:
    said = palaver("serve", "gateway", *words)
    assert (said.code, complaint in said.complaint) == (2, True), said.err


async def test_an_address_that_is_taken_is_named(bus: str, home: Path) -> None:
    async with a_gate(home, "--listen", "127.0.0.1:0") as gate:
        port = gate.url.rpartition(":")[2]
        words = ("serve", "gateway", "--listen", f"127.0.0.1:{port}")
        second = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "palaver_deploy", *words, cwd=home, stderr=PIPE
        )
        _, err = await asyncio.wait_for(second.communicate(), 20)
        assert second.returncode == 2
        assert f"cannot listen at 127.0.0.1:{port}: Address already in use" in err.decode().splitlines()[-1]
