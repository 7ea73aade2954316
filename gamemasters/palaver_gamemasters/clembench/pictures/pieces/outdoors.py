"""What stands outdoors."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, bowl, cast, dark, dome, oval, pale, slab, tint

__all__ = ["OUTDOORS"]

WOOD = "#a9743f"


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
            slab(
                c,
                (x + at + step * (half - 7) - 7, y - tall - 14, x + at + step * (half - 7) + 7, y - tall + 2),
                sand,
                2,
            )
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


def _scarecrow(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 56)
    c.line(((x, y - 3), (x, y - 120)), "#86593a", 8)
    c.line(((x - 56, y - 112), (x + 56, y - 112)), "#86593a", 6)
    c.polygon(
        (
            (x - 46, y - 124),
            (x + 46, y - 124),
            (x + 46, y - 100),
            (x + 24, y - 98),
            (x + 30, y - 46),
            (x - 30, y - 46),
            (x - 24, y - 98),
            (x - 46, y - 100),
        ),
        dark(fill, 0.35),
    )
    c.polygon(
        (
            (x - 44, y - 122),
            (x + 44, y - 122),
            (x + 44, y - 102),
            (x + 22, y - 100),
            (x + 27, y - 48),
            (x - 27, y - 48),
            (x - 22, y - 100),
            (x - 44, y - 102),
        ),
        fill,
    )
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
            c.box(
                (max(at - 9, x - 53), y - 62 + 20 * row, min(at + 10, x + 53), y - 46 + 20 * row), "#c4c1b9", radius=4
            )


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
        c.polygon(bowl((left + 14, y - 129), 14, 13), shade)
    c.box((x - 112, y - 164, x + 112, y - 157), dark(fill, 0.3))


def _fountain(c: Canvas, x: float, y: float, word: str) -> None:
    cast(c, x, y, 216)
    for side in (-1, 1):
        c.line(
            ((x, y - 150), (x + 22 * side, y - 156), (x + 44 * side, y - 124), (x + 52 * side, y - 62)), "#a5d8ef", 6
        )
        c.line(
            ((x, y - 150), (x + 12 * side, y - 158), (x + 24 * side, y - 136), (x + 30 * side, y - 98)), "#d5eef8", 4
        )
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
        c.polygon(
            (
                (x + at - 14, y + 14),
                (x + at - 10, y - 4),
                (x + at, y + 12 - tall),
                (x + at + 10, y - 4),
                (x + at + 14, y + 14),
            ),
            fill,
        )


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


OUTDOORS: Mapping[str, Draw] = {
    "a {ladder} ladder": _ladder,
    "a {bright} parasol": _parasol,
    "a {bright} surfboard": _surfboard,
    "a sandcastle with a {bright} flag": _sandcastle,
    "a {bright} beach hut": _hut,
    "a scarecrow with a {bright} coat": _scarecrow,
    "a well with a {bright} roof": _well,
    "a {bright} swing": _swing,
    "a {bright} seesaw": _seesaw,
    "a {post} lamp post": _lamp_post,
    "a {bright} letter box": _post_box,
    "a market stall with a {bright} roof": _stall,
    "a {fountain} fountain": _fountain,
    "a snowman with a {bright} scarf": _snowman,
    "a {bright} tent": _camp_tent,
    "a campfire": _campfire,
    "a {bright} crane": _crane,
    "a {bright} shed": _shed,
}
