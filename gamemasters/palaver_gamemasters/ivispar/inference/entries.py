"""How a line of an answer falls into entries (iVISPAR, section 4.7; where entries begin and end is ours).

A piece of a line begins with the line, after a comma, semicolon, bar or bracket, after the end of a sentence, and after
the colon of a heading that names no colour or shape. A piece that begins with a cell is an entry; bullets, quotation
marks, list numbers and words such as ``Cell`` or ``at`` may stand before it. An entry goes on until the next begins.
Everything else is prose.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .vocabulary import Vocabulary

__all__ = ["FILLERS", "NOTHING", "Entry", "entries_of"]

EMPTY = frozenset({"blank", "empty", "free", "unoccupied", "vacant"})
NOTHING = EMPTY | {"0", "clear", "na", "nil", "no", "none", "not", "nothing", "null", "unfilled", "void"}
"""What says of a cell that nothing is on it: ``A1 no object``."""
LAYOUT = frozenset({"at", "cell", "cells", "in", "on", "position", "positions", "the"})
"""What may stand before a cell, as list numbers may."""
SAID_OF = frozenset({"a", "an", "are", "contains", "has", "have", "holds", "is", "s", "shows", "that", "there", "with"})
NAMING = frozenset({"color", "colored", "colour", "coloured", "object", "of", "shape", "shaped", "2d", "3d"})
FILLERS = LAYOUT | SAID_OF | NAMING
"""Words between a cell and its colour and shape that make no difference: ``B4 - a red cube``."""
BOTH = frozenset({"colour", "shape"})
STOPS = frozenset(".!?")
BREAKS = STOPS | {*",;|()[]{}"}
MARKS = BREAKS | {":"}


class Entry(NamedTuple):
    """An entry in lower case: the cells that it begins with, one or several, and the words that it says of them."""

    cells: tuple[str, ...]
    said: tuple[str, ...]

    def __str__(self) -> str:
        """Return it without its punctuation."""
        return " ".join((*self.cells, *self.said))


class Piece(NamedTuple):
    """Words of a line, and the marks that stand before them."""

    marks: frozenset[str]
    words: tuple[str, ...]


def entries_of(line: str, known: Vocabulary) -> Iterator[Entry]:
    """Yield the entries of a line.

    What stands in brackets or in a sentence of its own behind a cell, a colour and a shape is a remark, and is left
    out; so is anything in round brackets that has none of the words of the task.
    """
    cells: list[str] = []
    said: list[str] = []
    kinds: set[str] = set()
    named, emptied, alone = False, False, False
    for piece in _pieces(_unremarked(known.tokens(line), known)):
        begins = not piece.marks or not BREAKS.isdisjoint(piece.marks) or not (cells or named)
        found = _beginning(piece.words, known) if begins else None
        remark = not STOPS.isdisjoint(piece.marks) or "(" in piece.marks
        if found is None or (found.said == () and said and remark):
            if not cells:
                named = named or any(map(known.is_attribute, piece.words))
                emptied = emptied or not EMPTY.isdisjoint(piece.words)
            elif not alone and not (remark and kinds == BOTH):
                said += piece.words
                kinds |= _kinds(piece.words, known)
            continue
        if found.said == () and named and not emptied:
            continue  # "the red cube stands on the left, A1": no entry, but prose
        if cells and (said or any(map(known.is_attribute, found.said))):
            yield from _parted(cells, said, known)
            cells, said, kinds = [], [], set()
        cells += found.cells
        said += found.said
        kinds |= _kinds(found.said, known)
        alone = named
    if cells:
        yield from _parted(cells, said, known)


def _unremarked(tokens: Sequence[str], known: Vocabulary) -> list[str]:
    """Leave out what round brackets hold that has none of the words of the task: ``A1 (front left) red cube``."""
    kept: list[str] = []
    opened: list[tuple[int, int]] = []
    of_the_task = 0
    for each in tokens:
        if each == "(":
            opened.append((len(kept), of_the_task))
        elif each == ")" and opened:
            start, before = opened.pop()
            if before == of_the_task and len(kept) > start + 1:
                del kept[start:]
                continue
        elif known.is_attribute(each) or each in NOTHING | {"n"} or each[:1].isdecimal() or known.names_a_cell(each):
            of_the_task += 1
        kept.append(each)
    return kept


def _pieces(tokens: Sequence[str]) -> Iterator[Piece]:
    """Yield what stands between marks, each with the marks before it; none for the first words of a line."""
    marks: set[str] = set()
    words: list[str] = []
    for token in tokens:
        if token not in MARKS:
            words.append(token)
            continue
        if words:
            yield Piece(frozenset(marks), tuple(words))
            marks, words = set(), []
        marks.add(token)
    if words:
        yield Piece(frozenset(marks), tuple(words))


def _beginning(words: Sequence[str], known: Vocabulary) -> Entry | None:
    """Return a piece as an entry if it begins with a cell, be it one word (``B4``) or two (``B 4``)."""
    place, empty = 0, False
    while place < len(words) and (words[place].isdecimal() or words[place] in LAYOUT | EMPTY):
        empty = empty or words[place] in EMPTY
        place += 1
    rest = words[place:]
    if not rest:
        return None
    if known.names_a_cell(rest[0]):
        cells, at = [rest[0]], 1
    elif len(rest) > 1 and known.names_a_cell(rest[0] + rest[1]) and _goes_on(rest[2:], known):
        cells, at = [rest[0] + rest[1]], 2
    else:
        return None
    while at < len(rest) and _is_cell(rest[at], known):
        cells.append(rest[at])
        at += 1
    return Entry(tuple(cells), (*(["empty"] if empty else []), *rest[at:]))


def _goes_on(rest: Sequence[str], known: Vocabulary) -> bool:
    """Whether what stands behind ``B 4`` speaks of a cell, and not of ``a 4 by 4 board``."""
    return not rest or known.is_attribute(rest[0]) or rest[0] in NOTHING | SAID_OF


def _is_cell(word: str, known: Vocabulary) -> bool:
    """Whether a word behind the beginning of an entry is another cell: a colour may look like one."""
    return known.names_a_cell(word) and not known.is_attribute(word) and word not in NAMING


def _kinds(words: Sequence[str], known: Vocabulary) -> set[str]:
    """Return which of colour and shape words say."""
    kinds = {"colour"} if any(word in known.colours for word in words) else set()
    return kinds | {"shape"} if any(word in known.shapes for word in words) else kinds


def _parted(cells: Sequence[str], said: Sequence[str], known: Vocabulary) -> Iterator[Entry]:
    """Part an entry where another cell has something of its own behind it: ``A1 red cube B2 blue sphere``."""
    names, words = list(cells), [said[0]] if said else []
    for place, word in enumerate(said[1:], 1):
        if not _is_cell(word, known):
            words.append(word)
        elif _has_its_own(said, place + 1, known):
            yield Entry(tuple(names), tuple(words))
            names, words = [word], []
    yield Entry(tuple(names), tuple(words))


def _has_its_own(said: Sequence[str], place: int, known: Vocabulary) -> bool:
    """Whether a colour, a shape, or that there is none, is said from a place on, before the next cell."""
    for at in range(place, len(said)):
        word = said[at]
        if known.is_attribute(word) or word in NOTHING:
            return True
        if _is_cell(word, known):
            return False
    return False
