"""Studies: many runs that belong together, worked out from one file. Pure but for reading that file.

A study's file has a suite's words, which hold for all of its runs, and ``experiments``. Each experiment is played for
``each`` combination of ``params``, which ``--set`` may change; ``{name}`` in its words stands for the value at hand:

    params:
      models: [openai/o3, openai/gpt-4.1-mini]
      strong: first of models
      weak: rest of models
      ks: [2, 4, 6, 8]
    experiments:
      homogeneous:
        each: {model: models}
        agents: "{model}"
      relay-recovery:
        each: {strong: strong, weak: weak, k: ks}
        agents: "{weak}@{k}>{strong},{weak}"
        prefix: {of: homogeneous, where: {model: "{weak}"}, turns: "{k}"}

``distinct: true`` leaves out combinations in which two values are the same, ``optional: true`` an experiment that is
played only when it is named. Under ``prefix``, a cell's episodes begin with the first turns of another cell's. An
experiment that says ``game`` itself plays that one, and not the study's.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import ConfigDict, Field, JsonValue, PositiveInt, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import UsageError
from palaver_protocols.seating import split_top

from .study_words import StudyWords, meant, study_words

__all__ = ["STUDY_FILE", "Cell", "Study", "cells_of", "check_no_study", "is_study", "read_study", "runs_in"]

STUDY_FILE = "study.yaml"
STUDY_SCHEMA = "palaver.study/1.0"
REFERENCE = re.compile(r"(first|rest) of (\w+)")
HOLE = re.compile(r"\{(\w+)\}")
UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
LONGEST_NAME = 80
NUMBERS = {2: "two", 3: "three", 4: "four"}

Labels = dict[str, str | int | float]


class Cell(Frozen):
    """One run of a study.

    ``continues`` is the id of the cell whose first ``turns`` turns are frozen. ``folder`` is where it lies within the
    study's, ``game`` what it plays where that is not the study's game.
    """

    id: str
    experiment: str
    game: str | None = None
    labels: dict[str, str | int | float]
    folder: str
    agents: str
    options: dict[str, JsonValue] = {}
    episodes: PositiveInt | None = None
    continues: str | None = None
    turns: PositiveInt | None = None


class Study(Frozen):
    """A study worked out; ``study.yaml`` in its folder is this. ``words`` are what all of its runs share.

    ``game`` is what its cells play that do not name their own; empty where all of them do.
    """

    schema_: str = Field(default=STUDY_SCHEMA, alias="schema")
    name: str
    about: str = ""
    game: str = ""
    params: dict[str, JsonValue] = {}
    words: dict[str, JsonValue] = {}
    cells: tuple[Cell, ...]

    model_config = ConfigDict(frozen=True, extra="ignore", serialize_by_alias=True, populate_by_name=True)

    def game_of(self, cell: Cell) -> str:
        """Return what a cell plays."""
        return cell.game or self.game


def is_study(words: Mapping[Any, Any]) -> bool:
    """Whether what a file holds is a study, and not a suite of one run."""
    return "experiments" in words


def read_study(folder: Path) -> Study:
    """Read the study that a folder holds.

    Raises:
        UsageError: it holds none, or its file is damaged.
    """
    file = folder / STUDY_FILE
    try:
        return Study.model_validate(yaml.safe_load(file.read_bytes()))
    except OSError as error:
        raise UsageError(f"{folder} holds no study: {file.name} cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, ValidationError) as error:
        raise UsageError(f"{file} is malformed", mend="restore it as palaver run wrote it") from error


def runs_in(path: Path) -> list[Path]:
    """Return the run folders that a path stands for: itself, or those of a study that have been begun."""
    if not (path / STUDY_FILE).is_file():
        return [path]
    return [found for cell in read_study(path).cells if (found := path / cell.folder).is_dir()]


def check_no_study(path: Path) -> None:
    """Make sure that a folder that is to be one run's is not that of a whole study.

    Raises:
        UsageError: it is; names one of the runs inside.
    """
    if not (path / STUDY_FILE).is_file():
        return
    found = runs_in(path)
    mend = f"give one of its runs, such as {found[0]}" if found else "none of its runs has been begun"
    raise UsageError(f"{path} is a study", mend=mend)


def cells_of(
    name: str,
    words: Mapping[str, Any],
    settings: Mapping[str, Any],
    only: Sequence[str] = (),
    episodes: int | None = None,
) -> Study:
    """Work a study out.

    Args:
        name: what it is called.
        words: what its file holds.
        settings: ``--set``: params by their names, all else are the game's own options for every run.
        only: the experiments that are wanted; none: all that are not optional. What they continue is played too.
        episodes: how many in every cell, whatever the file says.

    Raises:
        UsageError: the file makes no sense, or a setting is missing; names it.
    """
    file = study_words(name, words)
    params = _params(name, file, settings)
    options = {key: value for key, value in settings.items() if key not in file.params}
    wanted = _wanted(name, file, only)
    every = [cell for experiment in file.experiments for cell in _cells(name, file, experiment, params)]
    every = [cell if episodes is None else cell.model_copy(update={"episodes": episodes}) for cell in every]
    chosen = {cell.id: cell for cell in every if cell.experiment in wanted}
    for cell in list(chosen.values()):
        if cell.continues is not None and cell.continues not in chosen:
            base = next((other for other in every if other.id == cell.continues), None)
            if base is None:
                raise UsageError(f"the study {name}: {cell.id} continues {cell.continues}, which there is not")
            chosen[base.id] = base
    if not chosen:
        raise _nothing_to_play(name, file, [each for each in file.experiments if each in wanted], params)
    shared = {key: value for key, value in words.items() if key not in StudyWords.model_fields and key != "set"}
    given = {**(words.get("set") or {}), **options}
    cells = [cell.model_copy(update={"options": {**given, **cell.options}}) for cell in chosen.values()]
    return Study(
        name=name,
        about=file.about,
        game=file.game or "",
        params={key: list(value) if isinstance(value, tuple) else value for key, value in params.items()},
        words=shared,
        cells=tuple(_in_order(_long_enough(cells, every, shared))),
    )


def _params(name: str, file: StudyWords, settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return every param as a list of values, references resolved."""
    params: dict[str, list[Any]] = {}
    for key, value in file.params.items():
        given = settings.get(key, value)
        if given is None or (value is None and not _listed(given)):
            # A setting that is no param is for the game; where a param is owed, it may be that one, misspelt.
            others = [setting for setting in settings if setting not in file.params]
            if slip := get_close_matches(key, others, n=1):
                raise UsageError(
                    f"the study {name} wants {key}, and {slip[0]} is no param of it", mend=f"did you mean {key}?"
                )
            raise UsageError(
                f"the study {name} wants {key}", mend=f"for example --set {key}=openai/o3,openai/gpt-4.1-mini"
            )
        if isinstance(given, str) and (found := REFERENCE.fullmatch(given.strip())):
            if found[2] not in params:
                raise UsageError(f"the study {name}: {key} is {given!r}, and there is no {found[2]} before it")
            source = params[found[2]]
            params[key] = source[:1] if found[1] == "first" else source[1:]
        else:
            params[key] = _listed(given)
    return params


