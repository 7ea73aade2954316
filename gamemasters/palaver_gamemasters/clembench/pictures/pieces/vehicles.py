"""What drives, swims or flies."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import cast, dark, dome, oval, pale, ray, slab, tint

__all__ = ["VEHICLES"]


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


def _rowing_boat(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    c.line(((x - 14, y - 52), (x + 44, y - 82)), "#d9ab6a", 6)
    c.polygon(((x - 62, y - 58), (x + 62, y - 58), (x + 42, y - 6), (x - 44, y - 6)), dark(fill, 0.4))
    c.polygon(((x - 57, y - 52), (x + 57, y - 52), (x + 40, y - 9), (x - 41, y - 9)), fill)
    slab(c, (x - 64, y - 60, x + 64, y - 49), "#e3c08a", 3)


def _sledge(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    c.line(((x - 46, y - 4), (x + 44, y - 4), (x + 58, y - 18), (x + 56, y - 34)), "#7a4a28", 6)
    for at in (-34, 0, 32):
        c.line(((x + at, y - 6), (x + at, y - 28)), "#7a4a28", 5)
    slab(c, (x - 52, y - 42, x + 48, y - 26), fill, 4)
    c.line(((x + 50, y - 34), (x + 60, y - 60)), "#c9b89a", 3)


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


def _kite(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.line(((x, y + 32), (x + 14, y + 50), (x - 6, y + 66), (x + 10, y + 84)), "#6b5a4c", 2.5)
    for at, rise in ((10, 48), (0, 64)):
        c.polygon(
            (
                (x + at - 10, y + rise - 6),
                (x + at + 10, y + rise + 6),
                (x + at + 10, y + rise - 6),
                (x + at - 10, y + rise + 6),
            ),
            fill,
        )
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
        c.line(
            ((at - 18, high - 8), (at - 8, high - 11), (at, high), (at + 8, high - 11), (at + 18, high - 8)),
            "#fdfdfd",
            7,
        )
        c.line(
            ((at - 18, high - 8), (at - 8, high - 11), (at, high), (at + 8, high - 11), (at + 18, high - 8)),
            "#3a3f4c",
            4,
        )


def _barrow(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 120)
    c.polygon(dome((x - 4, y - 68), 40, 22), "#6b4a30")
    c.line(((x - 24, y - 26), (x + 60, y - 62)), "#a9743f", 7)
    c.line(((x + 24, y - 36), (x + 30, y - 4)), "#5c6166", 6)
    c.polygon(((x - 54, y - 70), (x + 42, y - 70), (x + 20, y - 28), (x - 26, y - 28)), dark(fill, 0.35))
    c.polygon(((x - 50, y - 68), (x + 38, y - 68), (x + 18, y - 31), (x - 24, y - 31)), fill)
    _wheel(c, x - 36, y - 17, 17)


VEHICLES: Mapping[str, Draw] = {
    "a {car} car": _car,
    "a {bright} tractor": _tractor,
    "a {bright} bicycle": _bicycle,
    "a {bright} rowing boat": _rowing_boat,
    "a {bright} sledge": _sledge,
    "a {bright} fishing boat": _fishing_boat,
    "a {bright} kite": _kite,
    "a {bright} hot-air balloon": _balloon,
    "a {bright} plane": _plane,
    "{birds} birds": _birds,
    "a {bright} wheelbarrow": _barrow,
}
