"""The agents' names as they write them in a talk, and who speaks next by them."""

import re
from collections.abc import Sequence

__all__ = ["MANY", "ONE", "next_speaker"]

ONE = r"@?\bagents?[ _-]?\d{1,3}(?!\d)"
"""A regular expression for a name: ``agent 2``, ``agent_2``, ``@agent 2``; to be matched in any case."""
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)"
MANY = rf"(?:@?\bagents[ _-]?\d{{1,3}}(?:{_AND}\d{{1,3}}\b)*|{ONE})(?:{_AND}{ONE})*"
"""One name or several: ``agents 2 and 3``, ``agent 2, agent 3``."""

# Three digits at most: a longer number names nobody, and one of thousands of digits is none that Python would read.
_MENTION = re.compile(MANY, re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def next_speaker(seats: Sequence[str], speaker: str, text: str) -> str:
    """Return who speaks after a message: the first seat that it names other than its speaker's, else the next in turn.

    Args:
        seats: all seats in order, ``agent_1`` to ``agent_N``.
        speaker: the seat that spoke.
        text: what it said.
    """
    named = (f"agent_{int(number)}" for mention in _MENTION.findall(text) for number in _NUMBER.findall(mention))
    others = (seat for seat in named if seat in seats and seat != speaker)
    return next(others, seats[(seats.index(speaker) + 1) % len(seats)])
