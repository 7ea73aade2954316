"""From what an agent answers to what it does (iVISPAR's action language; section 3.2 and the published program).

An action is the rest of the answer after its last ``action: move``. The strict grammar takes ``move COLOUR SHAPE
DIRECTION`` and nothing else. The published simulator looks for words anywhere within the text; ``compat``
does as it does.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from palaver_protocols.errors import InstanceError

from .board import DIRECTIONS, Direction, Geom

__all__ = ["NO_ACTION", "Order", "action_in", "check_names", "loosely", "schematic_names", "spoken", "strictly"]

NO_ACTION = "No valid action found"
"""What stands in the history for an answer without an action."""
SCHEMATIC = {"sphere": "circle", "cube": "square", "pyramid": "triangle", "cylinder": "hexagon"}
"""What shapes are called in schematic pictures; agents may use these names everywhere."""
OURS = {"cone": "diamond", "prism": "pentagon"}
"""Shapes that the published program draws as circles; ours have a look and a name of their own."""

MARK = "action: move "
OBJECTS = ("cube", "tile", "sphere", "cylinder", "pyramid", "cone", "prism")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST = 2**31 - 1
"""The simulator's numbers have 32 bits; of a larger one nothing is known, so that nothing moves."""


class Order(NamedTuple):
    """A command to move. What could not be made out is empty. ``times`` is above 1 under ``compat`` only."""

    colour: str
    shape: str
    direction: Direction | None
    times: int = 1


def schematic_names(*, compat: bool) -> dict[str, str]:
    """Return what shapes are called in schematic pictures: the four published names, and unless ``compat`` our two."""
    return SCHEMATIC if compat else {**SCHEMATIC, **OURS}


def action_in(answer: str, *, ours: bool = False) -> str | None:
    """Find the action of an answer.

    Args:
        answer: all that the agent said.
        ours: whether the schematic names of cones and prisms are known too.

    Returns:
        ``move ...`` in lower case, without punctuation; None if there is none.
    """
    text = re.sub(r"[*#]", "", answer.replace("\n", " ")).strip().lower()
    _, mark, rest = _renamed(text, ours=ours).rpartition(MARK)
    return _clean(f"move {rest}") if mark else None


def spoken(name: str, *, ours: bool = False) -> str:
    """Return what is left of a colour's or shape's name when an agent says it: ``circle`` is a sphere, ``#f00`` f00."""
    return _clean(_renamed(name.lower(), ours=ours))


def check_names(geoms: Iterable[Geom]) -> None:
    """Refuse geoms that an action cannot tell apart, or cannot name in two words.

    Raises:
        InstanceError: says which.
    """
    heard: dict[tuple[str, str], Geom] = {}
    for geom in geoms:
        name = (spoken(geom.colour), spoken(geom.shape))
        if any(len(word.split()) != 1 for word in name):
            raise InstanceError(
                f"no action can name a geom {str(geom)!r}",
                mend="colour and shape are one word each, of letters or digits",
            )
        if name in heard:
            raise InstanceError(
                f"the {heard[name]} and the {geom} have the same name in actions: {' '.join(name)}",
                mend="no two geoms may have both colour and shape alike",
            )
        heard[name] = geom


def _renamed(text: str, *, ours: bool) -> str:
    for shape, name in schematic_names(compat=not ours).items():
        text = text.replace(name, shape)
    return text


def _clean(text: str) -> str:
    """Leave ASCII letters, digits and single spaces: commas and full stops vanish without leaving a space."""
    return " ".join(re.sub(r"[^a-z0-9\s]", "", text).split())


def strictly(action: str) -> Order | None:
    """Read an action by the grammar that agents are told: ``move COLOUR SHAPE DIRECTION``; None if it is another."""
    match action.split():
        case ["move", colour, shape, direction] if direction in DIRECTIONS:
            return Order(colour, shape, direction)
    return None


def loosely(action: str) -> Order:
    """Read an action as the published simulator does: by the first of its words that occurs anywhere in the text.

    The colour is the word before the shape, even if it is no colour; a number, or a number's name even within another
    word (``ten`` in ``often``), says how often the move is made.
    """
    shape = next((each for each in OBJECTS if each in action), "")
    direction = next((each for each in DIRECTIONS if each in action), None)
    words = action.split()
    return Order(_colour(words, shape), shape, direction, 1 if shape == "tile" else _times(action))


def _colour(words: list[str], shape: str) -> str:
    places = [place for place, word in enumerate(words) if word == shape]
    if not places:
        return ""
    place = places[-1] + (1 if shape == "tile" else -1)
    return words[place] if place < len(words) else ""


def _times(action: str) -> int:
    if found := re.search(r"[0-9]+", action):
        digits = found[0].lstrip("0") or "0"
        return int(digits) if len(digits) <= len(str(MOST)) and int(digits) <= MOST else 0
    return next((number for number, name in enumerate(NUMBERS, 1) if name in action), 1)
