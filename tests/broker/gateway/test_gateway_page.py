"""`docs/gateway.md` is true: its metrics, statuses and limits are those that there are."""

import re
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from palaver_broker import Broker
from palaver_broker.gateway import Gateway
from palaver_broker.gateway.answers import STATUS
from palaver_broker.memory import MemoryBroker
from palaver_observability.door_metrics import GatewayMetrics
from palaver_protocols.strangers import LIMITS
from tests.broker.gateway.places import Book

PAGE = (Path(__file__).parents[3] / "docs" / "gateway.md").read_text(encoding="utf-8")


async def metrics() -> set[str]:
    """Return the metrics of a gateway, by name and labels, as somebody scrapes them."""
    registry = CollectorRegistry()
    broker: Broker
    async with MemoryBroker() as broker:
        gateway = Gateway(broker, Book(), "gate")
        GatewayMetrics(registry, gateway)
        for counter in (gateway.tally.said, gateway.tally.told, gateway.tally.cut_off):
            counter["x"] += 1
        found = set()
        for family in registry.collect():
            (labels,) = {tuple(sorted(sample.labels)) for sample in family.samples}
            name = family.name + "_total" * (family.type == "counter")
            if labels == ("door", "reason"):
                found.add(f'{name}{{door="gateway",reason}}')
            else:
                found.add(name + (f"{{{','.join(labels)}}}" if labels else ""))
        return found


async def test_the_metrics_that_are_named_are_those_that_there_are() -> None:
    said = re.findall(r"`((?:palaver_|…_)[a-z_]+(?:\{[^`]*\})?)`", PAGE)
    assert {name.replace("…", "palaver_gateway") for name in said} == await metrics()


def test_every_status_of_a_refusal_is_told_with_its_reason() -> None:
    rows: list[tuple[Any, ...]] = re.findall(r"^\| ([0-9, ]+) \| (.*?) \|", PAGE, flags=re.MULTILINE)
    told = {int(status): said for statuses, said in rows for status in statuses.split(", ")}
    assert [reason for reason, status in STATUS.items() if f"`{reason}`" not in told[status]] == []


def test_the_limits_are_ours() -> None:
    assert f"| {LIMITS.message_bytes // 1024} KiB a message |" in PAGE
    assert f"| {LIMITS.per_second:g} messages a second, {LIMITS.burst} at once;" in PAGE
    assert f"| {LIMITS.connections} connections, waiting polls included |" in PAGE
    assert f"| {LIMITS.concurrency} questions at a time |" in PAGE
