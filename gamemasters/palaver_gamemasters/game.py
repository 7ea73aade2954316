"""The game interface: a deterministic state machine without I/O, clocks or global randomness.

The same replies give the same state, always. That one property gives crash recovery, replay, re-scoring and forks: the
state of an episode is a fold over its log of replies.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import ConfigDict, JsonValue, ValidationError

from palaver_protocols.content import Frozen, Image, Text, text_of
from palaver_protocols.errors import InstanceError, PalaverError, UsageError, first_problem
from palaver_protocols.messages import FinishReason, Player, RoleProtocol, Sampling, Schema
from palaver_protocols.transcript import Message

from .calibration import Calibration
from .minutes import Minutes
from .showing import Move, Panel

__all__ = [
    "AnyGame",
    "Game",
    "GameOutcome",
    "Instance",
    "Options",
    "Read",
    "Reply",
    "Scores",
    "UnreadableGradeError",
    "Usual",
]

GameOutcome = Literal["solved", "failed", "aborted", "crashed"]
"""How a game can end by its own rules (the engine adds ``error`` and ``budget``)."""

Scores = Mapping[str, float | None]
"""Measures by their published names. None: not defined for this episode."""


class Options(Frozen):
    """What a game can be set to (``--set key=value``). Games subclass this; a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Instance:
    """One set-up of a game: a maze, a puzzle, a pair of pictures. ``data`` is plain JSON, as in a replay file.

    ``variant`` names what it is, where one run plays instances of several kinds; else the options say it. ``labels``
    are what reports group it by, each with one value or several: ``{"geoms": ("6",)}``.
    """

    id: str
    data: JsonValue
    variant: str | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usual:
    """How a game is played where nobody says otherwise, as its study played it.

    ``episodes`` is a round of all that there is to see of it, not the study's number.
    """

    episodes: int = 1
    protocol: RoleProtocol = "prefixes"
    sampling: Sampling = field(default_factory=Sampling)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat answered."""

    parts: tuple[Text | Image, ...]
    finish_reason: FinishReason = "stop"

    @classmethod
    def of(cls, text: str) -> "Reply":
        """Make a reply of plain text."""
        return cls((Text(text=text),))

    @property
    def text(self) -> str:
        """The text parts, joined by newlines."""
        return text_of(self.parts)


@dataclass(frozen=True, slots=True)
class Read:
    """What a game made of a grader's answer: how the episode ended, its measures, and what was read, as plain JSON."""

    outcome: GameOutcome
    scores: Scores
    detail: JsonValue = None


class UnreadableGradeError(PalaverError):
    """A grader's answer cannot be used. ``message`` tells the grader what is wrong with it."""


StateT = TypeVar("StateT")
OptionsT = TypeVar("OptionsT", bound=Options)


