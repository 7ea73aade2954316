"""What is counted, under which names and labels."""

from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from palaver_observability.metrics import Metrics
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import EpisodeEnded, Usage
from tests.support import NOON, a_reply, a_request, a_start

WHO = {"game": "toy", "seat": "a", "provider": "openai", "model": "gpt"}


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def metrics(registry: CollectorRegistry) -> Metrics:
    return Metrics(registry)


def asked(**changes: Any) -> TurnAsked:
    return TurnAsked(a_request(**{"agent": "openai/gpt", **changes}))


def answered(request: TurnAsked, **changes: Any) -> TurnAnswered:
    return TurnAnswered(request.request, a_reply(request.request, **changes))


def closed(outcome: str = "solved") -> EpisodeClosed:
    return EpisodeClosed(a_start(), EpisodeEnded.model_validate({"key": "x", "outcome": outcome, "at": NOON}), turns=1)


def test_an_answer_counts_its_tokens_time_and_reason(metrics: Metrics, registry: CollectorRegistry) -> None:
    usage = Usage(input_tokens=10, output_tokens=5, reasoning_tokens=2)
    for reason in ("stop", "stop", "length"):
        metrics(answered(asked(), usage=usage, latency_s=0.2, finish_reason=reason))
    tokens = {kind: registry.get_sample_value("palaver_tokens_total", {**WHO, "kind": kind}) for kind in
              ("input", "output", "reasoning")}  # fmt: skip
    assert tokens == {"input": 30, "output": 15, "reasoning": 6}
    assert registry.get_sample_value("palaver_turns_total", {**WHO, "finish_reason": "stop"}) == 2
    assert registry.get_sample_value("palaver_turns_total", {**WHO, "finish_reason": "length"}) == 1
    assert registry.get_sample_value("palaver_turn_latency_seconds_count", WHO) == 3
    assert registry.get_sample_value("palaver_turn_latency_seconds_bucket", {**WHO, "le": "0.1"}) == 0
    assert registry.get_sample_value("palaver_turn_latency_seconds_bucket", {**WHO, "le": "0.25"}) == 3


def test_an_answer_is_labelled_by_what_it_reports(metrics: Metrics, registry: CollectorRegistry) -> None:
    metrics(answered(asked(agent="bus/friend"), provider="openai", model="gpt"))
    metrics(answered(asked(agent="scripted")))
    assert registry.get_sample_value("palaver_turns_total", {**WHO, "finish_reason": "stop"}) == 1
    scripted = {**WHO, "provider": "script", "model": "scripted", "finish_reason": "stop"}
    assert registry.get_sample_value("palaver_turns_total", scripted) == 1


def test_in_flight_is_asked_and_not_yet_answered(metrics: Metrics, registry: CollectorRegistry) -> None:
    def in_flight() -> float | None:
        return registry.get_sample_value("palaver_turns_in_flight", WHO)

    first, second = asked(), asked(episode_id="e1")
    steps: list[tuple[Event, int]] = [
        (first, 1), (first, 1), (second, 2), (answered(first), 1), (answered(first), 1)
    ]  # fmt: skip
    for event, expected in steps:
        metrics(event)
        assert in_flight() == expected
    metrics(answered(second))
    assert in_flight() == 0


def test_a_turn_that_its_episode_gave_up_is_in_flight_no_more(metrics: Metrics, registry: CollectorRegistry) -> None:
    metrics(asked())
    metrics(closed("error"))
    assert registry.get_sample_value("palaver_turns_in_flight", WHO) == 0
    assert registry.get_sample_value("palaver_episodes_total", {"game": "toy", "outcome": "error"}) == 1


def test_retries_and_refused_replies(metrics: Metrics, registry: CollectorRegistry) -> None:
    metrics(TurnRetried(asked().request, "rate_limited", "slow down", 1.5))
    metrics(InvalidReply(asked().request, a_reply(asked().request), "no move in it"))
    assert registry.get_sample_value("palaver_turn_retries_total", {**WHO, "code": "rate_limited"}) == 1
    assert registry.get_sample_value("palaver_invalid_replies_total", WHO) == 1


def test_no_label_grows_with_the_number_of_episodes(metrics: Metrics, registry: CollectorRegistry) -> None:
    def play(number: int) -> None:
        question = asked(run_id=f"run{number}", episode_id=f"e{number}")
        events: list[Event] = [
            EpisodeOpened(a_start(episode_id=f"e{number}"), 0), question, answered(question), closed()
        ]  # fmt: skip
        for event in events:
            metrics(event)

    play(0)
    series = len(generate_latest(registry).splitlines())
    for number in range(1, 20):
        play(number)
    assert len(generate_latest(registry).splitlines()) == series


def test_the_exposition_parses_and_keeps_the_conventions(metrics: Metrics, registry: CollectorRegistry) -> None:
    for event in (asked(), answered(asked()), TurnRetried(asked().request, "timeout", "", 0), closed()):
        metrics(event)
    families = {family.name: family for family in text_string_to_metric_families(generate_latest(registry).decode())}
    ours = {name: family for name, family in families.items() if not name.endswith("_created")}
    assert all(name.startswith(("palaver_", "gen_ai_")) for name in ours)
    assert ours["palaver_turn_latency_seconds"].type == "histogram"
    assert all(sample.name.endswith("_total") for family in ours.values() if family.type == "counter"
               for sample in family.samples)  # fmt: skip
    labels = {label for family in ours.values() for sample in family.samples for label in sample.labels}
    mine = {label for label in labels if not label.startswith("gen_ai_")}
    assert mine == {"game", "seat", "provider", "model", "kind", "finish_reason", "code", "outcome", "error_type", "le"}


