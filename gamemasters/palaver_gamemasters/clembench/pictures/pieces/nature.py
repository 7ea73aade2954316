"""Plants and animals."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import cast, dark, dome, oval, pale, ray, slab, tint

__all__ = ["NATURE"]

TRUNK = "#86593a"
FEW = {"one": 1, "two": 2, "three": 3}


def _pot(c: Canvas, x: float, y: float, fill: Colour) -> None:
    c.polygon(((x - 34, y - 50), (x + 34, y - 50), (x + 25, y - 2), (x - 25, y - 2)), dark(fill, 0.35))
    c.polygon(((x - 31, y - 50), (x + 31, y - 50), (x + 23, y - 4), (x - 23, y - 4)), fill)
    slab(c, (x - 38, y - 62, x + 38, y - 46), fill, 4)


def _palm(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 72)
    for turn, tall in ((-0.14, 116), (0.14, 116), (-0.07, 136), (0.07, 136), (0, 144)):
        start, tip = (x, y - 58), ray((x, y - 58), tall, turn)
        mid = ray((x, y - 58), tall * 0.55, turn)
        c.polygon((start, (mid[0] - 13, mid[1]), tip, (mid[0] + 13, mid[1])), ("#3f8f4f", "#57a75f")[int(tall) % 3 % 2])
        c.line((start, tip), "#2f6f3d", 2.5)
    _pot(c, x, y, tint(word))


def _cactus(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 72)
    c.line(((x - 2, y - 88), (x - 34, y - 88), (x - 34, y - 118)), "#3f8f4f", 17)
    c.line(((x + 2, y - 106), (x + 34, y - 106), (x + 34, y - 138)), "#3f8f4f", 17)
    slab(c, (x - 17, y - 166, x + 17, y - 54), "#4c9f5a", 17)
    for at in (-6, 6):
        c.line(((x + at, y - 154), (x + at, y - 64)), "#3a7f47", 2)
    c.circle((x, y - 168), 9, "#ea6f96")
    _pot(c, x, y, tint(word))


def _tomatoes(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 100)
    slab(c, (x - 50, y - 34, x + 50, y - 3), "#a9743f", 4)
    for at in (-30, 0, 30):
        c.line(((x + at, y - 34), (x + at, y - 190)), "#c9a26a", 4)
        for rise in range(52, 190, 26):
            oval(c, (x + at, y - rise), 21, 15, ("#3f8f4f", "#57a75f")[rise % 4 // 2])
    for at, rise in ((-40, 66), (-20, 92), (2, 60), (12, 108), (36, 78), (-34, 130), (26, 146), (-2, 162), (40, 116)):
        c.circle((x + at, y - rise), 8, tint(word), outline=dark(tint(word)))


def _flower_bench(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 236)
    for at in (-100, 0, 92):
        c.box((x + at, y - 50, x + at + 9, y), "#8a5a33")
    slab(c, (x - 118, y - 62, x + 118, y - 48), "#c99a5b", 3)
    c.box((x - 100, y - 24, x + 100, y - 17), "#a9743f")
    for number in range(5):
        at = x - 88 + 44 * number
        for dx, rise in ((-11, 128), (11, 122), (0, 142)):
            c.line(((at, y - 96), (at + dx, y - rise)), "#3f7d3c", 4)
            for step in range(5):
                c.circle(ray((at + dx, y - rise), 7, step / 5), 5.5, fill, outline=dark(fill), width=1)
            c.circle((at + dx, y - rise), 4.5, "#f7d443" if word != "yellow" else "#a9642c")
        oval(c, (at, y - 98), 18, 8, "#4c9f5a")
        c.polygon(((at - 17, y - 94), (at + 17, y - 94), (at + 12, y - 62), (at - 12, y - 62)), "#c26a44")


def _apple_tree(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 110)
    c.polygon(((x - 11, y - 2), (x - 8, y - 90), (x + 8, y - 90), (x + 11, y - 2)), TRUNK)
    for dx, rise, size in ((-32, 104, 34), (32, 104, 34), (0, 92, 34), (-18, 146, 36), (20, 146, 36), (0, 118, 42)):
        c.circle((x + dx, y - rise), size, "#4c9a4f")
    for dx, rise in ((-22, 150), (12, 162)):
        c.circle((x + dx, y - rise), 15, "#64ae60")
    for dx, rise in ((-42, 104), (-14, 92), (18, 112), (44, 100), (-26, 136), (4, 146), (32, 142), (-4, 170)):
        c.circle((x + dx, y - rise), 8, tint(word), outline=dark(tint(word)))


def _round_tree(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a tree as it looks in a season."""
    crown, light = {
        "green": ("#3f8a47", "#5aa45c"),
        "golden": ("#d9922e", "#eab04a"),
        "bare": ("", ""),
    }[word]
    cast(c, x, y, 100)
    c.polygon(((x - 11, y - 2), (x - 7, y - 104), (x + 7, y - 104), (x + 11, y - 2)), TRUNK)
    for side, rise, reach in ((-1, 84, 40), (1, 96, 40), (-1, 104, 22), (1, 104, 20)):
        c.line(((x, y - rise), (x + reach * side, y - rise - 52)), TRUNK, 6)
        c.line(((x + reach * side * 0.6, y - rise - 31), (x + reach * side * 0.4, y - rise - 68)), TRUNK, 4)
    if crown:
        for dx, rise, size in ((-30, 116, 32), (30, 116, 32), (-14, 156, 34), (18, 158, 32), (0, 128, 44)):
            c.circle((x + dx, y - rise), size, crown)
        for dx, rise, size in ((-24, 150, 14), (8, 168, 15), (26, 128, 12)):
            c.circle((x + dx, y - rise), size, light)


