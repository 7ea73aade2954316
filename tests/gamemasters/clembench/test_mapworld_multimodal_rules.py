"""MapWorld with pictures by hand: what walkers are told and shown, what answers do, how episodes end."""

import json
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM
from palaver_gamemasters.clembench.mapworld.maps import STEPS
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld
from palaver_gamemasters.clembench.pictures import words
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.mapworld_pictured import (
    EAST,
    EDGES,
    MIDDLE,
    TOUR,
    WEST,
    draw,
    go,
    instance,
    noted,
    room,
    told,
    tour,
    walk,
)

STEP = "We have made a step and are now in this room. From here we can go: {}. What is your next instruction?"
WALL = "The move was invalid and we are still in this room. From here we can go: {}. What is your next instruction?"
MOVES_AGAIN = ("north", "south") * 10


def test_the_walker_is_told_the_task_with_directions_in_the_order_of_edges() -> None:
    assert told(walk(MULTIMODAL_ROOM)) == "Look around for a wine cellar. From here we can go: east, north."
    turned = instance(MULTIMODAL, edges=[str(each) for each in reversed(EDGES)])
    assert told(walk(MULTIMODAL, given=turned)).endswith("From here we can go: north, east.")


def test_after_a_step_the_walker_is_told_where_it_can_go() -> None:
    state = walk(MULTIMODAL, go("east"))
    assert told(state) == STEP.format("east, west")
    assert noted(state) == [("Valid format", "continue"), ("move", '{"old": [1, 1], "new": [2, 1]}')]


def test_a_move_against_a_wall_is_no_error() -> None:
    state = walk(MULTIMODAL, go("south"))
    assert told(state) == WALL.format("east, north")
    assert noted(state)[-1] == ("move", '{"old": [1, 1], "new": [1, 1]}')
    assert told(walk(MULTIMODAL, go("south"), go("east"))) == STEP.format("east, west")


def test_only_the_picture_of_the_room_is_in_the_history() -> None:
    state = walk(MULTIMODAL, go("east"), go("east"))
    view = MULTIMODAL.view(state, "walker")
    assert [message.speaker for message in view] == ["user", "walker", "user", "walker", "user"]
    pictures = [[part for part in message.parts if isinstance(part, Image)] for message in view]
    assert [len(each) for each in pictures] == [0, 0, 0, 0, 1]
    assert pictures[-1][0].alt == words(room("room-3-1.png"))


def test_an_instance_can_be_played_without_pictures() -> None:
    state = walk(MULTIMODAL, given=instance(MULTIMODAL, use_images=False))
    assert not any(isinstance(part, Image) for part in MULTIMODAL.view(state, "walker")[0].parts)


def test_the_minutes_tell_what_passes_between_the_players() -> None:
    first, second = walk(MULTIMODAL, go("east")).minutes
    told_first = "Look around. From here we can go: east, north."
    assert [(each.sender, each.receiver, each.kind, each.content) for each in first] == [
        ("GM", "GM", "room_image", '{"image": ["room-1-1.png"]}'),
        ("GM", "Player 1", "send message", '{"start": [1, 1], "size": 4, "game": "mm_mapworld"}'),
        ("Player 1", "GM", "get message", told_first),
        ("GM", "Player 2", "send message", told_first),
        ("Player 2", "GM", "get message", go("east")),
        ("GM", "GM", "Valid format", "continue"),
        ("GM", "GM", "move", '{"old": [1, 1], "new": [2, 1]}'),
    ]
    assert [(each.sender, each.receiver, each.content) for each in second][:2] == [
        ("GM", "GM", '{"image": ["room-2-1.png"]}'),
        ("GM", "Player 1", go("east")),
    ]


def test_the_answer_is_kept_on_one_line_with_directions_in_lower_case() -> None:
    said = '\n {"description": "Facing NORTH and West.",\n"action": "GO: East"}\n'
    state = walk(MULTIMODAL, said)
    assert state.history("walker")[1].text == '{"description": "Facing north and west.","action": "GO: east"}'
    assert state.now.room == MIDDLE


ACTIONS = ["GO: east", "go: East", "GO:east", "GO:   east", "GO: EAST", "Go: east"]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_direction_may_be_written_in_many_ways(action: str) -> None:
    assert walk(MULTIMODAL, json.dumps({"description": "x", "action": action})).now.room == MIDDLE


@pytest.mark.parametrize("action", ["DONE", "done", "Done"])
def test_done_may_be_written_in_many_ways(action: str) -> None:
    state = walk(MULTIMODAL, json.dumps({"description": "x", "action": action}))
    assert (state.ending, noted(state)) == ("played", [("DONE", True)])


