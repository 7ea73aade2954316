"""What is odd about the puzzles of a dataset, in a line each: none of it keeps them from being played."""

from collections.abc import Iterable, Iterator, Sequence

from .puzzle import DIFFICULTIES, MODALITIES, SKILLS, Puzzle

__all__ = ["remarks"]

NAMED = 3
"""How many are named before the rest is counted."""


def remarks(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """Yield a line for labels that the study does not have, for labels that are missing, and for missing steps."""
    for what, known in (("difficulty", DIFFICULTIES), ("modality", MODALITIES), ("skills", SKILLS)):
        odd = [
            f"{value!r} of {puzzle.id}" for puzzle in puzzles for value in _values(puzzle, what) if value not in known
        ]
        if odd:
            yield f"{what} that the study does not have, kept as it is: {_listed(odd)}"
        if without := [puzzle.id for puzzle in puzzles if not _values(puzzle, what)]:
            yield f"puzzles without {what}, which reports leave out of it: {_listed(without)}"
    if without := [puzzle.id for puzzle in puzzles if not puzzle.reasoning]:
        yield f"puzzles without steps, which a judge has nothing to grade of: {_listed(without)}"


def _values(puzzle: Puzzle, what: str) -> tuple[str, ...]:
    found = getattr(puzzle, what)
    return found if isinstance(found, tuple) else (found,) if found else ()


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    return ", ".join(known[:NAMED]) + more
