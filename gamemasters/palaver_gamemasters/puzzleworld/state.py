"""An episode of PuzzleWorld as it stands: what was said, and whether an answer has been handed in."""

from dataclasses import dataclass, replace

from palaver_protocols.transcript import Message

from .answers import answer_of, tells
from .options import PuzzleWorldOptions
from .puzzle import Puzzle
from .tasks import EXPERT, answering_seats, seats_of

__all__ = ["PuzzleState"]


@dataclass(frozen=True, slots=True)
class PuzzleState:
    """An episode as it stands. ``seats`` speak one after the other; ``dialogue`` is all that they have said."""

    puzzle: Puzzle
    options: PuzzleWorldOptions
    seats: tuple[str, ...]
    dialogue: tuple[Message, ...] = ()

    @classmethod
    def begin(cls, puzzle: Puzzle, options: PuzzleWorldOptions) -> "PuzzleState":
        """Begin an episode."""
        return cls(puzzle, options, seats_of(options))

    @property
    def speaker(self) -> str:
        """Whose turn it is."""
        return self.seats[len(self.dialogue) % len(self.seats)]

    @property
    def solvers_said(self) -> tuple[Message, ...]:
        """What the solvers have said: the candidate's solution."""
        return tuple(message for message in self.dialogue if message.speaker != EXPERT)

    @property
    def output(self) -> str:
        """All that those have written whose answer counts, message after message."""
        answering = answering_seats(self.options)
        return "\n\n".join(message.text for message in self.dialogue if message.speaker in answering)

    @property
    def answer(self) -> str | None:
        """The answer that has been handed in, as it was written; None if none has been."""
        return answer_of(self.output)

    @property
    def over(self) -> bool:
        """Whether an answer has been handed in, or nobody may speak any more."""
        return len(self.dialogue) >= self.options.messages or self.answer is not None

    @property
    def leaked(self) -> bool:
        """Whether the expert has told the solution before any solver had it."""
        for message in self.dialogue:
            if tells(self.puzzle.solution, message.text):
                return message.speaker == EXPERT
        return False

    def heard(self, message: Message) -> "PuzzleState":
        """Return the state after a message."""
        return replace(self, dialogue=(*self.dialogue, message))