def _listed(given: Any) -> list[Any]:
    """Return a param's values, as a command line or a file gives them."""
    if isinstance(given, str):
        return [each.strip() for each in split_top(given, ",") if each.strip()]
    return list(given) if isinstance(given, list | tuple) else [given]


def _wanted(name: str, file: StudyWords, only: Sequence[str]) -> set[str]:
    if unknown := [each for each in only if each not in file.experiments]:
        raise UsageError(
            f"the study {name} has no experiment {unknown[0]!r}", mend=f"it has: {', '.join(file.experiments)}"
        )
    return set(only) or {each for each, experiment in file.experiments.items() if not experiment.optional}


def _cells(name: str, file: StudyWords, experiment: str, params: Mapping[str, list[Any]]) -> Iterator[Cell]:
    words = file.experiments[experiment]
    if missing := [param for param in words.each.values() if param not in params]:
        raise UsageError(f"the study {name}: {experiment} is for each {missing[0]!r}, which is no param")
    for values in product(*(params[param] for param in words.each.values())):
        labels: Labels = dict(zip(words.each, values, strict=True))
        if words.distinct and len({str(value) for value in values}) < len(values):
            continue
        where = f"the study {name}: {experiment}"
        options = {key: _filled(value, labels, where) for key, value in words.set.items()}
        prefix = words.prefix
        base = turns = None
        if prefix is not None:
            each = file.experiments[prefix.of].each if prefix.of in file.experiments else prefix.where
            if unknown := [label for label in prefix.where if label not in each]:
                raise UsageError(f"{where}: {prefix.of} has no label {unknown[0]!r}", mend=meant(unknown[0], each))
            base = _id(prefix.of, {key: str(_filled(prefix.where.get(key, "?"), labels, where)) for key in each})
            turns = _count(_filled(prefix.turns, labels, where), f"{where}: the turns of its prefix")
        yield Cell(
            id=_id(experiment, labels),
            experiment=experiment,
            game=words.game,
            labels=labels,
            folder=f"runs/{_folder(experiment, labels)}",
            agents=str(_filled(words.agents, labels, where)),
            options=options,
            episodes=words.episodes,
            continues=base,
            turns=turns,
        )


