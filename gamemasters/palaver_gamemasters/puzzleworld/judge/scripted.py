"""Judges that need no model: by rules of thumb, and at random.

The rules look for words, so that they can be deceived and can deceive themselves: they are there to show and to test
the machinery, and are no measure of a judge.
"""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from palaver_gamemasters.dice import Dice
from palaver_protocols.content import Text
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import SYSTEM

from ..answers import is_strictly, tells
from .asking import CANDIDATE, LAST, REFERENCE

__all__ = ["GRADERS", "Asked", "read_asked", "results_in"]

GOLD = re.compile(r'reference solution answer of "(.*)",\nthen output final step as true\.', re.DOTALL)
QUOTED = re.compile(r'"([^"\n]+)"|“([^”\n]+)”')
SPELT = re.compile(r"\b[^\W\d_](?:(?:, and|,| and|) [^\W\d_]\b|-[^\W\d_]\b){2,}")
"""Letters that stand alone, in a row: C-A-T, "C, A and T"."""
WORD = re.compile(r"[^\W_]+")


class Asked(NamedTuple):
    """What a judge is asked about: the right answer, the candidate's solution, a step, and whether it is the last."""

    gold: str
    solution: str
    step: str
    is_last: bool


def read_asked(request: TurnRequest) -> Asked:
    """Read a question back out of what a judge is shown.

    Raises:
        UsageError: it is none.
    """
    told = next((message.text for message in request.view if message.speaker == SYSTEM), "")
    shown = next((message for message in request.view if message.speaker != SYSTEM), None)
    texts = [part.text for part in shown.parts if isinstance(part, Text)] if shown else []
    gold = GOLD.search(told)
    if gold is None or len(texts) != 6 or not texts[1].startswith(CANDIDATE) or texts[2] != REFERENCE:
        raise UsageError(
            "the task shows no step to judge", mend="this script judges steps of PuzzleWorld's solutions only"
        )
    _, solution, _, step, question, _ = texts
    return Asked(gold[1], solution.removeprefix(CANDIDATE), step.partition(". ")[2], question == LAST)


def results_in(explanation: str) -> tuple[str, ...]:
    """Find the intermediate results of a step: what is quoted, spelt, in capitals or a number; failing these, names."""
    found = [quoted or curly for quoted, curly in QUOTED.findall(explanation)]
    found += ["".join(re.findall(r"\b[^\W\d_]\b", spelt)) for spelt in SPELT.findall(explanation)]
    words = WORD.findall(explanation)
    found += [word for word in words if len(word) > 1 and (word.isupper() or word.isdigit())]
    found = found or [word for word in words[1:] if len(word) > 1 and word[0].isupper()]
    return tuple(dict.fromkeys(each for each in found if WORD.search(each)))


def _verdict(asked: Asked) -> tuple[bool, str]:
    if asked.is_last:
        right = is_strictly(asked.gold, asked.solution)
        return right, f"The answer {'is' if right else 'is not'} {asked.gold}."
    results = results_in(asked.step)
    missing = [result for result in results if not tells(result, asked.solution)]
    if not results:
        return False, "No result can be told from the words of this step."
    if missing:
        return False, f"The solution does not have {', '.join(missing)}."
    return True, f"The solution has {', '.join(results)}."


# ---- players


def _scripted(request: TurnRequest) -> str:
    return _answer(*_verdict(read_asked(request)))


def _random(request: TurnRequest) -> str:
    return _answer(Dice("random step judge", request.seed, request.turn).below(2) == 1, "The dice say so.")


GRADERS: Mapping[str, Player] = {"random": _random, "scripted": _scripted}
"""The judges by the names under which agents are asked for."""


def _answer(correct: bool, explanation: str) -> str:
    return json.dumps({"correct": correct, "explanation": explanation}, ensure_ascii=False)
