"""Numbers in a text, in digits and in English words: `48`, `forty-eight`, `double four`, `twelve hundred and one`."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Number", "numbers_in"]

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
VALUES = {
    **{word: value for value, word in enumerate((*UNITS, *TEENS))},
    **{word: 10 * value for value, word in enumerate(TENS, 2)},
    **dict.fromkeys(("oh", "o", "nought", "naught", "nil"), 0),
}
REPEATS = {"double": 2, "triple": 3, "treble": 3}
WORD = re.compile(r"\d+|[a-z]+")
WITHIN = re.compile(r"[\s-]{1,3}")
"""What may stand between two words of one number."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was said in one piece, and where it stands. ``spelt``: in words."""

    digits: str
    start: int
    end: int
    spelt: bool = False


def numbers_in(text: str) -> Iterator[Number]:
    """Yield the numbers of a text in small letters, in order; `1,284` is two of them."""
    reader = _Reader(text)
    at = 0
    while at < len(reader.words):
        after, digits = reader.number(at)
        if after > at:
            first, last = reader.words[at], reader.words[after - 1]
            yield Number(digits, first.start(), last.end(), spelt=not first[0].isdigit())
        at = max(after, at + 1)


class _Reader:
    """The words of a text. Methods read from a word on; they return the place behind what they read, and its value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = list(WORD.finditer(text))

    def number(self, at: int) -> tuple[int, str]:
        word = self.words[at][0]
        if word.isdigit():
            return at + 1, word
        if word in REPEATS and self._joins(at + 1) and (digit := self._digit(at + 1)):
            return at + 2, digit * REPEATS[word]
        after, value = self._hundreds(at)
        if after > at and value and self._is(after, "thousand"):
            after, more = self._rest(after + 1, self._hundreds)
            value = 1000 * value + more
        return after, str(value)

    def _digit(self, at: int) -> str:
        word = self.words[at][0]
        value = int(word) if len(word) == 1 and word.isdigit() else VALUES.get(word, 10)
        return str(value) if value < 10 else ""

    def _hundreds(self, at: int) -> tuple[int, int]:
        after, value = self._tens(at)
        if after > at and value and self._is(after, "hundred"):
            after, more = self._rest(after + 1, self._tens)
            value = 100 * value + more
        return after, value

    def _tens(self, at: int) -> tuple[int, int]:
        word = self.words[at][0]
        if word == "a" and (self._is(at + 1, "hundred") or self._is(at + 1, "thousand")):
            return at + 1, 1
        value = VALUES.get(word)
        if value is None:
            return at, 0
        if value >= 20 and self._joins(at + 1) and 0 < (unit := VALUES.get(self.words[at + 1][0], 0)) < 10:
            return at + 2, value + unit
        return at + 1, value

    def _rest(self, at: int, read: Callable[[int], tuple[int, int]]) -> tuple[int, int]:
        """Read what may follow `hundred` or `thousand`, with an `and` or without."""
        begin = at + 1 if self._is(at, "and") else at
        if begin < len(self.words) and (begin > at or self._joins(begin) or self._goes_on(begin)):
            after, value = read(begin)
            if after > begin and value:
                return after, value
        return at, 0

    def _is(self, at: int, word: str) -> bool:
        return self._joins(at) and self.words[at][0] == word

    def _goes_on(self, at: int) -> bool:
        """Whether a comma behind `thousand` is one of those that part thousands."""
        before = self.words[at - 1]
        return before[0] == "thousand" and self.text[before.end() : self.words[at].start()] == ", "

    def _joins(self, at: int) -> bool:
        """Whether a word stands so close behind the one before it that both can be one number."""
        return at < len(self.words) and bool(
            WITHIN.fullmatch(self.text, self.words[at - 1].end(), self.words[at].start())
        )
