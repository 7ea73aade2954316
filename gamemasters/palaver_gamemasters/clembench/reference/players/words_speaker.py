"""What player 1 says of a picture that it knows in words, so that nobody takes it for another."""

from collections.abc import Iterator, Mapping, Sequence

from palaver_gamemasters.clembench.features import Features

from .choosing import Statement, chosen
from .words_reader import NOTHING, phrase

__all__ = ["expression_of"]

NOUNS: Mapping[str, str] = {"room": "the room", "scene": "the scene", "pentomino": "the board"}
KIND = "kind"
FEW = 3
"""Features to name where no feature tells the pictures apart."""


def expression_of(target: Features, distractors: Sequence[Features]) -> str:
    """Say which picture is meant: by what it has and others have not."""
    noun = NOUNS.get(target.get(KIND, ""), "the picture")
    said = [
        Statement(phrase(name, value), frozenset(n for n, other in enumerate(distractors) if other.get(name) != value))
        for name, value in _preferred(target)
    ]
    told = chosen(said, len(distractors)) or [each.text for each in said[:FEW]]
    return " ".join(f"{noun} {' and '.join(told)}".split())


def _preferred(target: Features) -> Iterator[tuple[str, str]]:
    """Yield features: things first, then numbers, then what is not there."""
    told = [(name, value) for name, value in target.items() if name != KIND]
    yield from (each for each in told if not each[1].isdigit() and each[1] != NOTHING)
    yield from (each for each in told if each[1].isdigit())
    yield from (each for each in told if each[1] == NOTHING)
