"""Two houses: one whose players come by Redis and the gateway, one with a player at the far end of MQTT."""

from collections.abc import Iterator

import pytest

from palaver_broker.gateway import doorkeeper, pages
from palaver_broker.mqtt import bridge, line
from palaver_broker.redis import porter
from tests.mosquitto_server import MosquittoServer, mosquitto_server
from tests.security.house import House, a_house

__all__ = ["far_house", "house", "mosquitto_server"]


def look_often(patch: pytest.MonkeyPatch) -> None:
    """Have the porter and the bridge look often: guests come one after the other, and say one thing each."""
    patch.setattr(porter, "LATEST_S", porter.SOONEST_S)
    patch.setattr(porter, "LOOK_S", 0.1)
    patch.setattr(bridge, "LOOK_S", 0.1)


@pytest.fixture(scope="session")
def house(redis_7: None) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doorkeeper, "SLOWEST_S", 0.01)  # all guests come from one address
        patch.setattr(doorkeeper, "SOONEST_S", 0.01)  # each unknown token waits for a look
        patch.setattr(doorkeeper, "LOOK_S", 0.3)
        patch.setattr(pages, "BODY_S", 1.0)  # a body that does not come is waited for
        look_often(patch)
        with a_house() as house:
            yield house


@pytest.fixture(scope="session")
def far_house(redis_7: None, mosquitto_server: MosquittoServer) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line, "EARLY_S", 0.0)  # a bridge that has just begun is patient with answers to what it has not
        look_often(patch)
        with a_house(("rae", "mia"), mosquitto=mosquitto_server) as house:
            yield house
