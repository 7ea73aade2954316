"""The dashboard from the command line: `run --watch`, `view`, `serve dashboard`."""

import asyncio
import re
import signal
from asyncio.subprocess import Process
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from palaver_observability.folder import RunFolder
from palaver_protocols.runs import RunConfig
from tests.deploy.children import child
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus

PATIENCE_S = 30.0
ADDRESS = re.compile(r"(http://[^/\s]+)(/\S*)\?token=(\S+)")


async def address_of(stream: asyncio.StreamReader | None) -> tuple[str, str, dict[str, str]]:
    """Read a stream up to the address of the pages; return where they are, the page, and an operator's header."""
    assert stream is not None
    async with asyncio.timeout(PATIENCE_S):
        while line := await stream.readline():
            if found := ADDRESS.search(line.decode()):
                return found[1], found[2], {"Authorization": f"Bearer {found[3]}"}
    raise AssertionError("it has ended without saying where the pages are")


async def told(session: ClientSession, url: str) -> Any:
    async with session.get(url) as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def end_of(process: Process) -> int:
    async with asyncio.timeout(PATIENCE_S):
        await process.communicate()
    assert process.returncode is not None
    return process.returncode


async def test_a_run_is_watched_while_it_is_played_and_afterwards(home: Path) -> None:
    words = ("run", "maze", "-a", "scripted", "-n", 2, "--set", "size=4", "--watch-at", "127.0.0.1:0", "--watch-stay")
    async with child(*map(str, words), "--out", "out", "-q", cwd=home) as process:
        url, page, operator = await address_of(process.stderr)
        async with ClientSession(headers=operator) as session:
            hello = await told(session, f"{url}/api/hello")
            async with asyncio.timeout(PATIENCE_S):
                while (run := (await told(session, f"{url}/api/runs"))["runs"][0])["state"] != "done":  # noqa: ASYNC110 - of another process
                    await asyncio.sleep(0.02)
            episode = await told(session, f"{url}/api/episode/{run['run']}/maze-pair-00000")
        process.send_signal(signal.SIGINT)
        code = await end_of(process)

    assert (page, hello["source"], hello["can"]["control"]) == ("/", "run", True)
    assert (run["outcomes"], episode["ended"]["outcome"]) == ({"solved": 2}, "solved")
    assert code == 0  # the run's, not that of Ctrl-C, which ended the pages


def test_where_nobody_sits_at_a_terminal_the_pages_end_with_the_run(palaver: Palaver) -> None:
    said = palaver(
        "run", "maze", "-a", "scripted", "-q", "--set", "size=4", "--watch-at", "127.0.0.1:0", "--out", "out"
    )

    assert (said.code, said.err.count("watch it at http://127.0.0.1:")) == (0, 1)
    assert "run folder: out" in said.out


def test_a_run_that_nobody_watches_has_no_pages(palaver: Palaver) -> None:
    assert palaver("run", "maze", "-a", "scripted", "-q", "--set", "size=4", "--out", "out").err == ""


async def test_a_run_that_is_stopped_from_its_pages_ends_as_by_ctrl_c(home: Path) -> None:
    (home / "slow.py").write_text(
        "import asyncio\nasync def reply(turn):\n    await asyncio.sleep(60)\n    return ''\n"
    )
    words = ("run", "maze", "-a", "python/slow:reply", "--watch-at", "127.0.0.1:0", "--out", "out", "-q")
    async with child(*words, cwd=home) as process:
        url, _, operator = await address_of(process.stderr)
        headers = {**operator, "X-Palaver": "1", "Origin": url}
        async with ClientSession(headers=headers) as session:
            (run,) = (await told(session, f"{url}/api/runs"))["runs"]
            for action, state in (("pause", "paused"), ("resume", "open"), ("cancel", "open")):
                async with session.post(f"{url}/api/runs/{run['run']}/{action}", json={}) as response:
                    assert (await response.json())["state"] == state
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            said = (await process.stderr.read()).decode()
        code = await end_of(process)

    assert (code, "Go on with: palaver resume out" in said) == (130, True)


async def test_folders_are_viewed_as_pages(home: Path) -> None:
    RunFolder.create(home / "runs" / "one", RunConfig(run_id="one", game="maze", agents=("scripted",)))._unlock()
    async with child("view", "runs", "--listen", "127.0.0.1:0", cwd=home) as process:
        url, page, operator = await address_of(process.stdout)
        async with ClientSession(headers=operator) as session:
            (run,) = (await told(session, f"{url}/api/runs"))["runs"]
        process.send_signal(signal.SIGINT)
        code = await end_of(process)

    assert (run["run"], page, code) == ("one", "/runs/one", 0)


