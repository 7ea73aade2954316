"""The scripted players of a puzzle in conversation, without a game; or one of them, and what others would say."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight, Talk
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

__all__ = [
    "REWORDINGS",
    "Talked",
    "Wording",
    "advice",
    "after_saying",
    "converse",
    "generated",
    "manual_with",
    "performed",
    "random_play",
    "refusal",
    "sight",
    "told_to_solve",
]

TURNS, MISTAKES = 10, 3
Wording = Callable[[str], str]
REWORDINGS: dict[str, Wording] = {
    "as it is": str,
    "shouted": str.upper,
    "politely": lambda text: f"Thank you very much! {text} Please take your time, my friend.",
    "with thoughts": lambda text: f"Hmm, let me think...\n\n{text}\n\nI hope this helps.",
    "curly quotes": lambda text: text.replace(' "', " \N{LEFT DOUBLE QUOTATION MARK}").replace(
        '"', "\N{RIGHT DOUBLE QUOTATION MARK}"
    ),
    "spaced out": lambda text: text.replace(" ", "  ").replace(". ", ".\n"),
}
"""Ways to say the same."""


@dataclass(frozen=True)
class Talked:
    """A conversation as it stands: ``now`` is the puzzle's state, ``turns`` counts the solver's messages."""

    now: Any
    lines: tuple[Line, ...] = ()
    turns: int = 0
    mistakes: int = 0
    solved: bool = False

    @property
    def said(self) -> list[str]:
        """What the solver said."""
        return [line.text for line in self.lines if line.speaker == "solver"]


def generated(puzzle: AnyPuzzle, seed: int = 0) -> Any:
    """Return a state to begin with, by the puzzle's own manual."""
    rules = rules_of(puzzle)
    return puzzle.start(puzzle.generate(rules, Dice("conversing", puzzle.name, seed), None), rules)


def performed(puzzle: AnyPuzzle, state: Any, *actions: str) -> Any:
    """Return the state after actions, none of which is a mistake."""
    for action in actions:
        step = puzzle.act(state, action)
        assert not step.mistake
        state = step.state
    return state


def random_play(puzzle: AnyPuzzle, seed: int, steps: int = 30) -> Iterator[Any]:
    """Go from state to state by valid actions, each as likely as the others, up to success."""
    state, dice = generated(puzzle, seed), Dice("a walk", seed)
    yield state
    for _ in range(steps):
        state = puzzle.act(state, dice.pick(puzzle.actions(state))).state
        yield state
        if puzzle.solved(state):
            return


def manual_with(puzzle: AnyPuzzle, old: str, new: str) -> str:
    """Return the puzzle's own manual with something else in one place."""
    text = own_manual(puzzle).text
    assert old in text
    return text.replace(old, new, 1)


def refusal(puzzle: AnyPuzzle, manual: str) -> str:
    """Return the one line with which a manual is refused, ``mine.md`` by name."""
    with pytest.raises(InstanceError) as raised:
        puzzle.read_manual(Manual("mine.md", manual))
    assert "\n" not in str(raised.value)
    return str(raised.value)


# ---- one of the two


def sight(puzzle: AnyPuzzle, state: Any, *lines: Line) -> Sight[Any]:
    """Return what a solver knows."""
    scene = puzzle.read(puzzle.write(puzzle.scene(state)))
    return Sight(scene, puzzle.briefing(state), puzzle.actions(state), Heard(lines))


def told_to_solve(
    puzzle: AnyPuzzle, state: Any, *advised: str, did: str = "What do you see?", feedback: str = ""
) -> str:
    """Return what the solver answers to experts' words, after something that it did and what came of it."""
    lines = [Line("solver", did), *([Line("environment", feedback)] if feedback else [])]
    return talk_of(puzzle).solve(sight(puzzle, state, *lines, *(Line("expert", text) for text in advised)))


def advice(puzzle: AnyPuzzle, *said: str) -> str:
    """Return what the expert answers to a solver's messages, all said before it speaks."""
    return talk_of(puzzle).advise(rules_of(puzzle), Heard(tuple(Line("solver", text) for text in said)))


def talk_of(puzzle: AnyPuzzle) -> Talk[Any, Any]:
    """Return the scripted players."""
    assert puzzle.talk is not None
    return puzzle.talk


# ---- both


def after_saying(puzzle: AnyPuzzle, talked: Talked, said: str, wording: Wording = str) -> Talked:
    """Return a conversation after a solver's message, performed as the game does; its prose is told in a wording."""
    now, mistakes, actions = talked.now, talked.mistakes, puzzle.actions(talked.now)
    feedback = list[str]()
    for action in orders(said, actions):
        step = puzzle.act(now, action)
        now, mistakes = step.state, mistakes + step.mistake
        feedback.append(MISTAKE if step.mistake else PERFORMED)
        if puzzle.solved(now) or mistakes == MISTAKES:
            break
    told = "\n".join(line if line.strip() in actions else wording(line) for line in said.split("\n"))
    heard = [Line("solver", told), *([Line("environment", "\n".join(feedback))] if feedback else [])]
    return Talked(now, (*talked.lines, *heard), talked.turns + 1, mistakes, bool(puzzle.solved(now)))


def converse(
    puzzle: AnyPuzzle,
    state: Any,
    *,
    solver: Callable[[Sight[Any]], str] | None = None,
    expert: Callable[[Heard], str] | None = None,
    of_solver: Wording = str,
    of_expert: Wording = str,
    memory: bool = True,
    slips: tuple[int, ...] = (),
) -> Talked:
    """Let a solver and an expert talk until the puzzle is solved, too many mistakes are made, or turns run out.

    Args:
        puzzle: what is played.
        state: where it begins.
        solver: who plays instead of the script.
        expert: who plays instead of the script.
        of_solver: how the solver's prose, its actions aside, reaches the expert.
        of_expert: how the expert's words reach the solver.
        memory: whether they know more than what the other said last.
        slips: turns at which the solver does not say what it means to, but presses what is surely wrong.
    """
    solve = solver or talk_of(puzzle).solve
    advise = expert or partial(talk_of(puzzle).advise, rules_of(puzzle))
    talked = Talked(state)
    while talked.turns < TURNS:
        advised = [line for line in talked.lines if line.speaker == "expert"]
        said = solve(sight(puzzle, talked.now, *(talked.lines if memory else advised[-1:])))
        if talked.turns in slips:
            said = next(each for each in puzzle.actions(talked.now) if puzzle.act(talked.now, each).mistake)
        talked = after_saying(puzzle, talked, said, of_solver)
        if talked.solved or talked.mistakes == MISTAKES:
            return talked
        public = [line for line in talked.lines if line.speaker != "environment"]
        answer = advise(Heard(tuple(public if memory else public[-1:])))
        talked = replace(talked, lines=(*talked.lines, Line("expert", of_expert(answer))))
    return talked
