"""What a dashboard counts of itself."""

from prometheus_client import CollectorRegistry

from palaver_agents.human import Hall, Tokens
from palaver_broker.memory import MemoryBroker
from palaver_observability.dashboard.metrics import DashboardMetrics
from palaver_observability.dashboard.seats import Room
from tests.observability.dashboard.stage import folder_dashboard


async def test_browsers_events_and_seats_are_counted() -> None:
    registry = CollectorRegistry()
    board = folder_dashboard()
    async with MemoryBroker() as broker:
        DashboardMetrics(registry, board.feed, Room(Hall(Tokens(b"s" * 32)), broker))
        board.feed.sent["cards"] += 3

        told = {
            (name, *labels.values()): registry.get_sample_value(name, labels)
            for name, labels in (
                ("palaver_dashboard_clients", {}),
                ("palaver_dashboard_events_total", {"topic": "cards"}),
                ("palaver_human_seats", {"state": "open"}),
            )
        }

    assert told == {
        ("palaver_dashboard_clients",): 0,
        ("palaver_dashboard_events_total", "cards"): 3,
        ("palaver_human_seats", "open"): 0,
    }
