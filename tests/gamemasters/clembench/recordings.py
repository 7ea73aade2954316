"""Recorded answers and what the original programs made of them, where they lie beside the repository."""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["DATA", "Recording", "beside", "instances", "recorded"]

DATA = Path(__file__).parents[4] / "shared" / "data" / "clembench"

beside = pytest.mark.skipif(not DATA.exists(), reason="the recorded answers lie beside the repository only")
"""Marks a test that needs them."""


class Recording(NamedTuple):
    """An episode: its instance, the answers in order, and its scores; ``crashed`` if the programs gave none."""

    name: str
    instance: Mapping[str, Any]
    texts: tuple[str, ...]
    scores: Mapping[str, float | None]
    crashed: bool


@cache
def instances(game: str) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """Return a game's published instances by experiment and ``game_id``, as replays hold them."""
    read = json.loads((DATA / "instances" / f"{game}.json").read_text(encoding="utf-8"))
    found = {}
    for experiment in read["experiments"]:
        about = {key: value for key, value in experiment.items() if key != "game_instances"}
        for each in experiment["game_instances"]:
            found[experiment["name"], each["game_id"]] = {"experiment": about, "instance": each}
    return found


def recorded(game: str) -> Iterator[Recording]:
    """Yield what is recorded of a game: scripted answers, and episodes of the published runs."""
    with gzip.open(DATA / "vectors.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, each in enumerate(map(json.loads, lines)):
            if each["game"] == game:
                instance = instances(game)[each["exp"], each["game_id"]]
                crashed = each["status"] != "scored"
                yield Recording(f"vector {number}", instance, tuple(each["responses"]), each["scores"], crashed)
    for each in json.loads((DATA / "published_episodes.json").read_text(encoding="utf-8")):
        if each["game"] == game:
            spelt = "efficiency" if game == "mm_mapworld_graphs" else "effieciency"
            expected = {spelt if name == "eff" else name: value for name, value in each["expect"].items()}
            texts = each.get("responses") or [_saying(action) for action in each["actions"]]
            yield Recording(each["src"], instances(game)[each["exp"], each["gid"]], tuple(texts), expected, False)


def _saying(action: str) -> str:
    """Write an action as the walker's answer, where only the action is recorded."""
    return json.dumps({"description": "x", "action": action if action == "DONE" else f"GO: {action}"})
