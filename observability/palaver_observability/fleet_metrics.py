"""Prometheus metrics of all that is on a bus, as the last look at the board shows it: runs, queues, streams."""

import time
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from palaver_broker.board import Member, Queue, RunStatus
from palaver_broker.redis.measuring import StreamState

__all__ = ["STALE_S", "FleetMetrics", "gauge_by"]

RUN_STATES = ("loading", "open", "paused", "cancelled", "done")
PLAYED = ("loading", "open")
OWED_CLASSES = ("questions", "answers")
"""Streams whose entries are owed to somebody; the others are there to be looked at."""
STALE_S = 60.0
"""Age in seconds from which a snapshot of the fleet is no longer shown."""


class _Fleet(NamedTuple):
    """One look at the board, and when it was taken."""

    statuses: Sequence[RunStatus]
    members: Sequence[Member]
    queues: Sequence[Queue]
    streams: Sequence[StreamState]
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
        streams: Sequence[StreamState] = (),
    ) -> None:
        """Take note of a new look at the board; ``memory_bytes`` is what Redis uses, None if it does not say."""
        self._fleet = _Fleet(statuses, members, queues, streams, memory_bytes, self._clock())

    def collect(self) -> Iterable[Metric]:
        """Return the gauges; none where there is no recent look at the board."""
        fleet = self._fleet
        return () if fleet is None or self._clock() - fleet.at > STALE_S else _gauges(fleet)

    def describe(self) -> Iterable[Metric]:
        """Name the metrics, so that a registry can tell that it has them already."""
        return _gauges(_Fleet((), (), (), (), None, 0.0))


def _gauges(fleet: _Fleet) -> Iterator[GaugeMetricFamily]:
    statuses, members, queues = fleet.statuses, fleet.members, fleet.queues
    alive = Tally(member.name for member in members if member.kind == "agent")
    kinds = Tally(member.kind for member in members)
    states: Tally[str] = Tally(status.state for status in statuses)
    # an agent that is asked and absent is shown as 0
    agents = dict.fromkeys([*(queue.agent for queue in queues), *alive])
    yield gauge_by(
        "agent", "palaver_agents_alive", "Replicas of an agent on the bus.", {name: alive[name] for name in agents}
    )
    yield GaugeMetricFamily("palaver_gamemasters_alive", "Game masters on the bus.", kinds["gamemaster"])
    yield GaugeMetricFamily("palaver_recorders_alive", "Recorders on the bus.", kinds["recorder"])
    yield gauge_by(
        "agent",
        "palaver_inbox_unread",
        "Requests that no replica of the agent has taken yet.",
        {queue.agent: queue.unread for queue in queues},
    )
    yield gauge_by(
        "agent",
        "palaver_inbox_pending",
        "Requests taken and not yet answered.",
        {queue.agent: queue.pending for queue in queues},
    )
    yield gauge_by(
        "agent",
        "palaver_inbox_oldest_seconds",
        "Age of the oldest request in the inbox of an agent.",
        {queue.agent: queue.oldest_s for queue in queues},
    )
    yield gauge_by(
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
    yield gauge_by("state", "palaver_fleet_runs", "Runs on the board.", {state: states[state] for state in RUN_STATES})
    lengths: dict[str, float] = {each.stream_class: each.length for each in fleet.streams}
    yield gauge_by("stream_class", "palaver_stream_length", "Entries of the streams.", lengths)
    owed = [each for each in fleet.streams if each.stream_class in OWED_CLASSES]
    lags: dict[str, float] = {each.stream_class: each.length - each.pending for each in owed}
    pending: dict[str, float] = {each.stream_class: each.pending for each in owed}
    oldest: dict[str, float] = {each.stream_class: each.oldest_s for each in owed}
    for name, about, values in (
        ("lag", "Entries that nobody has read yet.", lags),
        ("pending", "Entries read and not yet acknowledged.", pending),
        ("oldest_pending_seconds", "Age of the oldest entry that is owed to somebody.", oldest),
    ):
        yield gauge_by("stream_class", f"palaver_stream_{name}", about, values)
    yield gauge_by(
        "budget",
        "palaver_fleet_budget_used_ratio",
        "Share of its budget that an open run has spent: the largest of all runs that have one.",
        _budgets_used(statuses),
    )
    if fleet.memory_bytes is not None:
        yield GaugeMetricFamily("palaver_redis_memory_bytes", "Memory that Redis uses.", fleet.memory_bytes)


def _budgets_used(statuses: Iterable[RunStatus]) -> dict[str, float]:
    """Return the largest share of a budget that is spent, of tokens and of dollars; none where no open run has one."""
    used: dict[str, float] = {}
    for status in statuses:
        if status.state not in PLAYED:
            continue
        config = status.config
        for kind, most, spent in (
            ("tokens", config.budget_tokens, float(status.tokens)),
            ("usd", config.budget_usd, status.cost_usd),
        ):
            if most is not None:
                used[kind] = max(used.get(kind, 0.0), spent / most if most else 1.0)
    return used


def gauge_by(label: str, name: str, documentation: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Make a gauge of one label."""
    gauge = GaugeMetricFamily(name, documentation, labels=(label,))
    for value, number in values.items():
        gauge.add_metric((value,), number)
    return gauge
