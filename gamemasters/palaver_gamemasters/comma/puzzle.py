"""The interface of a puzzle: what a solver sees and does, what the manual says, and how both are talked about.

A puzzle is a pure state machine, as a game is (COMMA, section 3). Whatever the solver may see of a state is its
*scene*; text and picture are two ways to show a scene and nothing else, so they hold the same information by
construction. The rules are read out of the manual that the expert is given: whoever swaps the manual swaps the rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from PIL import Image as Pillow
from pydantic import JsonValue

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import read_instance
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError

from . import buttons
from .manual import Manual
from .talk import Talk

__all__ = ["AnyPuzzle", "Puzzle", "Secret", "Skill", "Step", "setup_error"]

Skill = Literal["memory recall", "multimodal grounding", "multi-step reasoning", "private information"]
"""What a puzzle asks of its players (COMMA, section 3.2)."""

SetupT = TypeVar("SetupT", bound=Frozen)
StateT = TypeVar("StateT", bound=Hashable)
SceneT = TypeVar("SceneT", bound=Hashable)
RulesT = TypeVar("RulesT")


class Step(NamedTuple, Generic[StateT]):
    """What an action came to. Not all that is without effect is a mistake."""

    state: StateT
    mistake: bool = False


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that the solver must keep to itself.

    ``name`` is the field, as in reports; ``kind`` says in which spellings it is looked for.
    """

    name: str
    kind: Literal["digits", "money", "words", "date"]
    value: str


def setup_error(puzzle: str, problem: str, mend: str = "") -> InstanceError:
    """Make an error about an initialisation; ``problem`` begins with the field that is wrong."""
    return InstanceError(f"comma {puzzle} instance: {problem}", mend=mend)


class Puzzle(ABC, Generic[SetupT, StateT, SceneT, RulesT]):
    """The rules of a puzzle. Holds no state: every method is a pure function of its arguments.

    ``name`` is the variant in records, ``title`` what people call it, ``skills`` what it asks for, ``setup_type`` an
    initialisation as plain JSON, ``manual`` the file that the expert is given where a user gives no other. States and
    scenes are immutable and can be compared: a repetition is a mistake that was made in an equal state before.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    skills: ClassVar[tuple[Skill, ...]]
    setup_type: type[SetupT]
    manual: Path
    talk: Talk[SceneT, RulesT] | None = None
    """The scripted players, if there are any."""

    @abstractmethod
    def read_manual(self, manual: Manual) -> RulesT:
        """Find the rules in a manual.

        Raises:
            InstanceError: something is missing or makes no sense; names file and line.
        """

    @abstractmethod
    def generate(self, rules: RulesT, dice: Dice, images: Path | None) -> SetupT:
        """Make an initialisation.

        Args:
            rules: the manual's.
            dice: seeded for this one.
            images: a folder of pictures, for puzzles that can make use of one.

        Raises:
            InstanceError: these rules allow for none, or the pictures cannot be used.
        """

    @abstractmethod
    def start(self, setup: SetupT, rules: RulesT) -> StateT:
        """Set the puzzle up.

        Raises:
            InstanceError: the initialisation makes no puzzle under these rules; names the field.
        """

    @abstractmethod
    def actions(self, state: StateT) -> tuple[str, ...]:
        """Name the valid actions: the same throughout an episode."""

    @abstractmethod
    def act(self, state: StateT, action: str) -> Step[StateT]:
        """Perform a valid action."""

    @abstractmethod
    def solved(self, state: StateT) -> bool:
        """Whether the puzzle is solved; no action is performed after that."""

    @abstractmethod
    def progress(self, state: StateT) -> float:
        """Return how much of the puzzle is done in this very state, 0 to 1; the game keeps the best."""

    @abstractmethod
    def scene(self, state: StateT) -> SceneT:
        """Return what the solver may see."""

    @abstractmethod
    def write(self, scene: SceneT) -> str:
        """Show a scene as text, without loss: markdown and plain characters."""

    @abstractmethod
    def read(self, text: str) -> SceneT:
        """Read back what :meth:`write` wrote.

        Raises:
            ValueError: it wrote no such thing.
        """

    @abstractmethod
    def draw(self, scene: SceneT) -> Pillow.Image:
        """Show a scene as a picture: the same scene gives the same pixels."""

    def briefing(self, state: StateT) -> str:
        """Return what the solver is told besides, such as what the actions are, or what it must not tell."""
        return ""

    def secrets(self, state: StateT) -> tuple[Secret, ...]:
        """Return what the solver must not tell the expert."""
        return ()

    def answer(self, state: StateT) -> str:
        """Return in a sentence what would have been right, for a judge who reads the dialogue afterwards."""
        return ""

    def moves(self, actions: tuple[str, ...], scene: SceneT) -> tuple[Move, ...]:
        """Return the buttons that a person at the solver's seat is given: each of them is one of the actions.

        They are made of the actions and the scene, and so tell nothing that the solver does not see.
        """
        return buttons.named(actions)

    def configure(self, data: JsonValue) -> SetupT:
        """Read an initialisation from plain JSON.

        Raises:
            InstanceError: a field is missing, wrong or unknown; names it.
        """
        known = self.setup_type.model_fields
        if isinstance(data, dict) and (strange := [field for field in data if field not in known]):
            raise setup_error(self.name, f"there is no field {strange[0]!r}", mend=f"it has: {', '.join(known)}")
        setup: SetupT = read_instance(f"comma {self.name}", self.setup_type, data)
        return setup


AnyPuzzle = Puzzle[Any, Any, Any, Any]
"""A puzzle of which only the interface matters."""
