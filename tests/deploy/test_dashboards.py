"""Prometheus and Grafana: what they ask for is what palaver counts, and every alert fires when it should."""

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.observability.every_metric import registries
from tests.promtool import promtool

COMPOSE = Path(__file__).parent.parent.parent / "deploy" / "compose"
BOARDS = sorted((COMPOSE / "grafana" / "dashboards").glob("*.json"))
FROM_PROMETHEUS = {"up": {"job", "instance"}, "ALERTS": {"alertname", "alertstate"}}
OF_A_TARGET = {"job", "instance"}
WORDS = {"by", "on", "without", "ignoring", "unless", "or", "and", "offset", "bool"}
Panel = dict[str, Any]


def run(*words: str | Path) -> None:
    done = subprocess.run([promtool(), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def panels(board: Panel) -> Iterator[Panel]:
    for panel in board["panels"]:
        yield panel
        yield from panel.get("panels", [])


def load(board: Path) -> Panel:
    loaded: Panel = json.loads(board.read_text(encoding="utf-8"))
    return loaded


def rules() -> list[dict[str, Any]]:
    loaded = yaml.safe_load((COMPOSE / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))
    return [rule for group in loaded["groups"] for rule in group["rules"]]


def with_values(expression: str) -> str:
    """Fill in Grafana's variables, as it does before it asks."""
    return re.sub(r"\$\w+", ".*", re.sub(r"\$__\w+", "5m", expression))


def expressions() -> Iterator[tuple[str, str]]:
    for rule in rules():
        yield rule["alert"], rule["expr"]
    for board in BOARDS:
        loaded = load(board)
        for note in loaded["annotations"]["list"]:
            yield f"{board.stem}: {note['name']}", note["expr"]
        for panel in panels(loaded):
            for target in panel.get("targets", []):
                yield f"{board.stem}: {panel['title']} ({panel['id']}{target['refId']})", with_values(target["expr"])


EXPRESSIONS = [pytest.param(expression, id=where) for where, expression in expressions()]


@pytest.fixture(scope="module")
def counted() -> dict[str, set[str]]:
    """Return the labels of every series by its name, after everything has happened once."""
    series = {name: set(labels) for name, labels in FROM_PROMETHEUS.items()}
    for registry in registries().values():
        for family in registry.collect():
            for sample in family.samples:
                series.setdefault(sample.name, set()).update(sample.labels, OF_A_TARGET)
    return series


def asked_for(expression: str) -> tuple[dict[str, set[str]], set[str]]:
    """Take an expression apart: the metrics with the labels that they are chosen by, and the labels grouped by."""
    grouped = re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", expression)
    bare = re.sub(r"\b(?:by|on)\s*\([^)]*\)", " ", expression)
    found: dict[str, set[str]] = {}
    for name, selector in re.findall(r"\b([a-zA-Z_]\w*)\b(?!\s*\()(\{[^}]*\})?(?![^{]*\})", bare):
        if name not in WORDS and not re.fullmatch(r"[smhd]", name):
            found.setdefault(name, set()).update(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector))
    return found, {label.strip() for labels in grouped for label in labels.split(",")}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_it_asks_for_what_is_counted(expression: str, counted: dict[str, set[str]]) -> None:
    metrics, grouped = asked_for(expression)
    assert metrics
    assert metrics.keys() <= counted.keys()
    for name, labels in metrics.items():
        assert labels <= counted[name], name
    assert grouped <= set().union(*(counted[name] for name in metrics))


def test_an_expression_is_taken_apart() -> None:
    expression = 'max by (a) (x_total{b="c d", e=~"f|g"} unless x_total offset 5m) / on (a) sum(rate(y[5m])) > 0.2 * 60'
    assert asked_for(expression) == ({"x_total": {"b", "e"}, "y": set()}, {"a"})


def test_every_expression_is_promql(tmp_path: Path) -> None:
    records = [{"record": f"check:{number}", "expr": param.values[0]} for number, param in enumerate(EXPRESSIONS)]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": records}]}), encoding="utf-8")
    run("check", "rules", file)


def test_the_configuration_of_prometheus() -> None:
    run("check", "config", COMPOSE / "prometheus" / "prometheus.yml")


def test_alerts_fire_when_they_should() -> None:
    run("test", "rules", COMPOSE / "prometheus" / "alerts_test.yml")


def test_every_alert_is_tested_and_says_what_to_do() -> None:
    tests = yaml.safe_load((COMPOSE / "prometheus" / "alerts_test.yml").read_text(encoding="utf-8"))["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    fired = {case["alertname"] for case in cases if case.get("exp_alerts")}
    quiet = {case["alertname"] for case in cases if not case.get("exp_alerts")}
    for rule in rules():
        assert rule["alert"] in fired & quiet
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"].keys() == {"summary", "description"}


def test_prometheus_asks_every_service() -> None:
    config = yaml.safe_load((COMPOSE / "prometheus" / "prometheus.yml").read_text(encoding="utf-8"))
    services = yaml.safe_load((COMPOSE / "compose.yaml").read_text(encoding="utf-8"))["services"]
    names = {name for scrape in config["scrape_configs"] for found in scrape.get("dns_sd_configs", [])
             for name in found["names"]}  # fmt: skip
    serving = {name: service for name, service in services.items() if str(service.get("command")).startswith("serve")}
    aliases = {name: service["networks"]["default"]["aliases"] for name, service in serving.items()
               if "networks" in service}  # fmt: skip
    assert names == {alias for name in serving for alias in aliases.get(name, [name])}


def test_there_is_a_board_where_grafana_looks() -> None:
    services = yaml.safe_load((COMPOSE / "compose.yaml").read_text(encoding="utf-8"))["services"]
    mounts = dict(mount.split(":")[1::-1] for mount in services["grafana"]["volumes"])
    (provider,) = yaml.safe_load(
        (COMPOSE / "grafana/provisioning/dashboards/palaver.yml").read_text(encoding="utf-8")
    )["providers"]  # fmt: skip
    folder = COMPOSE / mounts[provider["options"]["path"]]
    home = services["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert folder / Path(home).name in BOARDS


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_a_board_reads_the_source_that_is_provided(board: Path) -> None:
    provided = yaml.safe_load(
        (COMPOSE / "grafana/provisioning/datasources/prometheus.yml").read_text(encoding="utf-8")
    )["datasources"]  # fmt: skip
    uids = {source["uid"] for source in provided}
    assert set(re.findall(r'"uid": "([^"]+)"', json.dumps(load(board)["panels"]))) <= uids


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_a_board_is_laid_out(board: Path) -> None:
    loaded = load(board)
    every = list(panels(loaded))
    assert len({panel["id"] for panel in every}) == len(every)
    cells: set[tuple[int, int]] = set()
    for panel in every:
        at = panel["gridPos"]
        mine = set(product(range(at["x"], at["x"] + at["w"]), range(at["y"], at["y"] + at["h"])))
        assert max(x for x, _ in mine) < 24
        assert not mine & cells, f"{panel['title']} lies over another panel"
        cells |= mine
        if panel["type"] != "row":
            assert panel["description"].endswith((".", ")."))
    rows = sorted({y for _, y in cells})
    assert all(below - above == 1 for above, below in pairwise(rows)), "a gap between panels"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_a_board_knows_its_variables(board: Path) -> None:
    loaded = load(board)
    known = {variable["name"] for variable in loaded["templating"]["list"]}
    used = set(re.findall(r"\$(?!__)(\w+)", json.dumps(loaded)))
    assert used == known
