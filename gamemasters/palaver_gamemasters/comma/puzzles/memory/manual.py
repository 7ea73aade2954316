"""The rules of the memory puzzle, as its manual states them: for each stage and each display, the button to press."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from palaver_gamemasters.comma.manual import Entry, Manual
from palaver_gamemasters.comma.speech import ORDINALS

__all__ = ["PLACES", "STAGES", "MemoryRules", "Press", "Rule", "read"]

STAGES = 5
PLACES = ORDINALS[:4]

RULE = re.compile(
    r"if the display is (?P<display>[1-4]), press the button "
    rf"(?:in the (?P<place>{'|'.join(PLACES)}) position"
    r'|labell?ed ["\u201c]?(?P<label>[1-4])["\u201d]?'
    r"|(?:in|with) the same (?P<same>position|label) (?:as )?you pressed in stage (?P<stage>\d+))\.?",
    re.IGNORECASE,
)


class Press(NamedTuple):
    """A button that was pressed: its position and its label, both 1 to 4."""

    position: int
    label: int


@dataclass(frozen=True, slots=True)
class Rule:
    """What to press.

    ``by`` says whether the button is found by its position or by its label. ``value`` is that position or label (1 to
    4), or, where ``as_in`` is an earlier stage (from 1), 0: it is that of the button pressed then.
    """

    by: Literal["position", "label"]
    value: int
    as_in: int | None = None

    def known(self, presses: Mapping[int, Press]) -> "Rule | None":
        """Return the rule with what was pressed earlier put in; None if that is not known.

        Args:
            presses: by stage, from 1.
        """
        if self.as_in is None:
            return self
        press = presses.get(self.as_in)
        return press and Rule(self.by, press.position if self.by == "position" else press.label)

    def position(self, labels: tuple[int, ...]) -> int:
        """Return the position to press, from 1, where the rule names a position or a label itself."""
        return self.value if self.by == "position" else labels.index(self.value) + 1


MemoryRules: TypeAlias = tuple[tuple[Rule, ...], ...]
"""Five stages of four rules, for displays 1 to 4."""


def read(manual: Manual) -> MemoryRules:
    """Read the rules.

    Raises:
        InstanceError: a section or a display is missing, or a rule makes no sense.
    """
    return tuple(_stage(manual, stage) for stage in range(1, STAGES + 1))


def _stage(manual: Manual, stage: int) -> tuple[Rule, ...]:
    section = manual.section(f"Stage {stage}")
    found: dict[int, Rule] = {}
    for item in section.items:
        display, rule = _rule(manual, item)
        if display in found:
            raise manual.error(f"{section.title!r} has a second rule for display {display}", item.line)
        if rule.as_in is not None and not 1 <= rule.as_in < stage:
            raise manual.error(f"stage {rule.as_in} does not come before stage {stage}", item.line)
        found[display] = rule
    for display in range(1, 5):
        if display not in found:
            raise manual.error(f"{section.title!r} has no rule for display {display}", section.line)
    return tuple(found[display] for display in range(1, 5))


def _rule(manual: Manual, item: Entry) -> tuple[int, Rule]:
    found = manual.rule(item, RULE, "If the display is 1, press the button in the second position.")
    display = int(found["display"])
    if found["place"]:
        return display, Rule("position", PLACES.index(found["place"].lower()) + 1)
    if found["label"]:
        return display, Rule("label", int(found["label"]))
    return display, Rule("position" if found["same"].lower() == "position" else "label", 0, int(found["stage"]))
