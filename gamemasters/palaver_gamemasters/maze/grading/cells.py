"""What is said of one place or one step: its tokens, and what can be known of them before any scheme is chosen.

A place is two tokens, numbers or letters, as they were said: ``("0", "1")``, ``("A", "1")``. Where an axis was named,
its token keeps the name (``("r1", "c2")``), because no later guess about the order can be better than that. A step is
one token, a direction word, letter or arrow: ``("right",)``.
"""

import re
from functools import lru_cache

from ..grid import MOVES
from .plain import ARROWS

__all__ = ["Spoken", "adjacent", "direction_of", "is_direction", "same", "split"]

Spoken = tuple[str, ...]
"""One place or step as it was said."""

_COMPASS = {"north": "up", "south": "down", "west": "left", "east": "right"}
_WORDS = {
    **{word: word for word in MOVES},
    **_COMPASS,
    **{word[0]: move for word, move in {**{word: word for word in MOVES}, **_COMPASS}.items()},
    **ARROWS,
}


def direction_of(token: str) -> str | None:
    """Return which of :data:`.grid.MOVES` a word, compass word, letter or arrow means, or None."""
    word = token.strip().casefold()
    return _WORDS.get(word) or _WORDS.get(re.sub(r"(?:wards?|erly)$", "", word))


def is_direction(token: str) -> bool:
    """Whether a token is a direction."""
    return isinstance(token, str) and direction_of(token) is not None


_TOKEN = re.compile(r"(?i)\s*(?:(r|c)(?:ow|ol|olumn)?[^\w-]*)?(-?\d+|[a-z])\s*")


@lru_cache(maxsize=4096)
def split(token: str) -> tuple[str, int | str] | None:
    """Take a token apart: the axis it names (``r``, ``c`` or nothing) and its number, or letter in capitals."""
    match = _TOKEN.fullmatch(token) if len(token) > 1 else None
    axis, value = (match[1] or "", match[2]) if match else ("", token.strip())
    if re.fullmatch(r"-?\d+", value):
        return axis.lower(), int(value)
    return (axis.lower(), value.upper()) if re.fullmatch("[A-Za-z]", value) else None


def _place(spoken: Spoken) -> tuple[list[int], str] | None:
    """Return a place as numbers and the kind of its tokens, comparable only with places of the same kind."""
    parts = [split(token) for token in spoken]
    if len(parts) != 2 or any(part is None for part in parts):
        return None
    known = sorted((part for part in parts if part), key=lambda part: part[0], reverse=True)
    kind = "".join(axis + ("n" if isinstance(value, int) else "a") for axis, value in known)
    return [value if isinstance(value, int) else ord(value) for _, value in known], kind


def same(one: Spoken, other: Spoken) -> bool | None:
    """Whether two cells are one, as they would be under every scheme; None where they cannot be compared."""
    a, b = _place(one), _place(other)
    return None if a is None or b is None or a[1] != b[1] else a[0] == b[0]


def adjacent(one: Spoken, other: Spoken) -> bool | None:
    """Whether two cells are neighbours, as they would be under every scheme; None where they cannot be compared."""
    a, b = _place(one), _place(other)
    if a is None or b is None or a[1] != b[1]:
        return None
    return abs(a[0][0] - b[0][0]) + abs(a[0][1] - b[0][1]) == 1
