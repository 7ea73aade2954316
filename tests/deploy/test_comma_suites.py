"""The suites that come along for COMMA: the benchmark, the study, and what is printed of ten puzzles."""

import json
from collections.abc import Sequence
from pathlib import Path

from palaver_deploy.studies import cells_of
from palaver_deploy.suites import packaged_suites, read_suite
from tests.deploy.conftest import Palaver

TEN = ["wire", "telehealth", "who", "led", "memory", "keypad", "password", "color", "maze", "atm"]


def test_the_benchmark_is_set_as_the_paper_says(palaver: Palaver) -> None:
    facts = palaver("run", "comma-benchmark", "-a", "openai/gpt-4o", "--dry-run", "--json").document
    assert (facts["game"], facts["episodes"], facts["protocol"]) == ("comma", 1000, "transcript")
    assert facts["sampling"] == {"temperature": 0.0}
    assert {name: facts["options"][name] for name in ("puzzle", "turns", "mistakes", "memory", "experts")} == {
        "puzzle": "all",
        "turns": 10,
        "mistakes": 3,
        "memory": "full",
        "experts": 1,
    }


def test_reasoning_models_can_have_the_papers_temperature(palaver: Palaver) -> None:
    words = ("-a", "openai/o4-mini", "--temperature", 0.6, "--dry-run", "--json")
    assert palaver("run", "comma-benchmark", *words).document["sampling"] == {"temperature": 0.6}


def cells(only: Sequence[str] = ()) -> list[tuple[str, str]]:
    words = read_suite(packaged_suites()["comma-study"])
    study = cells_of("comma-study", words, {"models": "scripted,random"}, only=only)
    return [(cell.id, cell.agents) for cell in study.cells]


def test_the_study_plays_both_orders_no_memory_and_one_random_baseline() -> None:
    assert cells() == [
        ("homogeneous/scripted", "scripted"),
        ("homogeneous/random", "random"),
        ("heterogeneous/scripted/random", "scripted,random"),
        ("heterogeneous/random/scripted", "random,scripted"),
        ("no-memory/scripted", "scripted"),
        ("no-memory/random", "random"),
        ("random", "random"),
    ]


def test_the_divided_manual_is_played_when_it_is_named() -> None:
    found = dict(cells(["text", "alone", "split", "split-team"]))
    assert [cell for cell in found if cell.endswith("/scripted")] == [
        "text/scripted",
        "alone/scripted",
        "split/scripted",
        "split-team/scripted",
    ]
    team = "team(lead=scripted,members=scripted+scripted+scripted,show=split)"
    assert found["split-team/scripted"] == f"scripted,{team}"


def test_ten_puzzles_are_printed_side_by_side_and_summed_up(palaver: Palaver) -> None:
    said = palaver("run", "comma", "-a", "random", "-n", 20, "-q", "--out", "run")

    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "comma: random, random"
    assert lines[1].split() == [*TEN, "overall"]
    assert max(map(len, lines)) <= 100
    summary = json.loads(Path("run", "summary.json").read_text())
    assert [row["variant"] for row in summary["rows"]] == TEN
    (overall,) = summary["overall"]
    assert (overall["variant"], overall["n"]) == ("overall", 20)
    mean = sum(row["scores"]["mistakes"]["mean"] for row in summary["rows"]) / 10
    assert abs(overall["scores"]["mistakes"]["mean"] - mean) < 1e-9


def test_one_puzzle_alone_has_no_sum(palaver: Palaver) -> None:
    document = palaver(
        "run", "comma", "-a", "random", "-n", 3, "--set", "puzzle=wire", "-q", "--out", "run", "--json"
    ).document
    assert len(document["rows"]) == 1
    assert document["overall"] == []


def test_a_small_study_is_reported_with_the_papers_tables(palaver: Palaver) -> None:
    played = palaver(
        *("run", "comma-study", "--set", "models=random", "--only", "homogeneous,random,no-memory", "-n", 20),
        *("-q", "--out", "study"),
    )
    assert played.code == 0
    parts = palaver("report", "study", "--json").document["parts"]
    assert {"variants", "allowed", "privacy", "conciseness", "errors", "changes", "published"} <= set(parts)
    page = Path("study", "report.html").read_text()
    for text in ("random (memory none)", "random, published", "human + gpt-4o, published", "69.01"):
        assert text in page
