"""What the game master notes of an answer, for transcripts: right, wrong, missed, hallucinated, unreadable."""

from collections.abc import Iterator, Sequence

from palaver_gamemasters.minutes import GM, Minute

from .answer import CLASSES, Answer
from .matching import Matching, Pair

__all__ = ["notes"]

MOST = 20
"""Entries of a note: there may be any number of them."""


def notes(matching: Matching, answer: Answer) -> tuple[Minute, ...]:
    """Return a note for each kind of thing that there is in an answer."""
    return tuple(Minute(GM, GM, kind, _listed(entries)) for kind, entries in _kinds(matching, answer) if entries)


def _kinds(matching: Matching, answer: Answer) -> Iterator[tuple[str, list[str]]]:
    yield "correct", [str(pair.true) for pair in matching.pairs if not pair.wrong]
    yield "imperfect", [_compared(pair) for pair in matching.pairs if pair.wrong]
    yield "missed", [str(each) for each in matching.missed]
    yield "hallucinated", [str(each) for each in matching.hallucinated]
    for kind in CLASSES:
        number, *said = kind.split("_")
        yield (
            f"format error {number.upper()}, {' '.join(said)}",
            [error.entry or "nothing" for error in answer.errors if error.kind == kind],
        )


def _compared(pair: Pair) -> str:
    return f"{pair.true}, told as {pair.told} ({' and '.join(sorted(pair.wrong, reverse=True))})"


def _listed(entries: Sequence[str]) -> str:
    more = len(entries) - MOST
    return "\n".join([*entries[:MOST], *([f"and {more} more"] if more > 0 else [])])
