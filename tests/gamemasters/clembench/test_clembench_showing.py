"""What people are shown of clembench's games: what both players see, the map with the walk, answers to click."""

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.clembench.mapworld import (
    MULTIMODAL,
    MULTIMODAL_GRAPHS,
    MULTIMODAL_ROOM,
    TEXT,
    TEXT_GRAPHS,
    TEXT_ROOM,
)
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld
from palaver_gamemasters.clembench.mapworld.showing import laid_out
from palaver_gamemasters.clembench.mapworld.text.game import TextMapWorld
from palaver_gamemasters.clembench.matchit import GAME as MATCHIT
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.clembench.reference import GAME as PICTURES
from palaver_gamemasters.clembench.reference import TEXT as GRIDS
from palaver_gamemasters.game import Reply
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.content import Image
from tests.gamemasters.clembench import mapworld_pictured as pictured
from tests.gamemasters.clembench import mapworld_texts as texts
from tests.gamemasters.clembench import matchit_playing as matchit
from tests.gamemasters.clembench import reference_play as reference

ANSWERS = ("Answer: first", "Answer: second", "Answer: third")


def moves(state: Play[Any]) -> tuple[Move, ...]:
    """Return what whoever is asked can click."""
    (seat,) = state.game.pending(state)
    return state.game.moves(state, seat)


def said(state: Play[Any], label: str) -> Play[Any]:
    """Click."""
    (seat,) = state.game.pending(state)
    (move,) = (each for each in moves(state) if each.label == label)
    after: Play[Any] = state.game.apply(state, {seat: Reply.of(move.says)})
    return after


def only(state: Play[Any]) -> Panel:
    (panel,) = state.game.panels(state)
    return panel


def images(panel: Panel) -> list[str]:
    """The pictures within a picture."""
    return [str(each.get("href")) for each in ET.fromstring(panel.svg).iter() if each.tag.endswith("image")]


# ---- the reference game


@pytest.mark.parametrize("game", [PICTURES, GRIDS], ids=["pictures", "grids"])
@pytest.mark.parametrize("profile", ["published", "clean"])
def test_who_guesses_chooses_among_three_answers_that_the_rules_take(game: Any, profile: str) -> None:
    state = reference.played(game, reference.an_instance(game), "Expression: a C", profile=profile)
    assert tuple(move.says for move in moves(state)) == ANSWERS
    assert all(move.ends for move in moves(state))
    assert said(state, "Second").verdict.outcome == "solved"
    assert said(state, "Third").verdict.outcome == "failed"


def test_an_answer_that_the_instance_does_not_take_is_not_offered() -> None:
    words = reference.an_instance(GRIDS, player_2_response_pattern="^answer: (?P<content>one|two)(?P<remainder>.*)")
    assert moves(reference.played(GRIDS, words, "Expression: a C")) == ()


def test_an_expression_has_to_be_written() -> None:
    assert moves(reference.played(GRIDS, reference.an_instance(GRIDS))) == ()


@pytest.mark.parametrize("game", [PICTURES, GRIDS], ids=["pictures", "grids"])
def test_watchers_see_the_target_in_both_rows_and_the_guess(game: Any) -> None:
    asked_for = reference.played(game, reference.an_instance(game), "Expression: a C")
    panel = only(asked_for)
    assert panel.title == "What both see"
    marked = [line for line in panel.words.splitlines() if "target" in line]
    assert marked == ["player_1, first, the target:", "player_2, second, the target:"]
    right, wrong = only(said(asked_for, "Second")), only(said(asked_for, "First"))
    assert (right.title, wrong.title) == ("Guessed right", "Guessed wrong")
    assert "player_2, second, the target, the guess:" in right.words
    assert "player_2, first, the guess:" in wrong.words
    assert "guess: wrong" in wrong.svg


def test_pictures_lie_within_the_panel_in_the_order_in_which_each_player_sees_them() -> None:
    one, two, three, first, second, third = images(only(reference.played(PICTURES, reference.an_instance(PICTURES))))
    assert (one, two, three) == (second, first, third)
    assert all(each.startswith("data:image/png;base64,") for each in (one, two, three))


