"""What a report is about: run folders, alone or as the cells of a study, read into plain values.

A study folder holds ``study.yaml``: ``{"name", "about", "game", "cells": [{"id", "experiment", "folder", "labels"}]}``,
folders relative to itself. The cells of a run folder that belongs to no study are told from what was played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ConfigDict, JsonValue, ValidationError

from palaver_observability.files import gist
from palaver_observability.folder import RunFolder
from palaver_observability.stats import NOT_COUNTED
from palaver_protocols.content import Frozen
from palaver_protocols.errors import UsageError, first_problem
from palaver_protocols.messages import OWED
from palaver_protocols.runs import EpisodeRecord, RunConfig

__all__ = ["Cell", "Facts", "Study", "read_study"]

Label = str | int | float
FiguresT = TypeVar("FiguresT", bound=Frozen)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report knows of a game: the score it leads with, and the published figures of its study.

    ``by_episode`` says how a mean over several variants is taken: over all of their episodes, or each variant the same.
    """

    primary: str
    published: Mapping[str, Any] = field(default_factory=dict)
    by_episode: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: what it was asked to do, with which software, and what came of it.

    ``experiment`` is the study's word for what it is part of, empty where it is part of none; ``labels`` are the
    places that it has there (``model``; ``first`` and ``second``; ``strong``, ``weak`` and ``k``; ...).
    """

    id: str
    experiment: str
    labels: Mapping[str, Label]
    folder: Path
    config: RunConfig
    made_with: Mapping[str, Any]
    records: tuple[EpisodeRecord, ...]

    @property
    def played(self) -> tuple[EpisodeRecord, ...]:
        """The episodes that were played to an end; only these say something about agents."""
        return tuple(record for record in self.records if record.outcome not in NOT_COUNTED)

    @property
    def owed(self) -> tuple[EpisodeRecord, ...]:
        """The episodes that have to be taken up again."""
        return tuple(record for record in self.records if record.outcome in OWED)

    def text(self, name: str) -> str:
        """Return a label as text."""
        return str(self.labels.get(name, ""))

    def number(self, name: str) -> float | None:
        """Return a label as a number; None where it is none."""
        try:
            return float(self.labels[name])
        except (KeyError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class Study:
    """All that a report is about.

    ``missing`` names what is not there yet, in sentences; ``order`` are the values that the study goes over (its
    agents among them), as its author has put them.
    """

    name: str
    about: str
    cells: tuple[Cell, ...]
    facts: Mapping[str, Facts]
    missing: tuple[str, ...] = ()
    order: tuple[str, ...] = ()

    @property
    def records(self) -> tuple[EpisodeRecord, ...]:
        """Every episode, whatever came of it."""
        return tuple(record for cell in self.cells for record in cell.records)

    def of(self, *experiments: str) -> tuple[Cell, ...]:
        """Return the cells of some experiments that have episodes to count."""
        return tuple(cell for cell in self.cells if cell.experiment in experiments and cell.played)

    def in_order(self, agents: Iterable[str]) -> list[str]:
        """Put agents in the study's own order; those that it does not name come last, in the order in which they come.

        Who is strongest first says more about how a run went than an order that stays the same.
        """
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(dict.fromkeys(agents), key=lambda agent: places.get(agent, len(places)))

    def primary(self, game: str) -> str:
        """Return the score that the game leads with; for a game that is not installed, the first that it gave."""
        if game in self.facts:
            return self.facts[game].primary
        records = (record for cell in self.cells for record in cell.records if record.game == game)
        return next((name for record in records for name in record.scores), "success")

    def by_episode(self, game: str) -> bool:
        """Whether a mean over a game's variants is that over all of their episodes."""
        return game in self.facts and self.facts[game].by_episode

    def published(self, game: str) -> Mapping[str, Any]:
        """Return the published figures of a game's study; empty where there are none."""
        return self.facts[game].published if game in self.facts else {}

    def figures(self, model: type[FiguresT], game: str, part: str | None = None) -> FiguresT:
        """Read the published figures of a game, or a part of them; empty where there are none.

        Raises:
            UsageError: they are malformed; names the place.
        """
        found = self.published(game)
        try:
            return model.model_validate(dict(found if part is None else found.get(part, {})))
        except ValidationError as error:
            raise UsageError(f"the published figures of {game}: {first_problem(error)}") from error


class _PlannedCell(Frozen):
    model_config = ConfigDict(extra="ignore")
    id: str
    experiment: str = ""
    folder: str
    labels: dict[str, JsonValue] = {}


class _Plan(Frozen):
    model_config = ConfigDict(extra="ignore")
    name: str
    about: str | None = None
    game: str = ""
    params: dict[str, JsonValue] = {}
    cells: tuple[_PlannedCell, ...] = ()


