"""The minutes of an episode: who told whom what, round by round, and what the game master noted for itself.

A log holds what was shown and what was answered. What a game made of an answer, it writes into its minutes: transcripts
show them beside the dialogue, and other programs' records are made from them.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

__all__ = ["GM", "Minute", "Minutes"]

GM = "GM"
"""The game master, as sender or receiver; all others are seats, or players of the game's own."""


class Minute(NamedTuple):
    """One entry. ``kind`` and ``more`` are the game's own words, ``pictures`` names of pictures shown along."""

    sender: str
    receiver: str
    kind: str
    content: JsonValue
    pictures: tuple[str, ...] = ()
    more: Mapping[str, JsonValue] = {}


Minutes = tuple[tuple[Minute, ...], ...]
"""Entries by round, oldest first. Where all are notes to itself, a round is what the game master noted of a turn."""
