"""Things for play, sport, music, art and work."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, cast, dark, dome, legs, oval, pale, ray, slab, tint

__all__ = ["LEISURE"]

WOOD = "#a9743f"
STEEL = "#8d969e"


def _rocking_horse(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y - 2, 112)
    c.line([ray((x, y - 110), 106, 0.5 + 0.022 * step) for step in range(-5, 6)], "#a9743f", 8)
    for side in (-1, 1):
        c.line(((x + 24 * side, y - 62), (x + 36 * side, y - 14)), fill, 11)
    oval(c, (x, y - 70), 42, 22, fill)
    c.polygon(((x - 38, y - 72), (x - 46, y - 128), (x - 24, y - 124), (x - 12, y - 84)), fill)
    oval(c, (x - 48, y - 122), 22, 13, fill)
    c.line(((x - 28, y - 132), (x - 18, y - 112), (x - 12, y - 92)), "#4a3a30", 8)
    c.line(((x + 38, y - 76), (x + 54, y - 58), (x + 52, y - 42)), "#4a3a30", 8)
    c.circle((x - 52, y - 126), 3, "#222222")
    slab(c, (x - 16, y - 98, x + 22, y - 76), "#d64a3f" if word != "red" else "#3f77c4", 8)


def _teddy(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 100)
    brown = "#a9743f"
    for side in (-1, 1):
        c.circle((x + 26 * side, y - 126), 14, brown)
        c.circle((x + 26 * side, y - 126), 7, "#dcb183")
        oval(c, (x + 42 * side, y - 58), 13, 22, brown)
        oval(c, (x + 32 * side, y - 16), 22, 16, dark(brown, 0.1))
        oval(c, (x + 36 * side, y - 16), 10, 9, "#dcb183")
    oval(c, (x, y - 48), 38, 42, brown)
    oval(c, (x, y - 44), 22, 26, "#dcb183")
    c.circle((x, y - 106), 32, brown)
    oval(c, (x, y - 96), 15, 11, "#dcb183")
    for side in (-1, 1):
        c.circle((x + 12 * side, y - 112), 4, "#222222")
        c.polygon(((x, y - 76), (x + 22 * side, y - 88), (x + 22 * side, y - 66)), tint(word))
    c.circle((x, y - 101), 5, "#222222")
    c.circle((x, y - 76), 6, dark(tint(word), 0.2))


def _tent(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 124)
    for side in (-1, 1):
        c.line(((x, y - 150), (x + 10 * side, y - 166)), "#a9743f", 5)
    c.polygon(((x - 62, y - 2), (x, y - 152), (x + 62, y - 2)), dark(fill, 0.35))
    c.polygon(((x - 58, y - 4), (x, y - 148), (x + 58, y - 4)), fill)
    c.polygon(((x - 36, y - 4), (x, y - 92), (x + 36, y - 4)), pale(fill, 0.5))
    c.polygon(((x - 24, y - 4), (x, y - 86), (x + 24, y - 4)), "#4a3d38")
    c.polygon([ray((x, y - 112), 12 if step % 2 == 0 else 5, step / 10) for step in range(10)], "#fff7e2")


def _slide(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 230)
    for at in (-88, -54):
        c.line(((x + at, y - 140), (x + at - 8, y - 3)), "#8d969e", 7)
    for rise in (22, 46, 70):
        c.line(((x - 94, y - rise), (x - 60, y - rise)), "#8d969e", 6)
    slab(c, (x - 98, y - 102, x - 44, y - 90), "#a9743f", 3)
    c.line(((x - 90, y - 150), (x - 50, y - 150)), "#8d969e", 6)
    path = ((x - 50, y - 100), (x - 10, y - 76), (x + 50, y - 30), (x + 84, y - 16), (x + 110, y - 16))
    c.line(path, dark(fill, 0.35), 27)
    c.line(path, fill, 21)
    c.line(path, pale(fill, 0.45), 8)


def _school_desks(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    for rise, half, spread in ((40, 34, 76), (0, 42, 86)):
        for step in (-1, 0, 1) if rise else (-1, 0, 1):
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


def _treadmill(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 210)
    c.line(((x + 54, y - 18), (x + 78, y - 128)), "#4b4f55", 11)
    c.line(((x + 72, y - 106), (x + 24, y - 98)), "#4b4f55", 8)
    slab(c, (x + 46, y - 150, x + 96, y - 122), fill, 7)
    c.box((x + 54, y - 144, x + 86, y - 130), "#bfe6c6", radius=3)
    slab(c, (x - 104, y - 30, x + 84, y - 8), fill, 9)
    c.box((x - 92, y - 31, x + 52, y - 19), "#33363b", radius=5)
    for step in range(5):
        c.line(((x - 82 + 28 * step, y - 25), (x - 70 + 28 * step, y - 25)), "#6d747b", 3)


def _exercise_bike(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 116)
    for at in (-40, 38):
        c.line(((x + at - 14, y - 4), (x + at + 14, y - 4)), "#33363b", 8)
    c.line(((x - 40, y - 8), (x + 8, y - 44), (x + 38, y - 8)), fill, 9)
    c.line(((x - 14, y - 34), (x - 28, y - 98)), fill, 9)
    c.line(((x + 8, y - 44), (x + 34, y - 132)), fill, 9)
    slab(c, (x - 50, y - 110, x - 10, y - 96), "#33363b", 7)
    c.line(((x + 34, y - 132), (x + 12, y - 136)), "#33363b", 8)
    slab(c, (x + 26, y - 152, x + 50, y - 130), "#33363b", 4)
    c.circle((x + 8, y - 40), 26, "#4b4f55")
    c.circle((x + 8, y - 40), 18, STEEL)
    c.line(((x - 4, y - 52), (x + 20, y - 28)), "#33363b", 5)


def _punch_bag(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 84)
    c.line(((x - 34, y - 4), (x + 46, y - 4)), "#4b4f55", 9)
    c.line(((x + 46, y - 4), (x + 46, y - 208), (x, y - 208), (x, y - 188)), "#4b4f55", 7)
    slab(c, (x - 28, y - 186, x + 28, y - 40), fill, 16)
    for top in (y - 168, y - 70):
        c.box((x - 26, top, x + 26, top + 10), dark(fill, 0.25))


def _weights(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    for side in (-1, 1):
        c.line(((x + 44 * side, y - 132), (x + 56 * side, y - 3)), "#4b4f55", 8)
    for top in (y - 116, y - 74, y - 32):
        slab(c, (x - 58, top + 10, x + 58, top + 18), "#6d747b", 2)
        for at in (-34, 0, 34):
            c.box((x + at - 8, top - 4, x + at + 8, top + 2), "#c3cad1")
            for side in (-1, 1):
                slab(c, (x + at + 9 * side - 6, top - 13, x + at + 9 * side + 6, top + 11), fill, 3, width=1)


def _piano(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 224)
    c.polygon(((x - 96, y - 92), (x - 30, y - 158), (x + 74, y - 150), (x + 100, y - 92)), dark(fill, 0.45))
    c.polygon(((x - 90, y - 95), (x - 29, y - 154), (x + 71, y - 147), (x + 94, y - 95)), pale(fill, 0.08))
    c.line(((x + 40, y - 96), (x + 50, y - 146)), "#c9a64a", 4)
    for at in (-90, 90):
        c.polygon(((x + at - 10, y - 40), (x + at + 10, y - 40), (x + at + 5, y - 2), (x + at - 5, y - 2)), dark(fill, 0.2))
    slab(c, (x - 108, y - 98, x + 108, y - 38), fill, 5)
    c.box((x - 92, y - 72, x + 92, y - 50), "#fffdf5", outline="#55504a", width=1)
    for step in range(1, 16):
        c.box((x - 92 + 11.5 * step, y - 71, x - 91 + 11.5 * step, y - 51), "#b5afa2")
        if step % 7 not in (3, 0):
            c.box((x - 95 + 11.5 * step, y - 71, x - 88 + 11.5 * step, y - 60), "#222222")
    c.line(((x, y - 38), (x, y - 8)), "#c9a64a", 5)
    slab(c, (x - 30, y - 94, x + 30, y - 74), "#fff7e2", 2, width=1)


def _guitar(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 76)
    c.line(((x - 30, y - 4), (x, y - 74), (x + 30, y - 4)), "#4b4f55", 6)
    c.box((x - 6, y - 196, x + 6, y - 96), "#6b4226")
    slab(c, (x - 11, y - 214, x + 11, y - 190), "#4a2f1c", 4)
    for across, at in ((38, y - 52), (28, y - 96)):
        oval(c, (x, at), across + 2, across * 0.86 + 2, dark(fill, 0.4))
    for across, at in ((38, y - 52), (28, y - 96)):
        oval(c, (x, at), across, across * 0.86, fill)
    c.circle((x, y - 80), 13, "#3a2c20")
    c.box((x - 17, y - 46, x + 17, y - 39), "#4a2f1c", radius=2)
    for at in (-3, 0, 3):
        c.box((x + at, y - 196, x + at + 1, y - 42), "#efe7d2")


def _drums(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    for side in (-1, 1):
        c.line(((x + 46 * side, y - 132), (x + 50 * side, y - 3)), STEEL, 4)
        oval(c, (x + 42 * side, y - 134), 26, 6, "#e0bd4f")
        slab(c, (x + 24 * side - 20, y - 108, x + 24 * side + 20, y - 76), fill, 4)
        oval(c, (x + 24 * side, y - 108), 20, 6, "#fdfaf0")
    c.circle((x, y - 44), 42, fill, outline=dark(fill, 0.4))
    c.circle((x, y - 44), 33, "#fdfaf0", outline="#9aa3ab")
    c.polygon([ray((x, y - 44), 16 if step % 2 == 0 else 7, step / 10) for step in range(10)], fill)


def _microphone(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 62)
    oval(c, (x, y - 5), 28, 7, "#33363b")
    c.line(((x, y - 8), (x, y - 146)), "#5c6166", 5)
    c.line(((x, y - 144), (x - 20, y - 164)), tint(word), 13)
    c.circle((x - 26, y - 170), 14, "#c3cad1", outline="#5c6166")


def _loudspeaker(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 88)
    slab(c, (x - 40, y - 166, x + 40, y - 3), fill, 6)
    for at, size in ((y - 48, 30), (y - 108, 22), (y - 146, 10)):
        c.circle((x, at), size, "#2b2d31")
        c.circle((x, at), size * 0.6, "#5c6166")
        c.circle((x, at), size * 0.24, "#1c1d20")


def _easel(c: Canvas, x: float, y: float, what: str) -> None:
    cast(c, x, y, 170)
    for at in (-66, 66):
        c.line(((x + at * 0.4, y - 150), (x + at, y - 3)), WOOD, 8)
    c.line(((x, y - 158), (x, y - 130)), WOOD, 8)
    slab(c, (x - 78, y - 148, x + 78, y - 40), "#fdfaf0", 2)
    left, top, right, bottom = box = (x - 72, y - 142, x + 72, y - 46)
    if what == "a tulip":
        c.box(box, "#dcecf3")
        c.line(((x, y - 90), (x, bottom)), "#4f8a4b", 6)
        for side in (-1, 1):
            c.polygon(((x, bottom), (x + 36 * side, y - 84), (x + 14 * side, bottom)), "#4f8a4b")
        c.polygon(((x - 26, y - 134), (x - 11, y - 118), (x, y - 138), (x + 11, y - 118), (x + 26, y - 134), (x + 20, y - 96), (x, y - 88), (x - 20, y - 96)), "#d63f56")
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
    c.polygon(((x - 38, y - 106), (x - 34, y - 130), (x - 10, y - 140), (x + 10, y - 140), (x + 34, y - 130), (x + 38, y - 106)), fill)
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
    spine = ((x - 70, y - 136), (x - 52, y - 104), (x - 20, y - 92), (x + 24, y - 92), (x + 66, y - 66), (x + 106, y - 76))
    edge = "#7d6f58"
    for width, fill in ((14, edge), (9, bone)):
        c.line(spine, fill, width)
        for at in (-34, 18):
            c.line(((x + at, y - 92), (x + at - 8, y - 58), (x + at + 2, y - 28), (x + at - 10, y - 26)), fill, width - 1)
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


def _altar(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 214)
    slab(c, (x - 112, y - 12, x + 112, y - 1), "#b5aa98", 2)
    slab(c, (x - 96, y - 82, x + 96, y - 10), "#d9d0bd", 3)
    c.polygon(((x - 60, y - 86), (x + 60, y - 86), (x + 60, y - 34), (x, y - 14), (x - 60, y - 34)), fill)
    c.box((x - 5, y - 68, x + 5, y - 28), "#e9c85a")
    c.box((x - 18, y - 58, x + 18, y - 49), "#e9c85a")
    slab(c, (x - 104, y - 92, x + 104, y - 78), "#fdfaf0", 2)
    c.box((x - 6, y - 160, x + 6, y - 91), "#b98d45")
    c.box((x - 26, y - 144, x + 26, y - 133), "#b98d45")
    for side in (-1, 1):
        slab(c, (x + 70 * side - 6, y - 122, x + 70 * side + 6, y - 91), "#fffaf0", 2)
        c.polygon(((x + 70 * side - 6, y - 122), (x + 70 * side, y - 140), (x + 70 * side + 6, y - 122)), "#f39a33")


def _reception(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 126)
    slab(c, (x - 58, y - 96, x + 58, y - 3), fill, 4)
    c.box((x - 44, y - 74, x + 44, y - 22), pale(fill, 0.3), radius=4)
    slab(c, (x - 64, y - 106, x + 64, y - 92), "#8a5a33", 3)
    c.polygon([(x - 20, y - 106), *dome((x - 4, y - 106), 16, 15), (x + 12, y - 106)], "#d9b23f")
    c.circle((x - 4, y - 123), 4, "#8a6a1c")
    slab(c, (x + 24, y - 138, x + 54, y - 106), "#40464d", 3)
    c.text((x, y - 48), "i", 44, "#ffffff" if word != "white" else "#40464d", bold=True)


def _front_door(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a door with a fanlight, with stairs down to the hall."""
    fill = tint(word)
    slab(c, (x - 58, y - 172, x + 58, y - 14), "#f7f3ea", 3)
    slab(c, (x - 47, y - 162, x + 47, y - 14), fill, 2)
    for top, bottom in ((y - 108, y - 74), (y - 64, y - 26)):
        for side in (-1, 1):
            slab(c, (x + 21 * side - 17, top, x + 21 * side + 17, bottom), dark(fill, 0.1), 2)
    c.polygon(arch((x - 36, y - 154, x + 36, y - 118)), "#cfe8f5")
    c.line(((x, y - 152), (x, y - 118)), "#f7f3ea", 3)
    c.circle((x + 38, y - 84), 5, "#e0bd63")
    slab(c, (x - 72, y - 16, x + 72, y + 4), "#cbbfa9", 2)


