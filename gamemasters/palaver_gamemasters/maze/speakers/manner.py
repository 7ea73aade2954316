"""The manner of a dialogue: how much common ground its speakers lay before they move.

The Collaboration Gap found that the first messages set it: a model that is spoken to loosely answers more loosely than
it would have begun (section 4.3.1, figure 4.4), and a weak one takes over the care of a strong one (appendix E.1).
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from ..grid import Maze
from .understanding import convention, learned, states_convention

__all__ = ["Manner", "manner_of", "opening_manner"]

AROUND = 4
"""Who tells more cells than lie around one has told of its map."""


class Manner(IntEnum):
    """How a message, or a speaker, grounds what it says; more is more careful."""

    LOOSE = 0
    """Neither a convention for the names of cells nor a map."""
    LOCAL = 1
    """A convention, and the next cells only."""
    CAREFUL = 2
    """A convention, and all that the own map shows."""


@lru_cache(maxsize=1024)  # a dialogue is read anew at every turn
def manner_of(text: str, own: Maze) -> Manner:
    """Tell the manner of one message; ``own`` is a map of the maze, for its size."""
    if len(learned(text, convention(text, own), own)) > AROUND:
        return Manner.CAREFUL
    return Manner.LOCAL if states_convention(text) else Manner.LOOSE


def opening_manner(texts: Iterable[str], own: Maze) -> Manner | None:
    """Return the manner that the first of some messages sets; None if there is none."""
    return next((manner_of(text, own) for text in texts), None)
