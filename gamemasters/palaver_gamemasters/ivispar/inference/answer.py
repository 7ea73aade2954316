"""What an answer says: who stands where, and what of it cannot be read (iVISPAR, section 4.7 and appendix A.6.1).

Only what follows the last ``Solution:`` is read, line by line. An entry is right in form if its words are a cell, a
colour and a shape, in this order; quotation marks, bullets, list numbers and other punctuation make no difference.
Several entries may share a line. Any other entry is an error of exactly one class.

A line is an entry if it begins with the name of a cell, if it speaks of empty cells, or if it has no other words than
colours, shapes and cells. Other lines are prose, and are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from ..board import Cell, Geom, label_of
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
E2, E3, E5, E4, E6.

- E1: a cell with nothing on it (``A1 empty``, ``B2: none``, ``C3 -``, ``All other cells are empty``).
- E2: the colour, the shape or the cell is missing (``A1 red``, ``A1 cube``, ``red cube``).
- E3: a word that is none of the colours or shapes of the task, in the place of one (``A1 purple cube``).
- E4: all there, in another order (``A1 cube red``, ``red cube A1``).
- E5: more than one colour and one shape (``A1 red blue cube``, ``A1 light red cube``).
- E6: right, but for a cell that the board does not have (``E5 red cube``).
- E7: there is nothing after ``Solution:`` that is an entry. Counted once.
- E8: there is no ``Solution:``. Nothing is read, as the published parser reads nothing, and it is counted once.
"""
CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)

MARKER = re.compile(r"(?<![a-z])solution[\s*_`\"']*:", re.IGNORECASE)
EMPTY = frozenset({"blank", "empty", "free", "unoccupied", "vacant"})
NOTHING = EMPTY | {"0", "clear", "na", "nil", "no", "none", "not", "nothing", "null", "unfilled", "void"}
"""What says of a cell that nothing is on it: ``A1 no object``."""
THE_REST = frozenset({"other", "others", "remaining", "rest"})
LAYOUT = frozenset({"cell", "position"})
"""What may stand before a cell, as list numbers may."""
BETWEEN = LAYOUT | {"at", "in", "on"}
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
    read = [_read(entry, known) for line in said.splitlines() for entry in _entries(known.words(line), known)]
    if not read:
        return Answer(errors=(FormatError("e7_no_list", _shortened(said)),))
    return Answer(
        frozenset(each for each in read if isinstance(each, Placed)),
        tuple(each for each in read if isinstance(each, FormatError)),
    )


def _entries(words: list[str], known: Vocabulary) -> Iterator[list[str]]:
    """Yield the entries of a line. From one that begins with a cell, the next cell begins another."""
    if len(words) > 1 and (words[0].isdecimal() or words[0] in LAYOUT) and known.names_a_cell(words[1]):
        words = words[1:]
    if not words or not known.names_a_cell(words[0]):
        if words and _speaks_of_cells(words, known):
            yield words
        return
    entry: list[str] = []
    for word in words:
        if known.names_a_cell(word) and entry and not known.names_a_cell(entry[-1]):
            yield entry
            entry = []
        entry.append(word)
    yield entry


def _speaks_of_cells(words: Sequence[str], known: Vocabulary) -> bool:
    """Whether a line that does not begin with a cell is an entry all the same."""
    if not EMPTY.isdisjoint(words):
        return not THE_REST.isdisjoint(words) or any(map(known.names_a_cell, words))
    attributes = [word for word in words if word in known.colours or word in known.shapes]
    others = [word for word in words if word not in known.colours and word not in known.shapes]
    return bool(attributes) and all(word in BETWEEN or word.isdecimal() or known.names_a_cell(word) for word in others)


def _read(entry: Sequence[str], known: Vocabulary) -> Placed | FormatError:
    match entry:
        case [label, colour, shape] if label in known.cells and colour in known.colours and shape in known.shapes:
            return Placed(known.cells[label], Geom(colour, known.shapes[shape]))
    return FormatError(_class(entry, known), _shortened(" ".join(entry)))


def _class(entry: Sequence[str], known: Vocabulary) -> ErrorClass:
    """Return what is wrong with an entry that is not right."""
    cells = [word for word in entry if known.names_a_cell(word)]
    said = [word for word in entry if not known.names_a_cell(word)]
    if not said or said == ["n", "a"] or not NOTHING.isdisjoint(said):
        return "e1_empty_cells"
    colours = [word for word in said if word in known.colours]
    shapes = [word for word in said if word in known.shapes]
    if not cells or len(said) == 1 or len(said) in (len(colours), len(shapes)):
        return "e2_missing_attribute"
    if not colours or not shapes:
        return "e3_illegal_attribute"
    if len(cells) > 1 or len(colours) + len(shapes) > 2 or not BETWEEN.issuperset({*said} - {*colours, *shapes}):
        return "e5_several_attributes"
    if not entry.index(cells[0]) < entry.index(colours[0]) < entry.index(shapes[0]):
        return "e4_inverted_order"
    return "e5_several_attributes" if cells[0] in known.cells else "e6_out_of_bounds"


def _shortened(text: str) -> str:
    plain = " ".join(text[: 2 * LONGEST].split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
