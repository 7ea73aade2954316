"""Our own textual maps: in clembench's format, by the experiments' numbers or by the options."""

import ast
import re
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import TEXT, TEXT_GRAPHS, TEXT_ROOM
from palaver_gamemasters.clembench.mapworld.text.game import TextMapWorld
from palaver_gamemasters.clembench.mapworld.text.making import room_names
from palaver_protocols.errors import InstanceError, UsageError
from tests.gamemasters.clembench.mapworld_texts import told

GAMES = [TEXT, TEXT_GRAPHS, TEXT_ROOM]
NAMES = [game.name for game in GAMES]


def made(game: TextMapWorld, count: int = 1, seed: int = 0, **options: Any) -> list[Any]:
    return [each.data for each in islice(game.instances(game.configure(options), seed), count)]


def lists(instance: Any) -> dict[str, Any]:
    fields = instance["instance"]
    return {name: ast.literal_eval(fields[name]) for name in ("Graph_Nodes", "Graph_Edges", "Directions", "Mapping")}


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_our_instances_can_be_played_and_are_the_same_every_time(game: TextMapWorld) -> None:
    options = game.configure({})
    instances = made(game, 30)
    assert instances == made(game, 30)
    assert instances != made(game, 30, seed=1)
    for each in instances:
        text = told(game.start(each, options))
        assert "$" not in text
        assert each["instance"]["Picture_Name"].endswith(".png")


@pytest.mark.parametrize(
    ("experiment", "rooms", "connections"),
    [("small", 4, {3}), ("medium", 6, {5}), ("large", 8, {7}), ("medium_cycle", 6, {6}), ("large_cycle", 8, {8, 9})],
)
def test_experiments_have_the_published_numbers(experiment: str, rooms: int, connections: set[int]) -> None:
    found = [lists(each) for each in made(TEXT, 20, experiment=experiment)]
    assert {len(each["Graph_Nodes"]) for each in found} == {rooms}
    assert {len(each["Graph_Edges"]) for each in found} == connections


def test_the_graph_game_has_no_cycles() -> None:
    assert TEXT_GRAPHS.experiments(TEXT_GRAPHS.configure({})) == ("small", "medium", "large")


@pytest.mark.parametrize(("experiment", "distances"), [("on", {"0"}), ("close", {"1", "2"}), ("far", {"3", "4"})])
def test_targets_are_as_far_as_the_experiment_says(experiment: str, distances: set[str]) -> None:
    found = [each["instance"] for each in made(TEXT_ROOM, 20, experiment=experiment)]
    assert {each["Specific_Room_Distance"] for each in found} == distances
    assert all((each["Specific_Room"] == each["Current_Position"]) is (experiment == "on") for each in found)


@pytest.mark.parametrize(
    ("options", "rooms", "connections"),
    [
        ({"rooms": "10"}, 10, {9}),
        ({"connections": "8"}, 8, {8}),
        ({"connections": "8-9"}, 8, {8, 9}),
        ({"cycle": "yes"}, 8, {8, 9}),
        ({"cycle": "no"}, 8, {7}),
        ({"rooms": "4", "cycle": "yes"}, 4, {4}),
        ({"rooms": 16, "connections": 24}, 16, {24}),
    ],
)
def test_options_override_the_experiment(options: dict[str, Any], rooms: int, connections: set[int]) -> None:
    found = [lists(each) for each in made(TEXT, 12, experiment="large", **options)]
    assert {len(each["Graph_Nodes"]) for each in found} == {rooms}
    assert {len(each["Graph_Edges"]) for each in found} == connections


def test_other_rooms_keep_the_cycles_of_the_experiment() -> None:
    found = [lists(each) for each in made(TEXT, 12, experiment="large_cycle", rooms=6)]
    assert {len(each["Graph_Edges"]) for each in found} == {6, 7}


@pytest.mark.parametrize(("distance", "found"), [("2", {"2"}), ("1-2", {"1", "2"}), (0, {"0"}), ("5-5", {"5"})])
def test_a_distance_is_a_number_or_two(distance: object, found: set[str]) -> None:
    instances = made(TEXT_ROOM, 20, experiment="far", distance=distance)
    assert {each["instance"]["Specific_Room_Distance"] for each in instances} == found


