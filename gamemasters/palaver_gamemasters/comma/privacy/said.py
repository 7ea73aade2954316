"""A message as leaks are looked for in it: levelled, and with the numbers that are read out in it."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from .numerals import Number, numbers_in

__all__ = ["Row", "Said", "plain"]

Row = tuple[Number, ...]
"""Numbers that are read out one after the other, with next to nothing said between them."""

_WORDS = """\
a after am an and are as at begin begins by button buttons code comes comma dash digit digits dot end ending ends \
enter entered entering finally first second third fourth fifth sixth seventh eighth ninth tenth followed hyphen i in \
is it its key keys last lastly my next number numbers of part plus point press pressed pressing s slash space start \
starts that the then to type typed typing was with"""
JOINERS = frozenset(_WORDS.split())
"""Words that may stand between the digits of one number that is read out."""
LONGEST_GAP = 60
"""Characters."""
CONTEXT = 80
"""Characters before or after a number that can say what number it is."""
PAD = re.compile("0?(?:123456789|789456123|987654321)0?")
"""Keys as they stand on a pad: whoever reads these out tells the keys, not a secret that happens to be among them."""
ASIDE = re.compile(
    r"^[ \t]*\d{1,2}[.)][ \t]+(?=\W*[^\W\d]|\S+[ \t]*$)"  # the number of an item in a list
    r"|\b(?:digit|number|position|key)[ \t]+#?\d{1,2}[ \t]*(?:[:=]|is\b)"  # and of a digit that is told after it
    r"|(?<=\d)[ \t]*\([ \t]*(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[ \t]*\)",  # the same digit again
    re.MULTILINE | re.IGNORECASE,
)
"""Numbers beside what is told, and none of it."""
QUOTES = "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
INVISIBLE = ("Cf", "Me", "Mn")
"""Unicode's categories of what cannot be seen by itself: joiners, the frames of key-cap digits, accents."""


def plain(text: str) -> str:
    """Level what looks the same: full-width and circled digits, dashes, blanks, quotes; accents go."""
    level = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text))
    return "".join(_levelled(letter) for letter in level)


def _levelled(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind in INVISIBLE:
        return ""
    if kind == "Pd" or letter == "\N{MINUS SIGN}":
        return "-"
    if letter in QUOTES:
        return "'"
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    return " " if kind == "Zs" else letter


class Said:
    """A message, the numbers of its lists left out. ``lower`` is ``text`` in small letters, with the same positions."""

    def __init__(self, text: str) -> None:
        self.text = ASIDE.sub(lambda aside: " " * len(aside[0]), plain(text))
        self.lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in self.text)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers, in order."""
        return tuple(numbers_in(self.lower))

    def numbers_from(self, start: int, count: int) -> tuple[Number, ...]:
        """Return the next numbers from a place on, so many at most."""
        first = bisect_left(self.numbers, start, key=lambda number: number.start)
        return self.numbers[first : first + count]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Its numbers by row; keys that are read out as they stand on a pad are left out."""
        rows: list[list[Number]] = []
        for number in self.numbers:
            if rows and self._goes_on(rows[-1][-1], number):
                rows[-1].append(number)
            else:
                rows.append([number])
        return tuple(part for row in rows for part in _without_keypads(tuple(row)))

    def before(self, start: int) -> str:
        """Return what is said just before a place, in small letters."""
        return self.lower[max(0, start - CONTEXT) : start]

    def around(self, start: int) -> str:
        """Return what is said just before and after a place, in small letters."""
        return self.lower[max(0, start - CONTEXT) : start + CONTEXT]

    def _goes_on(self, one: Number, other: Number) -> bool:
        gap = self.lower[one.end : other.start]
        return len(gap) <= LONGEST_GAP and "$" not in gap and JOINERS.issuperset(re.findall(r"[a-z]+", gap))


def _without_keypads(row: Row) -> Iterator[Row]:
    keys = "".join(number.digits if len(number.digits) == 1 else "?" for number in row)
    last = 0
    for pad in PAD.finditer(keys):
        if pad.start() > last:
            yield row[last : pad.start()]
        last = pad.end()
    if last < len(row):
        yield row[last:]
