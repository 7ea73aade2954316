"""How people talk, whatever the puzzle is: sentences, polite orders, conditions, and numbers in words.

The scripted players listen to models and to people. What all of them have to make out is here; what a wire or a slot is
called is each puzzle's own.
"""

import re
from collections.abc import Mapping

__all__ = [
    "CARDINALS",
    "EXAMPLE",
    "ORDINALS",
    "REFUSAL",
    "TIMES",
    "WAITS",
    "asks",
    "cardinals",
    "is_shouted",
    "lines_of",
    "ordinals",
    "plain",
    "sentences",
    "straight",
    "without_refusals",
]

LINE_END = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")


def lines_of(text: str) -> list[str]:
    """Divide a message into lines, by all that ends a line of text; control characters within one do not."""
    return LINE_END.split(text)


# ---- numbers

CARDINALS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SHORT_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def cardinals(most: int) -> Mapping[str, int]:
    """Return numbers up to 20 by how they are written: ``2`` and ``two``."""
    return {written: number for number, word in enumerate(CARDINALS[:most], 1) for written in (str(number), word)}


def ordinals(most: int) -> Mapping[str, int]:
    """Return ordinals up to the sixth by how they are written: ``second`` and ``2nd``."""
    pairs = zip(ORDINALS[:most], SHORT_ORDINALS, strict=False)
    return {written: number for number, pair in enumerate(pairs, 1) for written in pair}


TIMES: Mapping[str, int] = {**cardinals(9), "once": 1, "twice": 2, "thrice": 3}
"""How many times, by the word before "times" or by a word of its own."""

# ---- spelling

STRAIGHT = str.maketrans(
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}",
    '"""\'\'',
)


def straight(text: str) -> str:
    """Return a text with straight quotation marks and apostrophes."""
    return text.translate(STRAIGHT)


def plain(text: str) -> str:
    """Return a text in small letters, with straight apostrophes, single spaces, and without marks of emphasis."""
    return re.sub(r"[ \t]+", " ", re.sub(r"[*`]", "", straight(text.lower())))


def is_shouted(text: str) -> bool:
    """Whether capitals say nothing: there is no small letter."""
    return not any(letter.islower() for letter in text)


# ---- sentences, and what is no order

ENDS = re.compile(r"(?<=[.!?;])\s+|\n+")
POLITE = re.compile(r"\b(?:can|could|would|will) you\b|\bplease\b", re.IGNORECASE)
"""What makes an order of a question."""
WONDERS = re.compile(
    r"\b(?:tell|describe|say|know|see|read)\b"
    r"|^\W*(?:(?:and|so|but|then|now|ok|okay|well|please)\b[,:]? )*"
    r"(?:which|what|where|who|how|is|are|do|does|did|have|has|should)\b",
    re.IGNORECASE,
)
"""What makes a question of it again ("could you tell me ...?", "which one is it, please?")."""
REFUSAL = r"\b(?:do not|dont|not|never|avoid|instead of|rather than|\w+n't)\b"
"""How it begins that something is not to be done; for straight apostrophes."""
REFUSED = re.compile(rf"{REFUSAL}[^.!?,;:\n]*", re.IGNORECASE)
WAITS = r"\b(?:if|when|once (?:you|it|the|there|at|on)|until|unless|before|after)\b"
"""What makes a sentence wait for something: it is not to be followed at once."""
EXAMPLE = r"\b(?:for example|for instance|e\.g\.|such as)"
"""How an example begins."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, and the parts of them that a semicolon divides; none is empty."""
    return [sentence for each in ENDS.split(text) if (sentence := each.strip())]


def asks(sentence: str) -> bool:
    """Whether a sentence wants an answer: a polite order ("could you cut the first wire?") wants none."""
    is_question = sentence.rstrip(" \"')\n").endswith("?")
    return is_question and (not POLITE.search(sentence) or bool(WONDERS.search(sentence)))


def without_refusals(text: str) -> str:
    """Return a text without what it says is not to be done, up to the next mark ("do not cut the first wire, ...")."""
    return REFUSED.sub(" ", text)
