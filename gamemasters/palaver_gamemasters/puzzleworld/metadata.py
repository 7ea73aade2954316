"""What a dataset says of a puzzle (PuzzleWorld, submission guide): a ``metadata.json``, or a line of a file.

What is told in several ways is taken in all of them: the flavour text under both of its keys, labels as a list or as
one text, a number as a solution. Labels that the study does not have are kept.
"""

import ast
import unicodedata
from collections.abc import Collection
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, JsonValue, ValidationError, model_validator

from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, first_problem

from .puzzle import DIFFICULTIES, MODALITIES, SKILLS, ReasoningStep

__all__ = ["Metadata", "label", "read_metadata"]

FLAVOURS = ("flavor_text", "flavor text", "flavour_text", "flavour text")
"""How the flavour text may be called, the study's own name first."""


def label(text: str, known: Collection[str]) -> str:
    """Return a label as the study spells it, if it is one of the study's: ``Tool use`` is ``tool_use``."""
    plain = text.strip().lower().replace(" ", "_").replace("-", "_")
    return plain if plain in known else text.strip()


def _text(value: Any) -> Any:
    """Take nothing for an empty text, and a number for its digits."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if number else "" if value is None else value


def _not_blank(value: Any) -> Any:
    if value is None or value == "" or (isinstance(value, str) and not value.strip()):
        raise ValueError("it is empty")
    return _text(value)


def _readable(text: str) -> str:
    """Refuse what nobody can see and some programs stumble over, such as NUL."""
    strange = next((each for each in text if unicodedata.category(each) == "Cc" and each not in "\t\n\r"), None)
    if strange is not None:
        raise ValueError(f"it has the control character U+{ord(strange):04X}")
    return text


def _in_one_line(text: str) -> str:
    """Refuse a name of several lines; blanks around it are nobody's concern."""
    if len(text.strip().splitlines()) > 1:
        raise ValueError("it should be one line")
    return _readable(text)


def _steps(value: Any) -> Any:
    """Take a bare text for a step's explanation, and an empty figure for none."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError("it should be a list of steps")
    steps = [{"explanation": step} if isinstance(step, str) else step for step in value]
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict):
            raise ValueError(f"step {number} is no step")
        explanation = step.get("explanation")
        if explanation is None or explanation == "" or (isinstance(explanation, str) and not explanation.strip()):
            raise ValueError(f"step {number} has no explanation")
        if not isinstance(explanation, str):
            raise ValueError(f"step {number}: its explanation should be text")
        if not isinstance(step.get("figure"), str | None):
            raise ValueError(f"step {number}: its figure should be the name of a file")
        _readable(explanation)
    return [{**step, "figure": step.get("figure") or None} for step in steps]


def _labels(known: Collection[str]) -> BeforeValidator:
    def read(value: Any) -> Any:
        """Take one text for a list: with commas, or as Python and CSV files write lists."""
        if value is None:
            return ()
        listed = _divided(value) if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise ValueError("it should be a list of words")
        return tuple(dict.fromkeys(label(each, known) for each in listed if each.strip()))

    return BeforeValidator(read)


def _divided(text: str) -> Any:
    if text.strip().startswith("["):
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            pass  # not written by a program: commas it is
    return text.strip().strip("[]").split(",")


def _difficulty(value: Any) -> Any:
    return (label(value, DIFFICULTIES) or None) if isinstance(value, str) else value


class Metadata(Frozen):
    """A puzzle's metadata; what else a dataset says of it is its own business."""

    title: Annotated[str, BeforeValidator(_not_blank), AfterValidator(_in_one_line)]
    flavor_text: Annotated[str, BeforeValidator(_text), AfterValidator(_readable)] = ""
    solution: Annotated[str, BeforeValidator(_not_blank), AfterValidator(_in_one_line)]
    reasoning: Annotated[tuple[ReasoningStep, ...], BeforeValidator(_steps)] = ()
    difficulty: Annotated[str | None, BeforeValidator(_difficulty)] = None
    modality: Annotated[tuple[str, ...], _labels(MODALITIES)] = ()
    skills: Annotated[tuple[str, ...], _labels(SKILLS)] = ()
    source: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_flavour(cls, data: Any) -> Any:
        """Take the flavour text under whichever of its keys has one."""
        if not isinstance(data, dict):
            raise ValueError("it should be an object with title and solution")
        given = [data[key] for key in FLAVOURS if data.get(key) not in (None, "")]
        rest = {key: value for key, value in data.items() if key not in FLAVOURS}
        return {**rest, "flavor_text": given[0]} if given else rest


def read_metadata(where: str, data: JsonValue) -> Metadata:
    """Read a puzzle's metadata.

    Raises:
        InstanceError: a field is missing or wrong; names puzzle and field.
    """
    try:
        return Metadata.model_validate(data)
    except ValidationError as error:
        raise InstanceError(f"{where}: {_problem(error)}") from error


def _problem(error: ValidationError) -> str:
    """Say what is wrong, in words of ours for what is wrong most often."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(step) for step in first["loc"])
    if first["type"] == "missing":
        return f"it has no {field}"
    return f"{field}: it should be text" if first["type"] == "string_type" else first_problem(error)
