"""Two scripted players of a puzzle with four buttons talk, without a bus; and others do instead of either."""

from collections.abc import Callable
from typing import Any, NamedTuple

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED
from palaver_gamemasters.comma.talk import Heard, Line, Sight, Talk
from palaver_gamemasters.dice import Dice


class Talked(NamedTuple):
    """What a dialogue came to: ``turns`` is the number of the solver's messages."""

    solved: bool
    mistakes: int
    turns: int
    lines: tuple[Line, ...]


def setup(puzzle: AnyPuzzle, index: int) -> Any:
    """Return a state of the puzzle's own manual."""
    rules = rules_of(puzzle)
    return puzzle.start(puzzle.generate(rules, Dice("comma", puzzle.name, 0, index), None), rules)


def play(puzzle: AnyPuzzle, state: Any, *actions: str) -> Any:
    """Return the state after some actions."""
    for action in actions:
        state = puzzle.act(state, action).state
    return state


def sight(puzzle: AnyPuzzle, state: Any, *lines: Line) -> Sight[Any]:
    """Return what a solver knows."""
    return Sight(puzzle.scene(state), "", puzzle.actions(state), Heard(lines))


def told(puzzle: AnyPuzzle, state: Any, advice: str) -> str:
    """Return what the scripted solver answers to advice."""
    return talk_of(puzzle).solve(sight(puzzle, state, Line("solver", "Hello?"), Line("expert", advice)))


def advice(puzzle: AnyPuzzle, *said: str) -> str:
    """Return what the scripted expert answers to a solver's messages, all said before it speaks."""
    return talk_of(puzzle).advise(rules_of(puzzle), Heard(tuple(Line("solver", each) for each in said)))


def talk_of(puzzle: AnyPuzzle) -> Talk[Any, Any]:
    """Return the scripted players."""
    assert puzzle.talk is not None
    return puzzle.talk


def manual_with(puzzle: AnyPuzzle, old: str, new: str) -> str:
    """Return the puzzle's manual with something else in one place."""
    text = own_manual(puzzle).text
    assert text.count(old) == 1, f"{old!r} is in the manual {text.count(old)} times"
    return text.replace(old, new)


def converse(
    puzzle: AnyPuzzle,
    state: Any,
    *,
    remembered: int | None = None,
    solver: Callable[[Sight[Any]], str] | None = None,
    expert: Callable[[Heard], str] | None = None,
) -> Talked:
    """Let a solver and an expert talk for up to ten turns.

    Args:
        puzzle: what is played.
        state: where it begins.
        remembered: how many of the last lines each of them knows; all of them if None.
        solver: who plays instead of the script.
        expert: who plays instead of the script.
    """
    rules, talk, actions = rules_of(puzzle), talk_of(puzzle), puzzle.actions(state)
    lines: list[Line] = []
    mistakes = 0

    def heard(public: list[Line]) -> Heard:
        return Heard(tuple(public if remembered is None else public[-remembered:]))

    for turn in range(1, 11):
        seen = Sight(puzzle.read(puzzle.write(puzzle.scene(state))), "", actions, heard(lines))
        said = solver(seen) if solver else talk.solve(seen)
        lines.append(Line("solver", said))
        done = []
        for action in [each.strip() for each in said.splitlines() if each.strip() in actions]:
            step = puzzle.act(state, action)
            state, mistakes = step.state, mistakes + step.mistake
            done.append(MISTAKE if step.mistake else PERFORMED)
            if puzzle.solved(state) or mistakes == 3:
                return Talked(puzzle.solved(state), mistakes, turn, tuple(lines))
        public = heard([line for line in lines if line.speaker != "environment"])
        answer = expert(public) if expert else talk.advise(rules, public)
        lines += [Line("environment", "\n".join(done))] * bool(done) + [Line("expert", answer)]
    return Talked(solved=False, mistakes=mistakes, turns=10, lines=tuple(lines))
