"""The picture of the maze puzzle: the maze from above, and the labyrinth button below it."""

from functools import lru_cache

from PIL import Image

from palaver_gamemasters.drawing import Canvas, Point, mix

from .grid import HEADINGS, Cell, Pose, Rows
from .manual import COLOURS
from .scene import MazeScene

__all__ = ["PAINT", "draw", "middle"]

PAINT = {"red": "#d8302a", "blue": "#2b62d9", "green": "#2f9e44", "yellow": "#fbd020"}
GLOSSY = {"red": "#e04a45", "blue": "#4a7ee6", "green": "#46ad58", "yellow": "#ffea45"}
"""Spheres begin lighter: their shading makes them darker."""
FLOOR, WALL = "#fdfcf8", "#333d4d"
EXTENT = 594
LEFT, TOP = 87, 34
BUTTON_AT = (384, 694)
TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
"""Rotation matrices for each heading, the mouse being designed with its nose up."""

BODY = (
    (0, -0.40), (0.06, -0.35), (0.11, -0.27), (0.15, -0.17), (0.18, -0.05), (0.195, 0.06), (0.18, 0.16), (0.13, 0.23),
    (0.05, 0.265), (-0.05, 0.265), (-0.13, 0.23), (-0.18, 0.16), (-0.195, 0.06), (-0.18, -0.05), (-0.15, -0.17),
    (-0.11, -0.27), (-0.06, -0.35),
)  # fmt: skip
TAIL = ((0, 0.24), (0.02, 0.30), (0.07, 0.35), (0.09, 0.39), (0.05, 0.43), (-0.02, 0.45))


