"""The rules of the wire puzzle, as its manual states them: conditions that are tried in order, and the wire to cut."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaver_gamemasters.comma.manual import Entry, Manual
from palaver_gamemasters.comma.speech import ORDINALS

__all__ = ["COLOURS", "COUNTS", "Condition", "Rule", "WireRules", "read", "wire_to_cut"]

COLOURS = ("red", "blue", "yellow", "white", "black", "green")
COUNTS = (3, 4, 5, 6)

_COLOUR = "|".join(COLOURS)
RULE = re.compile(
    rf"(?:otherwise,? )?(?:if (?P<conditions>.+?), )?"
    rf"cut the (?P<place>{'|'.join(ORDINALS)}|last)(?: (?P<colour>{_COLOUR}))? wire\.?",
    re.IGNORECASE,
)
CONDITIONS: Mapping[str, re.Pattern[str]] = {
    "none": re.compile(rf"there are no ({_COLOUR}) wires"),
    "one": re.compile(rf"there is exactly one ({_COLOUR}) wire"),
    "several": re.compile(rf"there is more than one ({_COLOUR}) wire"),
    "last": re.compile(rf"the last wire is ({_COLOUR})"),
    "serial": re.compile(r"the last digit of the serial number is (odd|even)"),
}


SURE: Mapping[str, int] = {"one": 1, "several": 2, "last": 1}
"""How many wires of a colour there are at least where a condition on it is met."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that is true of some wires, or not. ``value`` is a colour, or whether the serial number is odd."""

    kind: str
    value: str

    def holds(self, wires: Sequence[str], serial: str) -> bool:
        """Whether it is true."""
        number = wires.count(self.value)
        match self.kind:
            case "none":
                return number == 0
            case "one":
                return number == 1
            case "several":
                return number > 1
            case "last":
                return wires[-1] == self.value
            case _:
                return int(serial[-1]) % 2 == (self.value == "odd")


@dataclass(frozen=True, slots=True)
class Rule:
    """Cut a wire where all conditions hold. ``place`` counts from 0, -1 is the last; ``colour`` counts its own only."""

    conditions: tuple[Condition, ...]
    place: int
    colour: str | None

    def wire(self, wires: Sequence[str]) -> int:
        """Return the wire to cut, from 0."""
        fitting = [number for number, wire in enumerate(wires) if self.colour in (None, wire)]
        return fitting[self.place]


WireRules = Mapping[int, tuple[Rule, ...]]
"""The rules by number of wires."""


def wire_to_cut(rules: WireRules, wires: Sequence[str], serial: str) -> int:
    """Return the one right wire, from 0."""
    rule = next(rule for rule in rules[len(wires)] if all(each.holds(wires, serial) for each in rule.conditions))
    return rule.wire(wires)


def read(manual: Manual) -> WireRules:
    """Read the rules.

    Raises:
        InstanceError: a section is missing, or a rule makes no sense.
    """
    rules = {count: tuple(_rule(manual, item) for item in manual.section(f"{count} wires").items) for count in COUNTS}
    for count, found in rules.items():
        section = manual.section(f"{count} wires")
        if not found or found[-1].conditions:
            raise manual.error(f"the last rule of {section.title!r} must be without a condition", section.line)
        for item, rule in zip(section.items, found, strict=True):
            if rule.colour is None and rule.place >= count:
                raise manual.error(f"there is no {ORDINALS[rule.place]} of {count} wires", item.line)
            if rule.colour is not None and not _is_there(rule):
                raise manual.error(f"no condition says that there is such a {rule.colour} wire", item.line)
    return rules


def _rule(manual: Manual, item: Entry) -> Rule:
    found = manual.rule(item, RULE, "If the last wire is red, cut the first wire.")
    conditions = tuple(
        _condition(manual, item, each) for each in re.split(r"\s+and\s+", found["conditions"] or "") if each
    )
    place: int = -1 if found["place"].lower() == "last" else ORDINALS.index(found["place"].lower())
    return Rule(conditions, place, found["colour"] and found["colour"].lower())


def _condition(manual: Manual, item: Entry, text: str) -> Condition:
    for kind, pattern in CONDITIONS.items():
        if found := pattern.fullmatch(text.lower()):
            return Condition(kind, found[1])
    raise manual.error(f"{text!r} is no condition that wires can meet", item.line)


def _is_there(rule: Rule) -> bool:
    """Whether a rule's conditions make sure of the wire that is to be cut."""
    of_colour = [each.kind for each in rule.conditions if each.value == rule.colour]
    sure = max((SURE.get(kind, 0) for kind in of_colour), default=0)
    return sure >= (1 if rule.place == -1 else rule.place + 1)
