"""Four buttons, two by two: their places, the actions that press them, and how people ask for them to be pressed.

The LED and the keypad puzzle have them both.
"""

import re

__all__ = ["ACTIONS", "PLACE", "PLACES", "PRESSED", "VERB", "named_place", "orders"]

PLACES = ("top left", "top right", "bottom left", "bottom right")
"""In reading order; a button's number is its index here. The button diagonally opposite ``n`` is ``3 - n``."""
ACTIONS = tuple(f"press_{place.replace(' ', '_')}_button" for place in PLACES)

PLACE = (
    r"(?<![a-z])(?:(?:top|upper|bottom|lower)[\s_-]*(?:left|right)"
    r"|(?:left|right)[\s_-]+(?:top|upper|bottom|lower)|tl|tr|bl|br)(?![a-z])"
)
"""The pattern of a place, in small letters."""
PRESSED = re.compile(r"^[ \t]*(press_(?:top|bottom)_(?:left|right)_button)[ \t]*$", re.MULTILINE)
"""A line of the solver's that presses a button."""
VERB = r"(?<![a-z])(?:press|push|click|hit|tap|choose|select|try|pick|take|use|go (?:for|with))(?:ing)?(?![a-z])"
"""The pattern of what asks for a press, in small letters."""

SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
ASKING = re.compile(r"(?:and |so |but |then )?(?:which|what|where|how|is|are|do|does|did|have)\b")
TELL = re.compile(r"\b(?:tell me|describe|let me know|for example|e\.g\.).*", re.IGNORECASE | re.DOTALL)
POLITE = re.compile(rf"(?:so |then |now |ok,? |okay,? )?(?:please |could|can|would|will)\b.*{VERB}", re.DOTALL)
DONT = re.compile(
    r"\b(?:do not|not|never|avoid|instead of|rather than|\w+n['\N{RIGHT SINGLE QUOTATION MARK}]t)\b[^,:]*"
)


def named_place(text: str) -> int:
    """Return the number of the button that a text found by :data:`PLACE` means."""
    words = text.lower()
    top = words[0] == "t" or "top" in words or "upper" in words
    right = "right" in words or words in ("tr", "br")
    return 2 * (not top) + right


def orders(advice: str) -> list[str]:
    """Return the sentences that may ask for a press: no questions, no examples, nothing that is not to be done."""
    return [DONT.sub(" ", TELL.sub(" ", each)) for each in SENTENCE.split(advice.strip()) if not _asks(each)]


def _asks(sentence: str) -> bool:
    words = sentence.strip().lower()
    if ASKING.match(words):
        return not words.startswith("do not")
    return words.endswith("?") and POLITE.match(words) is None
