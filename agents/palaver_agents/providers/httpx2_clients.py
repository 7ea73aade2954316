"""How the clients of OpenAI's and Anthropic's SDKs are set up: both go through httpx2."""

import httpx2

from .calling import KEEP_ALIVE_S, MAX_CONNECTIONS

__all__ = ["LIMITS", "timeout"]

CONNECT_S = 30.0
"""A server that does not even pick up within this time (seconds) is not there."""
LIMITS = httpx2.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=KEEP_ALIVE_S)


def timeout(timeout_s: float) -> httpx2.Timeout:
    """Return how long to wait in a call of ``timeout_s`` seconds: for each byte, and for a connection."""
    return httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))
