"""What a player of the reference game is asked: three things in order, and either the target or an expression."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaver_gamemasters.clembench.features import grids_in, pictures_in
from palaver_gamemasters.clembench.reference.prompts import ORDINALS
from palaver_protocols.transcript import Message, in_words

__all__ = ["Asked", "asked"]

TARGET = re.compile(r"\b(first|second|third)\s+(?:image|picture|grid)\s+is\s+the\s+target", re.IGNORECASE)
QUESTION = re.compile(r"\n\s*question:", re.IGNORECASE)
TAG = re.compile(r"expression:", re.IGNORECASE)
CHOOSES = re.compile(r"select the \w+ that matches|the tag\W+answer\b", re.IGNORECASE)

ASKS = re.compile(f"{TARGET.pattern}|{CHOOSES.pattern}|the target grid", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of the things that are shown, in order; none where they came without words.

    ``target`` is the place of player 1's target, from 0. ``expression`` is what player 2 has heard, None for player 1.
    """

    shown: tuple[str, ...]
    target: int
    expression: str | None


def asked(view: Sequence[Message]) -> Asked:
    """Read a player's history: what the game master said last is the question; a team's own talk may follow it."""
    texts = [message.text for message in in_words(view)]
    text = next((each for each in reversed(texts) if ASKS.search(each)), texts[-1] if texts else "")
    shown = tuple(pictures_in(text)) or tuple(grids_in(text))[: len(ORDINALS)]
    named = TARGET.search(text)
    target = ORDINALS.index(named[1].lower()) if named else 0
    return Asked(shown, target, _expression(text) if CHOOSES.search(text) else None)


def _expression(text: str) -> str:
    """Return what player 1 has said: what stands before the question, from its tag on, or else its own paragraph."""
    *before, _ = QUESTION.split(text) or [""]
    said = "\n".join(before) if before else text
    tag = TAG.search(said)
    return said[tag.end() :].strip() if tag else said.rpartition("\n\n")[2].strip()
