"""Prometheus metrics of the turns and episodes that this process plays."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from time import monotonic
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

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
from palaver_protocols.messages import OWED, TurnReply, TurnRequest
from palaver_protocols.strangers import is_stranger

from . import genai_metrics

__all__ = ["HUMAN", "LATENCY_BUCKETS", "Metrics", "names_themselves", "parts_of"]

LATENCY_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds in seconds: from a small local model's short answer to a reasoning model's long one."""

WHO = ("game", "seat", "provider", "model")
HUMAN = "human"
"""The agent that is people, and the provider of what they say."""
CODES = frozenset(
    {"auth", "bad_response", "bug", "no_picture", "overloaded", "quota"}
    | {"rate_limited", "server", "timeout", "too_large", "unknown_model"}
)
"""Reasons of failures that a stranger's program may name as well as ours; any other of its own is ``other``."""
Name = tuple[str, str]
"""An episode: run id, episode id."""


class _Answers:
    """The children of one kind of answer, so that a turn looks them up once."""

    __slots__ = ("asides", "cost", "input", "invoked", "latency", "output", "reasoning", "turns")

    def __init__(self, metrics: "Metrics", agent: str, who: tuple[str, ...], finish_reason: str) -> None:
        self.turns = metrics.turns.labels(*who, finish_reason)
        self.asides = metrics.asides.labels(*who)
        self.latency = metrics.latency.labels(*who)
        self.input = metrics.tokens.labels(*who, "input")
        self.output = metrics.tokens.labels(*who, "output")
        self.reasoning = metrics.tokens.labels(*who, "reasoning")
        self.cost = metrics.cost.labels(*who)
        self.invoked = metrics.invoked.labels(agent, genai_metrics.provider_name(who[2]), "")

    def count(self, reply: TurnReply, aside: bool) -> None:
        (self.asides if aside else self.turns).inc()
        self.latency.observe(reply.latency_s)
        usage = reply.usage
        self.input.inc(usage.input_tokens)
        self.output.inc(usage.output_tokens)
        if usage.reasoning_tokens:
            self.reasoning.inc(usage.reasoning_tokens)
        if reply.cost_usd and not reply.unverified:
            self.cost.inc(reply.cost_usd)


class _Playing:
    """An episode that is played here: its game, since when, its last sign of life, its questions without an answer.

    ``people`` are those of them that people were asked.
    """

    __slots__ = ("asked", "game", "heard", "people", "since")

    def __init__(self, game: str, now: float) -> None:
        self.game = game
        self.since = self.heard = now
        self.asked: dict[str, tuple[Gauge, float]] = {}
        self.people: set[str] = set()

    @property
    def waits_for_people(self) -> bool:
        """Whether nobody but people is asked: they may take their time, and a seat that is open waits for ever."""
        return bool(self.people) and len(self.people) == len(self.asked)


