"""Which wire an expert's advice asks the solver to cut, in whatever words it does."""

import re
from collections.abc import Sequence

from .hearing import ANY_COLOUR, NUMBERS
from .manual import ORDINALS

__all__ = ["wire_ordered"]

PLACES = {"last": -1, "final": -1, "bottom": -1, "lowest": -1, "top": 1, "uppermost": 1}
CARDINAL = "|".join(number for number in NUMBERS if number not in ORDINALS)
PLACE = "|".join([*ORDINALS, "1st", "2nd", "3rd", "4th", "5th", "6th", *PLACES])
WIRE = (
    rf"(?:(?:wire|number)(?: number| no\.?)? ?#?(?P<number>{CARDINAL})\b"
    rf"|(?P<place>{PLACE})\b(?: ?\(?(?:of the )?(?P<colour>{ANY_COLOUR})\b\)?)?(?! (?:to|from)\b)"
    rf"|(?P<only>{ANY_COLOUR}) (?:wire|one)\b)"
)
ORDERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:cut|cutting|snip|clip|sever)(?: (?:the|only|just|now|please|your))* {WIRE}",
        rf"\b(?:right|correct) (?:wire|one)(?: to cut)? is(?: the)? {WIRE}",
        rf"\b{WIRE}[^.!?\n]{{0,60}}?\b(?:be cut|to cut|is (?:the )?(?:right|correct))\b",
        rf"^\W*(?:the )?{WIRE}(?: wire| one)?\W*$",
    )
)
"""The first that finds a wire decides."""
NOT = re.compile(r"\b(?:do not|don't|never|avoid|not)\b[^.!?,;\n]*", re.IGNORECASE)
CONDITIONAL = re.compile(r"\b(?:if|otherwise|unless|in case)\b", re.IGNORECASE)
SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]+|[^.!?\n]+$")
POLITE = re.compile(r"\b(?:can|could|would|will) you (?:please )?", re.IGNORECASE)
LONG = 5_000
"""A message is read from so many characters before its end."""


def wire_ordered(text: str, wires: Sequence[str]) -> int | None:
    """Return the wire that is to be cut, from 0, None if there is no such order.

    Rules with conditions, as the manual has them, are no orders: only the expert can judge them.
    """
    said = re.sub(r"[_ ]+", " ", text[-LONG:].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    sentences = [found[0] for found in SENTENCE.finditer(said)]
    clear = [each for each in sentences if not CONDITIONAL.search(each) and ("?" not in each or POLITE.search(each))]
    kept = NOT.sub(" ", POLITE.sub("", "".join(clear)))
    for order in ORDERS:
        for found in reversed(list(order.finditer(kept))):
            wire = _wire(found, wires)
            if wire is not None:
                return wire
    return None


def _wire(found: re.Match[str], wires: Sequence[str]) -> int | None:
    """Return the wire that an order names, from 0; None if there is none such."""
    if found["only"]:
        colour = found["only"].lower()
        return wires.index(colour) if wires.count(colour) == 1 else None
    if found["number"]:
        place, colour = NUMBERS[found["number"].lower()], ""
    else:
        place = PLACES.get(found["place"].lower()) or NUMBERS[found["place"].lower()]
        colour = (found["colour"] or "").lower()
    fitting = [number for number, wire in enumerate(wires) if colour in ("", wire)]
    if not fitting or place > len(fitting):
        return None
    return fitting[place - 1 if place > 0 else place]
