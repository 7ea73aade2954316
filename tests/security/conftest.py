"""Two houses: one whose players come by Redis and the gateway, one with a player at the far end of MQTT."""

from collections.abc import Iterator

import pytest

from palaver_broker.gateway import app, doorkeeper
from palaver_broker.mqtt import line
from tests.mosquitto_server import MosquittoServer, mosquitto_server
from tests.security.house import House, a_house

__all__ = ["far_house", "house", "mosquitto_server"]


@pytest.fixture(scope="session")
def house(redis_7: None) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doorkeeper, "SLOWEST_S", 0.01)  # all guests come from one address
        patch.setattr(app, "BODY_S", 1.0)  # a body that does not come is waited for
        with a_house() as house:
            yield house


@pytest.fixture(scope="session")
def far_house(redis_7: None, mosquitto_server: MosquittoServer) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line, "EARLY_S", 0.0)  # a bridge that has just begun is patient with answers to what it has not
        with a_house(("rae", "mia"), mosquitto=mosquitto_server) as house:
            yield house
