"""How player 2 reads an expression for a picture that it knows in words."""

import re
from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.features import Features

__all__ = ["fits", "phrase"]

WORD = re.compile(r"[a-z0-9]+")
LITTLE = frozenset(("a", "an", "and", "at", "by", "in", "of", "on", "some", "the", "with"))
NOTHING = "nothing"
SPACE = re.compile(r"\s+")


def phrase(name: str, value: str) -> str:
    """Say a feature: what there is, and where, or of what."""
    return f"with {value} ({name})"


def fits(expression: str, pictures: Sequence[Features]) -> list[float]:
    """Return how well an expression fits each picture: the more, the better; all 0 if nothing was understood.

    What is said in the scripted wording counts most: it holds of a picture or not. Of other words those count that
    belong to what the pictures differ in.
    """
    text = SPACE.sub(" ", expression.lower())
    said = _said(text, pictures)
    return [
        10 * sum(picture.get(name, "").lower() == value for name, value in said.items())
        + sum(_recognised(text, name, value) for name, value in picture.items() if _differs(name, pictures))
        for picture in pictures
    ]


def _said(text: str, pictures: Sequence[Features]) -> Mapping[str, str]:
    """Return the features that are said in the scripted wording: of each name the longest value that fits."""
    said: dict[str, str] = {}
    for picture in pictures:
        for name, value in picture.items():
            known = value.lower()
            if phrase(name, known) in text and len(known) > len(said.get(name, "")):
                said[name] = known
    return said


def _recognised(text: str, name: str, value: str) -> float:
    """Return how much of a feature is found in a text: the words of its value, and better with its place."""
    known = value.lower()
    place = re.search(rf"\b{re.escape(name.lower())}(?:s|\b)", text) is not None
    if known == NOTHING:
        return float(place and re.search(r"\b(?:nothing|empty)\b", text) is not None)
    words = set(WORD.findall(known)) - LITTLE
    found = words & set(WORD.findall(text))
    return len(found) - 0.25 * len(words - found) + 0.5 * place if found else 0.0


def _differs(name: str, pictures: Sequence[Features]) -> bool:
    return len({picture.get(name) for picture in pictures}) > 1
