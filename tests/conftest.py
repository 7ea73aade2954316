"""What all tests may ask for."""

import subprocess

import pytest

from tests.redis_server import redis_binary, redis_server

__all__ = ["redis_7", "redis_server"]


@pytest.fixture(scope="session")
def redis_7() -> None:
    """Skip what a server before 7.0 cannot do."""
    said = subprocess.run([redis_binary(), "--version"], capture_output=True, text=True, check=True).stdout
    if int(said.split("v=")[1].split(".")[0]) < 7:
        pytest.skip(f"this needs redis-server 7.0, and here is {said.strip()}")
