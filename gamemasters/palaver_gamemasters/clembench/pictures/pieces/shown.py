"""Windows and pictures on a wall, and what is seen in them; about 110 pixels wide and high around (x, y)."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Box, Canvas

from .shapes import arch, dome, oval, pale, ray, slab, tint

__all__ = ["SHOWN", "film"]

WOOD = "#8a5a33"


def _view(c: Canvas, box: Box, what: str) -> None:
    """Draw what is seen far away: through a window, or beyond a railing."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    sky = "#1f2c56" if what == "stars" else "#a9d8f2"
    c.box(box, sky)
    if what == "the sea":
        c.box((left, top + high * 0.5, right, bottom), "#2f7fb8")
        c.box((left, bottom - high * 0.14, right, bottom), "#ecd9a2")
        at = left + wide * 0.58
        c.polygon(((at, top + high * 0.22), (at, top + high * 0.54), (at + high * 0.22, top + high * 0.54)), "#ffffff")
        c.box((at - high * 0.12, top + high * 0.56, at + high * 0.22, top + high * 0.63), "#8f3d2e")
    elif what == "mountains":
        for peak, height, shade in ((0.28, 0.72, "#7d8ca8"), (0.7, 0.86, "#68789a")):
            x, y = left + wide * peak, bottom - high * height
            reach = min(wide * 0.3, high * 0.62)
            c.polygon(((x - reach, bottom), (x, y), (x + reach, bottom)), shade)
            c.polygon(
                ((x - reach * 0.3, y + (bottom - y) * 0.3), (x, y), (x + reach * 0.3, y + (bottom - y) * 0.3)),
                "#ffffff",
            )
        c.box((left, bottom - high * 0.16, right, bottom), "#6fae5c")
    elif what == "a city":
        for number, height in enumerate((0.5, 0.8, 0.38, 0.66, 0.9, 0.48)):
            start = left + wide * number / 6
            c.box(
                (start, bottom - high * height, start + wide / 6 - 1, bottom),
                ("#6d7690", "#8a93aa", "#575f78")[number % 3],
            )
            for row in range(int(high * height / 13)):
                y = bottom - high * height + 5 + 13 * row
                c.box((start + wide / 24, y, start + wide / 24 + 4, y + 5), "#ffe9a3")
                c.box((start + wide / 10, y, start + wide / 10 + 4, y + 5), "#ffe9a3")
    elif what == "a forest":
        c.box((left, bottom - high * 0.22, right, bottom), "#6fae5c")
        for number in range(5):
            x = left + wide * (number + 0.5) / 5
            top_of = bottom - high * (0.82 if number % 2 else 0.66)
            half = wide / 10
            c.polygon(
                ((x - half, bottom - high * 0.12), (x, top_of), (x + half, bottom - high * 0.12)),
                ("#2f7a4b", "#256340")[number % 2],
            )
    else:
        for dx, dy, size in (
            (0.14, 0.2, 2),
            (0.32, 0.5, 3),
            (0.45, 0.16, 2),
            (0.2, 0.8, 2),
            (0.6, 0.7, 3),
            (0.9, 0.6, 2),
            (0.8, 0.86, 2),
        ):
            c.circle((left + wide * dx, top + high * dy), size, "#fff6cf")
        c.circle((left + wide * 0.72, top + high * 0.3), high * 0.15, "#fbeeb0")


def _window(c: Canvas, x: float, y: float, what: str) -> None:
    c.box((x - 54, y - 56, x + 54, y + 56), "#ffffff", radius=3, outline="#b9b2a4")
    _view(c, (x - 47, y - 49, x + 47, y + 49), what)
    c.box((x - 2, y - 50, x + 3, y + 50), "#ffffff")
    c.box((x - 48, y - 2, x + 48, y + 2), "#ffffff")
    slab(c, (x - 60, y + 54, x + 60, y + 63), "#f4f0e6", 3)


