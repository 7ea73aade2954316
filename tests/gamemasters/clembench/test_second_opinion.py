"""The games say what a second, plain and independent account of the same rules says: of odd answers above all."""

import json
import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld.graphs.similarity import graph_distance
from palaver_gamemasters.clembench.mapworld.text.setup import TextMap, TextSetup
from palaver_gamemasters.clembench.matchit.rules import tidied
from palaver_gamemasters.game import read_instance
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.replay import Replay, ReplayResult, play_replay
from tests.gamemasters.clembench.odd_answers import odd_answers, odd_drawings
from tests.gamemasters.clembench.recordings import beside, instances, recorded
from tests.gamemasters.clembench.second_opinion import edit_distance, verdict

nx: Any = import_module("networkx")  # it has no types

GAMES = (
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
)


@cache
def own(game: str) -> Sequence[Mapping[str, Any]]:
    played = load_game(game)
    made = [each.data for each in islice(played.instances(played.configure({}, None), 7), 15)]
    return [each for each in made if isinstance(each, dict)]


def setup_of(instance: Mapping[str, Any]) -> TextSetup:
    setup: TextSetup = read_instance("a map", TextSetup, {**instance["experiment"], **instance["instance"]})
    return setup


def replayed(game: str, instance: Mapping[str, Any], texts: Sequence[str], profile: str = "published") -> ReplayResult:
    replay = Replay(game=game, variant=profile, instance=dict(instance), texts=tuple(texts))
    return play_replay(load_game(game), replay, "here")


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def agree(game: str, instance: Mapping[str, Any], texts: Sequence[str]) -> str:
    """Compare both accounts of an episode, and return its outcome."""
    outcome, scores = verdict(game, instance, texts)
    ours = replayed(game, instance, texts)
    assert ours.outcome == outcome, texts
    for name, expected in (scores or {}).items():
        assert same(ours.scores[name], expected), (name, expected, ours.scores[name], texts)
    return outcome


def agree_on_odd_answers(game: str, given: Sequence[Mapping[str, Any]], count: int) -> set[str]:
    outcomes = set()
    for number in range(count if "mapworld" in game else 4 * count):
        instance = given[number % len(given)]
        fields = {**instance["experiment"], **instance["instance"]}
        outcomes.add(agree(game, instance, odd_answers(game, fields, random.Random(f"{game} {number}"))))
    return outcomes


@pytest.mark.parametrize("game", GAMES)
def test_odd_answers_come_to_the_same_in_both_accounts(game: str) -> None:
    outcomes = agree_on_odd_answers(game, own(game), 30)
    assert outcomes >= {"aborted", "failed", "solved"}


def test_odd_drawings_come_to_the_same_in_both_accounts() -> None:
    pictured, textual = own("mm_mapworld_graphs")[0], own("textmapworld_graphreasoning")[0]
    way = TextMap.of(setup_of(textual)).directions[setup_of(textual).start][0]
    for drawing in odd_drawings():
        agree("mm_mapworld_graphs", pictured, [f'{{"action":"DONE","description":"x","graph":{drawing}}}'])
        done = '{"action":"DONE","graph":{"nodes":[],"edges":{}}}'
        agree("textmapworld_graphreasoning", textual, [f'{{"action":"GO: {way}","graph":{drawing}}}', done])


@beside
@pytest.mark.parametrize("game", GAMES)
def test_odd_answers_to_published_instances_come_to_the_same_in_both_accounts(game: str) -> None:
    given = list(instances(game).values())
    random.Random(game).shuffle(given)
    assert "aborted" in agree_on_odd_answers(game, given, 20)


@beside
@pytest.mark.parametrize("game", GAMES)
def test_the_second_account_says_what_was_recorded(game: str) -> None:
    for each in recorded(game):
        outcome, scores = verdict(game, each.instance, each.texts)
        assert (outcome == "crashed") == each.crashed, each.name
        for name, expected in each.scores.items():
            assert same((scores or {}).get(name), expected), (each.name, name)


@pytest.mark.parametrize("seed", range(40))
def test_all_ways_to_count_edits_agree(seed: int) -> None:
    dice = random.Random(seed)
    graphs: list[tuple[list[int], list[tuple[int, int]]]] = []
    for _ in range(2):
        size = dice.randint(1, 5)
        ends = [(dice.randrange(size), dice.randrange(size)) for _ in range(dice.randint(0, 6))]
        graphs.append((list(range(size)), [(a, b) for a, b in ends if a != b]))
    drawn = []
    for nodes, edges in graphs:
        drawn.append(nx.Graph(edges))
        drawn[-1].add_nodes_from(nodes)
    plain = [(tuple(nodes), tuple({frozenset(edge) for edge in edges})) for nodes, edges in graphs]
    expected = nx.graph_edit_distance(*drawn)
    assert edit_distance(*plain) == expected
    assert graph_distance(*graphs[0], *graphs[1]).edits == expected


def test_the_rooms_of_a_textual_map_stay_in_order() -> None:
    # the distance to a graph with loops depends on it, and must not be another one in each process
    for instance in own("textmapworld_graphreasoning"):
        assert TextMap.of(setup_of(instance)).nodes == setup_of(instance).nodes


GRAPH = '{"action":"GO: north","description":"x","graph":{"nodes":['
ENDLESS = {
    "actions": '{"description": "' + '","action":"' * 9000 + "{}",
    "descriptions": '{"action":"' + '","description":"' * 6000,
    "edges": GRAPH + '],"edges":{}}' * 8000 + "y",
    "brackets": GRAPH + "[" * 50_000 + "]" * 50_000 + '],"edges":{}}}',
    "digits": GRAPH + "9" * 5000 + '],"edges":{}}}',
    "blanks": "GO:" + " " * 100_000,
    "lines": "Expression: a" + "\n" * 100_000 + "b",
    "dots": "DECISION: " + ".\n" * 50_000,
    "halves": '{"description": "\ud800", "action": "GO: \udc00"}',
    "zeros": "\x00" * 100_000,
}


@pytest.mark.parametrize("profile", ["published", "clean"])
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_no_answer_keeps_a_game_busy(text: str, profile: str) -> None:
    for game in GAMES:
        result = replayed(game, own(game)[0], [text], profile)
        assert result.outcome in ("aborted", "incomplete")


def test_a_long_answer_in_the_right_form_is_taken() -> None:
    long = json.dumps({"description": "x" * 100_000, "action": "DONE"})
    assert agree("mm_mapworld", own("mm_mapworld")[0], [long]) == "failed"


def test_thousands_of_empty_lines_are_read_at_once() -> None:
    text = "answer: yes" + "\n" * 100_000 + "> **question:** what?"
    assert tidied(text, "ANSWER:", ["ANSWER:", "QUESTION:"]) == "ANSWER: yes"
