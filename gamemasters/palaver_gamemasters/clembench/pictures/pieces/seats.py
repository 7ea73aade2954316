"""Furniture to sit or lie on."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import arch, cast, dark, legs, oval, pale, ray, slab, tint

__all__ = ["SEATS"]

WOOD = "#a06c3f"


def _sofa(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 240)
    legs(c, (x - 100, y - 14, x + 100, y), WOOD, 10)
    slab(c, (x - 104, y - 112, x + 104, y - 30), dark(fill, 0.12), 22)
    for side in (-1, 1):
        slab(c, (x + 50 * side - 50, y - 104, x + 50 * side + 50, y - 44), fill, 16)
        slab(c, (x + 49 * side - 48, y - 56, x + 49 * side + 48, y - 30), pale(fill, 0.15), 10)
    slab(c, (x - 104, y - 34, x + 104, y - 10), dark(fill, 0.1), 8)
    for side in (-1, 1):
        slab(c, (x + 106 * side - 14, y - 78, x + 106 * side + 14, y - 8), fill, 13)


def _armchair(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 124)
    legs(c, (x - 44, y - 14, x + 44, y), WOOD, 9)
    slab(c, (x - 46, y - 122, x + 46, y - 20), dark(fill, 0.1), 30)
    slab(c, (x - 40, y - 58, x + 40, y - 32), pale(fill, 0.15), 10)
    slab(c, (x - 46, y - 36, x + 46, y - 10), dark(fill, 0.1), 8)
    for side in (-1, 1):
        slab(c, (x + 48 * side - 13, y - 76, x + 48 * side + 13, y - 8), fill, 12)


def _bed(c: Canvas, x: float, y: float, fill: Colour, *, half: float, pillows: int) -> None:
    """Draw a bed seen from its foot end."""
    cast(c, x, y, 2 * half + 16)
    slab(c, (x - half, y - 130, x + half, y - 30), WOOD, 12)
    slab(c, (x - half + 6, y - 88, x + half - 6, y - 40), "#fbfaf5", 8)
    share = (2 * half - 24) / pillows
    for number in range(pillows):
        left = x - half + 12 + share * number
        slab(c, (left + 4, y - 104, left + share - 4, y - 72), "#ffffff", 12)
    c.polygon(((x - half + 5, y - 72), (x + half - 5, y - 72), (x + half + 2, y - 20), (x - half - 2, y - 20)), fill)
    c.box((x - half + 2, y - 72, x + half - 2, y - 60), pale(fill, 0.45))
    slab(c, (x - half - 3, y - 42, x + half + 3, y - 12), dark(fill, 0.1), 4)
    legs(c, (x - half + 2, y - 12, x + half - 2, y), WOOD, 12)


def _double_bed(c: Canvas, x: float, y: float, word: str) -> None:
    _bed(c, x, y, tint(word), half=112, pillows=2)


def _twin_beds(c: Canvas, x: float, y: float, word: str) -> None:
    for side in (-1, 1):
        _bed(c, x + 66 * side, y, tint(word), half=46, pillows=1)
    slab(c, (x - 14, y - 62, x + 14, y - 8), WOOD)
    c.circle((x, y - 34), 3, "#f3d27a")


def _cot(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 190)
    c.box((x - 84, y - 108, x + 84, y - 34), "#f6efe2")
    slab(c, (x - 80, y - 56, x + 80, y - 30), "#9fd0e6", 8)
    oval(c, (x - 44, y - 62), 24, 12, "#ffffff")
    for step in range(-6, 7):
        c.box((x + step * 13 - 2, y - 110, x + step * 13 + 3, y - 26), fill)
    for top in (y - 116, y - 34):
        slab(c, (x - 92, top, x + 92, top + 12), fill, 5)
    for side in (-1, 1):
        slab(c, (x + 88 * side - 7, y - 128, x + 88 * side + 7, y), fill, 5)


def _row_of_chairs(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 236)
    c.box((x - 110, y - 32, x + 110, y - 26), "#777d84")
    for step in (-1.5, -0.5, 0.5, 1.5):
        middle = x + 56 * step
        slab(c, (middle - 24, y - 100, middle + 24, y - 48), fill, 12)
        slab(c, (middle - 25, y - 52, middle + 25, y - 32), pale(fill, 0.15), 7)
    legs(c, (x - 92, y - 28, x + 92, y), "#777d84", 7)


def _rocking_chair(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y - 2, 110)
    c.line([ray((x, y - 110), 108, 0.5 + 0.02 * step) for step in range(-6, 7)], fill, 7)
    for side in (-1, 1):
        c.line(((x + 34 * side, y - 6), (x + 30 * side, y - 56)), dark(fill), 6)
        c.line(((x + 36 * side, y - 58), (x + 40 * side, y - 146)), fill, 7)
    for step in (-2, -1, 0, 1, 2):
        c.line(((x + 13 * step, y - 60), (x + 15 * step, y - 138)), dark(fill, 0.15), 4)
    slab(c, (x - 44, y - 150, x + 44, y - 132), fill, 8)
    slab(c, (x - 42, y - 66, x + 42, y - 52), fill, 6)


def _stool(c: Canvas, x: float, y: float, fill: Colour, height: float = 62) -> None:
    cast(c, x, y, 46, depth=6)
    for side in (-1, 1):
        c.line(((x + 10 * side, y - height), (x + 17 * side, y - 3)), "#6b5a4c", 5)
    c.line(((x - 13, y - 22), (x + 13, y - 22)), "#6b5a4c", 4)
    slab(c, (x - 22, y - height - 8, x + 22, y - height + 4), fill, 6)


def _cinema_seats(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 240)
    for step in (-1.5, -0.5, 0.5, 1.5):
        middle = x + 58 * step
        slab(c, (middle - 27, y - 96, middle + 27, y - 10), fill, 18)
        slab(c, (middle - 20, y - 86, middle + 20, y - 40), dark(fill, 0.14), 12)
    for step in range(-2, 3):
        slab(c, (x + 58 * step - 7, y - 54, x + 58 * step + 7, y), "#4a3a36", 5)


def _bench(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 190)
    for side in (-1, 1):
        c.line(((x + 74 * side, y - 92), (x + 74 * side, y - 2)), "#3f4146", 7)
        c.line(((x + 60 * side, y - 40), (x + 60 * side, y - 2)), "#3f4146", 6)
    for top in (y - 96, y - 78, y - 60):
        slab(c, (x - 90, top, x + 90, top + 13), fill, 4)
    slab(c, (x - 94, y - 44, x + 94, y - 28), pale(fill, 0.12), 5)


def _pews(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 124)
    for back, half in ((58, 44), (30, 52), (0, 60)):
        bottom = y - back
        slab(c, (x - half, bottom - 56, x + half, bottom - 24), pale(fill, back / 200), 4)
        slab(c, (x - half, bottom - 26, x + half, bottom - 16), dark(fill, 0.12), 3)
        legs(c, (x - half, bottom - 18, x + half, bottom), fill, 9)


def _lounger(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    c.line(((x - 46, y - 24), (x - 46, y - 2)), "#d8d2c4", 6)
    c.line(((x + 40, y - 24), (x + 40, y - 2)), "#d8d2c4", 6)
    c.line(((x - 58, y - 28), (x + 10, y - 28), (x + 54, y - 84)), dark(fill), 15)
    c.line(((x - 58, y - 30), (x + 10, y - 30), (x + 53, y - 84)), fill, 10)
    c.line(((x + 40, y - 68), (x + 52, y - 84)), "#ffffff", 11)


def _throne(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw the high chair of a lifeguard."""
    fill = tint(word)
    cast(c, x, y, 96)
    for side in (-1, 1):
        c.line(((x + 24 * side, y - 100), (x + 44 * side, y - 3)), "#f4efe4", 8)
    for step in (20, 44, 68):
        c.line(((x - 40 + step / 5, y - step), (x + 40 - step / 5, y - step)), "#d9d0bd", 6)
    slab(c, (x - 34, y - 172, x + 34, y - 108), fill, 8)
    slab(c, (x - 38, y - 112, x + 38, y - 96), dark(fill, 0.12), 4)
    c.polygon(arch((x - 10, y - 160, x + 10, y - 132)), pale(fill, 0.6))