def read_study(folders: Sequence[Path]) -> Study:
    """Read run folders and study folders into one study, without any facts about its games.

    Raises:
        UsageError: one of them is neither; or what it holds is malformed.
        ProtocolError: a line of its episodes is damaged.
    """
    studies = [_read_plan(path) if (path / "study.yaml").exists() else _read_run(path) for path in folders]
    if len(studies) == 1:
        return studies[0]
    return Study(
        name=" · ".join(dict.fromkeys(study.name for study in studies)),
        about="; ".join(dict.fromkeys(study.about for study in studies if study.about)),
        cells=_unlike(cell for study in studies for cell in study.cells),
        facts={},
        missing=tuple(line for study in studies for line in study.missing),
        order=tuple(dict.fromkeys(name for study in studies for name in study.order)),
    )


def _unlike(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Leave out folders that were given twice."""
    return tuple({cell.folder.resolve(): cell for cell in cells}.values())


def _read_plan(path: Path) -> Study:
    file = path / "study.yaml"
    try:
        plan = _Plan.model_validate(yaml.safe_load(file.read_bytes()))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except (yaml.YAMLError, ValidationError, RecursionError) as error:
        raise UsageError(f"{file} is malformed: {gist(error)}", mend="restore it as it was written") from error
    cells, missing = [], []
    for planned in plan.cells:
        folder = path / planned.folder
        if not (folder / "config.yaml").exists():
            missing.append(planned.id)
            continue
        labels = {name: each for name, each in planned.labels.items() if isinstance(each, str | int | float)}
        cells.append(_read_cell(folder, planned.id, planned.experiment, labels))
    lines = [_not_begun(missing, len(plan.cells))] if missing else []
    if not plan.cells:
        lines.append("The study has no cells.")
    return Study(plan.name, plan.about or "", tuple(cells), {}, (*lines, *_unfinished(cells)), _order(plan.params))


def _order(params: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the words in the lists that a study goes over."""
    lists = (values for values in params.values() if isinstance(values, list))
    return tuple(dict.fromkeys(value for values in lists for value in values if isinstance(value, str)))


def _read_run(path: Path) -> Study:
    if not path.is_dir():
        raise UsageError(f"there is no folder {path}", mend="give the folder of a run or of a study")
    if not (path / "config.yaml").exists():
        raise UsageError(
            f"{path} is no run folder and no study: it has neither config.yaml nor study.yaml",
            mend="give the folder of a run or of a study",
        )
    cell = _read_cell(path, "", "", {})
    return Study(f"{cell.config.game}: {cell.id}", "", (cell,), {}, _unfinished([cell]))


def _read_cell(folder: Path, name: str, experiment: str, labels: Mapping[str, Label]) -> Cell:
    opened = RunFolder.open(folder)
    written = yaml.safe_load((folder / "config.yaml").read_bytes())
    made_with = written.get("made_with")
    records = tuple(sorted(opened.records(), key=lambda record: record.episode_id))
    if not name:
        experiment, labels = _told(opened.config, records)
    return Cell(
        id=name or opened.config.run_id,
        experiment=experiment,
        labels=labels,
        folder=folder,
        config=opened.config,
        made_with=made_with if isinstance(made_with, Mapping) else {},
        records=records,
    )


def _told(config: RunConfig, records: Sequence[EpisodeRecord]) -> tuple[str, Mapping[str, Label]]:
    """Tell what a run that belongs to no study would be part of: one agent alone, or two that talk."""
    if not records or any(
        len(fillers) != 1 or fillers[0].agent.startswith("team(") for fillers in records[0].seats.values()
    ):
        return "", {}
    agents = [fillers[0].agent for fillers in records[0].seats.values()]
    setting = config.options.get("setting")
    if setting in ("solo-full", "solo-distributed"):
        return str(setting), {"model": agents[0]}
    if len(agents) != 2:
        return "", {}
    if agents[0] == agents[1]:
        return "homogeneous", {"model": agents[0]}
    return "heterogeneous", {"first": agents[0], "second": agents[1]}


def _not_begun(missing: Sequence[str], planned: int) -> str:
    named = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
    return f"{len(missing)} of {planned} cells have not begun: {named}."


def _unfinished(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Say which runs have fewer episodes than they were asked for."""
    lines = []
    for cell in cells:
        owed = len(cell.owed)
        there = len(cell.records) - owed
        if there < cell.config.episodes:
            ended = f", {owed} ended with an error or a spent budget" if owed else ""
            lines.append(f"{cell.id} has {there} of {cell.config.episodes} episodes{ended}.")
    return tuple(lines)
