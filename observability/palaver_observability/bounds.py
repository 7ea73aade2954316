"""How far a measure can go: an interval from a normal approximation is shown no farther. Pure functions."""

__all__ = ["ANY", "COUNT", "SHARE", "Bounds", "bounds_of", "clipped"]

Bounds = tuple[float | None, float | None]
"""The least and the largest value that a measure can have; None where there is no such value."""

ANY: Bounds = (None, None)
COUNT: Bounds = (0.0, None)
SHARE: Bounds = (0.0, 1.0)

KNOWN: dict[str, Bounds] = {
    "success": SHARE,
    "solved": SHARE,
    "acc_compat": SHARE,
    "acc_strict": SHARE,
    "stepwise": SHARE,
    "step_deviation": COUNT,
    "regret": COUNT,
    "partial_success": SHARE,
    "Main Score": (0.0, 100.0),
    "weighted_outcome": (None, 1.0),  # below 0 for who ends farther from the goal than they began
}
"""Of scores, by their published names."""


def bounds_of(score: str) -> Bounds:
    """Return how far a score can go; without end where its name does not tell."""
    return KNOWN.get(score, ANY)


def clipped(value: float | None, within: Bounds) -> float | None:
    """Move a value that is out of bounds onto them."""
    low, high = within
    if value is None:
        return None
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value
