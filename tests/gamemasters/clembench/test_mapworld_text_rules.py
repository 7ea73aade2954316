"""Textual MapWorld to the letter: what counts as an answer, what is told, what is logged and how it is measured."""

import json
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import TEXT, TEXT_GRAPHS, TEXT_ROOM
from palaver_gamemasters.clembench.mapworld.text.scores import loops_of
from palaver_gamemasters.clembench.mapworld.walk import harmonic
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.mapworld_texts import TOUR, fields, instance, told, walk
from tests.gamemasters.clembench.playing import events

STAY = "GO: west"


def test_the_guesser_is_told_where_it_is_and_what_it_looks_for() -> None:
    assert told(walk(TEXT_ROOM)) == "You are in the Hall. Directions: north, east. Find: Bar."


@pytest.mark.parametrize("text", ["DONE", "done", "Done", "DONE\n"])
def test_done_stops(text: str) -> None:
    state = walk(TEXT, text)
    assert TEXT.outcome(state) == "failed"
    assert events(state) == [("stop", True)]


@pytest.mark.parametrize("text", ["GO: north", "go:North", "GO:\nnorth", "GO: north\n", "Go:   NORTH"])
def test_a_move_leads_into_the_next_room(text: str) -> None:
    state = walk(TEXT, text)
    assert told(state) == (
        "You have made a step and entered Attic. Currently available directions: south. What is your next instruction?"
    )
    assert events(state) == [("move", json.dumps({"old": "Hall", "new": "Attic"}))]


@pytest.mark.parametrize(
    "text",
    [
        *("", " DONE", "DONE.", "DONE ", "DONE\n\n", "**DONE**", "GO: north.", "GO: north ", " GO: north"),
        *("GO: north\nDONE", "GO: north, east", "GO: up", "GO north", "I go north", "up"),
    ],
)
def test_anything_else_aborts(text: str) -> None:
    state = walk(TEXT, "GO: north", text)
    assert TEXT.outcome(state) == "aborted"
    assert events(state)[-1] == ("aborted", True)
    scores = dict(TEXT.score(state))
    given = {name: scores.pop(name) for name in ("Aborted", "Success", "Lose", "success")}
    assert given == {"Aborted": 1.0, "Success": 0.0, "Lose": 0.0, "success": 0.0}
    assert set(scores) >= {"Main Score", "moves", "stopped", "turns_limit", "loops", "seen", "efficiency"}
    assert set(scores.values()) == {None}


def test_an_answer_that_aborts_is_not_in_the_history() -> None:
    assert [each.speaker for each in walk(TEXT, "up").history("guesser")] == ["user"]


def test_answers_are_kept_as_they_came() -> None:
    assert walk(TEXT, "go:North\n").history("guesser")[1].text == "go:North\n"


def test_a_direction_that_is_not_there_costs_a_turn_and_nothing_else() -> None:
    state = walk(TEXT, STAY, *TOUR, "DONE")
    assert TEXT.score(state)["efficiency"] == 100
    assert TEXT.score(state)["invalid_moves"] == 0
    assert [kind for kind, _ in events(state)] == ["move"] * 4 + ["stop"]


def test_a_direction_that_is_not_there_leaves_the_guesser_where_it_is() -> None:
    assert told(walk(TEXT, STAY)) == (
        "The move is not valid. You are still in the Hall. Currently available directions: north, east. "
        "What is your next instruction?"
    )


def test_done_as_the_twentieth_answer_counts() -> None:
    assert TEXT.outcome(walk(TEXT, *TOUR, *["GO: east"] * 15, "DONE")) == "solved"


def test_twenty_turns_without_done_are_aborted() -> None:
    state = walk(TEXT, *TOUR, *["GO: east"] * 16)
    assert TEXT.outcome(state) == "aborted"
    assert events(state)[-1] == ("turns_limit", True)
    assert TEXT.score(state)["turns_limit"] is None


def test_a_perfect_tour_has_full_marks() -> None:
    scores = TEXT.score(walk(TEXT, *TOUR, "DONE"))
    assert scores == {
        "Main Score": 100,
        "Aborted": 0,
        "Success": 1,
        "Lose": 0,
        "moves": 4,
        "valid_moves": 4,
        "invalid_moves": 0,
        "stopped": 1,
        "turns_limit": 0,
        "loops": 0,
        "number_visited": 4,
        "seen": 4,
        "efficiency": 100,
        "exploration": 100,
        "success": 1,
    }


def test_done_at_once_has_none() -> None:
    scores = TEXT.score(walk(TEXT, "DONE"))
    assert (scores["Main Score"], scores["Lose"], scores["efficiency"], scores["exploration"]) == (0, 1, 0, 25)
    assert (scores["number_visited"], scores["seen"]) == (1, 3)


