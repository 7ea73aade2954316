"""What a script says of a picture that it cannot see: a photograph, which has no words."""

from collections.abc import Sequence
from dataclasses import dataclass

from .agreement import is_polar
from .dialogue import Heard

__all__ = ["NoSight"]

QUESTIONS = (
    "What is the main thing in your image?",
    "What is in the background of your image?",
    "Which colours stand out in your image?",
    "What is on the left of your image?",
    "What is on the right of your image?",
)


@dataclass(frozen=True)
class NoSight:
    """A picture that nobody has put into words for the script."""

    def describe(self) -> str:
        """Say so."""
        return "A picture that I cannot make out."

    def ask(self, heard: Sequence[Heard], own: Sequence[str]) -> str:
        """Ask for one thing after the other."""
        return QUESTIONS[len(own) % len(QUESTIONS)]

    def answer(self, question: str) -> str:
        """Admit that it does not know."""
        return "I cannot say whether that is so." if is_polar(question) else "I cannot make it out."

    def differs(self, heard: Sequence[Heard]) -> bool:
        """Guess: two of three published experiments have different pictures."""
        return True