async def test_of_a_damaged_run_is_said_what_is_wrong_while_the_others_are_shown(home: Path) -> None:
    for name in ("one", "two"):
        RunFolder.create(home / "runs" / name, RunConfig(run_id=name, game="maze", agents=("scripted",)))._unlock()
    (home / "runs" / "one" / "episodes.jsonl").write_text("garbage\n")
    async with child("view", "runs", "--listen", "127.0.0.1:0", cwd=home) as process:
        url, _, operator = await address_of(process.stdout)
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            complaint = (await process.stderr.readline()).decode()
        async with ClientSession(headers=operator) as session:
            shown = (await told(session, f"{url}/api/runs"))["runs"]
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            out, err = await process.communicate()

    assert complaint.startswith("palaver: runs/one/episodes.jsonl")
    assert "two" in {run["run"] for run in shown}
    assert (err, b"episodes.jsonl" in out) == (b"", False)  # it is said once, and not where the address is


async def test_a_run_in_which_people_sit_goes_on_with_its_pages(home: Path) -> None:
    words = ("run", "comma", "-a", "human,scripted", "--set", "puzzle=wire", "-n", "1", "--watch-at", "127.0.0.1:0")
    async with child(*words, "--out", "out", "-q", cwd=home) as process:
        await address_of(process.stderr)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            _, err = await process.communicate()

    assert err.decode().splitlines()[-1].endswith("Go on with: palaver resume out --watch-at 127.0.0.1:0")


def test_the_runs_of_a_study_are_shown_at_one_address(palaver: Palaver) -> None:
    said = palaver(
        *("run", "collaboration-gap", "--set", "models=random", "--only", "solo-full,solo-distributed", "-n", 1),
        *("--watch-at", "127.0.0.1:0", "--out", "study", "-q"),
    )

    assert (said.code, said.err.count("watch it at http://127.0.0.1:")) == (0, 1)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("view", "nowhere"), "nowhere holds no run (give the folder of a run or a study, or one with several)"),
        (("score", "out", "--watch"), "No such option '--watch'. Did you mean '--cache'? (see `palaver score --help`)"),
        (
            ("run", "maze", "-a", "scripted", "--watch-stay"),
            "--watch-stay goes with --watch (see `palaver run --help`)",
        ),
        (
            ("run", "maze", "-a", "scripted", "--watch", "--broker", "redis://localhost"),
            "on a bus, the pages are a service of its own (palaver serve dashboard --broker URL)",
        ),
        (
            ("serve", "dashboard", "--broker", "redis://localhost", "--token", "short"),
            (
                "the dashboard's token has to have 8 letters at least, and no blanks "
                "(leave --token out: a random one is made)"
            ),
        ),
        (
            ("serve", "dashboard", "--broker", "redis://localhost", "--each", "2"),
            "--consent and --each go with --study (see `palaver serve dashboard --help`)",
        ),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(palaver: Palaver, words: tuple[str, ...], complaint: str) -> None:
    said = palaver(*words)

    assert (said.code, said.complaint) == (2, complaint)


async def test_a_bus_is_shown_as_a_service_with_its_heartbeat_and_its_metrics(
    home: Path, redis_server: RedisServer
) -> None:
    bus = fresh_bus(redis_server)
    words = (
        "serve",
        "dashboard",
        "--broker",
        bus,
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        "--state",
        "state",
    )
    async with child(*words, cwd=home) as process:
        url, page, operator = await address_of(process.stdout)
        async with ClientSession(headers=operator) as session:
            hello = await told(session, f"{url}/api/hello")
            async with asyncio.timeout(PATIENCE_S):
                while not (members := (await told(session, f"{url}/api/agents"))["members"]):  # noqa: ASYNC110 - likewise
                    await asyncio.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            log = (await process.stderr.read()).decode()
        code = await end_of(process)

    assert (page, hello["source"], hello["can"]) == ("/", "bus", {"control": True, "seats": True, "boards": True})
    assert {member["kind"] for member in members} >= {"dashboard"}
    assert code == 0
    assert operator["Authorization"].removeprefix("Bearer ") not in log