def test_rooms_that_nobody_has_seen_count_for_the_best_walk() -> None:
    # by way of the Kitchen, walks of v1.6.5 go on to the Bar, which the guesser does not know of; cleanly they do not
    texts = ["GO: east", "GO: east", "GO: west", "GO: west", "GO: north", "DONE"]
    assert TEXT.score(walk(TEXT, *texts))["efficiency"] == 80
    assert TEXT.score(walk(TEXT, *texts, profile="clean"))["efficiency"] == 100


def test_moves_after_all_was_seen_are_bad() -> None:
    assert TEXT.score(walk(TEXT, *TOUR, "GO: west", "DONE"))["efficiency"] == 80


def test_an_unfinished_episode_has_no_measures_yet() -> None:
    scores = TEXT.score(walk(TEXT, *TOUR))
    assert (scores["Main Score"], scores["Aborted"], scores["efficiency"]) == (None, 0, None)


def test_progress_is_the_share_of_rooms_visited() -> None:
    found = [TEXT.progress(walk(TEXT, *TOUR[:count])) for count in range(5)]
    assert found == [0.25, 0.5, 0.5, 0.75, 1.0]


def test_the_minutes_say_what_passed_between_all_players() -> None:
    entries = [[(each.sender, each.receiver, each.kind) for each in turn] for turn in walk(TEXT, "GO: east").minutes]
    assert entries == [
        [
            ("GM", "Player 1", "send message"),
            ("Player 1", "GM", "get message"),
            ("GM", "Player 2", "send message"),
            ("Player 2", "GM", "get message"),
            ("GM", "GM", "move"),
        ],
        [("GM", "Player 1", "send message")],
    ]


def test_rooms_of_the_same_name_are_shown_without_their_places() -> None:
    names = json.dumps(instance()).replace("Attic", "Kitchen_(0, 1)").replace("'Kitchen'", "'Kitchen_(1, 0)'")
    given = json.loads(names)
    assert "entered Kitchen. " in told(walk(TEXT, "GO: north", given=given))
    assert "still in the Kitchen. " in told(walk(TEXT, "GO: north", "GO: east", given=given))
    assert TEXT.score(walk(TEXT, *TOUR, "DONE", given=given))["Main Score"] == 100


@pytest.mark.parametrize(
    ("rooms", "kept", "forgotten"),
    [
        ("", 0, 0),
        ("ba", 0, 0),
        ("bab", 1, 1),
        ("babab", 3, 1),
        ("bababab", 5, 2),
        ("bcdcdc", 2, 1),
        ("bcd", 0, 0),
    ],
)
def test_four_rooms_of_which_two_differ_are_a_loop(rooms: str, kept: int, forgotten: int) -> None:
    assert loops_of("a", rooms, forgetful=False) == kept
    assert loops_of("a", rooms, forgetful=True) == forgotten


def test_only_the_game_with_a_target_forgets_loops() -> None:
    texts = ["GO: east", "GO: west"] * 3 + ["DONE"]
    assert TEXT.score(walk(TEXT, *texts))["loops"] == 4
    assert TEXT_ROOM.score(walk(TEXT_ROOM, *texts))["loops"] == 1


def test_no_mean_of_nothing() -> None:
    assert harmonic(0, 0) == harmonic(0, 100) == 0
    assert harmonic(100, 75) == pytest.approx(85.714285714)


@pytest.mark.parametrize(("target", "solved"), [("Hall", True), ("hALL", True), ("Bar", False)])
def test_done_at_once_finds_the_room_one_is_in(target: str, solved: bool) -> None:
    state = walk(TEXT_ROOM, "DONE", given=instance("find", Specific_Room=target))
    assert (TEXT_ROOM.outcome(state) == "solved") is solved
    assert TEXT_ROOM.score(state)["Main Score"] == 100 * solved


def test_finding_a_room_does_not_ask_for_the_shortest_way() -> None:
    scores = TEXT_ROOM.score(walk(TEXT_ROOM, *TOUR, "DONE"))
    assert (scores["Main Score"], scores["Success"], scores["old_benchscore"]) == (100, 1, 100)


def test_passing_a_room_does_not_find_it() -> None:
    scores = TEXT_ROOM.score(walk(TEXT_ROOM, *TOUR, "GO: west", "DONE"))
    assert (scores["Main Score"], scores["Lose"]) == (0, 1)
    assert scores["old_benchscore"] == pytest.approx(harmonic(80, 100))


@pytest.mark.parametrize("text", [" DONE", "DONE ", "\n\nDONE\n\n"])
def test_cleanly_white_space_around_an_answer_is_no_matter(text: str) -> None:
    assert TEXT.outcome(walk(TEXT, *TOUR, text, profile="clean")) == "solved"


