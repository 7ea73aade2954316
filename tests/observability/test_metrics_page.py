"""docs/metrics.md holds what is served, and nothing else; what is served is as Prometheus likes it."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest

from tests.observability.every_metric import registries
from tests.promtool import promtool

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| `([a-z_]+)` \| (counter|gauge|histogram) \| ([a-z_, ]*) ?\| ([a-z, ]+) \| (.+) \|$", re.MULTILINE
)
KINDS = frozenset(registries())
GROUPS = {"all": KINDS, "bus": KINDS - {"run"}}

Told = tuple[str, frozenset[str], frozenset[str]]
"""Type, labels, who serves it."""


def told() -> dict[str, Told]:
    found: dict[str, Told] = {}
    for name, kind, labels, who, _ in ROW.findall(PAGE):
        assert name not in found, f"{name} is told twice"
        served: set[str] = set()
        for each in who.split(", "):
            served |= GROUPS.get(each, {each})
        found[name] = kind, frozenset(filter(None, labels.strip().split(", "))), frozenset(served)
    return found


def served() -> dict[str, Told]:
    found: dict[str, Told] = {}
    for process, registry in registries().items():
        for family in registry.collect():
            if not family.samples:
                continue
            name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
            labels = frozenset(label for sample in family.samples for label in sample.labels) - {"le"}
            before = found.get(name, ("", labels, frozenset()))
            assert before[1] == labels, f"{name} has other labels elsewhere"
            found[name] = "gauge" if family.type == "info" else family.type, labels, before[2] | {process}
    return found


def test_every_metric_is_told_and_none_that_there_is_not() -> None:
    assert told().keys() == served().keys()


def test_a_metric_is_as_it_is_told() -> None:
    there, page = served(), told()
    assert {name: page[name] for name in page if page[name] != there[name]} == {}


def test_the_page_tells_every_alert() -> None:
    rules = yaml.safe_load((ROOT / "deploy/compose/prometheus/alerts.yml").read_text(encoding="utf-8"))
    alerts = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
    assert sorted(re.findall(r"^\| `(Palaver\w+)` \|", PAGE, re.MULTILINE)) == sorted(alerts)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_a_process_shows_is_as_prometheus_likes_it(kind: str) -> None:
    text = generate_latest(registries()[kind])
    done = subprocess.run([promtool(), "check", "metrics"], input=text, capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (0, "", "")


def test_no_label_is_a_run_or_an_episode() -> None:
    shown: list[CollectorRegistry] = list(registries().values())
    assert not [registry for registry in shown if b"secret" in generate_latest(registry)]
