"""The rule-based grader: from a raw transcript to the legal part of its route, under the most favourable scheme.

Two stages, as in the study (Davidson et al., The Collaboration Gap, section 2.1): the moves are extracted as they
were said (:mod:`.dialogue`, :mod:`.solo`), then read under every scheme (:mod:`.schemes`). A grading model does the
first stage in its own way and hands its extraction to :func:`grade_extraction`.

Where a dialogue names moves by cells and by directions, the study's grader records one of them consistently. We
cannot know which one it would have taken, so both are tried, and the more favourable one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..grid import Cell, Maze
from .dialogue import read_dialogue
from .extraction import Extraction, Scheme
from .ledger import record
from .notations import Alphabet
from .schemes import Ended, best_walk
from .solo import submitted_route

__all__ = ["Grade", "extract", "grade", "grade_extraction"]


@dataclass(frozen=True)
class Grade:
    """What a route came to.

    ``route`` is its legal part in true (row, column) cells, from the start cell on; cells that are visited again are
    listed again. ``ended`` says why it ends there: ``goal``, the first illegal step (``wall``, ``out of bounds``,
    ``not adjacent``), ``end of route``, or ``no route`` where no move was found at all; then there is no ``scheme``
    either.
    """

    route: tuple[Cell, ...]
    ended: Ended
    scheme: Scheme | None


def grade(maze: Maze, turns: Sequence[tuple[str, str]], setting: str = "pair", agents: int | None = None) -> Grade:
    """Grade a transcript.

    Args:
        maze: the whole maze.
        turns: (seat, text) in order.
        setting: ``solo-full`` or ``solo-distributed``: the route submitted; else the moves agreed on.
        agents: how many must agree on a move; if left out, those who have spoken, and two at least.
    """
    return grade_extraction(maze, *extract(maze, turns, setting, agents))


def grade_extraction(maze: Maze, *extractions: Extraction) -> Grade:
    """Grade what was extracted from one transcript, in one way or in several; the most favourable counts."""
    return Grade(*best_walk(maze, extractions))


def extract(
    maze: Maze, turns: Sequence[tuple[str, str]], setting: str = "pair", agents: int | None = None
) -> tuple[Extraction, ...]:
    """Extract the route of a transcript: by cells first, and by directions too where that makes a difference."""
    alphabet = Alphabet.of([text for _, text in turns], max(maze.height, maze.width))
    if setting.startswith("solo"):
        return (submitted_route(turns, alphabet),)
    happened = read_dialogue(turns, alphabet, agents)
    everyone = "all" if (agents or len({seat for seat, _ in turns})) > 2 else "both"
    by_cells, by_directions = record(happened, "cells", everyone), record(happened, "directions", everyone)
    return (by_cells,) if by_cells == by_directions else (by_cells, by_directions)
