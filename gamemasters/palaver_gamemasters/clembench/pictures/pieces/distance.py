"""What stands far away, about 110 pixels wide and high."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, dark, dome, oval, pale, ray, slab, tint

__all__ = ["DISTANCE"]

FEW = {"one": 1, "two": 2, "three": 3}


def _sailing_boat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y - 18), (x, y - 92)), "#6b4226", 4)
    c.polygon(((x + 4, y - 92), (x + 4, y - 26), (x + 40, y - 26)), fill)
    c.polygon(((x - 4, y - 80), (x - 4, y - 26), (x - 30, y - 26)), pale(fill, 0.45))
    c.polygon(((x - 44, y - 20), (x + 46, y - 20), (x + 32, y), (x - 32, y)), "#7a4a28")


def _lighthouse(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.polygon((*dome((x, y), 56, 22),), "#8a8379")
    c.polygon(((x - 20, y - 14), (x - 13, y - 100), (x + 13, y - 100), (x + 20, y - 14)), "#fdfaf2")
    for low, high, wide, narrow in ((34, 56, 18.4, 16.6), (76, 100, 15, 13)):
        c.polygon(((x - wide, y - low), (x - narrow, y - high), (x + narrow, y - high), (x + wide, y - low)), fill)
    c.box((x - 18, y - 106, x + 18, y - 99), "#40464d")
    c.box((x - 9, y - 122, x + 9, y - 105), "#fff2bd")
    c.polygon(((x - 13, y - 121), (x, y - 136), (x + 13, y - 121)), fill)


def _barn(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    slab(c, (x - 48, y - 54, x + 48, y), fill, 1)
    c.polygon(((x - 56, y - 52), (x - 36, y - 82), (x, y - 100), (x + 36, y - 82), (x + 56, y - 52)), dark(fill, 0.35))
    c.polygon(((x - 46, y - 54), (x - 32, y - 76), (x, y - 91), (x + 32, y - 76), (x + 46, y - 54)), fill)
    slab(c, (x - 20, y - 40, x + 20, y), "#fdfaf2", 1)
    c.line(((x - 18, y - 2), (x + 18, y - 38)), fill, 3)
    c.line(((x - 18, y - 38), (x + 18, y - 2)), fill, 3)
    c.box((x - 8, y - 72, x + 8, y - 58), "#fdfaf2")


def _windmill(c: Canvas, x: float, y: float, word: str) -> None:
    c.polygon(((x - 26, y), (x - 17, y - 74), (x + 17, y - 74), (x + 26, y)), "#efe6d2")
    c.polygon(dome((x, y - 74), 18, 17), tint(word))
    c.box((x - 7, y - 22, x + 7, y), "#7a4a28")
    for step in range(4):
        tip = ray((x, y - 78), 50, 0.125 + step / 4)
        c.line(((x, y - 78), tip), "#6b4226", 3)
        side = ray((x, y - 78), 50, 0.175 + step / 4)
        inner = ray((x, y - 78), 16, 0.21 + step / 4)
        c.polygon((ray((x, y - 78), 14, 0.125 + step / 4), tip, side, inner), "#fffdf5")
    c.circle((x, y - 78), 5, "#40342f")


def _poplars(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    for number in range(count):
        at = x + 38 * (number - (count - 1) / 2)
        c.box((at - 4, y - 18, at + 4, y), "#86593a")
        oval(c, (at, y - 56), 15, 46, "#2f7048")
        oval(c, (at - 3, y - 62), 8, 32, "#418a58")


def _island(c: Canvas, x: float, y: float, word: str) -> None:
    c.polygon(dome((x, y), 76, 17), "#e3c98a")
    for number in range(FEW[word]):
        at = x + 44 * (number - (FEW[word] - 1) / 2)
        c.line(((at, y - 12), (at + 6, y - 56)), "#a9784a", 6)
        for dx, dy in ((-22, 4), (-16, -12), (12, -14), (24, 2)):
            c.line(((at + 6, y - 56), (at + 6 + dx * 0.6, y - 62 + dy * 0.6), (at + 6 + dx, y - 54 + dy)), "#3f8f4f", 6)


def _towers(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word] + 1
    for number in range(count):
        at = x + 42 * (number - (count - 1) / 2)
        tall = (96, 122, 84, 110)[number]
        fill = ("#7a86a3", "#5f6b8a", "#8c97b0", "#6c7896")[number]
        c.box((at - 19, y - tall, at + 19, y), fill)
        for row in range(tall // 17):
            for column in (-1, 0, 1):
                c.box(
                    (at + 12 * column - 4, y - tall + 7 + 17 * row, at + 12 * column + 3, y - tall + 15 + 17 * row),
                    "#ffe9a3",
                )


def _house(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 44, y - 58, x + 44, y), "#f6ecd6", 1)
    c.polygon(((x - 56, y - 56), (x, y - 102), (x + 56, y - 56)), tint(word))
    c.box((x + 22, y - 100, x + 34, y - 78), "#8a5a48")
    slab(c, (x - 9, y - 34, x + 9, y), "#7a4a28", 1)
    for at in (-27, 27):
        slab(c, (x + at - 9, y - 44, x + at + 9, y - 26), "#a9d8f2", 1)


def _church(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 8, y - 48, x + 56, y), "#f3eee2", 1)
    c.polygon(((x - 10, y - 46), (x + 4, y - 72), (x + 48, y - 72), (x + 62, y - 46)), dark(tint(word), 0.1))
    slab(c, (x - 42, y - 82, x - 6, y), "#f3eee2", 1)
    c.polygon(((x - 46, y - 80), (x - 24, y - 128), (x - 2, y - 80)), tint(word))
    c.line(((x - 24, y - 126), (x - 24, y - 142)), "#4b4b4f", 3)
    c.line(((x - 30, y - 136), (x - 18, y - 136)), "#4b4b4f", 3)
    c.circle((x - 24, y - 64), 8, "#ffffff", outline="#4b4b4f")
    c.polygon(arch((x - 32, y - 26, x - 16, y)), "#7a4a28")
    for at in (14, 36):
        c.polygon(arch((x + at - 6, y - 36, x + at + 6, y - 14)), "#7fb2d6")


def _peaks(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    for number in range(count):
        at = x + 46 * (number - (count - 1) / 2)
        tall = (104, 122, 96)[number]
        c.polygon(((at - 42, y), (at, y - tall), (at + 42, y)), ("#7f8dab", "#6d7c9e", "#8996b3")[number])
        c.polygon(
            (
                (at - 13, y - tall * 0.7),
                (at, y - tall),
                (at + 13, y - tall * 0.7),
                (at + 5, y - tall * 0.76),
                (at, y - tall * 0.66),
                (at - 5, y - tall * 0.76),
            ),
            "#ffffff",
        )


def _pyramids(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    for number in range(count):
        at = x + 52 * (number - (count - 1) / 2)
        tall = (58, 72, 52)[number]
        c.polygon(((at - 40, y), (at, y - tall), (at + 40, y)), "#c99a4b")
        c.polygon(((at + 9, y), (at, y - tall), (at + 40, y)), "#a67a38")


DISTANCE: Mapping[str, Draw] = {
    "a {sail} sailing boat": _sailing_boat,
    "a {sail} and white lighthouse": _lighthouse,
    "a {barn} barn": _barn,
    "a windmill with a {sail} cap": _windmill,
    "{few} poplars": _poplars,
    "an island with {few} palm trees": _island,
    "{towers} towers": lambda c, x, y, word: _towers(c, x, y, {"two": "one", "three": "two", "four": "three"}[word]),
    "a house with a {sail} roof": _house,
    "a church with a {sail} roof": _church,
    "{few} snowy peaks": _peaks,
    "{few} pyramids": _pyramids,
}
