"""Players that find out by talking. All that they know is worked out again from their own history."""

from collections.abc import Sequence
from typing import Protocol

from palaver_gamemasters.clembench.features import features_of, grids_in, pictures_in
from palaver_gamemasters.clembench.grids import Grid
from palaver_protocols.messages import Player, TurnRequest

from .boards import GridSight
from .dialogue import Dialogue, Heard, dialogue_of
from .drawings import PictureSight
from .photographs import NoSight
from .style import Style

__all__ = ["Sight", "player_of", "sight_of"]


class Sight(Protocol):
    """What a player sees, and what it makes of that."""

    def describe(self) -> str:
        """Describe it briefly."""

    def ask(self, heard: Sequence[Heard], own: Sequence[str]) -> str:
        """Ask for what would tell most, after what was heard and what was asked before."""

    def answer(self, question: str) -> str:
        """Answer a question truly."""

    def differs(self, heard: Sequence[Heard]) -> bool:
        """Whether what was heard does not fit what is seen."""


def player_of(style: Style) -> Player:
    """Return a player that talks in a style."""

    def play(request: TurnRequest) -> str:
        dialogue = dialogue_of(request)
        if request.role == "leaver":
            return _handed_over(dialogue)
        return f"{dialogue.flag} {_said(dialogue, sight_of(dialogue, style))}"

    return play


def sight_of(dialogue: Dialogue, style: Style) -> Sight:
    """Return what the task shows: a grid, a picture with words, or one without."""
    for text in [*pictures_in(dialogue.shown), dialogue.shown]:
        for written in grids_in(text):
            try:
                return GridSight(Grid.read(written), style)
            except ValueError:  # a grid of unequal sides, which no experiment has, is not understood
                continue
    features = next((found for words in pictures_in(dialogue.shown) if (found := features_of(words))), None)
    return PictureSight(features, style) if features else NoSight()


def _said(dialogue: Dialogue, sight: Sight) -> str:
    match dialogue.asked:
        case "description":
            return sight.describe()
        case "question":
            return sight.ask(dialogue.heard, dialogue.own)
        case "answer":
            return sight.answer(dialogue.question)
        case "decision":
            return dialogue.decisions[sight.differs(dialogue.heard)]


def _handed_over(dialogue: Dialogue) -> str:
    """Write down what was heard for a successor, as it would have heard it itself."""
    return "\n".join(f"{each.kind.upper()}: {each.told}" for each in dialogue.heard if each.told) or "I heard nothing."
