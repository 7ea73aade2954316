"""How a gate before a provider stands, for those who watch: read, never changed."""

from typing import NamedTuple

from .link import Link

__all__ = ["GateState", "gate_state"]


class GateState(NamedTuple):
    """What is left at a gate: requests and tokens that may pass now (None: no limit), and how long a pause lasts (s).

    ``failures`` counts how often in a row the provider has asked us to slow down.
    """

    requests_left: float | None
    tokens_left: float | None
    paused_s: float
    failures: int


async def gate_state(
    link: Link, name: str, requests_per_minute: int | None, tokens_per_minute: int | None
) -> GateState:
    """Look at a gate (:class:`~palaver_broker.redis.gate.RedisGate`).

    Args:
        link: the connection to the bus.
        name: which gate.
        requests_per_minute: its limit; None where it has none.
        tokens_per_minute: likewise.
    """
    fields = ("requests", "requests_at", "tokens", "tokens_at", "paused_until", "failures")
    found = await link.call("HMGET", f"{link.prefix}gate:{name}", *fields)
    seconds, micros = await link.call("TIME")
    now = int(seconds) * 1000 + int(micros) / 1000
    requests, requests_at, tokens, tokens_at, paused_until, failures = (float(value or 0) for value in found)
    return GateState(
        _left(requests, requests_at, requests_per_minute, now),
        _left(tokens, tokens_at, tokens_per_minute, now),
        max(0.0, paused_until - now) / 1000,
        int(failures),
    )


def _left(level: float, at: float, per_minute: int | None, now: float) -> float | None:
    """Return what a leaky bucket has room for: it holds ten seconds' worth, and loses so much a minute."""
    if not per_minute:
        return None
    passed = max(0.0, now - at) if at else 0.0
    return max(0.0, max(1.0, per_minute / 6) - max(0.0, level - passed * per_minute / 60_000))
