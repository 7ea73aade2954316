"""The study's figures of board-state inference as they were transcribed: each against the others."""

from collections.abc import Mapping
from typing import Any

import pytest

from palaver_gamemasters.ivispar.inference import GAME
from palaver_gamemasters.ivispar.inference.answer import CLASSES
from tests.gamemasters.ivispar.inference_cases import listed, scores_of

PUBLISHED = GAME.published()
TABLES: Mapping[str, Mapping[str, Any]] = PUBLISHED["by_variant"]
MODELS = ("Sonnet-3.5", "Gemini-2.0-flash", "GPT-4o", "InternVL2.5-78B", "LLaVA-OneVision-72B", "Qwen2-72B")
PICTURES = 300


def means(score: str) -> dict[str, list[float]]:
    return {row["agents"][0]: row["mean"] for row in TABLES[score]["rows"]}


def test_every_table_is_of_a_score_of_ours_and_has_all_models() -> None:
    assert set(TABLES) <= set(scores_of(listed("A1 red cube")))
    assert {tuple(means(score)) for score in TABLES} == {MODELS}
    assert PUBLISHED["variants"] == ["3d", "2d"]


@pytest.mark.parametrize("score", TABLES)
def test_a_printed_average_is_the_mean_of_both_modalities(score: str) -> None:
    for row in TABLES[score]["rows"]:
        assert sum(row["mean"]) / 2 == pytest.approx(row["overall"][0], abs=0.0101)


@pytest.mark.parametrize("model", MODELS)
def test_board_state_inference_is_the_share_of_six_and_a_half_geoms(model: str) -> None:
    for percent, correct in zip(means("board_state_inference")[model], means("correct")[model], strict=True):
        assert percent == pytest.approx(100 * correct / 6.5, abs=100 * 0.0051 / 6.5)


def test_the_classes_are_ours_and_add_up_to_their_totals() -> None:
    classes = PUBLISHED["format_classes"]
    assert tuple(classes) == CLASSES
    assert {name: sum(each["models"].values()) for name, each in classes.items()} == {
        name: each["total"] for name, each in classes.items()
    }


@pytest.mark.parametrize(
    ("model", "by_class", "by_table"),
    [
        ("Sonnet-3.5", 0, 0),
        ("Gemini-2.0-flash", 29, 27),
        ("GPT-4o", 11, 12),
        ("InternVL2.5-78B", 215, 981),
        ("LLaVA-OneVision-72B", 222, 222),
        ("Qwen2-72B", 133, 132),
    ],
)
def test_format_errors_by_class_and_by_table_are_as_far_apart_as_the_file_says(
    model: str, by_class: int, by_table: int
) -> None:
    assert sum(each["models"].get(model, 0) for each in PUBLISHED["format_classes"].values()) == by_class
    assert round(sum(means("format_errors")[model]) * PICTURES) == by_table


def test_nothing_is_drawn_over_a_way_that_the_picture_does_not_show() -> None:
    assert "path" not in str(PUBLISHED["labels"])
    assert set(PUBLISHED["labels"]["scores"]) <= set(scores_of(listed("A1 red cube")))
