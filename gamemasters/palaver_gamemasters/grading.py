"""Grading as a game of its own: graders read a finished episode, and say what happened in it.

So a grader is an agent like any other (The Collaboration Gap, section 2.1): its answers are asked for, kept, retried,
paid for and taken up again like any turn. An instance is one finished episode; every vote is a seat, so that each is a
sample of its own. A game may ask several questions about an episode: a vote answers them one after the other, each by
itself. An answer that cannot be read is asked for again, a few times; a vote that stays unreadable is ``ungraded``, is
asked nothing more, and says nothing about the players. Whoever has it asked anew (``again``) has it go on where it ran
out, and all that was said before stands.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field, JsonValue, field_validator

from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import FinishReason, Player, Schema
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
from .majority import majority
from .played import PlayedEpisode, final_state

__all__ = ["AGAIN", "GradingGame", "GradingOptions", "GradingState", "Vote"]

AGAIN = "Your answer cannot be used: {problem}. Give the whole answer again, in the format that was asked for."
"""What a grader is told whose answer cannot be read."""

UNFINISHED: Mapping[FinishReason, str] = {
    "length": "it was cut off at the length limit, so that its end is missing",
    "refusal": "it is a refusal",
    "content_filter": "a content filter has stopped it",
}
"""Why an answer is not even looked at: of one that was cut off, what stands before the cut is not trusted either."""


def _is_never(often: int) -> bool:
    """Whether an option is left out of folders: those of before it was there hold the same grading."""
    return not often


class GradingOptions(Options):
    """How an episode is graded."""

    votes: int = Field(default=1, ge=1, le=99, description="graders that vote, each a sample of its own; an odd number")
    reasks: int = Field(default=2, ge=0, le=9, description="how often an unreadable answer is asked for again")

    again: int = Field(
        default=0, ge=0, exclude_if=_is_never, description="how often votes that stayed ungraded are asked anew"
    )

    @field_validator("votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError("a majority needs an odd number of votes")
        return votes


@dataclass(frozen=True, slots=True)
class Vote:
    """What one grader has said so far.

    ``answered`` holds what was read of the questions that it has answered, in order; ``unreadable`` its answers to the
    next one that could not be read, each with its problem; ``refused`` counts those to all questions. ``out`` is how
    often it has run out: one that is asked anew after that sees nothing of them. ``read`` is what all of it comes to,
    when the last question is answered.
    """

    answered: tuple[Read, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    refused: int = 0
    out: int = 0
    read: Read | None = None


@dataclass(frozen=True, slots=True)
class GradingState:
    """A grading as it stands.

    ``played`` is the final state of the graded game, ``questions`` how many there are about it, and ``schema`` the JSON
    Schema of the answers, if they have one. Votes that have run out are asked anew up to ``again`` times, when no other
    is owed anything: so a log of before they were stays one.
    """

    played: Any
    questions: int
    reasks: int
    votes: Mapping[str, Vote]
    schema: Schema | None = None
    again: int = 0

    @property
    def owing(self) -> tuple[str, ...]:
        """The graders that are to be asked, for the first time or again."""
        open_ = {seat: vote.out for seat, vote in self.votes.items() if vote.read is None and vote.out <= self.again}
        fewest = min(open_.values(), default=0)
        return tuple(seat for seat, out in open_.items() if out == fewest)

    @property
    def most_answers(self) -> int:
        """How many answers it still takes, if each is readable at the last moment."""
        open_ = [vote for vote in self.votes.values() if vote.read is None and vote.out <= self.again]
        return sum((self.questions - len(vote.answered)) * (1 + self.reasks) for vote in open_)

    @property
    def reads(self) -> tuple[Read, ...]:
        """The votes that can be used."""
        return tuple(vote.read for vote in self.votes.values() if vote.read is not None)

    @property
    def ungraded(self) -> tuple[str, ...]:
        """Why each vote that has run out cannot be used: the problem of its last answer."""
        lost = [vote for vote in self.votes.values() if vote.read is None and vote.out > self.again]
        return tuple(self._place(vote) + vote.unreadable[-1][1] for vote in lost)

    def _place(self, vote: Vote) -> str:
        """Say at which question a vote stands, where there are several."""
        return f"question {len(vote.answered) + 1} of {self.questions}: " if self.questions > 1 else ""


class GradingGame(Game[GradingState, GradingOptions]):
    """Has graders read the finished episodes of another game.

    ``solved`` means that at least one vote can be used, ``failed`` that none can; the scores are those of the graded
    episode by majority, and ``graded``, the share of votes that can be used.

    Args:
        game: the game that was played; it has :meth:`~.game.Game.grading_views`.
        episodes: what :meth:`instances` yields.
    """

    name = "grading"
    summary = "graders read finished episodes of another game"
    options_type = GradingOptions
    primary_score = "graded"

    def __init__(self, game: AnyGame, episodes: Iterable[Instance] = ()) -> None:
        self._game = game
        self._episodes = tuple(episodes)
        self._counted: dict[str, int] = {}
        """How many questions there are about an episode: a cache, since each is folded for it."""

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
        """Return the number of answers if each is readable at the last moment, about the episode with most to ask."""
        return max((self.turn_limit_of(episode, options) for episode in self._episodes), default=_answers(1, options))

    def turn_limit_of(self, episode: Instance, options: GradingOptions) -> int:
        """Return the same of one episode; 0 where there is nothing to ask about it."""
        return _answers(self.count_questions(episode), options)

    def count_questions(self, episode: Instance) -> int:
        """Return how many questions a vote is asked about an episode; 0 where it has nothing to grade.

        Raises:
            InstanceError: it is no finished episode of the game.
        """
        if episode.id not in self._counted:
            self._counted[episode.id] = self._game.count_grading_views(self._played(episode.data))
        return self._counted[episode.id]

    def _played(self, instance: JsonValue) -> Any:
        """Fold an episode to its end."""
        played: PlayedEpisode = read_instance(self.name, PlayedEpisode, instance)
        if played.game != self._game.name:
            raise InstanceError(f"an episode of {played.game} cannot be graded as one of {self._game.name}")
        return final_state(self._game, played)

    def start(self, instance: JsonValue, options: GradingOptions) -> GradingState:
        """Fold the episode, and count the graders' questions.

        Raises:
            InstanceError: it is no finished episode, or its game needs no grader.
        """
        state = self._played(instance)
        questions = self._game.count_grading_views(state)
        if not questions:
            raise InstanceError(
                f"{self._game.name} has nothing for a model to grade: its rules suffice",
                mend="score it without --grader",
            )
        votes = dict.fromkeys(self.seats(options), Vote())
        schema = self._game.grading_schema(state)
        return GradingState(state, questions, options.reasks, votes, schema, options.again)

    def pending(self, state: GradingState) -> tuple[str, ...]:
        """All graders at once, and then those who have a question left or whose answers could not be read."""
        return state.owing

    def view(self, state: GradingState, seat: str) -> tuple[Message, ...]:
        """Return the question, and after an unreadable answer that answer and what is wrong with it.

        Of the questions before it, and of what was answered, nothing is shown.
        """
        vote = state.votes[seat]
        view = list(self._game.grading_views(state.played)[len(vote.answered)])
        for answer, problem in _of_this_try(state, vote):
            view += [Message.text_from(seat, answer), Message.text_from(USER, AGAIN.format(problem=problem))]
        return tuple(view)

    def answer_schema(self, state: GradingState, seat: str) -> Schema | None:
        """Return the schema that the graded game wants answers to have."""
        return state.schema

    def apply(self, state: GradingState, replies: Mapping[str, Reply]) -> GradingState:
        """Read what the graders answered."""
        heard = {seat: self._heard(state, state.votes[seat], reply) for seat, reply in replies.items()}
        return replace(state, votes={**state.votes, **heard})

    def _heard(self, state: GradingState, vote: Vote, reply: Reply) -> Vote:
        problem = UNFINISHED.get(reply.finish_reason, "" if reply.text.strip() else "it is empty")
        if not problem:
            try:
                return self._further(state, vote, reply.text)
            except UnreadableGradeError as error:
                problem = error.message
        unreadable = (*_of_this_try(state, vote), (reply.text, problem))
        out = vote.out + (len(unreadable) > state.reasks)
        return replace(vote, unreadable=unreadable, refused=vote.refused + 1, out=out)

    def _further(self, state: GradingState, vote: Vote, text: str) -> Vote:
        """Take an answer that can be read; the last of them completes the vote."""
        answered = (*vote.answered, self._game.read_grade(state.played, text, len(vote.answered)))
        complete = len(answered) == state.questions
        read = self._game.merge_grades(state.played, answered) if complete else None
        return replace(vote, answered=answered, unreadable=(), read=read)

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
        return sum(vote.refused for vote in state.votes.values())

    def players(self) -> Mapping[str, Player]:
        """Return the scripts that the graded game brings along."""
        return self._game.graders()


def _of_this_try(state: GradingState, vote: Vote) -> tuple[tuple[str, str], ...]:
    """Return the answers that a vote is shown as unreadable: none where it ran out by them, and is asked anew."""
    return vote.unreadable if len(vote.unreadable) <= state.reasks else ()


def _answers(questions: int, options: GradingOptions) -> int:
    return options.votes * (questions + options.again) * (1 + options.reasks) if questions else 0
