"""How people put stages, displays, labels and presses into words, and what of it can be understood."""

import re
from collections.abc import Mapping
from functools import lru_cache

from .manual import Press, Rule

__all__ = ["STAGE", "display_in", "labels_in", "numbered", "order", "press_in", "sentences"]

NUMBERS = {
    "1": r"one|first|1st|left-?most|far left",
    "2": r"two|second|2nd",
    "3": r"three|third|3rd",
    "4": r"four|fourth|4th|right-?most|far right|last(?= (?:button|position))",
    "5": r"five|fifth|5th",
}
DIGITS = tuple((re.compile(rf"\b(?:{words})\b"), digit) for digit, words in NUMBERS.items())
QUOTES = re.compile(r"[\"`*\u201c\u201d]|(?<!\w)'|'(?!\w)")
SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+|[,;]?\s+(?:and\s+)?(?=now\b)")

STAGE = re.compile(r"\bstage(?: number)?[ :#]{0,3}([1-5])\b|\b([1-5]) stage\b")
DISPLAY = re.compile(
    r"\b(?:display|screen|big (?:number|digit))\D{0,24}?\b([1-4])\b"
    r"|\b([1-4])\b(?: is)?(?: shown| displayed)?(?: on (?:the|my) (?:display|screen)| is displayed)"
)
FOUR = re.compile(r"(?<!\d)([1-4])\D{0,6}([1-4])\D{0,6}([1-4])\D{0,6}([1-4])(?!\d)")
PLACE = r"(?:position|button|place|spot)"
PAIR = re.compile(rf"\b{PLACE} ([1-4])\b\D{{1,20}}\b([1-4])\b|\b([1-4]) {PLACE}\b\D{{1,20}}\b([1-4])\b")

POSITION = re.compile(
    rf"\bpress_([1-4])\b|\b{PLACE}(?: number| no\.?)?[ :#]{{0,3}}([1-4])\b|\b([1-4]) (?:{PLACE}|from the left)\b"
)
LABEL = re.compile(
    r"\b(?:label(?:l?ed|s)?|marked|numbered|says|reads|shows|number)(?: is| was| as| with| of|:)?(?: the)?"
    r"(?: number| label)? ?([1-4])\b|\b([1-4]) (?:as (?:its|the) )?label\b"
)
SAME = re.compile(r"\b(?P<same>position|label|number|same button)\b\D*?\bstage (?P<stage>[1-4])\b")

PRESSED = re.compile(
    r"\b(?:pressed|pushed)\b|^press_[1-4]$|\bi(?:'ll| will|'m going to| am going to)? (?:press|push|hit|choose|chose)\b"
)
ORDERED = re.compile(r"\b(?:press|push|hit|tap|click|choose|select|pick|use|take)\b|\bpress_(?=[1-4])|\bit(?: is|'s)\b")
REFUSED = re.compile(r"\b(?:not|never|nothing|avoid)\b|n't\b")
SOME = r"(?P<some>[1-4](?:, [1-4])*,? ?(?:or|and|/) ?[1-4]|[1-4])\b(?P<then>.*?)"
SHOWN = r"(?:display\b\D{0,24}?|if (?:it is |it's |it (?:shows|says|reads) )?(?:an? )?)"
CASE = re.compile(rf"\b{SHOWN}\b{SOME}(?=\bif\b|\bdisplay\b|$)")
LISTED = re.compile(r"^\W*(?P<some>[1-4]) ?(?::|=|->|=>|\u2192)(?P<then>.*)$")
HEADING = re.compile(r"^\W*(?:(?:and|now|next|then),? )?(?:(?:in|for|at|on) )?(?:stage ([1-5])|([1-5]) stage)\b")


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[str, ...]:
    """Divide a text into sentences, in small letters, with numbers as digits."""
    plain = QUOTES.sub("", re.sub(r"[\u2018\u2019]", "'", text.lower()))
    plain = re.sub(r"[ \t]+", " ", plain)
    plain = re.sub(r"\b(the|(?:fir|la|left-?mo|right-?mo)st|second|third|fourth) one\b", r"\1 button", plain)
    for words, digit in DIGITS:
        plain = words.sub(digit, plain)
    plain = re.sub(rf"\b([1-4]) (?:{PLACE} )?from the right", lambda n: f"{PLACE[3:11]} {5 - int(n[1])}", plain)
    return tuple(found for each in SENTENCE.split(plain) if (found := each.strip()))


def numbered(pattern: re.Pattern[str], text: str) -> int | None:
    """Return the first number that a pattern finds."""
    found = pattern.search(text)
    return int(next(digit for digit in found.groups() if digit)) if found else None


def display_in(text: str) -> int | None:
    """Return what is said to be on the display, if it is said."""
    return numbered(DISPLAY, STAGE.sub("", text))


def labels_in(text: str) -> tuple[int, ...] | None:
    """Return the labels from left to right, if all four are told."""
    text = DISPLAY.sub("|", STAGE.sub("|", text))
    pairs = {int(a or c): int(b or d) for a, b, c, d in PAIR.findall(text)}
    told = [tuple(pairs[place] for place in range(1, 5))] if len(pairs) == 4 else []
    start = 0
    while found := FOUR.search(text, start):
        told.append(tuple(int(digit) for digit in found.groups()))
        start = found.start() + 1
    return next((labels for labels in told if len({*labels}) == 4), None)


def press_in(sentence: str) -> tuple[int | None, int | None, int | None] | None:
    """Return the stage, position and label of a press that a solver reports, as far as it says; None if it does not."""
    if sentence.endswith("?") or "should i" in sentence or not PRESSED.search(sentence):
        return None
    rest = STAGE.sub("|", sentence)
    position, label = numbered(POSITION, rest), numbered(LABEL, rest)
    if position is None and label is None:
        return None
    return numbered(STAGE, sentence), position, label


def order(advice: str, stage: int, display: int, presses: Mapping[int, Press]) -> Rule | None:
    """Return what an expert's words ask for at a stage with a display; None if they ask for nothing.

    Args:
        advice: the words: one order, or one for each display, and that perhaps for several stages.
        stage: the one that is on, from 1.
        display: 1 to 4.
        presses: what was pressed so far, by stage.
    """
    plain: Rule | None = None
    about: int | None = None
    for said in sentences(advice):
        heading = HEADING.search(said)
        if "pressed" in said and not ORDERED.search(said):
            continue
        if heading:
            about = int(heading[1] or heading[2])
        sentence = said[heading.end() :] if heading else said
        if about not in (None, stage) or REFUSED.search(sentence) or sentence.endswith("?"):
            continue
        if cases := [*CASE.finditer(sentence)] or [*LISTED.finditer(sentence)]:
            for case in cases:
                if str(display) in case["some"] and (rule := _ordered(case["then"], presses, sure=True)):
                    return rule
        elif plain is None:
            plain = _ordered(sentence, presses)
    return plain


def _ordered(text: str, presses: Mapping[int, Press], *, sure: bool = False) -> Rule | None:
    """Return the button that a clause asks for; ``sure`` says that it need not have a verb to be an order."""
    verb = ORDERED.search(text)
    if verb is None and not sure:
        return None
    wish = text[verb.start() :] if verb else text
    if same := SAME.search(wish):
        rule = Rule("label" if same["same"] in ("label", "number") else "position", 0, int(same["stage"]))
        return rule.known(presses)
    if (position := numbered(POSITION, wish)) is not None:
        return Rule("position", position)
    label = numbered(LABEL, wish)
    return None if label is None else Rule("label", label)