def _stairs(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 122)
    for step in range(7):
        left, top = x - 60 + 17 * step, y - 22 * (step + 1)
        slab(c, (left, top, x + 62, top + 22), "#f4efe4", 1, width=1)
        c.box((left, top, x + 62, top + 8), fill)
    for step in range(7):
        c.line(((x - 52 + 17 * step, y - 22 * (step + 1)), (x - 52 + 17 * step, y - 22 * (step + 1) - 40)), "#6b4226", 4)
    c.line(((x - 54, y - 64), (x + 52, y - 198)), "#6b4226", 8)


def _dress_form(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 70)
    c.line(((x, y - 60), (x, y - 8)), "#6b4226", 6)
    c.line(((x - 28, y - 3), (x, y - 16), (x + 28, y - 3)), "#6b4226", 6)
    c.polygon(((x - 30, y - 158), (x + 30, y - 158), (x + 20, y - 112), (x + 42, y - 52), (x - 42, y - 52), (x - 20, y - 112)), dark(fill, 0.35))
    c.polygon(((x - 27, y - 155), (x + 27, y - 155), (x + 17, y - 112), (x + 38, y - 55), (x - 38, y - 55), (x - 17, y - 112)), fill)
    c.box((x - 18, y - 118, x + 18, y - 108), pale(fill, 0.5))
    slab(c, (x - 8, y - 178, x + 8, y - 156), "#d9b98a", 4)


