"""What figures show, in plain sentences: computed from their numbers, and no more than these say. Pure functions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from palaver_observability.statistics import Comparison

from .numbers import count, number, p_value, signed
from .places import TURNS, Places

__all__ = ["FEWEST", "Contrast", "gap_findings", "order_findings", "relay_findings"]

FEWEST = 10
"""Pairs below which a difference is too uncertain for a sentence."""
LEVEL = 0.05
"""Corrected p from which on no difference is claimed."""
NAMED = 5
"""How many are named before the rest is counted."""

Verdict = Literal["more", "less", "unclear", "same", "constant", "few", "unknown"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference, who or what it is of, and its p with Holm's correction (None where no test is defined)."""

    name: str
    found: Comparison
    p_holm: float | None

    @property
    def verdict(self) -> Verdict:
        """What can be said of it."""
        value = self.found.estimate
        if value is None:
            return "unknown"
        if self.found.n < FEWEST:
            return "few"
        if self.p_holm is None:
            return "constant" if value else "same"
        if self.p_holm >= LEVEL:
            return "unclear"
        return "more" if value > 0 else "less"


def order_findings(effects: Sequence[tuple[str, str, Contrast]], places: Places = TURNS) -> tuple[str, ...]:
    """Say for which two agents it matters who has the first place.

    Args:
        effects: first-named agent, second-named agent, and what comes of the first in the first place minus the second.
        places: what the places are called.
    """
    clear = sorted(
        (each for each in effects if each[2].verdict in ("more", "less")),
        key=lambda each: -abs(each[2].found.estimate or 0.0),
    )
    lines = [
        f"{'The order' if places.by else 'Starting'} matters for {first} with {second}: "
        f"{signed(abs(each.found.estimate or 0.0))} {'with' if places.by else 'when'} "
        f"{places.starting(first if each.verdict == 'more' else second)}, {_p(each)}."
        for first, second, each in clear[:NAMED]
    ]
    if len(clear) > NAMED:
        lines.append(f"So it does for {_pairs(len(clear) - NAMED)} more, in the table.")
    return (*lines, *_rest([each for *_, each in effects], f"by who {'is the ' if places.by else ''}{places.first}"))


def gap_findings(gaps: Sequence[Contrast]) -> tuple[str, ...]:
    """Say which agents lose by having to work together."""
    lines = []
    for each in gaps:
        size = number(abs(each.found.estimate or 0.0))
        if each.verdict == "more":
            lines.append(f"Together, two copies of {each.name} come to {size} less than one of them alone, {_p(each)}.")
        elif each.verdict == "less":
            lines.append(f"Together, two copies of {each.name} come to {size} more than one of them alone, {_p(each)}.")
    return (*lines, *_rest(gaps, "between alone and together"))


def relay_findings(kind: str, against: str, points: Sequence[Contrast]) -> tuple[str, ...]:
    """Say at which K a relay differs from its baseline.

    Args:
        kind: of relay, for the beginning of the sentence.
        against: the baseline, in words.
        points: a contrast for each K, named by it.
    """
    if all(each.verdict == "unknown" for each in points):
        return (f"{kind}: {against} was not played, so that no gain can be told.",)
    lines = []
    for verdict, better in (("more", "better"), ("less", "worse")):
        some = [each for each in points if each.verdict == verdict]
        if some:
            sizes = _listed(f"{each.name} ({signed(each.found.estimate)})" for each in some)
            worst = max(each.p_holm or 0.0 for each in some)
            most = f"{p_value(worst)} at most" if len(some) > 1 else p_value(worst)
            lines.append(f"{kind}: {better} than {against} at {sizes}, p (Holm) {most}.")
    return (*lines, *(f"{kind}: {line}" for line in _rest(points, f"from {against}", capital=False)))


def _rest(contrasts: Sequence[Contrast], what: str, *, capital: bool = True) -> list[str]:
    """Say what cannot be told, and why."""
    by: dict[Verdict, list[Contrast]] = {}
    for each in contrasts:
        by.setdefault(each.verdict, []).append(each)
    lines = []
    if some := by.get("unclear"):
        p = p_value(min(each.p_holm for each in some if each.p_holm is not None))
        lines.append(
            f"for {_names(some)} no difference {what} can be told (p (Holm) {p}{' or more' if len(some) > 1 else ''}), "
            "which is no proof that there is none."
        )
    if some := by.get("same"):
        lines.append(f"for {_names(some)} there is no difference {what}: the same on every instance.")
    if some := by.get("constant"):
        lines.append(f"for {_names(some)} the difference {what} is the same on every instance, so no test is defined.")
    if some := by.get("few"):
        least, most = min(each.found.n for each in some), max(each.found.n for each in some)
        n = count(least) if least == most else f"{count(least)} to {count(most)}"
        lines.append(f"too few to tell for {_names(some)}: n is {n}, below {FEWEST}.")
    return [line[0].upper() + line[1:] if capital else line for line in lines]


def _names(contrasts: Sequence[Contrast]) -> str:
    return _listed(each.name for each in contrasts)


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    if len(known) > NAMED + 1:
        known = [*known[:NAMED], f"{len(known) - NAMED} others"]
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


def _pairs(number_of: int) -> str:
    return "one pair" if number_of == 1 else f"{number_of} pairs"


def _p(each: Contrast) -> str:
    return f"p (Holm) {p_value(each.p_holm)}"
