"""Servers for all tests of a process, and waits that are short."""

import pytest

from palaver_broker.mqtt import line as mqtt_line
from palaver_gamemasters import waiting
from tests.mosquitto_server import mosquitto_server

__all__ = ["mosquitto_server", "quickly"]


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up soon, and send again soon."""
    monkeypatch.setattr(waiting, "REMIND_S", 0.02)
    monkeypatch.setattr(waiting, "ON_THE_WAY_S", 0.1)
    monkeypatch.setattr(mqtt_line, "FIRST_S", 0.3)
    monkeypatch.setattr(mqtt_line, "EARLY_S", 0.3)
