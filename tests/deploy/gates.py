"""Gateways as processes, and agents at them that come back whatever breaks."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Any

import aiohttp

from palaver_broker.redis import RedisBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import plan, roll_out
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, Player, TurnRequest, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello, stranger
from tests.support import a_reply


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


async def play(broker: RedisBroker, game: AnyGame, episodes: int, concurrency: int = 4) -> list[str]:
    """Play with bus/ann and bus/bob; return what the episodes came to. Every turn is in its log once."""
    config = RunConfig(run_id="run", game=game.name, agents=("bus/ann", "bus/bob"), episodes=episodes)
    ended: list[str] = []

    async def on_end(opening: EpisodeStarted, end: EpisodeEnded) -> None:
        ended.append(end.outcome)
        entries = await broker.read(episode_log(opening.run_id, opening.episode_id))
        turns = [(entry.reply.turn, entry.reply.seat) for entry in entries if isinstance(entry, TurnTaken)]
        assert len(set(turns)) == len(turns), turns

    async with open_engine(broker) as engine:
        await roll_out(engine, game, plan(game, config).openings, concurrency=concurrency, on_end=on_end)
    return ended


class Sitter:
    """An agent that comes back whatever breaks, and counts how often it had to think about each question.

    Args:
        urls: of gateways; it comes to any of them.
        token: its own.
        player: what it answers.
        think_s: how long it thinks, in seconds.
    """

    def __init__(self, urls: Sequence[str], token: str, player: Player, think_s: float = 0.0) -> None:
        self.urls, self.token, self.player, self.think_s = urls, token, player, think_s
        self.thought: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self._said: dict[str, asyncio.Task[bytes]] = {}
        self._web: aiohttp.ClientSession | None = None

    @property
    def agent(self) -> str:
        """Its full name."""
        return stranger(self.token.partition(".")[0])

    def drop(self) -> None:
        """Break its connections without a word."""
        if self._web is not None and self._web.connector is not None:
            for connection in list(self._web.connector._acquired):
                if connection.transport is not None:
                    connection.transport.abort()

    async def answer(self, request: TurnRequest) -> bytes:
        """Think once about each question, and remember what it was."""
        if request.key not in self._said:
            self._said[request.key] = asyncio.create_task(self._think(request))
        return await asyncio.shield(self._said[request.key])

    async def _think(self, request: TurnRequest) -> bytes:
        self.thought[request.key] += 1
        await asyncio.sleep(self.think_s)
        return encode(a_reply(request, self.player(request), agent=self.agent))

    async def run(self) -> None:
        """Come, and come again, until cancelled."""
        for url in cycle(self.urls):
            head = {"Authorization": f"Bearer {self.token}"}
            async with aiohttp.ClientSession(url, headers=head) as self._web:
                with suppress(aiohttp.ClientError, OSError):
                    await self.sit(self._web)
            await asyncio.sleep(0.02)

    async def sit(self, web: aiohttp.ClientSession) -> None:
        """Answer until the connection breaks."""
        async with web.ws_connect("/v1/agent") as line:
            await line.send_str(encode(AgentHello(key="h", agent=self.agent, concurrency=8)).decode())
            answering: set[asyncio.Task[None]] = set()
            async for frame in line:
                message = frame.json()
                if message["type"] == "turn.request":
                    task = asyncio.create_task(self._say(line, decode(frame.data)))
                    answering.add(task)
                    task.add_done_callback(answering.discard)
                else:
                    self.told[message["code"]] += 1

    async def _say(self, line: aiohttp.ClientWebSocketResponse, request: TurnRequest) -> None:
        answer = await self.answer(request)
        with suppress(ConnectionError):  # the question will come again
            await line.send_str(answer.decode())


class Poller(Sitter):
    """The same by polls."""

    async def sit(self, web: aiohttp.ClientSession) -> None:
        again = 1
        while True:
            async with web.get("/v1/agent/requests", params={"wait": 5, "again": again}) as page:
                page.raise_for_status()
                asked = (await page.json())["requests"]
            again = 0
            await asyncio.gather(*(self._post(web, decode(json.dumps(message))) for message in asked))

    async def _post(self, web: aiohttp.ClientSession, request: TurnRequest) -> None:
        async with web.post("/v1/agent/messages", data=await self.answer(request)) as page:
            self.told[(await page.json())["code"]] += 1
            page.raise_for_status()
