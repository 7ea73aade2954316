"""What hangs from a ceiling or gives light: a hanging piece's upper end is at (x, y)."""

from collections.abc import Mapping
from itertools import pairwise

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import bowl, cast, dark, oval, pale, ray, slab, tint

__all__ = ["LAMPS"]

GLOW = "#fff2bd"


def _lampshade(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y), (x, y + 38)), "#4b4b4f", 3)
    c.circle((x, y + 76), 9, GLOW)
    c.polygon(((x - 16, y + 34), (x + 16, y + 34), (x + 42, y + 76), (x - 42, y + 76)), dark(fill, 0.4))
    c.polygon(((x - 14, y + 36), (x + 14, y + 36), (x + 38, y + 74), (x - 38, y + 74)), fill)


def _chandelier(c: Canvas, x: float, y: float, word: str) -> None:
    fill = dark(tint(word), 0.08)
    c.line(((x, y), (x, y + 70)), fill, 4)
    c.line(bowl((x, y + 54), 44, 24), fill, 5)
    c.line(bowl((x, y + 54), 20, 22), fill, 4)
    c.circle((x, y + 80), 6, fill)
    for at in (-44, -20, 20, 44):
        slab(c, (x + at - 4, y + 36, x + at + 4, y + 54), "#fffaf0", 2, width=1)
        c.polygon(((x + at - 5, y + 36), (x + at, y + 22), (x + at + 5, y + 36)), "#f9c846")


def _spotlights(c: Canvas, x: float, y: float, word: str) -> None:
    c.box((x - 60, y + 14, x + 60, y + 21), "#6d747b", radius=3)
    c.box((x - 4, y, x + 4, y + 16), "#6d747b")
    for at in (-44, 0, 44):
        c.polygon(((x + at - 8, y + 20), (x + at + 8, y + 20), (x + at + 15, y + 44), (x + at - 15, y + 44)), "#40464d")
        oval(c, (x + at, y + 44), 15, 6, GLOW)


def _tube(c: Canvas, x: float, y: float, word: str) -> None:
    for side in (-1, 1):
        c.line(((x + 44 * side, y), (x + 44 * side, y + 26)), "#6d747b", 3)
    slab(c, (x - 68, y + 26, x + 68, y + 36), "#d3d8dc", 3)
    c.box((x - 62, y + 34, x + 62, y + 44), GLOW, radius=5, outline="#d9c272", width=1)


def _lantern(c: Canvas, x: float, y: float, word: str) -> None:
    c.line(((x, y), (x, y + 22)), "#4b4b4f", 4)
    fill = dark(tint(word), 0.1)
    c.polygon(((x, y + 18), (x + 24, y + 36), (x - 24, y + 36)), fill)
    slab(c, (x - 20, y + 36, x + 20, y + 78), GLOW, 2)
    c.polygon(((x - 7, y + 72), (x, y + 46), (x + 7, y + 72)), "#f39a33")
    for at in (-20, 20):
        c.box((x + at - 3, y + 34, x + at + 3, y + 80), fill)
    c.box((x - 25, y + 76, x + 25, y + 84), fill, radius=2)


def _paper_ball(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y), (x, y + 26)), "#4b4b4f", 3)
    c.circle((x, y + 56), 34, fill, outline=dark(fill, 0.4))
    for across in (-25, -13, 13, 25):
        rib = [(x + across * (1 - (step / 5) ** 2) ** 0.5, y + 56 + 31 * step / 5) for step in range(-5, 6)]
        c.line(rib, dark(fill, 0.15), 2)


