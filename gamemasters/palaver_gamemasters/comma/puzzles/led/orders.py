"""Which button an expert's advice asks the solver to press, and the rule by which the solver finds it alone."""

import re
from collections.abc import Collection, Sequence

from palaver_gamemasters.comma.puzzles.corners import PLACE, VERB, named_place, orders

from .hearing import ANY_COLOUR, COLOUR
from .manual import LedRules

__all__ = ["named_button", "rule_told"]

SHORT = 6
"""Words of an answer that is nothing but a place."""
AT_PLACE = re.compile(rf"{VERB}.{{0,60}}?(?P<place>{PLACE})")
WITH_LETTER = re.compile(
    rf"(?i:{VERB}(?:[\s_]|[\"'(]|\b(?:the|button|key|one|letter|with|labell?ed|marked|that|which|is|shows|showing|says)\b)*)"
    r"(?<![A-Za-z])(?P<letter>[A-Z])(?![A-Za-z'])"
)
MODULUS = re.compile(r"\bmod(?:ulo|ulus)?\b\D{0,10}?(\d{1,3})\b")
VALUE = re.compile(r"\ba\s*(?:=|is(?: worth)?|:|equals)\s*(\d{1,3})\b")
NUMBERED = re.compile(rf"\b({ANY_COLOUR})\b(?:(?!\b(?:{ANY_COLOUR})\b)[^.;\d\n]){{0,30}}?(?<!stage )(\d{{1,3}})\b")
NUMBER_FIRST = re.compile(rf"\b(\d{{1,3}})\s*(?:for|if|when|is)\s+(?:the |a |it's |it is |led is )*({ANY_COLOUR})\b")
NUMBER_ALONE = re.compile(r"\b(?:multipl(?:y|ier)|times)\b\D{0,20}?(\d{1,3})\b")


def named_button(advice: str, letters: Sequence[str], wrong: Collection[int]) -> int | None:
    """Return the first button that advice says is to be pressed, by its place or its letter; None if it names none.

    Args:
        advice: what an expert said.
        letters: those on the buttons, in reading order.
        wrong: the buttons that have been pressed in vain.
    """
    asked = orders(advice)
    for order in asked:
        for button in _named(order, letters):
            if button not in wrong:
                return button
    whole = " ".join(asked).strip(" \n.!\"'")
    places = {named_place(found) for found in re.findall(PLACE, whole.lower())}
    if len(places) == 1 and len(advice.split()) <= SHORT:
        return next((place for place in places if place not in wrong), None)
    if whole in letters and letters.index(whole) not in wrong:
        return letters.index(whole)
    return None


def rule_told(said: Sequence[str], advice: str, colour: str) -> LedRules | None:
    """Return the rule as far as it was told, with the multiplier of one colour; None while something is missing.

    Args:
        said: all that experts have said.
        advice: what they said last: a multiplier without a colour is that of the current LED.
        colour: the current LED's.
    """
    words = "\n".join(said).lower()
    modulus, first = MODULUS.search(words), VALUE.search(words)
    if modulus is None or int(modulus[1]) == 0 or not re.search(r"\b(?:diagonal|opposite)", words):
        return None
    numbers = {each: number for text in said for each, number in _numbered(text.lower())}
    alone = None if COLOUR.search(advice.lower()) else NUMBER_ALONE.search(advice.lower())
    number = alone[1] if alone else numbers.get(colour)
    if number is None:
        return None
    return LedRules({colour: int(number)}, int(first[1]) if first else 0, int(modulus[1]))


def _named(order: str, letters: Sequence[str]) -> list[int]:
    """Return the buttons that an order names: at a place, or else with a letter."""
    if found := AT_PLACE.search(order.lower()):
        return [named_place(each) for each in re.findall(PLACE, order.lower()[found.start("place") :])]
    return [letters.index(each) for each in WITH_LETTER.findall(order) if each in letters]


def _numbered(words: str) -> list[tuple[str, str]]:
    """Return the colours with their multipliers: ``red 2, green 3`` or ``2 for red, 3 for green``."""
    if reverse := NUMBER_FIRST.findall(words):
        return [(colour, number) for number, colour in reverse]
    return NUMBERED.findall(words)