def _pool_table(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 124)
    legs(c, (x - 50, y - 52, x + 50, y), "#5d3b24", 14)
    c.polygon(((x - 48, y - 92), (x + 48, y - 92), (x + 62, y - 58), (x - 62, y - 58)), "#7b4f2e")
    c.polygon(((x - 42, y - 88), (x + 42, y - 88), (x + 52, y - 62), (x - 52, y - 62)), fill)
    slab(c, (x - 63, y - 60, x + 63, y - 42), "#6b4226", 4)
    for at, rise, ball in ((-20, 80, "#ffffff"), (8, 76, "#f2c53d"), (22, 68, "#d64a3f"), (-4, 68, "#222222")):
        c.circle((x + at, y - rise), 5, ball)
    c.line(((x + 56, y - 4), (x + 58, y - 170)), "#d9ab6a", 5)


def _jukebox(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 104)
    c.polygon(arch((x - 48, y - 168, x + 48, y - 3)), dark(fill, 0.4))
    c.polygon(arch((x - 45, y - 165, x + 45, y - 5)), fill)
    c.polygon(arch((x - 36, y - 154, x + 36, y - 84)), "#fbe9a8")
    c.circle((x, y - 110), 22, "#33363b")
    c.circle((x, y - 110), 8, "#d64a3f")
    slab(c, (x - 36, y - 76, x + 36, y - 60), "#dfe5ea", 3)
    for step in range(5):
        c.box((x - 32 + 14 * step, y - 52, x - 26 + 14 * step, y - 14), dark(fill, 0.45), radius=2)


