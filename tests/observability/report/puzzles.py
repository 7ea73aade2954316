"""Studies of a game with several variants, and the published figures of one, made of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from palaver_observability.report.study import Facts, Study, read_study
from palaver_protocols.messages import Usage
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.folders import a_run, an_episode

OPTIONS = {"puzzle": "all", "memory": "full", "turns": 4, "experts": 1}
PUBLISHED: dict[str, Any] = {
    "study": "DUO",
    "source": "A Study of Two, table 1",
    "variant": "puzzle",
    "variants": ["wire", "atm"],
    "usual": {"memory": "full", "experts": [0, 1]},
    "by_variant": {
        "partial_success": {
            "where": "table 1",
            "percent": True,
            "rows": [
                {"agents": ["o3"], "n": 100, "mean": [70, 20], "error": [4.6, 4.0], "overall": [45.0, 3.5]},
                {"agents": ["human", "o3"], "n": 10, "mean": [100, 90], "error": [0.0, 9.5], "overall": [95, 4.8]},
                {
                    "agents": ["o3"],
                    "options": {"memory": "none"},
                    "mean": [50, 10],
                    "error": [5.0, 3.0],
                    "overall": [30.0, 3.2],
                },
            ],
        },
        "success": {
            "where": "table 3",
            "percent": True,
            "rows": [{"agents": ["o3"], "mean": [70, 10], "error": [4.6, 3.0], "overall": [40.0, 3.5]}],
        },
        "mistakes": {
            "where": "table 4",
            "rows": [{"agents": ["o3"], "mean": [0.5, 1.5], "error": [0.1, 0.1], "overall": [1.0, 0.1]}],
        },
    },
    "conciseness": {"score": "partial_success", "per": 1000, "where": "figure 5"},
    "efficiency": [{"agents": ["o3"], "efficiency": 0.5}, {"agents": ["human", "o3"], "efficiency": 0.8}],
}


def a_puzzle(
    variant: str, number: int, length: float, agents: Sequence[str] = ("x/o3", "x/o3"), **scores: float
) -> EpisodeRecord:
    """Make an episode of a puzzle; it is solved in the turn ``length`` unless ``success=0`` is given."""
    known = {"partial_success": 1.0, "success": 1.0, "mistakes": 0.0, "length": length, "repetitions": 0.0, **scores}
    return an_episode(
        number,
        agents,
        known["success"],
        game="duo",
        variant=variant,
        episode_id=f"duo-{variant}-{number}",
        instance_id=f"{variant}-{number}",
        scores=known,
        usage={"agent_1": Usage(output_tokens=300), "agent_2": Usage(output_tokens=200)},
    )


def a_study(
    path: Path,
    runs: Sequence[tuple[Sequence[EpisodeRecord], Mapping[str, Any]]],
    published: Mapping[str, Any] = PUBLISHED,
) -> Study:
    """Write a folder for each run (its episodes and options), and read them all."""
    folders = []
    for number, (records, options) in enumerate(runs):
        agents = [fillers[0].agent for fillers in records[0].seats.values()]
        folders.append(a_run(path / f"run{number}", agents, records, game="duo", options={**OPTIONS, **options}))
    return replace(read_study(folders), facts={"duo": Facts("partial_success", published)})
