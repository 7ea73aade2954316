"""What people see of the described puzzle, and what they can say by a key: the mover knows only what it was told."""

import re
from collections.abc import Sequence
from itertools import product

from palaver_protocols.transcript import Message

from ..board import Board, Geom
from ..observation import BENCHMARK, COLOURS
from ..options import BoardOptions
from ..showing import called

__all__ = ["mentioned"]


def mentioned(board: Board, options: BoardOptions, dialogue: Sequence[Message]) -> tuple[Geom, ...]:
    """Return the geoms of which somebody has spoken, by colour and shape, in the order in which they came up.

    They are looked for among all colours and shapes that the task names, whether there is such a geom or not: so that
    the buttons of who sees nothing tell nothing.
    """
    said = "\n".join(message.text for message in dialogue).lower()
    colours = dict.fromkeys((*COLOURS, *(geom.colour for geom in board.geoms)))
    shapes = dict.fromkeys((*BENCHMARK, *(geom.shape for geom in board.geoms)))
    places = {geom: _place(geom, options, said) for geom in map(Geom._make, product(colours, shapes))}
    found = {geom: place for geom, place in places.items() if place is not None}
    return tuple(sorted(found, key=lambda geom: found[geom]))


def _place(geom: Geom, options: BoardOptions, said: str) -> int | None:
    """Return where a geom is first spoken of, by its shape's name in space or in the plane."""
    names = "|".join(re.escape(name) for name in dict.fromkeys((str(geom), called(geom, options))))
    found = re.search(rf"(?<!\w)(?:{names})(?!\w)", said)
    return found.start() if found else None
