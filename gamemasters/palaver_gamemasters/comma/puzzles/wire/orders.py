"""Which wire an expert's advice asks the solver to cut, in whatever words it does."""

import re
from collections.abc import Sequence

from palaver_gamemasters.comma.speech import asks, cardinals, ordinals, sentences, straight, without_refusals

from .hearing import ANY_COLOUR, NUMBERS

__all__ = ["wire_ordered"]

PLACES = {"last": -1, "final": -1, "bottom": -1, "lowest": -1, "top": 1, "uppermost": 1}
CARDINAL = "|".join([*cardinals(6), "1st", "2nd", "3rd", "4th", "5th", "6th"])
PLACE = "|".join([*ordinals(6), *PLACES])
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
CONDITIONAL = re.compile(r"\b(?:if|otherwise|else|unless|in case)\b", re.IGNORECASE)


def wire_ordered(text: str, wires: Sequence[str]) -> int | None:
    """Return the wire that is to be cut, from 0, None if there is no such order.

    Rules with conditions, as the manual has them, are no orders: only the expert can judge them.
    """
    said = sentences(re.sub(r"[_ ]+", " ", straight(text)))
    kept = without_refusals(" ".join(each for each in said if not CONDITIONAL.search(each) and not asks(each)))
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
