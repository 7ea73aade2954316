"""All ten games against recorded answers: 1,500 scripted episodes and nine published ones, every score of each."""

import pytest

from palaver_gamemasters.registry import load_game
from palaver_gamemasters.replay import Replay, play_replay
from tests.gamemasters.clembench.recordings import beside, instances, recorded

GAMES = [
    "matchit",
    "matchit_ascii",
    "multimodal_referencegame",
    "referencegame",
    "mm_mapworld",
    "mm_mapworld_graphs",
    "mm_mapworld_specificroom",
    "textmapworld",
    "textmapworld_graphreasoning",
    "textmapworld_specificroom",
]

pytestmark = [beside, pytest.mark.parametrize("game", GAMES)]


def test_recorded_answers_have_the_recorded_scores(game: str) -> None:
    rules = load_game(game)
    different, count = [], 0
    for each in recorded(game):
        count += 1
        replay = Replay(game=game, variant="published", instance=dict(each.instance), texts=each.texts)
        result = play_replay(rules, replay, each.name)
        if (result.outcome == "crashed") != each.crashed:
            different.append(f"{each.name}: {result.outcome}")
            continue
        scores = {name: result.scores.get(name, "missing") for name in each.scores}
        if scores != pytest.approx(dict(each.scores), abs=1e-9):
            different.append(f"{each.name}: {scores}, not {each.scores}")
        if not each.crashed and each.scores.get("Aborted") is not None:
            assert (result.outcome == "aborted") == (each.scores["Aborted"] == 1), each.name
    assert count >= 150
    assert different == []


def test_the_clean_profile_never_crashes(game: str) -> None:
    rules = load_game(game)
    for each in recorded(game):
        replay = Replay(game=game, variant="clean", instance=dict(each.instance), texts=each.texts)
        assert play_replay(rules, replay, each.name).outcome != "crashed", each.name


def test_all_published_instances_make_a_game(game: str) -> None:
    rules = load_game(game)
    for each in instances(game).values():
        assert rules.pending(rules.start(dict(each), rules.configure({})))
