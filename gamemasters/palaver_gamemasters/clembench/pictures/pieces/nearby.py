"""What lies outdoors or in the dirt in front: its middle is at (x, y), it is at most 260 pixels wide and 70 high."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import cast, dark, oval, pale, ray, slab, tint

__all__ = ["NEARBY"]


def _puddle(c: Canvas, x: float, y: float, word: str) -> None:
    for dx, dy, across in ((0, 6, 76), (-50, 12, 40), (58, 0, 36)):
        oval(c, (x + dx, y + dy), across, across / 3.6, "#33302e")
    oval(c, (x - 14, y), 26, 6, "#5d6a78")
    oval(c, (x + 40, y + 4), 14, 4, "#6a5d78")


def _cone(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 30, 70)
    slab(c, (x - 36, y + 22, x + 36, y + 32), dark(fill, 0.1), 3)
    c.polygon(((x - 6, y - 36), (x + 6, y - 36), (x + 24, y + 24), (x - 24, y + 24)), fill)
    c.polygon(((x - 13, y - 12), (x + 13, y - 12), (x + 18, y + 4), (x - 18, y + 4)), "#ffffff")


def _towel(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    c.polygon(((x - 74, y - 20), (x + 92, y - 20), (x + 74, y + 26), (x - 96, y + 26)), dark(fill, 0.3))
    c.polygon(((x - 73, y - 21), (x + 89, y - 21), (x + 72, y + 23), (x - 93, y + 23)), fill)
    for at in (-66, 58):
        c.polygon(((x + at + 6, y - 21), (x + at + 18, y - 21), (x + at, y + 23), (x + at - 12, y + 23)), "#ffffff")


def _ring(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 22, 110)
    oval(c, (x, y), 56, 28, dark(fill, 0.35))
    oval(c, (x, y - 2), 54, 25, fill)
    for side in (-1, 1):
        c.polygon(
            ((x + 22 * side, y - 24), (x + 40 * side, y - 19), (x + 24 * side, y - 8), (x + 15 * side, y - 10)),
            "#ffffff",
        )
        c.polygon(
            ((x + 24 * side, y + 20), (x + 40 * side, y + 14), (x + 24 * side, y + 5), (x + 16 * side, y + 8)),
            "#ffffff",
        )
    oval(c, (x, y - 2), 24, 9, "#8a8379")
    oval(c, (x, y), 22, 7, "#5f5a53")


def _crab(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 22, 86)
    for side in (-1, 1):
        for step in (0, 1, 2):
            c.line(((x + 22 * side, y + 6 * step), (x + (46 - 4 * step) * side, y + 8 + 8 * step)), fill, 5)
        c.line(((x + 26 * side, y - 6), (x + 46 * side, y - 22)), fill, 7)
        c.circle((x + 50 * side, y - 26), 11, fill)
        c.polygon(((x + 50 * side, y - 26), (x + 46 * side, y - 42), (x + 58 * side, y - 40)), "#e9d4a2")
        c.line(((x + 9 * side, y - 14), (x + 10 * side, y - 26)), fill, 4)
    oval(c, (x, y), 34, 21, fill)
    for side in (-1, 1):
        c.circle((x + 10 * side, y - 28), 5, "#ffffff")
        c.circle((x + 10 * side, y - 28), 2.5, "#222222")


def _pumpkins(c: Canvas, x: float, y: float, word: str) -> None:
    for number in range({"one": 1, "two": 2, "three": 3}[word]):
        at = x + 70 * (number - ({"one": 1, "two": 2, "three": 3}[word] - 1) / 2)
        cast(c, at, y + 26, 66)
        c.line(((at, y - 16), (at + 5, y - 34)), "#5c8a45", 7)
        for across, fill in ((34, "#cf6a20"), (23, "#e57e2b"), (11, "#f2963f")):
            oval(c, (at, y + 4), across, 25, fill)


def _flowers(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for dx, dy in ((-104, 6), (-72, -6), (-38, 8), (-4, -8), (32, 6), (66, -6), (100, 8)):
        c.line(((x + dx, y + dy + 26), (x + dx, y + dy)), "#3f7d3c", 4)
        c.polygon(((x + dx, y + dy + 22), (x + dx + 12, y + dy + 8), (x + dx + 2, y + dy + 12)), "#3f7d3c")
        for step in range(5):
            c.circle(ray((x + dx, y + dy - 3), 8, step / 5), 6, fill)
        c.circle((x + dx, y + dy - 3), 5, "#f7d443" if word != "yellow" else "#a9642c")


def _pond(c: Canvas, x: float, y: float, word: str) -> None:
    count = {"one": 1, "two": 2, "three": 3}[word]
    oval(c, (x, y), 118, 32, "#3f7f9e")
    oval(c, (x, y - 1), 112, 27, "#6fb7d6")
    for number in range(count):
        at = x + 64 * (number - (count - 1) / 2)
        oval(c, (at, y + 4), 20, 8, "#ffffff")
        c.circle((at - 16, y - 10), 8, "#ffffff")
        c.polygon(((at - 22, y - 11), (at - 33, y - 8), (at - 22, y - 5)), "#ee8a34")
        c.circle((at - 18, y - 12), 2, "#222222")


def _paint(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for dx, dy, across in ((0, 8, 70), (-48, 16, 34), (54, 4, 32)):
        oval(c, (x + dx, y + dy), across, across / 3.4, fill)
    oval(c, (x - 20, y + 4), 22, 4, pale(fill, 0.5))
    slab(c, (x + 40, y - 34, x + 84, y + 6), "#c3cad1", 4)
    oval(c, (x + 62, y - 34), 22, 7, fill)


def _watering_can(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 28, 90)
    c.ring((x + 30, y - 4), 26, 6, dark(fill, 0.25))
    c.line(((x - 26, y + 16), (x - 58, y - 18)), dark(fill, 0.2), 9)
    c.line(((x - 66, y - 12), (x - 52, y - 28)), dark(fill, 0.2), 8)
    slab(c, (x - 32, y - 24, x + 32, y + 30), fill, 7)
    slab(c, (x - 32, y - 30, x + 8, y - 20), dark(fill, 0.15), 4)


def _fallen_suitcase(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y + 28, 110)
    c.line(((x + 48, y - 8), (x + 64, y - 8), (x + 64, y + 10), (x + 48, y + 10)), "#40464d", 5)
    slab(c, (x - 52, y - 24, x + 50, y + 30), fill, 9)
    for at in (-28, 26):
        c.box((x + at - 4, y - 22, x + at + 4, y + 28), dark(fill, 0.25))
    slab(c, (x - 12, y - 10, x + 12, y + 10), "#fff3cf", 3, width=1)


NEARBY: Mapping[str, Draw] = {
    "a {bright} suitcase lying down": _fallen_suitcase,
    "a puddle of oil": _puddle,
    "a {cone} cone": _cone,
    "a {bright} towel": _towel,
    "a {bright} swimming ring": _ring,
    "a {crab} crab": _crab,
    "{few} pumpkins": _pumpkins,
    "a row of {petals} flowers": _flowers,
    "a pond with {few} ducks": _pond,
    "a puddle of {bright} paint": _paint,
    "a {bright} watering can": _watering_can,
}