def _workbench(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 114)
    legs(c, (x - 48, y - 74, x + 48, y), WOOD, 12)
    c.box((x - 48, y - 34, x + 48, y - 26), WOOD)
    slab(c, (x - 60, y - 88, x + 60, y - 72), "#c99a5b", 3)
    slab(c, (x - 44, y - 118, x - 4, y - 88), fill, 4)
    c.line(((x - 34, y - 118), (x - 34, y - 128), (x - 14, y - 128), (x - 14, y - 118)), "#33363b", 4)
    slab(c, (x + 18, y - 112, x + 46, y - 88), "#6d747b", 3)
    c.line(((x + 46, y - 102), (x + 58, y - 102)), "#c3cad1", 6)


def _saddle(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 96)
    for side in (-1, 1):
        c.line(((x + 18 * side, y - 74), (x + 42 * side, y - 3)), WOOD, 8)
    slab(c, (x - 50, y - 84, x + 50, y - 72), WOOD, 4)
    c.polygon(((x - 44, y - 84), (x - 40, y - 108), (x - 16, y - 98), (x + 20, y - 98), (x + 46, y - 116), (x + 48, y - 84), (x + 22, y - 44), (x - 16, y - 44)), dark(fill, 0.35))
    c.polygon(((x - 40, y - 84), (x - 37, y - 103), (x - 15, y - 94), (x + 20, y - 94), (x + 43, y - 110), (x + 44, y - 85), (x + 20, y - 48), (x - 14, y - 48)), fill)
    c.line(((x + 2, y - 50), (x + 2, y - 32)), "#6b4226", 4)
    c.ring((x + 2, y - 24), 11, 4, STEEL)


