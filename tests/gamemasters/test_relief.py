"""Relays: who comes in when, and what it is shown."""

from typing import Any

import pytest
from examples.count_up import GAME, Count, CountUp, next_number

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.rollout import plan
from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import Aside, EpisodeStarted, SeatChanged, TurnRequest
from palaver_protocols.runs import RunConfig
from palaver_protocols.transcript import USER
from tests.gamemasters.folding import play, seated
from tests.support import NOON


class Watched(CountUp):
    """Count up, and tell how far it has come: no further than 3."""

    def progress(self, state: Count) -> float:
        return min(3.0, float(state.reached))


def opening(handoff: str = "all", **seats: str) -> EpisodeStarted:
    config = RunConfig(run_id="run", game="count-up", agents=("toy",), options={"target": 12})
    return seated(plan(GAME, config).openings[0], handoff, **seats)


def speak(request: TurnRequest) -> str:
    return "We are counting." if request.role == "leaver" else next_number(request)


def askers(asked: list[TurnRequest], seat: str = "first") -> list[str]:
    return [request.agent for request in asked if request.seat == seat]


def shown(request: TurnRequest) -> list[str]:
    return [message.text for message in request.view[1:]]


def test_a_relay_changes_at_its_turn_and_the_newcomer_sees_the_whole_dialogue_as_its_own() -> None:
    episode, _, asked = play(GAME, opening(first="ada@4>bob"), next_number)
    assert askers(asked) == ["ada", "ada", "bob", "bob", "bob", "bob"]
    assert [message.speaker for message in asked[4].view] == [USER, "first", "second", "first", "second"]
    assert episode.outcome == "solved"


def test_a_turn_of_the_other_seat_is_no_turn_of_the_relay_s_seat() -> None:
    _, _, asked = play(GAME, opening(second="ada@4>bob"), next_number)
    assert askers(asked, "second") == ["ada", "ada", "bob", "bob", "bob", "bob"]


def test_whoever_makes_no_progress_is_relieved_and_has_as_long_itself() -> None:
    _, _, asked = play(Watched(), opening(first="ada@stall:4>bob@stall:2>cid"), next_number)
    assert askers(asked) == ["ada", "ada", "ada", "ada", "bob", "cid"]


def test_a_game_that_knows_no_progress_has_no_progress_from_its_start() -> None:
    _, _, asked = play(GAME, opening(first="ada@stall:4>bob"), next_number)
    assert askers(asked) == ["ada", "ada", "bob", "bob", "bob", "bob"]


def test_whoever_has_used_its_tokens_is_relieved() -> None:
    _, _, asked = play(GAME, opening(first="ada@tokens:250>bob"), next_number, tokens=100)
    assert askers(asked) == ["ada", "ada", "ada", "bob", "bob", "bob"]


@pytest.mark.parametrize(
    ("handoff", "first", "second"),
    [
        ("all", ["1", "2", "3", "4"], ["1", "2", "3", "4", "5", "6"]),
        ("last:3", ["2", "3", "4"], ["2", "3", "4", "5", "6"]),
        ("last:9", ["1", "2", "3", "4"], ["1", "2", "3", "4", "5", "6"]),
        ("nothing", [], ["5", "6"]),
    ],
)
def test_a_newcomer_is_shown_what_the_run_says(handoff: str, first: list[str], second: list[str]) -> None:
    def count(request: TurnRequest) -> str:
        return str(request.turn + 1)

    _, _, asked = play(GAME, opening(handoff, first="ada@4>bob"), count, turns=7)
    assert shown(asked[4]) == first
    assert shown(asked[6]) == second
    assert shown(asked[5]) == ["1", "2", "3", "4", "5"], "the other seat has not changed"


def test_the_agent_that_leaves_writes_a_summary_that_its_successor_alone_is_shown() -> None:
    def talk(request: TurnRequest) -> str:
        return "We are at four." if request.role == "leaver" else str(request.turn + 1)

    _, log, asked = play(GAME, opening("summary", first="ada@4>bob"), talk, turns=7)
    farewell = asked[4]
    assert (farewell.role, farewell.agent, farewell.seat) == ("leaver", "ada", "first")
    assert [message.text for message in farewell.view[1:-1]] == ["1", "2", "3", "4"]
    assert "takes over your seat" in farewell.view[-1].text
    assert isinstance(log[5], Aside)
    assert (log[5].kind, log[5].seat, log[5].audience) == ("summary", "first", ())
    assert asked[5].agent == "bob"
    (told, *rest) = shown(asked[5])
    assert told.startswith("You take over this seat")
    assert told.endswith("We are at four.")
    assert rest == []
    assert shown(asked[7]) == [told, "5", "6"]
    assert shown(asked[6]) == ["1", "2", "3", "4", "5"]


def test_who_has_said_nothing_has_nothing_to_sum_up() -> None:
    _, log, asked = play(GAME, opening("summary", second="ada@1>bob"), next_number, turns=2)
    assert [request.agent for request in asked] == ["toy", "bob"]
    assert not any(isinstance(entry, Aside) for entry in log)


def test_every_place_of_a_log_with_a_summary_is_one_to_go_on_from() -> None:
    _, log, asked = play(GAME, opening("summary", first="ada@4>bob@8>cid"), speak)
    for length in range(1, len(log)):
        episode = Episode.from_log(GAME, log[:length])
        assert asked[length - 1] in list(episode.requests(timeout_s=1.0))


def test_segments_tell_what_was_reached_by_whom() -> None:
    episode, _, _ = play(GAME, opening(first="ada@4>bob@8>cid"), next_number)
    assert [(part.agents["first"], part.from_turn, part.until_turn) for part in episode.segments] == [
        ("ada", 0, 4),
        ("bob", 4, 8),
        ("cid", 8, 12),
    ]
    assert [part.scores["reached"] for part in episode.segments] == [4, 8, 12]


def test_without_a_handoff_there_are_no_segments() -> None:
    assert play(GAME, opening(first="ada@40>bob"), next_number)[0].segments == ()


def change(seat: str = "first", agent: str = "eve") -> SeatChanged:
    return SeatChanged(key="changed", seat=seat, agent=agent, at=NOON)


def test_a_seat_is_changed_by_hand_from_its_next_turn_and_its_plan_is_off() -> None:
    episode, log, _ = play(GAME, opening(first="ada@6>bob"), next_number, turns=3)
    episode = Episode.from_log(GAME, [*log, change()])
    agents = []
    while episode.outcome is None:
        (request,) = episode.requests(timeout_s=1.0)
        agents.append((request.seat, request.agent))
        episode.take(play_one(episode, request))
    assert agents[:2] == [("second", "toy"), ("first", "eve")]
    assert {agent for seat, agent in agents if seat == "first"} == {"eve"}
    assert [part.agents["first"] for part in episode.segments] == ["ada", "eve"]


def play_one(episode: Episode, request: TurnRequest) -> Any:
    from tests.support import a_reply

    return episode.step(request, a_reply(request, next_number(request)), NOON)


def test_whoever_is_thinking_when_it_is_replaced_is_not_waited_for() -> None:
    _, log, _ = play(GAME, opening(first="ada"), next_number, turns=2)
    (before,) = Episode.from_log(GAME, log).requests(timeout_s=1.0)
    (after,) = Episode.from_log(GAME, [*log, change()]).requests(timeout_s=1.0)
    assert (before.agent, after.agent) == ("ada", "eve")
    assert before.key != after.key


def test_a_seat_that_there_is_not_cannot_change() -> None:
    with pytest.raises(ProtocolError, match="no seat 'third'"):
        Episode.from_log(GAME, [opening(), change("third")])
