"""The study's tables as they were transcribed: each row against its printed mean, and all against each other."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from palaver_gamemasters.comma.game import CommaGame
from palaver_gamemasters.comma.puzzles import TEN

PUBLISHED = CommaGame().published()
TABLES: Mapping[str, Mapping[str, Any]] = PUBLISHED["by_variant"]
ROUNDED = {True: 0.35, False: 0.006}
"""How far the mean of ten rounded figures can be from the printed mean: shares are printed as whole per cents."""
DIFFERENT = {
    ("partial_success", "human"),
    ("partial_success", "o4-mini"),
    ("partial_success", "r1-onevision"),
    ("partial_success", "internvl"),
    ("partial_success", "gpt-4o without memory"),
    ("success", "human"),
    ("success", "o4-mini"),
    ("success", "internvl"),
    ("mistakes", "human"),
    ("mistakes", "o4-mini"),
    ("mistakes", "internvl"),
    ("length", "human"),
    ("length", "o4-mini"),
    ("length", "internvl"),
}
"""Rows whose printed mean is not that of their figures: in the paper, and so in the file."""


def rows() -> list[tuple[str, str, Mapping[str, Any]]]:
    return list(_rows())


def _rows() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for score, table in TABLES.items():
        for row in table["rows"]:
            name = row["agents"][0]
            yield score, f"{name} without memory" if "memory" in row.get("options", {}) else name, row


def test_the_columns_are_the_ten_puzzles() -> None:
    assert tuple(PUBLISHED["variants"]) == TEN
    assert set(TABLES) == {"success", "partial_success", "mistakes", "length"}


@pytest.mark.parametrize(
    ("score", "name", "row"), rows(), ids=[f"{score}-{name}".replace(" ", "-") for score, name, _ in rows()]
)
def test_a_printed_mean_is_that_of_its_figures_or_is_known_not_to_be(
    score: str, name: str, row: Mapping[str, Any]
) -> None:
    assert len(row["mean"]) == len(row["error"]) == len(TEN)
    far = abs(sum(row["mean"]) / len(TEN) - row["overall"][0]) > ROUNDED[TABLES[score]["percent"]]
    assert far == ((score, name) in DIFFERENT)


def test_o4_minis_means_are_those_of_a_hundred_wires_and_thirty_of_all_else() -> None:
    for score, name, row in rows():
        if name == "o4-mini":
            wire, *others = row["mean"]
            pooled = (100 * wire + 30 * sum(others)) / 370
            assert pooled == pytest.approx(row["overall"][0], abs=0.3 if TABLES[score]["percent"] else 0.01)


def test_nobody_succeeds_more_than_partially_but_two_in_the_maze() -> None:
    partial = {name: row["mean"] for score, name, row in rows() if score == "partial_success"}
    more = [
        (name, puzzle)
        for score, name, row in rows()
        if score == "success"
        for puzzle, whole, part in zip(TEN, row["mean"], partial[name], strict=True)
        if whole > part
    ]
    assert sorted(more) == [("human", "maze"), ("random", "maze")]


def test_every_table_has_the_same_twelve_line_ups() -> None:
    names = {score: {name for each, name, _ in rows() if each == score} for score in TABLES}
    assert names["partial_success"] - names["success"] == {"gpt-4o without memory"}
    assert names["success"] == names["mistakes"] == names["length"]
    assert len(names["success"]) == 12
    assert {row["agents"][0] for row in PUBLISHED["efficiency"]} == names["success"]


def test_printed_errors_are_no_larger_than_shares_allow() -> None:
    # the standard error of a share p of n episodes is sqrt(p (1 - p) / (n - 1))
    for score, _, row in rows():
        if score == "success":
            for mean, error in zip(row["mean"], row["error"], strict=True):
                most = 100 * ((mean / 100) * (1 - mean / 100) / (min(row["n"], 100) - 1)) ** 0.5
                assert error <= most * 1.03 + 0.3


def test_the_random_row_is_that_of_the_paper() -> None:
    known = {score: row["mean"] for score, name, row in rows() if name == "random"}
    assert known == {
        "success": [57, 3, 44, 14, 0, 1, 0, 0, 3, 0],
        "partial_success": [57, 16, 44, 32, 15, 18, 0, 6, 0, 0],
        "mistakes": [1.70, 2.96, 2.02, 2.76, 3.00, 2.97, 0.94, 3.00, 1.96, 0.18],
        "length": [1.27, 2.27, 1.46, 2.76, 2.95, 2.88, 9.92, 2.58, 8.59, 10.00],
    }


def test_efficiency_is_what_the_formula_can_give() -> None:
    # even without a single token, 2 p / (p + 1) is the most
    worth = {tuple(row["agents"]): row["overall"][0] / 100 for score, name, row in rows() if "memory" not in name
             and score == "partial_success"}  # fmt: skip
    for row in PUBLISHED["efficiency"]:
        share = worth[tuple(row["agents"])]
        assert row["efficiency"] <= 2 * share / (share + 1) + 0.0051
