"""clembench's records of an episode, read and written."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palaver_gamemasters.clembench.records import (
    answers_of,
    decided,
    events_of,
    interactions,
    other_scores,
    prompts_of,
    scores_document,
    scores_of,
)
from palaver_gamemasters.minutes import GM, Minute
from palaver_protocols.errors import UsageError

NOON = datetime(2024, 10, 7, 12, tzinfo=UTC)
PLAYERS = {"GM": "Game master for toy", "Player 1": "Player 1: m", "Player 2": "Player 2: programmatic"}


def event(sender: str, receiver: str, kind: str, content: Any, at: str = "2024-10-07T12:00:00", **more: Any) -> Any:
    action = {"type": kind, "content": content, **more}
    return {"from": sender, "to": receiver, "timestamp": at, "action": action}


ASKED = event("GM", "Player 1", "send message", "Say something.")
SAID = event("Player 1", "GM", "get message", " Hello.\n", "2024-10-07T12:00:03.5", label="response")
OTHER = event("Player 2", "GM", "get message", "a script's answer")


def test_answers_are_those_of_models_to_the_letter_with_the_times_of_question_and_answer() -> None:
    (answer,) = answers_of(events_of({"players": {}, "meta": {}, "turns": [[ASKED, OTHER], [SAID]]}), ["Player 1"])
    assert answer.text == " Hello.\n"
    assert (answer.asked, answer.at) == (NOON, NOON + timedelta(seconds=3.5))


def test_a_record_without_readable_times_is_read_all_the_same() -> None:
    silent = {**SAID, "timestamp": "long ago"}
    (answer,) = answers_of(events_of({"turns": [[silent]]}), ["Player 1"])
    assert (answer.asked, answer.at) == (None, None)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ([], "no turns"),
        ({"turns": "none"}, "no turns"),
        ({"turns": [[ASKED], ASKED]}, "turn 2 is no list"),
        ({"turns": [["hello"]]}, "turn 1 has an event without an action"),
        ({"turns": [[{"from": "GM", "action": {"content": "x"}}]]}, "turn 1 has an event without an action"),
        ({"turns": [[event("Player 1", "GM", "get message", None)]]}, "turn 1 has an answer that is no text"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(document: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        events_of(document)


def test_prompts_are_those_of_models() -> None:
    again = event("GM", "Player 1", "send message (reprompt)", "Again.")
    to_a_script = event("GM", "Player 2", "send message", "{}")
    assert prompts_of(events_of({"turns": [[ASKED, again, to_a_script]]}), ["Player 1"]) == ["Say something.", "Again."]


def test_notes_count_by_kind_and_where_it_matters_by_content() -> None:
    notes = [
        event("GM", "GM", "valid format", "continue"),
        event("GM", "GM", "invalid format", "abort, first word: Hm"),
        event("GM", "GM", "move", '{"old": [0, 1], "new": [1, 1]}'),
        event("GM", "GM", "Decision Player A", "success"),
    ]
    assert decided(events_of({"turns": [notes]})) == [
        ("invalid format", ""),
        ("move", '{"old":[0,1],"new":[1,1]}'),
        ("Decision Player A", "success"),
    ]


def test_minutes_become_events_with_pictures_fields_and_times() -> None:
    minutes = (
        (
            Minute(GM, "Player 2", "send message", "{}"),
            Minute(GM, "Player 1", "send message", "Look.", ("a.png",)),
            Minute("Player 1", GM, "get message", "Hello."),
            Minute(GM, GM, "parse", "Hello.", (), {"answer": "hello"}),
        ),
        (Minute(GM, "Player 1", "send message", "And now?"), Minute("Player 1", GM, "get message", "Bye.")),
    )
    minute = timedelta(minutes=1)
    times = [(NOON + minute, NOON + 2 * minute), (NOON + 3 * minute, NOON + 4 * minute)]
    document = interactions(minutes, PLAYERS, ["Player 1"], NOON, times)

    assert document["players"] == PLAYERS
    first, second = document["turns"]
    assert first[1]["action"] == {"type": "send message", "content": "Look.", "image": ["a.png"]}
    assert first[3]["action"] == {"type": "parse", "content": "Hello.", "answer": "hello"}
    assert [each["timestamp"][11:16] for each in first + second] == [
        "12:00",
        "12:01",
        "12:02",
        "12:02",
        "12:03",
        "12:04",
    ]
    assert [answer.text for answer in answers_of(events_of(document), ["Player 1"])] == ["Hello.", "Bye."]


def test_scores_are_written_and_read_again_without_our_own() -> None:
    document = scores_document({"Main Score": None, "Aborted": 1.0, "success": 0.0})
    assert math.isnan(document["episode scores"]["Main Score"])
    assert scores_of(document) == {"Main Score": None, "Aborted": 1.0}
    assert scores_of({"episode scores": {"Success": True, "note": "x"}}) == {"Success": 1.0}


@pytest.mark.parametrize("document", [[], {}, {"episode scores": []}])
def test_what_are_no_scores_is_refused(document: Any) -> None:
    with pytest.raises(UsageError, match="no episode scores"):
        scores_of(document)


@pytest.mark.parametrize(
    ("name", "ours", "theirs", "same"),
    [
        ("Main Score", 85.714285714, 85.71428571428571, True),
        ("Main Score", 85.0, 86.0, False),
        ("Main Score", None, None, True),
        ("Main Score", None, 0.0, False),
        ("graph_similarity", 75.508, 0.75508, True),
        ("exploration", 75.0, 0.75, False),
    ],
)
def test_measures_are_compared_with_what_changed_over_time_in_mind(
    name: str, ours: float | None, theirs: float | None, same: bool
) -> None:
    assert other_scores({name: ours}, {name: theirs}) == ({} if same else {name: (ours, theirs)})


def test_a_measure_that_is_spelt_in_two_ways_is_one() -> None:
    assert other_scores({"efficiency": 50.0}, {"effieciency": 50.0, "unheard of": 1.0}) == {}
    assert other_scores({"effieciency": 50.0}, {"efficiency": 40.0}) == {"efficiency": (50.0, 40.0)}
