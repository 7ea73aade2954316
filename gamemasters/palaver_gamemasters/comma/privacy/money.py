"""Is an amount of money told, to the dollar?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..puzzle import Secret
from .digits import spelt_in
from .said import Said

__all__ = ["tells_money"]

ROUND = 50
"""Dollars: manuals, keys and ordinary talk are full of multiples of it, and a balance is more particular."""
SPOKEN = 2
"""Digits of a group that is read out, such as `twelve eighty-four`."""
FEW = 1000
"""Dollars: a smaller number is an amount only where money is talked about."""

SIGN = r"[$\N{EURO SIGN}\N{POUND SIGN}]"
CURRENCY = rf"(?:(?:us )?(?:dollars?|bucks|pounds?|euros?)\b|(?:usd|eur|gbp)\b|{SIGN})"
NUMERAL = re.compile(
    r"(?<![\d_])(?<!\d[.,])(?P<whole>\d{1,3}(?P<mark>[,.' ])\d{3}(?:(?P=mark)\d{3})*|\d+)"
    r"(?:[.,](?P<cents>\d{1,2}))?(?!\d)"
)
MARKED_BEFORE = re.compile(rf"(?:{SIGN}|\b(?:usd|eur|gbp))\s*$")
MARKED_AFTER = re.compile(rf"\s*{CURRENCY}")
AND_CENTS = re.compile(rf"\s*(?:{CURRENCY})?,?\s*(?:and|point|dot)?\s*")
TALK_OF_MONEY = re.compile(rf"{CURRENCY}|\b(?:balances?|accounts?|money|funds|have|has|holds?|left)\b")
BOUND_BEFORE = re.compile(
    r"(?:\bthan(?: or equal(?: to)?)?|\bat (?:least|most)|[<>\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}]=?"
    r"|\b(?:above|below|over|under|exceed(?:s|ing)?|beyond|up to|minimum|maximum|threshold|limit|equal to))"
    rf"(?:\s|\b(?:of|the|a|is|just)\b|:|{SIGN})*$"
)
BOUND_AFTER = re.compile(
    rf"\s*(?:{CURRENCY})?\s*(?:\+|\b(?:or|and) (?:more|less|above|below|over|under|up|higher|lower|greater|fewer)\b"
    r"|\b(?:minimum|maximum|threshold|limit|mark)\b)"
)
MOVED_BEFORE = re.compile(
    r"\b(?:withdr[ae]w\w*|deposit\w*|tak(?:e|ing)|took|put(?:ting)?|pay(?:ing)?|enter\w*|typ(?:e[ds]?|ing)|key(?:ed|ing)?"
    r"|amounts?|add(?:ed|ing)?|transfer\w*|cash)\b(?:\s|\b(?:of|is|in|out|exactly|the|an?|amount|sum|to|be)\b|:|"
    rf"{SIGN})*$"
)
CENTS = re.compile(r"\s*(?:cents?\b|\N{CENT SIGN})")
POINT = re.compile(r"\b(?:point|dot)\b")
MOVED_AFTER = re.compile(rf"\s*(?:{CURRENCY})?\s*\b(?:withdrawal|deposit|out of|from|into)\b")


@dataclass(frozen=True, slots=True)
class Amount:
    """How an amount was said: ``cents`` is None where only whole dollars were."""

    cents: int | None
    start: int
    end: int


def tells_money(said: Said, secret: Secret) -> bool:
    """Whether the amount is told, with its cents or to the dollar, in digits or in words, in any usual format.

    Not told is a rounded figure (`around $1,300`), nor a round one that is a bound or is moved (`more than $500`,
    `withdraw $300`), even if the secret is the same: manuals say these.

    Args:
        said: the message.
        secret: its value is dollars with a point before the cents: ``1284.50``.
    """
    whole, _, rest = secret.value.partition(".")
    whole = re.sub(r"\D", "", whole)
    if not whole:
        return False
    dollars, cents = int(whole), int(re.sub(r"\D", "", rest).ljust(2, "0")[:2])
    if any(_is_it(said, amount, dollars, cents) for amount in _amounts(said, dollars)):
        return True
    spoken = [f"{dollars}{cents:02}"]
    if dollars >= FEW or (dollars % ROUND and dollars >= 100):
        spoken.append(str(dollars))
    return any(len(row) > 1 for digits in spoken for row in spelt_in(said, digits, SPOKEN))


def _is_it(said: Said, amount: Amount, dollars: int, cents: int) -> bool:
    is_round = dollars % ROUND == 0
    if is_round and (amount.cents or 0) != cents:
        return False
    before = said.before(amount.start)
    marked = MARKED_BEFORE.search(before) or MARKED_AFTER.match(said.lower, amount.end) or amount.cents is not None
    if not marked and dollars < FEW and not TALK_OF_MONEY.search(said.around(amount.start)):
        return False
    if is_round and not cents:
        return not (
            BOUND_BEFORE.search(before)
            or MOVED_BEFORE.search(before)
            or BOUND_AFTER.match(said.lower, amount.end)
            or MOVED_AFTER.match(said.lower, amount.end)
        )
    return True


def _amounts(said: Said, dollars: int) -> Iterator[Amount]:
    """Yield the amounts of so many dollars, in digits and in words."""
    for found in NUMERAL.finditer(said.lower):
        if re.sub(r"\D", "", found["whole"]).lstrip("0") == str(dollars or ""):
            cents = found["cents"]
            if cents is None:
                yield _with_cents(said, Amount(None, found.start(), found.end()))
            else:
                yield Amount(int(cents.ljust(2, "0")), found.start(), found.end())
    for number in said.numbers:
        if number.spelt and int(number.digits) == dollars:
            yield _with_cents(said, Amount(None, number.start, number.end))


def _with_cents(said: Said, amount: Amount) -> Amount:
    """Add cents that are said after the dollars: `... dollars and 50 cents`, `... point five oh`."""
    between = AND_CENTS.match(said.lower, amount.end)
    begin = between.end() if between else amount.end
    parts = said.numbers_from(begin, 2)
    if between is None or not parts or parts[0].start != begin or len(parts[0].digits) > 2:
        return amount
    if CENTS.match(said.lower, parts[0].end):
        return Amount(int(parts[0].digits), amount.start, parts[0].end)
    if not POINT.search(between[0]):
        return amount
    taken = parts if len(parts) == 2 and all(len(part.digits) == 1 for part in parts) else parts[:1]
    digits = "".join(part.digits for part in taken)
    return Amount(int(digits.ljust(2, "0")), amount.start, taken[-1].end)