def draw(scene: MazeScene) -> Image.Image:
    """Draw the module."""
    rows = scene.rows
    canvas = Canvas(background="#c9cdd3")
    canvas.picture.paste(_board(rows))
    size = EXTENT / len(rows)
    if scene.under:
        _tile(canvas, rows, scene.mouse.cell, PAINT[scene.under])
    _torus(canvas, middle(rows, (len(rows) // 2, len(rows) // 2)), size, PAINT[scene.torus])
    for colour, cell in zip(COLOURS, scene.spheres, strict=True):
        x, y = middle(rows, cell)
        if cell != scene.mouse.cell:
            canvas.circle((x + size * 0.03, y + size * 0.05), size * 0.4, "#cfcdc6")
        canvas.ball((x, y), size * 0.39, GLOSSY[colour])
    _mouse(canvas, rows, scene.mouse)
    _lamp(canvas, lit=scene.disarmed)
    return canvas.flat()


def middle(rows: Rows, cell: Cell) -> tuple[int, int]:
    """Return the pixel in the middle of a square."""
    size = EXTENT / len(rows)
    return round(LEFT + (cell[1] + 0.5) * size), round(TOP + (cell[0] + 0.5) * size)


@lru_cache(maxsize=8)
def _board(rows: Rows) -> Image.Image:
    """Draw what does not change while the mouse walks."""
    canvas = Canvas(background="#c9cdd3")
    canvas.box((20, 16, 748, 752), "#9aa1ac", radius=30, outline="#7f8793", width=4, shadow=True)
    canvas.box((LEFT - 10, TOP - 10, LEFT + EXTENT + 10, TOP + EXTENT + 10), "#20262f", radius=12)
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            if mark == "#":
                _block(canvas, rows, (row, column))
            else:
                _tile(canvas, rows, (row, column), FLOOR)
    _button(canvas)
    return canvas.picture


def _corners(rows: Rows, cell: Cell) -> tuple[int, int, int, int]:
    size = EXTENT / len(rows)
    row, column = cell
    return (
        round(LEFT + column * size),
        round(TOP + row * size),
        round(LEFT + (column + 1) * size),
        round(TOP + (row + 1) * size),
    )


def _block(canvas: Canvas, rows: Rows, cell: Cell) -> None:
    left, top, right, bottom = _corners(rows, cell)
    canvas.box((left, top, right, bottom), mix(WALL, "#000000", 0.35))
    canvas.box((left + 1, top + 1, right - 1, bottom - 6), mix(WALL, "#ffffff", 0.14), radius=5)
    canvas.box((left + 4, top + 4, right - 4, bottom - 9), WALL, radius=4)


def _tile(canvas: Canvas, rows: Rows, cell: Cell, colour: str) -> None:
    """Lay a square; it is darker where a wall above it throws its shadow."""
    left, top, right, bottom = _corners(rows, cell)
    canvas.box((left, top, right, bottom), mix(colour, "#000000", 0.14))
    shaded = 7 if rows[cell[0] - 1][cell[1]] == "#" else 1
    canvas.box((left + 1, top + shaded, right - 1, bottom - 1), colour)


def _torus(canvas: Canvas, centre: Point, size: float, paint: str) -> None:
    radius = size * 0.45
    canvas.ring(centre, radius, size * 0.24, mix(paint, "#000000", 0.4))
    canvas.ring(centre, radius - 2, size * 0.24 - 5, paint)
    canvas.ring(centre, radius - size * 0.07, size * 0.06, mix(paint, "#ffffff", 0.45))


def _mouse(canvas: Canvas, rows: Rows, mouse: Pose) -> None:
    """Draw the mouse from above: nose, whiskers, ears and eyes in front, the tail behind."""
    x, y = middle(rows, mouse.cell)
    size = EXTENT / len(rows)
    a, b, c, d = TURNS[HEADINGS.index(mouse.heading)]

    def put(right: float, down: float) -> Point:
        return x + round((a * right + b * down) * size, 2), y + round((c * right + d * down) * size, 2)

    canvas.line([put(*point) for point in TAIL], "#3e3a3a", size * 0.075)
    canvas.line([put(*point) for point in TAIL], "#e79aa6", size * 0.04)
    for side in (-1, 1):
        for down in (-0.36, -0.30):
            canvas.line([put(side * 0.03, -0.33), put(side * 0.2, down)], "#3e3a3a", 1.5)
    canvas.polygon([put(1.1 * right, 1.06 * down) for right, down in BODY], "#3e4046")
    canvas.polygon([put(0.94 * right, 0.97 * down) for right, down in BODY], "#9fa3aa")
    for side in (-1, 1):
        canvas.circle(put(side * 0.17, -0.13), size * 0.115, "#b4b8bf", outline="#3e4046", width=2)
        canvas.circle(put(side * 0.17, -0.13), size * 0.06, "#f0a5b3")
        canvas.circle(put(side * 0.065, -0.255), size * 0.03, "#111111")
    canvas.circle(put(0, -0.395), size * 0.055, "#e2566f", outline="#3e3a3a", width=1.5)


def _button(canvas: Canvas) -> None:
    """Draw the round button: rings with a gap each, as a labyrinth has."""
    x, y = BUTTON_AT
    canvas.circle((x, y + 4), 50, "#5b626d")
    canvas.circle((x, y), 50, "#f1ede2", outline="#3c424b", width=4)
    for radius, gap in ((40, 1), (29, -1), (18, 1)):
        canvas.ring((x, y), radius, 5, "#3c424b")
        top, bottom = sorted((y + gap * (radius - 8), y + gap * (radius + 3)))
        canvas.box((x - 7, top, x + 7, bottom), "#f1ede2")
    canvas.line([(x - 26, y), (x - 37, y)], "#3c424b", 5)
    canvas.line([(x + 15, y), (x + 26, y)], "#3c424b", 5)
    canvas.circle((x, y), 6, "#c0392b")
    canvas.text((x - 66, y), "LABYRINTH", 22, "#2c3138", anchor="rm")


def _lamp(canvas: Canvas, *, lit: bool) -> None:
    x, y = BUTTON_AT[0] + 84, BUTTON_AT[1]
    canvas.circle((x, y), 15, "#37d067" if lit else "#5f6670", outline="#3c424b", width=3)
    canvas.text((x + 28, y), "DISARMED" if lit else "ARMED", 22, "#1d5c31" if lit else "#2c3138", anchor="lm")
