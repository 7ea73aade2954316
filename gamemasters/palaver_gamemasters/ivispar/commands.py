"""From what an agent answers to what it does (iVISPAR's action language; section 3.2 and the published program).

An action is the rest of the answer after its last ``action: move``. The strict grammar takes ``move COLOUR SHAPE
DIRECTION`` and nothing else. The published simulator looks for words anywhere within the text; ``compat`` does as it does.
"""

import re
from typing import NamedTuple

from .board import DIRECTIONS, Direction

__all__ = ["NO_ACTION", "Order", "action_in", "loosely", "schematic_names", "strictly"]

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
    text = re.sub(r"[*#]", "", re.sub(r"[\r\n]+", " ", answer)).strip().lower()
    for shape, name in schematic_names(compat=not ours).items():
        text = text.replace(name, shape)
    _, mark, rest = text.rpartition(MARK)
    return _clean(f"move {rest}") if mark else None


def _clean(action: str) -> str:
    """Leave ASCII letters, digits and single spaces: commas and full stops vanish without leaving a space."""
    return " ".join(re.sub(r"[^a-z0-9\s]", "", action, flags=re.ASCII | re.IGNORECASE).split())


def strictly(action: str) -> Order | None:
    """Read an action by the grammar that agents are told: ``move COLOUR SHAPE DIRECTION``; None if it is another."""
    match action.split():
        case ["move", colour, shape, direction] if direction in DIRECTIONS:
            return Order(colour, shape, direction)  # type: ignore[arg-type]  # it is one of the keys
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
