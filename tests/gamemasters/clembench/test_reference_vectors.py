"""The reference game against recorded answers, and the scores that the original programs gave them."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.reference import GAME, TEXT, prompts
from palaver_gamemasters.clembench.reference.game import ReferenceGame
from palaver_gamemasters.clembench.reference.players import PLAYERS
from palaver_gamemasters.replay import Replay, play_replay
from tests.gamemasters.clembench.reference_play import acted

DATA = Path(__file__).parents[4] / "shared" / "data" / "clembench"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the recorded answers are not at hand")


@cache
def instances(name: str) -> dict[tuple[str, int], dict[str, Any]]:
    read = json.loads((DATA / "instances" / f"{name}.json").read_text(encoding="utf-8"))
    return {
        (experiment["name"], each["game_id"]): {"experiment": {"name": experiment["name"]}, "instance": each}
        for experiment in read["experiments"]
        for each in experiment["game_instances"]
    }


def recorded(name: str) -> Iterator[tuple[tuple[str, int], list[str], dict[str, float | None]]]:
    with gzip.open(DATA / "vectors.jsonl.gz", "rt", encoding="utf-8") as lines:
        for each in map(json.loads, lines):
            if each["game"] == name:
                yield (each["exp"], each["game_id"]), each["responses"], each["scores"]
    for each in json.loads((DATA / "published_episodes.json").read_text(encoding="utf-8")):
        if each["game"] == name and "responses" in each:
            yield (each["exp"], each["gid"]), each["responses"], each["expect"]


@pytest.mark.parametrize("game", [GAME, TEXT], ids=["image", "text"])
def test_recorded_answers_have_the_recorded_scores(game: ReferenceGame) -> None:
    different = []
    for which, texts, expected in recorded(game.name):
        replay = Replay(game=game.name, instance=instances(game.name)[which], texts=tuple(texts))
        result = play_replay(game, replay, "recorded")
        scores = {name: result.scores.get(name, "missing") for name in expected}
        if scores != pytest.approx(expected, abs=1e-9, nan_ok=True):
            different.append((which, texts, scores, expected))
    assert different == []


def test_the_published_texts_about_grids_are_ours() -> None:
    for each in instances(TEXT.name).values():
        fields = each["instance"]
        guide = [Grid.read(fields[f"player_1_{name}_grid"]) for name in ("target", "second", "third")]
        follower = [Grid.read(fields[f"player_2_{name}_grid"]) for name in prompts.ORDINALS]
        assert fields["player_1_prompt_header"] == prompts.text_guide(guide)
        assert fields["player_2_prompt_header"] == prompts.text_follower(follower)


def test_the_published_texts_about_pictures_are_ours() -> None:
    found = [each["instance"] for each in instances(GAME.name).values()]
    assert {each["player_1_prompt_header"] for each in found} == {prompts.image_guide(at) for at in range(3)}
    assert {each["player_2_prompt_header"] for each in found} == {prompts.image_follower()}


def test_the_scripts_solve_the_published_grids() -> None:
    outcomes = [
        TEXT.outcome(acted(TEXT, ClemInstance.model_validate(each), PLAYERS["scripted"]))
        for each in instances(TEXT.name).values()
    ]
    assert outcomes.count("solved") >= 0.98 * len(outcomes)


def test_the_scripts_guess_in_the_right_form_where_pictures_have_no_words() -> None:
    instance = ClemInstance.model_validate(instances(GAME.name)["ADE_images", 0])
    drawn = {
        name: {"draw": {"kind": "grid", "rows": ["X"]}}
        for name in map(str, instance.instance.values())
        if name.endswith(".jpg")
    }
    shown = ClemInstance.model_validate({**instance.model_dump(), "pictures": drawn})
    state = acted(GAME, shown, PLAYERS["scripted"], modality="image")
    assert GAME.score(state)["Aborted"] == 0.0
