"""What an expert learns about the module from what the solver says, in whatever words it says so."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from palaver_gamemasters.comma.puzzles.corners import PLACE, PLACES, PRESSED, named_place
from palaver_gamemasters.comma.speech import cardinals, ordinals

from .manual import COLOURS

__all__ = ["ANY_COLOUR", "COLOUR", "Told", "told"]

ANY_COLOUR = "|".join(COLOURS)
COLOUR = re.compile(rf"\b({ANY_COLOUR})\b")
SHINES = r"(?:lit|current|active|marked|glowing|shining)"
LIT = re.compile(
    rf"\b{SHINES}\b(?:(?!\bleds\b)[^.;,\d\n]){{0,25}}?\b({ANY_COLOUR})\b"
    rf"|\b({ANY_COLOUR})(?: led| light| one)?[ ,(]+(?:(?:which|that|is|now) )*(?:{SHINES}|on)\b"
)
ITS_LED = re.compile(rf"\b(?:led|light)\b(?:(?!\b(?:leds|colou?rs|order)\b)[^.;,\d\n]){{0,25}}?\b({ANY_COLOUR})\b")
PLACINGS, NUMBERS = ordinals(5), cardinals(5)
_STAGE = (
    rf"\bstage(?: number| is|[ :=#])*(?P<number>{'|'.join(NUMBERS)})\b"
    rf"|\b(?P<placing>{'|'.join(PLACINGS)}) (?:stage\b|(?:led|light|one)[ ,]+(?:is )?{SHINES}\b)"
)
STAGE = re.compile(rf"{_STAGE}|\bnumber\b(?! of)[^.;\d\n]{{0,40}}?\b(?P<shown>[1-5])\b")
AT_STAGE = re.compile(rf"\b(?:at|on|in|to|now|currently|reached) (?:the )?(?:{_STAGE})")
BEFORE = (
    r"(?:[ \t:=,(\"'*>-]"
    r"|\b(?:button|corner|hand|key|one|letter|symbol|is|are|has|reads|shows|says|there|it|of|the|an?)\b)*"
)
BETWEEN = r"[\"'*]*(?:[ \t:=(-]|\b(?:is|at|on|in|the)\b)*"
NAME = "(?<![a-z])(?P<name>[a-z])(?![a-z])"
PLACED = (
    re.compile(f"(?P<place>{PLACE}){BEFORE}{NAME}"),
    re.compile(f"{NAME}{BETWEEN}(?P<place>{PLACE})"),
)
APART = r"(?:[\s,;/|&\"'().-]|\band\b)+"
RUN = re.compile(rf"(?<![a-z'])([a-z]){APART}([a-z]){APART}([a-z]){APART}([a-z])(?![a-z'])", re.IGNORECASE)
LETTER = re.compile(r"(?<![A-Za-z'])(?:[B-HJ-Z]|[AI](?!'|\s+(?!and\b)[a-z]))(?![A-Za-z'])")


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of the current stage.

    ``leds`` are all LEDs, if they were told; ``stage`` counts from 0; ``lit`` is the LED that was called the current
    one, ``its_led`` one that may have been.
    """

    leds: tuple[str, ...] = ()
    stage: int | None = None
    lit: str | None = None
    its_led: str | None = None
    letters: tuple[str, ...] | None = None
    pressed: bool = False

    @property
    def colour(self) -> str | None:
        """The current LED's."""
        if self.lit is not None:
            return self.lit
        if self.stage is not None and self.stage < len(self.leds):
            return self.leds[self.stage]
        if self.its_led is not None or not self.leds or self.pressed:
            return self.its_led
        return self.leds[0]

    @property
    def last(self) -> bool:
        """Whether this is known to be the last stage."""
        return self.stage is not None and self.stage + 1 == len(self.leds)


def told(said: Iterable[str]) -> Told:
    """Put together what a solver has told; a press leaves nothing of a stage but the LEDs."""
    known = Told()
    for text in said:
        if PRESSED.search(text):
            known = Told(leds=known.leds, pressed=True)
            continue
        words = text.lower()
        known = replace(
            known,
            leds=_leds(words) or known.leds,
            stage=known.stage if (stage := _stage(words)) is None else stage,
            lit=_only(LIT, words) or known.lit,
            its_led=_only(COLOUR, words) or _only(ITS_LED, words) or known.its_led,
            letters=_letters(text) or known.letters,
        )
    return known


def _leds(words: str) -> tuple[str, ...]:
    """Return the LEDs: of all sentences, the one with the most colours lists them."""
    listed: list[list[str]] = [COLOUR.findall(sentence) for sentence in re.split(r"(?<!\d)[.;]", words)]
    longest = max(listed, key=len)
    return tuple(longest) if len(longest) > 1 else ()


def _only(pattern: re.Pattern[str], words: str) -> str | None:
    """Return the one colour that a pattern finds; None if it finds several, or none."""
    found = {next(filter(None, each.groups())) for each in pattern.finditer(words)}
    return found.pop() if len(found) == 1 else None


def _stage(words: str) -> int | None:
    for pattern in (AT_STAGE, STAGE):
        found = {_number(each.groupdict()) for each in pattern.finditer(words)}
        if len(found) == 1:
            return found.pop()
    return None


def _number(found: Mapping[str, str | None]) -> int:
    if placing := found["placing"]:
        return PLACINGS[placing] - 1
    return NUMBERS[found["number"] or found.get("shown") or "1"] - 1


def _letters(text: str) -> tuple[str, ...] | None:
    """Find four letters in reading order: by place, as the only capitals that stand alone, or as a list."""
    for order in PLACED:
        found = {named_place(each["place"]): each["name"].upper() for each in order.finditer(text.lower())}
        if len(found) == len(PLACES):
            return tuple(found[number] for number in range(len(PLACES)))
    if len(alone := tuple(LETTER.findall(text))) == len(PLACES):
        return alone
    run = RUN.search(text)
    return tuple(letter.upper() for letter in run.groups()) if run else None
