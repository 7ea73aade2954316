"""What a scripted player of the LED puzzle understands of what its partner says, in the many ways people say it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from palaver_gamemasters.comma.puzzles.corners import PLACE, PLACES, PRESSED, VERB, named_place, orders

from .manual import COLOURS, LedRules

__all__ = ["Described", "described", "named_button", "rule_told"]

# ---- what an expert understands of a description

_COLOUR = "|".join(COLOURS)
COLOUR = re.compile(rf"\b({_COLOUR})\b")
SHINES = r"(?:lit|current|active|marked|glowing|shining)"
LIT = re.compile(
    rf"\b{SHINES}\b(?:(?!\bleds\b)[^.;,\d\n]){{0,25}}?\b({_COLOUR})\b"
    rf"|\b({_COLOUR})(?: led| light| one)?[ ,(]+(?:(?:which|that|is|now) )*(?:{SHINES}|on)\b"
)
ITS_LED = re.compile(rf"\b(?:led|light)\b(?:(?!\b(?:leds|colou?rs|order)\b)[^.;,\d\n]){{0,25}}?\b({_COLOUR})\b")
NUMBERS = ("one", "two", "three", "four", "five")
PLACINGS = ("first", "second", "third", "fourth", "fifth")
_STAGE = (
    rf"\bstage(?: number| is|[ :=#])*(?P<number>[1-5]|{'|'.join(NUMBERS)})\b"
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
class Described:
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


def described(said: Iterable[str]) -> Described:
    """Put together what a solver has told; a press leaves nothing of a stage but the LEDs."""
    known = Described()
    for text in said:
        if PRESSED.search(text):
            known = Described(leds=known.leds, pressed=True)
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
        return PLACINGS.index(placing)
    number = found["number"] or found.get("shown") or ""
    return NUMBERS.index(number) if number in NUMBERS else int(number) - 1


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


# ---- what a solver understands of advice

SHORT = 6
"""Words of an answer that is nothing but a place."""
AT_PLACE = re.compile(rf"{VERB}.{{0,60}}?(?P<place>{PLACE})")
WITH_LETTER = re.compile(
    rf"(?i:{VERB}(?:[\s_]|[\"'(]|\b(?:the|button|key|one|letter|with|labell?ed|marked|that|which|is|shows|showing|says)\b)*)"
    r"(?<![A-Za-z])(?P<letter>[A-Z])(?![A-Za-z'])"
)
MODULUS = re.compile(r"\bmod(?:ulo|ulus)?\b\D{0,10}?(\d{1,3})\b")
VALUE = re.compile(r"\ba\s*(?:=|is(?: worth)?|:|equals)\s*(\d{1,3})\b")
NUMBERED = re.compile(rf"\b({_COLOUR})\b(?:(?!\b(?:{_COLOUR})\b)[^.;\d\n]){{0,30}}?(?<!stage )(\d{{1,3}})\b")
NUMBER_FIRST = re.compile(rf"\b(\d{{1,3}})\s*(?:for|if|when|is)\s+(?:the |a |it's |it is |led is )*({_COLOUR})\b")
NUMBER_ALONE = re.compile(r"\b(?:multipl(?:y|ier)|times)\b\D{0,20}?(\d{1,3})\b")


def named_button(advice: str, letters: Sequence[str], wrong: Collection[int]) -> int | None:
    """Return the first button that advice says is to be pressed, by its place or its letter; None if it names none.

    Args:
        advice: what an expert said.
        letters: those on the buttons, in reading order.
        wrong: the buttons that have been pressed in vain.
    """
    asked = orders(advice)
    for order in asked:
        for button in _named(order, letters):
            if button not in wrong:
                return button
    whole = " ".join(asked).strip(" \n.!\"'")
    places = {named_place(found) for found in re.findall(PLACE, whole.lower())}
    if len(places) == 1 and len(advice.split()) <= SHORT:
        return next((place for place in places if place not in wrong), None)
    if whole in letters and letters.index(whole) not in wrong:
        return letters.index(whole)
    return None


def rule_told(said: Sequence[str], advice: str, colour: str) -> LedRules | None:
    """Return the rule as far as it was told, with the multiplier of one colour; None while something is missing.

    Args:
        said: all that experts have said.
        advice: what they said last: a multiplier without a colour is that of the current LED.
        colour: the current LED's.
    """
    words = "\n".join(said).lower()
    modulus, first = MODULUS.search(words), VALUE.search(words)
    if modulus is None or int(modulus[1]) == 0 or not re.search(r"\b(?:diagonal|opposite)", words):
        return None
    numbers = {each: number for text in said for each, number in _numbered(text.lower())}
    alone = None if COLOUR.search(advice.lower()) else NUMBER_ALONE.search(advice.lower())
    number = alone[1] if alone else numbers.get(colour)
    if number is None:
        return None
    return LedRules({colour: int(number)}, int(first[1]) if first else 0, int(modulus[1]))


def _named(order: str, letters: Sequence[str]) -> list[int]:
    """Return the buttons that an order names: at a place, or else with a letter."""
    if found := AT_PLACE.search(order.lower()):
        return [named_place(each) for each in re.findall(PLACE, order.lower()[found.start("place") :])]
    return [letters.index(each) for each in WITH_LETTER.findall(order) if each in letters]


def _numbered(words: str) -> list[tuple[str, str]]:
    """Return the colours with their multipliers: ``red 2, green 3`` or ``2 for red, 3 for green``."""
    if reverse := NUMBER_FIRST.findall(words):
        return [(colour, number) for number, colour in reverse]
    return NUMBERED.findall(words)