def _deckchair(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 110)
    c.line(((x - 46, y - 4), (x + 34, y - 108)), WOOD, 7)
    c.line(((x + 44, y - 4), (x - 14, y - 60)), WOOD, 7)
    c.polygon(
        ((x + 26, y - 106), (x + 48, y - 96), (x + 10, y - 34), (x - 46, y - 22), (x - 50, y - 34), (x - 4, y - 44)),
        fill,
    )
    c.polygon(
        ((x + 33, y - 103), (x + 41, y - 99), (x + 4, y - 38), (x - 47, y - 26), (x - 49, y - 30), (x - 2, y - 42)),
        "#ffffff",
    )


def _chairs_behind(c: Canvas, x: float, y: float, count: int, spread: float) -> None:
    for number in range(count):
        middle = x + spread * (number - (count - 1) / 2)
        slab(c, (middle - 20, y - 128, middle + 20, y - 60), "#a9743f", 7)
        c.box((middle - 13, y - 120, middle + 13, y - 100), "#7d5128", radius=4)


def _dining_table(c: Canvas, x: float, y: float, word: str, count: int) -> None:
    fill = tint(word)
    cast(c, x, y, 236)
    _chairs_behind(c, x, y, count, 58 if count < 4 else 54)
    legs(c, (x - 100, y - 60, x + 100, y), WOOD, 12)
    c.polygon(((x - 98, y - 84), (x + 98, y - 84), (x + 118, y - 62), (x - 118, y - 62)), pale(fill, 0.25))
    slab(c, (x - 118, y - 64, x + 118, y - 36), fill, 3)
    for step in (-1, 1):
        oval(c, (x + 62 * step, y - 73), 24, 7, "#ffffff")
        oval(c, (x + 62 * step, y - 73), 15, 4, "#dfe5ea")
    slab(c, (x - 8, y - 96, x + 8, y - 70), "#8fb7d6", 5)
    for step, petal in ((-9, "#ef6f6c"), (0, "#f7c948"), (9, "#ef8fb4")):
        c.line(((x, y - 94), (x + step, y - 108)), "#4f8a4b", 3)
        c.circle((x + step, y - 110), 6, petal)


