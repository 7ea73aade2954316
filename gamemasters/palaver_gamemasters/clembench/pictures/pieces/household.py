"""Machines and fittings of a house: kitchen, bathroom, laundry, office."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import bowl, cast, cutout, dark, dome, legs, oval, pale, slab, tint
from .shown import film

__all__ = ["HOUSEHOLD"]

STEEL = "#c3cad1"
CHINA = "#fdfdfb"
WOOD = "#a9743f"


def _fridge(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 118)
    slab(c, (x - 52, y - 214, x + 52, y - 4), fill, 12)
    c.box((x - 51, y - 142, x + 51, y - 138), dark(fill, 0.4))
    for top, bottom in ((y - 190, y - 156), (y - 124, y - 76)):
        slab(c, (x + 30, top, x + 40, bottom), "#eef1f4", 5)
    for at, fill in (((x - 22, y - 180), "#f2c53d"), ((x - 30, y - 112), "#ea8fae")):
        slab(c, (at[0] - 9, at[1] - 9, at[0] + 9, at[1] + 9), fill, 2, width=1)


def _stove(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a row of cupboards with a stove in the middle and a sink on the left."""
    fill = tint(word)
    cast(c, x, y, 246)
    c.box((x - 116, y - 12, x + 116, y - 1), "#4c4640")
    slab(c, (x - 120, y - 86, x + 120, y - 10), fill, 3)
    for left, right in ((x - 114, x - 79), (x - 75, x - 40), (x + 40, x + 75), (x + 79, x + 114)):
        slab(c, (left, y - 80, right, y - 16), pale(fill, 0.16), 3)
        c.circle(((left + right) / 2, y - 70), 3.5, "#5a4a3c")
    slab(c, (x - 35, y - 84, x + 35, y - 10), "#e9ecef", 3)
    slab(c, (x - 26, y - 60, x + 26, y - 18), "#33363b", 4)
    c.box((x - 18, y - 52, x + 18, y - 28), "#f0a24a", radius=3)
    for step in (-2, -1, 1, 2):
        c.circle((x + 12 * step, y - 71), 4.5, "#4b4f55")
    slab(c, (x - 126, y - 98, x + 126, y - 84), "#e3d2b4", 3)
    c.box((x - 32, y - 101, x + 32, y - 96), "#3c3f44", radius=2)
    slab(c, (x - 30, y - 128, x - 2, y - 101), "#c9573f", 4)
    c.box((x - 34, y - 131, x + 2, y - 126), "#8f3526", radius=2)
    slab(c, (x + 6, y - 116, x + 28, y - 101), STEEL, 3)
    c.line(((x - 84, y - 98), (x - 84, y - 128), (x - 66, y - 128), (x - 66, y - 116)), "#9aa3ab", 6)
    for at, tall in ((64, 30), (82, 24), (100, 18)):
        slab(c, (x + at - 8, y - 98 - tall, x + at + 8, y - 98), "#f5f0e2", 4)
        c.box((x + at - 8, y - 100 - tall, x + at + 8, y - 94 - tall), "#8a5a33", radius=2)


def _bowl_table(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 116)
    legs(c, (x - 44, y - 80, x + 44, y), WOOD, 10)
    slab(c, (x - 60, y - 92, x + 60, y - 78), "#d9ab6a", 4)
    fill = {"apples": "#cf3f3a", "oranges": "#ef8f2d", "lemons": "#f4d83f"}[word]
    for at, rise in ((-24, 0), (-8, -2), (8, -2), (24, 0), (-14, -15), (2, -18), (16, -14)):
        c.circle((x + at, y - 122 + rise), 11, fill, outline=dark(fill))
    c.polygon(bowl((x, y - 120), 40, 29), "#4f86b5")


def _bin(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 74)
    c.polygon(((x - 32, y - 92), (x + 32, y - 92), (x + 26, y - 2), (x - 26, y - 2)), dark(fill, 0.35))
    c.polygon(((x - 30, y - 92), (x + 30, y - 92), (x + 24, y - 4), (x - 24, y - 4)), fill)
    slab(c, (x - 36, y - 106, x + 36, y - 90), dark(fill, 0.1), 7)
    slab(c, (x - 10, y - 112, x + 10, y - 104), "#5c6166", 4)


