"""`palaver export --to site`: pages that open anywhere, with all that they show."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.conftest import Palaver
from tests.deploy.exported_runs import a_log, a_run, end, said, usual_run

CHROMIUM = Path("/usr/bin/chromium")


class Links(HTMLParser):
    """Gathers what a page refers to, and the names of its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]


def pages(site: Path) -> Iterator[tuple[Path, Links]]:
    for page in sorted(site.rglob("*.html")):
        if page.name != "report.html":
            yield page, Links(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of three runs: a maze, COMMA, and one whose game is not installed here."""
    from palaver_deploy.cli import exit_code

    home = tmp_path_factory.mktemp("site")
    assert exit_code(["run", "maze", "-a", "random,scripted", "-n", "3", "-q", "--out", str(home / "a-maze")]) == 0
    assert exit_code(["run", "comma", "-a", "scripted", "-n", "2", "-q", "--out", str(home / "comma")]) == 0
    usual_run(home / "toy")
    folders = [str(home / name) for name in ("a-maze", "comma", "toy")]
    assert exit_code(["export", *folders, "--to", "site", "--out", str(home / "site"), "-q"]) == 0
    return home / "site"


def test_every_link_and_picture_leads_somewhere(site: Path) -> None:
    found = list(pages(site))
    assert len(found) == 1 + 3 + 2 + 3
    for page, read in found:
        lost = [link for link in read.links if not (page.parent / (link.partition("#")[0] or page.name)).is_file()]
        assert (page.name, lost) == (page.name, [])


def test_pages_need_no_script_and_no_network(site: Path) -> None:
    for page, read in pages(site):
        assert "script" not in read.tags, page
        assert not [link for link in read.links if re.match(r"[a-z]+:|//", link)], page


def test_every_picture_is_there_once_and_is_shown(site: Path) -> None:
    shown = {Path(link).name for _, read in pages(site) for link in read.links if "blobs/" in link}
    there = {file.name for file in (site / "blobs").iterdir()}
    assert there == shown
    assert {Path(name).suffix for name in there} == {".svg", ".png"}


def test_the_board_changes_beside_the_dialogue(site: Path) -> None:
    (page, *_) = sorted((site / "a-maze").iterdir())
    cells = re.findall(r'<li class="board" (.*?)</li>', page.read_text(encoding="utf-8"), flags=re.DOTALL)
    boards = [re.findall(r'src="(.*?)"', cell) for cell in cells]
    assert len(boards) > 1
    assert all(one != other for one, other in pairwise(boards))


def test_what_each_seat_was_shown_is_there(site: Path) -> None:
    (page, *_) = sorted((site / "comma").iterdir())
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"<summary><b>(\w+)</b>", text) == ["solver", "expert"]


def test_a_game_that_is_not_installed_is_told_from_its_log(site: Path) -> None:
    text = (site / "toy" / "toy-0.html").read_text(encoding="utf-8")
    assert "Left &lt;b&gt;or&lt;/b&gt; right?" in text
    assert "<b>or</b>" not in text
    assert "boarded" not in text.split("</style>")[1]


def test_the_front_page_has_results_with_intervals_and_all_episodes(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert text.count('<tr class="episode is-') == 8
    assert re.search(r'<td class="num">\[[^<]+, [0-9.]+\]</td>', text)
    assert '<a id="error" href="#error">error 1</a>' in text
    assert 'href="report.html"' in text


def test_a_limit_leaves_the_results_as_they_are(palaver: Palaver, home: Path) -> None:
    usual_run(home / "run")
    said_of_it = palaver("export", "run", "--to", "site", "--limit", 1)
    assert said_of_it.out.splitlines() == [
        "1 run, 1 page, 0 pictures",
        "1 episode left out: not ended",
        "2 episodes left out: beyond the limit",
        "",
        "site: run/exports/site/index.html",
    ]
    text = Path("run/exports/site/index.html").read_text(encoding="utf-8")
    assert "2 more have no page here." in text
    assert "1 solved, 1 failed, 1 error" in text
    assert [file.name for file in Path("run/exports/site/episodes").iterdir()] == ["toy-0.html"]


def test_names_that_are_no_names_of_files_get_some(palaver: Palaver, home: Path) -> None:
    names = ["a/b", "a b", "A b", "../up", "é"]
    a_run(home / "run", [a_log("run", name, said(0, "guide", "Hm."), end(success=1.0)) for name in names])
    assert palaver("export", "run", "--to", "site", "--out", "out").code == 0
    files = [file.name for file in Path("out/episodes").iterdir()]
    assert len({name.lower() for name in files}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+\.html", name) for name in files)


def test_a_picture_that_is_lost_is_told(palaver: Palaver) -> None:
    palaver("run", "matchit", "-a", "scripted", "-n", 1, "-q", "--out", "run")
    for blob in Path("run/blobs").iterdir():
        blob.unlink()
    assert palaver("export", "run", "--to", "site", "--out", "out").code == 0
    (page,) = Path("out/episodes").iterdir()
    assert "the run folder has no picture" in page.read_text(encoding="utf-8")


def test_without_the_libraries_of_the_report_there_is_a_site_without_one(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual_run(home / "run")
    monkeypatch.setattr("palaver_observability.report.find_spec", lambda _: None)
    out = palaver("export", "run", "--to", "site", "--out", "out").out
    assert "without a report: the report needs" in out
    assert not Path("out/report.html").exists()
    assert "report.html" not in Path("out/index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no browser here")
def test_a_browser_opens_it_from_the_disk_without_scripts(site: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    failed: list[str] = []

    def watched(browser: Any, width: int, scheme: str) -> Any:
        size = {"width": width, "height": 900}
        page = browser.new_context(viewport=size, color_scheme=scheme, java_script_enabled=False).new_page()
        page.set_default_timeout(10_000)
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("console", lambda message: failed.append(message.text))
        return page

    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = watched(browser, 1280, "light")
        page.goto((site / "index.html").as_uri() + "#failed")
        assert page.locator("tr.episode.is-failed").first.is_visible()
        assert not page.locator("tr.episode.is-solved").first.is_visible()
        page.goto((site / "index.html").as_uri() + "#all")
        page.locator("tr.episode.is-solved a").first.click()
        assert page.locator("li.board img").first.is_visible()
        assert not page.locator("details ol").first.is_visible()
        page.locator("summary").first.click()
        assert page.locator("details ol").first.is_visible()
        narrow = watched(browser, 360, "dark")
        narrow.goto(page.url)
        box = narrow.locator("main").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360
        browser.close()
    assert failed == []
