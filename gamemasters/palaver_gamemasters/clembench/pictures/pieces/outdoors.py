"""Vehicles, buildings and other things that stand outdoors or fly."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, cast, dark, dome, legs, oval, pale, ray, slab, tint

__all__ = ["OUTDOORS"]

WOOD = "#a9743f"
FEW = {"one": 1, "two": 2, "three": 3}


def _wheel(c: Canvas, x: float, y: float, size: float) -> None:
    c.circle((x, y), size, "#2e3035")
    c.circle((x, y), size * 0.52, "#c3cad1")
    c.circle((x, y), size * 0.18, "#5c6166")


def _car(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 230)
    c.polygon(((x - 72, y - 62), (x - 44, y - 106), (x + 40, y - 106), (x + 78, y - 62)), dark(fill, 0.35))
    c.polygon(((x - 68, y - 62), (x - 42, y - 102), (x + 38, y - 102), (x + 73, y - 62)), fill)
    c.polygon(((x - 56, y - 64), (x - 38, y - 95), (x - 4, y - 95), (x - 4, y - 64)), "#bfe0ee")
    c.polygon(((x + 5, y - 64), (x + 5, y - 95), (x + 34, y - 95), (x + 60, y - 64)), "#bfe0ee")
    slab(c, (x - 112, y - 66, x + 112, y - 20), fill, 17)
    c.box((x - 1, y - 62, x + 1, y - 24), dark(fill, 0.35))
    for at in (-20, 14):
        c.box((x + at, y - 54, x + at + 13, y - 49), dark(fill, 0.45), radius=2)
    c.circle((x - 104, y - 48), 7, "#fff2bd")
    c.circle((x + 106, y - 48), 6, "#d64a3f" if word != "red" else "#ffd9d2")
    for at in (-66, 66):
        _wheel(c, x + at, y - 22, 23)


def _tractor(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    c.line(((x - 38, y - 84), (x - 38, y - 118)), "#40464d", 7)
    slab(c, (x - 58, y - 84, x + 20, y - 36), fill, 7)
    slab(c, (x + 6, y - 140, x + 54, y - 40), fill, 4)
    c.box((x + 13, y - 130, x + 47, y - 90), "#bfe0ee", radius=3)
    slab(c, (x, y - 148, x + 60, y - 136), dark(fill, 0.2), 3)
    _wheel(c, x + 30, y - 36, 36)
    _wheel(c, x - 42, y - 21, 21)


def _bicycle(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 124)
    for at in (-36, 36):
        c.ring((x + at, y - 28), 27, 5, "#2e3035")
        for step in range(4):
            c.line((ray((x + at, y - 28), 23, step / 8), ray((x + at, y - 28), 23, step / 8 + 0.5)), "#b5bcc2", 1.5)
    c.line(((x - 36, y - 28), (x - 16, y - 70), (x + 22, y - 70), (x, y - 28), (x - 36, y - 28)), fill, 6)
    c.line(((x, y - 28), (x - 20, y - 80)), fill, 6)
    c.line(((x + 36, y - 28), (x + 20, y - 86)), fill, 6)
    slab(c, (x - 34, y - 88, x - 6, y - 79), "#33363b", 4)
    c.line(((x + 20, y - 86), (x + 8, y - 92)), "#33363b", 6)


def _ladder(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 96)
    for side in (-1, 1):
        c.line(((x + 14 * side, y - 190), (x + 34 * side, y - 3)), fill, 8)
        c.line(((x + 14 * side, y - 190), (x + 50 * side, y - 10)), dark(fill, 0.3), 4)
    for step in range(6):
        half = 15 + step * 3.4
        c.line(((x - half, y - 172 + 30 * step), (x + half, y - 172 + 30 * step)), fill, 7)


def _parasol(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 88)
    c.line(((x, y - 3), (x, y - 172)), "#f4efe4", 6)
    c.polygon(dome((x, y - 124), 62, 58), dark(fill, 0.3))
    c.polygon(dome((x, y - 126), 60, 54), fill)
    for one, other in ((-36, -12), (12, 36)):
        c.polygon(((x, y - 180), (x + one, y - 126), (x + other, y - 126)), "#fffdf5")


def _surfboard(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 60)
    oval(c, (x, y - 92), 31, 93, dark(fill, 0.35))
    oval(c, (x, y - 92), 28, 90, fill)
    c.box((x - 4, y - 172, x + 4, y - 14), "#fffdf5", radius=4)
    c.box((x - 27, y - 104, x + 27, y - 86), "#fffdf5")


def _sandcastle(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 190)
    sand = "#d9b26a"
    for at, half, tall in ((-62, 26, 84), (62, 26, 84), (0, 30, 112)):
        slab(c, (x + at - half, y - tall, x + at + half, y - 3), sand, 3)
        for step in (-1, 0, 1):
            slab(c, (x + at + step * (half - 7) - 7, y - tall - 14, x + at + step * (half - 7) + 7, y - tall + 2), sand, 2)
    slab(c, (x - 46, y - 54, x + 46, y - 3), pale(sand, 0.18), 3)
    c.polygon(arch((x - 14, y - 42, x + 14, y - 4)), "#7d5f30")
    for at in (-62, 62):
        c.polygon(arch((x + at - 6, y - 60, x + at + 6, y - 40)), "#7d5f30")
    c.line(((x, y - 126), (x, y - 166)), "#6b4226", 4)
    c.polygon(((x + 2, y - 168), (x + 40, y - 156), (x + 2, y - 144)), tint(word))


def _hut(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 150)
    slab(c, (x - 62, y - 104, x + 62, y - 3), fill, 2)
    for at in range(-50, 60, 24):
        c.box((x + at, y - 102, x + at + 11, y - 4), "#fffdf5")
    c.polygon(((x - 78, y - 100), (x, y - 162), (x + 78, y - 100)), dark(fill, 0.25))
    slab(c, (x - 22, y - 76, x + 22, y - 3), WOOD, 2)
    c.circle((x + 13, y - 38), 4, "#f2c53d")


def _rowing_boat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    c.line(((x - 14, y - 52), (x + 44, y - 82)), "#d9ab6a", 6)
    c.polygon(((x - 62, y - 58), (x + 62, y - 58), (x + 42, y - 6), (x - 44, y - 6)), dark(fill, 0.4))
    c.polygon(((x - 57, y - 52), (x + 57, y - 52), (x + 40, y - 9), (x - 41, y - 9)), fill)
    slab(c, (x - 64, y - 60, x + 64, y - 49), "#e3c08a", 3)


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
                c.box((at + 12 * column - 4, y - tall + 7 + 17 * row, at + 12 * column + 3, y - tall + 15 + 17 * row), "#ffe9a3")


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
        at = x + 90 * (number - (count - 1) / 2)
        tall = (106, 124, 96)[number]
        c.polygon(((at - 84, y), (at, y - tall), (at + 84, y)), ("#7f8dab", "#6d7c9e", "#8996b3")[number])
        c.polygon(((at - 25, y - tall * 0.7), (at, y - tall), (at + 25, y - tall * 0.7), (at + 9, y - tall * 0.76), (at, y - tall * 0.66), (at - 9, y - tall * 0.76)), "#ffffff")


def _pyramids(c: Canvas, x: float, y: float, word: str) -> None:
    count = FEW[word]
    for number in range(count):
        at = x + 96 * (number - (count - 1) / 2)
        tall = (86, 104, 76)[number]
        c.polygon(((at - 70, y), (at, y - tall), (at + 70, y)), "#d3a85c")
        c.polygon(((at + 14, y), (at, y - tall), (at + 70, y)), "#b58a43")


def _scarecrow(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 56)
    c.line(((x, y - 3), (x, y - 120)), "#86593a", 8)
    c.line(((x - 56, y - 112), (x + 56, y - 112)), "#86593a", 6)
    c.polygon(((x - 46, y - 124), (x + 46, y - 124), (x + 46, y - 100), (x + 24, y - 98), (x + 30, y - 46), (x - 30, y - 46), (x - 24, y - 98), (x - 46, y - 100)), dark(fill, 0.35))
    c.polygon(((x - 44, y - 122), (x + 44, y - 122), (x + 44, y - 102), (x + 22, y - 100), (x + 27, y - 48), (x - 27, y - 48), (x - 22, y - 100), (x - 44, y - 102)), fill)
    for rise in (70, 86, 102):
        c.circle((x, y - rise), 3, "#fff3cf")
    c.circle((x, y - 144), 23, "#e9cd94", outline="#b8923a")
    for side in (-1, 1):
        c.circle((x + 8 * side, y - 147), 3, "#222222")
        c.line(((x + 50 * side, y - 112), (x + 62 * side, y - 118)), "#e3c05a", 5)
        c.line(((x + 50 * side, y - 112), (x + 62 * side, y - 104)), "#e3c05a", 5)
    c.line(((x - 9, y - 134), (x, y - 130), (x + 9, y - 134)), "#a9532f", 3)
    c.polygon(((x - 36, y - 160), (x + 36, y - 160), (x + 16, y - 168), (x, y - 200), (x - 16, y - 168)), "#8a5a33")


def _well(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 118)
    for side in (-1, 1):
        c.box((x + 42 * side - 5, y - 140, x + 42 * side + 5, y - 60), WOOD)
    c.polygon(((x - 66, y - 128), (x, y - 176), (x + 66, y - 128)), tint(word))
    c.line(((x, y - 128), (x, y - 92)), "#d9c9a2", 3)
    slab(c, (x - 12, y - 94, x + 12, y - 70), "#8d969e", 3)
    slab(c, (x - 56, y - 68, x + 56, y - 3), "#a8a59e", 6)
    for row in range(3):
        for step in range(-2, 3):
            at = x + 22 * step + (5 if row % 2 else -5)
            c.box((max(at - 9, x - 53), y - 62 + 20 * row, min(at + 10, x + 53), y - 46 + 20 * row), "#c4c1b9", radius=4)


def _swing(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    for side in (-1, 1):
        c.line(((x + 46 * side, y - 168), (x + 62 * side, y - 3)), fill, 8)
        c.line(((x + 46 * side, y - 168), (x + 36 * side, y - 12)), dark(fill, 0.25), 6)
    c.line(((x - 48, y - 168), (x + 48, y - 168)), fill, 9)
    for at in (-18, 18):
        c.line(((x + at, y - 166), (x + at, y - 54)), "#5c6166", 3)
    slab(c, (x - 26, y - 58, x + 26, y - 48), "#7a4a28", 3)


def _seesaw(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    c.polygon(((x - 18, y - 3), (x, y - 44), (x + 18, y - 3)), "#5c6166")
    c.line(((x - 58, y - 16), (x + 58, y - 72)), dark(fill, 0.35), 14)
    c.line(((x - 58, y - 16), (x + 58, y - 72)), fill, 9)
    for at, rise in ((-44, 24), (44, 66)):
        c.line(((x + at, y - rise), (x + at, y - rise - 24)), "#5c6166", 5)


def _lamp_post(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 50)
    slab(c, (x - 13, y - 18, x + 13, y - 2), tint(word), 3)
    c.line(((x, y - 12), (x, y - 160)), tint(word), 8)
    c.polygon(((x - 16, y - 196), (x + 16, y - 196), (x + 11, y - 160), (x - 11, y - 160)), "#fff2bd")
    c.line(((x - 16, y - 196), (x - 11, y - 160), (x + 11, y - 160), (x + 16, y - 196)), tint(word), 4)
    c.polygon(((x - 22, y - 196), (x, y - 214), (x + 22, y - 196)), tint(word))


def _post_box(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 76)
    slab(c, (x - 32, y - 130, x + 32, y - 3), fill, 6)
    c.polygon(dome((x, y - 126), 37, 24), dark(fill, 0.2))
    c.box((x - 20, y - 112, x + 20, y - 104), "#222222", radius=3)
    slab(c, (x - 20, y - 92, x + 20, y - 62), "#fffdf5", 3)
    c.line(((x - 18, y - 90), (x, y - 76), (x + 18, y - 90)), "#8a8379", 2.5)


def _stall(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 220)
    for side in (-1, 1):
        c.box((x + 94 * side - 5, y - 140, x + 94 * side + 5, y), WOOD)
    slab(c, (x - 102, y - 66, x + 102, y - 8), "#c99a5b", 3)
    for number, goods in enumerate(("#cf3f3a", "#ef8f2d", "#f4d83f", "#5aa055")):
        left = x - 92 + 47 * number
        c.box((left, y - 72, left + 42, y - 62), "#8a5a33")
        for step in (0, 1, 2):
            c.circle((left + 8 + 13 * step, y - 76), 8, goods, outline=dark(goods), width=1)
    for step in range(8):
        left = x - 112 + 28 * step
        shade = fill if step % 2 == 0 else "#fffdf5"
        c.box((left, y - 160, left + 28, y - 128), shade)
        c.polygon([(px, 2 * (y - 128) - py) for px, py in dome((left + 14, y - 129), 14, 13)], shade)
    c.box((x - 112, y - 164, x + 112, y - 157), dark(fill, 0.3))


def _fountain(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 216)
    for side in (-1, 1):
        c.line(((x, y - 150), (x + 22 * side, y - 156), (x + 44 * side, y - 124), (x + 52 * side, y - 62)), "#a5d8ef", 6)
        c.line(((x, y - 150), (x + 12 * side, y - 158), (x + 24 * side, y - 136), (x + 30 * side, y - 98)), "#d5eef8", 4)
    fill = {"white": "#e9e5dc", "grey": "#9a9da2", "sandstone": "#d8b983"}[word]
    slab(c, (x - 9, y - 148, x + 9, y - 50), fill, 3)
    slab(c, (x - 44, y - 104, x + 44, y - 90), fill, 7)
    oval(c, (x, y - 48), 104, 17, dark(fill, 0.35))
    oval(c, (x, y - 48), 98, 13, "#6fb7d6")
    slab(c, (x - 106, y - 46, x + 106, y - 6), fill, 8)


def _snowman(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 110)
    for rise, size in ((40, 44), (98, 33), (144, 25)):
        c.circle((x, y - rise), size, "#fdfdfd", outline="#bccbd8", width=2.5)
    for side in (-1, 1):
        c.line(((x + 30 * side, y - 104), (x + 74 * side, y - 130)), "#86593a", 5)
        c.circle((x + 9 * side, y - 150), 4, "#222222")
    c.polygon(((x - 2, y - 146), (x - 2, y - 138), (x - 28, y - 140)), "#ee8a34")
    for rise in (88, 102, 44):
        c.circle((x, y - rise), 4, "#222222")
    slab(c, (x - 28, y - 128, x + 28, y - 116), fill, 5)
    slab(c, (x + 8, y - 122, x + 22, y - 82), fill, 4)
    c.box((x - 30, y - 168, x + 30, y - 162), "#2f2f35", radius=2)
    c.box((x - 19, y - 192, x + 19, y - 163), "#2f2f35", radius=2)


def _sledge(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    c.line(((x - 46, y - 4), (x + 44, y - 4), (x + 58, y - 18), (x + 56, y - 34)), "#7a4a28", 6)
    for at in (-34, 0, 32):
        c.line(((x + at, y - 6), (x + at, y - 28)), "#7a4a28", 5)
    slab(c, (x - 52, y - 42, x + 48, y - 26), fill, 4)
    c.line(((x + 50, y - 34), (x + 60, y - 60)), "#c9b89a", 3)


def _camp_tent(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 210)
    c.polygon(((x - 44, y - 118), (x + 66, y - 118), (x + 106, y - 2), (x - 4, y - 2)), dark(fill, 0.25))
    c.polygon(((x - 104, y - 2), (x - 44, y - 120), (x + 16, y - 2)), fill)
    c.polygon(((x - 68, y - 2), (x - 44, y - 86), (x - 20, y - 2)), "#4a3d38")
    c.line(((x - 44, y - 122), (x - 44, y - 132)), "#86593a", 5)


def _campfire(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y + 26, 100)
    for side in (-1, 1):
        c.line(((x - 34 * side, y + 26), (x + 26 * side, y + 10)), "#7a4a28", 11)
    for at, tall, fill in ((-14, 34, "#e8622c"), (14, 38, "#e8622c"), (0, 56, "#f39a33"), (0, 30, "#fbdc62")):
        c.polygon(((x + at - 14, y + 14), (x + at - 10, y - 4), (x + at, y + 12 - tall), (x + at + 10, y - 4), (x + at + 14, y + 14)), fill)


def _fishing_boat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x - 30, y - 60), (x - 30, y - 150)), "#6b4226", 5)
    c.line(((x - 30, y - 146), (x - 100, y - 62)), "#8a8379", 2)
    c.line(((x - 30, y - 146), (x + 104, y - 62)), "#8a8379", 2)
    slab(c, (x, y - 104, x + 62, y - 50), "#fdfaf2", 4)
    for at in (8, 34):
        c.box((x + at, y - 94, x + at + 20, y - 74), "#8cc4e0", radius=3)
    slab(c, (x - 4, y - 112, x + 66, y - 102), dark(fill, 0.2), 3)
    c.polygon(((x - 118, y - 66), (x + 116, y - 60), (x + 88, y - 2), (x - 88, y - 2)), dark(fill, 0.4))
    c.polygon(((x - 112, y - 62), (x + 111, y - 57), (x + 86, y - 5), (x - 86, y - 5)), fill)
    c.line(((x - 110, y - 52), (x + 106, y - 47)), "#fffdf5", 5)
    for at in (-50, -20, 10):
        c.circle((x + at, y - 28), 6, "#fffdf5")


def _crane(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 92)
    for side in (-1, 1):
        c.line(((x + 26 * side, y - 3), (x + 12 * side, y - 110)), fill, 8)
    for rise in (20, 48, 76):
        c.line(((x - 22 + rise / 8, y - rise), (x + 22 - rise / 8, y - rise - 22)), dark(fill, 0.2), 4)
    c.line(((x - 40, y - 190), (x + 4, y - 112), (x + 46, y - 128)), fill, 8)
    slab(c, (x - 20, y - 140, x + 22, y - 106), fill, 4)
    c.box((x - 14, y - 134, x + 2, y - 118), "#bfe0ee")
    c.line(((x - 40, y - 188), (x - 40, y - 112)), "#40464d", 3)
    slab(c, (x - 54, y - 112, x - 26, y - 92), "#a9743f", 2)


def _kite(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y + 32), (x + 14, y + 50), (x - 6, y + 66), (x + 10, y + 84)), "#6b5a4c", 2.5)
    for at, rise in ((10, 48), (0, 64)):
        c.polygon(((x + at - 10, y + rise - 6), (x + at + 10, y + rise + 6), (x + at + 10, y + rise - 6), (x + at - 10, y + rise + 6)), fill)
    c.polygon(((x, y - 46), (x + 31, y - 6), (x, y + 36), (x - 31, y - 6)), dark(fill, 0.3))
    c.polygon(((x, y - 42), (x + 27, y - 6), (x, y - 6)), fill)
    c.polygon(((x, y - 42), (x - 27, y - 6), (x, y - 6)), pale(fill, 0.45))
    c.polygon(((x, y + 31), (x - 27, y - 6), (x, y - 6)), fill)
    c.polygon(((x, y + 31), (x + 27, y - 6), (x, y - 6)), pale(fill, 0.45))


def _balloon(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for side in (-1, 1):
        c.line(((x + 24 * side, y + 18), (x + 9 * side, y + 54)), "#6b5a4c", 2)
    c.polygon(((x - 33, y), (x + 33, y), (x + 13, y + 38), (x - 13, y + 38)), dark(fill, 0.15))
    oval(c, (x, y - 8), 41, 41, dark(fill, 0.3))
    oval(c, (x, y - 8), 39, 39, fill)
    c.polygon(((x - 32, y + 14), (x + 32, y + 14), (x + 13, y + 37), (x - 13, y + 37)), fill)
    oval(c, (x, y - 4), 15, 42, "#fffdf5")
    slab(c, (x - 12, y + 52, x + 12, y + 72), "#a9743f", 3)


def _plane(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    edge = dark(fill, 0.35)
    c.polygon(((x + 46, y - 6), (x + 72, y - 36), (x + 78, y - 36), (x + 70, y)), edge)
    slab(c, (x - 74, y - 16, x + 74, y + 14), fill, 15)
    c.polygon(((x - 6, y + 2), (x + 22, y + 2), (x + 40, y + 38), (x + 26, y + 38)), edge)
    for at in range(-44, 46, 18):
        c.circle((x + at, y - 5), 4.5, "#e8f5fb")
    c.polygon(((x - 70, y - 4), (x - 60, y - 12), (x - 54, y - 12), (x - 54, y - 2)), "#bfe0ee")


def _birds(c: Canvas, x: float, y: float, word: str) -> None:
    spots = ((0, 0), (-46, 22), (46, 26), (-22, -28), (28, -24))[: {"three": 3, "five": 5}[word]]
    for dx, dy in spots:
        at, high = x + dx, y + dy
        c.line(((at - 18, high - 8), (at - 8, high - 11), (at, high), (at + 8, high - 11), (at + 18, high - 8)), "#fdfdfd", 7)
        c.line(((at - 18, high - 8), (at - 8, high - 11), (at, high), (at + 8, high - 11), (at + 18, high - 8)), "#3a3f4c", 4)


def _shed(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    slab(c, (x - 54, y - 120, x + 54, y - 3), fill, 2)
    for at in range(-42, 54, 14):
        c.box((x + at, y - 118, x + at + 2, y - 4), dark(fill, 0.2))
    c.polygon(((x - 66, y - 116), (x, y - 170), (x + 66, y - 116)), "#6b5a4c")
    slab(c, (x - 8, y - 84, x + 38, y - 3), dark(fill, 0.25), 2)
    c.circle((x, y - 44), 4, "#f2c53d")
    slab(c, (x - 44, y - 92, x - 16, y - 62), "#cfe8f5", 2)


def _barrow(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 120)
    c.polygon(dome((x - 4, y - 68), 40, 22), "#6b4a30")
    c.line(((x - 24, y - 26), (x + 60, y - 62)), "#a9743f", 7)
    c.line(((x + 24, y - 36), (x + 30, y - 4)), "#5c6166", 6)
    c.polygon(((x - 54, y - 70), (x + 42, y - 70), (x + 20, y - 28), (x - 26, y - 28)), dark(fill, 0.35))
    c.polygon(((x - 50, y - 68), (x + 38, y - 68), (x + 18, y - 31), (x - 24, y - 31)), fill)
    _wheel(c, x - 36, y - 17, 17)


OUTDOORS: Mapping[str, Draw] = {
    "a {car} car": _car,
    "a {bright} tractor": _tractor,
    "a {bright} bicycle": _bicycle,
    "a {ladder} ladder": _ladder,
    "a {bright} parasol": _parasol,
    "a {bright} surfboard": _surfboard,
    "a sandcastle with a {bright} flag": _sandcastle,
    "a {bright} beach hut": _hut,
    "a {bright} rowing boat": _rowing_boat,
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
    "a scarecrow with a {bright} coat": _scarecrow,
    "a well with a {bright} roof": _well,
    "a {bright} swing": _swing,
    "a {bright} seesaw": _seesaw,
    "a {post} lamp post": _lamp_post,
    "a {bright} letter box": _post_box,
    "a market stall with a {bright} roof": _stall,
    "a {fountain} fountain": _fountain,
    "a snowman with a {bright} scarf": _snowman,
    "a {bright} sledge": _sledge,
    "a {bright} tent": _camp_tent,
    "a campfire": _campfire,
    "a {bright} fishing boat": _fishing_boat,
    "a {bright} crane": _crane,
    "a {bright} kite": _kite,
    "a {bright} hot-air balloon": _balloon,
    "a {bright} plane": _plane,
    "{birds} birds": _birds,
    "a {bright} shed": _shed,
    "a {bright} wheelbarrow": _barrow,
}
