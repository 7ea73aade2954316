"""What scripted players of a puzzle know, and how they take turns to speak.

The solver knows its view: the scene as text, its task, the dialogue. The expert knows its manual and what it was told.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from .manual import is_part
from .speech import lines_of

__all__ = ["Heard", "Line", "Sight", "Talk"]

SceneT = TypeVar("SceneT")
RulesT = TypeVar("RulesT")

LONG = 5_000
"""A message is listened to for so many characters before its end: whatever is longer says nothing better."""


class Line(NamedTuple):
    """Something said. ``speaker`` is ``solver``, ``expert`` (whichever of several) or ``environment``."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """The dialogue as one of the players knows it, oldest first; of an endless message, its end."""

    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        """Bound the messages, so that no pattern can take long, whatever a partner says."""
        object.__setattr__(self, "lines", tuple(Line(line.speaker, line.text[-LONG:]) for line in self.lines))

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

    def tried(self, actions: Collection[str]) -> tuple[tuple[str, bool], ...]:
        """Return the actions that were performed, oldest first, each with whether it was a mistake.

        Each line of the environment's feedback is about one of the solver's lines that is an action.
        """
        found: list[tuple[str, bool]] = []
        pressed: list[str] = []
        for line in self.lines:
            if line.speaker == "solver":
                pressed = [each for said in lines_of(line.text) if (each := said.strip()) in actions]
            elif line.speaker == "environment":
                came = [each for each in lines_of(line.text) if each.strip()]
                found += [(action, "mistake" in each) for action, each in zip(pressed, came, strict=False)]
        return tuple(found)


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
        return "\n".join(self._advised)

    @property
    def last_advice(self) -> str:
        """What the last of the experts has said since: it has heard the others. Nothing at the beginning."""
        return self._advised[-1] if self._advised else ""

    @property
    def mistaken(self) -> bool:
        """Whether one of the solver's last actions was a mistake."""
        return any("mistake" in line.text for line in self.heard.since("solver") if line.speaker == "environment")

    def admitting(self, said: str) -> str:
        """Return words that begin with the mistake that was just made, if one was: experts see no feedback."""
        return f"That was a mistake. {said}" if self.mistaken else said

    @property
    def _advised(self) -> tuple[str, ...]:
        """Reading out a part of the manual is no advice."""
        said = (line.text for line in self.heard.since("solver") if line.speaker == "expert")
        return tuple(text for text in said if not is_part(text))


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
