"""The published figures of clembench: that they were copied well shows in what they have to do with each other."""

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

import pytest

from palaver_gamemasters.clembench.published import published
from palaver_gamemasters.registry import game_names

SHARED: Mapping[str, Any] = published("matchit")["clemscore"]
BOARD: Mapping[str, Any] = SHARED["leaderboard"]
ROWS: Mapping[str, list[float | None]] = BOARD["rows"]
ROUNDING = 0.0051
"""Half of the last of two decimals."""


def table(game: str) -> Mapping[str, list[float | None]]:
    rows: Mapping[str, list[float | None]] = published(game)["clemscore"]["tables"][0]["rows"]
    return rows


@pytest.mark.parametrize("model", ROWS)
def test_a_clemscore_is_the_product_of_its_averages(model: str) -> None:
    clemscore, played, quality, *_ = ROWS[model]
    assert clemscore is not None
    assert played is not None
    assert quality is not None
    assert clemscore == pytest.approx(played * quality / 100, abs=2 * ROUNDING)


@pytest.mark.parametrize("model", ROWS)
def test_average_played_is_that_of_five_games_three_of_them_in_the_map_group(model: str) -> None:
    _, average, _, match_it, _, reference, _, maps, _ = ROWS[model]
    assert match_it is not None
    assert reference is not None
    assert maps is not None
    assert average == pytest.approx((match_it + reference + 3 * maps) / 5, abs=2 * ROUNDING)


@pytest.mark.parametrize("model", [model for model, row in ROWS.items() if None not in row])
def test_average_quality_is_that_of_five_games_where_all_have_one(model: str) -> None:
    _, _, average, _, match_it, _, reference, _, maps = ROWS[model]
    assert match_it is not None
    assert reference is not None
    assert maps is not None
    assert average == pytest.approx((match_it + reference + 3 * maps) / 5, abs=3 * ROUNDING)


@pytest.mark.parametrize("model", [model for model, row in ROWS.items() if row[8] is None])
def test_a_map_group_without_a_quality_is_left_out_of_the_average_or_counted_in_part(model: str) -> None:
    _, _, average, _, match_it, _, reference, _, _ = ROWS[model]
    assert average is not None
    known = [each for each in (match_it, reference) if each is not None]
    possible = [(average * (len(known) + variants) - sum(known)) / variants for variants in (1, 2)]
    assert average == pytest.approx(fmean(known), abs=ROUNDING) or any(0 < each < 100 for each in possible)


@pytest.mark.parametrize("model", table("multimodal_referencegame"))
def test_tables_4_and_5_are_played_times_quality_of_table_1(model: str) -> None:
    _, _, _, _, _, played, quality, _, _ = ROWS[model]
    assert played is not None
    assert quality is not None
    over = [each for each in table("multimodal_referencegame")[model] if each is not None]
    assert fmean(over) == pytest.approx(played * quality / 100, abs=0.03)


@pytest.mark.parametrize("model", [model for model in table("matchit") if ROWS[model][3] == 100.0])
def test_table_6_is_the_quality_of_table_1_where_all_was_played(model: str) -> None:
    over = [each for each in table("matchit")[model] if each is not None]
    assert fmean(over) == pytest.approx(ROWS[model][4], abs=0.02)


@pytest.mark.parametrize("game", ["mm_mapworld", "textmapworld"])
def test_table_10_is_the_mean_of_table_11(game: str) -> None:
    whole = published(game)["clemscore"]["whole"]["rows"]
    for model, row in table(game).items():
        assert fmean(each for each in row if each is not None) == pytest.approx(whole[model], abs=0.11), model


def games() -> Iterator[str]:
    yield from (game for board in SHARED["boards"].values() for game in board)


def test_every_game_is_on_one_board_and_has_one_twin() -> None:
    assert sorted(games()) == sorted(set(games()))
    assert set(games()) <= set(game_names())
    twins = SHARED["twins"]
    assert [twin["multimodal"] for twin in twins] == SHARED["boards"]["multimodal"][:2] + [
        name for name in SHARED["boards"]["multimodal"] if name.startswith("mm_")
    ]
    assert sorted(twin["textual"] for twin in twins) == sorted(SHARED["boards"]["textual"])


@pytest.mark.parametrize("game", sorted(games()))
def test_tables_have_a_figure_for_each_experiment_and_its_name_is_a_word(game: str) -> None:
    known = published(game)["clemscore"]
    assert all(isinstance(name, str) for name in known["experiments"])
    assert len(set(known["experiments"])) == len(known["experiments"])
    for each in known.get("tables", ()):
        assert each["measure"] in ("quality", "weighted")
        assert {len(row) for row in each["rows"].values()} == {len(known["experiments"])}
        assert set(each["rows"]) <= set(ROWS)


def test_no_other_name_stands_for_two_models() -> None:
    others = [name for names in SHARED["models"].values() for name in names]
    assert len(set(others)) == len(others)
    assert set(SHARED["models"]) <= set(ROWS)


def test_a_game_of_which_nothing_is_printed_has_the_shared_part_only() -> None:
    assert set(published("adventure")["clemscore"]) == set(SHARED) - {"experiments", "tables"}
