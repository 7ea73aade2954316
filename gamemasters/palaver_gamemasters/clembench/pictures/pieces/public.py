"""Things of schools, museums and studios."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import cast, dark, dome, legs, oval, ray, slab, tint

__all__ = ["PUBLIC"]

WOOD = "#a9743f"


def _school_desks(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for rise, half, spread in ((40, 34, 76), (0, 42, 86)):
        for step in (-1, 0, 1):
            at, bottom = x + spread * step, y - rise
            cast(c, at, bottom, 2 * half - 4, depth=6)
            legs(c, (at - half + 8, bottom - 40, at + half - 8, bottom), "#6d747b", 5)
            slab(c, (at - half + 16, bottom - 34, at + half - 16, bottom - 14), dark(fill, 0.3), 4)
            slab(c, (at - half, bottom - 52, at + half, bottom - 38), fill, 4)
            c.box((at - 14, bottom - 56, at + 12, bottom - 50), "#ffffff", outline="#9aa3ab", width=1)


def _teacher_desk(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 122)
    slab(c, (x - 58, y - 76, x + 58, y - 3), WOOD, 3)
    slab(c, (x - 48, y - 62, x + 48, y - 12), "#bd884f", 3)
    slab(c, (x - 63, y - 86, x + 63, y - 74), "#8a5a33", 3)
    c.line(((x + 8, y - 88), (x + 36, y - 88)), "#4b4f55", 6)
    c.line(((x + 22, y - 90), (x + 22, y - 98)), "#b98d45", 5)
    c.ring((x + 22, y - 124), 29, 4, "#b98d45")
    c.circle((x + 22, y - 124), 24, "#6fb4dc")
    for land in (((10, -140), (28, -144), (22, -124), (12, -122)), ((26, -118), (42, -124), (36, -106))):
        c.polygon([(x + dx, y + dy) for dx, dy in land], tint(word))
    c.circle((x - 34, y - 96), 11, "#cf3f3a")
    c.line(((x - 34, y - 105), (x - 30, y - 113)), "#5c8a45", 4)


def _easel(c: Canvas, x: float, y: float, what: str) -> None:
    cast(c, x, y, 170)
    for at in (-66, 66):
        c.line(((x + at * 0.4, y - 150), (x + at, y - 3)), WOOD, 8)
    c.line(((x, y - 158), (x, y - 130)), WOOD, 8)
    slab(c, (x - 78, y - 148, x + 78, y - 40), "#fdfaf0", 2)
    left, _, right, bottom = box = (x - 72, y - 142, x + 72, y - 46)
    if what == "a tulip":
        c.box(box, "#dcecf3")
        c.line(((x, y - 90), (x, bottom)), "#4f8a4b", 6)
        for side in (-1, 1):
            c.polygon(((x, bottom), (x + 36 * side, y - 84), (x + 14 * side, bottom)), "#4f8a4b")
        c.polygon(
            (
                (x - 26, y - 134),
                (x - 11, y - 118),
                (x, y - 138),
                (x + 11, y - 118),
                (x + 26, y - 134),
                (x + 20, y - 96),
                (x, y - 88),
                (x - 20, y - 96),
            ),
            "#d63f56",
        )
    elif what == "a sailing boat":
        c.box(box, "#bfe3f5")
        c.box((left, y - 72, right, bottom), "#2f7fb8")
        c.polygon(((x - 34, y - 78), (x + 34, y - 78), (x + 22, y - 60), (x - 22, y - 60)), "#a6432f")
        c.polygon(((x + 2, y - 136), (x + 2, y - 82), (x + 34, y - 82)), "#ffffff")
        c.polygon(((x - 3, y - 124), (x - 3, y - 82), (x - 26, y - 82)), "#f2c53d")
    elif what == "a fish":
        c.box(box, "#2c8f8c")
        c.polygon(((x + 20, y - 94), (x + 52, y - 118), (x + 52, y - 70)), "#f08a3c")
        oval(c, (x - 8, y - 94), 40, 25, "#f6a63c")
        c.circle((x - 28, y - 100), 5, "#222222")
    else:
        c.box(box, "#8ec9ee")
        c.circle((x, y - 100), 24, "#f9d648")
        for step in range(12):
            c.line((ray((x, y - 100), 30, step / 12), ray((x, y - 100), 40, step / 12)), "#f9d648", 5)
        c.polygon(((left, bottom), *dome((x, bottom), 72, 18), (right, bottom)), "#5aa055")
    slab(c, (x - 86, y - 40, x + 86, y - 30), "#8a5a33", 3)


def _paints(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 110)
    legs(c, (x - 44, y - 66, x + 44, y), WOOD, 9)
    slab(c, (x - 56, y - 76, x + 56, y - 64), "#d9ab6a", 3)
    slab(c, (x + 4, y - 112, x + 44, y - 76), tint(word), 4)
    for at, lean, tip in ((14, -8, "#d64a3f"), (24, 2, "#f2c53d"), (34, 12, "#3f77c4")):
        c.line(((x + at, y - 110), (x + at + lean, y - 140)), "#c99a5b", 5)
        c.line(((x + at + lean, y - 140), (x + at + lean * 1.3, y - 150)), tip, 8)
    oval(c, (x - 26, y - 84), 28, 10, "#c99a5b")
    for at, fill in ((-44, "#d64a3f"), (-32, "#f2c53d"), (-20, "#3f77c4"), (-9, "#4f9d5b")):
        c.circle((x + at, y - 86), 5, fill)


def _statue(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a bust on a pedestal."""
    fill = {"white": "#eceae4", "bronze": "#9a6f3a", "black": "#4a4a50"}[word]
    cast(c, x, y, 94)
    slab(c, (x - 36, y - 84, x + 36, y - 4), "#c9c3b6", 3)
    slab(c, (x - 44, y - 94, x + 44, y - 82), "#ddd8cc", 3)
    slab(c, (x - 44, y - 12, x + 44, y - 2), "#ddd8cc", 3)
    slab(c, (x - 14, y - 108, x + 14, y - 92), dark(fill, 0.15), 3)
    c.polygon(
        (
            (x - 38, y - 106),
            (x - 34, y - 130),
            (x - 10, y - 140),
            (x + 10, y - 140),
            (x + 34, y - 130),
            (x + 38, y - 106),
        ),
        fill,
    )
    c.box((x - 10, y - 156, x + 10, y - 132), dark(fill, 0.12))
    oval(c, (x, y - 170), 22, 27, dark(fill, 0.2))
    oval(c, (x, y - 167), 20, 25, fill)
    c.polygon(dome((x, y - 172), 24, 28), dark(fill, 0.22))
    for side in (-1, 1):
        c.line(((x + 8 * side - 4, y - 166), (x + 8 * side + 4, y - 166)), dark(fill, 0.45), 3)
    c.line(((x, y - 164), (x - 2, y - 156)), dark(fill, 0.3), 3)
    c.line(((x - 6, y - 150), (x + 6, y - 150)), dark(fill, 0.4), 3)


