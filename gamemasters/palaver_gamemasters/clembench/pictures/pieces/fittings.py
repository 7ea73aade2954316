"""Doors, stairs and gear of halls, attics, workshops and stables."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Draw
from palaver_gamemasters.drawing import Canvas

from .shapes import arch, cast, dark, dome, legs, pale, slab, tint

__all__ = ["FITTINGS"]

WOOD = "#a9743f"
STEEL = "#8d969e"


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
        c.line(
            ((x - 52 + 17 * step, y - 22 * (step + 1)), (x - 52 + 17 * step, y - 22 * (step + 1) - 40)), "#6b4226", 4
        )
    c.line(((x - 54, y - 64), (x + 52, y - 198)), "#6b4226", 8)


def _dress_form(c: Canvas, x: float, y: float, word: str) -> None:
    fill = tint(word)
    cast(c, x, y, 70)
    c.line(((x, y - 60), (x, y - 8)), "#6b4226", 6)
    c.line(((x - 28, y - 3), (x, y - 16), (x + 28, y - 3)), "#6b4226", 6)
    c.polygon(
        (
            (x - 30, y - 158),
            (x + 30, y - 158),
            (x + 20, y - 112),
            (x + 42, y - 52),
            (x - 42, y - 52),
            (x - 20, y - 112),
        ),
        dark(fill, 0.35),
    )
    c.polygon(
        (
            (x - 27, y - 155),
            (x + 27, y - 155),
            (x + 17, y - 112),
            (x + 38, y - 55),
            (x - 38, y - 55),
            (x - 17, y - 112),
        ),
        fill,
    )
    c.box((x - 18, y - 118, x + 18, y - 108), pale(fill, 0.5))
    slab(c, (x - 8, y - 178, x + 8, y - 156), "#d9b98a", 4)


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
    c.polygon(
        (
            (x - 44, y - 84),
            (x - 40, y - 108),
            (x - 16, y - 98),
            (x + 20, y - 98),
            (x + 46, y - 116),
            (x + 48, y - 84),
            (x + 22, y - 44),
            (x - 16, y - 44),
        ),
        dark(fill, 0.35),
    )
    c.polygon(
        (
            (x - 40, y - 84),
            (x - 37, y - 103),
            (x - 15, y - 94),
            (x + 20, y - 94),
            (x + 43, y - 110),
            (x + 44, y - 85),
            (x + 20, y - 48),
            (x - 14, y - 48),
        ),
        fill,
    )
    c.line(((x + 2, y - 50), (x + 2, y - 32)), "#6b4226", 4)
    c.ring((x + 2, y - 24), 11, 4, STEEL)


def _swimming_pool(c: Canvas, x: float, y: float, word: str) -> None:
    """Draw a pool for swimming, let into the floor."""
    fill = tint(word)
    c.polygon(((x - 118, y - 108), (x + 118, y - 108), (x + 160, y + 4), (x - 160, y + 4)), "#e9f3f5")
    c.polygon(((x - 108, y - 101), (x + 108, y - 101), (x + 146, y - 5), (x - 146, y - 5)), "#2f86b5")
    c.polygon(((x - 105, y - 92), (x + 105, y - 92), (x + 143, y - 5), (x - 143, y - 5)), "#56b7dd")
    for dx, dy in ((-84, -80), (62, -84), (-110, -30), (96, -36), (8, -18), (-20, -84)):
        c.line(
            ((x + dx - 14, y + dy), (x + dx - 5, y + dy - 4), (x + dx + 5, y + dy), (x + dx + 14, y + dy - 4)),
            "#bfe6f4",
            3,
        )
    c.polygon(((x - 54, y - 66), (x + 54, y - 66), (x + 64, y - 34), (x - 64, y - 34)), dark(fill, 0.3))
    c.polygon(((x - 52, y - 68), (x + 52, y - 68), (x + 61, y - 38), (x - 61, y - 38)), fill)
    for step in (-2, -1, 0, 1, 2):
        c.line(((x + 20 * step, y - 66), (x + 23 * step, y - 40)), pale(fill, 0.5), 3)
    c.polygon(((x - 52, y - 68), (x - 30, y - 68), (x - 35, y - 38), (x - 61, y - 38)), pale(fill, 0.4))


FITTINGS: Mapping[str, Draw] = {
    "an altar with a {colour} cloth": _altar,
    "a {colour} reception desk": _reception,
    "a {colour} front door": _front_door,
    "stairs with a {bright} carpet": _stairs,
    "a dress form with a {bright} dress": _dress_form,
    "a workbench with a {bright} toolbox": _workbench,
    "a {bright} saddle": _saddle,
    "a swimming pool with a {bright} air bed": _swimming_pool,
}
