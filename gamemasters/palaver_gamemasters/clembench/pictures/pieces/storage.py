"""Furniture and vessels that hold things."""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import cast, cutout, dark, dome, legs, oval, pale, slab, tint

__all__ = ["STORAGE"]

WOOD = "#a9743f"
COUNTS = {"two": 2, "three": 3, "four": 4}


def _wardrobe(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    legs(c, (x - 50, y - 10, x + 50, y), fill, 12)
    slab(c, (x - 57, y - 208, x + 57, y - 8), fill, 4)
    slab(c, (x - 61, y - 214, x + 61, y - 202), dark(fill, 0.12), 4)
    for side in (-1, 1):
        slab(c, (x + 27 * side - 23, y - 194, x + 27 * side + 23, y - 20), pale(fill, 0.16), 3)
        c.circle((x + 9 * side, y - 106), 4, "#c9a64a")


def _drawers(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    legs(c, (x - 50, y - 10, x + 50, y), fill, 12)
    slab(c, (x - 58, y - 124, x + 58, y - 8), fill, 4)
    for top in (y - 114, y - 80, y - 46):
        slab(c, (x - 50, top, x + 50, top + 28), pale(fill, 0.16), 3)
        for side in (-1, 1):
            c.circle((x + 26 * side, top + 14), 4, "#c9a64a")
    slab(c, (x - 62, y - 132, x + 62, y - 120), dark(fill, 0.12), 4)
    slab(c, (x - 16, y - 160, x + 16, y - 132), "#6fa8c9", 12)


BOOKS = ("#c8503f", "#3f77c4", "#f0c548", "#4f9d5b", "#8c5bb5", "#e9e2cf", "#33475e")


def _bookcase(c: Canvas, x: float, y: float, word: str) -> None:
    _books(c, x, y, tint(word), BOOKS)


def _shelves(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    _books(c, x, y, WOOD, (fill, dark(fill, 0.2), pale(fill, 0.25), dark(fill, 0.1)))


def _books(c: Canvas, x: float, y: float, fill: Colour, shades: Sequence[Colour]) -> None:
    cast(c, x, y, 126)
    slab(c, (x - 60, y - 210, x + 60, y - 2), fill, 4)
    for shelf in range(4):
        bottom = y - 160 + 50 * shelf
        c.box((x - 53, bottom - 42, x + 53, bottom), "#4a3626")
        for number in range(9):
            tall = (36, 30, 38, 27, 34)[(number + 2 * shelf) % 5]
            left = x - 51 + 11.5 * number
            if (number + 3 * shelf) % 8 == 7:
                continue
            c.box((left, bottom - tall, left + 9, bottom), shades[(3 * shelf + number) % len(shades)])
            c.box((left + 2, bottom - tall + 6, left + 7, bottom - tall + 8), "#fff3cf")


def _pantry_shelf(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    for side in (-1, 1):
        slab(c, (x + 56 * side - 5, y - 206, x + 56 * side + 5, y - 2), WOOD, 2)
    for shelf in range(4):
        bottom = y - 154 + 48 * shelf
        for number in range(4):
            at = x - 38 + 25 * number
            slab(c, (at - 10, bottom - 30, at + 10, bottom), fill, 5, width=1)
            c.box((at - 10, bottom - 35, at + 10, bottom - 28), "#8c8f93", radius=2)
            c.box((at - 8, bottom - 20, at + 8, bottom - 9), "#fff7e2")
        slab(c, (x - 60, bottom, x + 60, bottom + 8), WOOD, 2)


def _crates(c: Canvas, x: float, y: float, word: str) -> None:
    count = COUNTS[word]
    places = ((0, 0), (0, 1), (0, 2), (0, 3)) if count < 4 else ((-1, 0), (1, 0), (-1, 1), (1, 1))
    wide = 46 if count < 4 else 30
    high = 52
    cast(c, x, y, 116 if count == 4 else 98)
    for column, row in places[:count]:
        left, top = x + column * 31 - wide, y - high * (row + 1)
        slab(c, (left, top, left + 2 * wide, top + high - 2), "#c99a5b", 3)
        for slat in range(3):
            c.box((left + 5, top + 6 + 15 * slat, left + 2 * wide - 5, top + 16 + 15 * slat), "#ddb679")
        c.box((left + 7, top + 3, left + 13, top + high - 5), "#a97b42")
        c.box((left + 2 * wide - 13, top + 3, left + 2 * wide - 7, top + high - 5), "#a97b42")


def _barrel(c: Canvas, x: float, y: float, size: float, band: Colour) -> None:
    """Draw a barrel that lies, seen from its end."""
    c.circle((x, y - size), size, "#7a4a28")
    c.circle((x, y - size), size - 3, band)
    c.circle((x, y - size), size - 8, "#b57a45")
    for step in (-2, -1, 0, 1, 2):
        c.box((x + step * size * 0.3 - 1, y - size * 1.7, x + step * size * 0.3 + 1, y - size * 0.3), "#8a5730")
    slab(c, (x - 5, y - size * 0.62, x + 5, y - size * 0.3), "#d9c27a", 3, width=1)


def _barrels(c: Canvas, x: float, y: float, word: str) -> None:
    count = COUNTS[word]
    cast(c, x, y, 236)
    size = {2: 52, 3: 38, 4: 38}[count]
    row = {2: 2, 3: 3, 4: 3}[count]
    slab(c, (x - 120, y - 14, x + 120, y - 1), "#5f432c", 3)
    for number in range(row):
        _barrel(c, x + (2 * size + 2) * (number - (row - 1) / 2), y - 8, size, "#4b4f55")
    if count == 4:
        _barrel(c, x, y - 8 - size * 1.75, size * 0.9, "#4b4f55")


def _wine_rack(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 122)
    slab(c, (x - 60, y - 190, x + 60, y - 2), "#7b5232", 3)
    for row in range(5):
        for column in range(3):
            left, top = x - 53 + 36 * column, y - 184 + 36 * row
            c.box((left, top, left + 33, top + 32), "#3d2818", radius=3)
            c.circle((left + 16, top + 17), 11, dark(tint(word), 0.3))
            c.circle((left + 16, top + 17), 7, tint(word))


def _trunk(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 190)
    c.polygon(((x - 92, y - 62), *dome((x, y - 66), 92, 44), (x + 92, y - 62)), dark(fill, 0.12))
    slab(c, (x - 92, y - 68, x + 92, y - 2), fill, 4)
    for at in (-66, 66):
        c.box((x + at - 8, y - 98, x + at + 8, y - 2), "#b98d45")
    c.box((x - 92, y - 72, x + 92, y - 62), "#b98d45")
    slab(c, (x - 14, y - 76, x + 14, y - 46), "#e0bd63", 4)
    c.circle((x, y - 60), 4, "#3a2c1c")


def _lockers(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 244)
    for number in range(5):
        left = x - 118 + 47.5 * number
        slab(c, (left, y - 156, left + 46, y - 2), fill, 3)
        for slit in range(3):
            c.box((left + 11, y - 142 + 8 * slit, left + 35, y - 138 + 8 * slit), dark(fill, 0.4))
        c.box((left + 35, y - 86, left + 39, y - 66), dark(fill, 0.5), radius=2)
        slab(c, (left + 14, y - 112, left + 32, y - 98), "#fff7e2", 2, width=1)


def _suitcase(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 92)
    c.line(((x - 18, y - 106), (x - 18, y - 146), (x + 18, y - 146), (x + 18, y - 106)), "#5c6166", 6)
    slab(c, (x - 44, y - 112, x + 44, y - 8), fill, 12)
    for at in (-22, 0, 22):
        c.box((x + at - 3, y - 104, x + at + 3, y - 18), dark(fill, 0.16), radius=3)
    for side in (-1, 1):
        c.circle((x + 30 * side, y - 6), 7, "#33363b")
    slab(c, (x - 28, y - 88, x - 2, y - 68), "#fff3cf", 3, width=1)


def _umbrella_stand(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 66)
    for at, shade in ((-12, fill), (12, dark(fill, 0.2))):
        c.line(((x + at, y - 60), (x + at * 1.6, y - 128)), shade, 12)
        c.line(
            (
                (x + at * 1.6, y - 126),
                (x + at * 1.8, y - 150),
                (x + at * 1.8 + 9, y - 154),
                (x + at * 1.8 + 13, y - 146),
            ),
            "#7a4a28",
            5,
        )
    slab(c, (x - 27, y - 74, x + 27, y - 3), "#8a8f96", 6)
    for top in (y - 58, y - 26):
        c.box((x - 25, top, x + 25, top + 8), "#d3d8dc")


def _coat_rack(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 70)
    c.line(((x, y - 204), (x, y - 8)), "#6b4226", 8)
    c.line(((x - 28, y - 4), (x, y - 20), (x + 28, y - 4)), "#6b4226", 7)
    for side in (-1, 1):
        c.line(((x, y - 176), (x + 30 * side, y - 196)), "#6b4226", 6)
    cutout(c, ((x - 36, y - 190), (x - 12, y - 176), (x - 4, y - 70), (x - 58, y - 70), (x - 54, y - 172)), fill)
    c.line(((x - 32, y - 178), (x - 31, y - 72)), dark(fill), 3)
    oval(c, (x + 26, y - 190), 28, 8, "#8a5a33")
    slab(c, (x + 10, y - 212, x + 42, y - 190), "#a36f42", 9)


def _toolbox_shelf(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 112)
    slab(c, (x - 52, y - 126, x + 52, y - 10), fill, 5)
    for top in (y - 116, y - 90, y - 64, y - 38):
        slab(c, (x - 45, top, x + 45, top + 20), pale(fill, 0.15), 2)
        c.box((x - 16, top + 8, x + 16, top + 13), "#e5e9ec", radius=2)
    for side in (-1, 1):
        c.circle((x + 38 * side, y - 7), 8, "#33363b")
    c.line(((x - 30, y - 132), (x + 16, y - 132)), "#8d969e", 8)
    c.circle((x + 22, y - 132), 9, "#8d969e")


def _tyres(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 116)
    for number in range(COUNTS[word]):
        top = y - 34 * (number + 1)
        slab(c, (x - 56, top, x + 56, top + 33), "#3d4046", 14)
        for step in range(-4, 5):
            c.box((x + 11 * step - 2, top + 9, x + 11 * step + 2, top + 24), "#5b5f66")


def _sacks(c: Canvas, x: float, y: float, word: str) -> None:
    count = COUNTS[word]
    cast(c, x, y, 60 * count)
    for number in range(count):
        at = x + 58 * (number - (count - 1) / 2)
        c.polygon(((at - 18, y - 112), (at + 18, y - 112), (at + 8, y - 94), (at - 8, y - 94)), "#c9ad7c")
        slab(c, (at - 27, y - 98, at + 27, y - 2), "#dcc497", 14)
        c.line(((at - 10, y - 96), (at + 10, y - 96)), "#8a5a33", 5)
        c.line(((at, y - 30), (at, y - 72)), "#a9803f", 3)
        for rise in (40, 52, 64):
            for side in (-1, 1):
                c.line(((at, y - rise), (at + 10 * side, y - rise - 9)), "#a9803f", 4)


def _bottle_stool(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 96)
    legs(c, (x - 40, y - 54, x + 40, y), WOOD, 9)
    slab(c, (x - 48, y - 64, x + 48, y - 50), "#d9ab6a", 4)
    for at, tall in ((-28, 52), (0, 66), (28, 46)):
        slab(c, (x + at - 11, y - 64 - tall, x + at + 11, y - 64), tint(word), 6)
        c.box((x + at - 6, y - 74 - tall, x + at + 6, y - 63 - tall), "#40464d", radius=2)
        c.box((x + at - 9, y - 94, x + at + 9, y - 78), "#fff7e2", radius=2)


def _reading_table(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 236)
    legs(c, (x - 104, y - 72, x + 104, y), WOOD, 12)
    slab(c, (x - 118, y - 84, x + 118, y - 68), "#8a5a33", 4)
    for at in (-70, 70):
        c.polygon(((x + at - 34, y - 86), (x + at, y - 92), (x + at, y - 104), (x + at - 30, y - 98)), "#fffaf0")
        c.polygon(((x + at + 34, y - 86), (x + at, y - 92), (x + at, y - 104), (x + at + 30, y - 98)), "#ece3cf")
        c.line(((x + at - 36, y - 85), (x + at, y - 88), (x + at + 36, y - 85)), "#3f77c4", 4)
    slab(c, (x - 18, y - 92, x + 18, y - 84), "#b98d45", 3)
    c.line(((x, y - 90), (x, y - 130)), "#b98d45", 5)
    c.polygon(((x - 30, y - 128), (x - 22, y - 156), (x + 22, y - 156), (x + 30, y - 128)), dark(fill, 0.35))
    c.polygon(((x - 27, y - 130), (x - 20, y - 154), (x + 20, y - 154), (x + 27, y - 130)), fill)
    for at in (-60, 60):
        slab(c, (x + at - 22, y - 52, x + at + 22, y - 40), "#a9743f", 4)
        legs(c, (x + at - 18, y - 42, x + at + 18, y + 2), "#a9743f", 6)


STORAGE: Mapping[str, Draw] = {
    "a {wood} wardrobe": _wardrobe,
    "a {wood} chest of drawers": _drawers,
    "a {wood} bookcase": _bookcase,
    "shelves of {bright} books": _shelves,
    "shelves of {bright} jars": _pantry_shelf,
    "a stack of {count} crates": _crates,
    "{count} barrels": _barrels,
    "a rack of {wine} wine bottles": _wine_rack,
    "a {bright} trunk": _trunk,
    "{bright} lockers": _lockers,
    "a {bright} suitcase": _suitcase,
    "a stand with {bright} umbrellas": _umbrella_stand,
    "a rack with a {bright} coat and a hat": _coat_rack,
    "a {bright} tool cabinet": _toolbox_shelf,
    "a pile of {count} tyres": _tyres,
    "{count} flour sacks": _sacks,
    "a stool with {bright} bottles": _bottle_stool,
    "a reading table with a {bright} lamp": _reading_table,
}
