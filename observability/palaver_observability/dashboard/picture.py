"""Panels side by side in one SVG picture. Pure functions.

A panel's own drawing goes in as a picture of its own (a data URI), so that its ids, styles and whatever else a game of
a user's has put into it stay among themselves. Words go in as text.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from palaver_gamemasters.showing import Panel

__all__ = ["media_type", "picture", "size_of"]

GAP = 16
HEAD = 24
"""Height of a title."""
LETTER, LINE = 7.8, 17
"""Of words: width of a letter, height of a line (px)."""
PAD = 12
MOST_LINES, MOST_LETTERS = 60, 120
MOST_WORDS = 20_000
"""Letters of a panel's words that are looked at."""
LEAST_WIDTH = 120
TALLEST = 360
"""How tall a drawing is beside others (px)."""
STYLE = (
    ".t{font:600 13px system-ui,sans-serif;fill:#5b6472}"
    ".w{font:13px ui-monospace,monospace;fill:#1c2430;white-space:pre}"
    ".b{fill:#fff;stroke:#d5dae1}"
    "@media(prefers-color-scheme:dark){.t{fill:#a7b0bd}}"
)
KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
NO_XML = (*range(9), 11, 12, *range(14, 32), 0x7F, *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
UNSEEN = dict.fromkeys(NO_XML, "\N{REPLACEMENT CHARACTER}")
"""What no XML document may hold."""


def media_type(data: bytes) -> str | None:
    """Tell which kind of picture bytes are; None for anything that browsers need not show."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in KINDS.items() if data.startswith(mark)), None)


@dataclass(frozen=True, slots=True)
class _Box:
    """A panel and the room it takes (px), without its title."""

    panel: Panel
    lines: tuple[str, ...]
    width: float
    height: float


def size_of(panel: Panel) -> tuple[int, int]:
    """Return the size of a panel by itself (px)."""
    box = _box(panel)
    return round(box.width), round(box.height)


def picture(panels: Sequence[Panel], *, titles: bool = True) -> bytes:
    """Draw panels side by side, with their titles above and their words for those who cannot see."""
    boxes = [_box(panel) for panel in panels or (Panel("", "There is nothing to see here."),)]
    if titles:
        boxes = [_shrunk(box) for box in boxes]
    top = HEAD if titles and any(box.panel.title for box in boxes) else 0
    width = sum(box.width for box in boxes) + GAP * (len(boxes) - 1)
    height = max(box.height for box in boxes) + top
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": "img",
        },
    )
    _text(root, "title", {}, "; ".join(box.panel.title for box in boxes))
    _text(root, "desc", {}, "\n\n".join(box.panel.words[:MOST_WORDS] for box in boxes))
    _text(root, "style", {}, STYLE)
    x = 0.0
    for box in boxes:
        if top:
            _text(root, "text", {"class": "t", "x": f"{x:g}", "y": "15"}, box.panel.title)
        _draw(root, box, x, float(top))
        x += box.width + GAP
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def _box(panel: Panel) -> _Box:
    if (panel.svg or panel.png) and panel.width > 0 and panel.height > 0:
        return _Box(panel, (), panel.width, panel.height)
    lines = tuple(_cut(line) for line in panel.words[:MOST_WORDS].expandtabs(4).splitlines()[:MOST_LINES])
    longest = max(map(len, lines), default=0)
    return _Box(panel, lines, max(LEAST_WIDTH, longest * LETTER + 2 * PAD), len(lines) * LINE + 2 * PAD)


def _shrunk(box: _Box) -> _Box:
    """Make a large drawing smaller, so that what stands beside and above it can be read."""
    if box.lines or box.height <= TALLEST:
        return box
    return replace(box, width=round(box.width * TALLEST / box.height, 1), height=TALLEST)


def _cut(line: str) -> str:
    return line if len(line) <= MOST_LETTERS else line[: MOST_LETTERS - 1] + "…"


def _draw(root: ET.Element, box: _Box, x: float, y: float) -> None:
    place = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{box.width:g}", "height": f"{box.height:g}"}
    panel = box.panel
    if box.lines or not (panel.svg or panel.png):
        ET.SubElement(root, "rect", {**place, "class": "b", "rx": "6"})
        for number, line in enumerate(box.lines):
            at = {"class": "w", "x": f"{x + PAD:g}", "y": f"{y + PAD + 13 + number * LINE:g}", "xml:space": "preserve"}
            _text(root, "text", at, line)
        return
    data = panel.svg.encode(errors="replace") if panel.svg else panel.png
    kind = "image/svg+xml" if panel.svg else media_type(data) or "image/png"
    uri = f"data:{kind};base64,{b64encode(data).decode()}"
    ET.SubElement(root, "image", {**place, "href": uri})


def _text(parent: ET.Element, tag: str, attributes: dict[str, str], words: str) -> None:
    """Add words as text; the writer escapes them."""
    ET.SubElement(parent, tag, attributes).text = words.translate(UNSEEN)
