"""Places as grading models write them: ``[[0, 1]]``, ``[0, 1]``, ``["up"]``, ``(0, 1)``, ``"A1"``, ``up, up``.

They become the tokens of :mod:`.cells`, of which :mod:`.schemes` makes cells. What names no place is an error here: a
route is walked without what cannot be understood, and a step that is lost makes another route of it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .asides import NEGATION
from .cells import Spoken, is_direction
from .notations import Alphabet, annotate
from .plain import plain
from .schemes import symbols_of

__all__ = ["NoPlaceError", "places_of", "scalar"]

_ANY = Alphabet(size=25, pairs=True)
_BARE = re.compile(r"-?\d{1,6}|[A-Za-z]|(?i:r|c|row|col)[ _=]?\d{1,6}")
"""Half a place."""
_QUOTES = "\"'`“”\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
LARGEST = 10**6
"""Of the numbers that can mean anything here."""
_ROW, _COLUMN = ("row", "r"), ("column", "col", "c")
_FORM = 'write [[a, b]], or ["up"] for a direction'


class NoPlaceError(ValueError):
    """Something that is neither a place nor a step; the message says what would be."""


def places_of(value: Any, symbols: str = "") -> Iterator[Spoken]:
    """Yield the places and steps that a value of ``coordinates`` names, in order.

    Args:
        value: what YAML makes of it.
        symbols: the kind of symbols that the grader says the route is in; tells ``[D, E]``, a cell, from two steps.

    Raises:
        NoPlaceError: it, or a part of it, names none.
    """
    if value is None or value == "":
        return
    if isinstance(value, Mapping):
        yield _by_axis(value)
    elif not isinstance(value, list):
        yield from _told(scalar(value), symbols)
    elif any(isinstance(item, list | Mapping) for item in value):
        for item in value:
            if isinstance(item, list) and not any(isinstance(token, list | Mapping) for token in item):
                yield from _row([scalar(token) for token in item], symbols, inner=True)
            else:
                yield from places_of(item, symbols)
    elif value:
        yield from _row([scalar(item) for item in value], symbols)


def scalar(value: Any) -> str:
    """Return a scalar as it was said, without quotes that were put around it twice; "" for nothing."""
    if value is None or (isinstance(value, int) and abs(value) > LARGEST):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST:
        value = int(value)
    return str(value).strip().strip(_QUOTES).strip()


def _by_axis(value: Mapping[Any, Any]) -> Spoken:
    """Read ``{row: 0, col: 1}``."""
    named = {scalar(key).lower(): scalar(item) for key, item in value.items()}
    row = next((named[name] for name in _ROW if name in named), "")
    column = next((named[name] for name in _COLUMN if name in named), "")
    return _checked((f"r{row}", f"c{column}") if row and column else (), ", ".join(named))


def _row(items: list[str], symbols: str, *, inner: bool = False) -> Iterator[Spoken]:
    """Read a list of scalars: one place, or several places or steps."""
    steps = _are_steps(items, symbols, inner=inner)
    if any("(" in item or ")" in item for item in items):
        yield from _told(", ".join(items), symbols)  # YAML takes [(0, 1), (0, 2)] apart at every comma
    elif len(items) == 2 and all(map(_BARE.fullmatch, items)) and not steps:
        yield _checked((items[0], items[1]), ", ".join(items))
    elif len(items) > 2 and all(re.fullmatch(r"-?\d+", item) for item in items):
        raise NoPlaceError(f"{', '.join(items)[:60]} is a list without pairs; {_FORM}")
    else:
        for item in items:
            yield from _told(item, symbols)


def _are_steps(items: list[str], symbols: str, *, inner: bool = False) -> bool:
    """Whether these are directions. A pair of letters within a list is a cell, unless the grader says otherwise."""
    if symbols == "letter_letter" or not all(map(is_direction, items)):
        return False
    return not inner or symbols == "directions" or not all(len(item) == 1 and item.isascii() for item in items)


def _told(text: str, symbols: str) -> Iterator[Spoken]:
    """Read running text: a direction, a cell, or several of one kind; where both are named, the cells count."""
    if is_direction(text):
        yield (text,)
        return
    bare = re.fullmatch(r"(-?\w{1,6})\s*,\s*(-?\w{1,6})", text)
    if bare and all(map(_BARE.fullmatch, bare.groups())) and not _are_steps(list(bare.groups()), symbols):
        yield _checked((bare[1], bare[2]), text)
        return
    if re.fullmatch(r"[-\d\s,;]+", text):
        raise NoPlaceError(f"{text[:60]!r} is no pair of numbers; {_FORM}")
    if text.lower() in NEGATION:
        raise NoPlaceError(f"{text[:60]!r} says where nobody went; {_FORM}")
    mentions = annotate(plain(text), _ANY).mentions
    cells = [mention for mention in mentions if mention.is_cell]
    if not mentions:
        raise NoPlaceError(f"{text[:60]!r} names no cell and no direction; {_FORM}")
    for mention in cells or mentions:
        for spoken in mention.spoken:
            yield _checked(spoken, text)


def _checked(spoken: Spoken, said: str) -> Spoken:
    if symbols_of(spoken) is None:
        raise NoPlaceError(f"{said[:60]!r} names no cell and no direction; {_FORM}")
    return spoken
