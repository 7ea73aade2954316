"""What can be checked mechanically of whether everybody can read a report."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from palaver_observability.report import page as module
from palaver_observability.report.charts.heat import DEEPEST
from tests.observability.report.folders import AStudy
from tests.observability.report.test_report import html_of

CSS = (Path(module.__file__).parent / "page" / "page.css").read_text()
READ, SEEN = 4.5, 3.0
"""Contrasts that WCAG 2.2 asks of text (1.4.3, AA) and of drawings (1.4.11)."""


class Outline(HTMLParser):
    """Keeps the elements of a page in order, each with its attributes and the names of those around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Mapping[str, str | None], tuple[str, ...]]] = []
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), tuple(self._open)))
        if tag not in ("meta", "wbr"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def of(self, *tags: str) -> list[Mapping[str, str | None]]:
        return [attributes for tag, attributes, _ in self.found if tag in tags]


@pytest.fixture
def html(tmp_path: Path) -> str:
    study = AStudy(tmp_path / "study")
    for model in ("a", "b"):
        study.cell("solo-distributed", {"model": model}, [model], [1.0, 0.5, 1.0])
        study.cell("homogeneous", {"model": model}, [model, model], [0.0, 0.5, 0.25])
        study.cell("size", {"model": model, "size": 4}, [model, model], [0.0, 0.5, 0.25])
    study.cell("heterogeneous", {"first": "a", "second": "b"}, ["a", "b"], [1.0, 0.5, 1.0])
    study.cell("heterogeneous", {"first": "b", "second": "a"}, ["b", "a"], [0.0, 0.5, 0.25])
    return html_of([study.path])


@pytest.fixture
def outline(html: str) -> Outline:
    return Outline(html)


def test_headings_descend_one_level_at_a_time(outline: Outline) -> None:
    levels = [int(tag[1]) for tag, *_ in outline.found if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_caption_and_heads_with_a_scope(html: str, outline: Outline) -> None:
    tables = re.findall(r"<table.*?</table>", html, re.DOTALL)
    assert tables
    assert all(re.search(r"<caption>[^<]+</caption>", table) for table in tables)
    assert all(head.get("scope") in ("col", "row") for head in outline.of("th"))
    assert all(re.search(r'<tr><th scope="row">', table) for table in tables)


def test_every_drawing_has_a_title_and_is_an_image_to_a_screen_reader(html: str, outline: Outline) -> None:
    drawings = outline.of("svg")
    assert drawings
    assert all(drawing.get("role") == "img" for drawing in drawings)
    assert len(re.findall(r"<svg[^>]*><title>[^<]+</title>", html)) == len(drawings)


def test_whatever_scrolls_can_be_reached_and_has_a_name(outline: Outline) -> None:
    boxes = [each for each in outline.of("div") if "scroll" in (each.get("class") or "").split()]
    assert boxes
    assert all(box.get("tabindex") == "0" and box.get("role") == "region" and box.get("aria-label") for box in boxes)


def test_the_page_names_its_language_its_parts_and_a_way_past_the_contents(outline: Outline) -> None:
    assert outline.of("html")[0]["lang"] == "en"
    ids = [each["id"] for _, each, _ in outline.found if "id" in each]
    assert len(ids) == len(set(ids))
    assert all((link["href"] or "").removeprefix("#") in ids for link in outline.of("a"))
    assert outline.of("a")[0]["href"] == "#main"
    assert all(section.get("aria-labelledby") in ids for section in outline.of("section"))


def test_the_reader_chooses_light_motion_and_paper() -> None:
    assert "@media (prefers-color-scheme: dark)" in CSS
    assert "@media (prefers-reduced-motion: reduce)" in CSS
    assert ":focus-visible" in CSS
    assert re.search(r"@media print \{.*\.scroll, \.tall \{ overflow: visible; max-height: none; \}", CSS, re.DOTALL)


def themes() -> dict[str, dict[str, str]]:
    """Read the colours of each theme; what a theme leaves out is as in the light one."""
    print_at = CSS.index("@media print")
    blocks = {
        "light": re.search(r":root \{(.*?)\}", CSS, re.DOTALL),
        "dark": re.search(r':root\[data-theme="dark"\] \{(.*?)\}', CSS, re.DOTALL),
        "dark by preference": re.search(r':root:not\(\[data-theme="light"\]\) \{(.*?)\}', CSS, re.DOTALL),
        "print": re.search(r":root, :root\[data-theme\] \{(.*?)\}", CSS[print_at:], re.DOTALL),
    }
    return {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", found.group(1) if found else ""))
        for name, found in blocks.items()
    }


def rgb(colour: str) -> tuple[float, ...]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return tuple(int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    def luminance(colour: tuple[float, ...]) -> float:
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def over(colour: tuple[float, ...], opacity: float, paper: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(opacity * part + (1 - opacity) * below for part, below in zip(colour, paper, strict=True))


def test_black_on_white_has_the_contrast_that_it_has_by_definition() -> None:
    assert contrast(rgb("#000"), rgb("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize("theme", list(themes()))
def test_words_can_be_read_and_marks_seen_in_every_light(theme: str) -> None:
    colours = {name: rgb(value) for name, value in themes()[theme].items()}
    paper = colours["paper"]
    words = {
        **{name: contrast(colours[name], paper) for name in ("ink", "soft", "link")},
        "ink on panel": contrast(colours["ink"], colours["panel"]),
        "warn": contrast(colours["warn"], colours["warn-paper"]),
        **{
            f"ink on {name}": contrast(colours["ink"], over(colours[name], 0.03 + DEEPEST, paper))
            for name in ("heat", "cold")
        },
        **{f"paper on s{at}": contrast(paper, colours[f"s{at}"]) for at in range(6)},
    }
    marks = {f"s{at}": contrast(colours[f"s{at}"], paper) for at in range(6)}
    assert {name: ratio for name, ratio in words.items() if ratio < READ} == {}
    assert {name: ratio for name, ratio in marks.items() if ratio < SEEN} == {}


def test_both_ways_into_the_dark_are_the_same() -> None:
    known = themes()
    assert known["dark"] == known["dark by preference"]
