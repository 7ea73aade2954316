"""Prometheus metrics of the services: what agents ask, what the bus goes through, what is written down.

One registry takes one of each. A label is never a run or an episode: a process that serves for months keeps a bounded
number of series.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Info, ProcessCollector
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from palaver_protocols.events import Event, Hook, ModelCalled, TurnAnswered, TurnRetried
from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.runs import EpisodeRecord

from .fleet_metrics import gauge_by
from .genai_metrics import CallHistograms
from .metrics import names_themselves, parts_of

__all__ = [
    "AgentMetrics",
    "BusCounters",
    "BusMetrics",
    "RecorderMetrics",
    "build_info",
    "calls_of_run",
    "dashboard_clients",
    "human_seats",
]

REFUSALS = ("dup", "gap")


def build_info(registry: CollectorRegistry) -> None:
    """Register ``palaver_build_info{version}``, which is always 1, and what the process takes of its machine."""
    ProcessCollector(registry=registry)
    Info("palaver_build", "Version of palaver that this process runs.", registry=registry).info(
        {"version": version("palaver")}
    )


def dashboard_clients(registry: CollectorRegistry) -> Gauge:
    """Register ``palaver_dashboard_clients``: how many pages are open and follow along."""
    return Gauge("palaver_dashboard_clients", "Pages that follow along.", registry=registry)


def human_seats(registry: CollectorRegistry) -> Gauge:
    """Register ``palaver_human_seats{state}``: seats for people, ``open``, ``taken`` or ``done``."""
    return Gauge("palaver_human_seats", "Seats for people.", ("state",), registry=registry)


class AgentMetrics:
    """What agents ask of their providers. An agent service takes it as its ``on_call``.

    ``provider`` and ``model`` are what an answer reports, else the two parts of the agent's name.

    Args:
        registry: where the metrics live; one registry takes one of these.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self.llm_calls = Counter(
            "palaver_llm_calls",
            "Questions to a model that have come to an end: asked of the provider, or found in the journal, unpaid.",
            ("provider", "model", "source", "outcome"),
            registry=registry,
        )
        self.errors = Counter(
            "palaver_llm_errors",
            "Calls of a provider that came to nothing, by reason.",
            ("provider", "model", "code"),
            registry=registry,
        )
        self.lost_in_flight = Counter(
            "palaver_llm_calls_lost_in_flight",
            "Calls that an earlier process of the agent had begun when it was killed, and that may have been paid.",
            ("provider", "model"),
            registry=registry,
        )
        self._histograms = CallHistograms(registry)
        self._registry = registry

    def __call__(self, event: ModelCalled) -> None:
        """Count one answer, or one failure."""
        answer = event.answer
        asked_of, asked_for = provider, model = parts_of(event.request.agent)
        called = event.source == "provider"
        if isinstance(answer, TurnReply):
            outcome = "answered"
            itself = ""
            if names_themselves(event.request, answer):
                provider, itself = answer.provider or provider, answer.model
                model = itself or model
            if called:
                self._histograms.answered(provider, asked_for, answer, model=itself)
        else:
            outcome = "failed"
            self.errors.labels(provider, model, answer.code).inc()
            self._histograms.failed(asked_of, asked_for, answer.code, event.seconds)
        self.llm_calls.labels(provider, model, event.source, outcome).inc()

    def lost(self, agent: str, calls: int) -> None:
        """Count calls that nobody will see the end of. None at all make the series appear, so that a first is seen."""
        self.lost_in_flight.labels(*parts_of(agent)).inc(calls)

    def show(self, agent: "Busy") -> None:
        """Show how much of an agent's places is taken, from now on."""
        _Places(self._registry, agent)


def calls_of_run(metrics: AgentMetrics) -> Hook:
    """Return a hook that counts the calls of a run in one process, where agents tell nobody but their game master."""

    def count(event: Event) -> None:
        if isinstance(event, TurnAnswered):
            metrics(ModelCalled(event.request, event.reply, "provider", event.reply.latency_s))
        elif isinstance(event, TurnRetried):
            failure = TurnFailure.of(event.request, event.code, event.message, retryable=True)
            metrics(ModelCalled(event.request, failure, "provider"))

    return count


class Busy(Protocol):
    """What is shown of an agent service."""

    name: str
    concurrency: int

    @property
    def busy(self) -> int:
        """How many questions are being thought about."""
        ...


class _Places(Collector):
    def __init__(self, registry: CollectorRegistry, agent: Busy) -> None:
        self._agent = agent
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        name, agent = self._agent.name, self._agent
        yield gauge_by("agent", "palaver_agent_busy", "Questions that this process thinks about.", {name: agent.busy})
        yield gauge_by("agent", "palaver_agent_places", "Questions that it takes at a time.", {name: agent.concurrency})


class RecorderMetrics:
    """What a recorder has written down. It takes this as its ``on_record``.

    Args:
        registry: where the metrics live; one registry takes one of these.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._recorded = Counter(
            "palaver_episodes_recorded",
            "Episodes written down; one that an earlier process had written down may be among them.",
            ("game", "outcome"),
            registry=registry,
        )

    def __call__(self, record: EpisodeRecord) -> None:
        """Count one."""
        self._recorded.labels(record.game, record.outcome).inc()


class BusCounters(Protocol):
    """What a process's end of the bus counts by itself, from its start on."""

    @property
    def reconnects(self) -> int:
        """How often the connection had to be made again."""
        ...

    @property
    def redeliveries(self) -> int:
        """Messages received that had been handed out before."""
        ...

    @property
    def dead_letters(self) -> int:
        """Messages put aside because nothing could be done with them."""
        ...

    @property
    def refused(self) -> Mapping[str, int]:
        """Commits that were not carried out, by reason: ``dup`` or ``gap``."""
        ...


class BusMetrics(Collector):
    """Shows a process's :class:`BusCounters`; they are read when somebody scrapes.

    Args:
        registry: where the metrics live; one registry takes one of these.
        counters: what is shown.
    """

    def __init__(self, registry: CollectorRegistry, counters: BusCounters) -> None:
        self._counters = counters
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the counters as they stand."""
        counters = self._counters
        yield CounterMetricFamily(
            "palaver_bus_reconnects", "Times that the connection to the bus was made again.", counters.reconnects
        )
        yield CounterMetricFamily(
            "palaver_bus_redeliveries", "Messages received that had been handed out before.", counters.redeliveries
        )
        yield CounterMetricFamily(
            "palaver_bus_dead_letters", "Messages put aside as dead letters.", counters.dead_letters
        )
        refused = CounterMetricFamily(
            "palaver_turn_commits_refused",
            "Commits of a turn that the log refused: it had the turn already (dup), or ended elsewhere (gap).",
            labels=("reason",),
        )
        for reason, count in (dict.fromkeys(REFUSALS, 0) | dict(counters.refused)).items():
            refused.add_metric((reason,), count)
        yield refused

    def describe(self) -> Iterable[Metric]:
        """Name the metrics, so that a registry can tell that it has them already."""
        return self.collect()
