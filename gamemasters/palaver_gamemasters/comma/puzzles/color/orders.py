"""Which squares an expert's advice asks the solver to press, in whatever words it does."""

import re
from typing import NamedTuple

from palaver_gamemasters.comma.speech import asks

from .groups import SIDE, WHITE
from .words import GROUP, NOUN, ONE, colours_in, group_in, sentences, white_in

__all__ = ["Wish", "wish_in"]

VERB = "(?:press|push|hit|tap|click|choose|select|pick|take)"
PRESS = re.compile(
    rf"\b{VERB}\b|\b(?:next|group|it|that|answer)(?: group| 1)? ?(?:is|will be|would be|[:=\u2192-])"
    rf"|\bnext (?=(?:the )?(?:row|column|1|{ONE})\b)"
)
REFUSED = re.compile(rf"\b(?:not|dont|never|avoid|without)(?: \w+)? {VERB}(?:ing)?\b|\bavoid\b")
MISSING = re.compile(
    rf"\b0 (?:longer |such |more )?(?:{NOUN}|colou?rs?|{ONE})\b"
    r"|^(?:(?!\b(?:if|when|should)\b).)*\b(?:if|when|should)\b.*\b(?:0|not|isnt|arent|missing|gone|absent)\b"
)
SQUARE = re.compile(
    r"\brow ?([1-4])[ ,:;/-]*(?:and )?column ?([1-4])\b|\bpress_row_([1-4])_column_([1-4])\b"
    r"|\br([1-4]) ?c([1-4])\b|\( ?([1-4]) ?, ?([1-4]) ?\)|\b([1-4]) row,? (?:in the |and )?([1-4]) column\b"
)


class Wish(NamedTuple):
    """What an expert wants pressed: single ``squares``, or else a ``group`` and the colours to take ``instead``.

    A group is a colour, ``row``, ``column``, or a line by its number, such as ``row 2``.
    """

    group: str = ""
    squares: tuple[int, ...] = ()
    instead: tuple[str, ...] = ()


def wish_in(advice: str, white: int) -> Wish | None:
    """Return what an expert's words ask for; None if they ask for nothing.

    Args:
        advice: the words.
        white: how many squares are white: what is said of another number is passed over.
    """
    wish: Wish | None = None
    instead: tuple[str, ...] = ()
    for sentence in sentences(advice):
        about = white_in([sentence])
        if asks(sentence) or (about is not None and about != white):
            continue
        if MISSING.search(sentence):
            if wish is not None and not instead:
                instead = tuple(colour for colour in colours_in(sentence) if colour not in (WHITE, wish.group))
        elif not REFUSED.search(sentence) and (found := _wish(sentence)):
            if wish is None:
                wish = found
            elif wish.squares:
                wish = wish._replace(squares=tuple(dict.fromkeys((*wish.squares, *found.squares))))
    return wish and wish._replace(instead=instead)


def _wish(sentence: str) -> Wish | None:
    squares = tuple(
        (int(row) - 1) * SIDE + int(column) - 1
        for found in SQUARE.findall(sentence)
        for row, column in [tuple(number for number in found if number)]
    )
    verb = PRESS.search(sentence)
    if squares and (verb or sentence.startswith("press_")):
        return Wish(squares=tuple(dict.fromkeys(squares)))
    if verb is None:
        found = GROUP.search(sentence) if len(sentence.split()) <= 3 else None
    else:
        before = list(GROUP.finditer(sentence, 0, verb.start()))
        found = GROUP.search(sentence, verb.end()) or (before[-1] if before else None)
    return Wish(group_in(found)) if found else None
