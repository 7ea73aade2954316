"""How player 2 reads an expression for a picture that it knows in words."""

import re
from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.features import Features

__all__ = ["fits", "phrase"]

WORD = re.compile(r"[a-z0-9]+")
NOTHING = "nothing"
SPACE = re.compile(r"\s+")


def phrase(name: str, value: str) -> str:
    """Say a feature: what there is, and where, or of what."""
    return f"with {value} ({name})"


def fits(expression: str, pictures: Sequence[Features]) -> list[float]:
    """Return how well an expression fits each picture: the more, the better; all 0 if nothing was understood.

    What is said in the scripted wording counts most: it holds of a picture or not. Of other words those count that not
    all pictures share: whole features, then single words.
    """
    text = SPACE.sub(" ", expression.lower())
    said = _said(text, pictures)
    told = set(WORD.findall(text))
    vocabularies = [set(WORD.findall(" ".join(picture.values()).lower())) for picture in pictures]
    shared = set.intersection(*vocabularies) if vocabularies else set()
    return [
        10 * sum(picture.get(name, "").lower() == value for name, value in said.items())
        + sum(_recognised(text, name, value) for name, value in picture.items() if _differs(name, pictures))
        + len((told & words) - shared) / max(len(told), 1)
        for picture, words in zip(pictures, vocabularies, strict=True)
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
    """Return how much of a feature is found in a text: its value, better with its place."""
    known = value.lower()
    bare = re.sub(r"^(?:an?|the|some) ", "", known)
    if known == NOTHING:
        return float(re.search(rf"\b(?:nothing|empty)\b[^;,.]{{0,20}}\b{re.escape(name)}\b", text) is not None)
    if not re.search(rf"\b{re.escape(bare)}\b", text):
        return 0.0
    return 1.0 + 0.5 * (re.search(rf"\b{re.escape(name)}\b", text) is not None)


def _differs(name: str, pictures: Sequence[Features]) -> bool:
    return len({picture.get(name) for picture in pictures}) > 1
