"""Studies of games that tell what was played from how well, and what a study of such games prints, made of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from palaver_observability.report.study import Facts, Study, read_study
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.folders import a_run, an_episode

OPTIONS = {"experiment": "all", "profile": "published"}
SHARED: dict[str, Any] = {
    "models": {"Tall-1": ["tall-2024-01-01"]},
    "variant": "experiment",
    "usual": {"profile": "published", "temperature": 0.0},
    "boards": {"pictures": ["show", "walk"], "text": ["tell"]},
    "instances": "Theirs are photographs, ours are drawings.",
    "twins": [
        {"name": "Pair", "multimodal": "show", "textual": "tell", "unlike": "the last step counts twice in text"}
    ],
    "leaderboard": {
        "where": "table 1",
        "board": "pictures",
        "groups": ["Show", "Walk"],
        "rows": {
            "Tall-1": [72.0, 90.0, 80.0, 100.0, 70.0, 80.0, 90.0],
            "Short": [2.0, 5.0, 40.0, 10.0, 40.0, 0.0, None],
        },
    },
}
PUBLISHED: dict[str, dict[str, Any]] = {
    "show": {
        "study": "TALK",
        "source": "A Study of Talk, tables 1 and 2",
        "clemscore": {
            **SHARED,
            "experiments": ["same", "other"],
            "tables": [
                {"where": "table 2", "measure": "weighted", "rows": {"Tall-1": [60.0, 80.0], "Short": [4.0, None]}}
            ],
        },
    },
    "walk": {
        "study": "TALK",
        "source": "A Study of Talk, tables 1 and 2",
        "clemscore": {
            **SHARED,
            "turn_limit": 8,
            "whole": {"where": "table 3", "measure": "weighted", "rows": {"Tall-1": 45.0, "Short": 1.5}},
        },
    },
    "tell": {
        "study": "TALK",
        "source": "A Study of Talk, tables 1 and 2",
        "clemscore": SHARED,
        "steps": [{"model": "Short", "steps": 3.5, "where": "table 9"}],
    },
}


def a_dialogue(
    game: str,
    experiment: str,
    number: int,
    main: float | None,
    agents: Sequence[str] = ("x/tall-2024-01-01",),
    **changes: Any,
) -> EpisodeRecord:
    """Make an episode that came to a Main Score; None: it was aborted."""
    scores = {
        "Aborted": float(main is None),
        "Main Score": main,
        "Aborted at Player 1": float(main is None and number % 2 == 0),
        "Aborted at Player 2": float(main is None and number % 2 == 1),
        "Parsed Request Count": 1.0 if main is None else 2.0,
        "success": float(main == 100.0),
    }
    fields: dict[str, Any] = {
        "game": game,
        "episode_id": f"{game}-{number:05}",
        "instance_id": f"{experiment}-{number}",
        "variant": experiment,
        "outcome": "aborted" if main is None else "solved" if main == 100.0 else "failed",
        "scores": scores,
    }
    return an_episode(number, agents, main, **{**fields, **changes})


def a_crash(game: str, experiment: str, number: int, agents: Sequence[str] = ("x/tall-2024-01-01",)) -> EpisodeRecord:
    """Make an episode that the study's own programs could not survive."""
    return a_dialogue(game, experiment, number, None, agents, outcome="crashed", scores={})


def a_study_of(path: Path, runs: Sequence[tuple[Sequence[EpisodeRecord], Mapping[str, Any]]]) -> Study:
    """Write runs, each with options of its own, and read them as one study."""
    folders = []
    for number, (records, options) in enumerate(runs):
        agents = [fillers[0].agent for fillers in records[0].seats.values()]
        folder = path / f"run{number}"
        folders.append(a_run(folder, agents, records, game=records[0].game, options={**OPTIONS, **options}))
    facts = {game: Facts("Main Score", published, by_episode=True) for game, published in PUBLISHED.items()}
    return replace(read_study(folders), facts=facts)