def _bathtub(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 230)
    for side in (-1, 1):
        c.circle((x + 80 * side, y - 8), 9, "#c9a64a")
    c.polygon(((x - 112, y - 84), (x + 112, y - 84), (x + 92, y - 10), (x - 92, y - 10)), dark(fill, 0.4))
    c.polygon(((x - 109, y - 84), (x + 109, y - 84), (x + 89, y - 12), (x - 89, y - 12)), fill)
    for at, rise, size in (
        (-84, 92, 15),
        (-60, 100, 19),
        (-30, 98, 17),
        (-4, 101, 20),
        (26, 97, 17),
        (52, 101, 19),
        (80, 93, 15),
    ):
        c.circle((x + at, y - rise), size, "#ffffff", outline="#d3e6f0")
    slab(c, (x - 120, y - 92, x + 120, y - 74), pale(fill, 0.25), 9)
    c.line(((x + 96, y - 92), (x + 96, y - 136), (x + 66, y - 136), (x + 66, y - 124)), "#aab3ba", 8)
    c.circle((x + 96, y - 118), 7, "#d64a3f")


def _washbasin(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 112)
    slab(c, (x - 46, y - 90, x + 46, y - 3), fill, 4)
    for side in (-1, 1):
        slab(c, (x + 22 * side - 19, y - 80, x + 22 * side + 19, y - 12), pale(fill, 0.2), 3)
        c.circle((x + 8 * side, y - 46), 3.5, "#5a4a3c")
    slab(c, (x - 58, y - 108, x + 58, y - 86), CHINA, 10)
    c.line(((x, y - 106), (x, y - 132), (x + 16, y - 132), (x + 16, y - 122)), "#9aa3ab", 7)
    slab(c, (x - 48, y - 128, x - 32, y - 107), "#f2a7bd", 4)
    c.line(((x - 42, y - 126), (x - 46, y - 144)), "#3f77c4", 4)
    c.line(((x - 38, y - 126), (x - 32, y - 144)), "#d64a3f", 4)


def _toilet(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 84)
    slab(c, (x - 40, y - 136, x + 40, y - 78), CHINA, 8)
    slab(c, (x - 10, y - 130, x + 10, y - 122), STEEL, 3)
    slab(c, (x - 36, y - 116, x + 36, y - 52), fill, 28)
    c.polygon(((x - 40, y - 60), (x + 40, y - 60), (x + 24, y - 20), (x - 24, y - 20)), "#cfd4d8")
    c.polygon(((x - 38, y - 60), (x + 38, y - 60), (x + 22, y - 21), (x - 22, y - 21)), CHINA)
    slab(c, (x - 44, y - 66, x + 44, y - 52), pale(fill, 0.1), 7)
    slab(c, (x - 26, y - 24, x + 26, y - 3), CHINA, 6)


def _shower(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 180)
    slab(c, (x - 88, y - 18, x + 88, y - 2), CHINA, 6)
    c.box((x - 80, y - 200, x + 80, y - 18), "#d5ebf2")
    for step in range(1, 5):
        c.box((x - 80 + 32 * step, y - 200, x - 79 + 32 * step, y - 18), "#b5d6e2")
    for step in range(1, 6):
        c.box((x - 80, y - 200 + 31 * step, x + 80, y - 199 + 31 * step), "#b5d6e2")
    c.line(((x + 46, y - 60), (x + 46, y - 184), (x + 8, y - 184), (x + 8, y - 174)), "#8d969e", 6)
    c.polygon(((x - 12, y - 162), (x + 28, y - 162), (x + 18, y - 176), (x - 2, y - 176)), "#8d969e")
    for step in range(5):
        for drop in range(4):
            at = x - 10 + 9 * step + (step - 2) * drop * 2
            c.line(((at, y - 152 + 30 * drop), (at, y - 140 + 30 * drop)), "#5fa8d3", 3)
    c.circle((x + 46, y - 84), 8, "#8d969e")
    for step in range(5):
        slab(c, (x - 86 + 12 * step, y - 196, x - 72 + 12 * step, y - 24), dark(fill, 0.1 * (step % 2)), 5, width=1)
    c.line(((x - 90, y - 200), (x + 90, y - 200)), "#8d969e", 7)


def _washers(c: Canvas, x: float, y: float, word: str) -> None:
    count = {"two": 2, "three": 3}[word]
    cast(c, x, y, 82 * count + 4)
    for number in range(count):
        at = x + 80 * (number - (count - 1) / 2)
        slab(c, (at - 38, y - 104, at + 38, y - 2), "#fafafa", 6)
        c.box((at - 36, y - 82, at + 36, y - 79), "#c9ced3")
        slab(c, (at - 30, y - 99, at - 6, y - 87), "#d5dbe0", 3, width=1)
        c.circle((at + 22, y - 92), 6, "#4b8fc9")
        c.circle((at, y - 42), 30, "#d3d9de", outline="#9aa3ab")
        c.circle((at, y - 42), 22, "#4d6f8c")
        for dx, dy, fill in ((-7, 6, "#d64a3f"), (8, 8, "#f2c53d"), (0, -4, "#7cb8dd")):
            c.circle((at + dx, y - 42 + dy), 9, fill)


