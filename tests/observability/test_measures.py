"""Which measures tables show."""

import pytest

from palaver_observability.measures import told_once
from palaver_observability.stats import estimate

OURS = [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "theirs",
    [
        pytest.param([1.0, 0.0, 0.0], id="equal"),
        pytest.param([1.0, 0.0, None], id="undefined where aborted"),
        pytest.param([1.0, None, None], id="undefined where not solved"),
    ],
)
def test_a_study_s_own_word_for_success_is_shown_once(theirs: list[float | None]) -> None:
    rows = [{"Success": estimate(theirs), "success": estimate(OURS)}]
    assert told_once(rows) == ["success"]


@pytest.mark.parametrize(
    "theirs",
    [
        pytest.param([1.0, 1.0, 0.0], id="more of them"),
        pytest.param([None, 0.0, 0.0], id="undefined where solved"),
        pytest.param([1.0, 0.0, 0.0, 0.0], id="of more episodes"),
    ],
)
def test_what_counts_otherwise_is_shown_beside_ours(theirs: list[float | None]) -> None:
    rows = [{"Success": estimate(theirs), "success": estimate(OURS)}]
    assert told_once(rows) == ["Success", "success"]


def test_all_rows_of_a_table_have_to_agree() -> None:
    same = {"Success": estimate(OURS), "success": estimate(OURS)}
    other = {"Success": estimate([1.0]), "success": estimate([0.0])}
    assert told_once([same, other]) == ["Success", "success"]
    assert told_once([same, {"success": estimate([0.0])}]) == ["success"]


def test_other_names_stay_whatever_their_letters() -> None:
    assert told_once([{"Main Score": estimate([1.0]), "moves": estimate([1.0])}]) == ["Main Score", "moves"]
