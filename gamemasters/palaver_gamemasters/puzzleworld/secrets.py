"""What no solver may be told by the game: the solution, its steps, and the pages that others hold."""

from collections.abc import Mapping

from palaver_gamemasters.texts import prompt_of

from .answers import tells
from .options import PuzzleWorldOptions
from .puzzle import Puzzle
from .tasks import EXPERT, pieces_of, seats_of
from .words import spoken

__all__ = ["secrets_of"]

PROMPTS = ("system", "user", "solver")
"""What every solver is told, whatever the puzzle is."""


def secrets_of(puzzle: Puzzle, options: PuzzleWorldOptions) -> Mapping[str, tuple[str, ...]]:
    """Return by solver what it may not be told. A solution that the puzzle itself tells is none; nor is a step."""
    told = [puzzle.title, puzzle.flavor_text, *(spoken(page.words) for page in puzzle.pages if page.words)]
    everywhere = "\n".join([*told, *(prompt_of(__package__, name) for name in PROMPTS)])
    solution = () if tells(puzzle.solution, everywhere) else (puzzle.solution,)
    steps = tuple(step.explanation for step in puzzle.reasoning if not tells(step.explanation, everywhere))
    solvers = [seat for seat in seats_of(options) if seat != EXPERT]
    found = {}
    for seat, pieces in zip(solvers, pieces_of(puzzle, options), strict=True):
        held = {piece.page for piece in pieces}
        mine = "\n".join(spoken(page.words) for at, page in enumerate(puzzle.pages, 1) if page.words and at in held)
        pages = (spoken(page.words) for at, page in enumerate(puzzle.pages, 1) if page.words and at not in held)
        found[seat] = (*solution, *steps, *(words for words in pages if words not in mine))
    return found
