"""What an expert makes of a patient's words: signs, facts, and which diagnosis has been tried already."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from palaver_gamemasters.comma.speech import cardinals, straight

from .signs import DIAGNOSES, SITES, TREATMENTS, Value
from .words import BORDER_WORDS, DIAGNOSIS_WORDS, FACT_WORDS, LOOK_WORDS, OTHER_SKIN, STABLE

__all__ = ["Told", "denied", "hear", "plain"]

STOP = r".;:!?\n"
NEGATION = re.compile(r"\b(?:no|not|never|without|neither|nor|none|cannot|hardly)\b|n't\b", re.IGNORECASE)
TURN = re.compile(
    rf"[{STOP}]|\b(?:but|and|yet|however|though|although|it|is|are|has|only|just|instead)\b", re.IGNORECASE
)
LISTED = re.compile(rf"^[^{STOP}]{{0,60}}?\b(?:or|nor)\b", re.IGNORECASE)
ANSWERED_NO = re.compile(r"^\s*(?:[:=?]\s*|\()(?:no|none|false|never|n/a)\b", re.IGNORECASE)
CLOSE = 6
"""Words that a negation reaches."""
NO_MARKS = re.compile(
    r"\bno (?:(?:special|other|particular|visible|obvious|further) )?(?:marks?|details?|features?)\b"
    r"|\bmarks?\s*[:=]\s*none\b|\bnothing (?:else )?(?:on|in) it\b",
    re.IGNORECASE,
)
SYMMETRIC = re.compile(r"\bsymm?etr\w*", re.IGNORECASE)
NUMBERS = cardinals(20)
NUMBER = rf"(?:\d+(?:[.,]\d+)?|{'|'.join(NUMBERS)})"
SIZE = re.compile(
    rf"\b(?P<one>{NUMBER})(?:\s*(?:mm|cm)?\s*(?:x|by|\N{{MULTIPLICATION SIGN}})\s*(?P<two>{NUMBER}))?"
    r"[\s-]*(?P<unit>mm\b|millimet\w*|cm\b|centimet\w*)",
    re.IGNORECASE | re.ASCII,
)
BARE_SIZE = re.compile(
    rf"\b(?:diameter|size)\b(?:\s+(?:is|of|about|around)\b|\s*[:=])*\s*(?P<one>{NUMBER})\b",
    re.IGNORECASE | re.ASCII,
)
SITE = re.compile(
    rf"(?<!come )(?<!go )(?<!goes )\b({'|'.join(SITES[:-1])}|cheek|forehead|chin|temple|belly|stomach|finger|toe)s?\b"
    r"(?! of\b)(?! to\b)",
    re.IGNORECASE | re.ASCII,
)
SAME_SITES = {
    "cheek": "face", "forehead": "face", "chin": "face", "temple": "face", "belly": "abdomen", "stomach": "abdomen",
    "finger": "hand", "toe": "foot",
}  # fmt: skip
ACTION = re.compile(r"^[ \t]*diagnose_([a-z]{3})[ \t]*$", re.MULTILINE)
TREATED = re.compile(rf"^[ \t]*({'|'.join(TREATMENTS.values())})[ \t]*$", re.MULTILINE)
WORKED = re.compile(r"\b(?:right|correct|confirmed|success\w*|accepted|worked)\b", re.IGNORECASE)
SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
FAILED = re.compile(
    r"\b(?:mistake|wrong|incorrect|failed|not (?:right|correct)|did not work|didn't work)\b", re.IGNORECASE
)


@dataclass
class Told:
    """All that a patient has told, the newest of each kind.

    ``signs`` are by the manual's names, ``facts`` as treatments know them. ``wrong`` diagnoses were tried in vain;
    ``diagnosis`` is the one that was tried last and, as far as is known, was right; ``treatment`` the one tried since.
    """

    signs: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, float | bool] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    diagnosis: str | None = None
    treatment: str | None = None


def plain(text: str) -> str:
    """Return words with plain apostrophes and spaces."""
    return re.sub(r"[ \t]+", " ", straight(text).replace("_", " "))


def denied(text: str, start: int, end: int) -> bool:
    """Whether what stands from ``start`` to ``end`` is said not to be so."""
    if ANSWERED_NO.match(text[end : end + 12]):
        return True
    before = text[max(0, start - 80) : start]
    negations = list(NEGATION.finditer(before))
    if not negations:
        return False
    between = before[negations[-1].end() :]
    if TURN.search(between) or len(between.split()) > CLOSE:
        return False
    return "," not in between or bool(re.search(r"\bn?or\b", between)) or bool(LISTED.match(text[end:]))


def hear(messages: Iterable[str]) -> Told:
    """Listen to what a patient said, message by message: what is said later counts."""
    told = Told()
    for message in messages:
        _tries(message, told)
        text = OTHER_SKIN.sub(" ", plain(message))
        told.signs.update(_looks(text))
        told.facts.update(_facts(text))
        sites = {SAME_SITES.get(site.lower(), site.lower()) for site in SITE.findall(text)}
        if sites:
            told.signs["site"] = frozenset(sites)
    _derive(told)
    return told


def _derive(told: Told) -> None:
    """Find the signs that facts stand for. What grows, changes."""
    if "diameter" in told.facts:
        told.signs["size"] = float(told.facts["diameter"])
    if told.facts.get("grown") is True:
        told.facts.setdefault("changed", True)
    for fact, sign, yes, no in (
        ("changed", "change", "changing", "stable"),
        ("itches", "itch", "yes", "no"),
        ("bleeds", "bleeding", "yes", "no"),
    ):
        if fact in told.facts:
            told.signs[sign] = frozenset([yes if told.facts[fact] else no])


def _tries(message: str, told: Told) -> None:
    """Keep account of diagnoses and treatments that were tried."""
    confirmed = [code for sentence in SENTENCE.findall(message) if (code := _confirmed(sentence))]
    again = told.treatment is None or "diagnosis" in message.lower()
    if told.diagnosis is not None and not confirmed and again and FAILED.search(message):
        told.wrong.append(told.diagnosis)
        told.diagnosis = None
    for code in [*ACTION.findall(message), *confirmed]:
        if code.upper() in DIAGNOSES and code.upper() != told.diagnosis:
            told.diagnosis, told.treatment = code.upper(), None
    for action in TREATED.findall(message):
        told.treatment = next(name for name, each in TREATMENTS.items() if each == action)


def _confirmed(sentence: str) -> str | None:
    """Return the diagnosis of which a sentence says that it was right."""
    named = [code for code, words in DIAGNOSIS_WORDS.items() if words.search(sentence)]
    if len(named) != 1 or "?" in sentence or FAILED.search(sentence) or not WORKED.search(sentence):
        return None
    return named[0]


def _looks(text: str) -> dict[str, Value]:
    marks, rest = _values(text, LOOK_WORDS["marks"])
    edges, rest = _values(rest, BORDER_WORDS)
    found: dict[str, Value] = {}
    for sign, vocabulary in LOOK_WORDS.items():
        values = marks if sign == "marks" else _values(rest, vocabulary)[0]
        values |= edges if sign == "border" else set()
        if values:
            found[sign] = _colours(values) if sign == "colour" else frozenset(values)
    if "marks" not in found and (NO_MARKS.search(text) or _all_denied(text, LOOK_WORDS["marks"])):
        found["marks"] = frozenset(["none"])
    if "shape" not in found and (match := SYMMETRIC.search(text)):
        uneven = denied(text, match.start(), match.end())
        found["shape"] = frozenset(["asymmetric"] if uneven else ["round", "oval"])
    return found


def _values(text: str, vocabulary: Mapping[str, re.Pattern[str]]) -> tuple[set[str], str]:
    """Return the values that a text names, and the text without their words: no word counts twice."""
    values: set[str] = set()
    left = text
    for value, words in vocabulary.items():
        for match in words.finditer(left):
            if not denied(text, match.start(), match.end()):
                values.add(value)
            left = left[: match.start()] + " " * len(match[0]) + left[match.end() :]
    return values, left


def _all_denied(text: str, vocabulary: Mapping[str, re.Pattern[str]]) -> bool:
    matches = [match for words in vocabulary.values() for match in words.finditer(text)]
    return bool(matches) and all(denied(text, match.start(), match.end()) for match in matches)


def _colours(named: set[str]) -> frozenset[str]:
    """Make sense of the colours that were named: three or more, or blue among them, are several colours."""
    if "several colours" in named or len(named) > 2 or "blue" in named:
        return frozenset(["several colours"])
    if "brown" in named:
        return frozenset(named - {"brown"} | {"light brown", "dark brown", "pink-brown"})
    return frozenset(named)


def _facts(text: str) -> dict[str, float | bool]:
    found: dict[str, float | bool] = {}
    for fact, words in FACT_WORDS.items():
        matches = list(words.finditer(text))
        if matches:
            last = matches[-1]
            found[fact] = not denied(text, last.start(), last.end())
    if "changed" not in found and STABLE.search(text):
        found["changed"] = False
    sizes = [_millimetres(match) for match in SIZE.finditer(text)] or [
        _number(match["one"]) for match in BARE_SIZE.finditer(text)
    ]
    if sizes and 0 < sizes[-1] <= 300:
        found["diameter"] = sizes[-1]
    return found


def _millimetres(match: re.Match[str]) -> float:
    most = max(_number(match["one"]), _number(match["two"] or "0"))
    return most * 10 if match["unit"].lower().startswith("c") else most


def _number(text: str) -> float:
    return float(NUMBERS[text.lower()]) if text.lower() in NUMBERS else float(text.replace(",", "."))
