"""A judge that needs no model: it goes by rules, as far as rules and the puzzle's own scripts can tell.

What it knows for sure are repetitions (the game counts them) and lines that nobody but the other player could have
written. Misinterpretation and miscommunication it infers: it asks the scripts what they would have made of the scene,
the manual and what was said. Scripts do not understand all that models and people say, so that this judge sees less
than a model does; it is there to show and to test the machinery, and to find plain cases for nothing.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player, TurnRequest

from ..instances import rules_of
from ..state import orders
from ..talk import Heard, Line, Sight
from .case import Case, Turn, read_case
from .labels import ERRORS, NONE

__all__ = ["GRADERS", "found_in"]

AS_SOLVER = re.compile(
    r"^\W*solver\W{0,3}:|\bI (?:can |do )?see (?:a|an|the|that|\d|two|three|four|five|six)\b|\bthe image shows\b",
    re.IGNORECASE | re.MULTILINE,
)
AS_EXPERT = re.compile(
    r"^\W*expert\W{0,3}:|\b(?:my|the) manual (?:says|tells|states)\b|\baccording to (?:my|the) manual\b"
    r"|\b(?:please )?(?:describe|tell me) what you (?:can )?see\b|\bI will (?:guide|instruct) you\b",
    re.IGNORECASE | re.MULTILINE,
)


def found_in(case: Case) -> dict[str, str]:
    """Return the errors of a conversation, each with its reason, the main one first."""
    found = {error: reason for error, rule in RULES.items() if (reason := rule(case))}
    if not found and (not case.solved or any(turn.mistaken for turn in case.turns)):
        found["other"] = _unnamed(case)
    return found


def _unnamed(case: Case) -> str:
    for number, turn in enumerate(case.turns, 1):
        if not turn.feedback and _names_an_action(case, turn.said):
            return f"In turn {number} the solver names an action within a sentence, so that it is not performed."
    return "Something went wrong that no rule has a name for."


def _names_an_action(case: Case, text: str) -> bool:
    return any(re.search(rf"\b{re.escape(action)}\b", text) for action in case.actions)


def _roleplay(case: Case) -> str:
    for number, turn in enumerate(case.turns, 1):
        for line in turn.lines:
            if line.speaker == "expert" and (AS_SOLVER.search(line.text) or orders(line.text, case.actions)):
                return f"In turn {number} the expert speaks as if it were the solver."
            if line.speaker == "solver" and AS_EXPERT.search(line.text):
                return f"In turn {number} the solver speaks as if it were the expert."
    return ""


def _repetition(case: Case) -> str:
    return "The solver makes a mistake again that it had made before, in the same state." if case.repeated else ""


def _misinterpretation(case: Case) -> str:
    """Whether the manual advises something else for what was told than for what was there, and harm came of it."""
    if case.solved and not any(turn.mistaken for turn in case.turns):
        return ""
    for number, turn in enumerate(case.turns):
        if _is_misleading(case, number, turn):
            return f"What the solver says in turn {number + 1} is not what there is to be seen."
    return ""


def _is_misleading(case: Case, number: int, turn: Turn) -> bool:
    """Whether the solver tells in a turn of talk what the scripts would not have told."""
    if turn.feedback or _names_an_action(case, turn.said):
        return False
    talk, sight, rules = case.puzzle.talk, _sight(case, number), _rules(case)
    if talk is None or sight is None or rules is None:
        return False
    true = talk.solve(sight)
    if orders(true, case.actions):
        true = talk.describe(sight)
    if turn.said == true:
        return False
    before = case.before(number)
    nothing = talk.advise(rules, Heard(()))
    told, meant = (talk.advise(rules, Heard((*before, Line("solver", text)))) for text in (turn.said, true))
    return nothing not in (told, meant) and told != meant


def _miscommunication(case: Case) -> str:
    """Whether the solver's mistake was its own: not what the expert's last words ask for.

    Where the solver has misread the puzzle, and no mistake has told it so, it may obey as well as it can.
    """
    if not case.experts:
        return ""
    misled = False
    for number, turn in enumerate(case.turns):
        misled = (misled and not (number and case.turns[number - 1].mistaken)) or _is_misleading(case, number, turn)
        if misled:
            continue
        sight = _sight(case, number) if turn.mistaken else None
        if sight is None or case.puzzle.talk is None:
            continue
        asked = orders(case.puzzle.talk.solve(sight), case.actions)
        done = turn.performed(case.actions)
        if asked[: len(done)] != done:
            how = "against the expert's instruction" if asked else "without an instruction of the expert's"
            return f"In turn {number + 1} the solver acts {how}."
    return ""


RULES: Mapping[str, Callable[[Case], str]] = {
    "roleplay": _roleplay,
    "repetition": _repetition,
    "misinterpretation": _misinterpretation,
    "miscommunication": _miscommunication,
}
"""By weight: the first that applies is the main one."""


def _sight(case: Case, number: int) -> Sight[object] | None:
    """Return what the solver saw and knew at a turn; None where the text cannot be read."""
    try:
        scene = case.puzzle.read(case.turns[number].scene)
    except ValueError:
        return None
    return Sight(scene, case.task, case.actions, Heard(case.before(number)))


def _rules(case: Case) -> Any:
    try:
        return rules_of(case.puzzle, case.manual)
    except InstanceError:
        return None


# ---- players


def _scripted(request: TurnRequest) -> str:
    found = _found(request.view[0].text)
    return _answer(tuple(found), next(iter(found), NONE), next(iter(found.values()), "Nothing went wrong."))


def _sloppy(request: TurnRequest) -> str:
    """Judge as ``scripted`` does, in a bad form, by the seed: one that can be read, or prose until asked again."""
    answer, manner = _scripted(request), Dice("sloppy judge", request.seed).below(4)
    match manner:
        case 0:
            return f"Let me think.\n\n{answer}\n\nI hope this helps!"
        case 1:
            return answer.removeprefix("```yaml\n").removesuffix("\n```").replace("_", " ")
        case 2 if len(request.view) == 1:
            return "They could have done better, both of them."
    return answer


def _random(request: TurnRequest) -> str:
    main = Dice("random judge", request.seed, request.turn).pick((*ERRORS, NONE))
    return _answer(() if main == NONE else (main,), main, "The dice say so.")


GRADERS: Mapping[str, Player] = {"random": _random, "scripted": _scripted, "scripted/sloppy": _sloppy}
"""The judges by the names under which agents are asked for."""


@lru_cache(maxsize=256)
def _found(prompt: str) -> dict[str, str]:
    return found_in(read_case(prompt))


def _answer(errors: tuple[str, ...], main: str, reason: str) -> str:
    lines = [f"errors: [{', '.join(errors)}]", f"main: {main}", f"reason: {json.dumps(reason)}"]
    return "\n".join(["```yaml", *lines, "```"])
