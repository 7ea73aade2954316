"""Things for play, sport and music."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, cast, dark, legs, oval, pale, ray, slab, tint

__all__ = ["LEISURE"]

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
        c.polygon(
            ((x + at - 10, y - 40), (x + at + 10, y - 40), (x + at + 5, y - 2), (x + at - 5, y - 2)), dark(fill, 0.2)
        )
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


LEISURE: Mapping[str, Draw] = {
    "a {bright} rocking horse": _rocking_horse,
    "a teddy bear with a {bright} bow": _teddy,
    "a {bright} play tent": _tent,
    "a {bright} slide": _slide,
    "a {bright} treadmill": _treadmill,
    "a {bright} exercise bike": _exercise_bike,
    "a {bright} punching bag": _punch_bag,
    "a rack of {bright} weights": _weights,
    "a {piano} grand piano": _piano,
    "a {colour} guitar": _guitar,
    "a {colour} drum kit": _drums,
    "a {bright} microphone": _microphone,
    "a {piano} loudspeaker": _loudspeaker,
    "a pool table with {bright} cloth": _pool_table,
    "a {bright} jukebox": _jukebox,
}
