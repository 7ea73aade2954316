"""Recorded replies through a game: what is read, what is refused, what comes of it."""

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
from examples.count_up import GAME
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters import replay as replays
from palaver_gamemasters.game import Scores
from palaver_gamemasters.replay import Replay, ReplayResult, play_replay, read_replay, replay_line
from palaver_protocols.errors import UsageError
from tests.toys import Choices, Match

COUNT: dict[str, Any] = {"game": "count-up", "instance": {"target": 3}}


def counted(**changes: Any) -> ReplayResult:
    return play_replay(GAME, Replay.model_validate({**COUNT, **changes}), "x")


def said(*words: str) -> list[dict[str, str]]:
    """Replies by seat, in words like ``left:tea``."""
    return [dict(zip(("seat", "text"), word.split(":"), strict=True)) for word in words]


def matched(*words: str) -> ReplayResult:
    return play_replay(Match(), Replay.model_validate({"game": "match", "instance": {}, "replies": said(*words)}), "x")


def test_texts_are_taken_in_the_order_in_which_the_game_asks() -> None:
    assert counted(texts=["1", "2", "3"]) == ReplayResult(
        file="x", outcome="solved", scores={"success": 1.0, "reached": 3.0}, turns=3
    )


def test_replies_are_taken_by_seat() -> None:
    assert counted(replies=said("first:1", "first:3", "second:2")).outcome == "solved"


@pytest.mark.parametrize("order", [("left:tea", "right:tea"), ("right:tea", "left:tea")])
def test_who_speaks_at_the_same_time_may_be_written_down_in_any_order(order: tuple[str, str]) -> None:
    result = matched(*order, *order)
    assert (result.outcome, result.turns) == ("solved", 4)


def test_what_comes_after_the_end_is_not_used() -> None:
    result = counted(texts=["1", "5", "3", "4"])
    assert (result.turns, result.unused) == (2, 2)
    assert result.model_dump()["unused"] == 2


def test_a_result_says_nothing_of_unused_replies_where_there_are_none() -> None:
    assert "unused" not in counted(texts=["1", "2", "3"]).model_dump()


@pytest.mark.parametrize("given_up", [{"texts": ["1", "2"]}, {"replies": said("first:1", "second:2")}])
def test_a_replay_that_stops_is_scored_as_it_stands(given_up: Mapping[str, Any]) -> None:
    result = counted(**given_up)
    assert (result.outcome, result.scores["reached"], result.turns) == ("incomplete", 2.0, 2)


@pytest.mark.parametrize("nothing", [{"texts": []}, {"replies": []}])
def test_nobody_needs_to_have_said_anything(nothing: Mapping[str, Any]) -> None:
    assert (counted(**nothing).outcome, counted(**nothing).turns) == ("incomplete", 0)


def test_half_a_round_is_no_turn() -> None:
    result = matched("left:tea")
    assert (result.turns, result.unused) == (0, 1)


def test_an_unknown_seat_is_named() -> None:
    with pytest.raises(UsageError, match=r"count-up has no seat 'third' \(it has: first, second\)"):
        counted(replies=said("third:1"))


class Odd(Match):
    """A game that breaks the promises of the interface."""

    def score(self, state: Choices) -> Scores:
        return {"nan": math.nan, "endless": -math.inf, "none": None, "one": 1.0}


class Idle(Match):
    def pending(self, state: Choices) -> tuple[str, ...]:
        return ()


def of_odd_game(game: Match) -> ReplayResult:
    return play_replay(game, Replay(game="match", instance={}, texts=("tea", "tea")), "x")


def test_what_is_no_number_is_no_score() -> None:
    assert of_odd_game(Odd()).scores == {"nan": None, "endless": None, "none": None, "one": 1.0}


def test_a_game_that_asks_nobody_does_not_go_on_for_ever() -> None:
    assert of_odd_game(Idle()).outcome == "incomplete"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"texts": None}, "a replay has either 'replies' or 'texts' (give one of the two)"),
        ({"replies": []}, "a replay has either 'replies' or 'texts' (give one of the two)"),
        ({"texts": "1 2 3"}, "this is no replay: texts: Input should be a valid array"),
        ({"texts": [1]}, "this is no replay: texts.0: Input should be a valid string"),
        ({"game": None}, "this is no replay: game: Input should be a valid string"),
    ],
)
def test_what_is_no_replay_is_refused_in_one_line(changes: Mapping[str, Any], why: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_replay(json.dumps({**COUNT, "texts": ["1"], **changes}))
    assert str(raised.value) == why


def test_a_bug_of_a_game_is_an_error_of_this_replay_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "load_game", lambda name: Match())
    line = json.dumps({"game": "match", "instance": {}, "texts": ["break", "tea"]})

    result = replay_line(line, "-:1")

    assert (result.file, result.outcome) == ("-:1", None)
    assert result.error == "this replay breaks the game: ZeroDivisionError: this game has a bug"


@given(st.text() | st.binary())
def test_whatever_is_written_there_is_a_result(text: str | bytes) -> None:
    result = replay_line(text, "x")
    assert (result.outcome, result.turns) == (None, 0)
    assert result.error
