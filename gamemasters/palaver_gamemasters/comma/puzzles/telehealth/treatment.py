"""How the manual says what to do about a spot: one treatment, or two and the condition that decides between them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .signs import TREATMENTS, Span

__all__ = ["EXAMPLE", "FACTS", "Condition", "Facts", "Treatment", "read_treatment"]

Facts = Mapping[str, float | bool]
"""What is known of a spot besides its looks: ``diameter`` in mm, the others true or false. Unknown ones are absent."""

FACTS: Mapping[str, str] = {
    "irritated": r"(?:is )?irritated",
    "bleeds": r"bleeds",
    "itches": r"itches",
    "hurts": r"hurts",
    "grown": r"has grown",
    "changed": r"has changed",
}
"""The facts that are true or false, and how a condition names them."""
EXAMPLE = "'Surgery if the diameter is 5 mm or more, else cryotherapy.'"

_TREATMENT = "|".join(TREATMENTS)
RULES = tuple(
    re.compile(rule, re.IGNORECASE)
    for rule in (
        rf"(?P<otherwise>{_TREATMENT})\.?",
        rf"(?P<met>{_TREATMENT}) if (?P<when>.+?),? (?:else|otherwise) (?P<otherwise>{_TREATMENT})\.?",
        rf"(?P<otherwise>{_TREATMENT}),? unless (?P<when>.+?)[:,] then (?P<met>{_TREATMENT})\.?",
    )
)
OR = re.compile(r"\s+or\s+(?!more\b)")
AT_LEAST = re.compile(r"the diameter is (\d+(?:\.\d+)?) ?mm or more")
BELOW = re.compile(r"the diameter is (?:under|below|less than) (\d+(?:\.\d+)?) ?mm")


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that is true of a spot or not: a fact, or that its diameter is within a span."""

    fact: str
    span: Span | None = None

    def holds(self, facts: Facts) -> bool | None:
        """Whether it is true; None where that is not known."""
        known = facts.get(self.fact)
        if known is None or self.span is None:
            return None if known is None else bool(known)
        return self.span.least <= known < self.span.below


@dataclass(frozen=True, slots=True)
class Treatment:
    """What to do: ``met`` if any of the conditions holds, else ``otherwise``."""

    otherwise: str
    met: str
    conditions: tuple[Condition, ...] = ()

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What it can come to."""
        return (self.otherwise, self.met) if self.conditions else (self.otherwise,)

    @property
    def needs(self) -> tuple[str, ...]:
        """The facts that it depends on."""
        return tuple(condition.fact for condition in self.conditions)

    def choose(self, facts: Facts) -> str | None:
        """Return the treatment; None where a fact is missing that could decide."""
        held = [condition.holds(facts) for condition in self.conditions]
        if any(held):
            return self.met
        return None if None in held else self.otherwise


def read_treatment(text: str) -> Treatment:
    """Read a rule, such as "No treatment, unless it is irritated or bleeds: then cryotherapy."

    Raises:
        ValueError: it is none; says what is wrong with it.
    """
    found = next((match for rule in RULES if (match := rule.fullmatch(text.strip()))), None)
    if found is None:
        raise ValueError(f"{text.strip()!r} is no treatment, such as {EXAMPLE}")
    parts = found.groupdict()
    otherwise = parts["otherwise"].lower()
    if not parts.get("when"):
        return Treatment(otherwise, otherwise)
    return Treatment(otherwise, parts["met"].lower(), tuple(_condition(each) for each in OR.split(parts["when"])))


def _condition(text: str) -> Condition:
    told = " ".join(text.lower().split())
    if found := AT_LEAST.fullmatch(told):
        return Condition("diameter", Span(least=float(found[1])))
    if found := BELOW.fullmatch(told):
        return Condition("diameter", Span(below=float(found[1])))
    for fact, words in FACTS.items():
        if re.fullmatch(rf"(?:it )?{words}", told):
            return Condition(fact)
    raise ValueError(
        f"{text!r} is no condition: say 'the diameter is 5 mm or more', 'the diameter is under 5 mm', or that it is "
        "irritated, bleeds, itches, hurts, has grown, has changed"
    )
