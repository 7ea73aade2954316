"""What people are called in records: two words and a number of our making, or what they call themselves."""

import re
import secrets
from collections.abc import Collection
from itertools import count

from .places import SeatingError

__all__ = ["checked_pseudonym", "new_pseudonym"]

FIRST = (
    *("amber", "brisk", "calm", "clear", "cosy", "deft", "eager", "early", "fair", "fond", "gentle", "glad", "golden"),
    *("green", "keen", "kind", "light", "lively", "merry", "mild", "neat", "patient", "plain", "proud", "quick"),
    *("quiet", "ready", "round", "silver", "steady", "sunny", "swift", "tall", "tidy", "warm", "wise", "witty"),
)
SECOND = (
    *("alder", "badger", "beech", "birch", "cedar", "crane", "dove", "elm", "fern", "finch", "fox", "hare", "hazel"),
    *("heron", "ivy", "jay", "larch", "lark", "linnet", "lynx", "maple", "marten", "moth", "oak", "otter", "owl"),
    *("pine", "plover", "poplar", "robin", "rowan", "sorrel", "stork", "swan", "tern", "thrush", "willow", "wren"),
)
TRIES = 20
"""How often a number of so many digits is tried."""
NAME = re.compile(r"\w[\w .-]{0,31}")


def new_pseudonym(taken: Collection[str]) -> str:
    """Make one that nobody has, such as ``calm-otter-42``; where most are taken, its number is longer."""
    for tried in count():
        numbers = 90 * 10 ** (tried // TRIES)
        name = f"{secrets.choice(FIRST)}-{secrets.choice(SECOND)}-{secrets.randbelow(numbers) + numbers // 9}"
        if name not in taken:
            return name
    raise AssertionError("there is always a longer number")


def checked_pseudonym(name: str) -> str:
    """Accept what a person wants to be called in records.

    Raises:
        SeatingError: it cannot be used.
    """
    name = name.strip()
    if not NAME.fullmatch(name):
        raise SeatingError(
            "this pseudonym cannot be used", "malformed", mend="take 1 to 32 letters, digits, blanks, '.', '_' or '-'"
        )
    return name
