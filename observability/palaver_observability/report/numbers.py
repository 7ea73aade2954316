"""Numbers as a reader wants them: as many decimals as mean something, minus signs, thin spaces. Pure functions."""

from typing import Protocol

__all__ = [
    "NONE",
    "TIMES",
    "Estimated",
    "between",
    "ci",
    "count",
    "dollars",
    "number",
    "p_value",
    "percent",
    "plural",
    "signed",
    "with_interval",
]

NONE = "\N{EN DASH}"
"""What stands where there is no number."""
NOISE = 1e-12
"""Arithmetic on fractions leaves that much of what is nothing."""
TIMES = "\N{MULTIPLICATION SIGN}"
THIN = "\u202f"
MINUS = "\u2212"


class Estimated(Protocol):
    """A number with its interval: an ``Interval`` or a ``Comparison`` of the statistics."""

    @property
    def estimate(self) -> float | None:
        """The number; None where it is not defined."""

    @property
    def ci_low(self) -> float | None:
        """Where the 95 % interval begins."""

    @property
    def ci_high(self) -> float | None:
        """Where it ends."""


def number(value: float | None, decimals: int | None = None) -> str:
    """Write a number: two decimals, one from 10 on, none from 100 on; three where two would show nothing."""
    if value is None:
        return NONE
    size = abs(value) if abs(value) > NOISE else 0.0
    if decimals is None:
        decimals = 0 if size >= 99.95 else 1 if size >= 9.995 else 3 if 0 < size < 0.00995 else 2
    text = f"{size:,.{decimals}f}".replace(",", THIN)
    return text if value >= 0 or float(f"{size:.{decimals}f}") == 0 else MINUS + text


def signed(value: float | None) -> str:
    """Write a difference, with its sign."""
    text = number(value)
    return text if value is None or value <= 0 or float(f"{value:.3f}") == 0 else f"+{text}"


def count(value: float) -> str:
    """Write a whole number, its thousands apart."""
    return f"{value:,.0f}".replace(",", THIN)


def plural(noun: str) -> str:
    """Write a noun for more than one."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def dollars(value: float | None, *, used: bool = True) -> str:
    """Write US dollars, to the cent or to three digits where it is less; ``used`` says whether there was a bill."""
    if value is None:
        return "no price known" if used else "none"
    return f"${number(value, 2)}" if value >= 1 or value == 0 else f"${value:.3g}"


def p_value(value: float | None) -> str:
    """Write a p value."""
    if value is None:
        return NONE
    return f"<{THIN}0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def between(low: float | None, high: float | None) -> str:
    """Write an interval; nothing where there is none."""
    return "" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def ci(low: float | None, high: float | None) -> str:
    """Write an interval within a sentence."""
    return f"95{THIN}% CI {text}" if (text := between(low, high)) else "no interval"


def percent(value: float | None) -> str:
    """Write a figure of clembench, 0 to 100, with the two decimals that it is rounded to."""
    return number(value, 2)


def with_interval(found: Estimated, *, sign: bool = False) -> str:
    """Write an estimate with its interval: ``0.62 [0.55, 0.69]``."""
    text = signed(found.estimate) if sign else number(found.estimate)
    return f"{text} {between(found.ci_low, found.ci_high)}".rstrip()
