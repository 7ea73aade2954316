"""`palaver view`: the dialogue of an episode."""

from pathlib import Path

import pytest

from tests.deploy.conftest import Palaver


@pytest.fixture(autouse=True)
def run(palaver: Palaver) -> None:
    """A run of two episodes."""
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 2, "-q", "--out", "run")


def test_the_first_episode_is_shown_if_none_is_named(palaver: Palaver) -> None:
    said = palaver("view", "run", "--text")

    assert said.code == 0
    assert said.out.startswith("maze-solo-full-00000  6x6-d30-s0-00000  agent_1: optimal\n")
    assert "[user to agent_1]" in said.out
    assert "solved  success 1" in said.out.splitlines()[-1]


def test_another_one_can_be_named(palaver: Palaver) -> None:
    assert palaver("view", "run", "maze-solo-full-00001").out.startswith("maze-solo-full-00001 ")


def test_a_brief_view_leaves_the_task_out(palaver: Palaver) -> None:
    assert "[user to agent_1]" not in palaver("view", "run", "--brief").out


@pytest.mark.parametrize("episode", ["nope", "../../etc/passwd"])
def test_an_episode_that_is_not_there_is_named(palaver: Palaver, episode: str) -> None:
    said = palaver("view", "run", episode)
    assert (said.code, said.complaint) == (
        2,
        f"run has no episode {episode!r} (it has maze-solo-full-00000 to maze-solo-full-00001)",
    )


def test_a_run_without_transcripts_has_nothing_to_show(palaver: Palaver) -> None:
    for log in Path("run", "transcripts").iterdir():
        log.unlink()
    assert palaver("view", "run", "--text").complaint.startswith("run has no transcripts yet (")


def test_of_several_kinds_the_first_episode_is_the_one_that_was_planned_first(palaver: Palaver) -> None:
    palaver("run", "comma", "-a", "random", "-n", 12, "-q", "--out", "ten")

    assert palaver("view", "ten", "--text").out.startswith("comma-wire-00000 ")


def test_the_beginning_of_a_name_will_do(palaver: Palaver) -> None:
    one, several = palaver("view", "run", "maze-solo-full-00001"[:-1] + "1"), palaver("view", "run", "maze-solo")

    assert (one.err, one.out.split()[0]) == ("", "maze-solo-full-00001")
    assert several.out.startswith("maze-solo-full-00000 ")
    assert several.err == "2 episodes begin with 'maze-solo': this is maze-solo-full-00000\n"


def test_of_a_study_one_of_its_runs_is_named(palaver: Palaver, home: Path) -> None:
    (home / "two.yaml").write_text("game: maze\nset: {size: 4}\nexperiments: {alone: {each: {}, agents: scripted}}\n")
    palaver("run", "two.yaml", "-q", "--out", "study")

    for words in (("view", "study", "--text"), ("handoff", "study", "x", "agent_1", "scripted")):
        said = palaver(*words)
        assert (said.code, said.complaint) == (2, "study is a study (give one of its runs, such as study/runs/alone)")
    frozen = palaver("run", "maze", "-a", "scripted", "--prefix", "study@2")
    run = home / "study" / "runs" / "alone"
    assert frozen.complaint == f"{home / 'study'} is a study (give one of its runs, such as {run})"
