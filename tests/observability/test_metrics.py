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
    assert all(name.startswith("palaver_") for name in ours)
    assert ours["palaver_turn_latency_seconds"].type == "histogram"
    assert all(sample.name.endswith("_total") for family in ours.values() if family.type == "counter"
               for sample in family.samples)  # fmt: skip
    labels = {label for family in ours.values() for sample in family.samples for label in sample.labels}
    assert labels == {"game", "seat", "provider", "model", "kind", "finish_reason", "code", "outcome", "le"}
