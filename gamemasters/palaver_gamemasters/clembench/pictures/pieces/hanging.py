"""What hangs on a wall, about 110 pixels wide and high around its middle (x, y)."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas, Colour

from .shapes import bowl, cutout, dark, pale, ray, slab, tint

__all__ = ["HANGING"]

WOOD = "#8a5a33"


def _mirror(c: Canvas, x: float, y: float, word: str) -> None:
    c.circle((x, y), 50, "#cfe6ee", outline=dark(tint(word), 0.05), width=8)
    c.line(((x - 22, y + 6), (x + 8, y - 26)), "#ffffff", 6)
    c.line(((x - 8, y + 16), (x + 22, y - 14)), "#ffffff", 5)


def _clock(c: Canvas, x: float, y: float, word: str) -> None:
    c.circle((x, y), 42, "#fdfcf7", outline=dark(tint(word), 0.05), width=9)
    for hour in range(12):
        c.circle(ray((x, y), 27, hour / 12), 2, "#333333")
    c.line(((x, y), ray((x, y), 23, 0.02)), "#333333", 4)
    c.line(((x, y), ray((x, y), 16, 0.33)), "#333333", 5)


def _plates(c: Canvas, x: float, y: float, word: str) -> None:
    for bottom in (y - 2, y + 50):
        for step in (-1, 0, 1):
            c.circle((x + 34 * step, bottom - 17), 16, tint(word), outline=dark(tint(word)))
            c.circle((x + 34 * step, bottom - 17), 8, pale(tint(word), 0.4))
        slab(c, (x - 56, bottom, x + 56, bottom + 9), WOOD, 2)


def _pans(c: Canvas, x: float, y: float, word: str) -> None:
    c.line(((x - 54, y - 46), (x + 54, y - 46)), "#4b4b4f", 6)
    for step, size in ((-1, 17), (0, 20), (1, 14)):
        at = x + 38 * step
        c.line(((at, y - 44), (at, y - 6)), "#4b4b4f", 5)
        c.circle((at, y + 8), size, tint(word), outline=dark(tint(word), 0.4))
        c.circle((at, y + 8), size - 6, dark(tint(word), 0.12))


def _towel(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 32, y - 38, x + 32, y + 46), tint(word), 4)
    for at in (y + 22, y + 32):
        c.box((x - 30, at, x + 30, at + 4), pale(tint(word), 0.5) if word != "white" else "#d5cfc0")
    c.line(((x - 50, y - 40), (x + 50, y - 40)), "#8d949b", 7)


def _dartboard(c: Canvas, x: float, y: float, word: str) -> None:
    for radius, fill in ((48, "#2f2a28"), (40, "#f3e7c8"), (30, tint(word)), (20, "#f3e7c8"), (10, tint(word))):
        c.circle((x, y), radius, fill)
    c.line(((x + 12, y - 10), (x + 32, y - 26)), "#c9a64a", 4)


def _bottles(c: Canvas, x: float, y: float, word: str) -> None:
    for bottom in (y - 4, y + 50):
        for step in range(-2, 3):
            at = x + 22 * step
            slab(c, (at - 7, bottom - 30, at + 7, bottom), tint(word), 4, width=1)
            c.box((at - 3, bottom - 44, at + 3, bottom - 28), dark(tint(word)))
            c.box((at - 6, bottom - 20, at + 6, bottom - 10), "#fff7e2")
        slab(c, (x - 58, bottom, x + 58, bottom + 8), WOOD, 2)


def _tools(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 56, y - 48, x + 56, y + 48), "#d9b98a", 3)
    handle: Colour = tint(word)
    c.line(((x - 36, y - 16), (x - 36, y + 36)), handle, 8)
    c.box((x - 50, y - 36, x - 22, y - 16), "#6a7077", radius=3)
    c.line(((x - 4, y - 34), (x - 4, y + 4)), "#6a7077", 5)
    c.box((x - 10, y + 2, x + 2, y + 38), handle, radius=4)
    c.polygon(((x + 16, y - 34), (x + 50, y + 14), (x + 20, y + 14)), "#aab1b8")
    c.box((x + 16, y + 14, x + 38, y + 36), handle, radius=6)


def _coat_hooks(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 56, y - 44, x + 56, y - 32), WOOD, 3)
    coat = ((x - 34, y - 36), (x - 8, y - 28), (x - 6, y + 48), (x - 54, y + 48), (x - 54, y - 26))
    cutout(c, coat, tint(word))
    c.line(((x - 31, y - 28), (x - 31, y + 46)), dark(tint(word)), 3)
    c.line(((x + 22, y - 34), (x + 14, y - 2)), "#6b5a4c", 4)
    c.line(((x + 22, y - 34), (x + 36, y - 2)), "#6b5a4c", 4)
    slab(c, (x + 6, y - 4, x + 44, y + 30), "#c98a4a", 6)
    c.circle((x + 22, y - 34), 4, "#3a3a40")


def _sign(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw the number of a hotel room."""
    slab(c, (x - 44, y - 30, x + 44, y + 30), "#2d3e5e", 8)
    c.box((x - 38, y - 24, x + 38, y + 24), None, radius=6, outline="#d9b95b")
    c.box((x - 35, y - 21, x + 35, y + 21), "#2d3e5e", radius=5)
    c.text((x, y), word, 34, "#f4e3a6")


def _basket(c: Canvas, x: float, y: float, word: str) -> None:
    for side in (-1, 1):
        c.line(((x, y - 60), (x + 40 * side, y + 12)), "#8a7a66", 3)
    for dx, rise in ((-44, 22), (-22, 34), (0, 20), (22, 34), (44, 22)):
        c.circle((x + dx, y + 36 - rise), 17, "#4c9f5a")
    c.polygon(bowl((x, y + 18), 46, 36), "#a9743f")
    for dx, rise in ((-46, 30), (-28, 16), (-20, 42), (0, 24), (20, 44), (28, 18), (46, 30), (-8, 52)):
        c.circle((x + dx, y + 36 - rise), 8, tint(word), outline=dark(tint(word)), width=1.5)


def _horse_blanket(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 42, y - 34, x + 42, y + 48), tint(word), 4)
    for at in (-24, 0, 24):
        c.box((x + at - 4, y - 32, x + at + 4, y + 46), pale(tint(word), 0.5))
    slab(c, (x - 56, y - 42, x + 56, y - 30), WOOD, 4)


def _horseshoe(c: Canvas, x: float, y: float, word: str) -> None:
    slab(c, (x - 46, y - 50, x + 46, y + 50), "#d9b98a", 4)
    for width, fill in ((21, "#8a6a1c"), (16, "#e0bd63")):
        c.line([(x - 24, y - 32), *bowl((x, y), 27, 32), (x + 24, y - 32)], fill, width)
    for side in (-1, 1):
        for at in (-14, 6):
            c.circle((x + 26 * side, y + at), 3, "#6b4a14")


HANGING: Mapping[str, Draw] = {
    "a round {metal} mirror": _mirror,
    "a {bright} clock": _clock,
    "a shelf of {colour} plates": _plates,
    "a rack of {metal} pans": _pans,
    "a rail with a {colour} towel": _towel,
    "a {bright} dartboard": _dartboard,
    "shelves of {bright} bottles": _bottles,
    "tools with {bright} handles": _tools,
    "hooks with a {colour} coat": _coat_hooks,
    "the room number {number}": _sign,
    "a hanging basket of {petals} flowers": _basket,
    "a {bright} horse blanket on a rail": _horse_blanket,
    "a golden horseshoe": _horseshoe,
}
