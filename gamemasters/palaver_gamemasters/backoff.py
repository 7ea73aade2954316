"""How long to wait before asking again."""

from .dice import Dice

__all__ = ["wait_before"]


def wait_before(attempt: int, *, base_s: float, cap_s: float, key: str, asked_s: float | None = None) -> float:
    """Return seconds to wait before a try: exponential, with jitter, and never less than what the provider asked for.

    Args:
        attempt: the number of the coming try; the first repeat is 2.
        base_s: the longest wait before the first repeat.
        cap_s: the longest wait of all, unless the provider asks for more.
        key: the request's key, so that requests that failed together do not come back together.
        asked_s: what the provider asked for (Retry-After).
    """
    longest = min(cap_s, base_s * 2.0 ** (attempt - 2))
    jittered: float = longest * (0.5 + Dice(key, attempt).below(1000) / 2000)
    return max(jittered, asked_s or 0.0)
