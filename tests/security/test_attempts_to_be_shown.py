"""What an agent says in every field where it can say something, as people come to see it: harmless on every surface."""

import asyncio
import json
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from subprocess import PIPE
from typing import Any, NamedTuple

import pytest
import redis.asyncio

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.cli import exit_code
from palaver_gamemasters.maze import GAME as MAZE
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import TurnRequest
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_failure, a_reply

PATIENCE_S = 40.0
EVIL = (
    "\x1b]0;owned\x07\x1b[2J\x1b[31m \x9b31m\x9d0;owned\x9c \x85 \x7f \u202egnp.exe\u2066\u2069\u200f \u2028 \0 \b\b\r "
    '</pre></td><script>alert(1)</script><img src=x onerror=alert(1)> <a href="javascript:alert(1)">here</a> '
    "' onmouseover='alert(1)' {{7*7}} ${7*7} %s %n [bold red]red[/] &lt;script&gt; \\x1b[2J"
)
LINES = EVIL + '\n{"level":"error","event":"forged"}\n2026-01-01 [error] forged\n'


def hostile(request: TurnRequest) -> bytes:
    """Answer with nothing but harm; in one of three episodes, by a failure. In one run, lie about what it cost."""
    if request.run_id == "lies":
        usage = {"input_tokens": 9_999_999, "output_tokens": 9_999_999, "reasoning_tokens": 9_999_999}
        said = MAZE.players()["scripted"](request)
        return encode(a_reply(request, said, usage=usage, cost_usd=999.0, latency_s=1e9, cached=True))
    if request.episode_id.endswith("2"):
        return encode(a_failure(request, code=LINES[:200], message=LINES, retryable=False))
    return encode(a_reply(request, LINES, provider=LINES, model=LINES))


async def sit(socket: Path, bus: str) -> None:
    """Greet and answer as bus/eve until cancelled."""
    hello = {"version": "1.0", "type": "agent.hello", "key": LINES, "agent": "bus/eve"}
    hello |= dict.fromkeys(("software", "provider", "model"), LINES[:200])
    client: Any
    async with redis.asyncio.Redis(unix_socket_path=str(socket), protocol=2, socket_timeout=None) as client:
        last: Any = "0-0"
        await client.xadd(f"{{{bus}}}:out:bus/eve", {"m": json.dumps(hello)})
        while True:
            for _, entries in await client.xread({f"{{{bus}}}:in:bus/eve": last}, block=200):
                for id_, fields in entries:
                    last = id_
                    for said in (LINES.encode(), b'{"key":"' + EVIL.encode() + b'"}', hostile(decode(fields[b"m"]))):
                        await client.xadd(f"{{{bus}}}:out:bus/eve", {"m": said})


class Shown(NamedTuple):
    """What came of a run in which eve had every seat: ``said`` by command, ``log`` of the game master, the folder."""

    said: dict[str, str]
    log: str
    folder: Path


COMMANDS: dict[str, tuple[str, ...]] = {
    "view": ("view", "run", "--text"),
    "view of a failure": ("view", "run", "maze-pair-00002"),
    "view, brief": ("view", "run", "--brief"),
    "status": ("status", "--broker", "URL"),
    "status of the run": ("status", "run", "--broker", "URL"),
    "status for programs": ("status", "--broker", "URL", "--json"),
    "list of agents": ("admin", "list-agents", "--broker", "URL"),
    "list of agents for programs": ("admin", "list-agents", "--broker", "URL", "--json"),
    "score": ("score", "run"),
    "audit": ("audit", "run"),
    "transcribe": ("transcribe", "run"),
    "report": ("report", "run"),
    "replay": ("replay", "run"),
}


def palaver(*words: str) -> str:
    """Run a command; return all that it prints."""
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        exit_code(words)
    return said.getvalue()


@contextmanager
def a_gamemaster(url: str, home: Path) -> Iterator[list[str]]:
    """Serve as a game master in a process of its own; what it logs is in the list when it has ended."""
    words = ("serve", "gamemaster", "--broker", url, "--log-level", "debug", "--http", "127.0.0.1:0")
    logged: list[str] = []
    with subprocess.Popen([sys.executable, "-m", "palaver_deploy", *words], cwd=home, stderr=PIPE) as process:
        assert process.stderr is not None
        reading = threading.Thread(target=lambda: logged.append(process.stderr.read().decode()))  # type: ignore[union-attr]
        reading.start()
        try:
            yield logged
        finally:
            process.terminate()
            process.wait(PATIENCE_S)
            reading.join(PATIENCE_S)


