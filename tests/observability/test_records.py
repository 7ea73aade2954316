"""The fold from an episode's log to its record."""

import json
from datetime import timedelta
from typing import Any

import pytest

from palaver_observability.records import ended_for_good, line_of, record_of
from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import EpisodeEnded, LogEntry, SeatFiller, Segment, TurnTaken, Usage
from palaver_protocols.runs import EpisodeRecord
from tests.support import NOON, a_reply, a_request, a_start

KEYS = (
    "schema run_id episode_id game variant instance_id seed seats protocol outcome scores turns asides frozen "
    "prefix_sha256 segments message_tokens finish_reasons gradings usage latency_s cost_usd started ended error"
)


def turn(seat: str, agent: str, **reply: Any) -> TurnTaken:
    return TurnTaken(key=f"{seat}-{agent}", reply=a_reply(a_request(seat=seat, agent=agent), **reply), at=NOON)


def end(**changes: Any) -> EpisodeEnded:
    fields: dict[str, Any] = {"key": "end", "outcome": "solved", "scores": {"success": 1.0}, "at": NOON}
    return EpisodeEnded(**{**fields, **changes})


def test_a_log_becomes_one_record() -> None:
    start = a_start(seats={"a": (SeatFiller(agent="x/m"),), "b": (SeatFiller(agent="y/n"),)})
    log: list[LogEntry] = [
        start,
        turn("a", "x/m", model="m-1", usage=Usage(input_tokens=5, output_tokens=3), latency_s=0.5, cost_usd=0.25),
        turn("b", "y/n", model="n-2", usage=Usage(input_tokens=7, reasoning_tokens=1), latency_s=0.25, cost_usd=0.0),
        turn("a", "x/m", model="m-1", usage=Usage(input_tokens=11), latency_s=1.0, cost_usd=0.5),
        end(at=NOON + timedelta(seconds=9)),
    ]
    record = record_of(log)
    assert record.usage == {
        "a": Usage(input_tokens=16, output_tokens=3),
        "b": Usage(input_tokens=7, reasoning_tokens=1),
    }
    assert (record.turns, record.latency_s, record.cost_usd) == (3, 1.75, 0.75)
    assert record.seats["b"] == (SeatFiller(agent="y/n", model="n-2"),)
    assert (record.outcome, record.scores, record.error) == ("solved", {"success": 1.0}, None)
    assert (record.started, record.ended) == (NOON, NOON + timedelta(seconds=9))


def test_each_agent_of_a_relay_has_its_own_model() -> None:
    relay = (SeatFiller(agent="x/m"), SeatFiller(agent="y/n", from_turn=4), SeatFiller(agent="z", from_turn=8))
    log: list[LogEntry] = [
        a_start(seats={"a": relay}),
        turn("a", "x/m", model="m-1"),
        turn("a", "y/n", model="n-2"),
        end(),
    ]
    assert [filler.model for filler in record_of(log).seats["a"]] == ["m-1", "n-2", None]


@pytest.mark.parametrize(
    ("when", "named"),
    [pytest.param(None, 4, id="a fixed turn is its plan"), pytest.param("stall:2", 5, id="a rule, when it struck")],
)
def test_a_relay_is_called_the_same_wherever_it_came_in(when: str | None, named: int) -> None:
    relay = (SeatFiller(agent="x/m"), SeatFiller(agent="y/n", from_turn=None if when else 4, when=when))
    segments = (
        Segment(agents={"a": "x/m"}, from_turn=0, until_turn=5),
        Segment(agents={"a": "y/n"}, from_turn=5, until_turn=7),
    )
    record = record_of([a_start(seats={"a": relay}), turn("a", "x/m"), end(segments=segments)])
    assert record.seats["a"][1].from_turn == named


def test_the_last_of_several_ends_counts() -> None:
    log: list[LogEntry] = [
        a_start(),
        turn("a", "echo"),
        end(outcome="error", error="no network"),
        turn("a", "echo"),
        end(),
    ]
    record = record_of(log)
    assert (record.outcome, record.error, record.turns) == ("solved", None, 2)


def test_a_seat_that_never_spoke_used_nothing_and_cost_is_unknown() -> None:
    record = record_of([a_start(), end(outcome="failed")])
    assert record.usage == {"a": Usage()}
    assert record.cost_usd is None


@pytest.mark.parametrize("log", [[], [end()], [a_start()], [a_start(), end(outcome="error"), turn("a", "echo")]])
def test_a_log_that_is_not_whole_makes_no_record(log: list[Any]) -> None:
    with pytest.raises(ProtocolError):
        record_of(log)


def test_the_line_is_compact_json_with_the_contract_s_keys_and_reads_back() -> None:
    record = record_of([a_start(variant="groß"), end(scores={"success": float("nan")})])
    line = line_of(record)
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert "groß".encode() in line
    assert " ".join(json.loads(line)) == KEYS
    assert EpisodeRecord.model_validate_json(line).scores == {"success": None}


@pytest.mark.parametrize(
    ("outcome", "final"), [("solved", True), ("crashed", True), ("error", False), ("budget", False)]
)
def test_error_and_budget_are_no_end_for_good(outcome: str, final: bool) -> None:
    assert ended_for_good([a_start(), end(outcome=outcome)]) is final
    assert not ended_for_good([a_start(), end(outcome=outcome), turn("a", "echo")])
    assert not ended_for_good([])
