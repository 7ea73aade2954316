"""What scripted players know of what they see: features with names, read from grids and from the words of pictures.

The words of a drawing are lines ``name: value``, one a feature; names are unique in a picture and mean the same in all
pictures of its kind. A grid's features are its rows. Two things differ where a feature does.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from palaver_protocols.transcript import IN_WORDS

from .grids import EMPTY, FILLED

__all__ = ["Features", "features_of", "grids_in", "pictures_in"]

Features = Mapping[str, str]
"""Value by name, in the order in which they are written."""

SYMBOLS = {FILLED, EMPTY}


def features_of(words: str) -> Features:
    """Read features: of a grid its rows, of the words of a picture each line that has a name; else none."""
    grids = list(grids_in(words))
    if grids:
        return {f"row {number}": row for number, row in enumerate(grids[0].splitlines(), 1)}
    named = (line.partition(":") for line in words.splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in named if colon and value.strip()}


def grids_in(text: str) -> Iterator[str]:
    """Yield the grids of a text, in order: lines of the two symbols alone, of equal length, that follow each other."""
    lines = [line.split() for line in text.splitlines()]
    is_row = [bool(line) and set(line) <= SYMBOLS for line in lines] + [False]
    edges = [at for at, (before, now) in enumerate(pairwise([False, *is_row])) if before != now]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield "\n".join(" ".join(line) for line in lines[start:end])


def pictures_in(text: str) -> Iterator[str]:
    """Yield the words of each picture of a message that was put into words."""
    yield from (part.strip() for part in text.split(IN_WORDS)[1:])