def _ironing_board(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 96)
    c.line(((x - 34, y - 3), (x + 24, y - 92)), "#6d747b", 6)
    c.line(((x + 34, y - 3), (x - 24, y - 92)), "#6d747b", 6)
    slab(c, (x - 62, y - 104, x + 62, y - 90), tint(word), 7)
    c.polygon(((x - 6, y - 104), (x + 42, y - 104), (x + 38, y - 124), (x + 8, y - 120)), "#4a5560")
    c.line(((x + 10, y - 128), (x + 38, y - 132)), "#2d3338", 6)
    c.line(((x + 38, y - 132), (x + 37, y - 122)), "#2d3338", 5)


def _washing_line(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 118)
    for side in (-1, 1):
        c.line(((x + 52 * side, y - 150), (x + 52 * side, y - 3)), "#8d969e", 6)
    c.line(((x - 54, y - 148), (x + 54, y - 148)), "#8d969e", 5)
    fill = tint(word)
    cutout(
        c,
        (
            (x - 38, y - 144),
            (x - 6, y - 144),
            (x + 8, y - 124),
            (x - 4, y - 114),
            (x - 8, y - 120),
            (x - 8, y - 78),
            (x - 38, y - 78),
            (x - 38, y - 120),
            (x - 42, y - 114),
            (x - 50, y - 126),
        ),
        dark(fill, 0.05),
    )
    for at in (22, 38):
        c.box((x + at - 6, y - 146, x + at + 6, y - 108), fill, radius=4, outline=dark(fill))


def _desk(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 230)
    slab(c, (x + 46, y - 72, x + 106, y - 2), dark(fill, 0.08), 3)
    for top in (y - 64, y - 36):
        slab(c, (x + 52, top, x + 100, top + 24), pale(fill, 0.14), 2)
        c.circle((x + 76, top + 12), 3, "#4a3b30")
    c.box((x - 104, y - 74, x - 94, y), dark(fill, 0.3))
    slab(c, (x - 116, y - 84, x + 116, y - 70), fill, 3)
    slab(c, (x - 44, y - 152, x + 44, y - 96), "#2d3238", 5)
    c.box((x - 38, y - 146, x + 38, y - 102), "#7fc1e8")
    c.box((x - 30, y - 138, x + 6, y - 133), "#ffffff")
    c.box((x - 30, y - 127, x + 20, y - 122), "#ffffff")
    c.box((x - 30, y - 116, x - 6, y - 111), "#ffffff")
    c.box((x - 6, y - 96, x + 6, y - 86), "#2d3238")
    c.box((x - 22, y - 88, x + 22, y - 84), "#2d3238", radius=2)
    slab(c, (x + 72, y - 104, x + 90, y - 84), "#d64a3f", 3)
    for at, shade in ((-104, "#3f77c4"), (-94, "#f2c53d"), (-84, "#4f9d5b")):
        slab(c, (x + at, y - 114, x + at + 10, y - 84), shade, 1, width=1)
    slab(c, (x - 66, y - 74, x - 10, y - 26), "#40464d", 10)
    c.line(((x - 38, y - 28), (x - 38, y - 4)), "#40464d", 7)
    c.line(((x - 62, y - 2), (x - 14, y - 2)), "#40464d", 6)


def _television(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 122)
    slab(c, (x - 60, y - 46, x + 60, y - 3), "#7b5232", 4)
    for side in (-1, 1):
        slab(c, (x + 29 * side - 25, y - 38, x + 29 * side + 25, y - 10), "#95663f", 3)
    c.box((x - 8, y - 60, x + 8, y - 46), "#2b2d31")
    slab(c, (x - 61, y - 140, x + 61, y - 56), "#2b2d31", 5)
    film(c, (x - 55, y - 134, x + 55, y - 62), word)