def _table_for_two(c: Canvas, x: float, y: float, word: str) -> None:
    _dining_table(c, x, y, word, 2)


def _table_for_three(c: Canvas, x: float, y: float, word: str) -> None:
    _dining_table(c, x, y, word, 3)


def _table_for_four(c: Canvas, x: float, y: float, word: str) -> None:
    _dining_table(c, x, y, word, 4)


def _bistro(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 200)
    for side in (-1, 1):
        at = x + 78 * side
        c.line(((at + 20 * side, y - 106), (at + 18 * side, y - 4)), dark(fill, 0.2), 6)
        c.line(((at - 14 * side, y - 46), (at - 16 * side, y - 4)), dark(fill, 0.2), 6)
        slab(c, (at - 22, y - 54, at + 22, y - 42), fill, 5)
        c.line(((at + 20 * side, y - 100), (at + 20 * side, y - 54)), fill, 8)
    c.line(((x, y - 66), (x, y - 8)), dark(fill, 0.2), 8)
    oval(c, (x, y - 5), 26, 6, dark(fill, 0.2))
    oval(c, (x, y - 66), 50, 13, dark(fill))
    oval(c, (x, y - 70), 50, 13, fill)
    slab(c, (x - 22, y - 86, x - 6, y - 70), "#ffffff", 4)
    slab(c, (x + 8, y - 86, x + 24, y - 70), "#ffffff", 4)


def _bar_counter(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 246)
    slab(c, (x - 114, y - 104, x + 114, y - 2), fill, 4)
    for step in (-1, 0, 1):
        slab(c, (x + 74 * step - 32, y - 84, x + 74 * step + 32, y - 16), dark(fill, 0.14), 4)
    slab(c, (x - 122, y - 116, x + 122, y - 100), "#5d3b24", 6)
    for at, drink in ((-84, "#e9a03b"), (-62, "#d6573f"), (70, "#e9a03b")):
        slab(c, (x + at - 7, y - 138, x + at + 7, y - 115), drink, 3)
        c.box((x + at - 7, y - 140, x + at + 7, y - 132), "#fffaf0", radius=3)
    c.line(((x - 6, y - 116), (x - 6, y - 146), (x + 12, y - 146), (x + 12, y - 136)), "#c9a64a", 6)
    for step in (-1, 0, 1):
        _stool(c, x + 74 * step, y + 14, "#2f2a28")


SEATS: Mapping[str, Draw] = {
    "a {colour} sofa": _sofa,
    "a {colour} armchair": _armchair,
    "a double bed with a {colour} blanket": _double_bed,
    "two single beds with {colour} blankets": _twin_beds,
    "a {colour} cot": _cot,
    "a row of {colour} chairs": _row_of_chairs,
    "a {wood} rocking chair": _rocking_chair,
    "a {colour} stool": lambda c, x, y, word: _stool(c, x, y, tint(word)),
    "a row of {colour} cinema seats": _cinema_seats,
    "a {bright} bench": _bench,
    "{wood} pews": _pews,
    "a {bright} sun lounger": _lounger,
    "a {bright} lifeguard chair": _throne,
    "a {bright} deckchair": _deckchair,
    "a table for two with a {colour} cloth": _table_for_two,
    "a table for three with a {colour} cloth": _table_for_three,
    "a table for four with a {colour} cloth": _table_for_four,
    "a {colour} garden table with two chairs": _bistro,
    "a {colour} bar counter with stools": _bar_counter,
}
