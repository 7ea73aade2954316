"""Every query of every board, asked of a real Prometheus that has watched a real run."""

import asyncio
import re
import shutil
from asyncio import create_subprocess_exec
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import aiohttp
import pytest
import yaml
from aiohttp import web

from tests.deploy.children import Oracle, asked, child
from tests.deploy.test_dashboards import BOARDS, COMPOSE, load, panels
from tests.deploy.test_fleet import said_by, served
from tests.promtool import promtool
from tests.redis_server import RedisServer, free_port, fresh_bus

PLAYED = 4
"""Episodes of the run, of four turns each."""
PATIENCE_S = 20.0
NOTHING_TO_SHOW = frozenset({"Seats for people", "Pages that follow along", "Alerts"})
"""What a fleet has nothing of that is well and has no dashboard."""


class Query(NamedTuple):
    """A query of a board, as Grafana asks it."""

    board: str
    title: str
    expression: str


def filled(expression: str) -> str:
    """Put in what Grafana puts in for its variables."""
    expression = expression.replace("$__rate_interval", "15s").replace("$__range", "60s")
    return re.sub(r"\$\w+", ".*", expression)


def queries() -> Iterator[Query]:
    for board in BOARDS:
        loaded = load(board)
        for panel in panels(loaded):
            for target in panel.get("targets", []):
                yield Query(board.stem, panel["title"], filled(target["expr"]))
        for note in loaded["annotations"]["list"]:
            yield Query(board.stem, note["name"], filled(note["expr"]))


class Prometheus:
    """A server to ask."""

    def __init__(self, url: str, client: aiohttp.ClientSession) -> None:
        self._url = url
        self._client = client

    async def until_ready(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    async with self._client.get(f"{self._url}/-/ready") as answer:
                        if answer.status == 200:
                            return
                except aiohttp.ClientConnectionError:
                    pass
                await asyncio.sleep(0.05)

    async def ask(self, query: Query) -> list[Any]:
        """Return the series that a query finds in the last minute."""
        async with self._client.get(f"{self._url}/api/v1/query", params={"query": "time()"}) as answer:
            now = float((await answer.json())["data"]["result"][0])
        words = {"query": query.expression, "start": str(now - 60), "end": str(now), "step": "1"}
        async with self._client.get(f"{self._url}/api/v1/query_range", params=words) as answer:
            said = await answer.json()
        assert said["status"] == "success", f"{query}: {said}"
        assert not said.get("warnings"), f"{query}: {said}"
        found: list[Any] = said["data"]["result"]
        return found

    async def sick_rules(self) -> list[str]:
        """Name the alerts that could not be worked out."""
        async with self._client.get(f"{self._url}/api/v1/rules") as answer:
            groups = (await answer.json())["data"]["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        assert rules
        return [rule["name"] for rule in rules if rule["health"] == "err"]


@asynccontextmanager
async def prometheus(folder: Path, targets: dict[str, int]) -> AsyncIterator[Prometheus]:
    """Start a Prometheus in a folder of its own that asks services, by job and port, five times a second."""
    binary = shutil.which("prometheus")
    if binary is None:
        pytest.skip("needs prometheus: apt-get install prometheus")
    await asyncio.to_thread(folder.mkdir)
    jobs = [{"job_name": job, "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]} for job, port in targets.items()]
    every = {"scrape_interval": "200ms", "scrape_timeout": "200ms", "evaluation_interval": "1s"}
    rules = [str(COMPOSE / "prometheus" / "alerts.yml")]
    config = folder / "prometheus.yml"
    config.write_text(yaml.safe_dump({"global": every, "scrape_configs": jobs, "rule_files": rules}))
    port = free_port()
    process = await create_subprocess_exec(
        binary,
        f"--config.file={config}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
        cwd=folder,
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        async with aiohttp.ClientSession() as client:
            server = Prometheus(f"http://127.0.0.1:{port}", client)
            await server.until_ready()
            yield server
    finally:
        process.kill()
        await process.wait()


class Grudging(Oracle):
    """Asks to be asked a little later, once."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = False

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        if self._asked:
            return await super().__call__(request)
        self._asked = True
        return web.json_response({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "1"})


async def play(home: Path, agent: str, ports: dict[str, int], stack: AsyncExitStack) -> None:
    """Have a fleet play a run that has been submitted before there is a game master."""

    async def serve(kind: str, *words: str) -> None:
        http = ("--http", f"127.0.0.1:{ports[kind]}")
        await stack.enter_async_context(served(kind, *words, *http, cwd=home))

    words = ("maze", "--agents", agent, "-n", str(PLAYED), "--set", "max_turns=4", "--budget-tokens", "1000000")
    await serve("agent", "--agent", agent, "--rpm", "60000")
    await serve("recorder")
    async with child("submit", *words, "--run-id", "night", cwd=home) as submit:
        code, _, err = await said_by(submit)
    assert code == 0, err
    await serve("gamemaster")


async def test_every_query_of_every_board_finds_what_it_asks_for(
    redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_BROKER", fresh_bus(redis_server))
    monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
    ports = {kind: free_port() for kind in ("agent", "gamemaster", "recorder")}
    async with AsyncExitStack() as stack:
        agent = await stack.enter_async_context(asked(Grudging()))
        server = await stack.enter_async_context(prometheus(home / "prometheus", ports))
        await play(home, agent, ports, stack)
        missing = list(queries())
        deadline = monotonic() + PATIENCE_S
        while missing and monotonic() < deadline:
            missing = [query for query in missing if not await server.ask(query) and query.title not in NOTHING_TO_SHOW]
            await asyncio.sleep(0.2)
        assert missing == []
        assert await server.sick_rules() == []
        for port in ports.values():
            await check_metrics(port)


async def check_metrics(port: int) -> None:
    """See that what a service really shows is as Prometheus likes it."""
    async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port}/metrics") as page:
        text = await page.read()
    check = await create_subprocess_exec(promtool(), "check", "metrics", stdin=PIPE, stdout=PIPE, stderr=STDOUT)
    said, _ = await check.communicate(text)
    assert (check.returncode, said.decode()) == (0, "")