def _fir(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 84)
    c.box((x - 9, y - 34, x + 9, y - 2), TRUNK)
    fill = "#2f7350"
    for half, bottom, top in ((56, 28, 100), (46, 76, 144), (34, 122, 186)):
        c.polygon(((x - half, y - bottom), (x, y - top), (x + half, y - bottom)), fill)
        if word == "snowy":
            c.polygon(((x - half * 0.5, y - (bottom + top) / 2), (x, y - top), (x + half * 0.5, y - (bottom + top) / 2), (x + half * 0.2, y - (bottom + top) / 2 - 6), (x, y - (bottom + top) / 2 + 6), (x - half * 0.2, y - (bottom + top) / 2 - 6)), "#fdfdfd")
    if word == "decorated":
        for dx, rise, ball in ((-30, 40, "#d64a3f"), (6, 46, "#f2c53d"), (34, 38, "#3f77c4"), (-18, 86, "#f2c53d"), (18, 92, "#d64a3f"), (-4, 130, "#3f77c4"), (8, 152, "#f2c53d")):
            c.circle((x + dx, y - rise), 6.5, ball)
        c.polygon([ray((x, y - 190), 15 if step % 2 == 0 else 6, step / 10) for step in range(10)], "#f7d443")


def _palm_tree(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 70)
    c.line(((x - 14, y - 2), (x - 6, y - 60), (x + 2, y - 120), (x + 14, y - 160)), "#a9784a", 15)
    for rise in range(20, 156, 20):
        c.line(((x - 18 + rise / 6, y - rise), (x - 4 + rise / 6, y - rise - 3)), "#86593a", 3)
    for dx, dy in ((-60, 24), (-56, -10), (-26, -38), (30, -38), (58, -12), (58, 24)):
        mid = (x + 14 + dx * 0.5, y - 164 + dy * 0.5 - 14)
        c.line(((x + 14, y - 164), mid, (x + 14 + dx * 0.9, y - 164 + dy)), "#3f8f4f", 12)
        c.line(((x + 14, y - 164), mid, (x + 14 + dx * 0.9, y - 164 + dy)), "#57a75f", 4)
    for side in range(FEW[word]):
        c.circle((x + 4 + 14 * side, y - 152 + 6 * (side % 2)), 9, "#7a4a28", outline="#5a3419")


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


def _hay(c: Canvas, x: float, y: float, word: str) -> None:
    count = {"two": 2, "three": 3, "four": 4}[word]
    cast(c, x, y, 124)
    for number in range(count):
        left, top = x - 58 + 6 * (number % 2), y - 44 * (number + 1)
        slab(c, (left, top, left + 110, top + 43), "#e3c05a", 6)
        for dx, dy in ((12, 10), (30, 26), (52, 12), (64, 30), (86, 14), (94, 30), (40, 36), (20, 34)):
            c.line(((left + dx, top + dy), (left + dx + 11, top + dy - 4)), "#bd9838", 2.5)
        for at in (28, 80):
            c.box((left + at, top + 1, left + at + 4, top + 42), "#a9532f")


def _haystack(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 122)
    c.polygon([(x - 60, y - 2), (x - 56, y - 60), *dome((x, y - 62), 52, 78), (x + 56, y - 60), (x + 60, y - 2)], "#b8923a")
    c.polygon([(x - 57, y - 4), (x - 53, y - 60), *dome((x, y - 62), 49, 74), (x + 53, y - 60), (x + 57, y - 4)], "#e3c05a")
    for dx, dy in ((-34, 30), (-10, 50), (20, 34), (38, 62), (-36, 76), (6, 92), (26, 104), (-16, 116)):
        c.line(((x + dx - 8, y - dy), (x + dx, y - dy - 10), (x + dx + 8, y - dy)), "#bd9838", 3)
    c.line(((x + 30, y - 100), (x + 52, y - 176)), "#86593a", 6)


NATURE: Mapping[str, Draw] = {
    "a palm in a {colour} pot": _palm,
    "a cactus in a {colour} pot": _cactus,
    "plants with {fruits} tomatoes": _tomatoes,
    "a bench with {colour} flowers in pots": _flower_bench,
    "a tree with {apples} apples": _apple_tree,
    "a {season} tree": _round_tree,
    "a {fir} fir tree": _fir,
    "a palm tree with {few} coconuts": _palm_tree,
    "a {coat} horse": _horse,
    "a {coat} cow": _cow,
    "{few} sheep": _sheep,
    "a {coat} dog": _dog,
    "a {coat} hen": _hen,
    "{few} camels": _camel,
    "a pile of {count} hay bales": _hay,
    "a haystack": _haystack,
}
