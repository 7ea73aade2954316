"""A run that is killed or stopped, and taken up again: nothing lost, nothing twice, nothing asked again."""

import os
import signal
from asyncio import run as in_a_loop
from asyncio import to_thread
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.maze.game import MazeGame
from palaver_observability.folder import RunFolder
from tests.agents.providers.openai_server import OpenAIServer, error_answer
from tests.deploy.children import Oracle, asked, child, lines, logs, taken, until_taken
from tests.deploy.conftest import Palaver

LITTLE_ROOM = ("sh", "-c", 'ulimit -f 16 && exec "$@"', "sh")
"""No file may grow beyond 16 blocks: what a full disk looks like from within."""

SAME = ("episode_id", "instance_id", "seed", "seats", "outcome", "scores", "turns", "usage")
"""What of a record does not depend on the hour."""


def story(folder: Path) -> dict[str, Any]:
    """Return all that a run came to, without times: records and turns by episode; each exactly once, or it fails."""
    records = lines(folder / "episodes.jsonl")
    turns = taken(folder)
    assert len({record["episode_id"] for record in records}) == len(records)
    for replies in turns.values():
        assert [reply["turn"] for reply in replies] == list(range(len(replies)))
    said = {name: [(each["key"], each["seat"], each["parts"]) for each in replies] for name, replies in turns.items()}
    return {each["episode_id"]: ([each[name] for name in SAME], said[each["episode_id"]]) for each in records}


async def test_killed_again_and_again_a_run_comes_to_the_same_as_one_undisturbed(home: Path, palaver: Palaver) -> None:
    words = ("maze", "--agents", "scripted", "-n", "20", "-c", "6", "--set", "size=4", "-q", "--out")
    for folder in ("calm", "rough"):
        (home / folder).mkdir()
    assert (await to_thread(palaver, "run", *words, "calm/run")).code == 0

    for kill_at, command in ((30, ("run", *words)), (70, ("resume",))):
        async with child(*command, "rough/run", cwd=home) as process:
            await until_taken(home / "rough" / "run", kill_at, process)
            process.send_signal(signal.SIGKILL)
            assert await process.wait() == -signal.SIGKILL
    assert (await to_thread(palaver, "resume", "rough/run", "-q")).code == 0

    assert len(story(home / "rough" / "run")) == 20
    assert story(home / "rough" / "run") == story(home / "calm" / "run")


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
async def test_no_answered_question_is_asked_again(home: Path, palaver: Palaver, signum: signal.Signals) -> None:
    oracle = Oracle(patience=20)
    async with asked(oracle) as agent:
        words = ("maze", "--agents", agent, "-n", "8", "-c", "4", "--set", "max_turns=6", "-q", "--out", "run")
        async with child("run", *words, cwd=home) as process:
            await until_taken(home / "run", 20, process)
            await oracle.waited_for.wait()
            process.send_signal(signum)
            out, err = await process.communicate()
        assert out == b""
        if signum == signal.SIGKILL:
            assert process.returncode == -signal.SIGKILL
        else:
            assert process.returncode == 128 + signum
            assert err.decode() == (
                "palaver: stopped; nothing that was answered is lost. Go on with: palaver resume run\n"
            )
        assert {reply["key"] for replies in taken(home / "run").values() for reply in replies} == set(oracle.answered)

        oracle.open.set()
        assert (await to_thread(palaver, "resume", "run", "-q")).code == 0

    assert len(story(home / "run")) == 8
    assert list(oracle.answered.values()) == [1] * 8 * 6


async def test_what_ended_with_an_error_is_played_again_from_where_it_stood(home: Path, palaver: Palaver) -> None:
    oracle = Oracle()
    async with OpenAIServer(otherwise=oracle) as server:
        server.will(oracle, oracle, oracle, error_answer(500, "out of order"))
        agent = f"openai/test-model@{server.base_url}"
        words = ("maze", "--agents", agent, "-n", "2", "-c", "1", "--set", "max_turns=6", "--tries", "1", "-q")
        said = await to_thread(palaver, "run", *words, "--out", "run")
        assert (said.code, said.err.count("\n")) == (1, 1)
        assert "1 error" in said.out
        assert said.err == (
            f"palaver: 1 of 2 episodes ended with errors, the first: {agent}: out of order "
            "(status 500) (they count in no score; play them again with: palaver resume run)\n"
        )

        said = await to_thread(palaver, "resume", "run", "-q")

    assert (said.code, said.err) == (0, "")
    assert len(story(home / "run")) == 2
    assert list(oracle.answered.values()) == [1] * 12