def test_a_picture_that_is_not_at_hand_leaves_a_card_to_those_who_watch() -> None:
    dealt = reference.an_instance(PICTURES)
    state = reference.played(PICTURES, dealt.model_copy(update={"pictures": {}}))
    assert "picture not at hand" in only(state).words


def test_grids_that_are_none_leave_watchers_without_a_panel() -> None:
    state = reference.played(GRIDS, reference.an_instance(GRIDS, player_1_target_grid="X X"))
    assert GRIDS.panels(state) == ()


# ---- MatchIt


@pytest.mark.parametrize("alike", [True, False])
def test_a_decision_is_one_click_whatever_is_right(alike: bool) -> None:
    state = matchit.played(matchit.PLAYED[:-2], alike=alike)
    assert [(move.says, move.keys, move.ends) for move in moves(state)] == [
        ("DECISION: same grid", ("s",), True),
        ("DECISION: different grids", ("d",), True),
    ]
    done = said(said(state, "Same grid"), "Same grid")
    assert done.verdict.outcome == ("solved" if alike else "failed")


def test_a_question_can_be_answered_by_yes_or_no_and_has_to_be_written_itself() -> None:
    state = matchit.played(matchit.PLAYED[:3])
    assert [move.says for move in moves(state)] == ["ANSWER: yes", "ANSWER: no"]
    assert moves(said(state, "No")) == ()


def test_watchers_see_both_grids_what_is_right_and_who_has_decided_what() -> None:
    panel = only(matchit.played(matchit.PLAYED[:-1], alike=False))
    assert panel.title == "The right answer: different grids"
    assert matchit.GRID_A in panel.words
    assert matchit.GRID_B in panel.words
    assert "B: player 2 has decided: same grid, which is wrong." in panel.words
    assert "A: player 1 has decided" not in panel.words
    assert panel.svg.count('stroke="#e08a00"') == 2 * 4  # the cells in which they differ, in both


def test_watchers_see_both_pictures_side_by_side() -> None:
    options = MATCHIT.configure({"experiment": "different_image"})
    state = MATCHIT.start(next(MATCHIT.instances(options, 0)).data, options)
    panel = only(state)
    assert len(images(panel)) == 2
    (picture,) = (part for part in MATCHIT.view(state, "player_1")[0].parts if isinstance(part, Image))
    assert f"A: player 1 sees:\n{picture.alt}" in panel.words


# ---- MapWorld


def test_a_walker_goes_by_the_arrow_keys_through_the_doors_that_it_was_told_of() -> None:
    state = texts.walk(TEXT, "GO: east")
    assert [(move.says, move.keys, move.ends) for move in moves(state)] == [
        ("GO: west", ("ArrowLeft", "a"), True),
        ("GO: east", ("ArrowRight", "d"), True),
        ("DONE", (), True),
    ]


@pytest.mark.parametrize("profile", ["published", "clean"])
@pytest.mark.parametrize("game", [TEXT, TEXT_ROOM, TEXT_GRAPHS], ids=lambda game: game.name)
def test_a_map_of_names_can_be_walked_by_clicks_alone(game: TextMapWorld, profile: str) -> None:
    state: Play[Any] = texts.walk(game, profile=profile)
    for label in ("▲ north", "▼ south", "▶ east", "▶ east", "Done: stop here"):
        state = said(state, label)
    assert state.verdict.outcome == "solved"


@pytest.mark.parametrize("profile", ["published", "clean"])
@pytest.mark.parametrize("game", [MULTIMODAL, MULTIMODAL_ROOM, MULTIMODAL_GRAPHS], ids=lambda game: game.name)
def test_a_map_of_pictures_can_be_walked_by_clicks_alone(game: MultimodalMapWorld, profile: str) -> None:
    state: Play[Any] = pictured.walk(game, profile=profile)
    for label in ("▲ north", "▼ south", "▶ east", "▶ east", "Done: stop here"):
        state = said(state, label)
    assert state.verdict.outcome == "solved"


GRAPH = {"nodes": ["Hall", "Attic"], "edges": {"north": [["Hall", "Attic"]]}}


def drawn_in_words() -> Play[Any]:
    return texts.walk(TEXT_GRAPHS, texts.drawn("GO: north", GRAPH))


def drawn_from_pictures() -> Play[Any]:
    return pictured.walk(MULTIMODAL_GRAPHS, pictured.draw("north", GRAPH))


