"""The rules of PuzzleWorld (sections 3 to 5): a puzzle without instructions, one answer; and ours, for several seats.

A solver alone writes one message. Where there are several, or an expert, they talk in turn; the first ``Answer:`` line
of any solver ends the episode, as does the last message of all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Read, Reply, Scores, Usual, read_instance
from palaver_gamemasters.minutes import GM, Minute, Minutes
from palaver_gamemasters.showing import Panel
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player, Sampling, Schema
from palaver_protocols.transcript import USER, Message

from . import instances, judge, showing
from .answers import answer_of, is_strictly
from .options import MOST, Divide, PuzzleWorldOptions
from .published import published
from .puzzle import Puzzle
from .remarks import remarks
from .scores import measure
from .secrets import secrets_of
from .speakers import PLAYERS
from .state import PuzzleState
from .tasks import EXPERT, LAST, answering_seats, seats_of, task_of, team_tasks

__all__ = ["PuzzleWorldGame"]

VARIANT = re.compile(rf"alone|{EXPERT}|({'|'.join(get_args(Divide))})-[2-{MOST}](-{EXPERT})?")
STUDY = 667
"""Puzzles of the published dataset; of a smaller one, all are played."""


class PuzzleWorldGame(Game[PuzzleState, PuzzleWorldOptions]):
    """The puzzlehunt puzzles of PuzzleWorld, alone or together."""

    name = "puzzleworld"
    summary = "puzzlehunt puzzles without instructions, alone, together or with hints (PuzzleWorld)"
    options_type = PuzzleWorldOptions
    primary_score = "acc_compat"
    usual = Usual(episodes=STUDY, protocol="user", sampling=Sampling(temperature=0.0, max_tokens=4096))

    def of_variant(self, variant: str) -> Mapping[str, Any]:
        """Return who solves together, and whether there is an expert: ``pages-2-expert``.

        Raises:
            UsageError: there is no such variant.
        """
        if not VARIANT.fullmatch(variant):
            raise UsageError(
                f"{self.name} has no variant {variant!r}",
                mend=f"it has: alone, {EXPERT}, and with 2 to {MOST} solvers names like "
                f"{', '.join(f'{each}-2' for each in get_args(Divide))}, pages-3-{EXPERT}",
            )
        divide, _, rest = variant.removesuffix(f"-{EXPERT}").partition("-")
        expert = {"expert": True} if variant == EXPERT or variant.endswith(f"-{EXPERT}") else {}
        return {**({"divide": divide, "solvers": rest} if divide in get_args(Divide) else {}), **expert}

    def variant(self, options: PuzzleWorldOptions) -> str:
        """Name what is played: ``alone``, ``expert``, ``pages-2``, ``modalities-3-expert``."""
        if options.solvers == 1:
            return EXPERT if options.expert else "alone"
        return f"{options.divide}-{options.solvers}" + f"-{EXPERT}" * options.expert

    def instances(self, options: PuzzleWorldOptions, seed: int) -> Iterator[Instance]:
        """Return the puzzles of the dataset, each once; a seed gives another order."""
        return instances.instances(options, seed)

    def remarks(self, instances: Sequence[JsonValue]) -> tuple[str, ...]:
        """Say which labels the study does not have, and what is missing."""
        return tuple(remarks([read_instance(self.name, Puzzle, instance) for instance in instances]))

    def seats(self, options: PuzzleWorldOptions) -> tuple[str, ...]:
        """Return the solvers, then the expert."""
        return seats_of(options)

    def turn_limit(self, options: PuzzleWorldOptions) -> int:
        """Return the number of messages."""
        return options.messages

    def start(self, instance: JsonValue, options: PuzzleWorldOptions) -> PuzzleState:
        """Set the puzzle up. Its pictures are read when they are shown: scoring a run does without.

        Raises:
            InstanceError: it is no puzzle, or a step names a figure that it does not have.
        """
        puzzle: Puzzle = read_instance(self.name, Puzzle, instance)
        for number, step in enumerate(puzzle.reasoning, 1):
            if step.figure is not None and step.figure not in puzzle.figures:
                raise InstanceError(
                    f"puzzleworld instance: {puzzle.id}: figure {step.figure} of step {number} is missing"
                )
        return PuzzleState.begin(puzzle, options)

    def pending(self, state: PuzzleState) -> tuple[str, ...]:
        """Who speaks next, until it is over."""
        return () if state.over else (state.speaker,)

    def view(self, state: PuzzleState, seat: str) -> tuple[Message, ...]:
        """Return a seat's task with its pictures, and the dialogue."""
        told = (*task_of(state.puzzle, state.options, seat), *state.dialogue)
        last = not state.options.alone and len(state.dialogue) == state.options.messages - 1 and seat == state.speaker
        return (*told, Message.text_from(USER, LAST, (seat,))) if last else told

    def secrets(self, instance: JsonValue, options: PuzzleWorldOptions) -> Mapping[str, tuple[str, ...]]:
        """Return the solution and its steps for every solver, and what stands on the pages that it does not hold."""
        return secrets_of(read_instance(self.name, Puzzle, instance), options)

    def split(self, state: PuzzleState, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        """Divide the pages of a solver alone among a team; its lead sees none of them (ours).

        Raises:
            UsageError: there are several seats.
        """
        if not state.options.alone:
            raise UsageError(
                f"puzzleworld: what {seat} is shown cannot be divided", mend="only a solver alone can have such a team"
            )
        return team_tasks(state.puzzle, state.options, seat, members)

    def apply(self, state: PuzzleState, replies: Mapping[str, Reply]) -> PuzzleState:
        """Hear who speaks. A picture that a seat sends along reaches nobody."""
        ((seat, reply),) = replies.items()
        return state.heard(Message.text_from(seat, reply.text))

    def outcome(self, state: PuzzleState) -> GameOutcome | None:
        """Solved if the answer that was handed in is right by the strict rule."""
        if not state.over:
            return None
        return "solved" if is_strictly(state.puzzle.solution, state.output) else "failed"

    def score(self, state: PuzzleState) -> Scores:
        """Measure the episode."""
        return measure(state)

    def minutes(self, state: PuzzleState) -> Minutes:
        """Note of each message which answer it hands in, if any, and whether it is right."""
        return tuple(_noted(state, message) for message in state.dialogue)

    def why(self, state: PuzzleState) -> str:
        """Say what was handed in where it was wrong."""
        if self.outcome(state) != "failed":
            return ""
        return "no answer was handed in" if state.answer is None else f"the answer was {state.answer}"

    def panels(self, state: PuzzleState) -> tuple[Panel, ...]:
        """Show the pages, who holds which, and how far they have come. There are no moves: all is said in words."""
        return showing.panels(state)

    def published(self) -> Mapping[str, Any]:
        """Return the study's tables 2, 5 and 6."""
        return published()

    def grading_views(self, state: PuzzleState) -> tuple[tuple[Message, ...], ...]:
        """Ask a judge about each step of the reference solution (section 4, appendix A); nothing if there are none."""
        return judge.grading_views(state)

    def count_grading_views(self, state: PuzzleState) -> int:
        """Count the steps."""
        return len(state.puzzle.reasoning)

    def grading_schema(self, state: PuzzleState) -> Schema:
        """Return the study's form of a judge's answer."""
        return judge.SCHEMA

    def read_grade(self, state: PuzzleState, text: str, question: int = 0) -> Read:
        """Read the verdict on a step; how the episode ended is the rules' business."""
        return judge.read_verdict(self.outcome(state) or "failed", question + 1, text)

    def merge_grades(self, state: PuzzleState, reads: Sequence[Read]) -> Read:
        """Make the stepwise scores of the verdicts on all steps."""
        return judge.merge_verdicts(self.outcome(state) or "failed", reads)

    def graded_scores(self) -> tuple[str, ...]:
        """Name what follows from the verdicts."""
        return judge.SCORES

    def graders(self) -> Mapping[str, Player]:
        """Return the judges that need no model."""
        return judge.GRADERS

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: chance, and solvers that solve our own puzzles."""
        return PLAYERS


def _noted(state: PuzzleState, message: Message) -> tuple[Minute, ...]:
    answer = answer_of(message.text) if message.speaker in answering_seats(state.options) else None
    if answer is None:
        return ()
    right = is_strictly(state.puzzle.solution, message.text)
    return (Minute(GM, GM, "answer", f"{answer}: {'right' if right else 'wrong'}"),)
