"""Vector pictures for those who watch: elements that escape what goes into them, and documents that stand alone.

An element is a text that is known to be well-formed (:class:`Element`). Whatever else goes in, an attribute's value or
words to show, is escaped, and nothing that runs or is fetched can be asked for: what a game draws may be what an agent
said.
"""

import re
from base64 import b64encode
from collections.abc import Iterable

__all__ = [
    "FAINT",
    "INK",
    "MONOSPACED",
    "PAPER",
    "PROPORTIONAL",
    "RULE",
    "SEATS",
    "SEATS_ON_DARK",
    "Element",
    "centred",
    "document",
    "element",
    "group",
    "line",
    "path",
    "png",
    "rectangle",
    "words",
]

PAPER, INK, FAINT, RULE = "#f8f7f3", "#1d2530", "#687385", "#dde1e7"
"""A picture brings its own ground, so that it looks the same on light pages and on dark ones."""
SEATS = ("#1f5fa8", "#b04a10", "#25733f", "#7b3d94", "#7d6000", "#ad2f5d", "#0a6c76", "#565f6b")
"""The colours of the seats, in their order, as the pages have them."""
SEATS_ON_DARK = ("#86bdf2", "#f0a06f", "#7fcf9d", "#cf9ee0", "#dcc05c", "#f58fb0", "#6fd0d6", "#b3bcc7")

MONOSPACED = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
PROPORTIONAL = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
_SHAPES = frozenset(
    ("circle", "clipPath", "defs", "desc", "ellipse", "g", "image", "line", "linearGradient", "path", "pattern")
) | frozenset(("polygon", "polyline", "radialGradient", "rect", "stop", "svg", "text", "title", "tspan"))
"""What can be drawn. No script, no style sheet, no link, no foreign markup, nothing that moves."""

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WAYS_OUT = re.compile(r"url\((?!#)|javascript:|expression\(|@import", re.IGNORECASE)


class Element(str):
    """A piece of SVG, well-formed and safe to put into another."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | float | None) -> Element:
    """Build one element.

    Args:
        name: one of the shapes that a still picture needs.
        children: what it holds: elements as they are, any other text escaped.
        attributes: by name, an underscore for each hyphen and one more behind a word that Python keeps for itself
            (``class_``, ``stroke_width``). Numbers are written as short as can be; None leaves the attribute out.

    Raises:
        ValueError: a picture has no such element or attribute, or a value refers to something outside the picture.
    """
    if name not in _SHAPES:
        raise ValueError(f"a picture has no element <{name}>")
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    inside = "".join(child if isinstance(child, Element) else _escaped(child) for child in children)
    return Element(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def document(width: float, height: float, *children: Element, title: str = "") -> str:
    """Return a whole picture of this size in pixels; ``title`` says what it shows to those who cannot see it."""
    called = (element("title", title),) if title else ()
    drawing = element(
        "svg",
        *called,
        *children,
        width=width,
        height=height,
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        role="img",
    )
    return str(drawing).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)


def group(*children: Element, **attributes: str | float | None) -> Element:
    """Put elements together; what is said of them all is said once."""
    return element("g", *children, **attributes)


def rectangle(
    x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, **attributes: str | float | None
) -> Element:
    """Draw a rectangle from its upper left corner, its own corners rounded where ``radius`` says so."""
    rounded = {"rx": radius} if radius else {}
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **rounded, **attributes)


def line(
    start: tuple[float, float],
    end: tuple[float, float],
    stroke: str,
    width: float = 1,
    **attributes: str | float | None,
) -> Element:
    """Draw a straight line with round ends."""
    ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return element("line", **{**ends, "stroke": stroke, "stroke_width": width, "stroke_linecap": "round", **attributes})


def path(points: Iterable[tuple[float, float]], *, closed: bool = False, **attributes: str | float | None) -> Element:
    """Draw straight lines from point to point; not filled where no ``fill`` is given."""
    drawn = "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return element("path", d=f"M{drawn}{'Z' if closed else ''}", **{"fill": "none", **attributes})


def words(
    x: float,
    y: float,
    said: str,
    size: float = 14,
    fill: str = "currentColor",
    *,
    mono: bool = False,
    **attributes: str | float | None,
) -> Element:
    """Write one line from where its base line starts; ``mono``: in letters of one width.

    ``font_family=None`` leaves the letters to the group that it stands in: much shorter, where there are many lines.
    """
    family = {"font_family": MONOSPACED if mono else PROPORTIONAL}
    return element("text", said, x=x, y=y, font_size=size, fill=fill, **{**family, **attributes})


def centred(
    x: float,
    y: float,
    said: str,
    size: float = 14,
    fill: str = "currentColor",
    *,
    mono: bool = False,
    **attributes: str | float | None,
) -> Element:
    """Write a few letters with their middle at a point."""
    return words(x, y + size * 0.36, said, size, fill, text_anchor="middle", mono=mono, **attributes)


def png(x: float, y: float, width: float, height: float, data: bytes, **attributes: str | float | None) -> Element:
    """Lay a PNG picture into a rectangle, its bytes and all."""
    source = f"data:image/png;base64,{b64encode(data).decode('ascii')}"
    return element("image", x=x, y=y, width=width, height=height, href=source, **attributes)


def _attribute(key: str, value: str | float) -> str:
    name = key.rstrip("_").replace("_", "-")
    said = value if isinstance(value, str) else _number(value)
    if not _NAME.match(name) or name.lower().startswith("on") or name == "style":
        raise ValueError(f"a picture has no attribute {name}")
    if name == "href" and not said.startswith(("data:image/png;base64,", "#")):
        raise ValueError("a picture refers to nothing outside itself")
    if name != "href" and _WAYS_OUT.search(said):
        raise ValueError(f"a picture refers to nothing outside itself; {name} does")
    return f' {name}="{_escaped(said)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _escaped(said: str) -> str:
    clean = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", said)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
