"""The rule of the LED puzzle, as its manual states it: letters are numbers, an LED's colour is a multiplier."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from string import ascii_uppercase

from palaver_gamemasters.comma.manual import Manual

__all__ = ["COLOURS", "LedRules", "read"]

COLOURS = ("red", "green", "blue", "yellow", "purple", "orange")
"""The LEDs that there are."""
FIRST = re.compile(r"\bA\s*=\s*(\d{1,3})\b")
MODULUS = re.compile(r"\bmodulo\s+(\d{1,3})\b", re.IGNORECASE)


@dataclass(frozen=True)
class LedRules:
    """``multipliers`` by colour; ``first`` is the value of A, ``modulus`` what products are reduced by."""

    multipliers: Mapping[str, int]
    first: int = 0
    modulus: int = 26

    def wanted(self, letter: str, colour: str) -> str | None:
        """Return the letter that must be opposite if a button with this one is right; None if no letter can be."""
        product = (ord(letter) - ord("A") + self.first) * self.multipliers[colour] % self.modulus
        place = product - self.first
        return ascii_uppercase[place] if 0 <= place < len(ascii_uppercase) else None

    def right(self, letters: Sequence[str], colour: str) -> tuple[int, ...]:
        """Return the buttons that are right, of four letters in reading order."""
        return tuple(
            number for number, letter in enumerate(letters) if self.wanted(letter, colour) == letters[3 - number]
        )


def read(manual: Manual) -> LedRules:
    """Read the rule.

    Raises:
        InstanceError: a section is missing, a multiplier makes no sense, or a colour leaves no button that is right.
    """
    rule = manual.section("Rule")
    first, modulus = FIRST.search(rule.prose), MODULUS.search(rule.prose)
    if first is None:
        raise manual.error("the section 'Rule' must give the value of the first letter, such as 'A = 0'", rule.line)
    if modulus is None or int(modulus[1]) == 0:
        raise manual.error("the section 'Rule' must say what products are reduced by, such as 'modulo 26'", rule.line)
    rules = LedRules({}, int(first[1]), int(modulus[1]))
    return LedRules(_multipliers(manual, rules), rules.first, rules.modulus)


def _multipliers(manual: Manual, rules: LedRules) -> Mapping[str, int]:
    section = manual.section("Multipliers")
    table = section.table
    if len(table.head) != 2:
        raise manual.error(f"the table must have two columns, LED and multiplier, not {len(table.head)}", section.line)
    found: dict[str, int] = {}
    for line, (cell, number) in table.rows:
        colour = manual.one_of(COLOURS, "LED", cell, line)
        if colour in found:
            raise manual.error(f"there are two multipliers for {colour}", line)
        if not re.fullmatch(r"[0-9]{1,3}", number):
            raise manual.error(f"the multiplier of {colour} is {number!r}, not a whole number such as 3", line)
        found[colour] = int(number)
        tried = LedRules(found, rules.first, rules.modulus)
        if not any(tried.wanted(one, colour) == other for one, other in permutations(ascii_uppercase, 2)):
            raise manual.error(f"with the multiplier {number} no button could be right under a {colour} LED", line)
    if not found:
        raise manual.error("the table of multipliers is empty", section.line)
    return found
