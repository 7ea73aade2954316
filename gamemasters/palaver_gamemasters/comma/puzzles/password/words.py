"""How people write about slots: by number or by ordinal, one or several."""

import re

from palaver_gamemasters.comma.speech import cardinals, ordinals

from .manual import LENGTH

__all__ = ["NUMBER", "ORDINAL", "SLOT", "slot_numbers"]

PLACINGS = {**ordinals(LENGTH), "leftmost": 1, "middle": 3, "last": LENGTH, "rightmost": LENGTH}
NUMBERS = {**cardinals(LENGTH), **PLACINGS}
NAME = r"(?:slot|position|column|letter|wheel|dial|reel|character|place|button|arrow)"
CARDINAL = rf"(?:{'|'.join(cardinals(LENGTH))})"
ORDINAL = rf"(?:{'|'.join(PLACINGS)})"
NUMBER = rf"(?:{CARDINAL}|{ORDINAL})"
AND = r"(?:\s*(?:,|and|&|,\s*and|to|through|-|\N{EN DASH})\s*(?:the )?)"
SLOT = (
    rf"\b(?:{NAME}s?(?: (?:number|no\.?))? ?#? ?{CARDINAL}(?:{AND}{CARDINAL}){{0,4}}"
    rf"|{ORDINAL}(?:{AND}{ORDINAL}){{0,4}}(?= {NAME}| one\b|\s*:|\s+is\b|\s+shows\b)(?: {NAME}s?| one)?)\b(?! times)"
)
"""A pattern for what names slots."""
ONE = re.compile(rf"\b({ORDINAL}) one\b", re.IGNORECASE)
RANGE = re.compile(rf"\b({CARDINAL}) ?(?:to|through|-|\N{{EN DASH}}) ?({CARDINAL})\b", re.IGNORECASE)


def slot_numbers(text: str) -> tuple[int, ...]:
    """Return the slots that a text names, from 0, from left to right."""
    text = ONE.sub(r"\1", text)
    named = [NUMBERS[each.lower()] for each in re.findall(rf"\b{NUMBER}\b", text, re.IGNORECASE)]
    for first, last in RANGE.findall(text):
        named += range(NUMBERS[first.lower()], NUMBERS[last.lower()] + 1)
    return tuple(sorted({each - 1 for each in named}))
