"""Dialogues between the scripted players of a puzzle, or with words that a person might say."""

from dataclasses import dataclass, replace
from typing import Any

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from palaver_gamemasters.dice import Dice

__all__ = ["Played", "advice", "begun", "converse", "description", "do", "played", "sight_of"]


@dataclass(frozen=True)
class Played:
    """A dialogue as it stands."""

    now: Any
    lines: tuple[Line, ...] = ()
    turns: int = 0
    mistakes: int = 0

    @property
    def said(self) -> list[str]:
        """What the solver said."""
        return [line.text for line in self.lines if line.speaker == "solver"]


def begun(puzzle: AnyPuzzle, seed: int) -> Any:
    """Return a puzzle's state at the beginning."""
    rules = rules_of(puzzle)
    return puzzle.start(puzzle.generate(rules, Dice(puzzle.name, seed), None), rules)


def do(puzzle: AnyPuzzle, state: Any, *actions: str) -> Any:
    """Perform actions, none of which is a mistake."""
    for action in actions:
        step = puzzle.act(state, action)
        assert not step.mistake
        state = step.state
    return state


def sight_of(puzzle: AnyPuzzle, state: Any, *lines: Line) -> Sight[Any]:
    """Return what a solver knows."""
    return Sight(puzzle.scene(state), puzzle.briefing(state), puzzle.actions(state), Heard(lines))


def played(puzzle: AnyPuzzle, begin: Played, said: str) -> Played:
    """Perform a solver's message, as the game does."""
    now, feedback = begin.now, list[str]()
    for action in orders(said, puzzle.actions(now)):
        step = puzzle.act(now, action)
        feedback.append(MISTAKE if step.mistake else PERFORMED)
        now = step.state
        if puzzle.solved(now):
            break
    lines = (*begin.lines, Line("solver", said))
    if feedback:
        lines = (*lines, Line("environment", "\n".join(feedback)))
    return replace(
        begin, now=now, lines=lines, turns=begin.turns + 1, mistakes=begin.mistakes + feedback.count(MISTAKE)
    )


def converse(puzzle: AnyPuzzle, begin: Played, *, forgetful: bool = False, turns: int = 10) -> Played:
    """Let the scripted players talk until the puzzle is solved; forgetful ones know the latest message only."""
    talk, rules, state = puzzle.talk, rules_of(puzzle), begin
    assert talk is not None
    while state.turns < turns and not puzzle.solved(state.now):
        known = tuple(line for line in state.lines[-1:] if line.speaker == "expert") if forgetful else state.lines
        state = played(puzzle, state, talk.solve(sight_of(puzzle, state.now, *known)))
        told = (Line("solver", state.said[-1]),) if forgetful else state.lines
        advised = talk.advise(rules, Heard(tuple(line for line in told if line.speaker != "environment")))
        state = replace(state, lines=(*state.lines, Line("expert", advised)))
    return state


def advice(puzzle: AnyPuzzle, *said: str) -> str:
    """Return what the scripted expert says to a solver's words."""
    assert puzzle.talk is not None
    return puzzle.talk.advise(rules_of(puzzle), Heard(tuple(Line("solver", text) for text in said)))


def description(puzzle: AnyPuzzle, state: Any, told: str) -> str:
    """Return what the scripted solver says to an expert's words."""
    assert puzzle.talk is not None
    return puzzle.talk.solve(sight_of(puzzle, state, Line("solver", "What now?"), Line("expert", told)))
