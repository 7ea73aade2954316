"""MapWorld with pictures against recorded answers, and the scores that the original programs gave them."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM
from palaver_gamemasters.clembench.mapworld.multimodal import MultimodalMapWorld
from palaver_gamemasters.clembench.mapworld.multimodal_making import TEXTS, prompt_of
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.replay import Replay, play_replay
from tests.gamemasters.clembench.mapworld_pictured import go

DATA = Path(__file__).parents[4] / "shared" / "data" / "clembench"
GAMES = [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM]

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


def differences(
    game: MultimodalMapWorld, which: tuple[str, int], texts: list[str], expected: dict[str, float | None], how: str
) -> list[Any]:
    result = play_replay(game, Replay(game=game.name, instance=instances(game.name)[which], texts=tuple(texts)), "it")
    scores = {name: result.scores.get(name, "missing") for name in expected}
    crashed = (result.outcome == "crashed") == (how != "scored")
    return [] if crashed and scores == pytest.approx(expected, abs=1e-9, nan_ok=True) else [(which, texts, scores)]


def vectors(name: str) -> Iterator[Any]:
    with gzip.open(DATA / "vectors.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (each for each in map(json.loads, lines) if each["game"] == name)


def test_recorded_answers_have_the_recorded_scores(game: MultimodalMapWorld) -> None:
    different = []
    for each in vectors(game.name):
        which = each["exp"], each["game_id"]
        different += differences(game, which, each["responses"], each["scores"], each["status"])
    assert different == []


def test_published_episodes_have_the_published_scores(game: MultimodalMapWorld) -> None:
    different = []
    for each in json.loads((DATA / "published_episodes.json").read_text(encoding="utf-8")):
        if each["game"] == game.name:
            texts = each.get("responses") or [go(action) for action in each["actions"]]
            expected = {game.efficiency if name == "eff" else name: value for name, value in each["expect"].items()}
            different += differences(game, (each["exp"], each["gid"]), texts, expected, "scored")
    assert different == []


def test_the_published_texts_are_ours(game: MultimodalMapWorld) -> None:
    ours = {"initial_prompt": prompt_of(game.kind), **TEXTS[game.kind]}
    for each in instances(game.name).values():
        assert {name: each["instance"][name] for name in ours} == ours


def test_our_instances_have_the_published_fields_in_their_order(game: MultimodalMapWorld) -> None:
    published = next(iter(instances(game.name).values()))["instance"]
    ours = game.make(
        game.experiments(game.configure({}))[0], Dice("ours"), game.configure({"ambiguity": 0, "rooms": 4})
    )
    assert list(ours.instance) == [name for name in published if name != "game_id"]


def test_all_published_instances_can_be_started(game: MultimodalMapWorld) -> None:
    for each in instances(game.name).values():
        assert game.pending(game.start(each, game.configure({}))) == ("walker",)
