"""`palaver` as a process of its own, and a model for it to ask that can be made to wait."""

import asyncio
import hashlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.agents.providers.openai_server import OpenAIServer, completion


@asynccontextmanager
async def child(*words: str | Path, cwd: Path, under: Sequence[str] = ()) -> AsyncIterator[Process]:
    """Start a command, under another one if given; end it with the context, if it has not ended by itself."""
    process = await asyncio.create_subprocess_exec(
        *under, sys.executable, "-m", "palaver_deploy", *map(str, words), cwd=cwd, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


class Oracle:
    """Says the same to the same question, counts how often each was answered, and after a while lets all wait.

    Args:
        patience: answers that are given before ``open`` is set.
    """

    def __init__(self, patience: int = sys.maxsize) -> None:
        self.answered: Counter[str] = Counter()
        self.open = asyncio.Event()
        self.waited_for = asyncio.Event()
        self._patience = patience

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        if self.answered.total() >= self._patience and not self.open.is_set():
            self.waited_for.set()
            await self.open.wait()
        self.answered[request.headers["Idempotency-Key"]] += 1
        messages = (await request.json())["messages"]
        digest = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
        return web.json_response(completion(f"I am thinking of {digest[:12]}."))


@asynccontextmanager
async def asked(oracle: Oracle) -> AsyncIterator[str]:
    """Serve an oracle; yield the name of the agent that asks it."""
    async with OpenAIServer(otherwise=oracle) as server:
        yield f"openai/test-model@{server.base_url}"


def taken(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the turns on disk: whole lines only, by episode."""
    return {
        file.stem: [entry["reply"] for entry in lines(file) if entry["type"] == "turn.taken"] for file in logs(folder)
    }


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "transcripts").glob("*.jsonl"))


def lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n")[:-1]]


async def until_taken(folder: Path, turns: int, process: Process) -> None:
    """Wait until so many turns are on disk."""
    while sum(log.read_bytes().count(b'"type":"turn.taken"') for log in logs(folder)) < turns:
        assert process.returncode is None, "the run has ended before it could be stopped"
        await asyncio.sleep(0.005)
