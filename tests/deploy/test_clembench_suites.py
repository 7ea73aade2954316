"""The suites that come along for clembench, studies of several games, and what is printed of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from palaver_deploy.leaderboard import boards
from palaver_deploy.studies import Cell, Study, cells_of, read_study
from palaver_deploy.suites import packaged_suites, read_suite
from palaver_protocols.errors import UsageError
from tests.deploy.conftest import Palaver
from tests.observability.report.dialogues import PUBLISHED, a_dialogue

EPISODES = {
    "matchit": 60,
    "multimodal_referencegame": 390,
    "mm_mapworld": 50,
    "mm_mapworld_graphs": 30,
    "mm_mapworld_specificroom": 30,
    "matchit_ascii": 40,
    "referencegame": 180,
    "textmapworld": 50,
    "textmapworld_graphreasoning": 30,
    "textmapworld_specificroom": 30,
}
"""As many as the study has played of each game (sections 4.1 to 4.3; its textual twins have as many experiments)."""
MULTIMODAL, TEXTUAL = list(EPISODES)[:5], list(EPISODES)[5:]


def cells(suite: str, only: Sequence[str] = (), models: str = "a/one,b/two") -> tuple[Study, list[Cell]]:
    study = cells_of(suite, read_suite(packaged_suites()[suite]), {"models": models}, only=only)
    return study, list(study.cells)


@pytest.mark.parametrize(
    ("suite", "games"),
    [("clembench", MULTIMODAL + TEXTUAL), ("clembench-multimodal", MULTIMODAL), ("clembench-ascii", TEXTUAL)],
)
def test_a_suite_plays_its_games_in_self_play_as_often_as_the_study(suite: str, games: list[str]) -> None:
    study, found = cells(suite)
    assert [(study.game_of(cell), cell.agents, cell.episodes) for cell in found] == [
        (game, model, EPISODES[game]) for game in games for model in ("a/one", "b/two")
    ]
    assert study.words["sampling"] == {"temperature": 0, "max_tokens": 100}


def test_different_models_play_the_games_of_two_seats_in_both_orders_when_asked() -> None:
    _, found = cells("clembench", ["matchit-pairs", "referencegame-pairs"])
    assert [(cell.game, cell.agents) for cell in found] == [
        ("matchit", "a/one,b/two"),
        ("matchit", "b/two,a/one"),
        ("referencegame", "a/one,b/two"),
        ("referencegame", "b/two,a/one"),
    ]


def test_suites_are_listed_with_all_of_their_games(palaver: Palaver) -> None:
    rows = {row["name"]: row for row in palaver("list", "suites", "--json").document}
    assert rows["clembench-ascii"]["game"] == ", ".join(TEXTUAL)
    assert rows["collaboration-gap"]["game"] == "maze"
    assert rows["comma-benchmark"]["game"] == "comma"


TWO: dict[str, Any] = {
    "episodes": 4,
    "params": {"models": None},
    "experiments": {
        "grids": {"game": "matchit_ascii", "each": {"model": "models"}, "agents": "{model}"},
        "mazes": {"game": "maze", "each": {"model": "models"}, "agents": "{model}", "set": {"size": 4}, "episodes": 2},
    },
}


@pytest.fixture
def two(home: Path) -> Path:
    file = home / "two.yaml"
    file.write_text(yaml.safe_dump(TWO, sort_keys=False))
    return file


def test_experiments_play_their_own_games_and_are_told_apart(palaver: Palaver, two: Path) -> None:
    said = palaver("run", two, "--set", "models=random", "--out", "st", "--quiet")
    assert said.code == 0, said.err
    head, *lines = said.out.splitlines()
    assert head.split()[:6] == ["experiment", "n", "%", "played", "primary", "score"]
    shown = [["grids", "random", "4", "100.00"], ["mazes", "random", "2", "-"]]
    assert [line.split()[:4] for line in lines[:2]] == shown
    assert next(line for line in lines if line.startswith("textual")).split()[:5] == [
        "textual",
        "random",
        "1",
        "of",
        "5",
    ]
    study = read_study(Path("st"))
    assert [study.game_of(cell) for cell in study.cells] == ["matchit_ascii", "maze"]


def test_such_a_study_is_taken_up_again_and_reported(palaver: Palaver, two: Path) -> None:
    palaver("run", two, "--set", "models=random", "--out", "st", "--quiet", "--only", "grids")
    assert palaver("run", two, "--set", "models=random", "--out", "st", "--quiet").code == 0
    again = palaver("resume", "st", "--json", "--quiet").document
    assert [(cell["cell"], cell["n"]) for cell in again["cells"]] == [("grids/random", 4), ("mazes/random", 2)]
    [board] = again["clemscore"]
    assert (board["agents"], board["board"], list(board["games"])) == ("random", "textual", ["matchit_ascii"])
    report = palaver("report", "st", "--json").document
    assert {"clemscore", "experiments"} <= set(report["parts"])


def test_it_can_be_tried_dry(palaver: Palaver, two: Path) -> None:
    facts = palaver("run", two, "--set", "models=openai/gpt-4o", "--dry-run", "--json").document
    assert [(cell["cell"], cell["episodes"]) for cell in facts["cells"]] == [
        ("grids/openai/gpt-4o", 4),
        ("mazes/openai/gpt-4o", 2),
    ]


def test_no_more_is_played_of_a_file_than_it_holds(palaver: Palaver, two: Path, home: Path) -> None:
    words = {
        **TWO,
        "experiments": {"grids": {**TWO["experiments"]["grids"], "set": {"instances": str(home / "own.json")}}},
    }
    two.write_text(yaml.safe_dump(words))
    made = palaver("run", "matchit_ascii", "-a", "random", "-n", "1", "--out", "one", "--quiet")
    assert made.code == 0
    [line] = Path("one/transcripts").glob("*.jsonl")
    started = json.loads(line.read_text().splitlines()[0])["instance"]
    own = {"experiments": [{**started["experiment"], "game_instances": [started["instance"]]}]}
    (home / "own.json").write_text(json.dumps(own))
    facts = palaver("run", two, "--set", "models=random", "--dry-run", "--json").document
    assert [cell["episodes"] for cell in facts["cells"]] == [1]


def test_an_experiment_without_a_game_is_named() -> None:
    words = {**TWO, "experiments": {**TWO["experiments"], "lost": {"each": {}, "agents": "random"}}}
    with pytest.raises(UsageError, match="the study two: lost names no game"):
        cells_of("two", words, {"models": "random"})


def test_an_option_that_one_of_the_games_does_not_have_is_named(palaver: Palaver, two: Path) -> None:
    said = palaver("run", two, "--set", "models=random", "--set", "questions=1", "--out", "st")
    assert said.code == 2
    assert said.complaint.startswith("maze has no option 'questions'")


def test_a_run_says_its_clemscore_below_its_table(palaver: Palaver) -> None:
    said = palaver("run", "matchit_ascii", "-a", "scripted", "-n", "4", "--out", "one", "--quiet")
    assert "same_grid" in said.out
    [line] = [line for line in said.out.splitlines() if "clemscore" in line]
    assert line.startswith("% played 100.00 [51.0, 100.0], quality ")
    assert "clemscore (of this game alone) " in line


def test_a_run_tells_programs_its_clemscore_and_pools_episodes(palaver: Palaver) -> None:
    said = palaver("run", "matchit_ascii", "-a", "random", "-n", "5", "--out", "one", "--quiet", "--json").document
    [own] = said["clemscore"]
    assert own["agents"] == "random"
    assert own["% Played"] == 100.0
    [row] = said["overall"]
    assert own["Quality Score"] == pytest.approx(row["scores"]["Main Score"]["mean"], abs=0.005)
    written = json.loads(Path("one/summary.json").read_text())["overall"]
    assert written == said["overall"]


def test_games_without_such_measures_say_nothing_of_them(palaver: Palaver) -> None:
    said = palaver("run", "maze", "-a", "scripted", "--set", "size=4", "--out", "one", "--quiet", "--json").document
    assert "clemscore" not in said


def test_a_board_is_ranked_and_names_the_games_that_are_there() -> None:
    records = [
        a_dialogue("show", "same", 0, 0.0, ("x/weak",)),
        a_dialogue("show", "same", 0, 100.0, ("x/strong",)),
        a_dialogue("walk", "small", 0, 50.0, ("x/strong",)),
        a_dialogue("tell", "same", 0, 50.0, ("x/weak",)),
    ]
    found = boards(records, PUBLISHED["show"])
    assert [(one.board, one.standing.name, one.games, one.of) for one in found] == [
        ("pictures", "x/strong", ("show", "walk"), 2),
        ("pictures", "x/weak", ("show",), 2),
        ("text", "x/weak", ("tell",), 1),
    ]
    assert found[0].plain["clemscore"] == 75.0
    assert [one.board for one in boards(records, {})] == ["all", "all"]
