"""The forms that instances ask answers to have: regular expressions of clembench's, and what they may cost."""

import re
from collections.abc import Callable
from typing import Annotated

from pydantic import BeforeValidator

__all__ = ["LONGEST", "WORK", "Pattern", "matched"]

LONGEST = 300_000
"""Characters of the longest answer that is looked at."""

WORK = 150_000_000
"""The most work that matching an answer may be: its characters, times the square of its colons.

The published forms try each place where a key could begin, there each place where the next one could, and from there
all the rest. Keys have colons; so that is the work at worst, and it takes about half a second. A hundred keys in 15,000
characters are let pass, forty in 90,000; published answers have about ten in some hundred characters.
"""


def _pattern(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        return re.compile(given, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{given!r} is no regular expression: {error}") from error


Pattern = Annotated[re.Pattern[str], BeforeValidator(_pattern)]
"""A field of an instance: a regular expression that does not mind the case."""


def matched(match: Callable[[str], re.Match[str] | None], line: str) -> re.Match[str] | None:
    """Match an answer and the form of objects that it must have; None too if that could take for ever.

    Args:
        match: the form's ``match`` or ``search``.
        line: the answer.
    """
    too_much = len(line) > LONGEST or len(line) * line.count(":") ** 2 > WORK
    return None if too_much else match(line)
