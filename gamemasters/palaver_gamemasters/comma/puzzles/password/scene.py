"""What the solver of the password puzzle sees."""

import re
from dataclasses import dataclass

__all__ = ["PasswordScene", "read", "write"]

SLOTS = re.compile(r"^Slots from left to right: ([A-Z](?: [A-Z]){4})$", re.MULTILINE)
DONE = "The lock is open."


@dataclass(frozen=True, slots=True)
class PasswordScene:
    """The five letters that are shown, from left to right, and whether the lock is open."""

    letters: str
    solved: bool = False


def write(scene: PasswordScene) -> str:
    """Show the letters."""
    return "\n".join([f"Slots from left to right: {' '.join(scene.letters)}", *([DONE] if scene.solved else [])])


def read(text: str) -> PasswordScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it shows no such slots.
    """
    slots = SLOTS.search(text)
    if slots is None:
        raise ValueError("this text shows no five slots")
    return PasswordScene(slots[1].replace(" ", ""), DONE in text)
