"""Agents, game masters and recorders as processes of their own, as a user starts them."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from PIL import Image as Pillow

from palaver_broker.redis import Board, RedisBroker
from palaver_deploy import fleet
from palaver_deploy.way_back import place
from palaver_gamemasters.registry import game_names
from palaver_gamemasters.rollout import Plan
from palaver_observability.folder import RunFolder
from palaver_observability.recorder import Recorder
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import Wire
from tests.deploy.children import child, lines, logs
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus
from tests.support import until

AGENT = ("agent", "--agent", "scripted")
RUN = ("maze", "--agents", "scripted", "-n", "6", "--seed", "3")


@pytest.fixture
def bus(redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = fresh_bus(redis_server)
    monkeypatch.setenv("PALAVER_BROKER", url)
    monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
    return url


class Service:
    """A service that has said where its pages are."""

    def __init__(self, process: Process, url: str) -> None:
        self.process = process
        self.url = url

    async def page(self, name: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as web, web.get(f"{self.url}/{name}") as page:
            return page.status, await page.text()

    async def until_ready(self) -> None:
        while (await self.page("readyz"))[0] != 200:  # noqa: ASYNC110 - as those poll it who start it
            await asyncio.sleep(0.01)

    async def stop(self) -> int:
        """Ask it to end; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.process.wait()


@asynccontextmanager
async def served(*words: str, cwd: Path) -> AsyncIterator[Service]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "palaver_deploy", "serve", *words, cwd=cwd, stdout=PIPE, stderr=PIPE
    )
    assert process.stderr is not None
    reading: asyncio.Task[None] | None = None
    try:
        said = json.loads(await process.stderr.readline())
        reading = asyncio.create_task(_drain(process.stderr))
        yield Service(process, said["http"])
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        if reading is not None:
            await reading


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass


@asynccontextmanager
async def a_fleet(home: Path, *more: tuple[str, ...]) -> AsyncIterator[list[Service]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(served(*words, cwd=home)) for words in (AGENT, ("gamemaster",), *more)]


async def said_by(process: Process) -> tuple[int, str, str]:
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def status(home: Path, *words: str) -> dict[str, Any]:
    async with child("status", *words, "--json", cwd=home) as process:
        code, out, err = await said_by(process)
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def played(folder: Path) -> dict[str, Any]:
    """Return what episodes came to and all that was said in them, times and places left out."""
    records = {line["episode_id"]: line for line in lines(folder / "episodes.jsonl")}
    assert len(records) == len(lines(folder / "episodes.jsonl")), "an episode is written twice"
    said = {
        file.stem: [
            (entry["key"], entry["prompts"], entry["reply"]["parts"])
            for entry in lines(file)
            if entry["type"] == "turn.taken"
        ]
        for file in logs(folder)
    }
    return {id_: (record["outcome"], record["scores"], record["turns"], said[id_]) for id_, record in records.items()}


async def test_a_fleet_plays_what_one_process_would(bus: str, home: Path) -> None:
    async with child("run", *RUN, "--out", "one/same", "--broker", "memory://", cwd=home) as alone:
        assert (await said_by(alone))[0] == 0
    async with a_fleet(home, ("gamemaster",)) as services:
        async with child("run", *RUN, "--out", "many/same", cwd=home) as together:
            code, out, err = await said_by(together)
        assert (code, "run folder: many/same" in out) == (0, True), err
        assert "6/6 episodes (6 solved)" in err
        found = await status(home)
        assert [run["state"] for run in found["runs"]] == ["done"]
        assert [agent["agent"] for agent in found["agents"]] == ["scripted"]
        assert found["agents"][0]["replicas"][0]["about"]["games"] == game_names()
        assert len(found["gamemasters"]) == 2
        for service in services:
            assert await service.page("healthz") == (200, "ok")
            assert await service.page("readyz") == (200, "ready")
            assert "palaver_build_info" in (await service.page("metrics"))[1]
        assert 'palaver_llm_calls_total{model="scripted"' in (await services[0].page("metrics"))[1]
        assert [await service.stop() for service in services] == [0, 0, 0]
    assert played(home / "many/same") == played(home / "one/same")


