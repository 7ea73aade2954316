"""`examples/Agent.java`: an agent at the gateway with nothing but the JDK: it brings its own JSON."""

import asyncio
import os
import re
import shutil
import subprocess
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.conformance.checking import check
from tests.deploy.gates import a_gate
from tests.redis_server import RedisServer, free_port, fresh_bus

PROGRAM = Path(__file__).parents[2] / "examples" / "Agent.java"
OLDEST = 17
PATIENCE_S = 60.0


@pytest.fixture
def java() -> str:
    """Return the path of java; skip the test where there is none that compiles, or an old one."""
    found = shutil.which("java")
    if found is None or shutil.which("javac") is None:
        pytest.skip("there is no JDK: apt-get install default-jdk-headless")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=True).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < OLDEST:
        pytest.skip(f"this needs Java {OLDEST}, and here is {said.splitlines()[0]}")
    return found


@asynccontextmanager
async def a_program(java: str, url: str, token: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        *(java, str(PROGRAM), f"ws{url.removeprefix('http')}/v1/agent"),
        env=os.environ | {"PALAVER_TOKEN": token},
        stdout=DEVNULL,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until_there(broker: RedisBroker, name: str) -> None:
    while name not in {member.name for member in await Board(broker.link).members()}:  # noqa: ASYNC110 - it is elsewhere
        await asyncio.sleep(0.02)


async def test_it_meets_every_point_outlives_its_gateway_and_goes_when_it_is_turned_out(
    java: str, redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    listen = f"127.0.0.1:{free_port()}"
    async with asyncio.timeout(PATIENCE_S), RedisBroker(url) as broker:
        book = Strangers(broker.link)
        token = await book.add("ann", ["gateway"])
        async with AsyncExitStack() as programs:
            async with a_gate(home, "--listen", listen) as gate:
                program = await programs.enter_async_context(a_program(java, gate.url, token))
                await until_there(broker, "bus/ann")
                before = await check(url, "ann", timeout_s=10)
            async with a_gate(home, "--listen", listen):
                after = await check(url, "ann", timeout_s=10)
                await book.rotate("ann")
                _, complaints = await program.communicate()
    assert before.passed, before.unmet
    assert after.passed, after.unmet
    assert program.returncode == 1
    assert b"4001" in complaints
    assert token.encode() not in complaints
