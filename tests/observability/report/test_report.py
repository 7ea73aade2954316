"""The report as a whole: one file that opens offline, says what it knows, and lets no name escape."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from palaver_observability.report import check_extra
from palaver_observability.report.naming import SCRIPTS
from palaver_observability.report.page import page, sections
from palaver_observability.report.study import Facts, Study, read_study
from palaver_observability.report.write import write_report
from palaver_protocols.errors import UsageError
from tests.observability.report.folders import AStudy, a_run, an_episode

FACTS = {"toy": Facts("weighted_outcome")}
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}


class Reader(HTMLParser):
    """Reads a page: its text, its attributes, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.split = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.split = tag == "wbr"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.split:
            self.words[-1] += data
        else:
            self.words.append(data)
        self.split = False

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def html_of(paths: Sequence[Path], facts: dict[str, Facts] | None = None) -> str:
    study = read_study(paths)
    known = Study(study.name, study.about, study.cells, FACTS if facts is None else facts, study.missing)
    return page(known, sections(known), at=datetime(2026, 1, 2, tzinfo=UTC), version="0.1.0")


@pytest.fixture
def study(tmp_path: Path) -> AStudy:
    return AStudy(tmp_path / "study")


@pytest.fixture
def whole(study: AStudy) -> AStudy:
    """A study with a cell or more of every experiment."""
    a, b = "scripted/strong", "scripted/weak"
    good, bad = [1.0, 1.0, 0.5, 1.0], [0.0, 0.5, 0.25, 1.0]
    for model, scores in ((a, good), (b, bad)):
        study.cell("solo-full", {"model": model}, [model], [1.0] * 4)
        study.cell("solo-distributed", {"model": model}, [model], good)
        study.cell("homogeneous", {"model": model}, [model, model], scores)
        study.cell("size", {"model": model, "size": 4}, [model, model], good)
        study.cell("size", {"model": model, "size": 6}, [model, model], scores)
        study.cell("density", {"model": model, "density": 0.3}, [model, model], scores)
        study.cell("group", {"model": model, "agents": 3}, [model] * 3, scores)
        study.cell("hierarchy", {"model": model}, [f"team(lead={model},members={model}+{model})"], scores)
    study.cell("heterogeneous", {"first": a, "second": b}, [a, b], good)
    study.cell("heterogeneous", {"first": b, "second": a}, [b, a], bad)
    for k in (2, 4):
        labels = {"strong": a, "weak": b, "k": k}
        study.cell("relay-primer", labels, [f"{a}@{k}>{b}", b], good)
        study.cell("relay-recovery", labels, [f"{b}@{k}>{a}", b], bad)
    return study


def test_every_part_has_its_place_in_the_order_of_reading(whole: AStudy) -> None:
    reader = read(html_of([whole.path]))
    anchors = [attributes["id"] for tag, attributes in reader.tags if tag == "section"]
    assert anchors == [
        *("summary", "run", "results", "pairings", "gap", "order", "relays", "efficiency", "ablations"),
        *("groups", "teams", "costs", "methods", "again"),
    ]


def test_the_page_asks_nothing_of_the_network(whole: AStudy) -> None:
    html = html_of([whole.path])
    for _, attributes in read(html).tags:
        assert not {"src", "srcset", "action", "xlink:href"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"@import|url\(|https?://|fetch\(", html)
    assert "default-src 'none'" in html


def test_scripts_are_named_as_such(whole: AStudy, tmp_path: Path) -> None:
    assert SCRIPTS in read(html_of([whole.path])).text
    mixed = a_run(tmp_path / "mixed", ["scripted", "openai/o3"], [an_episode(0, ["scripted", "openai/o3"], 1.0)])
    assert f"{SCRIPTS} This holds for scripted; the other agents are no scripts." in read(html_of([mixed])).text
    models = a_run(tmp_path / "models", ["openai/o3"], [an_episode(0, ["openai/o3"], 1.0)])
    assert "scripts, written" not in html_of([models])


def test_chance_beside_models_is_no_reason_to_warn(tmp_path: Path) -> None:
    study = AStudy(tmp_path / "study")
    study.cell("solo-full", {"model": "openai/o3"}, ["openai/o3"], [1.0])
    study.cell("solo-full", {"model": "random"}, ["random"], [0.0])
    assert "scripts, written" not in html_of([study.path])


