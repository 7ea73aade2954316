"""Handing runs over: what they may be called, whom they may ask, and what is shown of them."""

import asyncio
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver_broker.board import Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.admitting import turn_out
from palaver_broker.redis.strangers import Strangers
from palaver_deploy import known
from palaver_deploy.way_back import place
from tests.deploy.children import child
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus
from tests.support import NOON, a_request, ask

RUN = ("maze", "-n", "2", "--set", "size=4")
OURS = (*RUN, "--agents", "scripted")
THEIRS = (*RUN, "--agents", "bus/rodi,scripted")


@pytest.fixture
def bus(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> str:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    monkeypatch.setattr(known, "PATIENCE_S", 0.0)
    return url


@pytest.fixture
def safe(redis_server: RedisServer) -> Iterator[str]:
    """A bus that wants a password, which stands in its URL."""
    with RedisServer(requirepass="operator") as server:
        yield f"unix://:operator@{server.socket}"


@pytest.mark.parametrize(
    "run_id", ["a/../../etc", "..", ".", "", "x\x1b[2J", "two words", "-x", "ü", "x" * 101, "a\nb"], ids=ascii
)
@pytest.mark.usefixtures("bus")
def test_what_is_no_plain_name_is_no_name_for_a_run(palaver: Palaver, run_id: str) -> None:
    said = palaver("submit", *OURS, "--run-id", run_id)
    assert said.code == 2
    assert " is no name for a run (take up to 100 letters, digits, " in said.complaint
    assert "\x1b" not in said.complaint
    assert palaver("status", "--json").document["runs"] == []


@pytest.mark.parametrize("run_id", ["night", "a.b_c-1", "x" * 100, "..x"])
@pytest.mark.usefixtures("bus")
def test_a_plain_name_is_kept_whatever_lies_in_the_folder(palaver: Palaver, home: Path, run_id: str) -> None:
    (home / "elsewhere").mkdir()
    (home / run_id).symlink_to("elsewhere")
    said = palaver("submit", *OURS, "--run-id", run_id)
    assert said.out.splitlines() == [
        f"submitted {run_id}: 2 episodes of maze",
        f"watch it: palaver status {run_id}; stop it: palaver cancel {run_id}",
    ]
    assert [run["run_id"] for run in palaver("status", "--json").document["runs"]] == [run_id]


@pytest.mark.parametrize(
    "words",
    [("submit", *THEIRS), ("submit", *THEIRS, "--dry-run"), ("run", *THEIRS), ("run", *THEIRS, "--dry-run")],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_whom_nobody_knows_is_not_asked(palaver: Palaver, home: Path, bus: str, words: tuple[str, ...]) -> None:
    async def let_in() -> None:
        async with RedisBroker(bus) as broker:
            await Strangers(broker.link).add("redi", ["gateway"])

    asyncio.run(let_in())
    said = palaver(*words)
    assert said.code == 2
    assert said.complaint == (
        "this bus knows no agent bus/rodi; it knows bus/redi (let it in: palaver admin add-agent rodi; or serve it: "
        "palaver serve agent --python MODULE:NAME)"
    )
    assert list(home.iterdir()) == [], "no folder is left of a run that was never handed over"


def test_who_was_let_in_or_is_there_is_known(palaver: Palaver, bus: str) -> None:
    async def let_in() -> None:
        async with RedisBroker(bus) as broker:
            await Strangers(broker.link).add("rodi", ["gateway"])
            served = Member("agent", "bus/served", "here", "", 0, "", 1, {"kind": "python"}, NOON, 0)
            await Board(broker.link).beat("agent", served, 60)

    asyncio.run(let_in())
    assert palaver("submit", *RUN, "--agents", "bus/rodi,bus/served").code == 0
    assert palaver("submit", *OURS[:-1], "bus/served@2>bus/nobody").complaint.startswith("this bus knows no agent")


def test_an_agent_that_is_only_just_starting_is_waited_for(
    palaver: Palaver, bus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_and_let_in() -> set[str]:
        looking = asyncio.create_task(known._known(bus, {"bus/rodi"}))
        async with RedisBroker(bus) as broker:
            await Strangers(broker.link).add("rodi", ["gateway"])
        return await looking

    monkeypatch.setattr(known, "PATIENCE_S", 30.0)
    assert asyncio.run(look_and_let_in()) == {"bus/rodi"}


@pytest.mark.parametrize("command", ["submit", "run"])
def test_help_says_that_agents_of_others_come_first(palaver: Palaver, command: str) -> None:
    said = " ".join(palaver(command, "--help").out.split())
    assert "palaver admin add-agent" in said


def test_a_study_with_agents_that_nobody_knows_is_not_begun(palaver: Palaver, home: Path, bus: str) -> None:
    (home / "two.yaml").write_text(
        "game: maze\nset: {size: 4}\nexperiments: {alone: {each: {}, agents: 'bus/rodi,scripted'}}\n"
    )
    assert palaver("run", "two.yaml", "--out", "study").complaint.startswith("this bus knows no agent bus/rodi")
    assert not (home / "study").exists()


@pytest.mark.parametrize("how", ["in the environment", "on the command line"])
async def test_the_way_on_has_no_password_and_works(
    home: Path, safe: str, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("PALAVER_BROKER", safe if how == "in the environment" else "memory://")
    words = () if how == "in the environment" else ("--broker", safe)
    async with child("run", *OURS, "--out", "left", *words, cwd=home) as run:
        assert run.stderr is not None
        assert (await run.stderr.readline()).startswith(b"waiting: ")
        run.send_signal(signal.SIGINT)
        _, said = await run.communicate()
    err = said.decode()
    there = f" --broker {shlex.quote(place(safe))}" if words else ""
    assert f"palaver resume left{there}; or stop them: palaver cancel left{there}\n" in err
    assert "operator" not in err
    assert ":PASSWORD@" in there or not words


def test_a_removed_agent_is_gone_from_the_status(palaver: Palaver, bus: str) -> None:
    async def come_and_go() -> None:
        async with RedisBroker(bus) as broker:
            for name in ("ann", "bob", "cleo"):
                await Strangers(broker.link).add(name, ["gateway"])
                member = Member("agent", f"bus/{name}", "gw", "", 0, "", 1, {"door": "gateway"}, NOON, 0)
                await Board(broker.link).beat("agent", member, 60)
                await Board(broker.link).leave("agent", member)
            await turn_out(broker.link, "ann")
            await turn_out(broker.link, "cleo")
            await ask(broker, a_request("late", agent="bus/cleo"))  # a game that is not over yet

    asyncio.run(come_and_go())
    shown = [agent["agent"] for agent in palaver("status", "--json").document["agents"]]
    assert shown == ["bus/bob", "bus/cleo"], "bob is known, cleo is asked"
    assert "bus/ann" not in palaver("status", "--once").out
