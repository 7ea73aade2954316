"""The walkers: what they make of their history, where they go, how they say it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.mapworld import (
    MULTIMODAL,
    MULTIMODAL_GRAPHS,
    MULTIMODAL_ROOM,
    TEXT,
    TEXT_GRAPHS,
    TEXT_ROOM,
)
from palaver_gamemasters.clembench.mapworld.walkers.known import Known, known_from
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.clembench.playing import asked, episodes

GAMES = [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM, TEXT, TEXT_GRAPHS, TEXT_ROOM]
EXPLORING = [MULTIMODAL, MULTIMODAL_GRAPHS, TEXT, TEXT_GRAPHS]
TASK = 'Answer with "GO: DIRECTION" or "DONE". You are in the Attic. Currently available directions: east, south. What?'


def known(*said: str) -> Known:
    """Read a history in which the game master and the guesser take turns."""
    seats = (USER, "guesser")
    view = [Message.text_from(seats[at % 2], text, ("guesser",)) for at, text in enumerate(said)]
    return known_from(asked(TEXT, "guesser", tuple(view)))


def entered(room: str, doors: str) -> str:
    return f"You have made a step and entered {room}. Currently available directions: {doors}. What is next?"


def test_a_walker_knows_where_it_is_and_what_lies_around() -> None:
    found = known(TASK, "GO: east", entered("Kitchen", "west, north"), "go:NORTH", entered("Bar", "south"))
    assert found.here == (1, 1)
    assert found.doors == {(0, 0): ("east", "south"), (1, 0): ("west", "north"), (1, 1): ("south",)}
    assert found.rooms == {(0, 0): "attic", (1, 0): "kitchen", (1, 1): "bar"}
    assert found.frontier == ((0, -1),)


def test_a_move_that_was_not_valid_leads_nowhere() -> None:
    refused = "The move is not valid. You are still in the Attic. Currently available directions: east, south. What?"
    found = known(TASK, "GO: north", refused)
    assert (found.here, found.visited, found.answers) == ((0, 0), frozenset({(0, 0)}), 1)


def test_the_example_in_the_task_is_not_taken_for_the_map() -> None:
    task = "You are in the Bar. Currently available directions: west. GO: west\n...\nLet us start. " + TASK
    assert known(task).doors == {(0, 0): ("east", "south")}


@pytest.mark.parametrize("goal", ["a Wine cellar", "Wine cellar", "the wine_cellar", "an Wine cellar"])
def test_the_goal_is_the_last_that_is_named(goal: str) -> None:
    found = known(f"The target room is a bathroom. Let us start. The target room is {goal}. {TASK}")
    assert found.goal == "wine cellar"


@pytest.mark.parametrize("player", ["scripted", "optimal"])
@pytest.mark.parametrize("game", EXPLORING, ids=lambda game: game.name)
def test_explorers_visit_all_rooms_of_every_map_of_ours(game: ClemGame[Any, Any], player: str) -> None:
    for played in episodes(game, player, 15):
        assert played.outcome == "solved", played.instance.id
        assert played.scores["exploration"] == 100


@pytest.mark.parametrize("player", ["scripted", "optimal"])
@pytest.mark.parametrize("game", [MULTIMODAL_ROOM, TEXT_ROOM], ids=lambda game: game.name)
def test_searchers_find_the_room_and_say_so(game: ClemGame[Any, Any], player: str) -> None:
    assert {played.outcome for played in episodes(game, player, 15)} == {"solved"}


def test_with_pictures_the_optimal_walker_makes_good_moves_only() -> None:
    assert {played.scores["effieciency"] for played in episodes(MULTIMODAL, "optimal", 25)} == {100}


@pytest.mark.parametrize("game", [MULTIMODAL_GRAPHS, TEXT_GRAPHS], ids=lambda game: game.name)
def test_the_map_that_a_walker_draws_is_the_map(game: ClemGame[Any, Any]) -> None:
    assert {played.scores["graph_similarity"] for played in episodes(game, "scripted", 12)} == {100}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_random_walk_breaks_no_format(game: ClemGame[Any, Any]) -> None:
    played = list(episodes(game, "random", 20))
    assert {each.outcome for each in played} <= {"solved", "failed"}
    assert len({each.answers for each in played}) > 1


def test_a_walker_stops_before_it_is_cut_off() -> None:
    for played in episodes(MULTIMODAL, "scripted", 3, rooms=16, connections="15"):
        assert played.outcome in ("solved", "failed")
        assert len(played.answers) <= 19


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@given(said=st.lists(st.text(max_size=60), max_size=5))
def test_a_walker_answers_whatever_it_was_told(game: ClemGame[Any, Any], said: list[str]) -> None:
    (seat,) = game.seats(game.configure({}))
    view = [Message.text_from((USER, seat)[at % 2], text, (seat,)) for at, text in enumerate(said)]
    for player in game.players().values():
        assert player(asked(game, seat, tuple(view)))


def test_descriptions_and_graphs_are_objects_of_one_line() -> None:
    for played in episodes(MULTIMODAL_GRAPHS, "scripted", 3):
        for text in played.answers:
            read = json.loads(text)
            assert list(read) == ["action", "description", "graph"]
            assert "\n" not in text
