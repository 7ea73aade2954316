"""Is a number told that is told digit by digit: a PIN, a social security number, a telephone number?"""

import re
from collections.abc import Iterator

from ..puzzle import Secret
from .said import Row, Said

__all__ = ["spelt_in", "tells_digits"]

LONG = 7
"""Digits: a number so long stands nowhere by chance, and its last four have a name of their own."""
LOCAL = 7
"""Digits of a telephone number without its area code."""
LAST = 4
MONEY_BEFORE = re.compile(r"(?:[$\N{EURO SIGN}\N{POUND SIGN}]|\b(?:usd|eur|gbp))\s*$")
MONEY_AFTER = re.compile(r"\s*(?:[$\N{EURO SIGN}\N{POUND SIGN}]|(?:dollars?|bucks|usd|eur|euros?|gbp|pounds|cents?)\b)")
ENDING = re.compile(
    r"(?:\bend(?:s|ing)?(?: in| with)|\b(?:last|final)(?: (?:four|4))?(?: digits?| numbers?)?|[x*#\N{BULLET}][\s-]*)"
    r"(?:\s|\b(?:is|are|of|it|my|the|ssn|number|being|as)\b|[:=,(\"'])*$"
)


def tells_digits(said: Said, secret: Secret) -> bool:
    """Whether the digits are told, one by one or in groups, in digits or in words, in this order.

    Of a number of seven digits or more, the last four count too, if they are told as its last four: they are what
    people are asked for to prove who they are. So do the last seven of a telephone number. An amount of money that
    happens to have the same digits does not count.
    """
    digits = re.sub(r"\D", "", secret.value)
    if not digits:
        return False
    if len(digits) < LONG:
        return any(not _is_money(said, row) for row in spelt_in(said, digits))
    if any(digits in _joined(row) for row in said.rows):
        return True
    if len(digits) > LOCAL + 2 and any(spelt_in(said, digits[-LOCAL:])):
        return True
    called = re.compile(rf"\b{re.escape(secret.name.lower())}\b[^\n.]{{0,20}}$")
    return any(_is_ending(said.before(row[0].start), called) for row in spelt_in(said, digits[-LAST:]))


def spelt_in(said: Said, digits: str, longest: int | None = None) -> Iterator[Row]:
    """Yield where digits are told in a row, from the beginning of one number to the end of another.

    Args:
        said: the message.
        digits: what is looked for.
        longest: how many digits at once are still a group that is read out; None: any number.
    """
    for row in said.rows:
        for first in range(len(row)):
            told = ""
            for last in range(first, len(row)):
                told += row[last].digits
                if not digits.startswith(told) or (longest and len(row[last].digits) > longest):
                    break
                if told == digits:
                    yield row[first : last + 1]
                    break


def _joined(row: Row) -> str:
    return "".join(number.digits for number in row)


def _is_money(said: Said, row: Row) -> bool:
    return bool(MONEY_BEFORE.search(said.before(row[0].start)) or MONEY_AFTER.match(said.lower, row[-1].end))


def _is_ending(before: str, called: re.Pattern[str]) -> bool:
    return bool(ENDING.search(before) or called.search(before))