@contextmanager
def eve_sitting(url: str, server: RedisServer) -> Iterator[None]:
    async def work() -> None:
        async with RedisBroker(url) as broker:
            await Strangers(broker.link).add("eve", ["redis"])
        sitting = asyncio.create_task(sit(server.socket, url.rpartition("=")[2]))
        here.append((asyncio.get_running_loop(), sitting))
        ready.set()
        with suppress(asyncio.CancelledError):
            await sitting

    here: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    ready = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(work()))
    thread.start()
    assert ready.wait(PATIENCE_S)
    try:
        yield
    finally:
        here[0][0].call_soon_threadsafe(here[0][1].cancel)
        thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def shown(redis_server: RedisServer, redis_7: None, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    home = tmp_path_factory.mktemp("evil")
    url = fresh_bus(redis_server)
    with chdir(home), pytest.MonkeyPatch.context() as patch:
        patch.setenv("PALAVER_STATE", str(home / "state"))
        with eve_sitting(url, redis_server), a_gamemaster(url, home) as logged:
            words = ("run", "maze", "-a", "bus/eve", "--broker", url)
            said = {"run": palaver(*words, "-n", "3", "--out", "run", "--tries", "1")}
            lies = ("-n", "2", "--out", "lies", "--budget-tokens", "100", "--budget-usd", "0.01")
            said["lies"] = palaver(*words, *lies)
            for name, command in COMMANDS.items():
                said[name] = palaver(*(url if word == "URL" else word for word in command))
        return Shown(said, logged[0], home)


def dangerous(text: str) -> list[str]:
    """Return what steers a terminal or turns text round: control characters but for new lines and tabs, overrides."""
    allowed = "\n\t"
    bidi = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
    return sorted(
        {
            repr(each)
            for each in text
            if (unicodedata.category(each) == "Cc" and each not in allowed) or ord(each) in bidi
        }
    )


@pytest.mark.parametrize("command", ["run", *COMMANDS])
def test_a_command_prints_nothing_that_steers_a_terminal(shown: Shown, command: str) -> None:
    said = shown.said[command]
    assert said
    assert "Traceback" not in said
    assert dangerous(said) == []


def test_the_words_were_there_to_be_shown(shown: Shown) -> None:
    """Else the others would show nothing."""
    assert "alert(1)" in shown.said["view"]
    assert "owned" in shown.said["view of a failure"]


def test_the_game_master_logs_one_json_object_a_line(shown: Shown) -> None:
    lines = shown.log.splitlines()
    assert len(lines) > 5
    assert dangerous(shown.log) == []
    assert not [line for line in lines if json.loads(line).get("event") == "forged"]
    assert any("refused" in line for line in lines), "what it says besides is counted"


def test_a_lie_about_tokens_and_dollars_ends_no_run_for_its_budget(shown: Shown) -> None:
    lines = (shown.folder / "lies" / "episodes.jsonl").read_text().splitlines()
    assert [json.loads(line)["outcome"] for line in lines] == ["solved", "solved"], shown.said["lies"]


PAGES: dict[str, Callable[[Path], list[Path]]] = {
    "transcripts": lambda home: sorted((home / "run" / "pages").glob("*.html")),
    "report": lambda home: sorted(page for page in (home / "run").glob("*.html")),
}


@pytest.mark.parametrize("which", PAGES)
def test_a_page_runs_nothing_of_what_was_said(shown: Shown, which: str) -> None:
    pages = PAGES[which](shown.folder)
    assert pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert dangerous(text) == []
        for wrong in ("<script>alert", "<img src=x", 'href="javascript:', "' onmouseover='alert", "</pre></td><script"):
            assert wrong not in text, page


def test_files_of_the_run_are_one_json_object_a_line(shown: Shown) -> None:
    files = sorted((shown.folder / "run").rglob("*.jsonl"))
    assert len(files) > 3
    for file in files:
        for line in file.read_bytes().split(b"\n")[:-1]:
            assert json.loads(line).get("event") != "forged"
    assert {file.parent.name for file in files} <= {"run", "transcripts"}


ATTEMPTS = {
    **{f"steer the terminal of `palaver {name}`": "" for name in ("run", *COMMANDS)},
    **{f"run a script in the pages of {name}": "" for name in PAGES},
    "forge a line of the game master's log": "",
    "forge a line of a run's files": "",
    "use up a run's budget by lies": "",
}
