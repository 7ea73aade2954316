"""Messages told apart by who said them."""

from collections.abc import Sequence
from typing import Any

from palaver_observability.report.speaking import Message, messages_of
from palaver_protocols.messages import Segment
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.folders import an_episode


def episode(agents: Sequence[str], tokens: Sequence[Sequence[int]], **changes: Any) -> EpisodeRecord:
    said = {f"agent_{at}": each for at, each in enumerate(tokens, start=1)}
    return an_episode(0, agents, 1.0, message_tokens=said, turns=sum(map(len, tokens)), **changes)


def told(record: EpisodeRecord) -> list[tuple[str, int]]:
    return [(message.agent, message.tokens) for message in messages_of(record)]


def test_messages_of_a_relay_are_told_apart_by_the_turn_of_the_change() -> None:
    # agent_1 speaks at turns 0, 2, 4, 6: a until turn 4
    record = episode(["a@4>b", "c"], [[10, 20, 30, 40], [1, 2, 3, 4]])
    assert told(record) == [("a", 10), ("a", 20), ("b", 30), ("b", 40), ("c", 1), ("c", 2), ("c", 3), ("c", 4)]


def test_frozen_messages_are_marked() -> None:
    record = episode(["a@2>b", "c"], [[10, 20], [1, 2]], frozen=2)
    assert [message.frozen for message in messages_of(record)] == [True, False, True, False]


def test_the_stretches_tell_who_played_where_there_are_some() -> None:
    stretches = [
        Segment(agents={"agent_1": who}, from_turn=start, until_turn=end)
        for who, start, end in (("a", 0, 1), ("b", 1, 2), ("a", 2, 3))
    ]
    record = episode(["a@1>b@2>a"], [[10, 20, 30]], segments=stretches)
    assert told(record) == [("a", 10), ("b", 20), ("a", 30)]


def test_a_newcomer_that_never_came_has_said_nothing() -> None:
    record = episode(["a@stall:3>b", "c"], [[10, 20], [1]])
    assert told(record) == [("a", 10), ("a", 20), ("c", 1)]


def test_a_team_speaks_with_the_voice_of_its_lead() -> None:
    record = episode(["team(lead=a,members=b+team(lead=c,members=d))"], [[10]])
    assert told(record) == [("a", 10)]


def test_a_relay_keeps_its_messages_where_turns_cannot_be_told() -> None:
    # three seats, of which one spoke more often than in turn it could have
    record = episode(["a@2>b", "c", "d"], [[10, 20, 30], [1], [2]])
    assert told(record)[:3] == [("a@2>b", 10), ("a@2>b", 20), ("a@2>b", 30)]
    assert list(messages_of(record))[3] == Message("agent_2", "c", 1, frozen=False)
