"""What a study's file may say, and what is said of one that makes no sense. Pure."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue, PositiveInt, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import UsageError, first_problem

__all__ = ["Experiment", "Prefix", "StudyWords", "meant", "study_words"]


class _Strict(Frozen):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Prefix(_Strict):
    """With what a cell's episodes begin: the first ``turns`` turns of the cell ``of`` that has the labels ``where``."""

    of: str
    where: dict[str, str] = {}
    turns: int | str


class Experiment(_Strict):
    """Runs that differ in their labels only: one for each combination of the params that ``each`` names by label.

    ``game`` is what they play, where it is not the game of the whole study.
    """

    about: str = ""
    game: str | None = None
    each: dict[str, str]
    agents: str
    set: dict[str, JsonValue] = {}
    episodes: PositiveInt | None = None
    distinct: bool = False
    optional: bool = False
    prefix: Prefix | None = None


class StudyWords(Frozen):
    """A study's file. All words but these are those of a suite, and hold for every run.

    ``game`` is what is played by the experiments that do not name their own; None where all of them do.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    game: str | None = None
    about: str = ""
    params: dict[str, JsonValue] = {}
    experiments: Annotated[dict[str, Experiment], Field(min_length=1)]


def study_words(name: str, words: Mapping[str, Any]) -> StudyWords:
    """Read what a study's file holds.

    Raises:
        UsageError: it makes no sense; names the key.
    """
    try:
        read = StudyWords.model_validate(words)
    except ValidationError as error:
        raise _malformed(name, error) from error
    if read.game is None and (without := [each for each, said in read.experiments.items() if said.game is None]):
        raise UsageError(
            f"the study {name}: {without[0]} names no game", mend="write `game:` there, or once for the whole study"
        )
    return read


def _malformed(name: str, error: ValidationError) -> UsageError:
    # A key that is not known comes first: misspelt, it is also why another is missing.
    for found in error.errors(include_url=False, include_input=False):
        if found["type"] == "extra_forbidden":
            *path, key = map(str, found["loc"])
            kind = Prefix if path[2:] == ["prefix"] else Experiment
            return UsageError(f"the study {name}: {'.'.join(path)} has no {key!r}", mend=meant(key, kind.model_fields))
    return UsageError(f"the study {name}: {first_problem(error)}", mend="see `palaver run --help`")


def meant(word: str, known: Iterable[str]) -> str:
    """Say which word was perhaps meant by one that is not known; if none is like it, which there are."""
    words = list(known)
    close = get_close_matches(word, words, n=1)
    return f"did you mean {close[0]}?" if close else f"it has: {', '.join(words)}"
