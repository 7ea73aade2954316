"""What an answer must look like in MatchIt, and who is asked what when. Pure functions of the published rules.

The order of questions is fixed: both describe; then B asks A, A asks B, and so on; at last B decides, then A. Neither
hears of the other's decision.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Literal, NamedTuple

__all__ = ["Decision", "Kind", "Step", "decision_of", "first_word", "plainly", "steps", "tidied"]

Kind = Literal["description", "question", "answer", "decision"]
Decision = Literal["success", "loss"]

MARKUP = "*_`\"'"


class Step(NamedTuple):
    """One question of the game master's: at which turn, to which player, for what, and whether it is its second."""

    turn: int
    player: Literal["A", "B"]
    kind: Kind
    again: bool


def steps(last: int) -> Iterator[Step]:
    """Yield the questions in order.

    Args:
        last: the turn in which B decides (``decision_turn``); A does in the one after it.
    """
    yield Step(0, "A", "description", again=False)
    yield Step(0, "B", "description", again=False)
    yield Step(0, "B", "question", again=True)
    for turn in range(1, last + 1):
        yield Step(turn, "A", "answer", again=False)
        yield Step(turn, "A", "question", again=True)
        yield Step(turn, "B", "answer", again=False)
        yield Step(turn, "B", "question" if turn < last else "decision", again=True)
    yield Step(last + 1, "A", "decision", again=False)


def first_word(text: str) -> str:
    """Return what an answer begins with: all of its first line up to the first blank; other white space is no end."""
    return text.strip().split("\n")[0].split(" ")[0]


def decision_of(text: str, flag: str, solution: str, wrong: str) -> Decision | None:
    """Read a decision to the letter: dots and line ends around it are let pass, blanks and tabs are not.

    Returns:
        ``success`` for the right one, ``loss`` for the wrong one, None for anything else.
    """
    said = text.lower().strip(".\n")
    if said == f"{flag} {solution}".lower():
        return "success"
    return "loss" if said == f"{flag} {wrong}".lower() else None


def tidied(text: str, flag: str, flags: Iterable[str]) -> str | None:
    """Read an answer as it was meant (``profile=clean``): the flag in any case and markup, with or without a blank.

    What follows under a further flag was not asked for, and is left out.

    Returns:
        The answer behind its flag, or None if it begins with another.
    """
    found = re.match(rf"[\s{MARKUP}#>]*{_lenient(flag)}(?P<said>.*)", text, re.IGNORECASE | re.DOTALL)
    if found is None:
        return None
    further = "|".join(map(_lenient, flags))
    # line by line: one pattern for what is before a flag would look at a long run of empty lines over and over
    first, *lines = found["said"].split("\n")
    unasked = re.compile(rf"[\s{MARKUP}#>]*(?:{further})", re.IGNORECASE)
    said = "\n".join((first, *takewhile(lambda line: unasked.match(line) is None, lines)))
    return f"{flag} {said.strip()}"


def plainly(text: str) -> str:
    """Put a decision plainly (``profile=clean``): one blank between words, no markup or dots around, no plural."""
    return " ".join(text.split()).strip(f"{MARKUP}.,! ").lower().removesuffix("s")


def _lenient(flag: str) -> str:
    name = re.escape(flag.rstrip(":"))
    return rf"{name}[{MARKUP}]*\s*:[{MARKUP}]*" if flag.endswith(":") else re.escape(flag)
