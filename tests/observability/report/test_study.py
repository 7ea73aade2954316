"""Which folders a report reads, and what it makes of them."""

from pathlib import Path

import pytest

from palaver_observability.report.study import read_study
from palaver_protocols.errors import UsageError
from tests.observability.report.folders import AStudy, a_run, an_episode


def test_a_study_keeps_its_cells_in_order_with_their_labels(tmp_path: Path) -> None:
    study = AStudy(tmp_path / "study")
    study.cell("relay-primer", {"strong": "a", "weak": "b", "k": 2}, ["a@2>b", "b"], [1.0])
    (cell,) = read_study([study.path]).cells
    assert (cell.id, cell.experiment, cell.number("k"), cell.text("weak")) == (
        "relay-primer/a/b/2",
        "relay-primer",
        2,
        "b",
    )


@pytest.mark.parametrize(
    ("agents", "options", "experiment", "labels"),
    [
        (["a", "a"], {}, "homogeneous", {"model": "a"}),
        (["a", "b"], {}, "heterogeneous", {"first": "a", "second": "b"}),
        (["a"], {"setting": "solo-full"}, "solo-full", {"model": "a"}),
        (["a@2>b", "b"], {}, "", {}),
        (["team(lead=a,members=b)", "b"], {}, "", {}),
        (["a", "b", "c"], {}, "", {}),
    ],
)
def test_a_run_alone_is_told_from_what_was_played(
    tmp_path: Path, agents: list[str], options: dict[str, str], experiment: str, labels: dict[str, str]
) -> None:
    run = a_run(tmp_path / "run", agents, [an_episode(0, agents, 1.0)], options=options)
    (cell,) = read_study([run]).cells
    assert (cell.experiment, cell.labels) == (experiment, labels)


def test_a_folder_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", ["a"], [an_episode(0, ["a"], 1.0)])
    assert len(read_study([run, run]).cells) == 1


def test_an_unfinished_run_is_named_with_what_it_owes(tmp_path: Path) -> None:
    owed = an_episode(1, ["a"], None, outcome="error")
    run = a_run(tmp_path / "run", ["a"], [an_episode(0, ["a"], 1.0), owed], episodes=5)
    assert read_study([run]).missing == ("run has 1 of 5 episodes, 1 ended with an error or a spent budget.",)


def test_other_folders_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run folder and no study"):
        read_study([tmp_path])
    with pytest.raises(UsageError, match="there is no folder"):
        read_study([tmp_path / "nowhere"])


@pytest.mark.parametrize("text", ["cells: [", "[]", "name: 3\ncells: [{}]"])
def test_a_damaged_study_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.yaml").write_text(text)
    with pytest.raises(UsageError, match=r"study\.yaml is malformed"):
        read_study([tmp_path])