async def test_a_full_disk_is_one_line_and_costs_nothing_that_was_answered(home: Path, palaver: Palaver) -> None:
    oracle = Oracle()
    async with asked(oracle) as agent:
        words = ("maze", "--agents", agent, "-n", "2", "-c", "1", "--set", "max_turns=20", "-q", "--out", "run")
        async with child("run", *words, cwd=home, under=LITTLE_ROOM) as process:
            out, err = await process.communicate()
        assert (process.returncode, out) == (1, b"")
        assert err.decode() == (
            "palaver: cannot write run/transcripts/maze-pair-00000.jsonl: File too large "
            "(see to the disk, then take the run up with palaver resume)\n"
        )
        before = taken(home / "run")

        assert (await to_thread(palaver, "resume", "run", "-q")).code == 0

    assert len(story(home / "run")) == 2
    known = [reply["key"] for replies in before.values() for reply in replies]
    assert known
    assert {oracle.answered[key] for key in known} == {1}


# -- folders that cannot be taken up


@pytest.fixture
def run(palaver: Palaver) -> Path:
    """A run of three episodes of two turns each, finished."""
    assert (
        palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 3, "-q", "--out", "run").code == 0
    )
    return Path("run")


def test_a_finished_run_is_left_as_it_is(palaver: Palaver, run: Path) -> None:
    before = story(run), (run / "config.yaml").read_bytes()

    said = palaver("resume", run, "-q", "--json")

    assert (said.code, said.document["outcomes"]) == (0, {"solved": 3})
    assert (story(run), (run / "config.yaml").read_bytes()) == before


def test_a_line_that_a_crash_has_torn_is_no_damage(palaver: Palaver, run: Path) -> None:
    before = story(run)
    for file in (logs(run)[1], run / "episodes.jsonl"):
        file.write_bytes(file.read_bytes()[:-7])

    assert palaver("resume", run, "-q").code == 0
    assert story(run) == before


def test_a_folder_without_a_run_is_refused(palaver: Palaver, home: Path) -> None:
    for command in (("resume",), ("score",), ("view", "--text")):
        said = palaver(*command, home)
        assert (said.code, said.complaint) == (
            2,
            f"{home} is no run folder: it has no config.yaml (give a run's folder)",
        )


@pytest.mark.parametrize("config", ["run_id: [", "", "run_id: x", "[1]"])
@pytest.mark.parametrize("command", ["resume", "score", "view"])
def test_a_damaged_config_is_named(palaver: Palaver, run: Path, command: str, config: str) -> None:
    (run / "config.yaml").write_text(config)

    said = palaver(command, run)

    assert said.code == 2
    assert said.complaint.startswith("run/config.yaml is malformed: ")


def damage(file: Path, number: int, line: bytes | None) -> None:
    """Replace a line (counted from 0), or take it out."""
    found = file.read_bytes().splitlines(keepends=True)
    found[number : number + 1] = [] if line is None else [line + b"\n"]
    file.write_bytes(b"".join(found))


def test_a_damaged_transcript_is_named(palaver: Palaver, run: Path) -> None:
    (run / "episodes.jsonl").unlink()
    damage(logs(run)[1], 1, b"{}")

    said = palaver("resume", run)

    assert said.code == 2
    assert said.complaint.startswith("run/transcripts/maze-solo-full-00001.jsonl, line 2 is damaged: ")
    assert said.complaint.endswith("(delete the file to play the episode anew)")


def test_a_transcript_that_makes_no_episode_is_named(palaver: Palaver, run: Path) -> None:
    (run / "episodes.jsonl").unlink()
    damage(logs(run)[1], 3, None)  # its end
    damage(logs(run)[1], 1, None)  # its first turn

    said = palaver("resume", run, "-q")

    assert said.code == 2
    assert said.complaint == (
        "the transcript of maze-solo-full-00001 in run makes no episode: nobody asked seat 'agent_1' for turn 1 "
        "(delete run/transcripts/maze-solo-full-00001.jsonl to play it anew)"
    )


def test_a_transcript_of_another_instance_is_named(palaver: Palaver, run: Path) -> None:
    damage(logs(run)[1], 3, None)
    damage(logs(run)[1], 0, logs(run)[0].read_bytes().splitlines()[0])
    (run / "episodes.jsonl").unlink()

    said = palaver("resume", run, "-q")

    assert said.code == 2
    assert said.complaint.startswith("maze-solo-full-00001 was begun on another instance than 6x6-d30-s0-00001 (")


def test_a_run_that_is_being_written_is_left_alone(palaver: Palaver, run: Path) -> None:
    other = RunFolder.open(run)
    other.lock()
    for words in (("resume", run), ("score", run)):
        said = palaver(*words)
        assert (said.code, said.complaint) == (
            2,
            f"run is being written by another palaver (pid {os.getpid()}) (wait for it, or stop it)",
        )
    in_a_loop(other.aclose())


def test_a_run_is_resumed_from_what_its_config_says(palaver: Palaver, run: Path) -> None:
    before = story(run)
    (run / "episodes.jsonl").unlink()
    for log in logs(run)[1:]:
        log.unlink()

    assert palaver("resume", run, "-q").code == 0
    assert story(run) == before


def test_a_key_is_needed_only_where_somebody_is_to_be_asked(palaver: Palaver, run: Path) -> None:
    config = run / "config.yaml"
    config.write_text(config.read_text().replace("- optimal", "- openai/gpt-4.1"))
    assert palaver("resume", run, "-q").code == 0

    (run / "episodes.jsonl").unlink()
    logs(run)[0].unlink()
    said = palaver("resume", run, "-q")

    assert (said.code, said.complaint) == (
        2,
        "openai/gpt-4.1 needs a key (set OPENAI_API_KEY or put it into .env)",
    )


