"""The agents of `examples/`, as processes that know nothing but Redis, at the table of a real game."""

import asyncio
import os
import runpy
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.acl import Users
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import episode_log, inbox, outbox
from palaver_deploy.doors.portering import keep_porter
from palaver_gamemasters.engine import Engine, open_engine
from palaver_gamemasters.game import Reply
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.maze.options import MazeOptions
from palaver_gamemasters.rollout import plan
from palaver_protocols.messages import EpisodeStarted, TurnFailure, TurnReply, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello, read_stranger, stranger, vetted
from tests.node import node_binary, with_redis
from tests.redis_server import RedisServer
from tests.support import a_request

EXAMPLES = Path(__file__).parent.parent / "examples"
SUFFIXES = {"python": "py", "node": "mjs"}
LANGUAGES = tuple(SUFFIXES)
PATIENCE_S = 40.0
Command = Callable[..., list[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Where a game is played: the server, the bus, the engine, and the agents' processes."""

    server: RedisServer
    broker: RedisBroker
    engine: Engine
    agents: list[Process]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Return how the agent of a language is started, with the player of mazes or another brain."""

    def words(language: str, brain: Path | None = None) -> list[str]:
        program, player = (EXAMPLES / f"{name}.{SUFFIXES[language]}" for name in ("agent", "maze_brain"))
        if language == "python":
            return [sys.executable, str(program), str(brain or player)]
        return [node_binary(), str(with_redis(tmp_path, program)[0]), str(brain or player)]

    return words


@asynccontextmanager
async def agent(
    server: RedisServer, name: str, token: str, words: Sequence[str], bus: str = "palaver"
) -> AsyncIterator[Process]:
    url = f"redis://{name}:{token}@127.0.0.1:{server.port}/0?bus={bus}"
    process = await asyncio.create_subprocess_exec(
        *words, env=os.environ | {"PALAVER_URL": url}, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def let_in(broker: RedisBroker) -> None:
    """Make the users of all who are known: a server that starts knows none of them."""
    for known in (await Strangers(broker.link).strangers()).values():
        await Users(broker.link).make(known)


@asynccontextmanager
async def a_bus(server: RedisServer) -> AsyncIterator[RedisBroker]:
    async with RedisBroker(server.tcp_url) as broker:
        porter = asyncio.create_task(keep_porter(broker, server.tcp_url))
        try:
            yield broker
        finally:
            porter.cancel()
            await asyncio.gather(porter, return_exceptions=True)


def opening(agents: Sequence[str]) -> EpisodeStarted:
    names = tuple(f"bus/{name}" for name in agents)
    config = RunConfig(run_id="run", game="maze", agents=names, options={"agents": len(names)}, seed=5)
    return plan(MAZE, config).openings[0]


async def turns_of(broker: RedisBroker, start: EpisodeStarted) -> list[TurnTaken]:
    log = await broker.read(episode_log(start.run_id, start.episode_id))
    return [entry for entry in log if isinstance(entry, TurnTaken)]


@asynccontextmanager
async def a_table(command: Command, players: dict[str, str]) -> AsyncIterator[Table]:
    """Seat agents, by name and language, at a table of their own."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(PATIENCE_S))
        server = stack.enter_context(RedisServer(tcp=True))
        broker = await stack.enter_async_context(a_bus(server))
        tokens = {name: await Strangers(broker.link).add(name, ["redis"]) for name in players}
        await let_in(broker)
        processes = [
            await stack.enter_async_context(agent(server, name, tokens[name], command(language)))
            for name, language in players.items()
        ]
        engine = await stack.enter_async_context(open_engine(broker))
        yield Table(server, broker, engine, processes)


@pytest.mark.usefixtures("redis_7")
async def test_both_solve_a_maze_together(command: Command) -> None:
    players = {"py-1": "python", "js-1": "node", "py-2": "python"}
    async with a_table(command, players) as table:
        start = opening(tuple(players))
        end = await table.engine.play(MAZE, start)
        turns = await turns_of(table.broker, start)
    assert end.outcome == "solved", end.error
    assert [turn.reply.agent for turn in turns[:3]] == ["bus/py-1", "bus/js-1", "bus/py-2"]
    assert all(turn.reply.unverified for turn in turns)


@pytest.mark.usefixtures("redis_7")
async def test_a_restart_of_redis_in_mid_game_loses_no_turn(command: Command) -> None:
    players = {"py-1": "python", "js-1": "node"}
    async with a_table(command, players) as table:
        start = opening(tuple(players))
        playing = asyncio.create_task(table.engine.play(MAZE, start))
        while not await turns_of(table.broker, start):  # noqa: ASYNC110 - the log has no event of its own
            await asyncio.sleep(0.005)
        table.server.kill()
        assert not playing.done(), "the game was over before the server went"
        table.server.start()
        await let_in(table.broker)
        end = await playing
        turns = await turns_of(table.broker, start)
    assert end.outcome == "solved", end.error
    assert len({turn.key for turn in turns}) == len(turns)


BRAINS = {
    "py": """
calls = []

def reply(question):
    calls.append(question)
    if question["game"] == "crash":
        raise ValueError("no idea")
    return f"thought {len(calls)}"
""",
    "mjs": """
let calls = 0;

export async function reply(question) {
  calls += 1;
  if (question.game === "crash") throw new Error("no idea");
  return `thought ${calls}`;
}
""",
}


@pytest.mark.usefixtures("redis_7")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_who_is_asked_twice_thinks_once_and_a_crash_is_a_failure(
    command: Command, language: str, tmp_path: Path
) -> None:
    brain = tmp_path / f"brain.{SUFFIXES[language]}"
    brain.write_text(BRAINS[SUFFIXES[language]])
    me = stranger("me")
    questions = [a_request("k1", agent=me), a_request("k1", agent=me), a_request("k2", agent=me, game="crash")]
    with RedisServer(tcp=True) as server:
        async with asyncio.timeout(PATIENCE_S), RedisBroker(f"{server.tcp_url}?bus=other") as broker:
            token = await Strangers(broker.link).add("me", ["redis"])
            await let_in(broker)
            for question in questions:
                await broker.publish(inbox(me), question)
            async with agent(server, "me", token, command(language, brain), bus="other") as process:
                said: list[Any] = []
                while len(said) < 1 + len(questions):
                    entries = await broker.link.call("XRANGE", f"{{other}}:{outbox(me)}", "-", "+")
                    said = [read_stranger(fields[1], me) for _, fields in entries]
                    await asyncio.sleep(0.005)
                process.send_signal(signal.SIGINT)
                out, err = await process.communicate()
    greeting, first, again, failure = said
    assert isinstance(greeting, AgentHello)
    assert isinstance(first, TurnReply)
    assert vetted(first, questions[0], 0.0).key == "k1"
    assert first.text == "thought 1"
    assert again == first
    assert isinstance(failure, TurnFailure)
    assert failure.retryable
    assert "no idea" in failure.message
    assert (process.returncode, out, err) == (0, b"", b"")


@pytest.mark.parametrize("suffix", SUFFIXES.values())
def test_an_agent_has_forty_lines_at_most(suffix: str) -> None:
    lines = (EXAMPLES / f"agent.{suffix}").read_text().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("agents", [2, 5])
def test_copies_of_the_brain_solve_nineteen_of_twenty_mazes(agents: int) -> None:
    reply = runpy.run_path(str(EXAMPLES / "maze_brain.py"))["reply"]
    config = RunConfig(run_id="run", game="maze", agents=("x",), options={"agents": agents}, episodes=20)
    outcomes = [outcome_of(start, reply) for start in plan(MAZE, config).openings]
    assert outcomes.count("solved") >= 19


def outcome_of(start: EpisodeStarted, reply: Callable[[dict[str, Any]], str]) -> str | None:
    options = MazeOptions.model_validate(start.options)
    state = MAZE.start(start.instance, options)
    seats = MAZE.seats(options)
    while (outcome := MAZE.outcome(state)) is None:
        (seat,) = MAZE.pending(state)
        view = [message.model_dump() for message in MAZE.view(state, seat)]
        text = reply({"seat": seat, "partners": [other for other in seats if other != seat], "view": view})
        state = MAZE.apply(state, {seat: Reply.of(text)})
    return outcome
