"""Grading as a game of its own: graders read a finished episode, and say what happened in it.

So a grader is an agent like any other (The Collaboration Gap, section 2.1): its answers are asked for, kept, retried,
paid for and taken up again like any turn. An instance is one finished episode; every vote is a seat, so that each is a
sample of its own. An answer that cannot be read is asked for again, a few times; a vote that stays unreadable is
``ungraded`` and says nothing about the players.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Self

from pydantic import Field, JsonValue, field_validator

from palaver_protocols.content import Frozen, Part
from palaver_protocols.errors import InstanceError, ProtocolError, UsageError
from palaver_protocols.messages import EpisodeStarted, FinishReason, Player, TurnTaken
from palaver_protocols.transcript import USER, Message

from .game import (
    AnyGame,
    Game,
    GameOutcome,
    Instance,
    Options,
    Read,
    Reply,
    Scores,
    UnreadableGradeError,
    read_instance,
)

__all__ = [
    "AGAIN",
    "GradingGame",
    "GradingOptions",
    "GradingState",
    "PlayedEpisode",
    "Vote",
    "final_state",
    "majority",
]

AGAIN = "Your answer cannot be used: {problem}. Give the whole answer again, in the format that was asked for."
"""What a grader is told whose answer cannot be read."""

UNFINISHED: Mapping[FinishReason, str] = {
    "length": "it was cut off at the length limit, so that its end is missing",
    "refusal": "it is a refusal",
    "content_filter": "a content filter has stopped it",
}
"""Why an answer is not even looked at: of one that was cut off, what stands before the cut is not trusted either."""


class GradingOptions(Options):
    """How an episode is graded."""

    votes: int = Field(default=1, ge=1, le=99, description="graders that vote, each a sample of its own; an odd number")
    reasks: int = Field(default=2, ge=0, le=9, description="how often an unreadable answer is asked for again")

    @field_validator("votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError("a majority needs an odd number of votes")
        return votes


class SaidReply(Frozen):
    """What a seat answered, at its turn."""

    seat: str
    parts: tuple[Part, ...]
    finish_reason: FinishReason = "stop"


class PlayedEpisode(Frozen):
    """A finished episode as plain JSON: what was played, and what the seats said, in order."""

    game: str
    variant: str
    instance: JsonValue
    options: dict[str, JsonValue]
    replies: tuple[SaidReply, ...]

    @classmethod
    def from_log(cls, entries: Iterable[object]) -> Self:
        """Take out of a log what the game was told; what was said behind the seats is none of a grader's business.

        Raises:
            ProtocolError: the log does not begin with its start.
        """
        started, *others = [*entries] or [None]
        if not isinstance(started, EpisodeStarted):
            raise ProtocolError("this episode's log does not begin with its start")
        replies = sorted((entry.reply for entry in others if isinstance(entry, TurnTaken)), key=lambda said: said.turn)
        return cls(
            game=started.game,
            variant=started.variant,
            instance=started.instance,
            options=started.options,
            replies=tuple(
                SaidReply(seat=said.seat, parts=said.parts, finish_reason=said.finish_reason) for said in replies
            ),
        )


def final_state(game: AnyGame, played: PlayedEpisode) -> Any:
    """Fold an episode to its end.

    Raises:
        UsageError: options or instance make no game, or the game is not over.
    """
    said: dict[str, deque[Reply]] = {}
    for reply in played.replies:
        said.setdefault(reply.seat, deque()).append(Reply(reply.parts, reply.finish_reason))
    state = game.start(played.instance, game.configure(played.options))
    while pending := game.pending(state):
        if not all(said.get(seat) for seat in pending):
            raise UsageError("the episode is not over by the rules of today", mend="play it to its end")
        state = game.apply(state, {seat: said[seat].popleft() for seat in pending})
    return state


@dataclass(frozen=True, slots=True)
class Vote:
    """What one grader has said so far: answers that could not be read, each with its problem, and then one that can."""

    unreadable: tuple[tuple[str, str], ...] = ()
    read: Read | None = None


@dataclass(frozen=True, slots=True)
class GradingState:
    """A grading as it stands. ``played`` is the final state of the graded game, ``question`` what graders are shown."""

    played: Any
    question: tuple[Message, ...]
    reasks: int
    votes: Mapping[str, Vote]

    def owes(self, seat: str) -> bool:
        """Whether a grader is to be asked, for the first time or again."""
        vote = self.votes[seat]
        return vote.read is None and len(vote.unreadable) <= self.reasks

    @property
    def reads(self) -> tuple[Read, ...]:
        """The votes that can be used."""
        return tuple(vote.read for vote in self.votes.values() if vote.read is not None)

    @property
    def ungraded(self) -> tuple[str, ...]:
        """Why each vote that has run out cannot be used: the problem of its last answer."""
        return tuple(
            vote.unreadable[-1][1] for seat, vote in self.votes.items() if vote.read is None and not self.owes(seat)
        )


class GradingGame(Game[GradingState, GradingOptions]):
    """Has graders read the finished episodes of another game.

    ``solved`` means that at least one vote can be used, ``failed`` that none can; the scores are those of the graded
    episode by majority, and ``graded``, the share of votes that can be used.

    Args:
        game: the game that was played; it has a :meth:`~.game.Game.grading_view`.
        episodes: what :meth:`instances` yields.
    """

    name = "grading"
    summary = "graders read finished episodes of another game"
    options_type = GradingOptions
    primary_score = "graded"

    def __init__(self, game: AnyGame, episodes: Iterable[Instance] = ()) -> None:
        self._game = game
        self._episodes = tuple(episodes)

    def variant(self, options: GradingOptions) -> str:
        """Return the name of the graded game."""
        return self._game.name

    def instances(self, options: GradingOptions, seed: int) -> Iterator[Instance]:
        """Return the episodes; a seed makes no difference to them."""
        return iter(self._episodes)

    def seats(self, options: GradingOptions) -> tuple[str, ...]:
        """Return a seat for each vote."""
        return tuple(f"grader_{number}" for number in range(1, options.votes + 1))

    def partners(self, options: GradingOptions, seat: str) -> tuple[str, ...]:
        """Nobody: graders do not hear of each other."""
        return ()

    def turn_limit(self, options: GradingOptions) -> int:
        """Return the number of answers if none of them can be read."""
        return options.votes * (1 + options.reasks)

    def start(self, instance: JsonValue, options: GradingOptions) -> GradingState:
        """Fold the episode, and write the graders' question.

        Raises:
            InstanceError: it is no finished episode, or its game needs no grader.
        """
        played: PlayedEpisode = read_instance(self.name, PlayedEpisode, instance)
        if played.game != self._game.name:
            raise InstanceError(f"an episode of {played.game} cannot be graded as one of {self._game.name}")
        state = final_state(self._game, played)
        question = self._game.grading_view(state)
        if not question:
            raise InstanceError(
                f"{self._game.name} has nothing for a model to grade: its rules suffice",
                mend="score it without --grader",
            )
        return GradingState(state, question, options.reasks, dict.fromkeys(self.seats(options), Vote()))

    def pending(self, state: GradingState) -> tuple[str, ...]:
        """All graders at once, and then those whose answers could not be read."""
        return tuple(seat for seat in state.votes if state.owes(seat))

    def view(self, state: GradingState, seat: str) -> tuple[Message, ...]:
        """Return the question, and after an unreadable answer that answer and what is wrong with it."""
        view = list(state.question)
        for answer, problem in state.votes[seat].unreadable:
            view += [Message.text_from(seat, answer), Message.text_from(USER, AGAIN.format(problem=problem))]
        return tuple(view)

    def apply(self, state: GradingState, replies: Mapping[str, Reply]) -> GradingState:
        """Read what the graders answered."""
        heard = {seat: self._heard(state, state.votes[seat], reply) for seat, reply in replies.items()}
        return replace(state, votes={**state.votes, **heard})

    def _heard(self, state: GradingState, vote: Vote, reply: Reply) -> Vote:
        problem = UNFINISHED.get(reply.finish_reason, "" if reply.text.strip() else "it is empty")
        if not problem:
            try:
                return replace(vote, read=self._game.read_grade(state.played, reply.text))
            except UnreadableGradeError as error:
                problem = error.message
        return replace(vote, unreadable=(*vote.unreadable, (reply.text, problem)))

    def outcome(self, state: GradingState) -> GameOutcome | None:
        """Solved if a vote can be used, once all of them are in or have run out."""
        if self.pending(state):
            return None
        return "solved" if state.reads else "failed"

    def score(self, state: GradingState) -> Scores:
        """Return what the majority says of the episode."""
        reads = state.reads
        return {**majority([read.scores for read in reads]), "graded": len(reads) / len(state.votes)}

    def refused(self, state: GradingState) -> int:
        """Return the number of answers that could not be read."""
        return sum(len(vote.unreadable) for vote in state.votes.values())

    def players(self) -> Mapping[str, Player]:
        """Return the scripts that the graded game brings along."""
        return self._game.graders()


def majority(votes: Sequence[Scores]) -> dict[str, float | None]:
    """Return what most of the votes say (The Collaboration Gap, appendix D; how votes are merged is ours).

    A score that is 0 or 1 in every vote is what more than half of them say, 0 where as many say one as the other. Any
    other score is the median of the votes that agree with the majority on ``success``, or of all of them where there is
    no such score. A vote in which a score is None has none on it; a score that no vote has is None.

    Returns:
        Scores by name; empty for no votes.
    """
    names = dict.fromkeys(name for vote in votes for name in vote)
    binary = {name: verdict for name in names if (verdict := _verdict(_values(votes, name))) is not None}
    agreeing = [vote for vote in votes if "success" not in binary or vote.get("success") == binary["success"]]
    return {
        name: binary[name] if name in binary else median(values) if (values := _values(agreeing, name)) else None
        for name in names
    }


def _values(votes: Iterable[Scores], name: str) -> list[float]:
    return [value for vote in votes if (value := vote.get(name)) is not None]


def _verdict(values: Sequence[float]) -> float | None:
    """Return the verdict of votes that say 0 or 1; None for any other score."""
    if not values or not set(values) <= {0.0, 1.0}:
        return None
    return float(sum(values) * 2 > len(values))
