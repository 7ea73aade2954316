"""Textual MapWorld against recorded answers, and the scores that the original programs gave them."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld.text import TEXT, TEXT_GRAPHS, TEXT_ROOM, TextMapWorld
from palaver_gamemasters.clembench.mapworld.text_making import prompt_of
from palaver_gamemasters.replay import Replay, play_replay

DATA = Path(__file__).parents[4] / "shared" / "data" / "clembench"
GAMES = [TEXT, TEXT_GRAPHS, TEXT_ROOM]

pytestmark = [
    pytest.mark.skipif(not DATA.exists(), reason="the recorded answers are not at hand"),
    pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES]),
]


@cache
def instances(name: str) -> dict[tuple[str, int], dict[str, Any]]:
    read = json.loads((DATA / "instances" / f"{name}.json").read_text(encoding="utf-8"))
    found = {}
    for experiment in read["experiments"]:
        about = {key: value for key, value in experiment.items() if key != "game_instances"}
        for each in experiment["game_instances"]:
            found[experiment["name"], each["game_id"]] = {"experiment": about, "instance": each}
    return found


def recorded(name: str) -> Iterator[tuple[tuple[str, int], list[str], dict[str, float | None]]]:
    with gzip.open(DATA / "vectors.jsonl.gz", "rt", encoding="utf-8") as lines:
        for each in map(json.loads, lines):
            if each["game"] == name:
                yield (each["exp"], each["game_id"]), each["responses"], each["scores"]
    for each in json.loads((DATA / "published_episodes.json").read_text(encoding="utf-8")):
        if each["game"] == name and "responses" in each:
            yield (each["exp"], each["gid"]), each["responses"], each["expect"]


def test_recorded_answers_have_the_recorded_scores(game: TextMapWorld) -> None:
    different = []
    for which, texts, expected in recorded(game.name):
        replay = Replay(game=game.name, instance=instances(game.name)[which], texts=tuple(texts))
        result = play_replay(game, replay, "recorded")
        scores = {name: result.scores.get(name, "missing") for name in expected}
        if scores != pytest.approx(expected, abs=1e-9, nan_ok=True):
            different.append((which, texts, scores, expected))
    assert different == []


def test_the_published_prompts_are_ours(game: TextMapWorld) -> None:
    prompts = {each["instance"]["Prompt"] for each in instances(game.name).values()}
    assert prompts == {prompt_of(game.prompt)}


def test_our_instances_have_the_published_fields(game: TextMapWorld) -> None:
    published = next(iter(instances(game.name).values()))["instance"]
    ours = next(game.instances(game.configure({}), 0)).data
    assert isinstance(ours, dict)
    made = ours["instance"]
    assert isinstance(made, dict)
    assert list(made) == list(published)
    fixed = {"Prompt", "Player2_positive_answer", "Player2_negative_answer", "Move_Construction", "Stop_Construction"}
    fixed |= {"Grid_Dimension", "Game_Type", "Loop_Reminder_Text", "Max_Turns_Reminder_Text"}
    assert {name: made[name] for name in fixed} == {name: published[name] for name in fixed}
    assert made.get("Response_Construction") == published.get("Response_Construction")


def test_all_published_instances_can_be_read_from_their_file(game: TextMapWorld) -> None:
    options = game.configure({"instances": str(DATA / "instances" / f"{game.name}.json")})
    assert len(list(game.instances(options, 0))) == len(instances(game.name))