@pytest.mark.parametrize("walked", [drawn_in_words, drawn_from_pictures])
def test_where_a_graph_is_due_a_click_writes_the_latest_one_and_leaves_it_to_be_mended(
    walked: Callable[[], Play[Any]],
) -> None:
    written = moves(walked())
    assert not any(move.ends for move in written)
    assert [json.loads(move.says)["graph"] for move in written] == [GRAPH, GRAPH]


def test_a_graph_that_nobody_can_read_is_begun_anew() -> None:
    odd = pictured.draw("north").replace('"north": []', '"north": [oh]')
    written = moves(pictured.walk(MULTIMODAL_GRAPHS, odd))
    assert json.loads(written[0].says)["graph"] == {"nodes": [], "edges": {}}


def test_watchers_see_the_map_the_way_so_far_and_the_room_to_be_found() -> None:
    panel = only(texts.walk(TEXT_ROOM, "GO: north", "GO: south", "GO: east"))
    assert panel.title == "The map: 3 of 4 rooms"
    assert panel.words.splitlines() == [
        "3 of 4 rooms, 3 moves.",
        "Hall at 0, 0 (start, visited); doors: north, east",
        "Attic at 0, 1 (visited); doors: south",
        "Kitchen at 1, 0 (visited, the walker is here); doors: east, west",
        "Bar at 2, 0 (target); doors: west",
    ]


def test_a_move_that_is_logged_twice_is_walked_once() -> None:
    done = texts.walk(TEXT_GRAPHS, texts.drawn("GO: north"), texts.drawn("DONE"))
    assert len(done.now.moves) == 2
    assert only(done).words.startswith("2 of 4 rooms, 1 move.")


def test_moves_against_a_wall_are_counted() -> None:
    drawn, _ = MULTIMODAL.panels(pictured.walk(MULTIMODAL, pictured.go("south"), pictured.go("north")))
    assert drawn.words.startswith("2 of 4 rooms, 2 moves, 1 against a wall.")


def test_watchers_see_the_picture_of_the_room_that_the_walker_sees() -> None:
    state = pictured.walk(MULTIMODAL, pictured.go("north"))
    drawn, room = MULTIMODAL.panels(state)
    (picture,) = (part for part in MULTIMODAL.view(state, "walker")[-1].parts if isinstance(part, Image))
    assert (room.png, room.seat, drawn.seat) == (picture.data, "walker", "")
    assert room.words == picture.alt


def test_rooms_are_called_by_their_kind_or_else_by_their_picture() -> None:
    kinds = {str(place): f"kind_{place[0]}" for place in pictured.ROOMS}
    told = MULTIMODAL.panels(pictured.walk(MULTIMODAL, given=pictured.instance(MULTIMODAL, cats=kinds)))[0].words
    assert "kind 3 at 3, 1" in told
    assert "room-3-1 at 3, 1" in MULTIMODAL.panels(pictured.walk(MULTIMODAL))[0].words


def test_a_walk_that_shows_no_pictures_has_the_map_alone() -> None:
    blind = pictured.instance(MULTIMODAL, use_images=False)
    assert len(MULTIMODAL.panels(pictured.walk(MULTIMODAL, given=blind))) == 1


def test_a_map_whose_ways_do_not_fit_together_is_not_drawn() -> None:
    ways = {("a", "north"): "b", ("b", "south"): "a", ("b", "east"): "a"}
    assert laid_out("a", ways) is None
    assert laid_out("a", {("a", "north"): "b", ("b", "south"): "a"}) == {"a": (0, 0), "b": (0, 1)}
    assert laid_out("a", {("a", "north"): "b", ("b", "south"): "c"}) is None


@pytest.mark.parametrize(
    "name", ["<b>Bold</b> & \x1b[31mred", "A room with a name that is much longer than a room is wide"]
)
def test_any_name_of_a_room_is_but_words_in_the_map(name: str) -> None:
    given = texts.instance()
    given["instance"] = json.loads(json.dumps(given["instance"]).replace("Attic", json.dumps(name)[1:-1]))
    panel = only(texts.walk(TEXT, given=given))
    names = {each.tag.rpartition("}")[2] for each in ET.fromstring(panel.svg).iter()}
    assert names <= {"svg", "title", "g", "rect", "line", "path", "text", "circle"}
