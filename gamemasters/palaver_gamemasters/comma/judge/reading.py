"""What a judge's answer says, read as leniently as its meaning allows; nothing is guessed, for a guess is a verdict."""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

import yaml

from palaver_gamemasters.game import GameOutcome, Read, UnreadableGradeError

from .labels import ERRORS, NAMES, NONE, SCORES

__all__ = ["read_grade"]

CHOICES = ", ".join(ERRORS)
MAX_BLOCK = 5_000
"""Characters: the answer takes three lines."""
THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
FENCED = re.compile(r"(?:`{3,}|~{3,})[^\S\n]*[\w.+-]*[^\S\n]*\n(.*?)(?:`{3,}|~{3,}|\Z)", re.DOTALL)
OPENS = re.compile(r"^[ \t]*[\"'*{]*\s*errors?[\"'*]*\s*:", re.MULTILINE | re.IGNORECASE)
BELONGS = re.compile(r"\s|-\s|[\"'*{]*(?:errors?|main|reason)\b|[\]}]", re.IGNORECASE)
"""How a line of an answer begins that stands in no fence."""
REASON = re.compile(r"^([ \t]*reason[ \t]*:[ \t]+)(?=[^\s\"'|>])(.+)$", re.MULTILINE | re.IGNORECASE)
"""A reason without quotes, in which a colon would end YAML."""


def read_grade(outcome: GameOutcome, text: str) -> Read:
    """Read which errors a judge has found.

    Args:
        outcome: how the game itself ended, which a judge does not decide.
        text: the judge's answer.

    Returns:
        A score of 0 or 1 for each category; as detail ``errors``, ``main`` (a category or ``none``) and ``reason``.

    Raises:
        UnreadableGradeError: it cannot be used; says what is wrong with it.
    """
    first: UnreadableGradeError | None = None
    for block in _blocks(THOUGHTS_END.split(text)[-1]):
        try:
            errors, main, reason = _verdict(_document(block))
        except UnreadableGradeError as error:
            first = first or error
        else:
            scores = {score: float(name in errors) for score, name in SCORES.items()}
            return Read(outcome, scores, {"errors": list(errors), "main": main, "reason": reason})
    raise first or UnreadableGradeError("it holds no YAML with `errors:` and `main:`")


def _blocks(text: str) -> Iterator[str]:
    """Yield what may be the answer, the last first: fenced blocks, then what stands unfenced."""
    fenced = [found[1] for found in FENCED.finditer(text)]
    around = FENCED.sub("\n", text)
    unfenced = [_without_talk(around[found.start() :]) for found in OPENS.finditer(around)]
    braced = around[around.find("{") : around.rfind("}") + 1]
    for block in [*reversed(fenced), *([braced] if braced else []), *reversed(unfenced)]:
        if OPENS.search(block):
            yield block


def _without_talk(text: str) -> str:
    """Leave out what follows the answer's own lines."""
    lines = text.strip().split("\n")
    return "\n".join(takewhile(lambda line: not line.strip() or BELONGS.match(line), lines))


def _document(block: str) -> Mapping[str, Any]:
    if len(block) > MAX_BLOCK:
        raise UnreadableGradeError(f"its YAML is longer than {MAX_BLOCK} characters")
    try:
        said = yaml.safe_load(REASON.sub(_quoted, block.replace("*", "").strip()))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableGradeError("its YAML cannot be parsed") from error
    if not isinstance(said, Mapping):
        raise UnreadableGradeError("it holds no YAML with `errors:` and `main:`")
    return {str(key).strip(" *").lower(): value for key, value in said.items()}


def _quoted(reason: re.Match[str]) -> str:
    said = reason[2].replace("'", "''")
    return f"{reason[1]}'{said}'"


def _verdict(said: Mapping[str, Any]) -> tuple[tuple[str, ...], str, str]:
    """Read the three fields.

    Raises:
        UnreadableGradeError: one is missing, or they contradict each other.
    """
    errors = _errors(said.get("errors", said.get("error")))
    if "main" not in said:
        if len(errors) > 1:
            raise UnreadableGradeError("it has no `main:`; name the main one of the errors")
        main = errors[0] if errors else NONE
    else:
        main = _name(said["main"], "main")
    if main == NONE and errors:
        raise UnreadableGradeError(f"`main` is none, but `errors` names {errors[0]}")
    if main != NONE and main not in errors:
        raise UnreadableGradeError(f"`main` is {main}, but `errors` does not name it")
    reason = said.get("reason")
    return errors, main, " ".join(str(reason).split()) if reason is not None else ""


def _errors(value: Any) -> tuple[str, ...]:
    """Read the errors: a list, names separated by commas, or a mapping that says yes or no to each."""
    if isinstance(value, Mapping):
        value = [name for name, there in value.items() if _is_there(name, there)]
    if isinstance(value, str):
        value = [part for part in re.split(r"[,;+]|\band\b", value) if part.strip(" []")]
    if value is None:
        value = []
    if not isinstance(value, list):
        raise UnreadableGradeError(f"`errors` is no list; choose from {CHOICES}, or give []")
    found = list(dict.fromkeys(_name(each, "errors") for each in value))
    if NONE in found and len(found) > 1:
        raise UnreadableGradeError("`errors` names none beside others")
    return tuple(error for error in ERRORS if error in found)


def _is_there(name: object, value: object) -> bool:
    said = str(value).strip().lower()
    if said not in ("1", "0", "1.0", "0.0", "true", "false", "yes", "no"):
        raise UnreadableGradeError(f"`errors` says neither yes nor no to {str(name)[:40]}")
    return said in ("1", "1.0", "true", "yes")


def _name(value: object, field: str) -> str:
    """Level a category's name.

    Raises:
        UnreadableGradeError: it is none.
    """
    if value is None:
        return NONE
    words = re.sub(r"[\s_-]+", " ", str(value)).strip(" []\"'`*.").lower()
    words = words.removesuffix(" error").removesuffix(" errors") if words not in NAMES else words
    if words not in NAMES:
        raise UnreadableGradeError(f"`{field}` names {str(value)[:60]!r}, which is no category; choose from {CHOICES}")
    return NAMES[words]
