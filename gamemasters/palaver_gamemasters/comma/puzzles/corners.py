"""Four buttons, two by two: their places, the actions that press them, and how people ask for them to be pressed.

The LED and the keypad puzzle have them both.
"""

import re

from palaver_gamemasters.comma.speech import EXAMPLE, asks, sentences, straight, without_refusals

__all__ = ["ACTIONS", "PLACE", "PLACES", "PRESSED", "VERB", "button_action", "named_place", "orders"]

PLACES = ("top left", "top right", "bottom left", "bottom right")
"""In reading order; a button's number is its index here. The button diagonally opposite ``n`` is ``3 - n``."""


def button_action(place: str) -> str:
    """Name the action that presses the button at a place."""
    return f"press_{place.replace(' ', '_')}_button"


ACTIONS = tuple(map(button_action, PLACES))

PLACE = (
    r"(?<![a-z])(?:(?:top|upper|bottom|lower)[\s_-]*(?:left|right)"
    r"|(?:left|right)[\s_-]+(?:top|upper|bottom|lower)|tl|tr|bl|br)(?![a-z])"
)
"""The pattern of a place, in small letters."""
PRESSED = re.compile(r"^[ \t]*(press_(?:top|bottom)_(?:left|right)_button)[ \t]*$", re.MULTILINE)
"""A line of the solver's that presses a button."""
VERB = r"(?<![a-z])(?:press|push|click|hit|tap|choose|select|try|pick|take|use|go (?:for|with))(?:ing)?(?![a-z])"
"""The pattern of what asks for a press, in small letters."""

TOLD = re.compile(rf"(?:\btell me\b|\bdescribe\b|\blet me know\b|{EXAMPLE}).*", re.IGNORECASE | re.DOTALL)
"""What is to be told, or but an example: it asks for no press."""


def named_place(text: str) -> int:
    """Return the number of the button that a text found by :data:`PLACE` means."""
    words = text.lower()
    top = words[0] == "t" or "top" in words or "upper" in words
    right = "right" in words or words in ("tr", "br")
    return 2 * (not top) + right


def orders(advice: str) -> list[str]:
    """Return the sentences that may ask for a press: no questions, no examples, nothing that is not to be done."""
    return [without_refusals(TOLD.sub(" ", each)) for each in sentences(straight(advice)) if not asks(each)]
