"""The index: cards and totals, folded from gists."""

from typing import Any

import pytest

from palaver_observability.dashboard.cards import Key
from palaver_observability.dashboard.index import FRESH, FRESH_S, Index
from tests.observability.dashboard.stage import ended, key, started, turn


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def index(clock: Clock) -> Index:
    return Index(clock, {"toy": "success"}.get)


def tell(index: Index, *gists: dict[str, Any], of: Key | None = None, live: bool = True) -> None:
    for gist in gists:
        index.apply(of or key(), index.length(of or key()), gist, live=live)


def card_of(index: Index, of: Key | None = None) -> dict[str, Any]:
    card = index.card(of or key())
    assert card is not None
    return card.as_dict({"toy": "success"}.get)


def test_a_card_says_who_sits_where_and_whose_turn_it_is(index: Index) -> None:
    tell(index, started())

    card = card_of(index)

    assert (card["key"], card["seats"], card["waiting"]) == ("run/e0", {"a": "echo", "b": "parrot"}, ["a"])
    assert (card["turn"], card["asked_at"], card["outcome"], card["last"]) == (0, 1000.0, None, None)


def test_a_turn_adds_up_and_passes_the_word(index: Index) -> None:
    tell(index, started(), turn(asked=[["b", "parrot"]]), turn("b", agent="parrot"))

    card = card_of(index)

    assert (card["turn"], card["tokens"], card["cost"], card["latency"]) == (2, 60, 1.0, 0.5)
    assert (card["waiting"], card["last"]) == ([], {"seat": "b", "agent": "parrot"})


def test_seats_that_speak_at_once_are_all_waited_for_until_each_has_spoken(index: Index) -> None:
    tell(index, started(asked=[["a", "echo"], ["b", "parrot"]]), turn("a"))

    assert card_of(index)["waiting"] == ["b"]


def test_where_somebody_does_not_tell_the_price_nobody_knows_the_cost(index: Index) -> None:
    tell(index, started(), turn(), turn(usd=None))

    assert (card_of(index)["cost"], index.totals()["cost"]) == (None, None)


def test_a_frozen_turn_was_paid_for_elsewhere(index: Index) -> None:
    tell(index, started(), turn(copied=True))

    assert (card_of(index)["turn"], card_of(index)["tokens"]) == (1, 0)


def test_a_relay_shows_who_speaks_now_and_counts_the_handoff(index: Index) -> None:
    tell(index, started(seats={"a": "weak@1>strong"}, asked=[["a", "weak"]]))
    tell(index, turn(agent="weak", asked=[["a", "strong"]]))

    assert (card_of(index)["seats"], card_of(index)["handoffs"]) == ({"a": "strong"}, 1)


def test_a_team_stays_the_team_whoever_of_it_speaks(index: Index) -> None:
    team = "team(lead=boss,members=one+two)"
    tell(index, started(seats={"a": team}, asked=[["a", "boss"]]))
    tell(index, turn(type="aside", agent="boss", asked=[["member_1", "one"]]))

    card = card_of(index)

    assert (card["seats"], card["handoffs"], card["waiting"], card["asides"]) == ({"a": team}, 0, ["a"], 1)


def test_a_person_who_takes_a_seat_by_hand_is_marked(index: Index) -> None:
    changed = {"type": "seat.changed", "at": 1001.0, "asked": [], "seat": "b", "agent": "human"}
    tell(index, started(), changed)

    assert (card_of(index)["human"], card_of(index)["handoffs"]) == (["b"], 1)


def test_an_end_brings_outcome_and_main_score_and_takes_the_card_from_what_is_played(index: Index) -> None:
    tell(index, started(), turn(), ended())

    assert (card_of(index)["outcome"], card_of(index)["score"], card_of(index)["waiting"]) == ("solved", 1.0, [])
    assert (index.totals()["running"], index.totals()["ended"], index.totals()["outcomes"]) == (0, 1, {"solved": 1})


def test_an_episode_that_ended_with_an_error_and_is_taken_up_counts_once(index: Index) -> None:
    tell(index, started(), ended("error", error="down"), turn(), ended("solved"))

    assert index.totals()["outcomes"] == {"solved": 1}
    assert card_of(index)["turn"] == 1


def test_what_was_told_before_changes_nothing(index: Index) -> None:
    tell(index, started(), turn())

    assert index.apply(key(), 1, turn()) == "known"
    assert card_of(index)["turn"] == 1


def test_an_entry_that_comes_too_early_is_a_gap_and_changes_nothing(index: Index) -> None:
    tell(index, started())

    assert index.apply(key(), 2, turn()) == "gap"
    assert index.length(key()) == 1


def test_an_unknown_episode_whose_beginning_is_missing_is_a_gap(index: Index) -> None:
    assert index.apply(key(), 7, turn()) == "gap"
    assert index.card(key()) is None


def test_of_a_log_nobody_knows_who_is_asked_until_somebody_tells(index: Index) -> None:
    tell(index, started(), turn(), live=False)
    assert card_of(index)["waiting"] == []

    index.tell_waiting(key(), {"b": "parrot"}, 1001.0)

    assert (card_of(index)["waiting"], card_of(index)["asked_at"]) == (["b"], 1001.0)


def test_where_files_tell_of_answers_alone_each_turn_makes_it_unknown_again_who_is_asked(index: Index) -> None:
    tell(index, started(asked=None))
    index.tell_waiting(key(), {"a": "echo"}, 1000.0)
    tell(index, turn(asked=None))
    assert card_of(index)["waiting"] == []

    index.tell_waiting(key(), {"b": "parrot"}, 1001.0)

    assert card_of(index)["waiting"] == ["b"]


def test_old_turns_do_not_count_in_the_rates(index: Index) -> None:
    tell(index, started(), turn(), live=False)
    assert index.totals()["turns_per_min"] == 0

    tell(index, turn())

    assert (index.totals()["turns_per_min"], index.totals()["tokens_per_min"]) == (1, 30)


def test_rates_are_of_the_last_minute(index: Index, clock: Clock) -> None:
    tell(index, started(), turn())
    clock.now += 61

    assert index.totals()["turns_per_min"] == 0


def test_changes_tell_each_card_once(index: Index) -> None:
    tell(index, started(), turn())
    first = index.changes()

    assert first is not None
    assert [card["key"] for card in first["cards"]] == ["run/e0"]
    assert index.changes() is None


def test_an_ended_card_goes_after_two_minutes(index: Index, clock: Clock) -> None:
    tell(index, started(), ended(at=clock.now))
    assert [card["key"] for card in index.snapshot()["cards"]] == ["run/e0"]
    index.changes()
    clock.now += FRESH_S + 1

    changes = index.changes()

    assert changes is not None
    assert (changes["cards"], changes["gone"]) == ([], ["run/e0"])
    assert index.snapshot()["cards"] == []


def test_no_more_ended_cards_are_shown_than_fit(index: Index, clock: Clock) -> None:
    for number in range(FRESH + 10):
        tell(index, started(), ended(at=clock.now), of=key(f"e{number}"))

    assert len(index.snapshot()["cards"]) == FRESH


def test_an_episode_that_nobody_plays_any_more_goes_at_once(index: Index) -> None:
    tell(index, started())
    index.changes()

    index.drop(key())
    changes = index.changes()

    assert changes is not None
    assert changes["gone"] == ["run/e0"]


def test_errors_of_a_run_are_remembered(index: Index) -> None:
    tell(index, started(), ended("error", error="the provider is down"))

    assert list(index.run("run").errors) == [("e0", "the provider is down")]
