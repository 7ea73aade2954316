"""Prometheus metrics of the turns and episodes that this process plays."""

from functools import lru_cache
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from palaver_agents.names import parse_agent
from palaver_protocols.errors import UsageError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    SeatHandedOver,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import TurnReply, TurnRequest

__all__ = ["LATENCY_BUCKETS", "Metrics", "parts_of"]

LATENCY_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds in seconds: from a small local model's short answer to a reasoning model's long one."""

WHO = ("game", "seat", "provider", "model")


class _Answers:
    """The children of one kind of answer, so that a turn looks them up once."""

    __slots__ = ("asides", "input", "latency", "output", "reasoning", "turns")

    def __init__(self, metrics: "Metrics", who: tuple[str, ...], finish_reason: str) -> None:
        self.turns = metrics.turns.labels(*who, finish_reason)
        self.asides = metrics.asides.labels(*who)
        self.latency = metrics.latency.labels(*who)
        self.input = metrics.tokens.labels(*who, "input")
        self.output = metrics.tokens.labels(*who, "output")
        self.reasoning = metrics.tokens.labels(*who, "reasoning")

    def count(self, reply: TurnReply, aside: bool) -> None:
        (self.asides if aside else self.turns).inc()
        self.latency.observe(reply.latency_s)
        usage = reply.usage
        self.input.inc(usage.input_tokens)
        self.output.inc(usage.output_tokens)
        if usage.reasoning_tokens:
            self.reasoning.inc(usage.reasoning_tokens)


class Metrics:
    """A hook that counts. Labels name what there are few of; an episode or a run is never one.

    ``provider`` and ``model`` are what an answer reports; of a question, and of an answer that reports none, they are
    the two parts of the agent's name.

    Args:
        registry: where the metrics live; one registry takes one of these.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self.tokens = Counter(
            "palaver_tokens",
            "Tokens of answers, by kind; output includes reasoning, as providers bill it.",
            (*WHO, "kind"),
            registry=registry,
        )
        self.latency = Histogram(
            "palaver_turn_latency_seconds",
            "Time that the model took to answer a turn.",
            WHO,
            buckets=LATENCY_BUCKETS,
            registry=registry,
        )
        self.turns = Counter("palaver_turns", "Answered turns.", (*WHO, "finish_reason"), registry=registry)
        self.retries = Counter(
            "palaver_turn_retries", "Failed tries at a turn that were followed by another.", (*WHO, "code"),
            registry=registry,
        )  # fmt: skip
        self.in_flight = Gauge(
            "palaver_turns_in_flight", "Turns asked and not answered yet, waits for a retry included.", WHO,
            registry=registry,
        )  # fmt: skip
        self.invalid = Counter(
            "palaver_invalid_replies", "Answers that the game's rules refused.", WHO, registry=registry
        )
        self.asides = Counter(
            "palaver_asides", "Answers given behind a seat: within a team, or to a successor.", WHO, registry=registry
        )
        self.handoffs = Counter("palaver_handoffs", "Changes of the agent behind a seat.", ("game", "seat"),
            registry=registry,
        )  # fmt: skip
        self.episodes = Counter("palaver_episodes", "Episodes ended.", ("game", "outcome"), registry=registry)
        self._answers: dict[tuple[str, ...], _Answers] = {}
        self._gauges: dict[tuple[str, str, str], Gauge] = {}
        self._asked: dict[tuple[str, str], dict[str, Gauge]] = {}
        self._on: dict[type, Any] = {
            TurnAsked: self._turn_asked,
            TurnAnswered: self._turn_answered,
            TurnRetried: self._turn_retried,
            InvalidReply: self._invalid_reply,
            EpisodeClosed: self._episode_closed,
            SeatHandedOver: self._seat_handed_over,
            EpisodeOpened: lambda event: None,
        }

    def __call__(self, event: Event) -> None:
        """Count one event."""
        self._on[type(event)](event)

    def _turn_asked(self, event: TurnAsked) -> None:
        request = event.request
        asked = self._asked.setdefault((request.run_id, request.episode_id), {})
        if request.key not in asked:
            asked[request.key] = gauge = self._gauge(request)
            gauge.inc()

    def _turn_answered(self, event: TurnAnswered) -> None:
        request, reply = event.request, event.reply
        gauge = self._asked.get((request.run_id, request.episode_id), {}).pop(request.key, None)
        if gauge is not None:
            gauge.dec()
        key = (request.game, request.seat, request.agent, reply.provider, reply.model, reply.finish_reason)
        answers = self._answers.get(key)
        if answers is None:
            answers = self._answers[key] = _Answers(self, _who(request, reply), reply.finish_reason)
        answers.count(reply, event.aside)

    def _seat_handed_over(self, event: SeatHandedOver) -> None:
        self.handoffs.labels(event.started.game, event.seat).inc()

    def _turn_retried(self, event: TurnRetried) -> None:
        request = event.request
        self.retries.labels(request.game, request.seat, *parts_of(request.agent), event.code).inc()

    def _invalid_reply(self, event: InvalidReply) -> None:
        self.invalid.labels(*_who(event.request, event.reply)).inc()

    def _episode_closed(self, event: EpisodeClosed) -> None:
        """Count an episode; what was asked in it and never answered is in flight no more."""
        started = event.started
        self.episodes.labels(started.game, event.ended.outcome).inc()
        for gauge in self._asked.pop((started.run_id, started.episode_id), {}).values():
            gauge.dec()

    def _gauge(self, request: TurnRequest) -> Gauge:
        key = (request.game, request.seat, request.agent)
        gauge = self._gauges.get(key)
        if gauge is None:
            gauge = self._gauges[key] = self.in_flight.labels(request.game, request.seat, *parts_of(request.agent))
        return gauge


def _who(request: TurnRequest, reply: TurnReply) -> tuple[str, str, str, str]:
    """Return the labels of an answered turn: provider and model as they call themselves, else as they were asked."""
    provider, model = parts_of(request.agent)
    return request.game, request.seat, reply.provider or provider, reply.model or model


@lru_cache(maxsize=1024)
def parts_of(agent: str) -> tuple[str, str]:
    """Take an agent's name apart: ``openai/gpt-4.1@http://...`` is provider ``openai``, model ``gpt-4.1``."""
    try:
        name = parse_agent(agent)
    except UsageError:
        return agent, ""
    return name.provider or name.kind, name.model
