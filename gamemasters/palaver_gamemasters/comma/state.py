"""An episode of COMMA as it stands, and how a solver's message changes it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from palaver_protocols.transcript import ENVIRONMENT, Message

from .options import CommaOptions
from .puzzle import AnyPuzzle
from .speech import lines_of

__all__ = ["MISTAKE", "PERFORMED", "SOLVER", "CommaState", "Deed", "heard", "orders"]

SOLVER = "solver"
PERFORMED = "The action was performed successfully"
MISTAKE = "That action seems to have been a mistake"
"""What the environment says after an action (COMMA, figures 1 and 2)."""


class Deed(NamedTuple):
    """An action that was performed: at which turn (from 0), in which state of the puzzle."""

    turn: int
    action: str
    before: Any
    mistake: bool


@dataclass(frozen=True)
class CommaState:
    """An episode as it stands.

    ``tasks`` is what each seat is told at the beginning, ``now`` the puzzle's own state, ``dialogue`` what was said,
    the environment's feedback included. ``turn`` counts the solver's messages, ``speaker`` is who comes next (an index
    of ``seats``), ``best`` the best progress so far, and ``ended`` the turn at which the puzzle was solved or the last
    mistake allowed was made.
    """

    puzzle: AnyPuzzle
    options: CommaOptions
    seats: tuple[str, ...]
    tasks: Mapping[str, Message]
    rules: Any
    manual: str
    now: Any
    actions: tuple[str, ...]
    dialogue: tuple[Message, ...] = ()
    turn: int = 0
    speaker: int = 0
    deeds: tuple[Deed, ...] = ()
    best: float = 0.0
    ended: int | None = None

    @property
    def mistakes(self) -> int:
        """How many mistakes the solver has made."""
        return sum(deed.mistake for deed in self.deeds)

    @property
    def solved(self) -> bool:
        """Whether the puzzle is solved."""
        return bool(self.puzzle.solved(self.now))

    @property
    def over(self) -> bool:
        """Whether the episode has ended: nobody hears what an expert would say after the solver's last turn."""
        return self.ended is not None or self.turn >= self.options.turns

    @property
    def length(self) -> int:
        """The turn, from 0, at which the episode ended; the number of turns where they ran out (COMMA, section 4.2)."""
        return self.options.turns if self.ended is None else self.ended


def orders(text: str, actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the actions of a message: each line that is exactly a valid action's name, white space around it aside.

    COMMA, section 4.1: exact string matching. An action within a sentence, or in another case, is none.
    """
    return tuple(line for each in lines_of(text) if (line := each.strip()) in actions)


def heard(state: CommaState, message: Message) -> CommaState:
    """Return the state after a seat has spoken: the solver's actions are performed, in order, as far as they count.

    Performing stops at the last mistake that is allowed, or at success.
    """
    dialogue = (*state.dialogue, message)
    following = (state.speaker + 1) % len(state.seats)
    if message.speaker != SOLVER:
        return replace(state, dialogue=dialogue, speaker=following)
    now, best, ended, done = state.now, state.best, None, list[Deed]()
    for action in orders(message.text, state.actions):
        step = state.puzzle.act(now, action)
        done.append(Deed(state.turn, action, now, step.mistake))
        now = step.state
        best = max(best, _progress(state.puzzle, now))
        if state.puzzle.solved(now) or state.mistakes + sum(deed.mistake for deed in done) >= state.options.mistakes:
            ended = state.turn
            break
    if done:
        feedback = "\n".join(MISTAKE if deed.mistake else PERFORMED for deed in done)
        dialogue = (*dialogue, Message.text_from(ENVIRONMENT, feedback, (SOLVER,)))
    return replace(
        state,
        dialogue=dialogue,
        speaker=following,
        turn=state.turn + 1,
        now=now,
        deeds=(*state.deeds, *done),
        best=best,
        ended=ended,
    )


def _progress(puzzle: AnyPuzzle, now: Any) -> float:
    """Return the progress in a state.

    Raises:
        ValueError: it is no share: the puzzle has a bug.
    """
    share = float(puzzle.progress(now))
    if not 0 <= share <= 1:
        raise ValueError(f"the progress of the puzzle {puzzle.name} is {share:g}, not from 0 to 1")
    return share