def _vase(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 94)
    slab(c, (x - 36, y - 84, x + 36, y - 4), "#c9c3b6", 3)
    slab(c, (x - 44, y - 94, x + 44, y - 82), "#ddd8cc", 3)
    slab(c, (x - 44, y - 12, x + 44, y - 2), "#ddd8cc", 3)
    c.box((x - 13, y - 178, x + 13, y - 140), fill)
    oval(c, (x, y - 130), 35, 37, dark(fill, 0.35))
    oval(c, (x, y - 130), 32, 34, fill)
    slab(c, (x - 20, y - 186, x + 20, y - 174), fill, 4)
    c.box((x - 30, y - 138, x + 30, y - 124), "#fff3cf")
    for step in (-2, -1, 0, 1, 2):
        c.circle((x + 11 * step, y - 131), 4, dark(fill, 0.3))


def _skeleton(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a dinosaur's skeleton on its platform, behind a rope."""
    bone = "#f4ecd8"
    cast(c, x, y, 240)
    slab(c, (x - 116, y - 24, x + 116, y - 2), "#6b5a4c", 3)
    spine = (
        (x - 70, y - 136),
        (x - 52, y - 104),
        (x - 20, y - 92),
        (x + 24, y - 92),
        (x + 66, y - 66),
        (x + 106, y - 76),
    )
    edge = "#7d6f58"
    for width, fill in ((14.0, edge), (9.0, bone)):
        c.line(spine, fill, width)
        for leg in (-34, 18):
            c.line(
                ((x + leg, y - 92), (x + leg - 8, y - 58), (x + leg + 2, y - 28), (x + leg - 10, y - 26)),
                fill,
                width - 1,
            )
        for step in range(5):
            at = x - 30 + 13 * step
            c.line(((at, y - 94), (at - 7, y - 76), (at - 2, y - 62)), fill, width - 4)
    for grow, fill in ((3, edge), (0, bone)):
        oval(c, (x - 82, y - 140), 26 + grow, 15 + grow, fill)
    c.circle((x - 80, y - 145), 5, "#40342a")
    c.line(((x - 106, y - 134), (x - 74, y - 131)), "#40342a", 3)
    rope = tint(word)
    for at in (-108, 0, 108):
        c.line(((x + at, y - 46), (x + at, y + 6)), "#c9a64a", 6)
        c.circle((x + at, y - 48), 6, "#e0bd63")
    for start in (-108, 0):
        c.line([(x + start + 108 * step / 6, y - 42 + 22 * (1 - (step / 3 - 1) ** 2)) for step in range(7)], rope, 7)


PUBLIC: Mapping[str, Draw] = {
    "rows of {colour} school desks": _school_desks,
    "a desk with a globe of {bright} land": _teacher_desk,
    "an easel with a painting of {subject}": _easel,
    "paints and brushes in a {bright} pot": _paints,
    "a {bust} bust": _statue,
    "a {bright} vase on a pedestal": _vase,
    "a dinosaur skeleton behind a {bright} rope": _skeleton,
}
