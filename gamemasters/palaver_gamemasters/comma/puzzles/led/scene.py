"""What the solver of the LED puzzle sees."""

import re
from dataclasses import dataclass

from palaver_gamemasters.comma.puzzles.corners import PLACES

from .manual import COLOURS

__all__ = ["LedScene", "read", "write"]

DONE = "all done"
STAGE = re.compile(r"^Stage: (?:(\d)|all done)$", re.MULTILINE)
LED = re.compile(rf"^\d\. ({'|'.join(COLOURS)})\b", re.MULTILINE)
BUTTON = re.compile(rf"^(?:{'|'.join(PLACES)}): ([A-Z])$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LedScene:
    """The LEDs' colours from left to right, the current stage (from 0; their number when all is done), four letters.

    Letters are in reading order.
    """

    leds: tuple[str, ...]
    stage: int
    letters: tuple[str, ...]


def write(scene: LedScene) -> str:
    """List the LEDs and the buttons."""
    marks = {-1: " (passed)", 0: " (lit: the current stage)", 1: ""}
    return "\n".join(
        [
            f"Stage: {scene.stage + 1 if scene.stage < len(scene.leds) else DONE}",
            "LEDs from left to right:",
            *(
                f"{number + 1}. {led}{marks[(number > scene.stage) - (number < scene.stage)]}"
                for number, led in enumerate(scene.leds)
            ),
            "Buttons:",
            *(f"{place}: {letter}" for place, letter in zip(PLACES, scene.letters, strict=True)),
        ]
    )


def read(text: str) -> LedScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such list.
    """
    stage, leds, letters = STAGE.search(text), LED.findall(text), BUTTON.findall(text)
    if stage is None or not leds or len(letters) != len(PLACES):
        raise ValueError("this text shows no LEDs with four buttons")
    return LedScene(tuple(leds), int(stage[1]) - 1 if stage[1] else len(leds), tuple(letters))