def test_cleanly_a_way_that_is_not_there_is_a_bad_move() -> None:
    scores = TEXT.score(walk(TEXT, STAY, *TOUR, "DONE", profile="clean"))
    assert (scores["moves"], scores["invalid_moves"], scores["efficiency"]) == (5, 1, 80)


def test_cleanly_an_aborted_walk_is_measured_as_far_as_it_went() -> None:
    scores = TEXT.score(walk(TEXT, "GO: north", "up", profile="clean"))
    assert (scores["Main Score"], scores["Aborted"], scores["Success"], scores["Lose"]) == (None, 1, 0, 0)
    assert (scores["moves"], scores["exploration"], scores["stopped"]) == (1, 50, 0)


MALFORMED: list[tuple[str, Any]] = [
    ("Prompt", None),
    ("Graph_Nodes", "['Hall', "),
    ("Graph_Nodes", "Hall"),
    ("Graph_Nodes", "[]"),
    ("Graph_Nodes", "['Hall', 'Hall', 'Kitchen', 'Bar', 'Attic']"),
    ("Graph_Nodes", "[" * 5000),
    ("Graph_Nodes", "{[]: 1}"),
    ("Graph_Edges", "[('Hall', 'Cave')]"),
    ("Graph_Edges", "[('Hall', 'Attic', 'Bar')]"),
    ("Graph_Edges", "[('Kitchen', 'Bar'), ('Hall', 'Attic')]"),
    ("Current_Position", "Cave"),
    ("Directions", "[('Hall', ['north'])]"),
    ("Directions", 7),
    ("Moves", "[]"),
    ("Moves", "[{'node': 'Hall'}]"),
    ("Move_Construction", "^GO:("),
    ("Move_Construction", "^GO$"),
    ("Stop_Construction", 3),
    ("Loop_Reminder", True),
    ("Max_Turns_Reminder", True),
]


@pytest.mark.parametrize(("field", "value"), MALFORMED)
def test_a_malformed_field_is_named_in_one_line(field: str, value: Any) -> None:
    with pytest.raises(InstanceError) as caught:
        walk(TEXT, given=instance(**{field: value}))
    said = str(caught.value)
    assert said.startswith("textmapworld instance: ")
    assert field in said
    assert "\n" not in said


def test_a_direction_that_leads_nowhere_is_named() -> None:
    ways = {"Hall": ["up"], "Kitchen": [], "Bar": [], "Attic": []}
    with pytest.raises(InstanceError, match="Moves: up of Hall is missing"):
        walk(TEXT, given=instance(Directions=str(list(ways.items()))))


def test_an_edge_that_no_connection_makes_is_named() -> None:
    moves = fields()["Moves"].replace("('east', 'Kitchen')", "('east', 'Bar')")
    with pytest.raises(InstanceError, match="Moves: east of Hall leads to Bar, to which it has no edge"):
        walk(TEXT, given=instance(Moves=moves))


def test_a_room_that_cannot_be_reached_is_named() -> None:
    ways = {"Hall": ["north"], "Kitchen": [], "Bar": [], "Attic": ["south"]}
    given = instance(Graph_Edges="[('Hall', 'Attic')]", Directions=str(list(ways.items())))
    with pytest.raises(InstanceError, match="Graph_Edges: no way leads from Hall to Bar"):
        walk(TEXT, given=given)


def test_a_room_to_be_found_must_be_named_and_there() -> None:
    with pytest.raises(InstanceError, match="textmapworld_specificroom instance: Specific_Room is missing"):
        walk(TEXT_ROOM, given=instance("find", Specific_Room=None))
    with pytest.raises(InstanceError, match="Specific_Room: Cave is not in Graph_Nodes"):
        walk(TEXT_ROOM, given=instance("find", Specific_Room="Cave"))


def test_a_map_is_as_large_as_the_grid_at_most() -> None:
    rooms = [f"Room {number}" for number in range(17)]
    with pytest.raises(InstanceError, match=r"Graph_Nodes: .* at most 16 items"):
        walk(TEXT, given=instance(Graph_Nodes=str(rooms)))
    with pytest.raises(InstanceError, match=r"Graph_Edges: .* at most 24 items"):
        walk(TEXT, given=instance(Graph_Edges=str([("Hall", "Bar")] * 25)))


def test_the_seat_is_the_guessers_alone() -> None:
    options = TEXT_GRAPHS.configure({})
    assert TEXT_GRAPHS.seats(options) == ("guesser",)
    assert TEXT_GRAPHS.turn_limit(options) == 20
