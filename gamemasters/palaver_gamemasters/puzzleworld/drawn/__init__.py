"""The pages of our own puzzles: one module a puzzle draws them, says them in words, and draws their solutions."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from . import (
    as_the_crow_walks,
    capital_letters,
    night_street_by_touch,
    one_lump_too_many,
    ship_time,
    something_extra,
    the_conductor_counts,
    the_odd_key,
    wish_you_were_here,
)
from .sheet import Heading, Sheet, encoded

__all__ = ["DRAWINGS", "SHIPPED", "draw", "write"]

SHIPPED = Path(__file__).parent.parent / "puzzles"
"""Where the puzzles are that come with the game."""

DRAWINGS: Mapping[str, Callable[[Heading], tuple[Sheet, ...]]] = MappingProxyType(
    {
        "As_the_Crow_Walks": as_the_crow_walks.draw,
        "Capital_Letters": capital_letters.draw,
        "Night_Street_by_Touch": night_street_by_touch.draw,
        "One_Lump_Too_Many": one_lump_too_many.draw,
        "Ship_Time": ship_time.draw,
        "Something_Extra": something_extra.draw,
        "The_Conductor_Counts": the_conductor_counts.draw,
        "The_Odd_Key": the_odd_key.draw,
        "Wish_You_Were_Here": wish_you_were_here.draw,
    }
)
"""What draws each puzzle, by the name of its folder."""


def draw(name: str) -> tuple[Sheet, ...]:
    """Draw a puzzle's pages and figures under the title and flavour text that its ``metadata.json`` gives."""
    metadata = json.loads((SHIPPED / name / "metadata.json").read_text(encoding="utf-8"))
    return DRAWINGS[name](Heading(metadata["title"], metadata["flavor_text"]))


def write(folder: Path) -> int:
    """Write all pages, their words and figures, each puzzle in a folder of its own; return how many pictures."""
    pictures = 0
    for name in DRAWINGS:
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for sheet in draw(name):
            (place / sheet.name).write_bytes(encoded(sheet.picture))
            if sheet.words is not None:
                (place / sheet.name).with_suffix(".txt").write_text(sheet.words, encoding="utf-8")
            pictures += 1
    return pictures
