"""Which button an expert's advice asks the solver to press, in whatever words it does."""

import re
from collections.abc import Mapping

from palaver_gamemasters.comma.speech import REFUSAL, asks

from .manual import Press, Rule
from .words import LABEL, POSITION, numbered, sentences

__all__ = ["button_ordered"]

SAME = re.compile(r"\b(?P<same>position|label|number|same button)\b\D*?\bstage (?P<stage>[1-4])\b")
ORDERED = re.compile(r"\b(?:press|push|hit|tap|click|choose|select|pick|use|take)\b|\bpress_(?=[1-4])|\bit(?: is|'s)\b")
REFUSED = re.compile(rf"{REFUSAL}|\bnothing\b")
SOME = r"(?P<some>[1-4](?:, [1-4])*,? ?(?:or|and|/) ?[1-4]|[1-4])\b(?P<then>.*?)"
SHOWN = r"(?:display\b\D{0,24}?|if (?:it is |it's |it (?:shows|says|reads) )?(?:an? )?)"
CASE = re.compile(rf"\b{SHOWN}\b{SOME}(?=\bif\b|\bdisplay\b|$)")
LISTED = re.compile(r"^\W*(?P<some>[1-4]) ?(?::|=|->|=>|\u2192)(?P<then>.*)$")
HEADING = re.compile(r"^\W*(?:(?:and|now|next|then),? )?(?:(?:in|for|at|on) )?(?:stage ([1-5])|([1-5]) stage)\b")


def button_ordered(advice: str, stage: int, display: int, presses: Mapping[int, Press]) -> Rule | None:
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
        if about not in (None, stage) or REFUSED.search(sentence) or asks(sentence):
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
