"""What all tests may ask for."""

from tests.redis_server import redis_server

__all__ = ["redis_server"]