def test_what_an_answer_has_cost_is_added_up_unless_a_stranger_says_so(
    metrics: Metrics, registry: CollectorRegistry
) -> None:
    for cost, unverified in ((0.25, False), (0.5, False), (None, False), (100.0, True)):
        metrics(answered(asked(), cost_usd=cost, unverified=unverified))
    assert registry.get_sample_value("palaver_cost_usd_total", WHO) == 0.75


def test_a_stranger_makes_no_series_of_its_own(metrics: Metrics, registry: CollectorRegistry) -> None:
    def play(number: int) -> None:
        question = asked(agent="bus/friend")
        answer = a_reply(question.request, provider=f"p{number}", model=f"m{number}", unverified=True)
        events: list[Event] = [
            question,
            TurnRetried(question.request, f"reason {number}", "", 0.0),
            TurnAnswered(question.request, answer),
            InvalidReply(question.request, answer, "no move"),
        ]
        for event in events:
            metrics(event)

    play(0)
    series = len(generate_latest(registry).splitlines())
    for number in range(1, 5):
        play(number)
    assert len(generate_latest(registry).splitlines()) == series
    who = {"game": "toy", "seat": "a", "provider": "bus", "model": "friend"}
    assert registry.get_sample_value("palaver_turn_retries_total", {**who, "code": "other"}) == 5


def test_people_are_one_series_and_their_pseudonyms_are_none(metrics: Metrics, registry: CollectorRegistry) -> None:
    for pseudonym in ("mild-otter-7", "brave-wren-2"):
        question = asked(agent="human")
        for event in (question, answered(question, provider="human", model=pseudonym)):
            metrics(event)
    people = {"game": "toy", "seat": "a", "provider": "human", "model": "human", "finish_reason": "stop"}
    assert registry.get_sample_value("palaver_turns_total", people) == 2
    assert "otter" not in generate_latest(registry).decode()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_is_played_now_and_how_long_it_has_waited(registry: CollectorRegistry) -> None:
    clock = Clock()
    metrics = Metrics(registry, clock=clock)

    def shown() -> tuple[float | None, float | None]:
        names = ("palaver_episodes_running", "palaver_episode_idle_seconds")
        running, idle = (registry.get_sample_value(name, {"game": "toy"}) for name in names)
        return running, idle

    assert shown() == (None, None)
    metrics(EpisodeOpened(a_start(), 0))
    clock.now += 5
    metrics(EpisodeOpened(a_start(episode_id="e1"), 0))
    clock.now += 2
    assert shown() == (2, 7)
    metrics(answered(asked()))
    assert shown() == (2, 2)
    metrics(closed())
    assert shown() == (1, 2)
    metrics.keep_only([("run", "e1")])
    assert shown() == (1, 2)
    metrics.keep_only([])
    assert shown() == (0, 0)


def test_an_episode_that_waits_for_people_alone_does_not_stand_still(registry: CollectorRegistry) -> None:
    clock = Clock()
    metrics = Metrics(registry, clock=clock)
    person, model = asked(agent="human"), asked(seat="b", key="k1")

    def idle() -> float | None:
        clock.now += 10
        return registry.get_sample_value("palaver_episode_idle_seconds", {"game": "toy"})

    metrics(EpisodeOpened(a_start(), 0))
    metrics(person)
    assert idle() == 0
    metrics(model)
    assert idle() == 20
    metrics(answered(person, provider="human"))
    assert idle() == 10


def test_an_episode_that_others_have_taken_over_is_in_flight_here_no_more(
    metrics: Metrics, registry: CollectorRegistry
) -> None:
    metrics(EpisodeOpened(a_start(), 0))
    metrics(asked())
    metrics.keep_only([])
    assert registry.get_sample_value("palaver_turns_in_flight", WHO) == 0
    metrics(EpisodeOpened(a_start(), 0))
    metrics(asked())
    assert registry.get_sample_value("palaver_turns_in_flight", WHO) == 1


def test_turns_and_episodes_are_timed_as_the_conventions_want_it(registry: CollectorRegistry) -> None:
    clock = Clock()
    metrics = Metrics(registry, clock=clock)
    metrics(EpisodeOpened(a_start(), 0))
    metrics(asked())
    clock.now += 3
    metrics(answered(asked(), latency_s=1.0))
    metrics(closed("budget"))
    turn = {"gen_ai_agent_name": "openai/gpt", "gen_ai_provider_name": "openai", "error_type": ""}
    assert registry.get_sample_value("gen_ai_invoke_agent_duration_seconds_sum", turn) == 3
    episode = {"gen_ai_workflow_name": "toy", "error_type": "budget"}
    assert registry.get_sample_value("gen_ai_workflow_duration_seconds_sum", episode) == 3
