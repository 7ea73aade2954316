"""The rule-based grader against hand-made dialogues: what a careful reader would say the agents agreed on."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.maze import GAME
from palaver_gamemasters.replay import Replay, play_replay

CORPUS = Path(__file__).with_name("dialogues")


def dialogues() -> Iterator[Any]:
    """Yield every dialogue of the corpus, one a line of a file."""
    for file in sorted(CORPUS.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            dialogue = json.loads(line)
            yield pytest.param(dialogue, id=f"{file.stem}-{dialogue['name']}")


@pytest.mark.parametrize("dialogue", [*dialogues()])
def test_the_grader_reads_the_route_a_careful_reader_would(dialogue: dict[str, Any]) -> None:
    replay = Replay(
        game="maze",
        variant=dialogue["variant"],
        instance={"grid": dialogue["grid"]},
        texts=tuple(dialogue["texts"]),
    )

    scores = play_replay(GAME, replay, dialogue["name"]).scores

    expected = {"success": dialogue["success"], "weighted_outcome": float(Fraction(dialogue["weighted_outcome"]))}
    assert {name: scores[name] for name in expected} == pytest.approx(expected), dialogue["why"]