def test_no_name_escapes(tmp_path: Path) -> None:
    hostile = "</script></title></svg><script>alert('x')</script>\x1b"
    study = AStudy(tmp_path / "study", name=hostile)
    study.cell("homogeneous", {"model": hostile}, [hostile, hostile], [1.0, 0.0])
    study.cell("heterogeneous", {"first": hostile, "second": "b"}, [hostile, "b"], [1.0, 0.0])
    study.cell("size", {"model": hostile, "size": 4}, [hostile, hostile], [1.0, 0.0])

    html = html_of([study.path])

    reader = read(html)
    assert [tag for tag, _ in reader.tags].count("script") == 1
    assert "<script>alert" not in html
    assert "\x1b" not in html
    assert "</script></title></svg><script>alert('x')</script>" in reader.text


def test_every_figure_has_its_numbers_as_a_table(whole: AStudy) -> None:
    figures = re.findall(r"<figure>.*?</figure>", html_of([whole.path]), re.DOTALL)
    assert len(figures) == 11
    for figure in figures:
        assert "<figcaption>" in figure
        assert re.search(r"<details>.*<table", figure, re.DOTALL)
        assert 'role="img"' in figure


def test_a_run_of_which_nothing_is_played_yet_says_so(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", ["a"], [], episodes=5)
    text = read(html_of([run])).text
    assert "Not complete. 5 of 5 episodes of the runs that have begun are not there." in text
    assert "run has 0 of 5 episodes." in text


def test_cells_that_have_not_begun_are_named(study: AStudy) -> None:
    study.cell("homogeneous", {"model": "a"}, ["a", "a"], [1.0])
    study.plan("homogeneous", {"model": "b"})
    assert "1 of 2 cells have not begun: homogeneous/b." in read(html_of([study.path])).text


def test_a_study_without_cells_has_a_report(study: AStudy) -> None:
    assert "The study has no cells." in read(html_of([study.path])).text


def test_a_game_that_is_not_installed_is_shown_by_what_its_records_say(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", ["a"], [an_episode(0, ["a"], None, scores={"points": 7.5})])
    assert "7.50" in read(html_of([run], facts={})).text


def test_any_game_has_a_report_by_its_own_scores(tmp_path: Path) -> None:
    # two seats, scores of the game's own, no success, nothing published; 0.5, 1 and 0: mean 0.5, sd 0.5, 1.96 SE 0.57
    for agents in (["a", "b"], ["b", "a"], ["a", "a"]):
        records = [
            an_episode(at, agents, None, outcome="failed", scores={"sr": float(psr == 1), "psr": psr})
            for at, psr in enumerate((0.5, 1.0, 0.0))
        ]
        a_run(tmp_path / "-".join(agents), agents, records)
    runs = sorted(path for path in tmp_path.iterdir())
    html = html_of(runs, facts={"toy": Facts("psr")})
    reader = read(html)
    anchors = [attributes["id"] for tag, attributes in reader.tags if tag == "section"]
    assert anchors == ["summary", "run", "results", "pairings", "order", "efficiency", "costs", "methods", "again"]
    assert "0.50 [−0.07, 1.07]" in reader.text  # noqa: RUF001 - a minus sign, as it is printed
    assert "sr 3 0.33" in reader.text
    assert "weighted outcome" not in html


def test_runs_of_several_games_share_a_page(tmp_path: Path) -> None:
    one = a_run(tmp_path / "one", ["a", "b"], [an_episode(0, ["a", "b"], 1.0)])
    records = [an_episode(0, ["a", "b"], None, game="chess", variant="blitz", scores={"elo": 1500.0})]
    other = a_run(tmp_path / "other", ["a", "b"], records, game="chess")
    text = read(html_of([one, other])).text
    assert "toy, pair; chess, blitz" in text
    assert "elo 1 1 500" in text


def test_the_file_is_written_whole_and_makes_its_folder(whole: AStudy, tmp_path: Path) -> None:
    file = tmp_path / "new" / "page.html"
    written = write_report(read_study([whole.path]), FACTS, file)
    assert written.file == file
    assert "pairings" in written.parts
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [each.name for each in file.parent.iterdir()] == ["page.html"]


def test_a_missing_library_is_asked_for_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(UsageError, match=r"the report needs jinja2 \(pip install 'palaver\[report\]'\)"):
        check_extra()
