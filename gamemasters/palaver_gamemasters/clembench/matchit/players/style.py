"""How much a script tells and asks."""

from dataclasses import dataclass

__all__ = ["SHALLOW", "THOROUGH", "Style"]


@dataclass(frozen=True)
class Style:
    """How much a script tells and asks.

    Args:
        lines: how many rows of a grid its description tells.
        features: how many features of a picture its description tells, beside what kind of picture it is.
        questions: how many of its questions ask for something in particular.
        at_once: how many features of a picture it asks for in one question.
        tells: whether it says in a question what it sees itself, so that the other learns something, too.
    """

    lines: int
    features: int
    questions: int
    at_once: int
    tells: bool


THOROUGH = Style(lines=2, features=2, questions=20, at_once=2, tells=True)
SHALLOW = Style(lines=0, features=0, questions=1, at_once=1, tells=False)
