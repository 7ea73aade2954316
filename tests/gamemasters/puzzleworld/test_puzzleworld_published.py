"""The figures that the study prints, and the page on the game."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.puzzle import DIFFICULTIES, MODALITIES

PAGE = Path(__file__).parents[3] / "gamemasters/palaver_gamemasters/puzzleworld/README.md"


@pytest.mark.parametrize(
    ("model", "accuracy", "stepwise"),
    [
        ("QVQ-72B-Preview", (1.36, 1.33, 0.63, 1.18), (30.23, 29.25, 27.96, 32.40)),
        ("InternVL3-78B", (0.89, 0.83, 0.47, 1.15), (15.49, 14.80, 14.48, 17.97)),
        ("kimi-vl-a3b", (1.33, 1.16, 0.94, 1.72), (19.10, 17.91, 18.84, 21.41)),
        ("o3", (14.22, 15.16, 8.96, 13.53), (39.81, 39.92, 33.38, 41.28)),
        ("gpt-4o", (1.83, 1.92, 0.73, 2.77), (22.09, 20.00, 20.20, 28.09)),
        ("claude-opus-4", (4.50, 4.20, 4.04, 4.37), (24.56, 23.77, 22.60, 26.93)),
        ("gemini-2.5-pro", (7.65, 8.07, 4.99, 6.71), (31.61, 31.09, 29.06, 32.34)),
        ("gemini-3-pro", (18.00, 20.30, 14.71, 20.25), (39.99, 39.34, 38.81, 39.99)),
        ("grok-4", (3.33, 3.85, 3.70, 1.56), (13.79, 13.64, 14.19, 11.22)),
        ("human novice", (13.89, 16.98, 11.00, 16.67), (23.10, 25.32, 22.70, 24.92)),
        ("human enthusiast", (44.44, 44.14, 44.00, 54.17), (51.70, 52.58, 52.20, 57.81)),
        ("human expert", (100, 100, 100, 100), (100, 100, 100, 100)),
    ],
)
def test_table_2(model: str, accuracy: tuple[float, ...], stepwise: tuple[float, ...]) -> None:
    for score, printed in (("acc_compat", accuracy), ("stepwise", stepwise)):
        (row,) = [row for row in GAME.published()["by_variant"][score]["rows"] if row["agents"] == [model]]
        (table,) = tables(score, "modality")
        assert (*row["overall"], *(table["rows"][model][each] for each in MODALITIES)) == printed


def tables(score: str, label: str) -> Iterator[dict[str, Any]]:
    return (each for each in GAME.published()["labels"]["tables"] if (each["score"], each["label"]) == (score, label))


@pytest.mark.parametrize(
    ("score", "printed"), [("acc_compat", (18.46, 14.76, 9.64)), ("stepwise", (40.58, 39.38, 39.71))]
)
def test_table_5(score: str, printed: tuple[float, ...]) -> None:
    (table,) = tables(score, "difficulty")
    assert tuple(table["rows"]["o3"][each] for each in DIFFICULTIES) == printed


def test_table_6_falls_with_difficulty() -> None:
    (grid,) = GAME.published()["labels"]["grids"]
    cells = grid["rows"]
    assert [tuple(cells[each][modality] for modality in MODALITIES) for each in DIFFICULTIES] == [
        (19.5, 11.9, 20.4),
        (15.3, 8.9, 13.5),
        (10.6, 7.6, 9.6),
    ]
    for modality in MODALITIES:
        values = [cells[each][modality] for each in DIFFICULTIES]
        assert all(easier > harder for easier, harder in itertools.pairwise(values))


def test_every_option_score_and_player_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    scores = {"acc_compat", "acc_strict", "success", "answered", "turns", "hints", "leaked"}
    missing = [name for name in [*GAME.options_type.model_fields, *scores, *GAME.players()] if f"`{name}`" not in page]
    assert missing == []
