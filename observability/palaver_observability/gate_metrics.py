"""Prometheus metrics of the gate before a provider: how long questions wait for its limits, how often it says so."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

__all__ = ["Gate", "GateMetrics"]


class Gate(Protocol):
    """What is shown of a replica's place at the gate."""

    waited_s: float
    pauses: int

    def paused_for(self) -> float:
        """Return for how many seconds more nobody may ask."""
        ...


class GateMetrics(Collector):
    """Shows what a gate has counted; it is read when somebody scrapes.

    Args:
        registry: where the metrics live; one registry takes one of these.
        gate: what is shown.
        provider: who is behind it.
    """

    def __init__(self, registry: CollectorRegistry, gate: Gate, provider: str) -> None:
        self._gate = gate
        self._provider = provider
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as they stand."""
        gate, labels = self._gate, ("provider",)
        waited = CounterMetricFamily(
            "palaver_rate_limit_wait_seconds",
            "Time that questions have waited for the limits.",
            labels=labels,
        )
        pauses = CounterMetricFamily(
            "palaver_rate_limit_pauses", "Times that the provider asked this process to slow down (429).", labels=labels
        )
        paused = GaugeMetricFamily(
            "palaver_rate_limit_paused_seconds", "For how long nobody may ask the provider now.", labels=labels
        )
        for family, value in ((waited, gate.waited_s), (pauses, gate.pauses), (paused, gate.paused_for())):
            family.add_metric((self._provider,), value)
            yield family

    def describe(self) -> Iterable[Metric]:
        """Name the metrics, so that a registry can tell that it has them already."""
        return self.collect()
