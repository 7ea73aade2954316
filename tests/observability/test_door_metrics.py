from types import SimpleNamespace
from typing import Any, get_args

from prometheus_client import CollectorRegistry

from palaver_broker.gateway import Tally
from palaver_broker.mqtt.wire import Counts
from palaver_observability.door_metrics import GatewayMetrics, MqttMetrics, count_refusals
from palaver_protocols.strangers import Reason

REJECTED = "palaver_untrusted_rejected_total"


def rejected(registry: CollectorRegistry, door: str) -> dict[str, float]:
    return {
        reason: value
        for reason in get_args(Reason)
        if (value := registry.get_sample_value(REJECTED, {"door": door, "reason": reason})) is not None
    }


def test_every_reason_has_a_series_from_the_first_at_every_door() -> None:
    porter, gateway, mqtt = CollectorRegistry(), CollectorRegistry(), CollectorRegistry()
    refuse = count_refusals(porter)
    tally, counts = Tally(), Counts()
    there: Any = SimpleNamespace(present=(), connections=0, questions=0, tally=tally)
    bridge: Any = SimpleNamespace(connected=True, agents=0, open=0, counts=counts)
    GatewayMetrics(gateway, there)
    MqttMetrics(mqtt, bridge)
    nothing = dict.fromkeys(get_args(Reason), 0.0)
    assert rejected(porter, "redis") == rejected(gateway, "gateway") == rejected(mqtt, "mqtt") == nothing

    refuse("closed")
    tally.refused["closed"] += 1
    counts.refuse("closed")
    once = nothing | {"closed": 1.0}
    assert rejected(porter, "redis") == rejected(gateway, "gateway") == rejected(mqtt, "mqtt") == once