def test_rooms_that_share_a_name_say_where_they_are() -> None:
    for each in made(TEXT_ROOM, 20, ambiguity=5):
        fields = lists(each)
        shared = [name for name in fields["Graph_Nodes"] if "_" in name]
        assert len(shared) == each["instance"]["Ambiguity"] == 5
        assert all(fields["Mapping"][ast.literal_eval(name.partition("_")[2])] == name for name in shared)
        assert each["instance"]["Specific_Room"] in fields["Graph_Nodes"]
        assert "_" not in each["instance"]["Specific_Room"]


def test_directions_lead_to_the_neighbours_on_the_grid() -> None:
    steps = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
    for each in made(TEXT, 20):
        places = {name: place for place, name in lists(each)["Mapping"].items()}
        moves = ast.literal_eval(each["instance"]["Moves"])
        for entry in moves:
            x, y = places[entry["node"]]
            assert all(places[to] == (x + steps[way][0], y + steps[way][1]) for way, to in entry["node_moves"])
        told_of = dict(lists(each)["Directions"])
        assert all([way for way, _ in entry["node_moves"]] == told_of[entry["node"]] for entry in moves)
        assert len(moves) == sum(map(len, told_of.values()))


def test_there_are_names_for_the_largest_map_and_each_once() -> None:
    names = room_names()
    assert len(set(names)) == len(names) >= 40
    assert all(re.fullmatch(r"[A-Z][a-z]+( [a-z]+)?", name) for name in names)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rooms": "4", "connections": "5"}, "no map of 4 rooms has 5 connections (choose 3 to 4)"),
        ({"rooms": "8", "connections": "12"}, "no map of 8 rooms has 12 connections (choose 7 to 10)"),
        ({"rooms": "2", "cycle": "yes"}, "no map of 2 rooms has 2 connections (choose 1 to 1)"),
        ({"ambiguity": "1"}, "in a map of 4 rooms, not 1 can share their category with another (choose 0, or 2 to 4)"),
        ({"ambiguity": "5"}, "in a map of 4 rooms, not 5 can share their category with another (choose 0, or 2 to 4)"),
        ({"distance": "1"}, "textmapworld has no target; leave the option distance out"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        made(TEXT, experiment="small", **options)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"distance": "9"}, "in a map of 8 rooms with 7 connections, no target is at distance 9 (choose 0 to 7)"),
        ({"rooms": "4"}, "in a map of 4 rooms with 3 connections, no target is at distance 3-4 (choose 0 to 3)"),
        ({"ambiguity": "8"}, "(a target is the only room of its category) (choose 0, or 2 to 7)"),
    ],
)
def test_a_target_that_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InstanceError) as caught:
        made(TEXT_ROOM, experiment="far", **options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rooms": "17"}, "option rooms cannot be '17'"),
        ({"rooms": "1"}, "option rooms cannot be '1'"),
        ({"distance": "far"}, "option distance cannot be 'far': give a number such as 2, or two such as 1-2"),
        ({"distance": True}, "option distance cannot be True"),
        ({"distance": "-1"}, "option distance cannot be '-1'"),
        ({"distance": "3-1"}, "3-1 goes down; give the smaller number first"),
        ({"connections": "8", "cycle": "yes"}, "give connections or cycle, not both"),
        ({"experiment": "medium_cycle", "doors": "3"}, "has no option 'doors'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        TEXT_ROOM.configure(options)
    assert said in str(caught.value)


def test_options_come_back_from_a_file_as_they_went() -> None:
    options = TEXT_ROOM.configure({"distance": "1-2", "connections": 8})
    assert TEXT_ROOM.configure(options.model_dump(mode="json")) == options


def test_there_is_no_experiment_of_another_name() -> None:
    with pytest.raises(UsageError, match=r"no experiment 'huge' \(it has: small, medium, large"):
        made(TEXT_GRAPHS, experiment="huge")
