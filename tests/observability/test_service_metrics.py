"""What services count, under which names and labels."""

import subprocess
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from palaver_broker.board import Kind, Member, Queue, RunState, RunStatus
from palaver_observability.service_metrics import STALE_S, AgentMetrics, BusMetrics, FleetMetrics, build_info
from palaver_protocols.events import ModelCalled
from palaver_protocols.messages import TurnFailure
from palaver_protocols.runs import RunConfig
from tests.promtool import promtool
from tests.support import NOON, a_reply, a_request

GPT = {"provider": "openai", "model": "gpt"}


class Counters:
    """A bus that has seen something of everything."""

    def __init__(self) -> None:
        self.reconnects = 1
        self.redeliveries = 2
        self.dead_letters = 3
        self.refused: Mapping[str, int] = {"gap": 4}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


def a_status(state: RunState = "open", **changes: Any) -> RunStatus:
    fields: dict[str, Any] = {
        "config": RunConfig(run_id="secret-run", game="toy", agents=("openai/gpt",)),
        "state": state,
        "recorder": "service",
        "total": 10,
        "owed": 5,
        "playing": 2,
        "ended": 1,
        "archived": 2,
        "outcomes": {"solved": 3},
        "tokens": 100,
        "cost_usd": 0.5,
        "submitted": NOON - timedelta(hours=1),
    }
    return RunStatus(**{**fields, **changes})


def a_member(kind: Kind, name: str) -> Member:
    return Member(kind, name, "c0", "host", 7, "0.1.0", 64, {}, NOON, 3)


def fleet(metrics: FleetMetrics) -> None:
    statuses = [a_status(), a_status(playing=0), a_status("cancelled"), a_status("loading", owed=1)]
    members = [a_member("agent", "openai/gpt"), a_member("agent", "openai/gpt"), a_member("gamemaster", "gm-1")]
    queues = [Queue("openai/gpt", 4, 2, 1.5), Queue("vllm/absent", 9, 0, 60.0)]
    metrics.update(statuses, members, queues, 1_000_000)


# -- agents


def test_a_call_is_labelled_by_what_its_answer_reports(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    request = a_request(agent="bus/friend")
    for source in ("provider", "journal", "journal"):
        metrics(ModelCalled(request, a_reply(request, provider="openai", model="gpt"), source))
    for source, calls in (("provider", 1), ("journal", 2)):
        labels = {**GPT, "source": source, "outcome": "answered"}
        assert registry.get_sample_value("palaver_llm_calls_total", labels) == calls


def test_a_failed_call_is_labelled_by_the_name_of_its_agent(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    request = a_request(agent="openai/gpt")
    facts = request.model_dump(include={"key", "run_id", "episode_id", "turn", "seat", "agent"})
    failure = TurnFailure(**facts, code="timeout", message="too slow", retryable=True)
    metrics(ModelCalled(request, failure, "provider"))
    labels = {**GPT, "source": "provider", "outcome": "failed"}
    assert registry.get_sample_value("palaver_llm_calls_total", labels) == 1


def test_lost_calls_are_shown_from_zero_on(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    for calls, total in ((0, 0), (3, 3)):
        metrics.lost("openai/gpt", calls)
        assert registry.get_sample_value("palaver_llm_calls_lost_in_flight_total", GPT) == total


# -- the bus


def test_the_bus_is_read_when_somebody_scrapes(registry: CollectorRegistry) -> None:
    counters = Counters()
    BusMetrics(registry, counters)
    counters.reconnects = 5
    counters.refused = {"gap": 4, "dup": 6}
    names = ("palaver_bus_reconnects_total", "palaver_bus_redeliveries_total", "palaver_bus_dead_letters_total")
    assert [registry.get_sample_value(name) for name in names] == [5, 2, 3]
    refused = [registry.get_sample_value("palaver_turn_commits_refused_total", {"reason": r}) for r in ("dup", "gap")]
    assert refused == [6, 4]


def test_what_was_never_refused_is_zero(registry: CollectorRegistry) -> None:
    BusMetrics(registry, Counters())
    assert registry.get_sample_value("palaver_turn_commits_refused_total", {"reason": "dup"}) == 0


# -- the fleet


def test_the_fleet_is_the_last_look_at_the_board(registry: CollectorRegistry) -> None:
    metrics = FleetMetrics(registry)
    metrics.update([a_status("done")] * 5, [], [], None)
    fleet(metrics)

    def by(name: str, label: str, *values: str) -> list[float | None]:
        return [registry.get_sample_value(name, {label: value}) for value in values]

    agents = ("openai/gpt", "vllm/absent")
    assert by("palaver_agents_alive", "agent", *agents) == [2, 0]
    assert by("palaver_inbox_unread", "agent", *agents) == [4, 9]
    assert by("palaver_inbox_pending", "agent", *agents) == [2, 0]
    assert by("palaver_inbox_oldest_seconds", "agent", *agents) == [1.5, 60]
    assert by("palaver_fleet_episodes", "state", "owed", "playing", "ended") == [11, 6, 4]
    assert by("palaver_fleet_runs", "state", "loading", "open", "cancelled", "done") == [1, 2, 1, 0]
    for name, value in (("gamemasters_alive", 1), ("recorders_alive", 0), ("redis_memory_bytes", 1_000_000)):
        assert registry.get_sample_value(f"palaver_{name}") == value


def test_memory_that_is_not_known_is_not_shown(registry: CollectorRegistry) -> None:
    FleetMetrics(registry).update([], [], [], None)
    text = generate_latest(registry).decode()
    assert "palaver_gamemasters_alive 0.0" in text
    assert "memory" not in text


def test_an_old_look_at_the_board_is_not_shown(registry: CollectorRegistry) -> None:
    clock = Clock()
    metrics = FleetMetrics(registry, clock=clock)
    assert generate_latest(registry) == b""
    fleet(metrics)
    clock.now += STALE_S
    assert registry.get_sample_value("palaver_gamemasters_alive") == 1
    clock.now += 0.1
    assert generate_latest(registry) == b""


# -- all of them


def everything(registry: CollectorRegistry) -> str:
    build_info(registry)
    agent = AgentMetrics(registry)
    agent.lost("openai/gpt", 1)
    request = a_request(agent="openai/gpt", run_id="secret-run", episode_id="secret-episode")
    agent(ModelCalled(request, a_reply(request), "provider"))
    BusMetrics(registry, Counters())
    fleet(FleetMetrics(registry))
    return generate_latest(registry).decode()


def test_no_label_is_a_run_or_an_episode(registry: CollectorRegistry) -> None:
    assert "secret" not in everything(registry)


def test_the_version_is_told(registry: CollectorRegistry) -> None:
    assert 'palaver_build_info{version="' in everything(registry)


def test_a_registry_takes_each_of_them_once(registry: CollectorRegistry) -> None:
    everything(registry)
    again = (
        lambda: build_info(registry),
        lambda: AgentMetrics(registry),
        lambda: BusMetrics(registry, Counters()),
        lambda: FleetMetrics(registry),
    )
    for make in again:
        with pytest.raises(ValueError, match="Duplicated timeseries"):
            make()


def test_the_names_are_as_prometheus_likes_them(registry: CollectorRegistry) -> None:
    text = everything(registry)
    done = subprocess.run([promtool(), "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
