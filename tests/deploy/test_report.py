"""`palaver report`: where it writes, what it says, how it refuses."""

import sys
from pathlib import Path

import pytest

from palaver_deploy.cli import COMMANDS
from tests.deploy.conftest import Palaver
from tests.observability.report.folders import AStudy, a_run, an_episode


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "report", ("report:report", "set the results of runs on a page"))


@pytest.fixture
def run(home: Path) -> Path:
    return a_run(home / "run", ["random"], [an_episode(0, ["random"], 1.0)], episodes=2)


def test_a_report_lies_in_the_folder_that_it_is_about(palaver: Palaver, run: Path) -> None:
    said = palaver("report", run)
    assert (said.code, said.out, said.err) == (0, f"report: {run}/report.html\n", "")
    assert "<h1>toy: run</h1>" in (run / "report.html").read_text()


def test_a_report_of_a_real_game_knows_its_score_and_its_study(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 2, "-q", "--out", "maze")
    assert palaver("report", "maze").code == 0
    page = Path("maze", "report.html").read_text()
    assert "The Collaboration Gap" in page
    assert "palaver run maze --agents optimal -n 2 --seed 0" in page


def test_several_folders_share_a_report_here_or_where_out_says(palaver: Palaver, home: Path, run: Path) -> None:
    study = AStudy(home / "study")
    study.cell("homogeneous", {"model": "a"}, ["a", "a"], [1.0])
    assert palaver("report", run, study.path).out == "report: report.html\n"
    assert palaver("report", run, study.path, "--out", "there/page.html").out == "report: there/page.html\n"
    assert (home / "there" / "page.html").exists()


def test_json_says_where_the_report_is_and_what_is_missing(palaver: Palaver, run: Path) -> None:
    document = palaver("report", run, "--json").document
    assert document["report"] == str(run / "report.html")
    assert (document["runs"], document["episodes"]) == (1, 1)
    assert document["missing"] == ["run has 1 of 2 episodes."]
    assert document["parts"][:2] == ["run", "results"]


def test_what_is_no_run_is_refused(palaver: Palaver, home: Path) -> None:
    said = palaver("report", "nowhere")
    assert (said.code, said.complaint) == (
        2,
        "there is no folder nowhere (give the folder of a run or of a study)",
    )


def test_a_missing_library_is_one_line(palaver: Palaver, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    said = palaver("report", run)
    assert (said.code, said.complaint) == (2, "the report needs statsmodels (pip install 'palaver[report]')")


def test_it_opens_where_it_is_asked_to(palaver: Palaver, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    palaver("report", run)
    assert opened == []
    palaver("report", run, "--open")
    assert opened == [(run / "report.html").as_uri()]