def _id(experiment: str, labels: Mapping[str, Any]) -> str:
    return "/".join([experiment, *(str(value) for value in labels.values())])


def _folder(experiment: str, labels: Mapping[str, Any]) -> str:
    """Name a cell's folder: readable, and not the same for two cells, whatever their agents are called."""
    parts = [experiment, *(str(value) for value in labels.values())]
    name = "--".join(UNSAFE.sub("-", part).strip("-.") for part in parts)
    plain = all(part.count("/") <= 1 and "-" not in part.partition("/")[0] for part in parts[1:])
    if plain and len(name) <= LONGEST_NAME and not UNSAFE.search(name):
        return name
    return f"{name[:LONGEST_NAME]}-{hashlib.sha256('/'.join(parts).encode()).hexdigest()[:6]}"


def _filled(value: Any, labels: Labels, where: str) -> Any:
    """Put values into the holes of a text; a text that is one hole becomes the value itself.

    Raises:
        UsageError: no label fills a hole; ``where`` says of what.
    """
    if not isinstance(value, str):
        return value
    if unknown := [hole for hole in HOLE.findall(value) if hole not in labels]:
        raise UsageError(f"{where} has no label {unknown[0]!r}", mend=f"it has: {', '.join(labels)}")
    if whole := HOLE.fullmatch(value):
        return labels[whole[1]]
    return HOLE.sub(lambda hole: str(labels[hole[1]]), value)


def _count(value: Any, what: str) -> int:
    if not str(value).isdecimal() or int(value) < 1:
        raise UsageError(f"{what} are {value!r}", mend="write a whole number from 1 on")
    return int(value)


def _long_enough(cells: Sequence[Cell], every: Sequence[Cell], shared: Mapping[str, Any]) -> list[Cell]:
    """Let a cell that others continue play as many episodes as they need, whether they are wanted now or later."""
    usual = int(shared.get("episodes") or 1)
    needed: dict[str, int] = {}
    for cell in every:
        if cell.continues is not None:
            needed[cell.continues] = max(needed.get(cell.continues, 0), cell.episodes or usual)
    return [cell.model_copy(update={"episodes": max(cell.episodes or usual, needed.get(cell.id, 0))}) for cell in cells]


def _in_order(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the cells that others continue before those that continue them."""
    yield from (cell for cell in cells if cell.continues is None)
    yield from (cell for cell in cells if cell.continues is not None)


def _nothing_to_play(
    name: str, file: StudyWords, experiments: Sequence[str], params: Mapping[str, Sequence[Any]]
) -> UsageError:
    """Say why experiments give no run: there is nothing to play them for, or all of it is the same."""
    if not experiments:
        return UsageError(f"all that the study {name} has is optional", mend=f"--only {','.join(file.experiments)}")
    first = experiments[0]
    each = list(file.experiments[first].each.values())
    if empty := next((param for param in each if not params[param]), None):
        given = file.params[empty]
        follows = isinstance(given, str) and REFERENCE.fullmatch(given)
        mend = f"it is the {given}: give more of these" if follows else f"for example --set {empty}=A,B"
        return UsageError(f"the study {name}: {first} is for each of {empty}, and there is none", mend=mend)
    (param, *others), needed = dict.fromkeys(each), len(each)
    if others:
        said = "; ".join(f"{param} is {', '.join(map(str, params[param]))}" for param in each)
        return UsageError(f"the study {name}: {first} needs values that differ", mend=said)
    return UsageError(f"the study {name}: {first} needs at least {NUMBERS.get(needed, needed)} different {param}")
