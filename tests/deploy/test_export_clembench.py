"""`palaver export clembench`: a folder of results, as v1.6.5 lays it out."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.folder import RunFolder
from palaver_protocols.messages import TurnTaken
from tests.deploy.conftest import Palaver
from tests.deploy.test_import_clembench import GAMES


def read(file: Path | str) -> Any:
    return json.loads(Path(file).read_text(encoding="utf-8"))


def said(run: Path) -> list[list[str]]:
    opened = RunFolder.open(run)
    logs = map(opened.read_log, opened.episode_ids_with_logs())
    return sorted([entry.reply.text for entry in log if isinstance(entry, TurnTaken)] for log in logs)


@pytest.mark.parametrize("agent", ["scripted", "random"])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_exported_can_be_imported_with_equal_scores_and_words(palaver: Palaver, game: str, agent: str) -> None:
    palaver("run", game, "-a", agent, "-n", 3, "-q", "--out", "run")
    assert palaver("export", "clembench", "run", "--out", "results").code == 0
    document = palaver("import", "clembench", "results", "--out", "again", "-q", "--json").document

    assert {each["status"]: each["why"] for each in document["episodes"]} == {"equal": []}
    assert not any(each["remarks"] for each in document["episodes"])
    again = Path("again")
    assert said(again) == said(Path("run"))
    scores = [
        sorted(map(str, (record.scores for record in RunFolder.open(run).records()))) for run in (again, Path("run"))
    ]
    assert scores[0] == scores[1]


def test_an_episode_has_its_four_files_where_v1_6_5_puts_them(palaver: Palaver) -> None:
    palaver("run", "matchit", "-a", "scripted,random", "-n", 2, "-q", "--out", "run")
    assert palaver("export", "clembench", "run", "--out", "results").out.splitlines() == [
        "2 episodes of matchit",
        "",
        "results of clembench: results",
    ]
    folder = Path("results/scripted-t0.0--random-t0.0/matchit/0_same_image/episode_0")
    assert sorted(file.name for file in folder.iterdir()) == [
        "instance.json",
        "interactions.json",
        "requests.json",
        "scores.json",
    ]
    document = read(folder / "interactions.json")
    assert document["players"] == {
        "GM": "Game master for matchit",
        "Player 1": "Player 1: scripted",
        "Player 2": "Player 2: random",
    }
    asked, answered, noted, *_ = document["turns"][0]
    assert (asked["from"], asked["to"], asked["action"]["type"]) == ("GM", "Player 1", "send message")
    assert (answered["from"], answered["to"], answered["action"]["type"]) == ("Player 1", "GM", "get message")
    assert (noted["from"], noted["to"], noted["action"]["type"]) == ("GM", "GM", "valid format")
    assert read(folder.parent / "experiment_same_image.json")["solution"] == "same image"


def test_requests_hold_what_a_model_was_asked_with_its_pictures_names(palaver: Palaver) -> None:
    palaver("run", "matchit", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    palaver("export", "clembench", "run", "--out", "results")
    folder = Path("results/scripted-t0.0--scripted-t0.0/matchit/0_same_image/episode_0")
    instance, requests = read(folder / "instance.json"), read(folder / "requests.json")

    assert len(requests) == 16
    messages = requests[3]["manipulated_prompt_obj"]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[0]["image"] == [instance["image_a"]]
    assert "image" not in messages[2]
    assert requests[3]["manipulated_prompt_obj"]["temperature"] == 0.0
    answer = requests[3]["raw_response_obj"]["choices"][0]["message"]["content"]
    assert answer.startswith("ANSWER:")


def test_a_player_without_a_model_is_programmatic_and_the_models_folder_is_doubled(palaver: Palaver) -> None:
    palaver("run", "mm_mapworld", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    palaver("export", "clembench", "run", "--out", "results")
    document = read("results/scripted-t0.0--scripted-t0.0/mm_mapworld/0_small/episode_0/interactions.json")
    assert document["players"] == {
        "GM": "Game master for mm_mapworld",
        "Player 1": "Player 1: programmatic",
        "Player 2": "Player 2: scripted",
    }


def test_what_is_not_defined_is_written_as_nan_and_what_was_imported_has_its_own_names(palaver: Palaver) -> None:
    palaver("run", "matchit_ascii", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    palaver("export", "clembench", "run", "--out", "results")
    (file,) = Path("results").rglob("interactions.json")
    file.write_text(file.read_text(encoding="utf-8").replace("DECISION: same grid", "I decide: same"), encoding="utf-8")
    palaver("import", "clembench", "results", "--out", "in", "-q")
    palaver("export", "clembench", "in", "--out", "out")

    scores = read("out/scripted-t0.0--scripted-t0.0/matchit_ascii/0_same_grid/episode_0/scores.json")
    assert math.isnan(scores["episode scores"]["Main Score"])
    assert scores["episode scores"]["Aborted"] == 1.0
    assert "success" not in scores["episode scores"]


def test_instances_and_pictures_can_be_played_again(palaver: Palaver) -> None:
    palaver("run", "matchit", "-a", "scripted", "-n", 6, "-q", "--out", "run")
    palaver("export", "clembench", "run", "--out", "results")
    experiments = read("results/games/matchit/in/instances.json")["experiments"]
    assert [len(each["game_instances"]) for each in experiments] == [1] * 6
    assert palaver("run", "matchit", "-a", "random", "--set", "instances=results", "-q", "--out", "again").code == 0


def test_a_folder_that_is_not_empty_is_left_alone(palaver: Palaver) -> None:
    palaver("run", "matchit_ascii", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    complaint = palaver("export", "clembench", "run", "--out", "run").complaint
    assert complaint == "run is not empty (give a new folder)"


def test_other_games_are_refused(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    complaint = palaver("export", "clembench", "run", "--out", "results").complaint
    assert complaint == "run plays maze, which is no game of clembench"


def test_runs_with_other_instances_under_the_same_number_do_not_mix(palaver: Palaver) -> None:
    for seed in (0, 1):
        palaver("run", "matchit_ascii", "-a", "scripted", "-n", 1, "--seed", seed, "-q", "--out", f"run{seed}")
    complaint = palaver("export", "clembench", "run0", "run1", "--out", "results").complaint
    assert complaint.startswith("run1 has another instance 0 of matchit_ascii, same_grid, than a run before it")


def test_episodes_that_have_not_ended_are_told(palaver: Palaver) -> None:
    palaver("run", "matchit_ascii", "-a", "scripted", "-n", 2, "-q", "--out", "run")
    log = Path("run/transcripts/matchit_ascii-same_grid-00000.jsonl")
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))
    lines = palaver("export", "clembench", "run", "--out", "results").out.splitlines()
    assert lines[:2] == ["1 episode of matchit_ascii", "1 episode left out: not ended"]


def test_teams_and_relays_have_a_name_that_a_folder_can_have(palaver: Palaver) -> None:
    palaver(
        "run",
        "matchit_ascii",
        "-a",
        "team(lead=scripted,members=random),random@3>scripted",
        "-n",
        1,
        "-q",
        "--out",
        "run",
    )
    palaver("export", "clembench", "run", "--out", "results")
    document = palaver("import", "clembench", "results", "--out", "again", "-q", "--json").document
    assert document["counts"]["equal"] == 1
    assert document["runs"][0]["id"] == "team_lead=scripted_members=random-t0.0--random_3_scripted-t0.0/matchit_ascii"


def test_experiments_are_listed_in_the_order_of_the_game_and_of_a_file(palaver: Palaver) -> None:
    palaver("run", "matchit_ascii", "-a", "random", "-n", 8, "-q", "--out", "run")
    palaver("export", "clembench", "run", "--out", "results")
    instances = Path("results/games/matchit_ascii/in/instances.json")
    names = [each["name"] for each in read(instances)["experiments"]]
    folders = sorted(folder.name for folder in Path("results").glob("*--*/matchit_ascii/*"))
    assert names == ["same_grid", "similar_grid_1", "similar_grid_2", "different_grid"]
    assert folders == [f"{number}_{name}" for number, name in enumerate(names)]

    document = read(instances)
    for number, experiment in enumerate(document["experiments"]):
        experiment["name"] = "zyxw"[number]
    Path("own.json").write_text(json.dumps(document))
    palaver("run", "matchit_ascii", "-a", "random", "-q", "--set", "instances=own.json", "--out", "own")
    palaver("export", "clembench", "own", "--out", "theirs")
    listed = read("theirs/games/matchit_ascii/in/instances.json")["experiments"]
    assert [each["name"] for each in listed] == list("zyxw")
    assert listed == document["experiments"]


@pytest.mark.parametrize("there", [True, False])
def test_an_export_that_fails_leaves_nothing_behind(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    palaver("run", "matchit_ascii", "-a", "random", "-n", 4, "-q", "--out", "run")
    palaver("run", "matchit_ascii", "-a", "random", "-n", 4, "-q", "--seed", 1, "--out", "other")
    if there:
        Path("results").mkdir()
    refused = palaver("export", "clembench", "run", "other", "--out", "results")
    assert refused.code == 2
    assert "has another instance 0 of matchit_ascii" in refused.complaint
    assert Path("results").exists() == there
    assert not any(Path("results").glob("*"))
    assert palaver("export", "clembench", "run", "--out", "results").code == 0
