"""What matching an answer may cost: nobody can stop a game master by what it says."""

import json
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, TEXT_GRAPHS
from palaver_gamemasters.clembench.mapworld.forms import LONGEST, WORK, matched
from palaver_gamemasters.clembench.mapworld.game import MapWorldGame
from palaver_gamemasters.game import Reply
from tests.gamemasters.clembench import mapworld_pictured, mapworld_texts

EDGES = {"north": [["Hall", "Attic"]] * 40, "east": [["Hall", "Kitchen"]] * 40, "south": [], "west": []}
NODES = [f"Room {number}: a hall" for number in range(16)]
KEYS, MORE_EDGES, ENDS = '","description":"', '],"edges":{', "}" * 20_000
HOSTILE = {
    "keys in keys": '{"action":"' + KEYS * 400 + '","graph":{"nodes":[' + MORE_EDGES * 400 + ENDS + "x",
    "edges in edges": '{"action":"","graph":{"nodes":[' + MORE_EDGES * 2000 + ENDS + "x",
    "actions in actions": '{"description":"' + '","action":"' * 2000 + "x",
}


def after(game: MapWorldGame[Any], given: dict[str, Any], text: str) -> str | None:
    state = game.start(given, game.configure({}))
    (seat,) = game.pending(state)
    return game.outcome(game.apply(state, {seat: Reply.of(text)}))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("game", [MULTIMODAL, MULTIMODAL_GRAPHS], ids=lambda game: game.name)
def test_answers_that_are_made_to_stop_the_game_master_abort_with_pictures(game: Any, text: str) -> None:
    assert after(game, mapworld_pictured.instance(game), text) == "aborted"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_answers_that_are_made_to_stop_the_game_master_abort_in_words(text: str) -> None:
    assert after(TEXT_GRAPHS, mapworld_texts.instance("graphs"), text) == "aborted"


@pytest.mark.parametrize("length", [100, 299_000])
def test_an_answer_may_be_long_where_it_has_few_keys(length: int) -> None:
    said = json.dumps({"description": "a" * length, "action": "GO: east"})
    assert after(MULTIMODAL, mapworld_pictured.instance(MULTIMODAL), said) is None


def test_an_answer_may_have_many_keys_where_it_is_short() -> None:
    graph = {"nodes": NODES, "edges": EDGES}
    pictured = json.dumps({"action": "GO: east", "description": "A room: empty.", "graph": graph})
    assert after(MULTIMODAL_GRAPHS, mapworld_pictured.instance(MULTIMODAL_GRAPHS), pictured) is None
    said = json.dumps({"action": "GO: east", "graph": graph}, indent=4)
    assert after(TEXT_GRAPHS, mapworld_texts.instance("graphs"), said) is None


def test_the_bound_is_exact() -> None:
    asked: list[str] = []
    enough = [(":" * 100).ljust(WORK // 10_000), "a" * LONGEST]
    lines = [*enough, *(f"{each} " for each in enough)]
    for line in lines:
        matched(asked.append, line)
    assert asked == enough
