"""Something Extra: finds names for the pictures such that each on the left lacks one letter of one on the right."""

import re
from collections.abc import Sequence

from .solved import Solved, UnsolvedError, counted, listed

__all__ = ["solve"]

PICTURE = re.compile(
    r"^(?P<side>left|right) column, picture (?P<place>\d+): (?P<seen>.+); (?P<boxes>\d+) boxes$", re.MULTILINE
)
Pair = tuple[str, str, str]
"""A name, the longer one, and the letter between them."""


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    found = sorted(PICTURE.finditer(words), key=lambda picture: int(picture["place"]))
    left, right = ([_names(each) for each in found if each["side"] == side] for side in ("left", "right"))
    if not left or not len(left) == len(right) == counted(f"{words}\n", "pictures"):
        raise UnsolvedError("pictures are missing")
    matches = _matches(left, right)
    if len(matches) != 1:
        raise UnsolvedError(f"the pictures can be paired in {len(matches)} ways")
    (pairs,) = matches
    answer = "".join(letter for _, _, letter in pairs).upper()
    return Solved(
        steps=(
            f"On the left I see {listed(name for name, _, _ in pairs).upper()}; on the right each has a letter more.",
            f"The partners are {listed(longer for _, longer, _ in pairs).upper()}.",
            f"The extra letters, from the top left down, are {listed(answer)}.",
            f"From top to bottom they spell {answer}.",
        ),
        answer=answer,
        guess=answer,
    )


def _names(picture: re.Match[str]) -> list[str]:
    """Return the words of a description that fill the boxes."""
    return [word for word in re.findall(r"[a-z]+", picture["seen"].lower()) if len(word) == int(picture["boxes"])]


def _matches(left: Sequence[list[str]], right: Sequence[list[str]]) -> list[tuple[Pair, ...]]:
    """Return all ways to give each picture on the left a name and a partner on the right."""
    if not left:
        return [()]
    first, *rest = left
    return [
        ((name, longer, letter), *others)
        for at, names in enumerate(right)
        for longer in names
        for name in first
        if (letter := _extra(name, longer))
        for others in _matches(rest, [*right[:at], *right[at + 1 :]])
    ]


def _extra(name: str, longer: str) -> str:
    """Return the letter by which a word is longer than another; none if that is not the only difference."""
    return next((longer[at] for at in range(len(longer)) if longer[:at] + longer[at + 1 :] == name), "")
