"""Which button an expert's advice asks the solver to press, in whatever words it does."""

import re
from collections.abc import Iterator, Sequence

from palaver_gamemasters.comma.speech import asks, is_shouted, without_refusals

from .words import MARK, Marked, alternatives, mark_quotes, places, spoken

__all__ = ["asked_places", "button_ordered"]

VERBS = ("press", "push", "hit", "click", "tap", "choose", "select", "pick")
VERB = r"\b(?:" + "|".join(f"[{verb[0]}{verb[0].upper()}]{verb[1:]}" for verb in VERBS) + r")(?:ing)?\b"
ANSWER = r"\b(?:right|correct) (?:button|one|label|answer) is\b|\banswer is\b|\bbutton to \w+ is\b"
ORDER = re.compile(f"{VERB}|{ANSWER}")
SHOUTED_ORDER = re.compile(f"{VERB}|{ANSWER}", re.IGNORECASE)
PASSIVE = re.compile(r"\b(?:pressed|pushed|correct|is the right one|is the one)\b", re.IGNORECASE)
WISH = re.compile(
    r"\b(?:[Tt]ell me|[Ll]et me know|[Ww]hat|[Ww]hich (?:label|word)|[Rr]ead (?:me|out|aloud|to me|the label)"
    r"|I can|I will|I'll)\b"
)
"""How a question or a wish begins. In capitals, WHAT is a label."""
ITS = re.compile(
    r"\?(?=\s*(?:[,;>\N{RIGHTWARDS ARROW}]|or\b|then\b))|(?:(?<=, WHAT)|(?<=ress WHAT)|(?<=ush WHAT))\?(?=[\s.]*$)"
)
"""A question mark that belongs to a label of a list, and ends no sentence."""
HELD = "\x01"
NAMES = re.compile(
    r"[\ue000-\uf8ff][^.!?\n]*\b(?:(?:to|be|then) press(?:ed)?|press (?:it|that)|is (?:the )?(?:right|correct))\b",
    re.IGNORECASE,
)
"""A label before its verb."""
SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]*")
ITEM = re.compile(r"\s*(?:[,;:>\n.]|->|\N{RIGHTWARDS ARROW}|\bthen\b|\bor\b)\s*", re.IGNORECASE)
BULLET = re.compile(r"^\W*(?:\d+[.)]\s*)?|[\s.!]+$")
NAMED = (r"(?: the)?(?: (?:button|key|one))?(?:,? (?:that is |which is )?(?:labell?ed|marked|called|reading|saying)"
         r"| (?:that|which) (?:says|reads)| with(?: the)? label|:)*")  # fmt: skip
SHORT = 3
"""So many items at least make a list; so many words at most an item."""


def button_ordered(text: str, labels: Sequence[str]) -> int | None:
    """Return the place of the button that is to be pressed (an index of ``labels``), None if there is no such order.

    A place comes first, then labels: the first one named that is on a button, so that the manual's list can be read out
    as it is.
    """
    said = spoken(text).replace(HELD, " ")
    marked = mark_quotes(said)
    kept = "".join(_orders(without_refusals(ITS.sub(HELD, marked.text))))
    orders = Marked(kept.replace(HELD, "?"), marked.words)
    verbs = SHOUTED_ORDER if is_shouted(said) else ORDER
    if (place := _place(orders.text, verbs)) is not None:
        return place
    found = _quoted(orders, labels, verbs) if marked.words else None
    return _plain(MARK.sub(" ", orders.text), labels, verbs) if found is None else found


def asked_places(text: str) -> tuple[int, ...]:
    """Return the places that an expert speaks of, each once."""
    return tuple(dict.fromkeys(place for _, place in places(mark_quotes(spoken(text)).text)))


def _orders(text: str) -> Iterator[str]:
    """Leave out questions, and what the expert wants to be told."""
    for found in SENTENCE.finditer(text):
        sentence = found[0]
        verb = SHOUTED_ORDER.search(sentence)
        wish = WISH.search(sentence)
        if not asks(sentence) and (wish is None or (verb is not None and verb.start() < wish.start())):
            yield sentence


def _place(text: str, verbs: re.Pattern[str]) -> int | None:
    for found in SENTENCE.finditer(text):
        verb = verbs.search(found[0])
        for where, place in places(found[0]):
            before = verb is not None and verb.end() <= where and not WISH.search(found[0][verb.end() : where])
            if before or PASSIVE.search(found[0], where):
                return place
    return None


def _quoted(orders: Marked, labels: Sequence[str], verbs: re.Pattern[str]) -> int | None:
    verb = verbs.search(orders.text)
    named = [(found.start(), _on_button(orders.word(found[0]), labels)) for found in MARK.finditer(orders.text)]
    hits = [(where, place) for where, place in named if place is not None]
    after = [place for where, place in hits if verb is not None and where > verb.start()]
    if after:
        return after[0]
    alone = not re.search(r"\w", MARK.sub("", orders.text))
    if hits and (alone or len(named) >= SHORT or (len(named) == 1 and NAMES.search(orders.text))):
        return hits[0][1]
    return None


def _plain(text: str, labels: Sequence[str], verbs: re.Pattern[str]) -> int | None:
    any_of = alternatives(labels)
    named = re.search(
        rf"(?:{verbs.pattern}){NAMED} (?P<label>{any_of})(?: (?:button|key|one|label))?\s*(?:[.,!;\n]|$)",
        text,
        re.IGNORECASE,
    )
    if named and not (is_shouted(named[0]) and not is_shouted(text)):
        return _on_button(named["label"], labels)
    verb = verbs.search(text)
    for part in [text[verb.start() :], text] if verb else [text]:
        items = [BULLET.sub("", item) for item in ITEM.split(part)]
        items = [item for item in items if item and len(item.split()) <= SHORT]
        if len(items) >= SHORT:
            listed = [place for item in items if (place := _on_button(item, labels)) is not None]
            if listed:
                return listed[0]
    capitals = re.compile(any_of)
    if verb and not is_shouted(text) and (found := capitals.search(text, verb.end())):
        return _on_button(found[0], labels)
    if alone := re.fullmatch(rf"\W*({any_of})[\s.!]*", text):
        return _on_button(alone[1], labels)
    return None


def _on_button(word: str, labels: Sequence[str]) -> int | None:
    """Return where a word is, None if it is nowhere; a full stop within its quotation marks is none of its own."""
    for spelling in (word.strip().upper(), word.strip().upper().rstrip(".,!;:")):
        if spelling in labels:
            return labels.index(spelling)
    return None
