"""The command as a whole: what it imports, how it helps, how it ends."""

import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from palaver_deploy import fleet, words
from palaver_deploy.cli import COMMANDS, exit_code
from palaver_deploy.exits import explain
from palaver_deploy.lazily import LazyGroup
from palaver_protocols import runs
from palaver_protocols.errors import BrokerError, ProtocolError, RunError, UsageError
from tests.deploy.conftest import Palaver

HEAVY = ("aiohttp", "numpy", "openai", "PIL", "prometheus_client", "pydantic", "rich", "yaml")


def process(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-m", "palaver_deploy", *words]
    return subprocess.run(arguments, capture_output="stdout" not in more, text=True, check=False, **more)  # type: ignore[call-overload, no-any-return] # passed on


# -- help


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["bogus"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys; from palaver_deploy.cli import exit_code\n"
        f"exit_code({words!r})\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_help_names_every_command(palaver: Palaver) -> None:
    said = palaver("--help")
    assert said.code == 0
    assert [line.split()[0] for line in said.out.split("Commands:\n")[1].splitlines()[: len(COMMANDS)]] == list(
        COMMANDS
    )
    assert palaver().out == palaver("-h").out == said.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(palaver: Palaver, command: str) -> None:
    said = palaver(command, "--help")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: palaver {command} ")


def test_the_version_is_said(palaver: Palaver) -> None:
    assert palaver("--version").out == f"palaver {version('palaver')}\n"


# -- wrong usage

MISUSED = {
    ("bogus",): "There is no command 'bogus'. (see `palaver --help`)",
    ("resum", "run"): "There is no command 'resum'. Did you mean 'resume'? (see `palaver --help`)",
    ("--jason",): "No such option '--jason'.",
    ("list",): "Missing argument 'games|agents|models|suites'.",
    ("list", "gamez"): "Invalid value for 'games|agents|models|suites': 'gamez' is not one of 'games', 'agents', 'mod",
    ("run",): "Missing argument 'GAME|SUITE'. (see `palaver run --help`)",
    ("resume",): "Missing argument 'DIR'. (see `palaver resume --help`)",
    ("replay",): "Missing argument 'FILE...|-'. (see `palaver replay --help`)",
}


@pytest.mark.parametrize(("words", "why"), MISUSED.items(), ids=map(" ".join, MISUSED))
def test_wrong_usage_is_one_line(palaver: Palaver, words: tuple[str, ...], why: str) -> None:
    said = palaver(*words)
    assert said.code == 2
    assert said.complaint.startswith(why)


# -- how errors leave


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("no such thing", mend="take another"), 2, "no such thing (take another)"),
        (ProtocolError("line 3 is damaged"), 2, "line 3 is damaged"),
        (BrokerError("the bus\nis gone"), 1, "the bus is gone"),
        (RunError("it failed"), 1, "it failed"),
        (OSError(28, "No space left on device", "log.jsonl"), 1, "log.jsonl: No space left on device"),
        (OSError(28, "No space left on device"), 1, "input or output failed: No space left on device"),
        (
            ExceptionGroup("tasks", [ValueError("a bug"), ExceptionGroup("more", [BrokerError("the bus is gone")])]),
            1,
            "the bus is gone",
        ),
    ],
)
def test_errors_are_one_line_with_a_code(
    capsys: pytest.CaptureFixture[str], error: Exception, code: int, line: str
) -> None:
    assert explain(error) == code
    assert capsys.readouterr().err == f"palaver: {line}\n"


def test_a_bug_shows_itself_whole() -> None:
    bug = ExceptionGroup("tasks", [ZeroDivisionError("a bug")])
    with pytest.raises(ExceptionGroup) as raised:
        explain(bug)
    assert raised.value is bug


def test_ctrl_c_before_anything_has_begun(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def slow() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: slow)
    assert palaver("schema").code == 130


