"""What the solver of the who puzzle sees."""

import re
from dataclasses import dataclass

from .manual import NO_TEXT, POSITIONS

__all__ = ["WhoScene", "read", "write"]

DISPLAY = re.compile(r'^Display: (?:"(?P<word>[^"\n]+)"|\(No Text\))$', re.MULTILINE)
BUTTON = re.compile(r'^- (?P<place>\w+ \w+): "(?P<label>[^"\n]+)"$', re.MULTILINE)
DONE = "The lamp is green: the module is solved."


@dataclass(frozen=True, slots=True)
class WhoScene:
    """What the display says, the labels of the buttons row by row, and whether the lamp shows that it is solved."""

    display: str
    labels: tuple[str, ...]
    solved: bool = False


def write(scene: WhoScene) -> str:
    """List the display and the buttons."""
    lines = [f'- {place.title()}: "{label}"' for place, label in zip(POSITIONS, scene.labels, strict=True)]
    display = scene.display if scene.display == NO_TEXT else f'"{scene.display}"'
    return "\n".join([f"Display: {display}", "Buttons:", *lines, *([DONE] if scene.solved else [])])


def read(text: str) -> WhoScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such list.
    """
    display = DISPLAY.search(text)
    labels = {found["place"].lower(): found["label"] for found in BUTTON.finditer(text)}
    if display is None or tuple(labels) != POSITIONS:
        raise ValueError("this text shows no display with six buttons")
    return WhoScene(display["word"] or NO_TEXT, tuple(labels.values()), DONE in text)
