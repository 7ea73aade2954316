"""The gateway as a process of its own, as a user starts it; the examples; a game through kills of it."""

import asyncio
import json
import os
import signal
import ssl
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_gamemasters.registry import load_game
from tests.deploy.conftest import Palaver
from tests.deploy.gates import Poller, Sitter, a_gate, play
from tests.redis_server import RedisServer, free_port, fresh_bus
from tests.support import a_request, ask
from tests.toys import Match

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def bus(redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    return url


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


async def present(board: Board) -> set[str]:
    return {member.name for member in await board.members()}


async def eventually(look: Callable[[], Awaitable[object]], wanted: object) -> None:
    while await look() != wanted:  # noqa: ASYNC110 - it comes from another process
        await asyncio.sleep(0.02)


async def test_a_gateway_is_killed_in_mid_game_and_nothing_is_lost_or_doubled(bus: str, home: Path) -> None:
    game = load_game("maze")
    player = game.players()["scripted"]
    port = free_port()
    async with RedisBroker(bus) as broker:
        book = Strangers(broker.link)
        where = f"http://127.0.0.1:{port}"
        sitters = [
            Sitter([where], await book.add("ann", ["gateway"]), player),
            Poller([where], await book.add("bob", ["gateway"]), player),
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
                await eventually(lambda: present(board), {"bus/ann", "bus/bob", "gateway"})
                await eventually(lambda: broker.link.call("XLEN", f"{broker.link.prefix}note:bus/ann"), 2)
            async with aiohttp.ClientSession() as web, web.get(f"{gate.pages}/metrics") as page:
                metrics = await page.text()
            assert 'palaver_gateway_messages_received_total{type="turn.reply"} 4.0' in metrics
            assert "palaver_gateway_connections " in metrics
            await book.remove("ann")
            await book.rotate("bob")
            _, complaint = await asyncio.wait_for(python.communicate(), 20)
            assert complaint.decode().splitlines()[-1] == "our token is no longer valid"
            _, complaint = await asyncio.wait_for(shell.communicate(), 20)
            assert complaint.decode().splitlines()[-1] == "our token is not valid"
        assert await gate.end() == 0
        assert await present(board) == set()
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
