"""Every metric that palaver serves, by the kind of process that serves it: everything has happened there once."""

from types import SimpleNamespace
from typing import Any

from prometheus_client import CollectorRegistry

from palaver_broker.board import Queue, RunStatus
from palaver_broker.gateway import Tally
from palaver_broker.mqtt.wire import Counts
from palaver_broker.redis.measuring import StreamState
from palaver_observability.bus_metrics import BusTraffic
from palaver_observability.dashboard.metrics import DashboardMetrics
from palaver_observability.door_metrics import GatewayMetrics, MqttMetrics, count_refusals
from palaver_observability.fleet_metrics import FleetMetrics
from palaver_observability.gate_metrics import GateMetrics
from palaver_observability.metrics import Metrics
from palaver_observability.service_metrics import (
    AgentMetrics,
    BusMetrics,
    RecorderMetrics,
    build_info,
    calls_of_run,
    human_seats,
)
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    ModelCalled,
    SeatHandedOver,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import EpisodeEnded, Usage
from palaver_protocols.runs import RunConfig
from tests.support import NOON, a_failure, a_reply, a_request, a_start

__all__ = ["registries"]

REQUEST = a_request(agent="openai/gpt", run_id="secret-run", episode_id="secret-episode")
REPLY = a_reply(
    REQUEST,
    usage=Usage(input_tokens=1, output_tokens=2, reasoning_tokens=1),
    provider="openai",
    model="gpt",
    latency_s=0.5,
    cost_usd=0.01,
)
STARTED = a_start(run_id="secret-run", episode_id="secret-episode")
ENDED = EpisodeEnded.model_validate({"key": "x", "outcome": "solved", "at": NOON})
PLAYED: tuple[Event, ...] = (
    EpisodeOpened(STARTED, 0),
    TurnAsked(REQUEST),
    TurnRetried(REQUEST, "timeout", "", 0),
    TurnAnswered(REQUEST, REPLY),
    TurnAnswered(REQUEST, REPLY, aside=True),
    InvalidReply(REQUEST, REPLY, "no move"),
    SeatHandedOver(STARTED, "a", "openai/gpt", 1),
    EpisodeClosed(STARTED, ENDED, turns=1),
)


def a_run_with_budgets() -> RunStatus:
    config = RunConfig(run_id="secret-run", game="toy", agents=("openai/gpt",), budget_tokens=100, budget_usd=2.0)
    return RunStatus(config, "open", "service", 3, 1, 1, 1, 0, {"solved": 1}, 60, 1.5, NOON)


def registries() -> dict[str, CollectorRegistry]:
    """Return what each kind of process shows, made anew."""
    kinds = ("run", "gamemaster", "agent", "recorder", "gateway", "mqtt", "dashboard")
    found = {kind: CollectorRegistry() for kind in kinds}
    for kind, registry in found.items():
        build_info(registry)
        if kind != "run":
            _bus(registry)
    _plays(found["run"], calls_of_run(AgentMetrics(found["run"])))
    _plays(found["gamemaster"])
    refuse = count_refusals(found["gamemaster"])
    refuse("closed")
    streams = [StreamState("questions", 2, 1, 3.0), StreamState("answers", 1, 0, 0.5), StreamState("dead", 1)]
    queues = (Queue("openai/gpt", unread=1, pending=1, oldest_s=1.0),)
    FleetMetrics(found["gamemaster"]).update((a_run_with_budgets(),), (), queues, 1, streams)
    _agent(found["agent"])
    RecorderMetrics(found["recorder"])(SimpleNamespace(game="toy", outcome="solved"))  # type: ignore[arg-type]  # all it reads
    tally, counts = Tally(), Counts()
    tally.said["turn.reply"] = tally.told["turn.request"] = tally.cut_off["slow"] = 1
    there: Any = SimpleNamespace(present=(), connections=0, questions=0, tally=tally)
    GatewayMetrics(found["gateway"], there)
    bridge: Any = SimpleNamespace(connected=True, agents=0, open=0, counts=counts)
    MqttMetrics(found["mqtt"], bridge)
    feed: Any = SimpleNamespace(clients=1, sent={"cards": 1})
    DashboardMetrics(found["dashboard"], feed)
    human_seats(found["dashboard"]).labels("open").set(1)
    return found


def _bus(registry: CollectorRegistry) -> None:
    BusMetrics(registry, SimpleNamespace(reconnects=0, redeliveries=0, dead_letters=0, refused={}))
    traffic = BusTraffic(registry)
    traffic.sent("turn.request", 5000)
    traffic.received("turn.reply", 500, 0.01)


def _plays(registry: CollectorRegistry, *hooks: Any) -> None:
    for hook in (Metrics(registry), *hooks):
        for event in PLAYED:
            hook(event)


def _agent(registry: CollectorRegistry) -> None:
    metrics = AgentMetrics(registry)
    metrics(ModelCalled(REQUEST, REPLY, "provider", 0.5))
    metrics(ModelCalled(REQUEST, a_failure(REQUEST), "provider", 0.5))
    metrics.lost("openai/gpt", 0)
    metrics.show(SimpleNamespace(name="openai/gpt", busy=1, concurrency=64))
    gate: Any = SimpleNamespace(waited_s=1.0, pauses=1, paused_for=lambda: 0.0)
    GateMetrics(registry, gate, "openai")
