"""What all tests may ask for, and what so many of them need: an order, and a collector that leaves them alone."""

import gc
import subprocess

import pytest
from hypothesis import settings

from tests.redis_server import redis_binary, redis_server

__all__ = ["pytest_collection", "pytest_collection_finish", "pytest_collection_modifyitems", "redis_7", "redis_server"]

LONG = ("tests/chaos/test_chaos.py", "tests/strangers/test_five_strangers.py", "tests/deploy/test_fleet.py")
"""Where tests wait for whole fleets: they begin first, lest somebody waits for one of them in the end."""

settings.register_profile("palaver", deadline=None)  # a busy machine is no failure
settings.load_profile("palaver")


def pytest_collection() -> None:
    """Read all tests without looking for garbage: there is none."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish() -> None:
    """Spare the collector what lives till the end: near a million objects, which it would look through for nothing."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def redis_7() -> None:
    """Skip what a server before 7.0 cannot do."""
    said = subprocess.run([redis_binary(), "--version"], capture_output=True, text=True, check=True).stdout
    if int(said.split("v=")[1].split(".")[0]) < 7:
        pytest.skip(f"this needs redis-server 7.0, and here is {said.strip()}")
