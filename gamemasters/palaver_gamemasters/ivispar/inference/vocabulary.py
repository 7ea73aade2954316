"""The words that an answer can be made of: cells, colours and shapes; and how text falls into words and marks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..board import Board, Cell, label_of
from ..commands import schematic_names
from ..observation import BENCHMARK, COLOURS

__all__ = ["Vocabulary", "vocabulary_of"]

CELL_LIKE = re.compile(r"[a-z][0-9]+|[0-9]+[a-z]")
WORD = r"[^\W_]+"
MARK = r"[,;:|()\[\]{}]|[.!?](?!\w)"
"""What may part one piece of a line from the next."""
PLAIN = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What is known on a board, all in lower case.

    ``shapes`` are the names that an agent may use, with the shape that each of them means: both the one of three
    dimensions and the one of the plane are understood in every modality.
    """

    cells: Mapping[str, Cell]
    colours: frozenset[str]
    shapes: Mapping[str, str]
    pattern: re.Pattern[str]

    def tokens(self, line: str) -> list[str]:
        """Take a line apart into words and marks (``,;:|.!?`` and brackets), in lower case.

        All other punctuation vanishes, and so does ``and``; a colour of several words stays one.
        """
        return [each for each in self.pattern.findall(line.lower()) if each != "and"]

    def is_attribute(self, word: str) -> bool:
        """Whether a word is one of the colours or shapes."""
        return word in self.colours or word in self.shapes

    @staticmethod
    def names_a_cell(word: str) -> bool:
        """Whether a word has the look of a cell's name, be there such a cell or not: ``b4``, ``e9``, also ``4b``."""
        return CELL_LIKE.fullmatch(word) is not None


@lru_cache(maxsize=512)
def vocabulary_of(board: Board) -> Vocabulary:
    """Return the words for a board: those of the benchmark, which every prompt names, and what the board has beside."""
    colours = frozenset((*COLOURS, *(geom.colour for geom in board.geoms)))
    shapes = dict.fromkeys((*BENCHMARK, *(geom.shape for geom in board.geoms)))
    flat = schematic_names(compat=False)
    names = {flat[shape]: shape for shape in shapes if shape in flat} | {shape: shape for shape in shapes}
    side = range(board.size)
    return Vocabulary(
        {label_of((x, y)).lower(): (x, y) for x in side for y in side}, colours, names, _pattern((*colours, *names))
    )


def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds words. Names that are more than letters and digits are looked for first, the longest first."""
    odd = sorted((name for name in names if not PLAIN.fullmatch(name)), key=lambda name: (-len(name), name))
    return re.compile("|".join([rf"(?<!\w){re.escape(name)}(?!\w)" for name in odd] + [WORD, MARK]))
