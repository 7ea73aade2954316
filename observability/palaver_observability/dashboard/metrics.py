"""What the dashboard counts of itself."""

from collections.abc import Iterator
from functools import partial

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from palaver_observability.service_metrics import dashboard_clients, human_seats

from .feed import Feed
from .seats import Room, seats_now

__all__ = ["DashboardMetrics"]

STATES = ("open", "taken", "done")


class DashboardMetrics(Collector):
    """Prometheus metrics of a dashboard: browsers that listen, events by topic, seats for people by state.

    Args:
        registry: where they are shown.
        feed: what is counted.
        room: where people sit down; None where they cannot.
    """

    def __init__(self, registry: CollectorRegistry, feed: Feed, room: Room | None = None) -> None:
        self._feed, self._room = feed, room
        dashboard_clients(registry).set_function(lambda: feed.clients)
        if room is not None:
            seats = human_seats(registry)
            for state in STATES:
                seats.labels(state).set_function(partial(self._seats, state))
        registry.register(self)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the counters as they stand."""
        events = CounterMetricFamily(
            "palaver_dashboard_events", "Events that were made for browsers, once for all of them.", labels=["topic"]
        )
        for topic, count in self._feed.sent.items():
            events.add_metric([topic], count)
        yield events

    def _seats(self, state: str) -> float:
        seats = () if self._room is None else seats_now(self._room)["seats"]
        return float(sum(seat["state"] == state for seat in seats))
