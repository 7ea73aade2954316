"""As the Crow Walks: a map with six places, and a notebook of six walks, each of which draws a letter."""

import math
from collections.abc import Iterable, Iterator

from palaver_gamemasters.drawing import Canvas, mix

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, figure, page

__all__ = ["draw"]

PLACES = {"mill": (2, 3), "church": (9, 9), "oak": (15, 6), "well": (22, 10), "inn": (30, 3), "tower": (33, 9)}
"""Column from the west, row from the north."""
COLUMNS, ROWS, STEP = 37, 12, 28
STAR, SUNRISE, NOON, SUNSET = "to the pole star", "to the sunrise", "to the noon sun", "to the sunset"
RISING, SETTING = "between sunrise and noon", "between noon and sunset"
FRESH, LATE = "between pole star and sunrise", "between sunset and pole star"
WAYS = {
    STAR: (0, -1), FRESH: (1, -1), SUNRISE: (1, 0), RISING: (1, 1),
    NOON: (0, 1), SETTING: (-1, 1), SUNSET: (-1, 0), LATE: (-1, -1),
}  # fmt: skip
WALKS = {
    "oak": ((4, STAR), (4, RISING), (4, STAR)),
    "tower": ((4, STAR), (2, SUNRISE), (1, RISING), (1, SETTING), (2, SUNSET), (1, SUNRISE), (2, RISING)),
    "mill": ((4, NOON), (2, FRESH), (2, RISING), (4, STAR)),
    "well": ((4, STAR), (2, SUNRISE), (1, RISING), (2, NOON), (1, SETTING), (2, SUNSET)),
    "church": ((3, STAR), (1, FRESH), (1, SUNRISE), (1, RISING), (3, NOON), (2, STAR), (3, SUNSET)),
    "inn": ((3, SUNSET), (2, NOON), (2, SUNRISE), (2, SUNSET), (2, NOON), (3, SUNRISE)),
}
ABOVE = ("mill", "inn")
"""Places that have their name above them, where no walk leads."""
LOOK = Look("#eef1e4", "#26361f", "#5b7f3a")
NOTES = Look("#fbf7ea", "#2b2b3d", "#8a5a44")
MAP_HEIGHT, NOTES_HEIGHT, GAP = 790, 940, 22
RIVER = ((7.5, 0.6), (7.1, 2.5), (7.9, 5), (7.3, 7.5), (6.5, 10), (6.9, 12.4))
WOODS = ((12.2, 1.8), (13.1, 2.6), (20.7, 4.2), (26.4, 10.9), (27.5, 11.3), (3.6, 10.8), (4.6, 11.4), (34.4, 1.9))


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the map, the notebook, and the map with the walks on it."""
    lines: list[str | Placed] = [
        f"A map on squared paper: {COLUMNS} columns of dots from left to right, {ROWS} rows from top to bottom.",
        "Below it there is an arrow marked N that points up. A river and some trees are there to please.",
        *(
            Placed(f"place, {name}: column {column}, row {row}", row * STEP - 34, row * STEP + 44)
            for name, (column, row) in PLACES.items()
        ),
    ]
    canvas, top, words = page(heading, MAP_HEIGHT, LOOK, pages=2, lines=lines)
    _map(canvas, top)
    shown = Sheet("content_1.png", canvas.flat(), words)
    for place, colour in zip(WALKS, ("#b3402e", "#7a3f8f", "#2f5fa8", "#b3402e", "#7a3f8f", "#2f5fa8"), strict=True):
        canvas.line([_at(point, top) for point in _trace(place)], colour, 7)
    return shown, _notes(heading), figure("figure_1.png", canvas)


def _notes(heading: Heading) -> Sheet:
    said = {place: ", ".join(f"{steps} {way}" for steps, way in walk) for place, walk in WALKS.items()}
    lines: list[str | Placed] = ["A page of a notebook with six entries; a small crow sits on its upper edge."]
    lines += [
        Placed(f"From the {place}: {walk}.", top, bottom)
        for (place, walk), (top, bottom) in zip(said.items(), _entries(said.values()), strict=True)
    ]
    canvas, top, words = page(heading, NOTES_HEIGHT, NOTES, number=2, pages=2, lines=lines)
    canvas.line([(MARGIN + 26, top), (MARGIN + 26, NOTES_HEIGHT - 40)], "#d98c8c", 2)
    y = top + 8
    for place, walk in said.items():
        y = _entry(canvas, y, place, walk) + GAP
    _crow(canvas, WIDTH - MARGIN - 260, 122)
    return Sheet("content_2.png", canvas.flat(), words)


def _entries(walks: Iterable[str]) -> Iterator[tuple[float, float]]:
    """Yield where the entries of the notebook begin and end, in pixels from where its content does."""
    scratch, y = Canvas(WIDTH, NOTES_HEIGHT, NOTES.paper), 8.0
    for walk in walks:
        after = _entry(scratch, y, "", walk)
        yield y, after
        y = after + GAP


def _entry(canvas: Canvas, y: float, place: str, walk: str) -> float:
    """Write an entry; return where it ends (y)."""
    canvas.text((MARGIN + 50, y), f"From the {place}", 30, NOTES.accent, anchor="la", bold=True)
    return canvas.paragraph((MARGIN + 50, y + 42, WIDTH - MARGIN - 20, NOTES_HEIGHT), f"{walk}.", 25, NOTES.ink)


def _trace(place: str) -> list[tuple[int, int]]:
    points = [PLACES[place]]
    for steps, way in WALKS[place]:
        (x, y), (right, down) = points[-1], WAYS[way]
        points.append((x + steps * right, y + steps * down))
    return points


def _at(point: tuple[float, float], top: float) -> tuple[float, float]:
    left = (WIDTH - (COLUMNS + 1) * STEP) / 2
    return left + point[0] * STEP, top + point[1] * STEP + 6


def _map(canvas: Canvas, top: float) -> None:
    (left, upper), (right, lower) = _at((0.2, 0.2), top), _at((COLUMNS + 0.8, ROWS + 0.8), top)
    canvas.box((left, upper, right, lower), "#dfe8c8", radius=12, outline=LOOK.accent, width=3)
    for share in range(101):
        canvas.circle(_at(_bend(share), top), 10, "#9cc3d9")
    for tree in WOODS:
        x, y = _at(tree, top)
        canvas.circle((x, y), 15, "#9dbb7c", outline="#86a666")
    for column in range(1, COLUMNS + 1):
        for row in range(1, ROWS + 1):
            canvas.circle(_at((column, row), top), 2, mix(LOOK.ink, "#dfe8c8", 0.55))
    for name, point in PLACES.items():
        x, y = _at(point, top)
        canvas.circle((x, y), 11, "#ffffff", outline="#b3402e", width=4)
        canvas.text((x, y - 25 if name in ABOVE else y + 25), name, 21, LOOK.ink, bold=True)
    x, y = WIDTH / 2, lower + 84
    canvas.polygon([(x, y - 66), (x - 22, y + 16), (x, y), (x + 22, y + 16)], LOOK.accent)
    canvas.text((x, y + 40), "N", 30, LOOK.ink, bold=True)


def _bend(share: float) -> tuple[float, float]:
    """Return a point of the river, ``share`` percent of its way down."""
    place = share / 100 * (len(RIVER) - 1)
    at = min(int(place), len(RIVER) - 2)
    ease = (1 - math.cos((place - at) * math.pi)) / 2
    (x, y), (right, down) = RIVER[at], RIVER[at + 1]
    return x + (right - x) * ease, y + (down - y) * (place - at)


def _crow(canvas: Canvas, x: float, y: float) -> None:
    black = "#33333f"
    canvas.polygon([(x - 44, y - 24), (x + 8, y - 46), (x + 34, y - 30), (x + 20, y - 6), (x - 12, y - 4)], black)
    canvas.polygon([(x - 30, y - 20), (x - 74, y - 4), (x - 24, y - 8)], black)
    canvas.circle((x + 30, y - 46), 15, black)
    canvas.polygon([(x + 42, y - 52), (x + 66, y - 42), (x + 42, y - 38)], "#c88b2c")
    canvas.circle((x + 34, y - 49), 3, "#ffffff")
    for leg in (0, 12):
        canvas.line([(x + leg, y - 6), (x + leg, y + 12)], black, 3)
