"""Two scripts in conversation, without a game: what one of them says may reach the other in other words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.puzzle import AnyPuzzle
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from palaver_gamemasters.dice import Dice

REWORDINGS: dict[str, Callable[[str], str]] = {
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
class Ended:
    """How a conversation went. ``turns`` counts the solver's messages."""

    solved: bool
    turns: int
    mistakes: int
    lines: tuple[Line, ...]


def a_state(name: str, index: int = 0) -> tuple[AnyPuzzle, Any, Any]:
    """Return a puzzle, its own rules, and a state to begin with."""
    puzzle = load_puzzle(name)
    rules = rules_of(puzzle)
    return puzzle, rules, puzzle.start(puzzle.generate(rules, Dice("a conversation", name, index), None), rules)


def told_to_solve(name: str, state: Any, *said: str, did: str = "I see something.", feedback: str = "") -> str:
    """Return what the solver says to an expert's words, after something that it did and what came of it."""
    puzzle = load_puzzle(name)
    lines = [Line("solver", did)]
    lines += [Line("environment", feedback)] if feedback else []
    lines += [Line("expert", text) for text in said]
    assert puzzle.talk is not None
    return puzzle.talk.solve(Sight(puzzle.scene(state), "", puzzle.actions(state), Heard(tuple(lines))))


def told_to_advise(name: str, *said: str) -> str:
    """Return what the expert says to a solver's words, one message after the other."""
    puzzle = load_puzzle(name)
    assert puzzle.talk is not None
    return puzzle.talk.advise(rules_of(puzzle), Heard(tuple(Line("solver", text) for text in said)))


def conversation(
    name: str,
    index: int = 0,
    *,
    of_solver: Callable[[str], str] = str,
    of_expert: Callable[[str], str] = str,
    turns: int = 10,
) -> Ended:
    """Let both scripts talk until the puzzle is solved, too many mistakes are made, or turns run out."""
    puzzle, rules, state = a_state(name, index)
    assert puzzle.talk is not None
    lines: list[Line] = []
    mistakes = 0
    actions = puzzle.actions(state)
    for turn in range(turns):
        said = puzzle.talk.solve(Sight(puzzle.scene(state), "", actions, Heard(tuple(lines))))
        ordered = orders(said, actions)
        lines.append(Line("solver", said if ordered else of_solver(said)))
        came: list[str] = []
        for action in ordered:
            step = puzzle.act(state, action)
            state, mistakes = step.state, mistakes + step.mistake
            came.append(MISTAKE if step.mistake else PERFORMED)
            if puzzle.solved(state) or mistakes == 3:
                return Ended(puzzle.solved(state), turn + 1, mistakes, tuple(lines))
        public = Heard(tuple(line for line in lines if line.speaker != "environment"))
        lines += [Line("environment", "\n".join(came))] if came else []
        lines.append(Line("expert", of_expert(puzzle.talk.advise(rules, public))))
    return Ended(False, turns, mistakes, tuple(lines))


def manual_with(name: str, old: str, new: str) -> tuple[AnyPuzzle, str]:
    """Return a puzzle and its own manual with a part replaced."""
    puzzle = load_puzzle(name)
    text = own_manual(puzzle).text
    assert old in text
    return puzzle, text.replace(old, new, 1)
