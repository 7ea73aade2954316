"""Yes or no: how an answer begins, and whether a question wants one."""

import re

__all__ = ["agreed", "is_polar", "sentence", "yes_or_no"]

UNSURE = re.compile(r"\b(?:not sure|unsure|can't|can ?not|unclear|unknown|(?:don't|do not) know)\b", re.IGNORECASE)
SAME = r"(?:it is |they are )?(?:the same|identical)"
OTHER = r"(?:it is |they are )?(?:not the same|different)"
YES = re.compile(rf"\W*(?:yes|yeah|yep|correct|exactly|true|{SAME})\b", re.IGNORECASE)
NO = re.compile(rf"\W*(?:no|nope|false|incorrect|{OTHER})\b", re.IGNORECASE)
VERBS = "is|are|do|does|did|has|have|can|could|was|were"
POLAR = re.compile(rf"(?:^|[.!?,:;\n])\s*(?:and\s+)?(?:{VERBS})\b", re.IGNORECASE)


def agreed(answer: str) -> bool | None:
    """Return whether an answer says yes or no; None if it says neither."""
    if UNSURE.search(answer):
        return None
    return True if YES.match(answer) else False if NO.match(answer) else None


def is_polar(question: str) -> bool:
    """Whether a question can be answered by yes or no."""
    return POLAR.search(question) is not None


def yes_or_no(holds: bool | None) -> str:
    """Begin an answer."""
    return "" if holds is None else "Yes, " if holds else "No, "


def sentence(text: str) -> str:
    """Begin a sentence with a capital, and leave all else as it is: symbols mind their case."""
    return text[:1].upper() + text[1:]