def _mobile(c: Canvas, x: float, y: float, what: str) -> None:
    c.line(((x, y), (x, y + 22)), "#8a7a66", 3)
    c.line(((x - 48, y + 24), (x + 48, y + 24)), "#c9a26a", 5)
    for at, drop, fill in ((-46, 30, "#d64a3f"), (-15, 46, "#f2c53d"), (15, 34, "#3f77c4"), (46, 46, "#4f9d5b")):
        middle = (x + at, y + 24 + drop)
        c.line(((x + at, y + 24), middle), "#8a7a66", 2)
        if what == "stars":
            c.polygon([ray(middle, 15 if step % 2 == 0 else 6.5, step / 10) for step in range(10)], fill)
        elif what == "hearts":
            for side in (-1, 1):
                c.circle((middle[0] + 6 * side, middle[1] - 4), 8, fill)
            c.polygon(((middle[0] - 13, middle[1]), (middle[0] + 13, middle[1]), (middle[0], middle[1] + 15)), fill)
        else:
            c.polygon(
                ((middle[0] + 5, middle[1]), (middle[0] + 19, middle[1] - 10), (middle[0] + 19, middle[1] + 10)), fill
            )
            oval(c, middle, 13, 8, fill)
            c.circle((middle[0] - 6, middle[1] - 2), 2, "#222222")


def _fan(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y), (x, y + 34)), "#6d747b", 5)
    for side in (-1, 1):
        c.polygon(
            ((x + 8 * side, y + 38), (x + 54 * side, y + 24), (x + 58 * side, y + 36), (x + 8 * side, y + 46)),
            dark(fill, 0.1),
        )
    c.polygon(((x - 6, y + 44), (x + 6, y + 44), (x + 26, y + 64), (x - 14, y + 64)), fill)
    c.circle((x, y + 42), 12, "#6d747b")
    c.circle((x, y + 52), 7, GLOW)


def _bunting(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    ends = [(x + 130 * step / 6, y + 34 - 26 * (step / 6) ** 2) for step in range(-6, 7)]
    c.line(ends, "#6b5a4c", 3)
    for number, (one, other) in enumerate(pairwise(ends)):
        tip = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2 + 26)
        c.polygon((one, other, tip), fill if number % 2 else pale(fill, 0.65))


def _light_chain(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    spots = [(x + 130 * step / 6, y + 38 - 28 * (step / 6) ** 2) for step in range(-6, 7)]
    c.line(spots, "#4b4b4f", 3)
    for at, high in spots:
        c.box((at - 3, high, at + 3, high + 6), "#4b4b4f")
        c.circle((at, high + 13), 8, fill, outline=pale(fill, 0.7), width=2)


def _floor_lamp(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 64)
    oval(c, (x, y - 4), 28, 7, "#4b4b4f")
    c.line(((x, y - 6), (x, y - 150)), "#4b4b4f", 6)
    c.polygon(((x - 26, y - 204), (x + 26, y - 204), (x + 50, y - 144), (x - 50, y - 144)), dark(fill, 0.35))
    c.polygon(((x - 24, y - 202), (x + 24, y - 202), (x + 46, y - 146), (x - 46, y - 146)), fill)


def _candle_stand(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 70)
    oval(c, (x, y - 5), 30, 7, "#b98d45")
    c.line(((x, y - 8), (x, y - 116)), "#c9a64a", 7)
    c.line(bowl((x, y - 116), 40, 26), "#c9a64a", 6)
    for at in (-40, 0, 40):
        slab(c, (x + at - 7, y - 158, x + at + 7, y - 116), fill, 3)
        c.polygon(((x + at - 6, y - 158), (x + at, y - 178), (x + at + 6, y - 158)), "#f39a33")


LAMPS: Mapping[str, Draw] = {
    "a {colour} lampshade": _lampshade,
    "a {metal} chandelier": _chandelier,
    "a row of spotlights": _spotlights,
    "a neon tube": _tube,
    "a {metal} lantern": _lantern,
    "a {colour} paper lantern": _paper_ball,
    "a mobile of {mobile}": _mobile,
    "a {wood} ceiling fan": _fan,
    "{bright} bunting": _bunting,
    "a chain of {bright} lights": _light_chain,
    "a floor lamp with a {colour} shade": _floor_lamp,
    "a stand with {colour} candles": _candle_stand,
}
