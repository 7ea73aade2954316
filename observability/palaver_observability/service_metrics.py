"""Prometheus metrics of the services: what agents ask, what the bus goes through, what the fleet comes to.

One registry takes one of each. A label is never a run or an episode: a process that serves for months keeps a bounded
number of series.
"""

import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple, Protocol

from prometheus_client import CollectorRegistry, Counter, Info
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from palaver_broker.board import Member, Queue, RunStatus
from palaver_protocols.events import ModelCalled
from palaver_protocols.messages import TurnReply

from .metrics import parts_of

__all__ = ["AgentMetrics", "BusCounters", "BusMetrics", "FleetMetrics", "build_info"]

REFUSALS = ("dup", "gap")
RUN_STATES = ("loading", "open", "cancelled", "done")
PLAYED = ("loading", "open")
STALE_S = 60.0
"""Age in seconds from which a snapshot of the fleet is no longer shown."""


def build_info(registry: CollectorRegistry) -> None:
    """Register ``palaver_build_info{version}``, which is always 1."""
    Info("palaver_build", "Version of palaver that this process runs.", registry=registry).info(
        {"version": version("palaver")}
    )


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
        self.lost_in_flight = Counter(
            "palaver_llm_calls_lost_in_flight",
            "Calls that an earlier process of the agent had begun when it was killed, and that may have been paid.",
            ("provider", "model"),
            registry=registry,
        )

    def __call__(self, event: ModelCalled) -> None:
        """Count one answer, or one failure."""
        provider, model = parts_of(event.request.agent)
        outcome = "failed"
        if isinstance(event.answer, TurnReply):
            provider, model = event.answer.provider or provider, event.answer.model or model
            outcome = "answered"
        self.llm_calls.labels(provider, model, event.source, outcome).inc()

    def lost(self, agent: str, calls: int) -> None:
        """Count calls that nobody will see the end of. None at all make the series appear, so that a first is seen."""
        self.lost_in_flight.labels(*parts_of(agent)).inc(calls)


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


class _Fleet(NamedTuple):
    """One look at the board, and when it was taken."""

    statuses: Sequence[RunStatus]
    members: Sequence[Member]
    queues: Sequence[Queue]
    memory_bytes: int | None
    at: float


class FleetMetrics(Collector):
    """Gauges of all that is on the bus, from the last look at the board. Every game master shows the same ones.

    Take their ``max()`` over the game masters. For the sake of that maximum a look that is older than :data:`STALE_S`
    shows nothing: a game master that has lost the bus would keep a better past alive.

    Args:
        registry: where the metrics live; one registry takes one of these.
        clock: seconds, from any origin.
    """

    def __init__(self, registry: CollectorRegistry, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._fleet: _Fleet | None = None
        registry.register(self)

    def update(
        self,
        statuses: Sequence[RunStatus],
        members: Sequence[Member],
        queues: Sequence[Queue],
        memory_bytes: int | None,
    ) -> None:
        """Take note of a new look at the board; ``memory_bytes`` is what Redis uses, None if it does not say."""
        self._fleet = _Fleet(statuses, members, queues, memory_bytes, self._clock())

    def collect(self) -> Iterable[Metric]:
        """Return the gauges; none where there is no recent look at the board."""
        fleet = self._fleet
        return () if fleet is None or self._clock() - fleet.at > STALE_S else _gauges(fleet)

    def describe(self) -> Iterable[Metric]:
        """Name the metrics, so that a registry can tell that it has them already."""
        return _gauges(_Fleet((), (), (), None, 0.0))


def _gauges(fleet: _Fleet) -> Iterator[GaugeMetricFamily]:
    statuses, members, queues = fleet.statuses, fleet.members, fleet.queues
    alive = Tally(member.name for member in members if member.kind == "agent")
    kinds = Tally(member.kind for member in members)
    states: Tally[str] = Tally(status.state for status in statuses)
    # an agent that is asked and absent is shown as 0
    agents = dict.fromkeys([*(queue.agent for queue in queues), *alive])
    yield _by(
        "agent", "palaver_agents_alive", "Replicas of an agent on the bus.", {name: alive[name] for name in agents}
    )
    yield GaugeMetricFamily("palaver_gamemasters_alive", "Game masters on the bus.", kinds["gamemaster"])
    yield GaugeMetricFamily("palaver_recorders_alive", "Recorders on the bus.", kinds["recorder"])
    yield _by(
        "agent",
        "palaver_inbox_unread",
        "Requests that no replica of the agent has taken yet.",
        {queue.agent: queue.unread for queue in queues},
    )
    yield _by(
        "agent",
        "palaver_inbox_pending",
        "Requests taken and not yet answered.",
        {queue.agent: queue.pending for queue in queues},
    )
    yield _by(
        "agent",
        "palaver_inbox_oldest_seconds",
        "Age of the oldest request in the inbox of an agent.",
        {queue.agent: queue.oldest_s for queue in queues},
    )
    yield _by(
        "state",
        "palaver_fleet_episodes",
        "Episodes not archived yet: to be played (owed), being played, or waiting for a recorder (ended).",
        {
            # what a cancelled run has left is owed to nobody
            "owed": sum(status.owed for status in statuses if status.state in PLAYED),
            "playing": sum(status.playing for status in statuses),
            "ended": sum(status.ended for status in statuses),
        },
    )
    yield _by("state", "palaver_fleet_runs", "Runs on the board.", {state: states[state] for state in RUN_STATES})
    if fleet.memory_bytes is not None:
        yield GaugeMetricFamily("palaver_redis_memory_bytes", "Memory that Redis uses.", fleet.memory_bytes)


def _by(label: str, name: str, documentation: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Make a gauge of one label."""
    gauge = GaugeMetricFamily(name, documentation, labels=(label,))
    for value, number in values.items():
        gauge.add_metric((value,), number)
    return gauge