class Metrics(Collector):
    """A hook that counts. Labels name what there are few of; an episode or a run is never one.

    ``provider`` and ``model`` are what an answer reports; of a question, and of an answer that reports none, they are
    the two parts of the agent's name. So they are of a stranger's answer, which could report a new name each turn, and
    of a person's, which reports a pseudonym.

    Args:
        registry: where the metrics live; one registry takes one of these.
        clock: seconds, from any origin.
    """

    def __init__(self, registry: CollectorRegistry, *, clock: Callable[[], float] = monotonic) -> None:
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
        self.cost = Counter(
            "palaver_cost_usd", "US dollars that answers have cost, where their price is known.", WHO, registry=registry
        )
        self.invoked = genai_metrics.invoke_agent(registry)
        self.workflows = genai_metrics.workflow(registry)
        registry.register(self)
        self._clock = clock
        self._answers: dict[tuple[str, ...], _Answers] = {}
        self._gauges: dict[tuple[str, str, str], Gauge] = {}
        self._playing: dict[Name, _Playing] = {}
        self._games: set[str] = set()
        self._on: dict[type, Any] = {
            TurnAsked: self._turn_asked,
            TurnAnswered: self._turn_answered,
            TurnRetried: self._turn_retried,
            InvalidReply: self._invalid_reply,
            EpisodeClosed: self._episode_closed,
            SeatHandedOver: self._seat_handed_over,
            EpisodeOpened: self._episode_opened,
        }

    def __call__(self, event: Event) -> None:
        """Count one event."""
        self._on[type(event)](event)

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges of what is being played now; a game that was played before is shown as 0."""
        now = self._clock()
        running = dict.fromkeys(sorted(self._games), 0)
        idle = dict.fromkeys(running, 0.0)
        for playing in self._playing.values():
            running[playing.game] += 1
            if not playing.waits_for_people:
                idle[playing.game] = max(idle[playing.game], now - playing.heard)
        yield from _playing(running, idle)

    def describe(self) -> Iterable[Metric]:
        """Name the gauges, so that a registry can tell that it has them already."""
        return _playing({}, {})

    def keep_only(self, names: Collection[Name]) -> None:
        """Forget the episodes that are played here no more, though they have not ended: others have taken them over.

        Args:
            names: what is still played here.
        """
        for name in [name for name in self._playing if name not in names]:
            self._leave(name)

    def _of(self, run_id: str, episode_id: str, game: str) -> _Playing:
        playing = self._playing.get((run_id, episode_id))
        if playing is None:
            self._games.add(game)
            playing = self._playing[run_id, episode_id] = _Playing(game, self._clock())
        return playing

    def _leave(self, name: Name) -> _Playing | None:
        """Forget an episode; what was asked in it and never answered is in flight no more."""
        playing = self._playing.pop(name, None)
        if playing is not None:
            for gauge, _ in playing.asked.values():
                gauge.dec()
        return playing

    def _episode_opened(self, event: EpisodeOpened) -> None:
        started = event.started
        before = self._leave((started.run_id, started.episode_id))
        playing = self._of(started.run_id, started.episode_id, started.game)
        if before is not None:  # somebody has written to its log, and we have read that anew
            playing.since = before.since

    def _turn_asked(self, event: TurnAsked) -> None:
        request = event.request
        playing = self._of(request.run_id, request.episode_id, request.game)
        if request.key not in playing.asked:
            gauge = self._gauge(request)
            playing.asked[request.key] = gauge, self._clock()
            gauge.inc()
            if request.agent == HUMAN:
                playing.people.add(request.key)

    def _turn_answered(self, event: TurnAnswered) -> None:
        request, reply = event.request, event.reply
        said = (reply.provider, reply.model) if names_themselves(request, reply) else ()
        key = (request.game, request.seat, request.agent, reply.finish_reason, *said)
        answers = self._answers.get(key)
        if answers is None:
            answers = self._answers[key] = _Answers(self, request.agent, _who(request, reply), reply.finish_reason)
        answers.count(reply, event.aside)
        playing = self._of(request.run_id, request.episode_id, request.game)
        playing.heard = now = self._clock()
        playing.people.discard(request.key)
        asked = playing.asked.pop(request.key, None)
        if asked is not None:
            gauge, since = asked
            gauge.dec()
            answers.invoked.observe(now - since)

    def _seat_handed_over(self, event: SeatHandedOver) -> None:
        self.handoffs.labels(event.started.game, event.seat).inc()

    def _turn_retried(self, event: TurnRetried) -> None:
        request = event.request
        code = event.code if event.code in CODES or not is_stranger(request.agent) else "other"
        self.retries.labels(request.game, request.seat, *parts_of(request.agent), code).inc()

    def _invalid_reply(self, event: InvalidReply) -> None:
        self.invalid.labels(*_who(event.request, event.reply)).inc()

    def _episode_closed(self, event: EpisodeClosed) -> None:
        """Count an episode."""
        started, outcome = event.started, event.ended.outcome
        self.episodes.labels(started.game, outcome).inc()
        playing = self._leave((started.run_id, started.episode_id))
        if playing is not None:
            failed = outcome if outcome in OWED else ""
            self.workflows.labels(started.game, failed).observe(self._clock() - playing.since)

    def _gauge(self, request: TurnRequest) -> Gauge:
        key = (request.game, request.seat, request.agent)
        gauge = self._gauges.get(key)
        if gauge is None:
            gauge = self._gauges[key] = self.in_flight.labels(request.game, request.seat, *parts_of(request.agent))
        return gauge


def _who(request: TurnRequest, reply: TurnReply) -> tuple[str, str, str, str]:
    """Return the labels of an answered turn: provider and model as they call themselves, else as they were asked."""
    provider, model = parts_of(request.agent)
    if names_themselves(request, reply):
        provider, model = reply.provider or provider, reply.model or model
    return request.game, request.seat, provider, model


def names_themselves(request: TurnRequest, reply: TurnReply) -> bool:
    """Whether what an answer calls its provider and model may be a label.

    Not of strangers, who could report a new name each turn, and not of people: a study has hundreds of pseudonyms,
    which are nobody's business here.
    """
    return not reply.unverified and HUMAN not in (request.agent, reply.provider)


def _playing(running: dict[str, int], idle: dict[str, float]) -> Iterator[Metric]:
    episodes = GaugeMetricFamily("palaver_episodes_running", "Episodes that this process plays now.", labels=("game",))
    waiting = GaugeMetricFamily(
        "palaver_episode_idle_seconds",
        "Time since the last answer, of the episode that has waited longest for one.",
        labels=("game",),
    )
    for game, count in running.items():
        episodes.add_metric((game,), count)
        waiting.add_metric((game,), idle[game])
    yield from (episodes, waiting)


@lru_cache(maxsize=1024)
def parts_of(agent: str) -> tuple[str, str]:
    """Take an agent's name apart: ``openai/gpt-4.1@http://...`` is provider ``openai``, model ``gpt-4.1``."""
    try:
        name = parse_agent(agent)
    except UsageError:
        return agent, ""
    return name.provider or name.kind, name.model
