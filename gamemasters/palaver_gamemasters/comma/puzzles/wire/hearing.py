"""What an expert learns about the wires from what the solver says, in whatever words it says so."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palaver_gamemasters.comma.speech import cardinals, ordinals

from .manual import COLOURS, COUNTS

__all__ = ["ANY_COLOUR", "NUMBERS", "Told", "told"]

NUMBERS = {**cardinals(6), **ordinals(6)}
ANY_COLOUR = "|".join(COLOURS)
ANY_NUMBER = "|".join(NUMBERS)
COLOUR = re.compile(rf"\b({ANY_COLOUR})s?\b", re.IGNORECASE)
SEVERAL = re.compile(rf"\b(two|three|four|five|six|[2-6]) ({ANY_COLOUR})s?\b", re.IGNORECASE)
NUMBERED = re.compile(rf"\b({ANY_NUMBER})\b(?: (?:wire|one))?(?:[\s:.)=,-]|is\b)*({ANY_COLOUR})\b", re.IGNORECASE)
NONE = re.compile(rf"\b(?:no|without(?: any)?|not any)(?: (?:{ANY_COLOUR}|or|and|,))+", re.IGNORECASE)
COUNT = re.compile(r"\b(three|four|five|six|\d+) (?:colou?red |different |horizontal )?wires\b", re.IGNORECASE)
UPWARDS = re.compile(r"\b(?:from )?(?:the )?bottom (?:up|to(?: the)? top)\b", re.IGNORECASE)
SERIAL = re.compile(
    r"\bserial\b(?:(?!\bserial\b).)*?"
    r"\b(?P<serial>(?:[A-Z0-9][ ,-]+){2,}[0-9]|(?=\w*[0-9])[A-Z0-9]+)\b",
    re.IGNORECASE | re.DOTALL,
)
PARITY = re.compile(r"\b(?:serial|digit)\b[^.\n]*?\b(?P<parity>odd|even)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Told:
    """What an expert has been told, None for what it has not. Of ``serial`` only the last digit is to be relied on."""

    wires: tuple[str, ...] | None
    serial: str | None


def told(messages: Iterable[str]) -> Told:
    """Put together what the solver's messages say; of each thing what was said last."""
    wires: tuple[str, ...] | None = None
    serial: str | None = None
    for message in messages:
        text = message
        found = SERIAL.search(text)
        if found:
            serial = re.sub(r"[^0-9]", "", found["serial"])
            text = text[: found.start("serial")] + text[found.end("serial") :]
        elif parity := PARITY.search(text):
            serial = "1" if parity["parity"].lower() == "odd" else "2"
        wires = _wires(text) or wires
    return Told(wires, serial)


def _wires(text: str) -> tuple[str, ...] | None:
    """Return the colours from top to bottom; None if these are not all of them."""
    text = NONE.sub(" ", text)
    colours = [colour.lower() for colour in COLOUR.findall(text)]
    pairs = [(NUMBERS[number.lower()], colour.lower()) for number, colour in NUMBERED.findall(text)]
    if sorted(number for number, _ in pairs) == [*range(1, len(colours) + 1)]:
        colours = [colour for _, colour in sorted(pairs)]
    else:
        text = SEVERAL.sub(lambda found: " ".join([found[2]] * NUMBERS[found[1].lower()]), text)
        colours = [colour.lower() for colour in COLOUR.findall(text)]
        if UPWARDS.search(text):
            colours.reverse()
    return tuple(colours) if len(colours) in COUNTS and _agrees(text, colours) else None


def _agrees(text: str, colours: Sequence[str]) -> bool:
    """Whether there are as many colours as wires were said to be."""
    counts = [NUMBERS.get(number.lower(), 0) for number in COUNT.findall(text)]
    return not counts or len(colours) in counts
