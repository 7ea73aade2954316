"""What all games of clembench have in common: how they are driven, and how an episode is judged."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, ClassVar, TypeVar, get_args

from pydantic import JsonValue

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Game, GameOutcome, Instance, Reply, Scores, Usual, read_instance
from palaver_gamemasters.minutes import Minutes
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Sampling
from palaver_protocols.transcript import Message

from . import checkout
from .instance import ClemInstance
from .options import ALL, ClemOptions, PicturedOptions, Profile
from .play import CrashError, Play, Verdict
from .published import published

__all__ = ["SAMPLING", "ClemGame"]

SAMPLING = Sampling(temperature=0.0, max_tokens=100)
"""How the published runs were sampled."""

T = TypeVar("T")
OptionsT = TypeVar("OptionsT", bound=ClemOptions)


class ClemGame(Game[Play[T], OptionsT]):
    """A game of clembench. Every player talks with the game master alone.

    ``names`` are the seats, and what clembench calls who sits there. A player of the game's own has no seat.
    """

    primary_score = "Main Score"
    usual = Usual(episodes=30, sampling=SAMPLING)
    pools_episodes = True  # section 2: an experiment of fewer episodes weighs less
    names: ClassVar[Mapping[str, str]] = {"player_1": "Player 1", "player_2": "Player 2"}

    @property
    def pictured(self) -> bool:
        """Whether players are shown the pictures that instances name. (Textual maps name one that nobody ever sees.)"""
        return issubclass(self.options_type, PicturedOptions)

    @abstractmethod
    def experiments(self, options: OptionsT) -> tuple[str, ...]:
        """Name the experiments of our own instances, in order."""

    @abstractmethod
    def make(self, experiment: str, dice: Dice, options: OptionsT) -> ClemInstance:
        """Make an instance of an experiment. The caller numbers it (``game_id``)."""

    @abstractmethod
    def begin(self, play: Play[Any]) -> Play[T]:
        """Read the instance, and ask the first question. The minutes have their first turn already.

        Raises:
            InstanceError: the instance makes no game; names the field.
        """

    @abstractmethod
    def hear(self, play: Play[T], seat: str, text: str) -> Play[T]:
        """Go on by an answer that is in the minutes already: ask again, or end the episode.

        Raises:
            CrashError: the original game master raises here.
        """

    @abstractmethod
    def measure(self, play: Play[T]) -> tuple[bool, Scores]:
        """Return whether the players have succeeded, and the episode's measures by their published names.

        Raises:
            CrashError: the original scorer raises here.
        """

    def of_variant(self, variant: str) -> Mapping[str, str]:
        """Return the profile, or the experiment, that a variant stands for."""
        return {"profile": variant} if variant in ("published", "clean") else {"experiment": variant}

    def variants(self, instance: JsonValue) -> tuple[str, ...]:
        """Name the profiles, the experiments, and that of the instance: those of a file may have other names."""
        about = instance.get("experiment") if isinstance(instance, dict) else None
        own = about.get("name") if isinstance(about, dict) else None
        names = (*get_args(Profile), *self.experiments(self.configure({})), *([own] if isinstance(own, str) else []))
        return tuple(dict.fromkeys(names))

    def variant(self, options: OptionsT) -> str:
        """Return the experiment, or ``all``; each instance says its own."""
        return options.experiment

    def instances(self, options: OptionsT, seed: int) -> Iterator[Instance]:
        """Yield one instance of each experiment in turn: our own without end, or those of a file.

        Raises:
            UsageError: there is no such experiment, or the file cannot be read.
            InstanceError: an instance makes no game, or a picture is missing; names it.
        """
        if options.instances is not None:
            yield from checkout.instances(self, options)
            return
        names = self.experiments(options)
        if options.experiment != ALL:
            if options.experiment not in names:
                raise UsageError(
                    f"{self.name} has no experiment {options.experiment!r}", mend=f"it has: {', '.join(names)}"
                )
            names = (options.experiment,)
        for index in count():
            for name in names:
                made = self.make(name, Dice("clembench", self.name, name, seed, index), options)
                numbered = made.model_copy(update={"instance": {"game_id": index, **made.instance}})
                yield Instance(f"{name}-s{seed}-{index:04d}", numbered.model_dump(mode="json"), name)

    def seats(self, options: OptionsT) -> tuple[str, ...]:
        """Return the players that are models."""
        return tuple(self.names)

    def partners(self, options: OptionsT, seat: str) -> tuple[str, ...]:
        """Nobody: a player knows the game master only."""
        return ()

    def start(self, instance: JsonValue, options: OptionsT) -> Play[T]:
        """Set the game up and ask the first question."""
        given: ClemInstance = read_instance(self.name, ClemInstance, instance)
        play: Play[Any] = Play(self, options, given, None, self.names)
        return self.begin(play.turn())

    def pending(self, state: Play[T]) -> tuple[str, ...]:
        """Return who was asked."""
        return () if state.pending is None else (state.pending,)

    def view(self, state: Play[T], seat: str) -> tuple[Message, ...]:
        """Return a player's history: the game master is the user."""
        return state.history(seat)

    def apply(self, state: Play[T], replies: Mapping[str, Reply]) -> Play[T]:
        """Hear an answer."""
        ((seat, reply),) = replies.items()
        heard = state.hear(reply.text)
        try:
            return self.hear(heard, seat, reply.text)
        except CrashError as error:
            return heard.note("crash", str(error)).end("crashed")

    def outcome(self, state: Play[T]) -> GameOutcome | None:
        """Return how the episode ended. What the original programs could not score is ``crashed``."""
        return None if state.ending is None else state.verdict.outcome

    def score(self, state: Play[T]) -> Scores:
        """Return the measures by their published names, and ``success`` (ours): 1 if solved, 0 if not, aborted or not.

        An episode that the original programs could not score has none.
        """
        return state.verdict.scores

    def judge(self, play: Play[T]) -> Verdict:
        """Work out how an episode ended, and its measures."""
        if play.ending == "crashed":
            return Verdict("crashed", {}, f"the original game master raises: {play.minutes[-1][-1].content}")
        try:
            solved, scores = self.measure(play)
        except CrashError as error:
            return Verdict("crashed", {}, f"the original scorer raises: {error}")
        won = solved and play.ending == "played"
        outcome: GameOutcome = "aborted" if play.ending == "aborted" else "solved" if won else "failed"
        return Verdict(outcome, {**scores, "success": float(won)})

    def why(self, state: Play[T]) -> str:
        """Say what the original programs could not do with a crashed episode."""
        return state.verdict.why

    def minutes(self, state: Play[T]) -> Minutes:
        """Return what clembench's ``interactions.json`` holds."""
        return state.minutes

    def published(self) -> Mapping[str, Any]:
        """Return the figures of the paper."""
        return published(self.name)
