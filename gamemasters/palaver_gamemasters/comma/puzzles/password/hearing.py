"""What an expert learns about the slots from what the solver says, in whatever words it says so."""

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from palaver_gamemasters.comma.speech import is_shouted, straight

from .manual import LENGTH, REACH
from .words import NUMBER, SLOT, slot_numbers

__all__ = ["possible", "seen"]

ACTION = re.compile(r"^[ \t]*(?:press_\w+|submit)[ \t]*$", re.MULTILINE)
QUOTES = re.compile(r"[\"'`*]")
BETWEEN = r"[\s,;|/.\-\N{EN DASH}>]+(?:and |then )?"
RUN = re.compile(rf"(?<![^\W_])(?:[A-Za-z]{BETWEEN}){{4}}[A-Za-z](?![^\W_])")
LETTER = re.compile(r"(?<![^\W_])([A-Za-z])(?![^\W_])")
ARTICLE = re.compile(r"\ba(?= +[A-Za-z])|\bI(?= +[a-z]{2,}| ?'|$)")
WORD = re.compile(r"(?<![^\W_])[A-Z]{5}(?![^\W_])|^[\s.]*[A-Za-z]{5}[\s.]*$|\"[A-Za-z]{5}\.?\"")
LEAD = re.compile(rf"{SLOT}|^[^\w\n]*{NUMBER} *[:.)=]", re.IGNORECASE | re.MULTILINE)


def seen(messages: Iterable[str]) -> tuple[frozenset[str], ...]:
    """Return the letters of each slot that the solver has told, newest first as far as they go together.

    Letters further apart than a slot allows are a slip of somebody's: the newer ones count.
    """
    known: list[set[str]] = [set() for _ in range(LENGTH)]
    for message in reversed([*messages]):
        for slot, letters in _told(message):
            both = known[slot] | letters
            if letters and _apart(both) <= REACH:
                known[slot] = both
    return tuple(frozenset(letters) for letters in known)


def possible(letters: frozenset[str]) -> frozenset[str]:
    """Return the letters that a slot may hold, if it holds some."""
    return frozenset(each for each in ascii_uppercase if _apart(letters | {each}) <= REACH)


def _apart(letters: Iterable[str]) -> int:
    places = [ascii_uppercase.index(each) for each in letters]
    return max(places) - min(places) if places else 0


def _told(message: str) -> list[tuple[int, set[str]]]:
    """Return what a message tells of slots (from 0); what it said last comes first."""
    text = ACTION.sub("", straight(message))
    plain = QUOTES.sub("", text)
    told: list[tuple[int, set[str]]] = []
    for run in reversed(list(RUN.finditer(plain))):
        told += [(slot, {letter.upper()}) for slot, letter in enumerate(LETTER.findall(run[0]))]
    if told:
        return told
    if by_slot := _by_slot(plain):
        return [(slot, letters) for slot, letters in by_slot.items()]
    shouted = is_shouted(text)
    for word in reversed(WORD.findall(text)):
        letters = re.sub(r"[^A-Z]", "", word.upper())
        if not shouted or len(text.split()) == 1 or '"' in word:
            told += [(slot, {letter}) for slot, letter in enumerate(letters)]
    return told


def _by_slot(text: str) -> Mapping[int, set[str]]:
    """Read 'slot 2 shows N; slot 3: O, P, Q': the letters that follow what names a slot."""
    found: dict[int, set[str]] = {}
    leads = list(LEAD.finditer(text))
    for lead, after in zip(leads, [*leads[1:], None], strict=False):
        letters = _letters(text[lead.end() : after.start() if after else len(text)])
        for slot in slot_numbers(lead[0]):
            found.setdefault(slot, set()).update(letters)
    return found


def _letters(text: str) -> Sequence[str]:
    letters = LETTER.findall(ARTICLE.sub(" ", text))
    capitals = [letter for letter in letters if letter.isupper()]
    return capitals or [letter.upper() for letter in letters]