async def test_a_spent_budget_ends_a_run_cleanly_and_a_larger_one_takes_it_up(home: Path, palaver: Palaver) -> None:
    oracle = Oracle()
    async with asked(oracle) as agent:
        words = ("maze", "--agents", agent, "-n", "3", "-c", "3", "--set", "max_turns=6", "-q", "--out", "run")
        poor = await to_thread(palaver, "run", *words, "--budget-tokens", "100")
        spent = oracle.answered.total()
        assert poor.code == 0
        assert "the budget is spent: 3 of 3 episodes are unfinished" in poor.err
        assert [record["outcome"] for record in lines(home / "run" / "episodes.jsonl")] == ["budget"] * 3
        rich = await to_thread(palaver, "resume", "run", "-q", "--budget-tokens", "1000000", "--concurrency", "2")
    assert (rich.code, "budget" in rich.err) == (0, False)
    assert 3 <= spent < oracle.answered.total() == 18
    assert max(oracle.answered.values()) == 1, "an answered question was asked again"
    config = (home / "run" / "config.yaml").read_text()
    assert "budget_tokens: 1000000\n" in config
    assert "concurrency: 2\n" in config
    assert "max_turns: 6" in config


async def test_a_run_with_a_cache_is_taken_up_with_it_until_it_is_turned_off(
    home: Path, palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_CACHE", str(home / "cache"))
    oracle = Oracle()
    async with asked(oracle) as agent:
        words = ("run", "maze", "--agents", agent, "-n", "1", "--set", "max_turns=2", "-q", "--out")
        for folder in ("paid", "free", "off"):
            assert (await to_thread(palaver, *words, folder, "--cache")).code == 0
        assert oracle.answered.total() == 2
        for folder in ("free", "off"):
            next((home / folder / "transcripts").iterdir()).unlink()
            (home / folder / "episodes.jsonl").unlink()

        assert (await to_thread(palaver, "resume", "free", "-q")).code == 0
        assert oracle.answered.total() == 2
        assert (await to_thread(palaver, "resume", "off", "--no-cache", "-q")).code == 0
        assert oracle.answered.total() == 4

    assert [RunFolder.open(home / folder).config.cache for folder in ("free", "off")] == [True, False]


def test_the_runs_of_a_study_keep_their_cache(home: Path, palaver: Palaver) -> None:
    (home / "small.yaml").write_text(
        "game: maze\nset: {size: 4, setting: solo-full}\nexperiments:\n  one: {each: {}, agents: optimal}\n"
    )
    palaver("run", "small.yaml", "-n", 1, "--cache", "-q", "--out", "study")
    assert palaver("resume", "study", "-q").code == 0

    run = next((home / "study" / "runs").iterdir())
    assert RunFolder.open(run).config.cache
    palaver("resume", "study", "--no-cache", "-q")
    assert not RunFolder.open(run).config.cache


def test_a_folder_of_before_there_was_a_cache_in_it_is_taken_up(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-q", "--out", "run")
    config = Path("run", "config.yaml")
    config.write_text(config.read_text().replace("cache: false\n", ""))

    assert palaver("resume", "run", "-q").code == 0


@pytest.mark.parametrize("command", [("run", "maze", "-a", "random"), ("submit", "maze", "-a", "random")])
def test_on_a_bus_no_run_has_a_cache(palaver: Palaver, command: tuple[str, ...]) -> None:
    said = palaver(*command, "--cache", "--broker", "redis://127.0.0.1:1")

    assert said.code == 2
    assert said.complaint.startswith("on a bus, the agents keep the cache: palaver serve agent --cache")


def test_a_run_whose_game_raised_before_the_first_turn_is_read_and_played_again(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("no view")

    words = ("maze", "-a", "optimal", "--set", "setting=solo-full", "-n", "2", "-q", "--out", "run")
    with monkeypatch.context() as patch:
        patch.setattr(MazeGame, "view", broken)
        for said in (palaver("run", *words), palaver("resume", "run", "-q")):
            assert said.code == 1
            assert "the first: the game maze (solo-full) raised ZeroDivisionError: no view (at " in said.err
            assert "test_resume.py:" in said.err

    assert palaver("resume", "run", "-q").code == 0
    assert [record["outcome"] for record in lines(Path("run", "episodes.jsonl"))] == ["solved", "solved"]


def test_a_transcript_without_its_beginning_is_named_with_the_mend(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-q", "--out", "run")
    (log,) = Path("run", "transcripts").iterdir()
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[1:-1]))
    Path("run", "episodes.jsonl").unlink()

    said = palaver("resume", "run", "-q")

    assert said.code == 2
    assert f"the transcript of {log.stem} in run makes no episode: " in said.complaint
    assert f"(delete {log} to play it anew)" in said.complaint
