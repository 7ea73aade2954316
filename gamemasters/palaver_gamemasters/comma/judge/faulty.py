"""Scripted players that err in one way each, and otherwise play as ``scripted`` does.

They are made so that a judge can be tried without a model: their errors are ours, plainer than those of models, and no
evidence about any. Where the fault is another seat's, or the role another one, they play without it.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player, TurnRequest

from ..instances import rules_of
from ..puzzle import AnyPuzzle
from ..puzzles import load_puzzle
from ..speakers.glance import Glance, glance
from ..speakers.scripted import scripted_player
from ..state import MISTAKE, orders
from ..talk import Heard, Line, Sight

__all__ = ["FAULTY"]

SAMPLES = 12
"""Initialisations from which somebody who misreads takes what is not there."""


def roleplaying_player(request: TurnRequest) -> str:
    """Take the other's part: an expert speaks the solver's lines, a solver instructs; for a while or for good."""
    seen = glance(request)
    patience = Dice("roleplaying comma player", request.seed).below(4) or 99
    role = "solver" if seen.actions else "expert"
    if request.role != "player" or len(seen.heard.of(role)) >= patience:
        return scripted_player(request)
    if role == "expert":
        latest = seen.heard.latest or "The image shows the puzzle."
        return f"SOLVER: {latest}"
    return "Expert: Please tell me what you see, and I will guide you. The manual says what to do."


def misreading_player(request: TurnRequest) -> str:
    """As a solver, see something that is not there, until a mistake makes it look again."""
    seen = glance(request)
    if _plain(request, seen) or MISTAKE in "\n".join(seen.heard.of("environment")):
        return scripted_player(request)
    puzzle = load_puzzle(request.variant)
    wrong = _misread(puzzle, seen, Dice("misreading comma player", request.seed, seen.scene))
    if wrong is None:
        return scripted_player(request)
    said = _solved(puzzle, seen, wrong)
    asked = orders(said, seen.actions)
    return "\n".join(asked) if asked else said


def repeating_player(request: TurnRequest) -> str:
    """As a solver, misread at first, and after a mistake do the very same again and again."""
    seen = glance(request)
    if not _plain(request, seen) and MISTAKE in "\n".join(seen.heard.of("environment")):
        done = [said for said in seen.heard.of("solver") if orders(said, seen.actions)]
        if done:
            return done[-1]
    return misreading_player(request)


def disobedient_player(request: TurnRequest) -> str:
    """As a solver, hear what the expert wants done, and do something else that it has not tried yet."""
    seen = glance(request)
    said = scripted_player(request)
    wanted = orders(said, seen.actions)
    if _plain(request, seen) or not wanted:
        return said
    tried = {action for text in seen.heard.of("solver") for action in orders(text, seen.actions)}
    others = [action for action in seen.actions if action not in tried and action != wanted[0]]
    return Dice("disobedient comma player", request.seed, request.turn).pick(others) if others else said


def hasty_player(request: TurnRequest) -> str:
    """As a solver, act before anybody has been asked."""
    seen = glance(request)
    if _plain(request, seen) or seen.heard.of("solver"):
        return scripted_player(request)
    return Dice("hasty comma player", request.seed).pick(seen.actions)


def mumbling_player(request: TurnRequest) -> str:
    """As a solver, name actions within a sentence, so that none is performed."""
    seen = glance(request)
    said = scripted_player(request)
    wanted = orders(said, seen.actions)
    return said if _plain(request, seen) or not wanted else f"Thank you! I will do {' and then '.join(wanted)} now."


FAULTY: Mapping[str, Player] = {
    "scripted/roleplaying": roleplaying_player,
    "scripted/misreading": misreading_player,
    "scripted/repeating": repeating_player,
    "scripted/disobedient": disobedient_player,
    "scripted/hasty": hasty_player,
    "scripted/mumbling": mumbling_player,
}
"""The players by the names under which they fill seats."""


def _plain(request: TurnRequest, seen: Glance) -> bool:
    """Whether there is no occasion to err as a solver."""
    return request.role != "player" or not seen.actions or not seen.scene


def _solved(puzzle: AnyPuzzle, seen: Glance, scene: str) -> str:
    assert puzzle.talk is not None  # scripted_player would have said so
    return puzzle.talk.solve(Sight(puzzle.read(scene), seen.task, seen.actions, seen.heard))


# ---- seeing what is not there


def _misread(puzzle: AnyPuzzle, seen: Glance, dice: Dice) -> str | None:
    """Return the scene with a line from another one, if possible one for which the manual has other advice."""
    if puzzle.talk is None:
        return None
    rules = rules_of(puzzle)
    lines = seen.scene.split("\n")
    other = list(_other_lines(puzzle, lines))
    dice.shuffle(other)
    true, second = _solved(puzzle, seen, seen.scene), None
    for number, line in other:
        text = "\n".join([*lines[:number], line, *lines[number + 1 :]])
        said = _said_of(puzzle, seen, text)
        if said is None or said == true:
            continue
        second = second or text
        told, meant = (_advised(puzzle, rules, seen, each) for each in (said, true))
        if told != meant:
            return text
    return second


def _other_lines(puzzle: AnyPuzzle, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield lines that could stand in the place of a scene's own: those of other scenes of the same form."""
    for text in _samples(puzzle):
        others = text.split("\n")
        for number, (mine, line) in enumerate(zip(lines, others, strict=False)):
            if mine != line and len(mine.split()) == len(line.split()):
                yield number, line


def _said_of(puzzle: AnyPuzzle, seen: Glance, text: str) -> str | None:
    """Return what a script says of a scene; None if there is no such scene."""
    try:
        return _solved(puzzle, seen, text) if puzzle.write(puzzle.read(text)) == text else None
    except (ValueError, LookupError):  # lines of two scenes need not make one
        return None


def _advised(puzzle: AnyPuzzle, rules: Any, seen: Glance, said: str) -> str:
    assert puzzle.talk is not None  # whoever asks has looked
    return puzzle.talk.advise(rules, Heard((*seen.lines, Line("solver", said))))


@lru_cache(maxsize=64)
def _samples(puzzle: AnyPuzzle) -> tuple[str, ...]:
    texts = []
    for index in range(SAMPLES):
        try:
            rules = rules_of(puzzle)
            setup = puzzle.generate(rules, Dice("comma misreading", puzzle.name, index), None)
            texts.append(puzzle.write(puzzle.scene(puzzle.start(setup, rules))))
        except InstanceError:  # a puzzle that needs files of the user's
            continue
    return tuple(texts)
