"""`palaver serve agent --python`: a function in a file becomes an agent on a bus, and plays."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaver_agents.journal import AgentJournal
from palaver_broker.redis import RedisBroker
from palaver_protocols.messages import TurnReply
from tests.deploy.children import child, taken
from tests.deploy.conftest import Palaver
from tests.deploy.test_fleet import played, said_by, served
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_request, ask, until

SPEAKERS = """
from palaver_gamemasters.maze.speakers import scripted_player

def speak(turn):
    return scripted_player(turn.request)

class Slow:
    async def speak(self, turn):
        return speak(turn)

slow = Slow()
"""
STUCK = """
import pathlib
import threading

def reply(turn):
    pathlib.Path("begun").touch()
    threading.Event().wait()
"""
PATIENT = """
import os
import pathlib
import time

def reply(turn):
    pathlib.Path("begun").touch()
    while not pathlib.Path("go").exists():
        time.sleep(0.005)
    return os.environ["FROM_DOTENV"]
"""
NOWHERE = "redis://127.0.0.1:1"


@pytest.fixture
def bus(redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
    return url


@pytest.fixture
def modules(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, whose modules are forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield home
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(home):
            del sys.modules[name]


def talk(folder: Path) -> Any:
    """Return how the episodes of a run went: outcomes, scores, and what was said."""
    return {
        id_: (outcome, scores, [parts for _, _, parts in said])
        for id_, (outcome, scores, _, said) in played(folder).items()
    }


async def test_functions_play_a_maze_as_the_script_does_that_they_call(bus: str, home: Path) -> None:
    (home / "my_speakers.py").write_text(SPEAKERS)
    run = ("run", "maze", "-n", "4", "--seed", "3")
    async with child(*run, "--agents", "scripted", "--out", "one/same", "--broker", "memory://", cwd=home) as alone:
        assert (await said_by(alone))[0] == 0
    agents = ("--agents", "bus/my-speakers,bus/slow-one")
    async with (
        served("agent", "--python", "my_speakers:speak", cwd=home) as first,
        served("agent", "--python", "my_speakers:slow.speak", "--name", "slow-one", cwd=home) as second,
        served("gamemaster", cwd=home) as master,
    ):
        async with child(*run, *agents, "--out", "many/same", cwd=home) as together:
            code, _, err = await said_by(together)
        assert (code, "4/4 episodes (4 solved)" in err) == (0, True), err
        metrics = (await first.page("metrics"))[1]
        assert 'palaver_llm_calls_total{model="my_speakers:speak"' in metrics
        assert 'provider="python"' in metrics
        assert [await service.stop() for service in (first, second, master)] == [0, 0, 0]
    assert talk(home / "many/same") == talk(home / "one/same")


async def test_a_function_that_is_at_work_ends_it_before_the_process_does(bus: str, home: Path) -> None:
    (home / "patient.py").write_text(PATIENT)
    (home / ".env").write_text("FROM_DOTENV=from the file\n")
    request = a_request(agent="bus/patient")
    async with RedisBroker(bus) as broker, broker.subscribe(BOX, "test", consumer="test") as answers:
        async with served("agent", "--python", "patient:reply", cwd=home) as service:
            await ask(broker, request)
            await until((home / "begun").exists)
            stopping = asyncio.create_task(service.stop())
            while (await service.page("readyz"))[1] != "shutting down":  # noqa: ASYNC110 - as those poll who stop it
                await asyncio.sleep(0.005)
            (home / "go").touch()
            assert await stopping == 0
        reply = (await anext(answers)).message
    assert isinstance(reply, TurnReply)
    assert (reply.text, reply.model) == ("from the file", "patient:reply")
    journal = AgentJournal.open(home / "state", "bus/patient")
    assert journal.look_up(request.key) is not None
    await journal.aclose()


async def test_a_function_that_never_returns_keeps_no_process(bus: str, home: Path) -> None:
    (home / "stuck.py").write_text(STUCK)
    async with RedisBroker(bus) as broker:
        async with served("agent", "--python", "stuck:reply", "--grace", "0", cwd=home) as service:
            await ask(broker, a_request(agent="bus/stuck"))
            await until((home / "begun").exists)
            async with asyncio.timeout(30):
                assert await service.stop() == 0


class TestWordsThatDoNotFit:
    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            ((), "Missing option '--agent' or '--python'."),
            (("--agent", "scripted", "--python", "mine:reply"), "--agent and --python exclude each other"),
            (("--agent", "scripted", "--name", "anna"), "--name goes with --python"),
            (("--agent", "bus/anna"), "bus/anna answers for itself, and nobody else can (--python MODULE:NAME"),
            (("--python", "mine:reply", "--rpm", "3"), "--rpm, --tpm and --cache are for models of providers"),
            (("--python", "mine:reply", "--cache"), "--rpm, --tpm and --cache are for models of providers"),
            (("--python", "mine:reply", "--name", "Anna"), "'Anna' is no name for an agent on the bus (take 1 to 32"),
            (("--python", "mine:replied"), "mine:replied: there is no 'replied' (did you mean 'reply'?)"),
            (("--python", "yours:reply"), "there is no Python module 'yours', neither in "),
        ],
        ids=lambda value: None,
    )
    def test_one_line_says_which(self, palaver: Palaver, modules: Path, words: tuple[str, ...], complaint: str) -> None:
        (modules / "mine.py").write_text("def reply(turn):\n    return 'hi'\n")
        said = palaver("serve", "agent", *words, "--broker", NOWHERE)
        assert (said.code, complaint in said.complaint) == (2, True), said.err

    def test_help_shows_a_whole_agent(self, palaver: Palaver) -> None:
        said = palaver("serve", "agent", "--help")
        assert "def reply(turn):" in said.out
        assert "--python my_module:reply" in said.out


def test_a_function_plays_without_a_bus_what_the_script_plays(palaver: Palaver, home: Path) -> None:
    (home / "speakers_here.py").write_text(SPEAKERS)
    for agent, folder in (("python/speakers_here:speak", "mine"), ("scripted", "theirs")):
        done = palaver("run", "maze", "--agents", agent, "-n", "2", "--seed", "3", "--out", folder, "-q")
        assert done.code == 0, done.err
    mine, theirs = (
        {name: [reply["parts"] for reply in replies] for name, replies in taken(home / folder).items()}
        for folder in ("mine", "theirs")
    )
    assert len(mine) == 2
    assert mine == theirs


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("python/nowhere:reply", "there is no Python module 'nowhere'"),
        ("python/json:speak", "json:speak: there is no 'speak'"),
        ("python/json", "does not read python/MODULE:NAME"),
    ],
)
def test_a_function_that_is_not_there_is_named_before_a_run(palaver: Palaver, agent: str, complaint: str) -> None:
    done = palaver("run", "maze", "--agents", agent, "-n", "1")
    assert done.code == 2
    assert complaint in done.complaint
