"""Run folders and studies made of scores: what a report reads, without anything being played."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

from palaver_observability.records import line_of
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import SeatFiller, Usage
from palaver_protocols.runs import EpisodeRecord, RunConfig
from palaver_protocols.seating import read_seat
from tests.support import NOON

MADE_WITH = {"palaver": "0.1.0", "python": "3.11.9", "git_commit": "abc123", "libraries": {"numpy": "2.0"}}


def an_episode(number: int, agents: Sequence[str], score: float | None, **changes: Any) -> EpisodeRecord:
    """Make an episode of instance ``number`` that came to a score; a score of 1 is solved."""
    seats = {f"agent_{at}": _fillers(agent) for at, agent in enumerate(agents, start=1)}
    fields: dict[str, Any] = {
        "run_id": "run",
        "episode_id": f"toy-{number:05}",
        "game": "toy",
        "variant": "pair",
        "instance_id": f"i{number}",
        "seed": number,
        "seats": seats,
        "protocol": "prefixes",
        "outcome": "solved" if score == 1 else "failed",
        "scores": {"weighted_outcome": score, "success": None if score is None else float(score == 1)},
        "turns": 10,
        "usage": dict.fromkeys(seats, Usage(input_tokens=100, output_tokens=20)),
        "latency_s": 2.0,
        "cost_usd": None,
        "started": NOON,
        "ended": NOON + timedelta(minutes=1),
        "error": None,
    }
    return EpisodeRecord.model_validate({**fields, **changes})


def _fillers(agent: str) -> tuple[SeatFiller, ...]:
    """Fill a seat; with one agent where its name is none that could be typed, as another program may write it."""
    try:
        return read_seat(agent)
    except UsageError:
        return (SeatFiller(agent=agent),)


def a_run(path: Path, agents: Sequence[str], records: Iterable[EpisodeRecord], **config: Any) -> Path:
    """Write a run folder."""
    path.mkdir(parents=True)
    written = list(records)
    fields = {"run_id": path.name, "game": "toy", "agents": agents, "episodes": max(1, len(written)), **config}
    document = RunConfig.model_validate(fields).model_dump(mode="json")
    document |= {"started": NOON.isoformat(), "made_with": MADE_WITH}
    (path / "config.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
    (path / "episodes.jsonl").write_bytes(b"".join(map(line_of, written)))
    return path


class AStudy:
    """A study folder that grows cell by cell; ``study.yaml`` is up to date after each."""

    def __init__(self, path: Path, name: str = "toys") -> None:
        self.path = path
        self._document: dict[str, Any] = {"name": name, "about": "What toys do.", "game": "toy", "cells": []}
        path.mkdir()
        self._save()

    def plan(self, experiment: str, labels: Mapping[str, Any]) -> Path:
        """Plan a cell, and return its folder, which is not there yet."""
        cell_id = "/".join([experiment, *map(str, labels.values())])
        folder = f"runs/{len(self._document['cells'])}"
        self._document["cells"].append(
            {"id": cell_id, "experiment": experiment, "folder": folder, "labels": dict(labels)}
        )
        self._save()
        return self.path / folder

    def cell(
        self, experiment: str, labels: Mapping[str, Any], agents: Sequence[str], scores: Sequence[float | None]
    ) -> Path:
        """Add a cell whose episode i, of instance i, came to the i-th score."""
        records = [an_episode(number, agents, score) for number, score in enumerate(scores)]
        return a_run(self.plan(experiment, labels), agents, records)

    def goes_over(self, **params: Any) -> None:
        """Say what the study goes over."""
        self._document["params"] = params
        self._save()

    def _save(self) -> None:
        (self.path / "study.yaml").write_text(yaml.safe_dump(self._document, sort_keys=False))
