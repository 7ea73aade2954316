"""Is a date told?"""

import re
from collections.abc import Iterator
from datetime import date, datetime

from ..puzzle import Secret
from .digits import spelt_in
from .said import Said

__all__ = ["tells_date"]

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth"),
    *(f"twenty[ -]{day}" for day in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")),
    *("twenty[ -]ninth", "thirtieth", "thirty[ -]first"),
)
FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%m/%d/%Y", "%d.%m.%Y")
"""How a puzzle may write a date."""
BETWEEN = r"[\s.,-]{1,3}"
SLASH = r"\s?[-/.,\s]\s?"


def tells_date(said: Said, secret: Secret) -> bool:
    """Whether a date is told, in figures of any order or in words.

    Day and month are enough where the month has its name: they make a birthday. The year alone is not, since an age is
    what an expert may ask for; nor are day and month in figures, which could be anything.

    Args:
        said: the message.
        secret: its value is a date such as ``1961-04-07``; what is none is looked for to the letter.
    """
    when = _date(secret.value)
    if when is None:
        return secret.value.strip().lower() in said.lower
    if any(re.search(pattern, said.lower) for pattern in _patterns(when)):
        return True
    day, month, year = str(when.day), str(when.month), str(when.year)
    orders = {
        "".join(parts)
        for d in {day, day.zfill(2)}
        for m in {month, month.zfill(2)}
        for parts in ((year, m, d), (d, m, year), (m, d, year))
    }
    return any(True for digits in orders for _ in spelt_in(said, digits))


def _date(value: str) -> date | None:
    for form in FORMATS:
        try:
            return datetime.strptime(value.strip(), form).date()  # noqa: DTZ007 - a date has no time zone
        except ValueError:
            continue
    return None


def _patterns(when: date) -> Iterator[str]:
    """Yield the ways to write a date."""
    name = MONTHS[when.month - 1]
    month = rf"(?:{name}|{name[:3]}|{name[:4]})\b"
    cardinal = _in_words(when.day)
    day = rf"(?:0?{when.day}(?:st|nd|rd|th)?|{ORDINALS[when.day - 1]}|{cardinal})"
    ordinal = rf"(?:0?{when.day}(?:st|nd|rd|th)|{ORDINALS[when.day - 1]}|0?{when.day})"
    yield rf"\b{month}{BETWEEN}(?:the )?{day}\b"
    yield rf"\b(?<![\d.:/]){ordinal}(?:{BETWEEN}of)?{BETWEEN}{month}"
    d, m = rf"0?{when.day}", rf"0?{when.month}"
    y, short = f"{when.year}", rf"(?:{when.year}|'?{when.year % 100:02})"
    for order in (f"{d}{SLASH}{m}{SLASH}{short}", f"{m}{SLASH}{d}{SLASH}{short}", f"{y}{SLASH}{m}{SLASH}{d}"):
        yield rf"(?<!\d){order}(?!\d)"


def _in_words(day: int) -> str:
    units = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    teens = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
    small = (*units, *teens)
    if day <= len(small):
        return small[day - 1]
    tens, unit = ("twenty" if day < 30 else "thirty"), day % 10
    return f"{tens}[ -]?{small[unit - 1]}" if unit else tens
