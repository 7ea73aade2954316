"""Prometheus metrics of the doors by which programs of others come in. No agent has a series of its own.

What is refused has one name at all of them: ``palaver_untrusted_rejected_total{door,reason}``.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from palaver_broker.gateway import Gateway
from palaver_broker.mqtt.bridge import Bridge
from palaver_broker.strangers import Door
from palaver_protocols.strangers import Reason

__all__ = ["GatewayMetrics", "MqttMetrics", "count_refusals"]

REJECTED, ABOUT = "palaver_untrusted_rejected", "Messages of programs of others that were refused."


def count_refusals(registry: CollectorRegistry) -> Callable[[Reason], None]:
    """Register what the porter refuses, on Redis itself; return what counts one message."""
    counter = Counter(REJECTED, ABOUT, ("door", "reason"), registry=registry)
    for reason in get_args(Reason):
        counter.labels("redis", reason)  # the series appear at once, so that a first is seen
    return lambda reason: counter.labels("redis", reason).inc()


class GatewayMetrics(Collector):
    """Shows what a gateway has counted; it is read when somebody scrapes.

    Args:
        registry: where the metrics live; one registry takes one of these.
        gateway: what is shown.
    """

    def __init__(self, registry: CollectorRegistry, gateway: Gateway) -> None:
        self._gateway = gateway
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as they stand."""
        gateway, tally = self._gateway, self._gateway.tally
        yield GaugeMetricFamily("palaver_gateway_agents", "Agents that are here.", len(gateway.present))
        yield GaugeMetricFamily("palaver_gateway_connections", "WebSockets, and polls that wait.", gateway.connections)
        yield GaugeMetricFamily("palaver_gateway_questions_open", "Questions that are with agents.", gateway.questions)
        yield _by("type", "palaver_gateway_messages_received", "Messages from agents.", tally.said)
        yield _by("type", "palaver_gateway_messages_sent", "Questions and notices to agents.", tally.told)
        yield _by("reason", "palaver_gateway_cut_off", "Connections that the gateway has ended.", tally.cut_off)
        yield CounterMetricFamily("palaver_gateway_received_bytes", "Bytes of messages from agents.", tally.bytes_in)
        yield CounterMetricFamily("palaver_gateway_sent_bytes", "Bytes of messages and pictures.", tally.bytes_out)
        yield CounterMetricFamily(
            "palaver_gateway_turned_away", "Requests without a token that opens this door.", tally.turned_away
        )
        yield _rejected("gateway", tally.refused)


class MqttMetrics(Collector):
    """Shows what a bridge has counted; it is read when somebody scrapes.

    Args:
        registry: where the metrics live; one registry takes one of these.
        bridge: whose counts.
    """

    def __init__(self, registry: CollectorRegistry, bridge: Bridge) -> None:
        self._bridge = bridge
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as they stand."""
        bridge, counts = self._bridge, self._bridge.counts
        yield GaugeMetricFamily("palaver_mqtt_connected", "Whether there is an MQTT broker.", int(bridge.connected))
        yield GaugeMetricFamily("palaver_mqtt_agents", "Agents that may come in by MQTT.", bridge.agents)
        yield GaugeMetricFamily("palaver_mqtt_questions_open", "Questions without an answer.", bridge.open)
        for name, about, count in (
            ("questions_sent", "Questions published, repeats among them.", counts.sent),
            ("questions_sent_again", "Questions published once more.", counts.sent_again),
            ("pictures_sent", "Pictures published.", counts.pictures),
            ("messages", "Messages from agents.", counts.heard),
            ("floods", "Times that nobody listened to an agent for a while.", counts.deafened),
            ("reconnects", "Times that the connection to the MQTT broker was made again.", counts.reconnects),
        ):
            yield CounterMetricFamily(f"palaver_mqtt_{name}", about, count)
        yield _rejected("mqtt", counts.refused)


def _rejected(door: Door, refused: Mapping[str, int]) -> CounterMetricFamily:
    """Make the one counter of what is refused; every reason has a series from the first."""
    counter = CounterMetricFamily(REJECTED, ABOUT, labels=("door", "reason"))
    for reason in dict.fromkeys((*get_args(Reason), *refused)):
        counter.add_metric((door, reason), refused.get(reason, 0))
    return counter


def _by(label: str, name: str, documentation: str, values: Mapping[str, int]) -> CounterMetricFamily:
    counter = CounterMetricFamily(name, documentation, labels=(label,))
    for value, number in values.items():
        counter.add_metric((value,), number)
    return counter
