"""Prometheus metrics of the messages of a bus: how many, how large, how long on their way.

A process counts what it sends and receives, twice a turn or more. So these are plain numbers, which become metrics when
somebody scrapes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

__all__ = ["DELAY_BUCKETS", "SIZE_BUCKETS", "BusTraffic"]

DELAY_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Upper bounds in seconds: from a message that finds its reader waiting to one that waits for a place."""
SIZE_BUCKETS = tuple(float(256 * 4**power) for power in range(9))
"""Upper bounds in bytes: 256 to 16 MiB."""


class _Tally:
    """A histogram: how many values, their sum, how many in each bucket."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        return sum(self._counts)

    @property
    def sum(self) -> float:
        return self._sum

    @property
    def buckets(self) -> list[tuple[str, float]]:
        names = [*(str(bound) for bound in self._bounds), "+Inf"]
        return list(zip(names, map(float, accumulate(self._counts)), strict=True))


class BusTraffic(Collector):
    """What a process sends and receives; :class:`palaver_broker.redis.streams.Traffic`.

    Args:
        registry: where the metrics live; one registry takes one of these.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._sizes: dict[tuple[str, str], _Tally] = {}
        self._delays: dict[str, _Tally] = {}
        registry.register(self)

    def sent(self, kind: str, size: int) -> None:
        """Count a message that goes out: its type, and its bytes."""
        self._size("out", kind).add(size)

    def received(self, kind: str, size: int, delay_s: float | None) -> None:
        """Count one that has come in, and how long it was on its way; None: it had been handed out before.

        A clock that is behind the server's makes no message arrive before it was sent.
        """
        self._size("in", kind).add(size)
        if delay_s is not None:
            delays = self._delays.get(kind)
            if delays is None:
                delays = self._delays[kind] = _Tally(DELAY_BUCKETS)
            delays.add(max(0.0, delay_s))

    def _size(self, direction: str, kind: str) -> _Tally:
        sizes = self._sizes.get((direction, kind))
        if sizes is None:
            sizes = self._sizes[direction, kind] = _Tally(SIZE_BUCKETS)
        return sizes

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as they stand."""
        labels = ("direction", "message_type")
        messages = CounterMetricFamily("palaver_bus_messages", "Messages sent and received.", labels=labels)
        sizes = HistogramMetricFamily("palaver_bus_message_size_bytes", "Size of messages, as JSON.", labels=labels)
        delays = HistogramMetricFamily(
            "palaver_bus_delivery_delay_seconds",
            "Time from when a message was sent until it was first received, by the server's clock and ours.",
            labels=("message_type",),
        )
        for key, tally in self._sizes.items():
            messages.add_metric(key, tally.count)
            sizes.add_metric(key, tally.buckets, tally.sum)
        for kind, tally in self._delays.items():
            delays.add_metric((kind,), tally.buckets, tally.sum)
        yield from (messages, sizes, delays)

    def describe(self) -> Iterable[Metric]:
        """Name the metrics, so that a registry can tell that it has them already."""
        return self.collect()
