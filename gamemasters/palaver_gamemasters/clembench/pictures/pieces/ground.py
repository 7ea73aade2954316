"""What lies on a floor in front: its middle is at (x, y), it is at most 260 pixels wide and 70 high."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import cast, dark, oval, pale, ray, slab, tint

__all__ = ["GROUND"]


def _rug(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for inset, shade in (
        (0, dark(fill, 0.3)),
        (5, fill),
        (17, pale(fill, 0.45) if word != "white" else "#cfc8b8"),
        (22, fill),
    ):
        top, bottom = y - 30 + inset * 0.6, y + 32 - inset * 0.6
        near, far = 132 - inset, 112 - inset
        c.polygon(((x - far, top), (x + far, top), (x + near, bottom), (x - near, bottom)), shade)


def _round_rug(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    oval(c, (x, y), 112, 32, dark(fill, 0.3))
    oval(c, (x, y), 108, 29, fill)
    oval(c, (x, y), 78, 20, pale(fill, 0.45) if word != "white" else "#cfc8b8")
    oval(c, (x, y), 70, 17, fill)


def _cat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    edge = dark(fill, 0.35) if word != "black" else "#17171a"
    cast(c, x, y + 24, 116)
    c.line(((x + 46, y + 12), (x + 62, y + 18), (x + 44, y + 25), (x - 4, y + 24)), edge, 15)
    oval(c, (x + 8, y + 4), 54, 26, edge)
    oval(c, (x + 8, y + 4), 51, 23, fill)
    c.line(((x + 46, y + 12), (x + 61, y + 18), (x + 44, y + 25), (x - 4, y + 24)), fill, 11)
    for side in (-1, 1):
        c.polygon(((x - 34 + 20 * side, y + 2), (x - 34 + 17 * side, y - 22), (x - 34 + 4 * side, y - 10)), edge)
    c.circle((x - 34, y + 6), 22, fill, outline=edge)
    for side in (-1, 1):
        eye = x - 34 + 9 * side
        ink = "#f4e9c9" if word == "black" else "#40342a"
        c.line(((eye - 5, y + 4), (eye, y + 7), (eye + 5, y + 4)), ink, 2.5)
    c.polygon(((x - 38, y + 11), (x - 30, y + 11), (x - 34, y + 16)), "#e58c8c")


def _duck(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 26, 76)
    c.polygon(((x + 22, y), (x + 46, y - 16), (x + 34, y + 16)), fill)
    oval(c, (x + 2, y + 8), 38, 20, dark(fill, 0.3))
    oval(c, (x + 2, y + 8), 36, 18, fill)
    c.circle((x - 18, y - 16), 19, fill, outline=dark(fill, 0.3))
    c.polygon(((x - 34, y - 18), (x - 52, y - 11), (x - 33, y - 8)), "#ee8a34")
    c.circle((x - 24, y - 20), 3.5, "#222222")
    oval(c, (x + 10, y + 6), 18, 9, dark(fill, 0.12))


def _basket(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y + 28, 96)
    for at, shade in ((-22, tint(word)), (0, pale(tint(word), 0.3)), (22, dark(tint(word), 0.12))):
        c.circle((x + at, y - 12), 17, shade, outline=dark(tint(word), 0.35))
    c.polygon(((x - 48, y - 10), (x + 48, y - 10), (x + 38, y + 30), (x - 38, y + 30)), "#c08f52")
    for row in (0, 12, 24):
        c.line(((x - 45 + row / 4, y - 4 + row), (x + 45 - row / 4, y - 4 + row)), "#9a6d38", 4)


def _ball(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 30, 62)
    c.circle((x, y), 31, fill, outline=dark(fill, 0.35))
    c.polygon((ray((x, y), 29, 0.97), ray((x, y), 29, 0.13), (x, y)), "#ffffff")
    c.polygon((ray((x, y), 29, 0.3), ray((x, y), 29, 0.46), (x, y)), "#ffffff")
    c.polygon((ray((x, y), 29, 0.63), ray((x, y), 29, 0.79), (x, y)), "#ffffff")
    c.circle((x, y), 7, dark(fill, 0.1))


def _train(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 28, 190)
    for left, shade in (
        (x + 12, "#f2c53d" if word != "yellow" else "#3f77c4"),
        (x + 60, "#4f9d5b" if word != "green" else "#d64a3f"),
    ):
        slab(c, (left, y - 8, left + 40, y + 18), shade, 4)
    c.box((x - 8, y + 10, x + 64, y + 15), "#5c6166")
    slab(c, (x - 84, y - 10, x - 20, y + 18), fill, 6)
    slab(c, (x - 40, y - 34, x - 6, y + 18), fill, 4)
    c.box((x - 34, y - 26, x - 13, y - 10), "#cfe8f5", radius=2)
    slab(c, (x - 76, y - 30, x - 62, y - 8), "#40464d", 2)
    for at in (-72, -48, -20, 22, 42, 70, 90):
        c.circle((x + at, y + 20), 9, "#33363b")
        c.circle((x + at, y + 20), 3.5, "#d3d8dc")


def _mat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.polygon(((x - 104, y - 14), (x + 104, y - 14), (x + 126, y + 26), (x - 126, y + 26)), dark(fill, 0.3))
    c.polygon(((x - 103, y - 16), (x + 103, y - 16), (x + 123, y + 21), (x - 123, y + 21)), fill)
    c.circle((x + 100, y - 6), 20, fill, outline=dark(fill, 0.35))
    c.circle((x + 100, y - 6), 10, pale(fill, 0.35))


def _dumbbells(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for dx, dy in ((-54, 12), (54, -2)):
        cast(c, x + dx, y + dy + 16, 90)
        c.line(((x + dx - 22, y + dy), (x + dx + 22, y + dy)), "#9aa3ab", 8)
        for side in (-1, 1):
            slab(c, (x + dx + 32 * side - 11, y + dy - 19, x + dx + 32 * side + 11, y + dy + 19), fill, 5)


def _blocks(c: Canvas, x: float, y: float, word: str) -> None:
    count = {"two": 2, "three": 3, "four": 4}[word]
    cast(c, x, y + 30, 44 * count)
    for number, (letter, fill) in enumerate((("A", "#d64a3f"), ("B", "#3f77c4"), ("C", "#4f9d5b"), ("D", "#8c5bb5"))):
        if number < count:
            at = x + 46 * (number - (count - 1) / 2)
            slab(c, (at - 20, y - 10, at + 20, y + 30), fill, 4)
            c.text((at, y + 10), letter, 27, "#ffffff", bold=True)


def _satchel(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 30, 82)
    c.line(((x - 12, y - 26), (x - 12, y - 36), (x + 12, y - 36), (x + 12, y - 26)), dark(fill, 0.3), 5)
    slab(c, (x - 36, y - 28, x + 36, y + 30), fill, 10)
    slab(c, (x - 36, y - 28, x + 36, y + 4), pale(fill, 0.2), 9)
    for at in (-18, 18):
        slab(c, (x + at - 6, y - 8, x + at + 6, y + 12), "#e6c15a", 2)


def _shoes(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for at in (-36, 30):
        cast(c, x + at, y + 18, 66, depth=6)
        c.polygon(
            (
                (x + at - 26, y - 18),
                (x + at - 4, y - 18),
                (x + at + 4, y - 2),
                (x + at + 30, y + 6),
                (x + at + 32, y + 14),
                (x + at - 28, y + 14),
            ),
            fill,
        )
        c.line(((x + at - 28, y + 16), (x + at + 32, y + 16)), "#40342a" if word != "white" else "#8c8577", 5)
        for step in (0, 1, 2):
            c.line(
                ((x + at + 6 * step - 4, y - 10 + 4 * step), (x + at + 6 * step + 4, y - 8 + 4 * step)),
                "#ffffff" if word != "white" else "#888888",
                2.5,
            )


def _books(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y + 28, 104)
    fill = tint(word)
    for number, (half, shade) in enumerate(((48, fill), (42, pale(fill, 0.4)), (46, dark(fill, 0.18)))):
        bottom = y + 29 - 19 * number
        slab(c, (x - half, bottom - 18, x + half, bottom), shade, 3)
        c.box((x - half + 8, bottom - 5, x + half - 2, bottom - 2), "#fff7e2")


def _popcorn(c: Canvas, x: float, y: float, word: str) -> None:
    count = {"two": 2, "three": 3, "four": 4}[word]
    for number in range(count):
        at = x + 62 * (number - (count - 1) / 2)
        cast(c, at, y + 28, 44, depth=6)
        for dx, dy in ((-14, -16), (0, -20), (14, -16), (-7, -27), (8, -28)):
            c.circle((at + dx, y + dy), 9, "#fff3c4", outline="#d9b95b", width=1)
        c.polygon(((at - 25, y - 14), (at + 25, y - 14), (at + 17, y + 29), (at - 17, y + 29)), "#fffdf5")
        for step in (-1, 0, 1):
            c.polygon(
                (
                    (at + 15 * step - 5, y - 14),
                    (at + 15 * step + 5, y - 14),
                    (at + 10 * step + 3, y + 29),
                    (at + 10 * step - 3, y + 29),
                ),
                "#d64a3f",
            )


GROUND: Mapping[str, Draw] = {
    "a {colour} rug": _rug,
    "a round {colour} rug": _round_rug,
    "a sleeping {fur} cat": _cat,
    "a {bright} rubber duck": _duck,
    "a basket of {colour} washing": _basket,
    "a {bright} ball": _ball,
    "a {bright} toy train": _train,
    "a {bright} mat": _mat,
    "two {bright} dumbbells": _dumbbells,
    "{count} building blocks": _blocks,
    "a {bright} school bag": _satchel,
    "a pair of {bright} shoes": _shoes,
    "a pile of {bright} books": _books,
    "{count} tubs of popcorn": _popcorn,
}