async def test_pictures_reach_the_run_folder_over_the_bus(bus: str, home: Path) -> None:
    words = ("run", "comma", "--agents", "scripted", "-n", "10", "-q")
    async with child(*words, "--out", "one/same", "--broker", "memory://", cwd=home) as alone:
        assert (await said_by(alone))[0] == 0
    async with a_fleet(home), child(*words, "--out", "many/same", cwd=home) as together:
        code, _, err = await said_by(together)
    assert code == 0, err
    assert played(home / "many/same") == played(home / "one/same")
    one, many = (
        {file.name: file.read_bytes() for file in (home / name / "same/blobs").iterdir()} for name in ("one", "many")
    )
    assert len(one) > 10
    assert many == one


async def test_a_team_and_a_relay_with_frozen_turns_are_played_by_a_fleet_as_by_one_process(
    bus: str, home: Path
) -> None:
    def words(folder: str) -> tuple[str, ...]:
        agents = "scripted/rc@2>team(lead=scripted,members=scripted),scripted"
        words = ("run", "maze", "--agents", agents, "-n", "3", "--handoff", "summary")
        return (*words, "--prefix", "base@2", "--out", f"{folder}/same", "-q")

    base = ("run", "maze", "--agents", "scripted/rc,scripted", "-n", "3", "--out", "base", "--broker", "memory://")
    for command in (base, (*words("one"), "--broker", "memory://")):
        async with child(*command, cwd=home) as alone:
            assert (await said_by(alone))[0] == 0
    async with a_fleet(home), served(*AGENT[:2], "scripted/rc", cwd=home):
        async with child(*words("many"), cwd=home) as together:
            code, _, err = await said_by(together)
    assert code == 0, err
    assert played(home / "many/same") == played(home / "one/same")
    records = lines(home / "many/same" / "episodes.jsonl")
    assert {record["frozen"] for record in records} == {2}
    assert all(record["asides"] > 0 for record in records)


async def test_a_run_waits_for_who_is_missing_and_can_be_left_and_taken_up(bus: str, home: Path) -> None:
    async with child("run", *RUN, "--out", "left", cwd=home) as run:
        assert run.stderr is not None
        waiting = await run.stderr.readline()
        assert waiting == b"waiting: no game master; agent scripted is absent\n"
        run.send_signal(signal.SIGINT)
        code, _, err = await said_by(run)
    assert code == 130
    assert "the services play on" in err
    assert "palaver resume left; or stop them: palaver cancel left\n" in err, "the bus is in the environment"
    async with a_fleet(home):
        async with child("resume", "left", cwd=home) as resumed:
            code, _, err = await said_by(resumed)
    assert (code, "6/6 episodes (6 solved)" in err) == (0, True), err


async def test_a_submitted_run_is_recorded_cancelled_and_taken_up_again(bus: str, home: Path) -> None:
    words = ("submit", *RUN, "--run-id", "night")
    async with child(*words, cwd=home) as submit:
        code, out, _ = await said_by(submit)
        assert (code, "submitted night: 6 episodes of maze" in out) == (0, True)
    async with child("cancel", "night", cwd=home) as cancel:
        assert "cancelled: night" in (await said_by(cancel))[1]
    async with a_fleet(home, ("recorder", "--out", "recorded")):
        assert (await status(home, "night"))["runs"][0]["state"] == "cancelled"
        async with child(*words, cwd=home) as again:
            assert (await said_by(again))[0] == 0
        await until((home / "recorded/night/summary.json").exists)
        run = (await status(home, "night"))["runs"][0]
        assert (run["state"], run["archived"], run["outcomes"]) == ("done", 6, {"solved": 6})
    assert len(played(home / "recorded/night")) == 6


async def test_a_run_is_not_submitted_again_with_other_instances(bus: str, palaver: Palaver) -> None:
    words = ("submit", *RUN, "--run-id", "night")
    assert (await asyncio.to_thread(palaver, *words)).code == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan, "instances_sha256", "of what has changed meanwhile")
        changed = await asyncio.to_thread(palaver, *words)
    same = await asyncio.to_thread(palaver, *words)

    assert changed.code == 2
    assert "the instances of maze are not those that night was planned with" in changed.complaint
    assert same.code == 0


async def test_a_run_on_a_bus_is_taken_up_with_the_instances_that_it_was_planned_with(
    bus: str, palaver: Palaver
) -> None:
    assert (await asyncio.to_thread(palaver, "run", *RUN, "--broker", "memory://", "-q", "--out", "night")).code == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan, "instances_sha256", "of what has changed meanwhile")
        changed = await asyncio.to_thread(palaver, "resume", "night", "--broker", bus, "-q")

    assert "the instances of maze are not those that night was planned with" in changed.complaint


