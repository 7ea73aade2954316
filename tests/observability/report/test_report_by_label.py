"""Scores by what instances are labelled with: tables, heat maps over two scales, and published rows beside ours."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palaver_observability.report.document import Figure, Section, Table
from palaver_observability.report.parts.labels import MOST, labels
from palaver_observability.report.study import Facts, Study, read_study
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from tests.observability.report.folders import a_run, an_episode

DASH = "\N{EN DASH}"
PUBLISHED: dict[str, Any] = {
    "labels": {
        "scores": ["success"],
        "order": {"difficulty": ["easy", "medium", "hard"]},
        "tables": [
            {
                "where": "table 5",
                "score": "success",
                "label": "difficulty",
                "percent": True,
                "rows": {"O3": {"easy": 40.5, "hard": 3}, "Human": {"easy": 90}},
            }
        ],
    }
}
ORDER = {"order": {"difficulty": ["easy", "medium", "hard"]}}
BOARDS = {"labels": {"scales": ["geoms", "path"], "drawn": ["closest"]}}


def labelled(number: int, score: float, agent: str = "x/o3", **labels: tuple[str, ...]) -> EpisodeRecord:
    return an_episode(number, [agent], score, labels=labels)


def a_study(path: Path, records: list[EpisodeRecord], published: Mapping[str, Any] = PUBLISHED) -> Study:
    folder = a_run(path / "run", ["x/o3"], records)
    return replace(read_study([folder]), facts={"toy": Facts("weighted_outcome", published)})


def part(path: Path, records: list[EpisodeRecord], published: Mapping[str, Any] = PUBLISHED) -> Section:
    found = labels(a_study(path, records, published))
    assert found is not None
    return found


def tables(section: Section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)]


EASY_AND_HARD = [
    labelled(0, 1, difficulty=("easy",)),
    labelled(1, 0, difficulty=("easy",)),
    labelled(2, 0, difficulty=("hard",)),
]


def test_a_score_has_a_column_for_each_value_in_the_papers_order_with_its_interval_and_n(tmp_path: Path) -> None:
    (table,) = tables(part(tmp_path, EASY_AND_HARD))
    assert [column.title for column in table.head] == ["line-up", "easy", "hard"]
    # Wilson: 1 of 2 is [0.0945, 0.9055], 0 of 1 is [0, 0.7935]
    assert table.rows[0] == ("o3", "50.0 [9.45, 90.5]\nn 2", "0.00 [0.00, 79.3]\nn 1")


def test_the_published_row_of_the_same_model_stands_below_ours_and_others_at_the_end(tmp_path: Path) -> None:
    (table,) = tables(part(tmp_path, EASY_AND_HARD))
    assert table.rows[1:] == (("O3, published", "40.5", "3.00"), ("Human, published", "90.0", DASH))
    assert "table 5" in table.caption


def test_an_instance_counts_in_each_of_its_values(tmp_path: Path) -> None:
    both = [labelled(0, 1, skills=("logic", "spatial")), labelled(1, 0, skills=("logic",))]
    (table,) = tables(part(tmp_path, both))
    assert [cell.rpartition("\n")[2] for cell in table.rows[0][1:]] == ["n 2", "n 1"]


def test_a_score_that_is_no_share_has_intervals_of_one_kind(tmp_path: Path) -> None:
    # easy: 0 and 1, mean 0.5, SE 0.5; hard: 0.5 and 1, mean 0.75, SE 0.25; no farther than a share can go
    known = [(0, "easy"), (1, "easy"), (0.5, "hard"), (1, "hard")]
    partly = [labelled(number, score, difficulty=(level,)) for number, (score, level) in enumerate(known)]
    stepped = [each.model_copy(update={"scores": {"stepwise": each.scores["weighted_outcome"]}}) for each in partly]
    (table,) = tables(part(tmp_path, stepped, {"labels": {"scores": ["stepwise"], **ORDER}}))
    assert table.rows[0] == ("o3", "0.50 [0.00, 1.00]\nn 2", "0.75 [0.26, 1.00]\nn 2")


def test_a_label_with_one_value_divides_nothing(tmp_path: Path) -> None:
    one = [labelled(number, 1, difficulty=("easy",)) for number in range(3)]
    assert labels(a_study(tmp_path, one)) is None


def test_instances_without_labels_have_no_such_part(tmp_path: Path) -> None:
    assert labels(a_study(tmp_path, [an_episode(0, ["x/o3"], 1)])) is None


def test_numbers_are_ordered_by_size(tmp_path: Path) -> None:
    found = [labelled(number, 1, geoms=(str(geoms),)) for number, geoms in enumerate((10, 2, 9))]
    (table,) = tables(part(tmp_path, found))
    assert [column.title for column in table.head][1:] == ["2", "9", "10"]


def a_board(number: int, geoms: int, path: int, closest: float, agent: str = "x/o3") -> EpisodeRecord:
    record = labelled(number, 0, agent, geoms=(str(geoms),), path=(str(path),))
    return record.model_copy(update={"scores": {"closest": closest, "success": 0.0}})


def test_two_scales_are_drawn_as_a_heat_map_with_the_mean_of_each_cell(tmp_path: Path) -> None:
    boards = [a_board(0, 2, 3, 1), a_board(1, 2, 3, 2), a_board(2, 5, 3, 4), a_board(3, 5, 7, 6)]
    (figure,) = (block for block in part(tmp_path, boards, BOARDS).blocks if isinstance(block, Figure))
    assert [chart.title for chart in figure.charts] == ["Closest, geoms (rows) by path (columns): o3, pair"]
    assert figure.table.rows == (
        ("o3, pair", "2", "3", "1.50", "2"),
        ("o3, pair", "5", "3", "4.00", "1"),
        ("o3, pair", "5", "7", "6.00", "1"),
    )


def test_what_the_study_prints_over_both_scales_is_drawn_behind_ours(tmp_path: Path) -> None:
    grid = {"where": "table 6", "score": "closest", "model": "o3", "percent": True, "rows": {"2": {"3": 150}}}
    published = {"labels": {**BOARDS["labels"], "grids": [grid]}}
    (figure,) = (
        block
        for block in part(tmp_path, [a_board(0, 2, 3, 1), a_board(1, 5, 7, 6)], published).blocks
        if isinstance(block, Figure)
    )
    assert [chart.title.partition(": ")[2] for chart in figure.charts] == ["o3, pair", "o3, published, table 6"]
    assert ">1.50<" in figure.charts[1].svg


def test_of_very_many_line_ups_the_first_are_drawn_and_the_rest_is_named(tmp_path: Path) -> None:
    boards = [a_board(geoms, geoms, path, 1, f"x/m{at}")
              for at in range(MOST + 2) for geoms, path in ((2, 3), (3, 4))]  # fmt: skip
    numbered = [each.model_copy(update={"episode_id": f"toy-{at:05}"}) for at, each in enumerate(boards)]
    blocks = part(tmp_path, numbered, BOARDS).blocks
    (figure,) = (block for block in blocks if isinstance(block, Figure))
    assert len(figure.charts) == MOST
    assert any("2 more line-ups are not drawn" in getattr(block, "text", "") for block in blocks)


@pytest.mark.parametrize(
    "wrong", [{"tables": [{"where": "table 1"}]}, {"scales": "geoms"}, {"tables": [{"rows": {"o3": 3}}]}]
)
def test_malformed_published_figures_are_one_line(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="the published figures of toy"):
        labels(a_study(tmp_path, EASY_AND_HARD, {"labels": wrong}))