def _painting(c: Canvas, x: float, y: float, what: str) -> None:
    slab(c, (x - 52, y - 46, x + 52, y + 46), "#c79a45", 3)
    left, _, right, bottom = box = (x - 43, y - 37, x + 43, y + 37)
    if what == "a sailing boat":
        c.box(box, "#cfe8f5")
        c.box((left, y + 14, right, bottom), "#2f7fb8")
        c.polygon(((x - 24, y + 10), (x + 24, y + 10), (x + 14, y + 23), (x - 14, y + 23)), "#a6432f")
        c.polygon(((x + 1, y - 30), (x + 1, y + 6), (x + 25, y + 6)), "#ffffff")
        c.polygon(((x - 3, y - 22), (x - 3, y + 6), (x - 20, y + 6)), "#f2c53d")
    elif what == "a tulip":
        c.box(box, "#f8eec9")
        c.line(((x, y - 4), (x, y + 34)), "#4f8a4b", 5)
        c.polygon(((x, y + 30), (x - 26, y + 4), (x - 12, y + 30)), "#4f8a4b")
        c.polygon(((x, y + 30), (x + 26, y + 4), (x + 12, y + 30)), "#4f8a4b")
        c.polygon(
            (
                (x - 18, y - 28),
                (x - 8, y - 16),
                (x, y - 32),
                (x + 8, y - 16),
                (x + 18, y - 28),
                (x + 14, y + 2),
                (x, y + 8),
                (x - 14, y + 2),
            ),
            "#d63f56",
        )
    elif what == "a fish":
        c.box(box, "#2c8f8c")
        c.polygon(((x + 14, y), (x + 36, y - 18), (x + 36, y + 18)), "#f08a3c")
        oval(c, (x - 6, y), 28, 17, "#f6a63c")
        c.circle((x - 20, y - 4), 4, "#222222")
        for at, rise in ((-34, -18), (-30, -28), (-37, -7)):
            c.ring((x + at, y + rise), 4, 1.5, "#dff4f2")
    else:
        c.box(box, "#8ec9ee")
        for step in range(12):
            c.line((ray((x, y - 4), 19, step / 12), ray((x, y - 4), 28, step / 12)), "#f9d648", 4)
        c.circle((x, y - 4), 15, "#f9d648")
        c.polygon(((left, bottom), *dome((x, bottom), 43, 16), (right, bottom)), "#5aa055")


def _blackboard(c: Canvas, x: float, y: float, what: str) -> None:
    slab(c, (x - 58, y - 50, x + 58, y + 50), WOOD, 3)
    c.box((x - 51, y - 43, x + 51, y + 43), "#2f5d4a")
    if what == "sums":
        c.text((x, y - 20), "2 + 3 = 5", 21, "#ffffff")
        c.text((x, y + 16), "4 x 2 = 8", 21, "#ffffff")
    elif what == "letters":
        c.text((x, y - 16), "A B C", 30, "#ffffff")
        c.text((x, y + 20), "d e f", 30, "#ffffff")
    elif what == "a house":
        c.line(((x - 24, y + 32), (x - 24, y - 4), (x + 24, y - 4), (x + 24, y + 32), (x - 24, y + 32)), "#ffffff", 4)
        c.line(((x - 32, y - 2), (x, y - 32), (x + 32, y - 2)), "#ffffff", 4)
        c.box((x - 7, y + 10, x + 7, y + 32), "#ffffff")
    else:
        c.polygon([ray((x, y + 2), 36 if step % 2 == 0 else 15, step / 10) for step in range(10)], "#ffffff")
    c.box((x - 40, y + 50, x + 20, y + 55), "#f4f0e6")


def _map(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 54, y - 46, x + 54, y + 46), "#a9d3ea", 2)
    land = tint(word)
    c.polygon(((x - 44, y - 30), (x - 14, y - 34), (x - 20, y - 8), (x - 30, y + 2)), land)
    c.polygon(((x - 26, y + 4), (x - 10, y + 8), (x - 20, y + 36)), land)
    c.polygon(((x + 2, y - 32), (x + 44, y - 30), (x + 42, y - 4), (x + 18, y + 2), (x + 4, y - 10)), land)
    c.polygon(((x + 2, y - 4), (x + 20, y + 6), (x + 10, y + 30), (x, y + 12)), land)
    c.polygon(((x + 30, y + 16), (x + 46, y + 18), (x + 42, y + 32), (x + 30, y + 30)), land)


def _stained_glass(c: Canvas, x: float, y: float, word: str) -> None:
    box = (x - 34, y - 64, x + 34, y + 70)
    c.polygon(arch((box[0] - 6, box[1] - 6, box[2] + 6, box[3] + 6)), "#75695c")
    c.polygon(arch(box), tint(word))
    c.polygon(arch((x - 22, y - 50, x + 22, y + 60)), pale(tint(word), 0.45))
    c.circle((x, y - 26), 14, "#f6d24c")
    c.polygon(((x, y + 2), (x + 14, y + 28), (x, y + 54), (x - 14, y + 28)), "#d9534f" if word != "red" else "#3f77c4")
    c.line(((x, y - 62), (x, y + 70)), "#4a423a", 3)
    for at in (y - 8, y + 28):
        c.line(((x - 34, at), (x + 34, at)), "#4a423a", 3)


