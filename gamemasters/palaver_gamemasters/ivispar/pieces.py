"""Geoms as drawings: the flat markers of pictures from above, and small solids where the board is seen otherwise."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin

from palaver_gamemasters import svg
from palaver_gamemasters.drawing import mix
from palaver_gamemasters.svg import Element
from palaver_protocols.errors import InstanceError

from .board import Geom
from .pictures.colours import RGB, rgb

__all__ = ["initials", "outline", "piece"]

NO_COLOUR: RGB = (154, 163, 173)
"""Of a colour that cannot be drawn; a board in words may have any."""
EDGE = "#161b22"
Point = tuple[float, float]


def piece(geom: Geom, middle: Point, half: float, *, flat: bool) -> Element:
    """Draw a geom.

    Args:
        geom: of any colour and shape; an unknown one is a token with its first letters.
        middle: where.
        half: half its width.
        flat: whether it is a marker, as in the study's pictures from above, or a little solid.
    """
    colour = _colour(geom.colour)
    drawn = (_FLAT if flat else _SOLID).get(geom.shape)
    body = drawn(colour, half) if drawn else _token(geom.shape, colour, half)
    x, y = middle
    return svg.group(
        svg.element("title", str(geom)), *body, transform=f"translate({x:g} {y:g})", stroke=EDGE, stroke_width=1.6,
        stroke_linejoin="round",
    )  # fmt: skip


def outline(geom: Geom, middle: Point, half: float, *, flat: bool) -> Element:
    """Draw where a geom is to stand: its shadow in a dashed ring, so that nobody takes it for the piece itself."""
    x, y = middle
    colour = _hex(mix(_colour(geom.colour), "#000000", 0.15))
    dashes = {"stroke_dasharray": "5 5", "stroke_linecap": "round"}
    ring = svg.element("circle", cx=x, cy=y, r=half + 4, fill="none", stroke=colour, stroke_width=2.5, **dashes)
    return svg.group(svg.group(piece(geom, middle, half * 0.75, flat=flat), opacity=0.28), ring)


def initials(colours: Sequence[str]) -> dict[str, str]:
    """Return for each colour as few first letters as tell it from the others, three at most.

    Who cannot tell red from green reads them. Numbers (``#ff8800``) have none.
    """
    named = sorted({colour for colour in colours if colour[:1].isalpha()})
    found = {}
    for colour in named:
        short = (colour[:length] for length in (1, 2))
        found[colour] = next(
            (each for each in short if sum(other.startswith(each) for other in named) == 1), colour[:3]
        )
    return found


def _colour(name: str) -> RGB:
    try:
        return rgb(name)
    except InstanceError:
        return NO_COLOUR


def _hex(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _shades(colour: RGB) -> tuple[str, str, str]:
    """Return a colour in the light, as it is, and in the shade."""
    return _hex(mix(colour, "#ffffff", 0.4)), _hex(mix(colour, "#ffffff", 0.06)), _hex(mix(colour, "#000000", 0.32))


def _face(half: float, fill: str, *corners: Point) -> Element:
    return svg.path(((x * half, y * half) for x, y in corners), closed=True, fill=fill)


def _regular(sides: int, turned: float = 0) -> tuple[Point, ...]:
    """Return the corners of a regular polygon of radius 1; a corner is at the top, unless it is turned (in turns)."""
    angles = (2 * pi * (number / sides + turned) for number in range(sides))
    return tuple((sin(angle), -cos(angle)) for angle in angles)


def _polygon(*corners: Point) -> Callable[[RGB, float], tuple[Element, ...]]:
    return lambda colour, half: (_face(half, _hex(colour), *corners),)


def _disc(colour: RGB, half: float) -> tuple[Element, ...]:
    return (svg.element("circle", r=half, fill=_hex(colour)),)


_FLAT: dict[str, Callable[[RGB, float], tuple[Element, ...]]] = {
    "cube": _polygon((-0.92, -0.92), (0.92, -0.92), (0.92, 0.92), (-0.92, 0.92)),
    "sphere": _disc,
    "pyramid": _polygon((-1, 0.92), (1, 0.92), (0, -0.98)),
    "cylinder": _polygon(*_regular(6, 1 / 12)),
    "cone": _polygon((-1.05, 0), (0, -1.05), (1.05, 0), (0, 1.05)),
    "prism": _polygon(*_regular(5)),
}
"""The study's markers: square, circle, triangle, hexagon; and ours for what it has none for."""


def _cube(colour: RGB, half: float) -> tuple[Element, ...]:
    light, plain, dark = _shades(colour)
    top = _face(half, light, (0, -1), (0.9, -0.52), (0, -0.05), (-0.9, -0.52))
    left = _face(half, plain, (-0.9, -0.52), (0, -0.05), (0, 1), (-0.9, 0.52))
    return top, left, _face(half, dark, (0.9, -0.52), (0, -0.05), (0, 1), (0.9, 0.52))


def _ball(colour: RGB, half: float) -> tuple[Element, ...]:
    light, plain, dark = _shades(colour)
    rim = svg.element("circle", r=half, fill=dark)
    lit = svg.element("circle", cx=-half * 0.1, cy=-half * 0.1, r=half * 0.82, fill=plain, stroke="none")
    spot = svg.element("circle", cx=-half * 0.36, cy=-half * 0.38, r=half * 0.24, fill=light, stroke="none")
    return rim, lit, spot


def _pyramid(colour: RGB, half: float) -> tuple[Element, ...]:
    light, _, dark = _shades(colour)
    return (
        _face(half, light, (0, -1), (-1, 0.5), (-0.1, 0.95)),
        _face(half, dark, (0, -1), (-0.1, 0.95), (1, 0.5)),
    )


def _cylinder(colour: RGB, half: float) -> tuple[Element, ...]:
    light, plain, dark = _shades(colour)
    wide, high, top, foot = 0.78 * half, 0.3 * half, -0.66 * half, 0.66 * half
    body = f"M{-wide:g} {top:g}V{foot:g}A{wide:g} {high:g} 0 0 0 {wide:g} {foot:g}V{top:g}Z"
    shade = f"M{wide * 0.3:g} {top:g}V{foot + high * 0.94:g}A{wide:g} {high:g} 0 0 0 {wide:g} {foot:g}V{top:g}Z"
    lid = svg.element("ellipse", cy=top, rx=wide, ry=high, fill=light)
    sides = svg.element("path", d=body, fill=plain), svg.element("path", d=shade, fill=dark, stroke="none")
    return (*sides, svg.element("path", d=body, fill="none"), lid)


def _cone(colour: RGB, half: float) -> tuple[Element, ...]:
    light, _, dark = _shades(colour)
    wide, high, foot = 0.9 * half, 0.32 * half, 0.6 * half
    body = f"M0 {-half:g}L{-wide:g} {foot:g}A{wide:g} {high:g} 0 0 0 {wide:g} {foot:g}Z"
    shade = f"M0 {-half:g}L{wide * 0.1:g} {foot + high * 0.99:g}A{wide:g} {high:g} 0 0 0 {wide:g} {foot:g}Z"
    lit = svg.element("path", d=body, fill=light), svg.element("path", d=shade, fill=dark, stroke="none")
    return (*lit, svg.element("path", d=body, fill="none"))


def _prism(colour: RGB, half: float) -> tuple[Element, ...]:
    light, _, dark = _shades(colour)
    return (
        _face(half, light, (-1, 0.8), (0.25, 0.8), (-0.38, -0.45)),
        _face(half, dark, (-0.38, -0.45), (0.25, 0.8), (1, 0.25), (0.38, -0.95)),
    )


_SOLID: dict[str, Callable[[RGB, float], tuple[Element, ...]]] = {
    "cube": _cube,
    "sphere": _ball,
    "pyramid": _pyramid,
    "cylinder": _cylinder,
    "cone": _cone,
    "prism": _prism,
}


def _token(shape: str, colour: RGB, half: float) -> tuple[Element, ...]:
    side = 1.84 * half
    body = svg.rectangle(-side / 2, -side / 2, side, side, _hex(mix(colour, "#ffffff", 0.35)), radius=half * 0.5)
    return body, svg.centred(0, 0, shape[:3], half * 0.75, svg.INK, stroke="none")
