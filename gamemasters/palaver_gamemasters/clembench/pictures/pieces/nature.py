"""Plants, and what is made of them."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import cast, dark, dome, oval, ray, slab, tint

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
    for leg in (-100, 0, 92):
        c.box((x + leg, y - 50, x + leg + 9, y), "#8a5a33")
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
            c.polygon(
                (
                    (x - half * 0.5, y - (bottom + top) / 2),
                    (x, y - top),
                    (x + half * 0.5, y - (bottom + top) / 2),
                    (x + half * 0.2, y - (bottom + top) / 2 - 6),
                    (x, y - (bottom + top) / 2 + 6),
                    (x - half * 0.2, y - (bottom + top) / 2 - 6),
                ),
                "#fdfdfd",
            )
    if word == "decorated":
        for dx, rise, ball in (
            (-30, 40, "#d64a3f"),
            (6, 46, "#f2c53d"),
            (34, 38, "#3f77c4"),
            (-18, 86, "#f2c53d"),
            (18, 92, "#d64a3f"),
            (-4, 130, "#3f77c4"),
            (8, 152, "#f2c53d"),
        ):
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
    for dx, dy in ((4, -148), (26, -148), (15, -134))[: FEW[word]]:
        c.circle((x + dx, y + dy), 11, "#7a4a28", outline="#4a2b14")


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
    c.polygon(
        [(x - 60, y - 2), (x - 56, y - 60), *dome((x, y - 62), 52, 78), (x + 56, y - 60), (x + 60, y - 2)], "#b8923a"
    )
    c.polygon(
        [(x - 57, y - 4), (x - 53, y - 60), *dome((x, y - 62), 49, 74), (x + 53, y - 60), (x + 57, y - 4)], "#e3c05a"
    )
    for dx, dy in ((-34, 30), (-10, 50), (20, 34), (38, 62), (-36, 76), (6, 92), (26, 104), (-16, 116)):
        c.line(((x + dx - 8, y - dy), (x + dx, y - dy - 10), (x + dx + 8, y - dy)), "#bd9838", 3)
    c.line(((x + 30, y - 100), (x + 52, y - 176)), "#86593a", 6)


def _tall_cactus(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 80)
    for side, low, high in ((-1, 70, 124), (1, 92, 150)):
        c.line(((x, y - low), (x + 42 * side, y - low), (x + 42 * side, y - high)), "#3f8a4f", 22)
    slab(c, (x - 19, y - 192, x + 19, y - 2), "#4c9f5a", 19)
    for at in (-7, 7):
        c.line(((x + at, y - 182), (x + at, y - 12)), "#3a7f47", 2)
    for at, rise in ((0, 198), (-42, 136), (42, 162))[: FEW[word]]:
        c.circle((x + at, y - rise), 11, "#ea5f8f", outline="#b23a66")
        c.circle((x + at, y - rise), 4, "#f7d443")


NATURE: Mapping[str, Draw] = {
    "a palm in a {colour} pot": _palm,
    "a cactus in a {colour} pot": _cactus,
    "plants with {fruits} tomatoes": _tomatoes,
    "a bench with {petals} flowers in pots": _flower_bench,
    "a tree with {apples} apples": _apple_tree,
    "a {season} tree": _round_tree,
    "a {fir} fir tree": _fir,
    "a palm tree with {few} coconuts": _palm_tree,
    "a pile of {count} hay bales": _hay,
    "a haystack": _haystack,
    "a tall cactus with {few} flowers": _tall_cactus,
}
