"""Animals."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import cast, dark, dome, oval, pale, slab, tint

__all__ = ["ANIMALS"]

FEW = {"one": 1, "two": 2, "three": 3}


def _four_legs(c: Canvas, x: float, y: float, fill: Colour, *, half: float, high: float, deep: float) -> None:
    edge = dark(fill, 0.35)
    for at in (-half * 0.74, -half * 0.44, half * 0.44, half * 0.74):
        far = at in (-half * 0.44, half * 0.74)
        c.box((x + at - 7, y - high, x + at + 7, y), dark(fill, 0.3 if far else 0.12), radius=3)
        c.box((x + at - 8, y - 9, x + at + 8, y), "#3a2f2a", radius=2)
    c.box((x - half - 2, y - high - deep - 2, x + half + 2, y - high + 20), edge, radius=24)
    c.box((x - half, y - high - deep, x + half, y - high + 18), fill, radius=23)


def _horse(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    mane = "#3a2a20" if word == "brown" else ("#16161a" if word == "black" else "#b5ab9c")
    cast(c, x, y, 180)
    c.line(((x + 74, y - 104), (x + 94, y - 82), (x + 90, y - 40)), mane, 13)
    _four_legs(c, x, y, fill, half=76, high=64, deep=46)
    c.polygon(((x - 78, y - 84), (x - 96, y - 150), (x - 66, y - 158), (x - 34, y - 104)), dark(fill, 0.35))
    c.polygon(((x - 75, y - 84), (x - 93, y - 148), (x - 67, y - 155), (x - 36, y - 100)), fill)
    c.polygon(((x - 76, y - 156), (x - 70, y - 176), (x - 62, y - 154)), dark(fill, 0.2))
    c.line(((x - 80, y - 142), (x - 112, y - 122)), dark(fill, 0.35), 33)
    c.line(((x - 80, y - 142), (x - 112, y - 122)), fill, 28)
    c.line(((x - 112, y - 121), (x - 114, y - 119)), pale(fill, 0.35), 24)
    c.line(((x - 66, y - 160), (x - 54, y - 132), (x - 40, y - 108)), mane, 12)
    c.circle((x - 88, y - 144), 4, "#222222" if word != "black" else "#f4e9c9")
    c.circle((x - 120, y - 120), 2.5, "#222222")


def _cow(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    patch = "#fbf8f0" if word != "white" else "#3a3a40"
    cast(c, x, y, 190)
    c.line(((x + 82, y - 98), (x + 96, y - 76), (x + 94, y - 44)), dark(fill, 0.3), 5)
    c.circle((x + 94, y - 40), 7, dark(fill, 0.4))
    oval(c, (x + 34, y - 42), 20, 13, "#eba8ab")
    _four_legs(c, x, y, fill, half=82, high=52, deep=58)
    for dx, dy, across, down in ((-24, -92, 24, 15), (38, -74, 27, 17), (8, -58, 15, 9)):
        oval(c, (x + dx, y + dy), across, down, patch)
    for side in (-1, 1):
        c.line(((x - 94 + 17 * side, y - 140), (x - 94 + 25 * side, y - 156)), "#efe4c8", 7)
        oval(c, (x - 94 + 30 * side, y - 128), 13, 8, dark(fill, 0.15))
    slab(c, (x - 120, y - 144, x - 68, y - 76), fill, 22)
    oval(c, (x - 94, y - 86), 27, 15, "#eba8ab")
    for side in (-1, 1):
        c.circle((x - 94 + 9 * side, y - 86), 3.5, "#a9666b")
        c.circle((x - 94 + 12 * side, y - 118), 4.5, "#222222" if word != "black" else "#f4e9c9")


def _sheep(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    for number in range(count):
        at = x + 78 * (number - (count - 1) / 2)
        cast(c, at, y, 72)
        for side in (-18, -8, 10, 20):
            c.box((at + side - 3, y - 26, at + side + 3, y), "#40342f")
        for dx, dy in ((-22, -40), (22, -40), (-12, -54), (12, -54), (0, -34), (-14, -30), (16, -30)):
            c.circle((at + dx, y + dy), 17, "#d8d2c6")
        for dx, dy in ((-22, -40), (22, -40), (-12, -54), (12, -54), (0, -34), (-14, -30), (16, -30)):
            c.circle((at + dx, y + dy), 15, "#faf7f0")
        oval(c, (at - 32, y - 50), 12, 15, "#40342f")
        oval(c, (at - 20, y - 56), 8, 4, "#40342f")
        c.circle((at - 36, y - 53), 2.5, "#ffffff")


def _dog(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    edge = dark(fill, 0.4)
    cast(c, x, y + 28, 110)
    c.line(((x + 42, y - 2), (x + 60, y - 22)), edge, 9)
    for at in (-28, -16, 24, 36):
        c.box((x + at - 5, y, x + at + 5, y + 28), edge if at in (-16, 36) else fill, radius=3)
    slab(c, (x - 38, y - 16, x + 46, y + 14), fill, 14)
    slab(c, (x - 62, y - 38, x - 22, y - 4), fill, 13)
    slab(c, (x - 76, y - 22, x - 48, y - 4), fill, 8)
    slab(c, (x - 36, y - 38, x - 20, y - 6), edge, 8)
    c.circle((x - 74, y - 18), 5, "#222222" if word != "black" else "#8b8b92")
    c.circle((x - 52, y - 26), 3.5, "#222222" if word != "black" else "#f4e9c9")
    c.box((x - 34, y - 8, x - 22, y + 8), "#d64a3f")


def _hen(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    edge = dark(fill, 0.4)
    cast(c, x, y + 28, 70)
    for at in (-6, 8):
        c.line(((x + at, y + 14), (x + at, y + 27), (x + at - 8, y + 28)), "#e0962c", 4)
    c.polygon(((x + 14, y - 4), (x + 44, y - 34), (x + 36, y + 8)), edge)
    oval(c, (x, y + 2), 36, 24, edge)
    oval(c, (x, y + 2), 33, 21, fill)
    c.polygon(((x - 32, y), (x - 32, y - 36), (x - 14, y - 36), (x - 4, y - 10)), fill)
    c.circle((x - 23, y - 30), 13, fill, outline=edge)
    for dx in (-30, -22, -14):
        c.circle((x + dx, y - 45), 5, "#d64a3f")
    c.polygon(((x - 35, y - 32), (x - 48, y - 26), (x - 34, y - 24)), "#e0962c")
    c.circle((x - 26, y - 32), 3, "#222222" if word != "black" else "#f4e9c9")
    oval(c, (x + 8, y + 2), 18, 10, dark(fill, 0.2))


def _camel(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    fill = "#c48a4a"
    edge = dark(fill, 0.3)
    for number in range(count):
        at = x + 92 * (number - (count - 1) / 2)
        cast(c, at, y, 84)
        for dx in (-24, -12, 16, 28):
            c.box((at + dx - 4, y - 52, at + dx + 4, y), edge if dx in (-12, 28) else fill)
        c.polygon((*dome((at - 12, y - 74), 17, 34), *dome((at + 18, y - 74), 17, 34)), fill)
        slab(c, (at - 34, y - 86, at + 38, y - 46), fill, 17)
        c.polygon((*dome((at - 12, y - 80), 15, 26),), fill)
        c.polygon((*dome((at + 18, y - 80), 15, 26),), fill)
        c.line(((at - 30, y - 66), (at - 44, y - 70), (at - 46, y - 110)), fill, 12)
        c.line(((at - 44, y - 112), (at - 58, y - 108)), fill, 15)
        c.circle((at - 48, y - 115), 2.5, "#222222")


ANIMALS: Mapping[str, Draw] = {
    "a {coat} horse": _horse,
    "a {coat} cow": _cow,
    "{few} sheep": _sheep,
    "a {coat} dog": _dog,
    "a {coat} hen": _hen,
    "{few} camels": _camel,
}
