"""What scripted players of a puzzle know, and how they take turns to speak.

The solver knows its view: the scene as text, its task, the dialogue. The expert knows its manual and what it was told.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Heard", "Line", "Sight", "Talk"]

SceneT = TypeVar("SceneT")
RulesT = TypeVar("RulesT")


class Line(NamedTuple):
    """Something said. ``speaker`` is ``solver``, ``expert`` (whichever of several) or ``environment``."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """The dialogue as one of the players knows it, oldest first."""

    lines: tuple[Line, ...]

    def since(self, speaker: str) -> tuple[Line, ...]:
        """Return what was said after a speaker's last words: all of it, if it has not spoken."""
        last = max((number for number, line in enumerate(self.lines) if line.speaker == speaker), default=-1)
        return self.lines[last + 1 :]

    def of(self, speaker: str) -> tuple[str, ...]:
        """Return what a speaker said."""
        return tuple(line.text for line in self.lines if line.speaker == speaker)

    @property
    def latest(self) -> str:
        """What the solver said last; nothing before it has spoken."""
        return next(reversed(self.of("solver")), "")


@dataclass(frozen=True, slots=True)
class Sight(Generic[SceneT]):
    """What a scripted solver knows: the ``scene`` before it, the ``task`` it was told, the ``actions`` that it has."""

    scene: SceneT
    task: str
    actions: tuple[str, ...]
    heard: Heard

    @property
    def advice(self) -> str:
        """What experts have said since the solver spoke; nothing at the beginning."""
        return "\n".join(line.text for line in self.heard.since("solver") if line.speaker == "expert")

    @property
    def mistaken(self) -> bool:
        """Whether one of the solver's last actions was a mistake."""
        return any("mistake" in line.text for line in self.heard.since("solver") if line.speaker == "environment")


class Talk(ABC, Generic[SceneT, RulesT]):
    """How a puzzle is talked about: a solver that describes and obeys, an expert that advises.

    Whoever is at the other end may be a model or a person: nothing that they say may break a player. An expert that
    does not understand says what it needs to be told, with an example; a solver describes again.
    """

    def solve(self, sight: Sight[SceneT]) -> str:
        """Do what the expert has just advised; where that is nothing to be done, describe what is to be seen."""
        return "\n".join(self.obey(sight)) or self.describe(sight)

    @abstractmethod
    def describe(self, sight: Sight[SceneT]) -> str:
        """Tell the expert what it needs to know: no line of it may be an action's name."""

    @abstractmethod
    def obey(self, sight: Sight[SceneT]) -> Sequence[str]:
        """Return the actions that the expert's last advice asks for; none if it asks for none."""

    @abstractmethod
    def advise(self, rules: RulesT, heard: Heard) -> str:
        """Tell the solver what to do, or ask it what there is to be seen."""
