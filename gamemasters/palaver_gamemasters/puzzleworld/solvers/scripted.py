"""The solvers as players that see all pages of a puzzle: one takes its time, the other is in too much of a hurry."""

from collections.abc import Callable, Iterable

from palaver_protocols.content import Image, Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import IN_WORDS, SYSTEM, Message

from . import (
    as_the_crow_walks,
    capital_letters,
    night_street_by_touch,
    one_lump_too_many,
    ship_time,
    something_extra,
    the_conductor_counts,
    the_odd_key,
    wish_you_were_here,
)
from .solved import Solved, UnsolvedError

__all__ = ["hasty_solver", "scripted_solver", "solve"]

SOLVERS: tuple[Callable[[str], Solved], ...] = (
    as_the_crow_walks.solve,
    capital_letters.solve,
    night_street_by_touch.solve,
    one_lump_too_many.solve,
    ship_time.solve,
    something_extra.solve,
    the_conductor_counts.solve,
    the_odd_key.solve,
    wish_you_were_here.solve,
)
"""Each knows by the words whether a puzzle is its own: no title is looked up."""


def solve(words: str) -> Solved | None:
    """Solve one of our own puzzles.

    Args:
        words: of all its pages; it makes no difference in which order their lines come.

    Returns:
        The solution, or None if this is no puzzle of ours, or not all of one.
    """
    lines = (line.strip() for line in words.splitlines())
    tidy = "\n".join(dict.fromkeys(line for line in lines if line))
    for attempt in SOLVERS:
        try:
            return attempt(tidy)
        except UnsolvedError:
            continue
    return None


def scripted_solver(request: TurnRequest) -> str:
    """Solve one of our own puzzles step by step from the words of its pages; any other is given up politely."""
    solved = solve(_words(request.view))
    return _given_up() if solved is None else _written(solved.steps, solved.answer)


def hasty_solver(request: TurnRequest) -> str:
    """Do the first half of the steps, and hand the letters in just as they come, which is seldom right."""
    solved = solve(_words(request.view))
    return _given_up() if solved is None else _written(solved.steps[: len(solved.steps) // 2], solved.guess)


def _words(view: Iterable[Message]) -> str:
    """Return what the pages show in words, whether as words of pictures or in their place."""
    found: list[str] = []
    for message in view:
        if message.speaker == SYSTEM:
            continue
        for part in message.parts:
            if isinstance(part, Image) and part.alt is not None:
                found.append(part.alt)
            elif isinstance(part, Text) and part.text.startswith(IN_WORDS):
                found.append(part.text.removeprefix(IN_WORDS))
    return "\n".join(found)


def _given_up() -> str:
    return _written(["I look for a pattern that I know, and find none. I am sorry, I have to pass."], "UNKNOWN")


def _written(steps: Iterable[str], answer: str) -> str:
    told = "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1))
    return f"{told}\n\nAnswer: {answer}"