class Game(ABC, Generic[StateT, OptionsT]):
    """The rules of a game. Holds no state of its own: every method is a pure function of its arguments.

    ``name`` is what users type, ``summary`` one line for listings, ``options_type`` what ``--set`` accepts.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    options_type: type[OptionsT]
    primary_score: ClassVar[str]
    """The score that a results table leads with."""
    names: ClassVar[Mapping[str, str]] = {}
    """What :meth:`minutes` call the seats, where that is not their name."""
    usual: ClassVar[Usual] = Usual()
    pools_episodes: ClassVar[bool] = False
    """How its study takes a mean over several variants: over all of their episodes, or else each variant the same."""

    def configure(self, values: Mapping[str, Any], variant: str | None = None) -> OptionsT:
        """Read options from plain values; strings such as a command line gives are converted.

        Args:
            values: option names and values.
            variant: the variant that a replay file or a record names, where there is one.

        Raises:
            UsageError: an option is unknown, or its value makes no sense; names both.
        """
        given = dict(values) if variant is None else {**self.of_variant(variant), **values}
        try:
            return self.options_type.model_validate(given)
        except ValidationError as error:
            raise self._explain(error) from error

    def of_variant(self, variant: str) -> Mapping[str, Any]:
        """Return the options that a variant's name stands for."""
        return {}

    def variants(self, instance: JsonValue) -> tuple[str, ...]:
        """Name the variants that a replay of an instance can be of; none where the options alone say what makes sense.

        Args:
            instance: of a replay file, before anybody has looked at it.
        """
        return ()

    def _explain(self, error: ValidationError) -> UsageError:
        first = error.errors(include_url=False)[0]
        option = ".".join(str(step) for step in first["loc"])
        known = ", ".join(self.options_type.model_fields)
        if first["type"] == "extra_forbidden":
            return UsageError(f"{self.name} has no option {option!r}", mend=f"it has: {known}")
        said = first["msg"].removeprefix("Value error, ")
        if not option:
            return UsageError(f"{self.name}: {said}")
        return UsageError(f"{self.name}: option {option} cannot be {first['input']!r}: {said}")

    @abstractmethod
    def variant(self, options: OptionsT) -> str:
        """Name what is played under these options, as records and plots group it."""

    @abstractmethod
    def instances(self, options: OptionsT, seed: int) -> Iterator[Instance]:
        """Yield instances, the same on every machine for the same seed; without end where the game makes its own.

        Raises:
            InstanceError: no instance can be made under these options.
        """

    def remarks(self, instances: Sequence[JsonValue]) -> tuple[str, ...]:
        """Say what is odd about the instances of a run, a line each, before it is played; it is played all the same."""
        return ()

    @abstractmethod
    def seats(self, options: OptionsT) -> tuple[str, ...]:
        """Name the seats, in the order in which agents are given for them."""

    def partners(self, options: OptionsT, seat: str) -> tuple[str, ...]:
        """Name the other seats that a seat talks with; none if it talks with the game alone."""
        return tuple(other for other in self.seats(options) if other != seat)

    @abstractmethod
    def turn_limit(self, options: OptionsT) -> int:
        """Return the largest number of turns that an episode can take."""

    @abstractmethod
    def start(self, instance: JsonValue, options: OptionsT) -> StateT:
        """Set the game up.

        Raises:
            InstanceError: the instance makes no game; says what is wrong with it.
        """

    @abstractmethod
    def pending(self, state: StateT) -> tuple[str, ...]:
        """Name the seats that must speak now. Never empty before the game is over, empty after."""

    @abstractmethod
    def view(self, state: StateT, seat: str) -> tuple[Message, ...]:
        """Return everything a seat may see, as a transcript."""

    @abstractmethod
    def apply(self, state: StateT, replies: Mapping[str, Reply]) -> StateT:
        """Return the state after all pending seats have replied."""

    @abstractmethod
    def outcome(self, state: StateT) -> GameOutcome | None:
        """Return how the game ended, or None while it is going on."""

    @abstractmethod
    def score(self, state: StateT) -> Scores:
        """Measure the episode as it stands, over or not."""

    def refused(self, state: StateT) -> int:
        """Return how many replies the game has refused so far because they broke its format rules."""
        return 0

    def progress(self, state: StateT) -> float | None:
        """Return how far the episode has come, on any rising scale; None where the game cannot tell before the end.

        A relay that waits for a stall (``A@stall:6>B``) looks at it after every turn.
        """
        return None

    def minutes(self, state: StateT) -> Minutes:
        """Return who told whom what, with the game master's own notes, for transcripts; none where the log says all."""
        return ()

    def panels(self, state: StateT) -> tuple[Panel, ...]:
        """Draw how the game stands, for those who watch; hidden information included.

        None: they are shown the latest picture or board of each seat's view.
        """
        return ()

    def moves(self, state: StateT, seat: str) -> tuple[Move, ...]:
        """Return what a person at a pending seat can say by a click or a key; anything can be typed as well.

        They tell nothing that the seat's view does not: moves that the rules will refuse are among them.
        """
        return ()

    def why(self, state: StateT) -> str:
        """Say in one line why the episode ended as it did, where its outcome does not; else nothing."""
        return ""

    def split(self, state: StateT, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        """Divide what a seat is shown among a team whose members hold a part each (``show=split``).

        Returns:
            What the lead is shown, then what each member is shown: views of the whole seat, dialogue included.

        Raises:
            UsageError: this game has no such division, or not for so many.
        """
        raise UsageError(f"{self.name} cannot divide a seat's view", mend="use show=all or show=nothing")

    def secrets(self, instance: JsonValue, options: OptionsT) -> Mapping[str, tuple[str, ...]]:
        """Return by seat what the game may never tell it: solutions, another's map, the pages of a manual.

        A leak audit (``palaver audit``) looks for them in all that a seat was sent, blanks and case apart: texts, or
        the SHA-256 of pictures. They are worked out from the instance, not from :meth:`view`; what a seat may well be
        told in another way is left out. What a seat itself has said aloud is no secret any more.

        Raises:
            InstanceError: the instance makes no game.
        """
        return {}

    def answer_schema(self, state: StateT, seat: str) -> Schema | None:
        """Return the JSON Schema of what a seat is to answer, for providers that hold a model to one; None: any text.

        A model may be asked without it (its provider knows no schemas, it leads a team), so that the view has to say
        the same in words. For every provider to take it: objects only, all their fields required, and
        ``additionalProperties`` false; ``title`` names it.
        """
        return None

    def grading_views(self, state: StateT) -> tuple[tuple[Message, ...], ...]:
        """Return what a model is asked that is to grade the episode: questions, each of which is asked by itself.

        None where the rules suffice, or where there is nothing in this episode to grade.
        """
        return ()

    def count_grading_views(self, state: StateT) -> int:
        """Return how many :meth:`grading_views` there are; for games that can tell without writing them."""
        return len(self.grading_views(state))

    def read_grade(self, state: StateT, text: str, question: int = 0) -> Read:
        """Make sense of what a grading model answered to one of :meth:`grading_views`.

        Args:
            state: the finished episode.
            text: the answer.
            question: the position of the question among them.

        Raises:
            UnreadableGradeError: it cannot be used; says what is wrong with it, for the model to mend.
        """
        raise UnreadableGradeError(f"{self.name} has no grading model")

    def merge_grades(self, state: StateT, reads: Sequence[Read]) -> Read:
        """Make one reading of those of one grader, in the order of the questions; of one question, it is that."""
        (read,) = reads
        return read

    def grading_schema(self, state: StateT) -> Schema | None:
        """Return the JSON Schema of a grading model's answers, as :meth:`answer_schema` does of a seat's."""
        return None

    def graded_scores(self) -> tuple[str, ...]:
        """Name the scores that graders give: what nobody knows of an episode whose grader is unreadable.

        All others are the rules' business and stay as they are. Those of :meth:`calibration` where there are labels,
        else the primary score and ``success``.
        """
        found = self.calibration()
        return tuple(found.labels) if found else (self.primary_score, "success")

    def graders(self) -> Mapping[str, Player]:
        """Return the scripts that can grade this game without a model, by name; none if there are none."""
        return {}

    def calibration(self) -> Calibration | None:
        """Return what the graders' scores are called as labels, and examples to try them on; None without labels."""
        return None

    def published(self) -> Mapping[str, Any]:
        """Return the published figures of the game's study, for reports to set beside ours; empty where there are none.

        Keys: ``study`` and ``source`` (str), and tables whose keys the game's README explains.
        """
        return {}

    @abstractmethod
    def players(self) -> Mapping[str, Player]:
        """Return the scripts that can fill this game's seats: ``random`` always, ``scripted``, ``optimal`` if any."""


AnyGame = Game[Any, Any]
"""A game of which only the interface matters."""


def read_instance(what: str, model: type[Frozen], data: JsonValue) -> Any:
    """Validate an instance against its model.

    Raises:
        InstanceError: one line that names the field.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InstanceError(f"{what} instance: {first_problem(error)}") from error
