"""The pages' files: nothing said becomes markup, nothing comes from elsewhere, everything that is there is used."""

import re
import shlex
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

from palaver_deploy.cli import cli
from palaver_observability.dashboard.files import STATIC

SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))
PAGES = sorted(STATIC.glob("*.html"))
IMPORT = re.compile(r"""^(?:import|export)\b[^"'=;(]*["']([^"']+\.js)["']""", re.MULTILINE)
FORBIDDEN = {
    "markup out of text": r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTML|"
    r"DOMParser|srcdoc",
    "code out of text": r"\beval\b|new Function\b|setTimeout\(\s*[\"'`]|setInterval\(\s*[\"'`]|javascript:",
    "a style out of text": r"cssText|setAttribute\(\s*[\"']style[\"']|[{,]\s*style:\s*[\"'`]|"
    r"createElement\(\s*[\"']style",
    "a handler out of text": r"setAttribute\(\s*[\"']on|\bon[a-z]+:\s*[\"'`]",
    "an address elsewhere": r"[\"'`(](?:https?:)?//(?!www\.w3\.org/2000/svg)[\w.]",
}
COMMAND = re.compile(r"""["'`]palaver ([a-z][^"'`$]+)["'`]""")
VOID = {"meta", "link", "img", "input", "br", "hr", "source"}
OFF_PAGE = re.compile(r"(?:https?:)?//")


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


class Page(HTMLParser):
    """What a page is made of. ``wrong`` names what browsers would have to mend."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(path.read_text("utf-8"))
        self.close()
        self.wrong += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.wrong += [f"{each} twice on <{tag}>" for each, n in Counter(key for key, _ in attrs).items() if n > 1]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

    def each(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in tags]


def reached(page: Path) -> set[str]:
    """Return the scripts that a page comes to load, from module to module."""
    wanted = [str(each["src"]).removeprefix("/static/") for each in Page(page).each("script")]
    found: set[str] = set()
    while wanted:
        script = wanted.pop()
        if script not in found:
            found.add(script)
            text = (STATIC / script).read_text("utf-8")
            wanted += [name((STATIC / script).parent.joinpath(each).resolve()) for each in IMPORT.findall(text)]
    return found


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_script_makes(what: str) -> None:
    found = {name(script): re.findall(FORBIDDEN[what], script.read_text("utf-8")) for script in SCRIPTS}
    assert {script: each for script, each in found.items() if each} == {}


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("markup out of text", "place.innerHTML = said;"),
        ("code out of text", 'setTimeout("run()", 5);'),
        ("a style out of text", 'h("p", {style: "color: red"})'),
        ("a handler out of text", 'h("a", {onclick: "run()"})'),
        ("an address elsewhere", 'fetch("https://cdn.example/x.js")'),
    ],
)
def test_what_is_forbidden_would_be_found(what: str, line: str) -> None:
    assert re.search(FORBIDDEN[what], line)


@pytest.mark.parametrize("style", STYLES, ids=name)
def test_no_style_asks_for_a_file(style: Path) -> None:
    text = style.read_text("utf-8")
    assert "@import" not in text
    assert "url(" not in text
    assert text.count("{") == text.count("}")


def test_every_script_is_used_by_a_page_and_every_import_is_there() -> None:
    used = set[str]().union(*(reached(page) for page in PAGES))
    assert used == {name(script) for script in SCRIPTS}


def test_every_style_is_used_by_a_page_and_every_link_is_there() -> None:
    links = {str(each["href"]) for page in PAGES for each in Page(page).each("link")}
    assert links == {f"/static/{name(path)}" for path in (*STYLES, STATIC / "icon.svg")}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_is_whole_and_holds_no_code(page: Path) -> None:
    read = Page(page)
    assert read.wrong == []
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert read.each("html")[0]["lang"] == "en"
    assert all(script.get("src") for script in read.each("script"))
    assert not read.each("style", "iframe", "object", "embed", "base")
    names = [name for _, attributes in read.tags for name in attributes]
    assert not [name for name in names if name == "style" or name.startswith("on")]
    addresses = [str(attributes[key]) for _, attributes in read.tags for key in ("src", "href") if key in attributes]
    assert not [address for address in addresses if OFF_PAGE.match(address)]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_has_landmarks_names_and_one_of_each_id(page: Path) -> None:
    read = Page(page)
    ids = [str(attributes["id"]) for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert len(read.each("main")) == 1
    assert all("alt" in image for image in read.each("img"))
    assert all("aria-label" in nav for nav in read.each("nav"))
    skip = read.each("a")[0]
    assert skip["class"] == "skip"
    assert str(skip["href"]).removeprefix("#") in ids


def test_commands_that_pages_advise_are_commands() -> None:
    advised = {each for script in SCRIPTS for each in COMMAND.findall(script.read_text("utf-8"))}
    assert any(each.startswith("serve agent") for each in advised)
    for line in advised:
        command: click.Command = cli
        words = shlex.split(line.replace("redis://…", "redis://127.0.0.1:6379"))
        while isinstance(command, click.Group):
            found = command.get_command(click.Context(command), words.pop(0))
            assert found is not None, line
            command = found
        command.make_parser(click.Context(command)).parse_args(words)  # raises at an option that there is not
