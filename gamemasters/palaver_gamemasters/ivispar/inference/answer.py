"""What an answer says: who stands where, and what of it cannot be read (iVISPAR, section 4.7 and appendix A.6.1).

Only what follows the last ``Solution:`` is read: what begins with a cell is an entry, all else is prose. An entry is
right in form if it says one colour and then one shape of a cell. Punctuation, articles and remarks behind make no
difference. Any other entry is an error of exactly one class.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from ..board import Cell, Geom, label_of
from .entries import FILLERS, NOTHING, Entry, entries_of
from .vocabulary import Vocabulary

__all__ = ["CLASSES", "Answer", "ErrorClass", "FormatError", "Placed", "read_answer"]

ErrorClass = Literal[
    "e1_empty_cells",
    "e2_missing_attribute",
    "e3_illegal_attribute",
    "e4_inverted_order",
    "e5_several_attributes",
    "e6_out_of_bounds",
    "e7_no_list",
    "e8_no_solution",
]
"""The study's classes E1 to E8, and what we take them for. An entry is of the first class that fits, in the order E1,
E2, E5, E3, E4, E6.

- E1: a cell of which is said that it is empty, or nothing at all (``A1 empty``, ``B2: none``, ``C3 -``).
- E2: the colour or the shape is missing, or which of several cells it is (``A1 red``, ``A1 cube``, ``A1 A2 red cube``).
- E3: a word that is none of the colours or shapes of the task, in the place of one (``A1 purple cube``, ``A1 light red
  cube``).
- E4: the shape before the colour (``A1 cube red``).
- E5: more than one colour, or more than one shape (``A1 red blue cube``, ``A1 red cube, blue sphere``).
- E6: right, but for a cell that the board does not have (``E5 red cube``).
- E7: there is nothing after ``Solution:`` that is an entry. Counted once.
- E8: there is no ``Solution:``. Nothing is read, as the published parser reads nothing, and it is counted once.
"""
CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)

MARKER = re.compile(r"(?<![a-z])solution[\s*_`\"']*:", re.IGNORECASE)
LONGEST = 80
"""Characters that are kept of an entry that cannot be read."""


class Placed(NamedTuple):
    """A geom, and the cell it stands in."""

    cell: Cell
    geom: Geom

    def __str__(self) -> str:
        """Return it as the study writes it: ``B4 red cube``."""
        return f"{label_of(self.cell)} {self.geom}"


class FormatError(NamedTuple):
    """What could not be read, and of which class it is."""

    kind: ErrorClass
    entry: str


class Answer(NamedTuple):
    """What an answer says. It is a set: the same geom in the same cell counts once, however often it is named."""

    placed: frozenset[Placed] = frozenset()
    errors: tuple[FormatError, ...] = ()


def read_answer(text: str, known: Vocabulary) -> Answer:
    """Read an answer, whatever it is.

    Args:
        text: all that the agent said.
        known: the words of the board.
    """
    marks = list(MARKER.finditer(text))
    if not marks:
        return Answer(errors=(FormatError("e8_no_solution", _shortened(text)),))
    said = text[marks[-1].end() :]
    read = [_read(entry, known) for line in said.splitlines() for entry in entries_of(line, known)]
    if not read:
        return Answer(errors=(FormatError("e7_no_list", _shortened(said)),))
    return Answer(
        frozenset(each for each in read if isinstance(each, Placed)),
        tuple(each for each in read if isinstance(each, FormatError)),
    )


def _read(entry: Entry, known: Vocabulary) -> Placed | FormatError:
    colours, shapes = (
        [place for place, word in enumerate(entry.said) if word in names] for names in (known.colours, known.shapes)
    )
    kind = _class(entry, colours, shapes, known)
    if kind:
        return FormatError(kind, _shortened(str(entry)))
    shape = known.shapes[entry.said[shapes[0]]]
    return Placed(known.cells[entry.cells[0]], Geom(entry.said[colours[0]], shape))


def _class(entry: Entry, colours: Sequence[int], shapes: Sequence[int], known: Vocabulary) -> ErrorClass | None:
    """Return what is wrong with an entry, given the places of its colours and shapes; None if it is right."""
    cells, said = entry
    first = min([*colours, *shapes], default=len(said))
    if not said or said == ("n", "a") or not NOTHING.isdisjoint(said[:first]):
        return "e1_empty_cells"
    told = [word for word in said if word not in FILLERS]
    if len(cells) > 1 or len(told) < 2 or len(told) in (len(colours), len(shapes)):
        return "e2_missing_attribute"
    if len(colours) > 1 or len(shapes) > 1:
        return "e5_several_attributes"
    between = [word for word in said[: max([*colours, *shapes], default=0)] if not known.is_attribute(word)]
    if not colours or not shapes or not FILLERS.issuperset(between):
        return "e3_illegal_attribute"
    if colours[0] > shapes[0]:
        return "e4_inverted_order"
    return None if cells[0] in known.cells else "e6_out_of_bounds"


def _shortened(text: str) -> str:
    plain = " ".join(text[: 2 * LONGEST].split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
