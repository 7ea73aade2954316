"""What the solver of the memory puzzle sees."""

import re
from dataclasses import dataclass

from .manual import STAGES

__all__ = ["MemoryScene", "read", "write"]

PASSED = re.compile(r"^Stages passed: (\d) of 5$", re.MULTILINE)
DISPLAY = re.compile(r"^Display: (\d)$", re.MULTILINE)
LABELS = re.compile(r"^Button labels from left to right: (\d), (\d), (\d), (\d)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MemoryScene:
    """How many stages are passed (0 to 5), the display, and the labels of the buttons from left to right."""

    passed: int
    display: int
    labels: tuple[int, ...]

    @property
    def stage(self) -> int:
        """The stage that is on, from 1; the last one when all are passed."""
        return min(self.passed + 1, STAGES)


def write(scene: MemoryScene) -> str:
    """Say what is on the module."""
    return "\n".join(
        [
            f"Stage: {scene.stage}",
            f"Stages passed: {scene.passed} of {STAGES}",
            f"Display: {scene.display}",
            f"Button labels from left to right: {', '.join(map(str, scene.labels))}",
        ]
    )


def read(text: str) -> MemoryScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such text.
    """
    passed, display, labels = PASSED.search(text), DISPLAY.search(text), LABELS.search(text)
    if passed is None or display is None or labels is None:
        raise ValueError("this text shows no memory module")
    return MemoryScene(int(passed[1]), int(display[1]), tuple(int(label) for label in labels.groups()))