LET_PASS = [
    '{"description": "x", "action": "go: West"}',
    '{"description": "x",\n "action":\n "GO: west"}',
    '{ "description":"x" ,"action":"GO: west" }',
    '{"description": "", "action": "GO: west"}',
    '{"description":"a","x":"b","action":"GO: west"}',
    '{"description":"a","action":"GO: west","x":"y"}',
    '{"description": "a } b", "action": "GO: west"}',
    '{"description": "a \\"b\\" c", "action": "GO: west"}',
    '{"Description": "x", "action": "GO: west"}',
]


@pytest.mark.parametrize("text", LET_PASS)
def test_answers_of_the_right_form_go_on(text: str) -> None:
    assert walk(MULTIMODAL, text).ending is None


REFUSED = [
    ("", "Invalid format"),
    ("GO: east", "Invalid format"),
    ('```json\n{"description": "x", "action": "GO: west"}\n```', "Invalid format"),
    ('{"description": "x", "action": "GO: west"} Good?', "Invalid format"),
    ('{"action": "GO: west", "description": "x"}', "Invalid format"),
    ("{'description': 'x', 'action': 'GO: west'}", "Invalid format"),
    ('{"description": "x", "action": "GO: west",}', "Invalid format"),
    ('{"description" : "x", "action": "GO: west"}', "Invalid format"),
    ('{"description": "a { b", "action": "GO: west"}', "Invalid format"),
    ('{"description": "x", "action": "GO west"}', "Invalid format"),
    ('{"description": "x", "action": "GO: up"}', "Invalid format"),
    ('{"description": "x", "action": "DONE."}', "Invalid format"),
    ('{"description": "x", "action": " DONE"}', "Invalid format"),
    ('{"description": "it\\\'s", "action": "GO: west"}', "JSON decode error"),
    ('{"description": "a\tb", "action": "GO: west"}', "JSON decode error"),
    ('{"description": "say "x"", "action": "GO: west"}', "JSON decode error"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_answers_of_another_form_abort(text: str, why: str) -> None:
    state = walk(MULTIMODAL, go("east"), text)
    assert state.ending == "aborted"
    assert [kind for kind, _ in noted(state)][-2:] == [why, "aborted"]
    assert len(state.history("walker")) == 3


CRASHES = [
    '{"Description": "x", "Action": "GO: west"}',
    '{"description": "x", "action": "GO: west", "action": 5, "x": "y"}',
]


@pytest.mark.parametrize("game", [MULTIMODAL, MULTIMODAL_ROOM], ids=lambda game: game.name)
@pytest.mark.parametrize("text", CRASHES)
def test_v165_looks_for_the_key_to_the_letter_and_raises(game: MultimodalMapWorld, text: str) -> None:
    state = walk(game, text)
    assert (game.outcome(state), game.score(state)) == ("crashed", {})


def test_answers_too_deep_for_json_raise_as_well() -> None:
    text = '{"description": "x", "action": "DONE", "x":' + "[" * 50_000 + '"y"}'
    assert MULTIMODAL.outcome(walk(MULTIMODAL, text)) == "crashed"
    assert MULTIMODAL.outcome(walk(MULTIMODAL, text, profile="clean")) == "aborted"


def test_in_the_graph_game_capital_keys_do_no_harm_and_json_is_not_read() -> None:
    said = draw("west").replace('"action"', '"Action"').replace("A room.", "It\\'s a\troom.")
    assert walk(MULTIMODAL_GRAPHS, said).ending is None


def test_in_the_graph_game_the_action_comes_first() -> None:
    said = '{"description": "x", "action": "GO: west", "graph": {"nodes": [], "edges": {}}}'
    assert walk(MULTIMODAL_GRAPHS, said).ending == "aborted"
    assert walk(MULTIMODAL_GRAPHS, '{"action": "DONE", "description": "x", "graph": "{...}"}').ending == "aborted"


@pytest.mark.parametrize("way", ["east", "DONE", "HALT"])
def test_a_graph_is_noted_whatever_the_action_is(way: str) -> None:
    state = walk(MULTIMODAL_GRAPHS, draw(way, {"nodes": ["Hall"], "edges": {}}))
    assert noted(state)[0] == ("graph", '{"nodes": ["Hall"], "edges": {}}')


def test_done_as_the_nineteenth_answer_counts_and_as_the_twentieth_comes_too_late() -> None:
    assert walk(MULTIMODAL, *map(go, MOVES_AGAIN[:18]), go("DONE")).ending == "played"
    late = walk(MULTIMODAL, *map(go, MOVES_AGAIN[:19]), go("DONE"))
    assert late.ending == "aborted"
    assert noted(late)[-3:] == [("DONE", True), ("aborted", True), ("turn limit reached", True)]


def test_after_twenty_moves_it_is_over_even_if_all_rooms_were_seen() -> None:
    state = walk(MULTIMODAL, *map(go, MOVES_AGAIN))
    assert (state.ending, MULTIMODAL.outcome(state), len(state.minutes)) == ("aborted", "aborted", 20)
    assert noted(state)[-1] == ("turn limit reached", True)


def test_progress_is_the_share_of_rooms_visited() -> None:
    shares = [MULTIMODAL.progress(walk(MULTIMODAL, *map(go, TOUR[:moves]))) for moves in range(5)]
    assert shares == [0.25, 0.5, 0.5, 0.75, 1.0]


def test_the_walk_is_kept_as_moves() -> None:
    assert walk(MULTIMODAL, *map(go, TOUR)).now.moves == tour(*TOUR)
    assert walk(MULTIMODAL, *map(go, TOUR)).now.room == EAST


# clean


def test_cleanly_the_twentieth_done_counts_and_the_twentieth_move_does_not_go_on() -> None:
    assert walk(MULTIMODAL, *map(go, MOVES_AGAIN[:19]), go("DONE"), profile="clean").ending == "played"
    assert walk(MULTIMODAL, *map(go, MOVES_AGAIN), profile="clean").ending == "aborted"


def test_cleanly_capital_keys_and_tabs_are_accepted() -> None:
    assert walk(MULTIMODAL, CRASHES[0].replace("west", "east"), profile="clean").now.room == MIDDLE
    assert walk(MULTIMODAL, '{"description": "a\tb", "action": "GO: east"}', profile="clean").now.room == MIDDLE


def test_cleanly_an_action_that_is_no_text_aborts() -> None:
    assert walk(MULTIMODAL, CRASHES[1], profile="clean").ending == "aborted"


# instances

UNFIT: list[tuple[str, Any, str]] = [
    ("nodes", ["(1, 1)", "1, 2"], "nodes.1: '1, 2' is no place such as \"(1, 2)\""),
    ("nodes", [], "nodes: "),
    ("nodes", ["(1, 1)", "(1, 1)"], "nodes: a room is in it twice"),
    ("nodes", None, "nodes: Field required"),
    ("edges", ["(1, 1)"], "edges.0: "),
    ("edges", [str(each) for each in EDGES[:-1]], "edges: there is no way back from (1, 2) to (1, 1)"),
    ("edges", [str(each) for each in (EDGES[1], EDGES[2], EDGES[4], EDGES[5])], "edges: no way leads from (1, 1)"),
    ("edges", ["((1, 1), (7, 7))"], "edges: (7, 7) is not in nodes"),
    ("edges", ["((1, 1), (3, 1))", "((3, 1), (1, 1))"], "edges: (3, 1) is not next to (1, 1)"),
    ("imgs", {"(1, 1)": "a.png"}, "imgs: "),
    ("start", "(9, 9)", "start: (9, 9) is not in nodes"),
    ("response_regex", "(", "response_regex: "),
    ("done_regex", "[", "done_regex: "),
    ("move_regex", "^GO$", "move_regex: it has no group for the direction"),
    ("initial_prompt", None, "initial_prompt: Field required"),
    ("reprompt", True, "reprompt: "),
]


@pytest.mark.parametrize(("field", "value", "said"), UNFIT)
def test_an_instance_that_makes_no_game_is_refused_in_one_line(field: str, value: Any, said: str) -> None:
    with pytest.raises(InstanceError) as caught:
        walk(MULTIMODAL, given=instance(MULTIMODAL, **{field: value}))
    assert said in caught.value.message
    assert caught.value.message.startswith("mm_mapworld instance: ")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("field", ["target", "target_cat", "dist"])
def test_a_room_to_be_found_needs_a_target(field: str) -> None:
    with pytest.raises(InstanceError, match=f"mm_mapworld_specificroom instance: {field} is missing"):
        walk(MULTIMODAL_ROOM, given=instance(MULTIMODAL_ROOM, **{field: None}))


def test_a_target_is_one_of_the_rooms() -> None:
    with pytest.raises(InstanceError, match=r"target: \(9, 9\) is not in nodes"):
        walk(MULTIMODAL_ROOM, given=instance(MULTIMODAL_ROOM, target="(9, 9)"))


def test_a_direction_that_nobody_knows_leads_nowhere() -> None:
    given = instance(MULTIMODAL, move_regex=r"^GO:\s*(\w+)$")
    state = walk(MULTIMODAL, json.dumps({"description": "x", "action": "GO: up"}), given=given)
    assert (state.now.room, "up" in STEPS) == (WEST, False)