def _poster(c: Canvas, x: float, y: float, what: str) -> None:
    slab(c, (x - 42, y - 54, x + 42, y + 54), "#fbf7ea", 2)
    if what == "a rocket":
        c.box((x - 36, y - 48, x + 36, y + 48), "#27386b")
        c.polygon(((x, y - 40), (x + 14, y - 14), (x + 14, y + 22), (x - 14, y + 22), (x - 14, y - 14)), "#f3f3f3")
        c.polygon(((x - 14, y + 4), (x - 26, y + 26), (x - 14, y + 22)), "#d64a3f")
        c.polygon(((x + 14, y + 4), (x + 26, y + 26), (x + 14, y + 22)), "#d64a3f")
        c.polygon(((x - 8, y + 24), (x + 8, y + 24), (x, y + 44)), "#f6a63c")
        c.circle((x, y - 8), 7, "#58b0dd")
    elif what == "a heart":
        c.box((x - 36, y - 48, x + 36, y + 48), "#fbdfe6")
        for side in (-1, 1):
            c.circle((x + 12 * side, y - 10), 15, "#d6304a")
        c.polygon(((x - 26, y - 4), (x + 26, y - 4), (x, y + 30)), "#d6304a")
    else:
        c.box((x - 36, y - 48, x + 36, y + 48), "#f7e6a8")
        for part, size in (((x, y - 22), 17), ((x - 13, y - 36), 8), ((x + 13, y - 36), 8)):
            c.circle(part, size, "#9a6b3f")
        oval(c, (x, y + 20), 22, 24, "#9a6b3f")
        oval(c, (x, y + 22), 12, 15, "#d9b184")
        for side in (-1, 1):
            c.circle((x + 6 * side, y - 25), 2.5, "#222222")
        c.circle((x, y - 17), 3, "#222222")


def _screen(c: Canvas, x: float, y: float, word: str) -> None:
    c.box((x - 60, y - 50, x + 60, y + 50), "#2b2d31", radius=4)
    film(c, (x - 54, y - 44, x + 54, y + 44), word)


def film(c: Canvas, box: Box, word: str) -> None:
    """Draw what a screen shows."""
    left, top, right, bottom = box
    x, y, half = (left + right) / 2, (top + bottom) / 2, (bottom - top) / 2
    if word == "a rocket":
        c.box(box, "#1f2c56")
        c.polygon(
            (
                (x, y - half * 0.8),
                (x + 11, y - half * 0.3),
                (x + 11, y + half * 0.4),
                (x - 11, y + half * 0.4),
                (x - 11, y - half * 0.3),
            ),
            "#f3f3f3",
        )
        c.polygon(((x - 20, y + half * 0.5), (x - 11, y), (x + 11, y), (x + 20, y + half * 0.5)), "#d64a3f")
        c.polygon(((x - 7, y + half * 0.5), (x + 7, y + half * 0.5), (x, y + half * 0.9)), "#f6a63c")
        for dx, dy in ((-36, -20), (36, -10), (-30, 14), (40, 20)):
            c.circle((x + dx, y + dy), 2.5, "#fff6cf")
    elif word == "a heart":
        c.box(box, "#fbdfe6")
        for side in (-1, 1):
            c.circle((x + 11 * side, y - 8), 14, "#d6304a")
        c.polygon(((x - 24, y - 2), (x + 24, y - 2), (x, y + 27)), "#d6304a")
    else:
        c.box(box, "#4f9d5b")
        c.box((x - 1, top, x + 2, bottom), "#ffffff")
        c.ring((x, y), 16, 2.5, "#ffffff")
        for side in (-1, 1):
            edge = left if side < 0 else right
            c.box((min(edge, edge - 14 * side), y - 14, max(edge, edge - 14 * side), y + 14), "#ffffff")
            c.box((min(edge, edge - 11 * side), y - 11, max(edge, edge - 11 * side), y + 11), "#4f9d5b")
        c.circle((x + 22, y - 12), 5, "#ffffff", outline="#222222", width=1.5)


SHOWN: Mapping[str, Draw] = {
    "a window with a view of {view}": _window,
    "a painting of {subject}": _painting,
    "a blackboard with {sum}": _blackboard,
    "a map with {bright} land": _map,
    "a {bright} stained-glass window": _stained_glass,
    "a poster of {poster}": _poster,
    "a screen showing {shown}": _screen,
}