@pytest.mark.parametrize("words", [("list", "games"), ("list", "agents", "--json"), ("schema",), ("replay", "-")])
def test_a_reader_who_leaves_is_no_error(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = process(*words, stdout=writing, stderr=subprocess.PIPE, input="{}\n")
    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


def test_a_run_whose_reader_leaves_is_still_a_run(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = process("run", "maze", "-a", "random", "-q", "--out", "run", stdout=writing, stderr=subprocess.PIPE)
    viewed = process("view", "run", "--text", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
    assert (home / "run" / "summary.json").exists()
    assert (viewed.returncode, viewed.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("list", "games"), ("schema",), ("run", "maze", "-a", "random", "-q")])
def test_an_output_that_cannot_be_written_is_one_line(home: Path, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = process(*words, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "palaver: input or output failed: No space left on device\n")


def test_a_terminal_without_unicode_is_no_error(home: Path) -> None:
    done = process("list", "games", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, "")


# -- the small commands


@pytest.mark.parametrize("more", [(), ("--asyncapi",)])
def test_the_schema_is_json(palaver: Palaver, more: tuple[str, ...]) -> None:
    document = json.loads(palaver("schema", *more).out)
    assert document["asyncapi" if more else "$schema"]


SHARED = ("--broker", "redis://127.0.0.1:1")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("serve", "agent", "--agent", "random", "--broker", "memory://"), "nobody else could be reached there"),
        (("serve", "gamemaster", "--broker", "memory://"), "nobody else could be reached there"),
        (("serve", "recorder", "--broker", "memory://"), "nobody else could be reached there"),
        (("submit", "maze", "-a", "scripted", "--broker", "memory://"), "nobody else could be reached there"),
        (("status", "--broker", "memory://"), "nobody else could be reached there"),
        (("cancel", "x", "--broker", "memory://"), "nobody else could be reached there"),
        (("serve", "gamemaster", "--broker", "ftp://localhost"), "there is no bus 'ftp'"),
        (("serve", "gamemaster", "--broker", "mqtt://localhost"), "a bus is not at mqtt://"),
        (("serve", "gamemaster"), "Missing option '--broker'"),
        (("serve", "agent", *SHARED), "Missing option '--agent'"),
        (("serve", "agent", "--agent", "nobody", *SHARED), "there is no agent 'nobody'"),
        (("serve", "agent", "--agent", "scripted/nobody", *SHARED), "no game has a player 'scripted/nobody'"),
        (("serve", "agent", "--agent", "openai/gpt-5", *SHARED), "openai/gpt-5 needs a key"),
        (("serve", "dashbord"), "There is no command 'dashbord'. Did you mean 'dashboard'?"),
        (("submit", "chess", "-a", "scripted", *SHARED), "there is no game and no suite 'chess'"),
        (("submit", "maze", "-a", "scripted/nobody", *SHARED), "maze has no player 'scripted/nobody'"),
        (("serve", "recorder", "--broker", "redis://127.0.0.1:1?bus=a{b"), "'a{b' is no name for a bus"),
        (("serve", "gamemaster", *SHARED, "--http", "nowhere"), "'nowhere' does not read HOST:PORT"),
    ],
)
def test_what_a_service_cannot_do_is_said_before_it_begins(
    palaver: Palaver, words: tuple[str, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PALAVER_BROKER", raising=False)
    said = palaver(*words)
    assert (said.code, said.out) == (2, "")
    assert why in said.complaint


@pytest.mark.parametrize("words", [("status",), ("cancel", "x"), ("submit", "maze", "-a", "scripted")])
def test_a_bus_that_is_not_there_is_one_line(
    palaver: Palaver, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "PATIENCE_S", 0.1)
    said = palaver(*words, *SHARED)
    assert said.code == 1
    assert "there is no redis at 127.0.0.1:1: Connection refused" in said.complaint


def test_exit_codes_are_numbers_for_whoever_calls_us() -> None:
    assert exit_code(["--version"]) == 0


def test_what_may_change_on_the_way_is_the_same_for_the_command_line_and_for_runs() -> None:
    assert set(words.HOW) == set(runs.HOW)
