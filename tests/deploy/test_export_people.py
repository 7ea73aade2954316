"""`palaver export --to people`: what people said, and that they had agreed."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.conftest import Palaver
from tests.deploy.exported_runs import a_log, a_run, end, said, usual_run

AGREED = {
    "pseudonym": "mild-otter-7",
    "consented": "2026-01-01T11:00:00Z",
    "consent_sha256": "c" * 64,
    "study": "mazes",
}


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def run(home: Path) -> Path:
    """A run in which two people have played, one of whom has agreed, and a third has agreed only."""
    run = usual_run(home / "run")
    agreed = [{**AGREED, "study": "older"}, AGREED, {**AGREED, "pseudonym": "shy-newt-1"}]
    (run / "people.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in agreed))
    return run


def test_an_answer_of_a_person_is_a_line_with_what_became_of_the_episode(palaver: Palaver, run: Path) -> None:
    palaver("export", "run", "--to", "people", "--out", "out")
    first, second = lines("out/turns.jsonl")
    assert first == {
        "pseudonym": "mild-otter-7",
        "run_id": "run",
        "episode_id": "toy-0",
        "game": "toy",
        "variant": "plain",
        "instance_id": "toy-0",
        "seat": "finder",
        "turn": 1,
        "n": 3,
        "kind": "turn",
        "asked": "2026-01-01T12:00:18+00:00",
        "answered": "2026-01-01T12:00:20+00:00",
        "latency_s": 2.0,
        "text": "Right.",
        "outcome": "solved",
        "scores": {"success": 1.0, "speed": 0.5},
        "consent": {"consented": "2026-01-01T11:00:00Z", "consent_sha256": "c" * 64, "study": "mazes"},
    }
    assert (second["pseudonym"], second["outcome"], second["consent"]) == ("brave-wren-2", "failed", None)


def test_consents_of_those_who_played_go_along_and_missing_ones_are_told(palaver: Palaver, run: Path) -> None:
    out = palaver("export", "run", "--to", "people", "--out", "out").out
    assert lines("out/people.jsonl") == [AGREED]
    assert out.splitlines()[:2] == [
        "2 turns, 2 pseudonyms, 1 consent",
        "1 of them without a consent in people.jsonl",
    ]


def test_a_run_that_no_person_has_played_gives_nothing(palaver: Palaver, home: Path) -> None:
    a_run(home / "run", [a_log("run", "toy-0", said(0, "guide", "Hm."), end(success=1.0))])
    complaint = palaver("export", "run", "--to", "people").complaint
    assert complaint.startswith("no person has said anything in these runs")
    assert not Path("run/exports/people").exists()


@pytest.mark.parametrize(
    "line", ["{}", "nonsense", '{"pseudonym": "x", "consented": "yesterday", "consent_sha256": "c"}']
)
def test_a_damaged_consent_is_named(palaver: Palaver, run: Path, line: str) -> None:
    (run / "people.jsonl").write_text(f"{line}\n")
    complaint = palaver("export", "run", "--to", "people").complaint
    assert "people.jsonl, line 1 is damaged" in complaint