def _fireplace(c: Canvas, x: float, y: float, word: str) -> None:
    fill = {"grey": "#a3a5a8", "yellow": "#d9bd84", "red": "#b25b47"}[word]
    cast(c, x, y, 126)
    slab(c, (x - 58, y - 150, x + 58, y - 2), fill, 3)
    for row in range(9):
        for step in (-2, -1, 0, 1, 2):
            at = x + 25 * step + (6 if row % 2 else -6)
            c.box(
                (max(at - 10, x - 55), y - 146 + 16 * row, min(at + 11, x + 55), y - 134 + 16 * row), pale(fill, 0.18)
            )
    c.polygon(((x - 36, y - 4), (x - 36, y - 76), *dome((x, y - 76), 36, 22), (x + 36, y - 4)), "#2e2724")
    for at, tall, flame in ((-12, 40, "#e8622c"), (11, 46, "#e8622c"), (0, 58, "#f39a33"), (0, 32, "#fbdc62")):
        c.polygon(
            (
                (x + at - 13, y - 12),
                (x + at - 9, y - 26),
                (x + at, y - 12 - tall),
                (x + at + 9, y - 26),
                (x + at + 13, y - 12),
            ),
            flame,
        )
    c.line(((x - 24, y - 10), (x + 24, y - 10)), "#6b4226", 9)
    slab(c, (x - 64, y - 162, x + 64, y - 146), "#7b5232", 3)


def _bedside(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 92)
    slab(c, (x - 42, y - 78, x + 42, y - 6), "#a9743f", 4)
    for top in (y - 68, y - 38):
        slab(c, (x - 34, top, x + 34, top + 24), "#c28c52", 3)
        c.circle((x, top + 12), 3.5, "#5a3b20")
    slab(c, (x - 14, y - 84, x + 14, y - 77), "#6b5a4c", 3)
    c.line(((x, y - 82), (x, y - 112)), "#6b5a4c", 6)
    c.polygon(((x - 20, y - 152), (x + 20, y - 152), (x + 36, y - 106), (x - 36, y - 106)), dark(tint(word), 0.35))
    c.polygon(((x - 18, y - 150), (x + 18, y - 150), (x + 33, y - 108), (x - 33, y - 108)), tint(word))


def _water_dispenser(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 72)
    slab(c, (x - 32, y - 108, x + 32, y - 3), tint(word), 6)
    slab(c, (x - 26, y - 176, x + 26, y - 114), "#9fd3ee", 16)
    slab(c, (x - 12, y - 118, x + 12, y - 106), "#6fb0d6", 3)
    c.box((x - 20, y - 92, x + 20, y - 60), "#40464d", radius=4)
    c.box((x - 12, y - 92, x - 6, y - 82), "#d64a3f")
    c.box((x + 6, y - 92, x + 12, y - 82), "#5fa8d3")


def _aquarium(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 124)
    slab(c, (x - 56, y - 70, x + 56, y - 3), "#6b4226", 4)
    c.box((x - 60, y - 150, x + 60, y - 68), "#8fd0e8", radius=3, outline="#4c5a63", width=3)
    c.box((x - 57, y - 84, x + 57, y - 71), "#e6cf97")
    for at in (-44, 40):
        c.line(((x + at, y - 80), (x + at + 6, y - 100), (x + at - 2, y - 122)), "#3d8f55", 5)
    for dx, dy, side in ((-16, -126, 1), (18, -106, -1), (-6, -96, 1)):
        c.polygon(
            ((x + dx - 9 * side, y + dy), (x + dx - 20 * side, y + dy - 8), (x + dx - 20 * side, y + dy + 8)),
            dark(tint(word), 0.15),
        )
        oval(c, (x + dx, y + dy), 13, 8, tint(word))
        c.circle((x + dx + 6 * side, y + dy - 2), 2, "#222222")


HOUSEHOLD: Mapping[str, Draw] = {
    "a {colour} fridge": _fridge,
    "{colour} cupboards with a stove": _stove,
    "a table with a bowl of {fruit}": _bowl_table,
    "a {colour} bin": _bin,
    "a {colour} bathtub": _bathtub,
    "a washbasin with a {colour} cabinet": _washbasin,
    "a toilet with a {colour} lid": _toilet,
    "a shower with a {colour} curtain": _shower,
    "{machines} washing machines": _washers,
    "an ironing board with a {colour} cover": _ironing_board,
    "a rack with {colour} washing": _washing_line,
    "a {wood} desk with a computer": _desk,
    "a television showing {shown}": _television,
    "a fireplace of {stone} stone": _fireplace,
    "a bedside table with a {colour} lamp": _bedside,
    "a {colour} water dispenser": _water_dispenser,
    "an aquarium with {fish} fish": _aquarium,
}
