"""Frozen prefixes: continuations that begin with the very same turns."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.children import lines
from tests.deploy.conftest import Palaver

BASE = ("run", "maze", "--agents", "scripted/rc,scripted/chess", "-n", "3", "-q", "--set", "size=4", "--out", "base")


def turns(folder: str) -> dict[str, list[dict[str, Any]]]:
    files = sorted(Path(folder, "transcripts").glob("*.jsonl"))
    return {file.stem: [line for line in lines(file) if line["type"] == "turn.taken"] for file in files}


def relay(palaver: Palaver, k: int, out: str) -> dict[str, list[dict[str, Any]]]:
    agents = f"scripted/rc@{k}>scripted/words,scripted/chess"
    said = palaver("run", "maze", "-a", agents, "-n", 3, "-q", "--set", "size=4", "--prefix", f"base@{k}", "--out", out)
    assert (said.code, said.err) == (0, "")
    return turns(out)


def test_every_continuation_begins_with_the_very_turns_that_were_said_once(palaver: Palaver) -> None:
    palaver(*BASE)
    base = turns("base")

    for k in (2, 4):
        for episode, taken in relay(palaver, k, f"k{k}").items():
            frozen = taken[:k]
            assert [turn["reply"] for turn in frozen] == [turn["reply"] for turn in base[episode][:k]]
            assert {turn["copied_from"] for turn in frozen} == {f"base/{episode}"}
            assert all(turn["copied_from"] is None for turn in taken[k:])
            assert {turn["reply"]["agent"] for turn in taken[k:] if turn["reply"]["seat"] == "agent_1"} <= {
                "scripted/words"
            }


def test_continuations_of_the_same_turns_have_the_same_digest_and_do_not_pay_for_them(palaver: Palaver) -> None:
    palaver(*BASE)
    for out in ("one", "two"):
        relay(palaver, 4, out)
    one, two = ({line["episode_id"]: line for line in lines(Path(out, "episodes.jsonl"))} for out in ("one", "two"))

    assert {record["frozen"] for record in one.values()} == {4}
    digests = [{name: record["prefix_sha256"] for name, record in run.items()} for run in (one, two)]
    assert digests[0] == digests[1]
    assert len(set(digests[0].values())) == 3
    assert all(record["turns"] > record["frozen"] for record in one.values())


def test_a_dialogue_that_was_over_by_then_is_continued_by_nobody(palaver: Palaver) -> None:
    palaver(*BASE)
    longest = max(len(taken) for taken in turns("base").values())
    assert {name: len(taken) for name, taken in relay(palaver, longest, "late").items()} == {
        name: len(taken) for name, taken in turns("base").items()
    }


def test_a_run_that_is_killed_before_its_first_turn_begins_with_the_prefix_when_it_is_resumed(palaver: Palaver) -> None:
    palaver(*BASE)
    whole = relay(palaver, 2, "whole")
    for file in Path("whole", "transcripts").iterdir():
        file.unlink()
    Path("whole", "episodes.jsonl").unlink()
    assert palaver("resume", "whole", "-q").code == 0
    again = turns("whole")
    assert {name: [turn["reply"]["parts"] for turn in taken] for name, taken in again.items()} == {
        name: [turn["reply"]["parts"] for turn in taken] for name, taken in whole.items()
    }


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--prefix", "base@60"), ""),
        (("--prefix", "base"), "the prefix 'base' is no DIR@K (write, for example, --prefix runs/base@4)"),
        (("--prefix", "base@0"), "the prefix 'base@0' is no DIR@K"),
        (("--prefix", "none@2"), "is no run folder"),
        (("--prefix", "base@2", "--seed", "1"), "the run base has no 4x4-"),
        (("--prefix", "base@2", "--set", "max_turns=9"), "is played otherwise in base"),
        (("--prefix", "base@2", "-n", "4"), "the run base has no 4x4-"),
        (
            ("--prefix", "base@2", "-a", "scripted/words,scripted/chess"),
            "turn 0 of base was spoken by scripted/rc at agent_1, where scripted/words would sit by now",
        ),
        (
            ("--prefix", "base@6", "-a", "scripted/rc@2>scripted/words,scripted/chess"),
            "turn 2 of base was spoken by scripted/rc at agent_1, where scripted/words would sit by now",
        ),
    ],
)
def test_what_cannot_be_continued_is_named(palaver: Palaver, words: tuple[str, ...], complaint: str) -> None:
    palaver(*BASE)
    agents = "scripted/rc,scripted/chess"
    words = ("run", "maze", "-a", agents, "-n", "3", "-q", "--set", "size=4", "--out", "next", *words)
    said = palaver(*words)
    if complaint:
        assert said.code == 2
        assert complaint in said.complaint
    else:
        assert said.code == 0


def test_turns_that_were_never_played_cannot_be_frozen(palaver: Palaver) -> None:
    palaver(*BASE)
    (first, *_) = sorted(Path("base", "transcripts").iterdir())
    kept = first.read_text().splitlines()[:2]
    first.write_text("\n".join(kept) + "\n")
    said = palaver(
        *(
            "run",
            "maze",
            "-a",
            "scripted/rc,scripted/chess",
            "-n",
            "3",
            "-q",
            "--set",
            "size=4",
            "--prefix",
            "base@2",
            "--out",
            "next",
        )
    )
    assert said.code == 2
    assert "has 1 turns, 2 are to be frozen (play it first: palaver resume" in said.complaint
    assert json.loads(kept[0])["type"] == "episode.started"


@pytest.mark.parametrize(("k", "which"), [(99, "all 3"), (0, "1 of 3")])
def test_it_is_said_that_dialogues_are_frozen_to_their_end(palaver: Palaver, k: int, which: str) -> None:
    palaver(*BASE)
    lengths = sorted(len(taken) for taken in turns("base").values())
    assert lengths[0] < lengths[1]
    k = k or lengths[0]

    said = palaver(*BASE[:-2], "--prefix", f"base@{k}", "--out", "late")
    loud = palaver(*(word for word in BASE[:-2] if word != "-q"), "--prefix", f"base@{k}", "--out", "loud")

    assert (said.code, said.err, loud.code) == (0, "", 0)
    assert f"palaver: {which} episodes of base were over within {k} turns, the longest of them after " in loud.err
