"""The rules of the password puzzle: a list of words."""

import re
from collections.abc import Iterable, Sequence

from palaver_gamemasters.comma.manual import Manual

__all__ = ["LENGTH", "REACH", "SECTION", "PasswordRules", "fitting", "read"]

LENGTH = 5
"""Letters of a password."""
REACH = 2
"""How far letters of a slot may be apart: each slot has three that follow one another in the alphabet."""
SECTION = "List of possible words"

PasswordRules = tuple[str, ...]
"""The words, in capitals as the module shows them."""


def fitting(rules: PasswordRules, slots: Sequence[Iterable[str]]) -> tuple[str, ...]:
    """Return the words that some letters, given for each slot, can make."""
    sets = [frozenset(letters) for letters in slots]
    return tuple(word for word in rules if all(letter in letters for letter, letters in zip(word, sets, strict=True)))


def read(manual: Manual) -> PasswordRules:
    """Read the list: words divided by commas, on one line or on several.

    Raises:
        InstanceError: there is no list, or something in it is not a word of five letters.
    """
    section = manual.section(SECTION)
    words: list[str] = []
    for item in section.items:
        for word in (each.strip() for each in item.text.rstrip(". ").split(",")):
            if not re.fullmatch(r"[A-Za-z]{5}", word):
                raise manual.error(f"{word!r} is no word of {LENGTH} letters", item.line)
            if word.upper() in words:
                raise manual.error(f"{word!r} is in the list twice", item.line)
            words.append(word.upper())
    if not words:
        raise manual.error(f"section {section.title!r} lists no words, such as '- about, after'", section.line)
    return tuple(words)
