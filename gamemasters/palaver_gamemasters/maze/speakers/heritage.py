"""What a newcomer makes of the summary that its predecessor left.

The summary may as well be a model's own words, so it is read like any other text: which convention it names cells in,
what it says of the maze, and where the players are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..grid import Cell, Maze
from .styles import Style, mentions
from .understanding import convention, learned

__all__ = ["Heritage", "inherit", "standing"]

STANDING = re.compile(
    r"\b(?:we|players|both(?: of us)?|position)\b[^.!?\n]{0,12}?\b(?:are|is|stand|'re)(?: now| currently)? at\s*$"
    r"|\b(?:we're|position:)(?: now| currently)?(?: at)?\s*$|\bagreed?[!:,]? we move \w+ to\s*$",
    re.IGNORECASE,
)
WALKED = re.compile(
    r"\b(?:moves? so far|so far we|walked|came|been (?:over|at)|route so far|path so far)\b", re.IGNORECASE
)


WANTED = re.compile(r"\bwants? to move to\b|\bon the table\b|\bproposal\b", re.IGNORECASE)


@dataclass(frozen=True)
class Heritage:
    """What a newcomer knows beside its own map and what it can see of the dialogue.

    ``track`` is the cells that the players stood on, as far as it was told, the present one last; ``proposal`` the cell
    on the table, and ``wanting`` the words that say who wants to move there.
    """

    text: str
    style: Style | None = None
    track: tuple[Cell, ...] = ()
    told: Mapping[Cell, str] = field(default_factory=dict)
    proposal: Cell | None = None
    wanting: str = ""


def inherit(text: str, own: Maze) -> Heritage:
    """Read a summary, which may be empty; ``own`` is the newcomer's map."""
    style = convention(text, own)
    if style is None:
        return Heritage(text, told=learned(text, None, own))
    walked, _ = _sentence(WALKED, text, style, own)
    wanted, wanting = _sentence(WANTED, text, style, own)
    here = standing(text, style, own)
    return Heritage(
        text,
        style=style,
        track=(*walked, here) if here and here not in walked[-1:] else walked,
        told=learned(text, style, own),
        proposal=wanted[-1] if wanted else None,
        wanting=wanting,
    )


def _sentence(about: re.Pattern[str], text: str, style: Style, own: Maze) -> tuple[tuple[Cell, ...], str]:
    """Return the cells that the line about something names, and the line."""
    line = next((line for line in text.splitlines() if about.search(line) and any(mentions(line))), "")
    cells = (style.read(mention, own) for mention in mentions(line))
    return tuple(cell for cell in cells if cell in own), line


def standing(text: str, style: Style | None, own: Maze) -> Cell | None:
    """Return the cell at which a text says that the players are, its last word on it; None if it does not say so."""
    cells = [
        style.read(mention, own)
        for mention in mentions(text)
        if style and STANDING.search(text[: mention.start].rpartition("\n")[2])
    ]
    return next((cell for cell in reversed(cells) if cell in own), None)
