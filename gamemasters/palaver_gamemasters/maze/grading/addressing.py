"""Names taken out of what is said among more than two, so that nobody's agreement is taken for another's (ours).

"Agent 2 agrees" is a report, not the speaker's own agreement, and so is "Agent 2: agreed." in the middle of a message;
"Agent 2, do you agree?" is no clause of its own; and the number of a name is no coordinate.
"""

import re

from ..names import MANY, ONE

__all__ = ["without_names"]

_HEAD = rf"(?:(?<=[.!?] )|(?m:^[^\S\n]*))(?:\*\*|__)?\[?{MANY}\]?(?:\*\*|__)?[^\S\n]*"
_VOCATIVE = re.compile(rf"{_HEAD}[:,—-](?:\*\*|__)?[^\S\n]*|(?=[^\n]?@){_HEAD}", re.IGNORECASE)
"""Who is spoken to, or the prefix of the speaker, at the start of a sentence."""
_ITEM = re.compile(rf"(?m)^[^\S\n]*[-*•+][^\S\n]+(?:\*\*)?{MANY}[^\n]*$", re.IGNORECASE)
"""An item of a list of who said what."""
_YES = r"(?:agree[sd]?|yes|ok(?:ay)?|confirm(?:s|ed)|accept(?:s|ed)|approve[sd]?|✅|✔|👍)"
_STATUS = re.compile(
    rf"(?:\*\*)?\[?({MANY})\]?(?:\*\*)?\s?(?:[:=—\u2013-]|\(|->|→)(?:\*\*)?\s?{_YES}\)?(?:\*\*)?"
    rf"(?=\s*(?:[.;!|)\n]|\Z|(?:,|and\b|,\s*and\b)\s*{ONE}))",
    re.IGNORECASE,
)
"""Names, and nothing but a yes beside them: "Agent 1: agreed." They may be spoken to, at the start of a message."""
_ALSO = r"(?:\s+(?:both|all|also|has|have|had|already|now|just|fully|then))*"
_CONSENT = re.compile(
    rf"{MANY}(?:'s)?{_ALSO}\s+(?:agree[sd]?|accept(?:s|ed)?|approve[sd]?|confirm(?:s|ed)?|consent(?:s|ed)?"
    r"|(?:is|are|was|were)\s+(?:also\s+|both\s+|all\s+)?(?:in\s+agreement|on\s+board|fine\s+with|ok(?:ay)?\s+with))\b",
    re.IGNORECASE,
)
"""What somebody else agreed to."""
_NAME = re.compile(MANY, re.IGNORECASE)


def without_names(text: str, seat: str) -> str:
    """Return the text without the names of agents, and without what it says of others' agreement.

    Args:
        text: what was said.
        seat: who said it, such as ``agent_2``; of itself it may speak by its name.
    """
    number = seat.rpartition("_")[2]
    text = re.sub(rf"(?i)\A\s*\[?agent[ _-]?{number}\]?\s*:\s*", "", text)
    text = re.sub(rf"(?i)\bagent[ _-]?{number}\b(?=\s+(?:also\s+)?(?:agrees?|accepts?|confirms?)\b)", "I", text)
    text = _VOCATIVE.sub("", _without_statuses(_ITEM.sub("", text), number))
    return _NAME.sub("agent", _CONSENT.sub("it was said", text))


def _without_statuses(text: str, number: str) -> str:
    """Take out who is said to have agreed; of itself the speaker says that it agrees.

    A lone status at the very start is no status: there "Agent 1: agreed." answers agent 1.
    """
    found = list(_STATUS.finditer(text))
    if len(found) == 1 and not text[: found[0].start()].strip():
        return text
    return _STATUS.sub(lambda status: "I agree" if number in _numbers(status[1]) else "it was said", text)


def _numbers(names: str) -> set[str]:
    return {found.lstrip("0") for found in re.findall(r"\d+", names)}
