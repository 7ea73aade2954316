"""`palaver score`: a run scored again, from its transcripts."""

import json
from pathlib import Path

import pytest

from palaver_gamemasters.maze import GAME
from tests.deploy.children import lines, logs
from tests.deploy.conftest import Palaver

EPISODES = Path("run", "episodes.jsonl")


@pytest.fixture(autouse=True)
def run(palaver: Palaver) -> None:
    """A run of two episodes."""
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 2, "-q", "--out", "run")


def test_a_run_scored_again_comes_to_the_same(palaver: Palaver) -> None:
    before = EPISODES.read_bytes(), Path("run", "summary.json").read_bytes()

    said = palaver("score", "run")

    assert (said.code, said.err) == (0, "")
    assert "2 solved" in said.out
    assert (EPISODES.read_bytes(), Path("run", "summary.json").read_bytes()) == before


def test_records_that_were_tampered_with_are_mended(palaver: Palaver) -> None:
    before = EPISODES.read_bytes()
    EPISODES.write_bytes(before.replace(b'"solved"', b'"failed"').replace(b'"success":1.0', b'"success":0.0'))

    assert palaver("score", "run", "--json").document["outcomes"] == {"solved": 2}
    assert EPISODES.read_bytes() == before


def test_the_rules_of_today_count(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "outcome", lambda self, state: "failed" if not self.pending(state) else None)
    monkeypatch.setattr(type(GAME), "score", lambda self, state: {"success": 0.25})

    said = palaver("score", "run", "--json").document

    assert said["outcomes"] == {"failed": 2}
    assert {record["scores"]["success"] for record in lines(EPISODES)} == {0.25}


def test_what_is_not_over_by_the_rules_of_today_is_named(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    before = EPISODES.read_bytes()
    monkeypatch.setattr(type(GAME), "outcome", lambda self, state: None)

    said = palaver("score", "run")

    assert said.code == 2
    assert "is not over by the rules of today" in said.complaint
    assert EPISODES.read_bytes() == before


def test_errors_stay_errors(palaver: Palaver) -> None:
    first, second = lines(EPISODES)
    first |= {"outcome": "error", "error": "the network"}
    EPISODES.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")

    said = palaver("score", "run", "--json")

    assert (said.code, said.document["outcomes"]) == (1, {"error": 1, "solved": 1})
    assert "1 of 2 episodes ended with errors, the first: the network" in said.err


def test_a_transcript_that_is_gone_is_named(palaver: Palaver) -> None:
    logs(Path("run"))[0].unlink()

    said = palaver("score", "run")

    assert (said.code, said.complaint) == (2, "maze-solo-full-00000 cannot be scored: it has no transcript")
