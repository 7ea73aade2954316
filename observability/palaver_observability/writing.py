"""Numbers in tables for people: as many digits as mean something, in little room. Pure functions."""

__all__ = ["NONE", "counted", "in_short", "number"]

NONE = "-"
"""What stands where there is no number."""


def number(value: float | None, *, small: bool = False) -> str:
    """Write a number with two decimals, three if it is a small one's error, one from 10 on, none from 1000 on."""
    if value is None:
        return NONE
    size = abs(value)
    decimals = 0 if size >= 999.5 else 1 if size >= 9.995 else 3 if small and size < 1 else 2
    return f"{value:,.{decimals}f}"


def counted(count: int, noun: str) -> str:
    """Write how many there are: ``1 episode``, ``1,200 episodes``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def in_short(value: float) -> str:
    """Write a count in four characters or so: 950, 4.5k, 1.2M."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.1f}{unit}"
    return f"{value:.0f}"
