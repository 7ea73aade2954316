"""The floors of rooms."""

from itertools import pairwise

from palaver_gamemasters.clembench.pictures.composed import Value
from palaver_gamemasters.clembench.pictures.pieces.brush import HIGH, WIDE, Brush
from palaver_gamemasters.drawing import Colour, mix

from .perspective import BOTTOM, LEFT, RIGHT, ground

__all__ = ["floor"]

FLOORS = {
    "oak": "#cf9f64",
    "dark brown": "#7b5337",
    "grey": "#aaa59c",
    "red": "#a9473f",
    "blue": "#55779f",
    "green": "#678960",
    "beige": "#d6c4a2",
    "white": "#ebe8e1",
    "pink": "#e2b3b5",
}
"""Colours by the words of boards, carpets and tiles."""
PLAIN_FLOORS = {
    "grey concrete": "#b4b3af",
    "brown stone slabs": "#a58d70",
    "straw": "#dcbc62",
    "grass": "#79b25c",
    "gravel": "#cbc4b4",
    "chequered tiles": "#efece4",
}
"""Colours of floors of one kind only."""
BLADES = {
    "gravel": ("#b2aa99", "#e0dacd", "#a49c8c"),
    "straw": ("#c5a24b", "#f0d68a", "#b08d3a"),
    "grass": ("#5f9a48", "#93c878", "#6ba552"),
}
"""Shades of what is strewn over the ground."""
ROWS = (300, 317, 339, 367, 402, 446, 501)
"""Where rows of tiles end, pixels from the top."""


def floor(b: Brush, value: Value, *, outdoors: bool) -> None:
    """Draw a floor between the walls, or all over the ground outdoors."""
    base: Colour = PLAIN_FLOORS[value.text] if value.text in PLAIN_FLOORS else FLOORS[value.word]
    if value.template == "{tiles} floor tiles" and value.word != "white":
        base = mix(base, "#ffffff", 0.3)  # so that they differ from a carpet of their colour
    joint = mix(base, "#2b2018", 0.2)
    left, right = (0, WIDE) if outdoors else (LEFT, RIGHT)
    b.area(((left, BOTTOM), (right, BOTTOM), (WIDE, HIGH), (0, HIGH)), base)
    if value.template == "{boards} boards":
        _rays(b, 15, joint)
    elif value.text == "brown stone slabs":
        _rays(b, 9, joint)
        _rows(b, joint)
    elif value.template == "{tiles} floor tiles":
        pale = "#fbf9f3" if value.word != "white" else "#bdb8ac"
        _rays(b, 9, pale)
        _rows(b, pale)
    elif value.text == "chequered tiles":
        _chequers(b)
    elif value.text in BLADES:
        _scatter(b, value.text)
    b.line(((0, HIGH), (left, BOTTOM), (right, BOTTOM), (WIDE, HIGH)), joint, 2)


def _chequers(b: Brush) -> None:
    for row, (far, near) in enumerate(pairwise(ROWS)):
        for column in range(row % 2, 9, 2):
            corners = (ground(column, 9, far), ground(column + 1, 9, far))
            b.area((*corners, ground(column + 1, 9, near), ground(column, 9, near)), "#5a5f66")


def _rays(b: Brush, columns: int, joint: Colour) -> None:
    for column in range(columns + 1):
        b.line((ground(column, columns, BOTTOM), ground(column, columns, HIGH)), joint)


def _rows(b: Brush, joint: Colour) -> None:
    for y in ROWS[1:-1]:
        b.line((ground(0, 1, y), ground(1, 1, y)), joint)


def _scatter(b: Brush, what: str) -> None:
    """Strew blades or stones over the floor, evenly and always the same."""
    shades = BLADES[what]
    for number in range(230):
        y = BOTTOM + 6 + (number * 37 % 173)
        x, _ = ground((number * 61 % 229) / 229, 1, y)
        size = 3 + 5 * (y - BOTTOM) / 180
        if what == "gravel":
            b.area(((x - size, y), (x, y - size * 0.5), (x + size, y), (x, y + size * 0.5)), shades[number % 3])
        else:
            lean = (-1, 0.4, 1)[number % 3] * size
            rise = size * (0.5 if what == "straw" else 1.4)
            b.line(((x, y), (x + lean, y - rise)), shades[number % 3], 2)
