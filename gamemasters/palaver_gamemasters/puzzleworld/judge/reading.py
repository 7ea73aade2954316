"""What a judge answers: a verdict on a step, and why, as JSON. Nothing else is read out of its words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from pydantic import ConfigDict, JsonValue, StrictBool, StrictStr, ValidationError

from palaver_gamemasters.game import GameOutcome, Read, UnreadableGradeError
from palaver_protocols.content import Frozen
from palaver_protocols.errors import first_problem
from palaver_protocols.messages import Schema

from .scores import measure

__all__ = ["SCHEMA", "merge_verdicts", "read_verdict"]

WANTED = 'a JSON object such as {"correct": true, "explanation": "..."}'

SCHEMA: Schema = {
    "title": "StepComparison",
    "type": "object",
    "properties": {"correct": {"type": "boolean"}, "explanation": {"type": "string"}},
    "required": ["correct", "explanation"],
    "additionalProperties": False,
}
"""The study's form of an answer."""


class _StepComparison(Frozen):
    model_config = ConfigDict(frozen=True, extra="forbid")

    correct: StrictBool
    explanation: StrictStr


def read_verdict(outcome: GameOutcome, step: int, text: str) -> Read:
    """Read what a judge says of a step: one JSON object, which may stand in a fence or between words.

    Args:
        outcome: how the episode ended; that is no business of the judge's.
        step: its number, from 1.
        text: the judge's answer.

    Returns:
        ``correct`` as the only score; the verdict and its explanation as detail.

    Raises:
        UnreadableGradeError: there is no such object, or there are several; says what is wrong, for the judge to mend.
    """
    found = list(_objects(text))
    if len(found) != 1:
        how_many = f"it holds {len(found)} JSON objects" if found else "it holds no JSON object"
        raise UnreadableGradeError(f"{how_many}; give {WANTED}")
    try:
        said = _StepComparison.model_validate(found[0])
    except ValidationError as error:
        raise UnreadableGradeError(f"{first_problem(error)}; give {WANTED}") from error
    detail: JsonValue = {"step": step, "correct": said.correct, "explanation": said.explanation}
    return Read(outcome, {"correct": float(said.correct)}, detail)


def merge_verdicts(outcome: GameOutcome, reads: Sequence[Read]) -> Read:
    """Make the scores of the verdicts on all steps, in order; the detail holds each verdict with its explanation."""
    verdicts = [read.scores["correct"] == 1 for read in reads]
    return Read(outcome, measure(verdicts), [read.detail for read in reads])


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects in a text, the outermost ones; what stands between them is passed over."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its fields, unless one of them is there twice: which of them counts, nobody knows."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is there twice")
    return fields


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