def _swimming_pool(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a pool for swimming, let into the floor."""
    fill = tint(word)
    c.polygon(((x - 118, y - 108), (x + 118, y - 108), (x + 160, y + 4), (x - 160, y + 4)), "#e9f3f5")
    c.polygon(((x - 108, y - 101), (x + 108, y - 101), (x + 146, y - 5), (x - 146, y - 5)), "#2f86b5")
    c.polygon(((x - 105, y - 92), (x + 105, y - 92), (x + 143, y - 5), (x - 143, y - 5)), "#56b7dd")
    for dx, dy in ((-84, -80), (62, -84), (-110, -30), (96, -36), (8, -18), (-20, -84)):
        c.line(((x + dx - 14, y + dy), (x + dx - 5, y + dy - 4), (x + dx + 5, y + dy), (x + dx + 14, y + dy - 4)), "#bfe6f4", 3)
    c.polygon(((x - 54, y - 66), (x + 54, y - 66), (x + 64, y - 34), (x - 64, y - 34)), dark(fill, 0.3))
    c.polygon(((x - 52, y - 68), (x + 52, y - 68), (x + 61, y - 38), (x - 61, y - 38)), fill)
    for step in (-2, -1, 0, 1, 2):
        c.line(((x + 20 * step, y - 66), (x + 23 * step, y - 40)), pale(fill, 0.5), 3)
    c.polygon(((x - 52, y - 68), (x - 30, y - 68), (x - 35, y - 38), (x - 61, y - 38)), pale(fill, 0.4))


LEISURE: Mapping[str, Draw] = {
    "a {bright} rocking horse": _rocking_horse,
    "a teddy bear with a {bright} bow": _teddy,
    "a {bright} play tent": _tent,
    "a {bright} slide": _slide,
    "rows of {colour} school desks": _school_desks,
    "a desk with a globe of {bright} land": _teacher_desk,
    "a {bright} treadmill": _treadmill,
    "a {bright} exercise bike": _exercise_bike,
    "a {bright} punching bag": _punch_bag,
    "a rack of {bright} weights": _weights,
    "a {piano} grand piano": _piano,
    "a {colour} guitar": _guitar,
    "a {colour} drum kit": _drums,
    "a {bright} microphone": _microphone,
    "a {piano} loudspeaker": _loudspeaker,
    "an easel with a painting of {subject}": _easel,
    "paints and brushes in a {bright} pot": _paints,
    "a {bust} bust": _statue,
    "a {bright} vase on a pedestal": _vase,
    "a dinosaur skeleton behind a {bright} rope": _skeleton,
    "an altar with a {colour} cloth": _altar,
    "a {colour} reception desk": _reception,
    "a {colour} front door": _front_door,
    "stairs with a {bright} carpet": _stairs,
    "a dress form with a {bright} dress": _dress_form,
    "a pool table with {bright} cloth": _pool_table,
    "a {bright} jukebox": _jukebox,
    "a workbench with a {bright} toolbox": _workbench,
    "a {bright} saddle": _saddle,
    "a swimming pool with a {bright} air bed": _swimming_pool,
}
