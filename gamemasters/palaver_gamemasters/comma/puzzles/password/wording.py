"""How people write about slots: by number or by ordinal, one or several."""

import re

from .manual import LENGTH

__all__ = ["LONG", "NUMBER", "ORDINAL", "SLOT", "slot_numbers"]

LONG = 5_000
"""A message is read from so many characters before its end."""
NUMBERS = {"1": 0, "one": 0, "first": 0, "1st": 0, "leftmost": 0, "2": 1, "two": 1, "second": 1, "2nd": 1,
           "3": 2, "three": 2, "third": 2, "3rd": 2, "middle": 2, "4": 3, "four": 3, "fourth": 3, "4th": 3,
           "5": 4, "five": 4, "fifth": 4, "5th": 4, "last": 4, "rightmost": 4}  # fmt: skip
NAME = r"(?:slot|position|column|letter|wheel|dial|reel|character|place|button|arrow)"
CARDINAL = r"(?:[1-5]|one|two|three|four|five)"
ORDINAL = r"(?:first|second|third|fourth|fifth|last|leftmost|rightmost|middle|1st|2nd|3rd|4th|5th)"
NUMBER = rf"(?:{CARDINAL}|{ORDINAL})"
AND = r"(?:\s*(?:,|and|&|,\s*and|to|through|-|\N{EN DASH})\s*(?:the )?)"
SLOT = (
    rf"\b(?:{NAME}s?(?: (?:number|no\.?))? ?#? ?{CARDINAL}(?:{AND}{CARDINAL})*"
    rf"|{ORDINAL}(?:{AND}{ORDINAL})*(?= {NAME}| one\b|\s*:|\s+is\b|\s+shows\b)(?: {NAME}s?| one)?)\b(?! times)"
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
    return tuple(sorted({each for each in named if each < LENGTH}))
