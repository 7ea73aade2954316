"""What an expert learns about the module from what the solver says, in whatever words it says so."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from palaver_gamemasters.comma.speech import is_shouted

from .manual import NO_TEXT, POSITIONS, WhoRules
from .words import MARK, PLACE, Marked, alternatives, mark_quotes, places, spoken

__all__ = ["Told", "told"]

ACTION = re.compile(r"^[ \t]*press\w*[ \t]*$", re.MULTILINE | re.IGNORECASE)
SCREEN = r"(?:display|screen)"
EMPTY = re.compile(
    rf"\b{SCREEN}\b[^.\n\ue000-\uf8ff]{{0,80}}\b(?:empty|no (?:text|words?|letters?)|without (?:any )?text"
    r"|nothing (?:at all|on it)|\w*(?:not|n't) show(?:ing)? any(?:thing| text))"
    rf"|\bnothing (?:\w+ )?on (?:the|my) {SCREEN}\b|\(no text\)|\bno text\b|\bnothing at all\b"
    r"|^\W*(?:it is |it's )?empty\b",
    re.IGNORECASE,
)
UNCLEAR = re.compile(
    rf"\b{SCREEN}(?: is| shows| says| reads|:)?(?: just| completely)? (blank|nothing)\b", re.IGNORECASE
)
VERB = r"(?:is|are|says|shows|reads|has|displays|labell?ed|marked|:|=|->|-)"
LINK = r"(?:currently|now|just|the|that|word|label|text|labell?ed|marked|as|:)"
SENTENCE = re.compile(r"[.!?;\n]+(?=\s|$)")
MANY = 60
"""No message that means anything names more places and words."""


@dataclass
class Told:
    """What an expert has been told. ``labels`` are by place (an index of the six).

    ``unclear`` says that the display may show a word for emptiness, or be empty; ``strange`` is a word that step 1 does
    not know.
    """

    display: str | None = None
    labels: dict[int, str] = field(default_factory=dict)
    unclear: str | None = None
    strange: str | None = None


def told(rules: WhoRules, messages: Iterable[str]) -> Told:
    """Put together what the solver's messages say, oldest first."""
    known = Told()
    for message in messages:
        _hear(rules, known, message)
    return known


def _hear(rules: WhoRules, known: Told, message: str) -> None:
    text = ACTION.sub("", message)
    whole = spoken(text)
    if unclear := UNCLEAR.search(whole):
        word = unclear[1].upper()
        if word in rules.positions and (is_shouted(whole) or not unclear[1].isupper()):
            known.unclear = word
            whole = whole.replace(unclear[0], " ")
    if NO_TEXT in rules.positions and EMPTY.search(mark_quotes(whole).text + _quoted_emptiness(whole)):
        known.display, whole = NO_TEXT, EMPTY.sub(" ", whole)
    displays, labels, bare = _assigned(_marked(rules, whole))
    for word in displays:
        if word in rules.positions:
            known.display = word
        elif known.display is None:
            known.strange = word
    for place, word in labels:
        known.labels[place] = word
    _place_bare(rules, known, bare)


def _quoted_emptiness(text: str) -> str:
    return f" {NO_TEXT}" if NO_TEXT.lower() in text.lower() else ""


def _place_bare(rules: WhoRules, known: Told, bare: list[str]) -> None:
    """Make sense of words that come without a place: the display, the label that was asked for, or all six."""
    if known.display is None and len(bare) in (1, 2, 7) and bare[0] in rules.positions:
        known.display = bare.pop(0)
    elif known.display is not None and len(bare) in (2, 7) and bare[0] == known.display:
        del bare[0]
    if len(bare) == len(POSITIONS):
        known.labels.update(enumerate(bare))
    elif len(bare) == 1 and known.display is not None and bare[0] in rules.words:
        known.labels[rules.positions[known.display]] = bare[0]
    elif len(bare) == 1 and known.display is None:
        known.strange = bare[0]


def _marked(rules: WhoRules, text: str) -> Marked:
    """Mark the words that are quoted; then those in capitals, or where a label is to be expected."""
    marked = mark_quotes(text)
    spots, capitals, alone = _patterns(rules)
    if found := alone.fullmatch(marked.text):
        return marked.with_word(found.start(1), found.end(1), found[1].upper())
    while len(marked.words) < MANY and (found := spots.search(marked.text)):
        name = "word" if found["word"] else "next"
        marked = marked.with_word(found.start(name), found.end(name), found[name].upper())
    if not is_shouted(text):
        while len(marked.words) < MANY and (found := capitals.search(marked.text)):
            marked = marked.with_word(found.start(), found.end(), found[0])
    return marked


def _assigned(marked: Marked) -> tuple[list[str], list[tuple[int, str]], list[str]]:
    """Say which words are the display's, which belong to places, and which stand alone.

    In a sentence, words follow what they belong to ("the display says ...") or go before it ("... on the display").
    """
    displays: list[str] = []
    labels: list[tuple[int, str]] = []
    bare: list[str] = []
    for sentence in SENTENCE.split(marked.text):
        keys: list[tuple[int, int | str]] = [*places(sentence)]
        keys += [(found.start(), "display") for found in re.finditer(rf"\b{SCREEN}\b", sentence, re.IGNORECASE)]
        words: list[tuple[int, int | str]] = [(found.start(), found[0]) for found in MARK.finditer(sentence)]
        along = sorted(keys + words, key=lambda each: each[0])
        if along and along[0] in words and keys:
            along.reverse()
        key: int | str | None = None
        for where, what in along:
            if (where, what) in keys:
                key = what
                continue
            word = marked.word(str(what))
            if key == "display":
                displays.append(word)
            elif isinstance(key, int):
                labels.append((key, word))
            else:
                bare.append(word)
            key = None
    return displays, labels, bare


@lru_cache(maxsize=8)
def _patterns_of(words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    any_of = alternatives(words)
    place = re.sub(r"[(][?]P<\w+>", "(?:", PLACE.pattern)
    key = rf"(?:{place}|\b(?:{SCREEN}|label|button|it)\b)(?: (?:button|key|one|label|word|text))*"
    line = rf"(?:^|[,;:]) ?(?:the )?(?:{place}|{SCREEN}) "
    spots = re.compile(
        rf"(?:(?:{key} ?{VERB}(?: ?{LINK})* ?|\bthe word )(?P<word>{any_of})(?=\s*(?:[.,;!\n)]|$| and\b))"
        rf"|{line}(?P<next>{any_of})(?=\s*(?:[,;]|$)))",
        re.IGNORECASE | re.MULTILINE,
    )
    return spots, re.compile(any_of), re.compile(rf"\W*({any_of})[\s.!]*", re.IGNORECASE)


def _patterns(rules: WhoRules) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return _patterns_of(tuple(sorted({*rules.positions, *rules.words} - {NO_TEXT})))
