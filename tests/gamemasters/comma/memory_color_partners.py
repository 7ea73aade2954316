"""Two partners who talk about a puzzle; what one says may reach the other in another wording."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from palaver_gamemasters.dice import Dice

TURNS = 10
Wording = Callable[[str], str]


@dataclass(frozen=True)
class Talked:
    """How a talk went: turns taken, mistakes made, whether the puzzle was solved, all that was said."""

    turns: int
    mistakes: int
    solved: bool
    lines: tuple[Line, ...]


def begin(puzzle: AnyPuzzle, seed: int) -> Any:
    rules = rules_of(puzzle)
    return puzzle.start(puzzle.generate(rules, Dice("partners", seed), None), rules)


def random_play(puzzle: AnyPuzzle, seed: int, steps: int = 30) -> Iterator[Any]:
    state, dice = begin(puzzle, seed), Dice("a walk", seed)
    yield state
    for _ in range(steps):
        state = puzzle.act(state, dice.pick(puzzle.actions(state))).state
        yield state
        if puzzle.solved(state):
            return


def same(text: str) -> str:
    return text


def talk(
    puzzle: AnyPuzzle,
    seed: int = 0,
    *,
    solver: Wording = same,
    expert: Wording = same,
    memory: bool = True,
    slips: tuple[int, ...] = (),
) -> Talked:
    """Let the scripts talk.

    Args:
        puzzle: the puzzle.
        seed: of the initialisation.
        solver: how the solver's prose, its actions aside, reaches the expert.
        expert: how the expert's words reach the solver.
        memory: whether they know more than what was said last.
        slips: turns at which the solver does not say what it means to, but presses what is surely wrong.
    """
    assert puzzle.talk is not None
    rules, state = rules_of(puzzle), begin(puzzle, seed)
    actions = puzzle.actions(state)
    dialogue: list[Line] = []
    mistakes = 0
    for turn in range(TURNS):
        known = dialogue if memory else [line for line in dialogue if line.speaker == "expert"][-1:]
        said = puzzle.talk.solve(Sight(puzzle.scene(state), "", actions, Heard(tuple(known))))
        if turn in slips:
            said = next(action for action in actions if puzzle.act(state, action).mistake)
        feedback = []
        for action in orders(said, actions):
            state, mistake = puzzle.act(state, action)
            mistakes += mistake
            feedback.append(MISTAKE if mistake else PERFORMED)
            if puzzle.solved(state):
                return Talked(turn + 1, mistakes, True, (*dialogue, Line("solver", said)))
        told = "\n".join(line if line in actions else solver(line) for line in said.split("\n"))
        dialogue.append(Line("solver", told))
        dialogue += [Line("environment", "\n".join(feedback))] if feedback else []
        public = [line for line in dialogue if line.speaker != "environment"]
        advice = puzzle.talk.advise(rules, Heard(tuple(public if memory else public[-1:])))
        dialogue.append(Line("expert", expert(advice)))
    return Talked(TURNS, mistakes, False, tuple(dialogue))
