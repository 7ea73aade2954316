"""What every side plays, and what its processes owe the driver.

A side is a set of processes: agents that answer, games that ask, whatever stands between them. Each is a module that
the driver runs with a job; it says when it is ready, games wait for the word and then print what they have seen.
Nothing here needs more than the standard library, as peers run in an environment of their own.
"""

import argparse
import asyncio
import gc
import json
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

TURNS = 20
AGENTS = ("ada", "bob")
SEATS = ("first", "second")
PADDING = "." * 1000

Message = dict[str, Any]
Ask = Callable[[Message], Awaitable[int]]
"""Bring a question to its agent; return the turn that the answer names."""


def question(game: int, turn: int) -> Message:
    """Return the fields of a TurnRequest, with a view that makes it 1 KB."""
    seat = turn % 2
    view = [{"speaker": "user", "parts": [{"type": "text", "text": PADDING[:680]}]}]
    return {
        "version": "1.0", "type": "turn.request", "key": f"{game}/{turn}", "run_id": "bench",
        "episode_id": f"bench-{game:05}", "game": "count-up", "variant": "to-20", "turn": turn, "seat": SEATS[seat],
        "agent": AGENTS[seat], "partners": [SEATS[1 - seat]], "protocol": "prefixes", "sampling": {}, "seed": game,
        "view": view, "timeout_s": 600.0, "attempt": 1,
    }  # fmt: skip


def answer(question: Message) -> Message:
    """Return the fields of a TurnReply, with a text that makes it 1 KB."""
    return {
        "version": "1.0", "type": "turn.reply", "key": question["key"], "run_id": "bench",
        "episode_id": question["episode_id"], "turn": question["turn"], "seat": question["seat"],
        "agent": question["agent"], "parts": [{"type": "text", "text": PADDING[:740]}],
        "provider": "script", "model": "scripted", "finish_reason": "stop", "usage": {}, "latency_s": 0.0,
        "cost_usd": None,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Job:
    """What a process of a side is to do.

    Args:
        role: which of the side's processes it is.
        address: where the others are met: a URL of Redis, or whatever the side talks over.
        games: how many games this process plays at a time.
        think_s: seconds that an agent takes to answer.
        folder: where it may leave files.
    """

    role: str
    address: str
    games: int
    think_s: float
    folder: str

    def arguments(self) -> list[str]:
        """Write the job as the arguments that :func:`read_job` reads."""
        return [
            self.role, "--address", self.address, "--games", str(self.games), "--think", str(self.think_s),
            "--folder", self.folder,
        ]  # fmt: skip


def read_job() -> Job:
    """Read the job from the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("role")
    parser.add_argument("--address", required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--think", type=float, required=True)
    parser.add_argument("--folder", required=True)
    read = parser.parse_args()
    return Job(read.role, read.address, read.games, read.think, read.folder)


def spare_the_collector() -> None:
    """Let the garbage collector run rarely, as ``palaver run`` does; so do all sides."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)


async def word_from_driver() -> None:
    """Say that this process is ready, and wait until the driver lets everybody go."""
    spare_the_collector()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


def report(seen: object) -> None:
    """Hand the driver what this process has seen, one line of JSON."""
    print(json.dumps(seen), flush=True)


async def serve(*work: Coroutine[Any, Any, None]) -> None:
    """Say that this process is ready, and work until the driver ends it."""
    spare_the_collector()
    print("ready", flush=True)
    await work_on(*work)


async def work_on(*work: Coroutine[Any, Any, None]) -> None:
    """Work until the driver ends this process, or is gone."""
    gone = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    done, _ = await asyncio.wait((gone, *map(asyncio.create_task, work)), return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    os._exit(0)  # peers' own ways to stop take seconds, and this process keeps nothing


async def play(games: int, ask: Ask) -> None:
    """Play so many games at a time, once the driver has said so; report how long the turns took."""
    waits: list[float] = []

    async def game(number: int) -> None:
        for turn in range(TURNS):
            asked = perf_counter()
            answered = await ask(question(number, turn))
            waits.append(perf_counter() - asked)
            assert answered == turn, "an answer went astray"

    await word_from_driver()
    started = perf_counter()
    await asyncio.gather(*(game(number) for number in range(games)))
    report(seen(perf_counter() - started, waits))
    await work_on()


def seen(wall_s: float, waits: Sequence[float]) -> dict[str, float]:
    """Return what games have to say: seconds in all, and of a turn the median and the 99th percentile."""
    ordered = sorted(waits)
    return {
        "wall_s": wall_s,
        "turns": len(ordered),
        "p50_s": ordered[len(ordered) // 2],
        "p99_s": ordered[len(ordered) * 99 // 100],
    }