@pytest.mark.timeout(120)  # its own bound is in it, and its fleet must come up first
async def test_whoever_is_asked_to_stop_does_not_wait_for_a_bus_that_is_away(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
    with RedisServer() as server:
        monkeypatch.setenv("PALAVER_BROKER", server.url)
        async with a_fleet(home, ("recorder", "--out", "recorded")) as services:
            async with child("submit", *RUN, cwd=home) as submit:
                assert (await said_by(submit))[0] == 0
            for service in services:
                await service.until_ready()
            server.kill()
            async with asyncio.timeout(40):
                assert await asyncio.gather(*(service.stop() for service in services)) == [0, 0, 0]


async def test_a_service_may_be_stopped_while_it_waits_for_its_bus(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALAVER_BROKER", "redis://127.0.0.1:1")
    async with served("gamemaster", cwd=home) as service:
        assert await service.page("readyz") == (503, "the bus cannot be reached")
        assert await service.stop() == 0


class TestFrozenTurns:
    """Runs that begin with the first two turns of another, and have not been played yet."""

    AGENTS = "scripted/rc@2>scripted,scripted"
    GAME = ("maze", "-n", "3", "--set", "size=4")
    RELAY = (*GAME, "--agents", AGENTS, "--prefix", "base@2")

    @pytest.fixture(autouse=True)
    def base(self, bus: str, palaver: Palaver) -> None:
        words = ("--agents", "scripted/rc,scripted", "--out", "base", "--broker", "memory://", "-q")
        assert palaver("run", *self.GAME, *words).code == 0

    def on(self, url: str) -> tuple[str, dict[str, list[str]]]:
        """Return the state of the run x, and the keys of what its logs hold."""

        async def look() -> tuple[str, dict[str, list[str]]]:
            async with RedisBroker(url) as broker:
                (run,) = await Board(broker.link).status("x")
                head = broker.link.prefix.encode()
                logs = [name.removeprefix(head).decode() for name in await broker.link.call("KEYS", head + b"log:x/*")]
                return run.state, {log: [entry.key for entry in await broker.read(log)] for log in sorted(logs)}

        return asyncio.run(look())

    def killed_at_the_second_log(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Killed(RedisBroker):
            async def restore(self, log: str, entries: Sequence[Wire], *, again: bool = False) -> None:
                if restored:
                    raise BrokerError("killed")
                restored.append(log)
                await super().restore(log, entries, again=again)

        restored: list[str] = []
        monkeypatch.setattr(fleet, "RedisBroker", Killed)

    def test_they_are_on_the_bus_before_the_run_can_be_played(self, palaver: Palaver, bus: str) -> None:
        assert palaver("submit", *self.RELAY, "--run-id", "x").code == 0
        state, logs = self.on(bus)
        assert state == "open"
        assert [len(keys) for keys in logs.values()] == [3, 3, 3]

    @pytest.mark.parametrize("words", [("submit", "--run-id", "x"), ("run", "-q", "--out", "x")], ids=lambda w: w[0])
    def test_a_run_whose_name_is_taken_leaves_the_other_as_it_is(
        self, palaver: Palaver, bus: str, words: tuple[str, ...]
    ) -> None:
        assert palaver("submit", *self.GAME, "--agents", "scripted", "--run-id", "x").code == 0
        said = palaver(words[0], *self.RELAY, *words[1:])
        assert (said.code, said.complaint[:31]) == (2, "there is another run called x (")
        assert self.on(bus) == ("open", {})

    @pytest.mark.parametrize("words", [("submit", "--run-id", "x"), ("run", "-q", "--out", "x")], ids=lambda w: w[0])
    def test_a_run_that_was_killed_on_its_way_to_the_bus_is_submitted_again(
        self, palaver: Palaver, bus: str, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
    ) -> None:
        with monkeypatch.context() as patch:
            self.killed_at_the_second_log(patch)
            assert palaver(words[0], *self.RELAY, *words[1:]).complaint == "killed"
        state, logs = self.on(bus)
        assert (state, len(logs)) == ("loading", 1)
        if words[0] == "run":
            monkeypatch.setattr(Recorder, "record", self.nothing_to_record)
            again = palaver("resume", "x", "-q")
        else:
            again = palaver(words[0], *self.RELAY, *words[1:])
        assert again.code == 0, again.err
        state, logs = self.on(bus)
        assert (state, [len(keys) for keys in logs.values()]) == ("open", [3, 3, 3])

    @staticmethod
    async def nothing_to_record(*_: object) -> None:
        pass

    def test_their_pictures_come_along(self, palaver: Palaver, home: Path, bus: str) -> None:
        file = BytesIO()
        Pillow.new("RGB", (4, 4), "red").save(file, "PNG")
        picture = Image.from_bytes(file.getvalue())
        (transcript, *_) = logs(home / "base")
        entries = lines(transcript)
        entries[1]["reply"]["parts"].append(picture.model_dump())
        transcript.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
        words = ("submit", *self.RELAY, "--run-id", "x")
        said = palaver(*words)
        assert (said.code, f"there is no blob {picture.sha256} in " in said.complaint) == (1, True)

        asyncio.run(RunFolder.open(home / "base").blobs.put(file.getvalue()))
        assert palaver(*words).code == 0

        async def shown() -> bytes:
            async with RedisBroker(bus) as broker:
                return await broker.blobs.get(picture.sha256)

        assert asyncio.run(shown()) == file.getvalue()


class TestRefusals:
    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch, bus: str) -> None:
        monkeypatch.setattr(fleet, "PATIENCE_S", 1.0)

    def test_another_run_of_the_same_name(self, palaver: Palaver) -> None:
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        assert palaver("submit", *RUN, "--run-id", "x", "--concurrency", "3").code == 0
        said = palaver("submit", *RUN, "--run-id", "x", "--set", "size=8")
        assert (said.code, said.complaint[:31]) == (2, "there is another run called x (")

    @pytest.mark.parametrize("words", [("status", "nowhere"), ("cancel", "nowhere"), ("pause", "nowhere")])
    def test_a_run_that_nobody_knows(self, palaver: Palaver, words: tuple[str, ...]) -> None:
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        said = palaver(*words)
        assert (said.code, said.complaint) == (2, "the bus knows no run 'nowhere' (the latest are: x)")

    def test_a_run_is_paused_and_goes_on(self, palaver: Palaver) -> None:
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        assert palaver("pause", "x").out == "paused: x; let it go on with: palaver pause x --go-on\n"
        assert palaver("status", "x", "--json").document["runs"][0]["state"] == "paused"
        assert palaver("pause", "x", "--go-on").out == "x goes on\n"
        assert palaver("status", "x", "--json").document["runs"][0]["state"] == "open"

    def test_a_cancelled_run_is_not_paused(self, palaver: Palaver) -> None:
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        assert palaver("cancel", "x").code == 0
        said = palaver("pause", "x")
        assert (said.code, said.complaint) == (2, "x cannot be paused: it is cancelled (see `palaver status`)")

    def test_a_forgotten_run_leaves_nothing(self, palaver: Palaver) -> None:
        assert palaver("submit", *RUN, "--run-id", "x").code == 0
        assert "forgotten: x" in palaver("cancel", "x", "--forget").out
        assert palaver("status", "--json").document["runs"] == []

    def test_a_run_on_a_bus_is_not_taken_up_elsewhere_by_mistake(
        self, palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert palaver("run", *RUN, "--out", "there", "--broker", "memory://").code == 0
        (home / "there" / fleet.MARK).write_text("redis://far:6379\n")
        monkeypatch.delenv("PALAVER_BROKER")
        said = palaver("resume", "there")
        assert (said.code, "was handed to the bus at redis://far:6379" in said.complaint) == (2, True)
        assert palaver("resume", "there", "--broker", "memory://").code == 0

    def test_a_wrong_password(self, palaver: Palaver, redis_server: RedisServer) -> None:
        said = palaver("status", "--broker", redis_server.url.replace("unix://", "unix://:wrong@"))
        assert said.code == 1
        assert "has no password" in said.complaint
        assert "wrong" not in said.complaint


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://me:secret@host:1/0?bus=b", "redis://me:PASSWORD@host:1/0?bus=b"),
        ("rediss://:s%40cret@[::1]:1", "rediss://:PASSWORD@[::1]:1"),
        ("unix://:secret@/run/redis.sock?db=2", "unix://:PASSWORD@/run/redis.sock?db=2"),
        ("redis+sentinel://:secret@a:1,b:2/main/0", "redis+sentinel://:PASSWORD@a:1,b:2/main/0"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ("redis://host", "redis://host"),
    ],
)
def test_the_password_of_a_bus_is_shown_nowhere(url: str, shown: str) -> None:
    assert place(url) == shown
