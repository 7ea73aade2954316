"""What a dataset says of a puzzle (PuzzleWorld, submission guide): a ``metadata.json``, or a line of a file.

What is told in several ways is taken in all of them: the flavour text under both of its keys, labels as a list or as
one text, a number as a solution. Labels that the study does not have are kept.
"""

from collections.abc import Collection
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, JsonValue, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, first_problem

from .puzzle import DIFFICULTIES, MODALITIES, SKILLS, ReasoningStep

__all__ = ["Metadata", "label", "read_metadata"]


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


def _steps(value: Any) -> Any:
    """Take a bare text for a step's explanation, and an empty figure for none."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError("it should be a list of steps")
    steps = [{"explanation": step} if isinstance(step, str) else step for step in value]
    return [{**step, "figure": step.get("figure") or None} if isinstance(step, dict) else step for step in steps]


def _labels(known: Collection[str]) -> BeforeValidator:
    def read(value: Any) -> Any:
        """Take one text for a list with commas."""
        if value is None:
            return ()
        listed = value.split(",") if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise ValueError("it should be a list of words")
        return tuple(dict.fromkeys(label(each, known) for each in listed if each.strip()))

    return BeforeValidator(read)


def _difficulty(value: Any) -> Any:
    return (label(value, DIFFICULTIES) or None) if isinstance(value, str) else value


class Metadata(Frozen):
    """A puzzle's metadata; what else a dataset says of it is its own business."""

    title: Annotated[str, BeforeValidator(_not_blank)]
    flavor_text: Annotated[
        str,
        BeforeValidator(_text),
        Field(validation_alias=AliasChoices("flavor_text", "flavor text", "flavour_text", "flavour text")),
    ] = ""
    solution: Annotated[str, BeforeValidator(_not_blank)]
    reasoning: Annotated[tuple[ReasoningStep, ...], BeforeValidator(_steps)] = ()
    difficulty: Annotated[str | None, BeforeValidator(_difficulty)] = None
    modality: Annotated[tuple[str, ...], _labels(MODALITIES)] = ()
    skills: Annotated[tuple[str, ...], _labels(SKILLS)] = ()
    source: str | None = None


def read_metadata(where: str, data: JsonValue) -> Metadata:
    """Read a puzzle's metadata.

    Raises:
        InstanceError: a field is missing or wrong; names puzzle and field.
    """
    try:
        return Metadata.model_validate(data)
    except ValidationError as error:
        raise InstanceError(f"{where}: {first_problem(error)}") from error
