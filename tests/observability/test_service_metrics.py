"""What services count, under which names and labels."""

import subprocess
from collections.abc import Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from palaver_broker.board import Kind, Member, Queue, RunState, RunStatus
from palaver_broker.redis.measuring import StreamState
from palaver_observability.bus_metrics import BusTraffic
from palaver_observability.fleet_metrics import STALE_S, FleetMetrics
from palaver_observability.gate_metrics import GateMetrics
from palaver_observability.service_metrics import AgentMetrics, BusMetrics, build_info, calls_of_run
from palaver_protocols.events import ModelCalled, TurnAnswered, TurnAsked, TurnRetried
from palaver_protocols.messages import TurnFailure, Usage
from palaver_protocols.runs import RunConfig
from tests.promtool import promtool
from tests.support import NOON, a_failure, a_reply, a_request

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


def test_a_failure_is_counted_by_its_reason_and_a_stranger_has_no_name_of_its_own(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    request = a_request(agent="openai/gpt")
    metrics(ModelCalled(request, a_failure(request), "provider", 2.0))
    assert registry.get_sample_value("palaver_llm_errors_total", {**GPT, "code": "rate_limited"}) == 1
    metrics(ModelCalled(request, a_reply(request, provider="me", model="mine", unverified=True), "provider"))
    labels = {**GPT, "source": "provider", "outcome": "answered"}
    assert registry.get_sample_value("palaver_llm_calls_total", labels) == 1


def test_calls_are_timed_as_the_conventions_want_it(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    request = a_request(agent="google/gemini")
    usage = Usage(input_tokens=100, output_tokens=20)
    reply = a_reply(request, provider="google", model="gemini-1", usage=usage, latency_s=1.5)
    metrics(ModelCalled(request, reply, "provider", 2.0))
    metrics(ModelCalled(request, reply, "journal", 0.0))
    metrics(ModelCalled(request, reply.model_copy(update={"cached": True}), "provider", 0.0))
    metrics(ModelCalled(request, a_failure(request), "provider", 4.0))
    who = {"gen_ai_operation_name": "chat", "gen_ai_provider_name": "gcp.gemini", "gen_ai_request_model": "gemini"}
    answered = {**who, "gen_ai_response_model": "gemini-1"}
    name = "gen_ai_client_operation_duration_seconds"
    assert registry.get_sample_value(f"{name}_count", {**answered, "error_type": ""}) == 1
    assert registry.get_sample_value(f"{name}_sum", {**answered, "error_type": ""}) == 1.5
    failed = {**who, "gen_ai_response_model": "", "error_type": "rate_limited"}
    assert registry.get_sample_value(f"{name}_sum", failed) == 4
    for kind, tokens in (("input", 100), ("output", 20)):
        labels = {**answered, "gen_ai_token_type": kind}
        assert registry.get_sample_value("gen_ai_client_token_usage_sum", labels) == tokens


@pytest.mark.parametrize(
    ("agent", "answer"),
    [
        ("human", {"provider": "human", "model": "mild-otter-7"}),
        ("bus/friend", {"provider": "me", "model": "mild-otter-7", "unverified": True}),
    ],
)
def test_neither_people_nor_strangers_name_a_model(
    registry: CollectorRegistry, agent: str, answer: dict[str, Any]
) -> None:
    request = a_request(agent=agent)
    AgentMetrics(registry)(ModelCalled(request, a_reply(request, **answer), "provider", 2.0))
    shown = generate_latest(registry).decode()
    assert "gen_ai_client_operation_duration_seconds_count" in shown
    assert "otter" not in shown


def test_a_run_in_one_process_counts_its_calls_too(registry: CollectorRegistry) -> None:
    count = calls_of_run(AgentMetrics(registry))
    request = a_request(agent="openai/gpt")
    for event in (TurnAsked(request), TurnRetried(request, "timeout", "", 0), TurnAnswered(request, a_reply(request))):
        count(event)
    for outcome in ("answered", "failed"):
        labels = {**GPT, "source": "provider", "outcome": outcome}
        assert registry.get_sample_value("palaver_llm_calls_total", labels) == 1


def test_the_places_of_an_agent_are_shown_as_they_are_taken(registry: CollectorRegistry) -> None:
    agent = SimpleNamespace(name="openai/gpt", busy=1, concurrency=64)
    AgentMetrics(registry).show(agent)
    agent.busy = 7
    names = ("palaver_agent_busy", "palaver_agent_places")
    assert [registry.get_sample_value(name, {"agent": "openai/gpt"}) for name in names] == [7, 64]


def test_a_gate_is_read_when_somebody_scrapes(registry: CollectorRegistry) -> None:
    gate: Any = SimpleNamespace(waited_s=0.0, pauses=0, paused_for=lambda: 3.5)
    GateMetrics(registry, gate, "openai")
    gate.waited_s, gate.pauses = 12.5, 2
    names = ("wait_seconds_total", "pauses_total", "paused_seconds")
    values = [registry.get_sample_value(f"palaver_rate_limit_{name}", {"provider": "openai"}) for name in names]
    assert values == [12.5, 2, 3.5]


# -- the bus


def test_messages_are_counted_measured_and_timed(registry: CollectorRegistry) -> None:
    traffic = BusTraffic(registry)
    traffic.sent("turn.request", 300)
    traffic.sent("turn.request", 10**9)
    traffic.received("turn.reply", 200, 0.02)
    traffic.received("turn.reply", 200, -5.0)  # our clock is behind
    traffic.received("turn.reply", 200, None)  # handed out before

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"palaver_bus_{name}", labels)

    sent = {"direction": "out", "message_type": "turn.request"}
    assert value("messages_total", **sent) == 2
    assert value("messages_total", direction="in", message_type="turn.reply") == 3
    assert [value("message_size_bytes_bucket", **sent, le=le) for le in ("256.0", "1024.0", "+Inf")] == [0, 1, 2]
    assert value("delivery_delay_seconds_count", message_type="turn.reply") == 2
    assert value("delivery_delay_seconds_sum", message_type="turn.reply") == 0.02
    assert value("delivery_delay_seconds_bucket", message_type="turn.reply", le="0.001") == 1


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
    assert by("palaver_fleet_runs", "state", "loading", "open", "paused", "cancelled", "done") == [1, 2, 0, 1, 0]
    for name, value in (("gamemasters_alive", 1), ("recorders_alive", 0), ("redis_memory_bytes", 1_000_000)):
        assert registry.get_sample_value(f"palaver_{name}") == value


def test_budgets_are_shown_by_the_open_run_that_has_spent_most_of_its_own(registry: CollectorRegistry) -> None:
    def run(tokens: int, usd: float, state: RunState = "open", **budgets: Any) -> RunStatus:
        config = RunConfig(run_id="r", game="toy", agents=("openai/gpt",), **budgets)
        return a_status(state, config=config, tokens=tokens, cost_usd=usd)

    runs = [
        run(50, 0.0, budget_tokens=100),
        run(60, 1.5, budget_tokens=100, budget_usd=2.0),
        run(10**9, 10.0**9),
        run(100, 0.0, "done", budget_tokens=100),
    ]
    FleetMetrics(registry).update(runs, [], [], None)
    used = [
        registry.get_sample_value("palaver_fleet_budget_used_ratio", {"budget": each}) for each in ("tokens", "usd")
    ]
    assert used == [0.6, 0.75]


def test_streams_are_shown_by_what_they_are_for(registry: CollectorRegistry) -> None:
    streams = [StreamState("questions", 5, 2, 30.0), StreamState("dead", 4)]
    FleetMetrics(registry).update([], [], [], None, streams)

    def shown(name: str, stream: str) -> float | None:
        return registry.get_sample_value(f"palaver_stream_{name}", {"stream_class": stream})

    names = ("length", "lag", "pending", "oldest_pending_seconds")
    assert [shown(name, "questions") for name in names] == [5, 3, 2, 30]
    assert [shown(name, "dead") for name in names] == [4, None, None, None]


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
