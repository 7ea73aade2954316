"""The maze as a drawing: walls, the way so far, and whose map shows which cell."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from palaver_gamemasters import svg
from palaver_gamemasters.svg import Element

from .grid import HIDDEN, WALL, Cell, Maze

__all__ = ["map_drawn", "maze_drawn"]

CELL = 40
"""A cell's side. The picture is a drawing, so that this is but its own measure."""
MARGIN = 26
"""Room for the numbers of rows and columns, and the same on the other side."""
STATUS, LEGEND = 12, 23
"""Heights of the lines below the board."""
NARROW, LEGIBLE = 6, 9
"""Columns up to which the lines below shrink with the board, so that they fit, and from which on they grow with it, so
that they can be read where it is shown small."""
IN_A_ROW = 4
"""Seats in a line of the legend."""

OPEN, STONE, LINES, FOG, UNKNOWN = "#ffffff", "#3a4452", "#e2e6ec", "#ccd2da", "#8d97a5"
TRAIL, BODY, FLAG, DONE = "#f59e0b", "#d97706", "#d3202e", "#1c8a4c"
OLDEST = 0.3
"""How much is left of the trail's colour where it begins."""

CORNERS: tuple[tuple[float, float], ...] = ((0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5))
"""Where in a cell a seat has its mark, in the order of the seats: a corner, or the middle of a side."""


def _size(maze: Maze, lines: int = 0) -> tuple[int, int]:
    """Return the width and height of a maze's picture with so many pixels below the board."""
    return maze.width * CELL + 2 * MARGIN, maze.height * CELL + 2 * MARGIN + lines


def maze_drawn(maze: Maze, views: Sequence[Maze], route: Sequence[Cell], status: str) -> tuple[str, int, int]:
    """Draw the whole maze with the way so far.

    Args:
        maze: the whole maze.
        views: the partial copies, whose owners are marked in each cell that they show; none: no marks.
        route: the cells of the way, from the start on.
        status: the line below the board.

    Returns:
        The document, its width and its height.
    """
    large = max(min(1.0, maze.width / NARROW), maze.width / LEGIBLE)
    rows = -(-len(views) // IN_A_ROW)
    width, height = _size(maze, round(large * (STATUS + LEGEND * rows) + max(0.0, large - 1) * MARGIN / 2))
    children = (
        _ground(maze, tuple(views), width, height),
        svg.group(*_trail(route)),
        *((_start(maze.start),) if len(route) > 1 else ()),
        *_ends(maze, route[-1]),
        svg.group(
            svg.words(0, 24, status, 15, svg.INK, font_weight="600"),
            *_legend(len(views)),
            transform=f"translate({MARGIN} {maze.height * CELL + MARGIN}) scale({large:.2f})",
        ),
    )
    return svg.document(width, height, *children, title="the maze"), width, height


@lru_cache(maxsize=512)
def map_drawn(view: Maze, title: str) -> tuple[str, int, int]:
    """Draw a partial copy as its owner has it: what it does not show is fog."""
    width, height = _size(view)
    body = svg.group(*_ends(view, view.start))
    return svg.document(width, height, _ground(view, (), width, height), body, title=title), width, height


@lru_cache(maxsize=512)
def _ground(maze: Maze, views: tuple[Maze, ...], width: int, height: int) -> Element:
    """Draw what stays the same in an episode."""
    board = svg.rectangle(MARGIN, MARGIN, maze.width * CELL, maze.height * CELL, LINES)
    frame = svg.rectangle(
        MARGIN - 1.5, MARGIN - 1.5, maze.width * CELL + 3, maze.height * CELL + 3, "none", radius=3,
        stroke=STONE, stroke_width=3,
    )  # fmt: skip
    cells = (element for cell in maze.cells() for element in _cell(maze, cell))
    marks = (_mark(cell, seat, maze[cell] == WALL) for seat, view in enumerate(views) for cell in _shown(view))
    paper = svg.rectangle(0, 0, width, height, svg.PAPER, radius=8)
    return svg.group(paper, board, *cells, *marks, frame, *_numbers(maze), font_family=svg.PROPORTIONAL)


def _cell(maze: Maze, cell: Cell) -> Iterator[Element]:
    x, y = MARGIN + cell[1] * CELL, MARGIN + cell[0] * CELL
    match maze[cell]:
        case symbol if symbol == WALL:
            # a hair larger than its cell, so that walls that touch leave no seam
            yield svg.rectangle(x - 0.3, y - 0.3, CELL + 0.6, CELL + 0.6, STONE)
        case symbol if symbol == HIDDEN:
            yield svg.rectangle(x + 0.6, y + 0.6, CELL - 1.2, CELL - 1.2, FOG)
            yield svg.centred(x + CELL / 2, y + CELL / 2, "?", 20, UNKNOWN, font_family=None)
        case _:
            yield svg.rectangle(x + 0.6, y + 0.6, CELL - 1.2, CELL - 1.2, OPEN)


def _shown(view: Maze) -> Iterator[Cell]:
    """Yield the cells that a copy shows and others may not: all but start and goal."""
    return (cell for cell in view.cells() if view[cell] != HIDDEN and cell not in (view.start, view.goal))


def _mark(cell: Cell, seat: int, dark: bool) -> Element:
    colours = svg.SEATS_ON_DARK if dark else svg.SEATS
    return svg.path(_triangle(*_corner(cell), seat), closed=True, fill=colours[seat % len(colours)])


def _triangle(x: float, y: float, seat: int, side: float = 11) -> tuple[tuple[float, float], ...]:
    """Return the corners of a seat's mark in a cell whose upper left corner is given."""
    (across, down), inset = CORNERS[seat % len(CORNERS)], 3
    px, py = x + inset + across * (CELL - 2 * inset), y + inset + down * (CELL - 2 * inset)
    if across == 0.5:
        return (px - side * 0.6, py), (px + side * 0.6, py), (px, py + (side * 0.7 if down == 0 else -side * 0.7))
    if down == 0.5:
        return (px, py - side * 0.6), (px, py + side * 0.6), (px + (side * 0.7 if across == 0 else -side * 0.7), py)
    inwards, downwards = (side if across == 0 else -side), (side if down == 0 else -side)
    return (px, py), (px + inwards, py), (px, py + downwards)


def _numbers(maze: Maze) -> Iterator[Element]:
    size = 13 * min(1.5, max(1.0, maze.width / LEGIBLE))
    for column in range(maze.width):
        yield svg.centred(
            MARGIN + (column + 0.5) * CELL, MARGIN / 2 - 1, str(column), size, svg.FAINT, font_family=None
        )
    for row in range(maze.height):
        yield svg.centred(MARGIN / 2 - 1, MARGIN + (row + 0.5) * CELL, str(row), size, svg.FAINT, font_family=None)


def _trail(route: Sequence[Cell]) -> Iterator[Element]:
    """Draw the way, the fainter the longer ago."""
    for number, (one, other) in enumerate(pairwise(route), start=1):
        share = OLDEST + (1 - OLDEST) * number / (len(route) - 1)
        yield svg.line(_middle(one), _middle(other), _faded(share), 10)


def _faded(share: float) -> str:
    """Return the trail's colour as if it were so thick on white: where segments overlap, opacity would show."""
    channels = (int(TRAIL[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (channel - 255) * share):02x}" for channel in channels)


def _start(cell: Cell) -> Element:
    """Draw where the way began."""
    x, y = _middle(cell)
    return svg.element("circle", cx=x, cy=y, r=7, fill=OPEN, stroke=BODY, stroke_width=3)


def _ends(maze: Maze, here: Cell) -> Iterator[Element]:
    """Draw the goal and whoever is on the way to it; on the goal, they are one."""
    x, y = _middle(here)
    if here == maze.goal:
        yield svg.element("circle", cx=x, cy=y, r=15, fill=DONE, stroke=OPEN, stroke_width=2)
        tick = ((x - 7, y + 0.5), (x - 2, y + 6), (x + 7.5, y - 5.5))
        yield svg.path(tick, stroke=OPEN, stroke_width=4, stroke_linecap="round", stroke_linejoin="round")
        return
    yield _flag(*_middle(maze.goal))
    yield svg.element("circle", cx=x, cy=y, r=12, fill=TRAIL, stroke=svg.INK, stroke_width=3)
    yield svg.element("circle", cx=x, cy=y, r=3.5, fill=svg.INK)


def _flag(x: float, y: float) -> Element:
    pole = svg.line((x - 7, y - 13), (x - 7, y + 13), svg.INK, 3)
    cloth = svg.path(((x - 5.5, y - 13), (x + 12, y - 7), (x - 5.5, y - 0.5)), closed=True, fill=FLAG)
    return svg.group(cloth, pole)


def _legend(views: int) -> Iterator[Element]:
    """Say whose mark is which: a small cell with it, and the seat's number."""
    if views:
        yield svg.words(0, 24 + LEGEND, "seen by", 13, svg.FAINT)
    for seat in range(views):
        row, place = divmod(seat, IN_A_ROW)
        left, y, colour = 57 + place * 44, 24 + LEGEND * (row + 1), svg.SEATS[seat % len(svg.SEATS)]
        # drawn in its own cell, made small
        mark = svg.path(_triangle(0, 0, seat, 19), closed=True, fill=colour)
        box = svg.rectangle(0.6, 0.6, CELL - 1.2, CELL - 1.2, OPEN, stroke=svg.FAINT, stroke_width=2)
        yield svg.group(box, mark, transform=f"translate({left} {y - 13}) scale(0.42)")
        yield svg.words(left + 21, y, str(seat + 1), 13, colour, font_weight="700")


def _corner(cell: Cell) -> tuple[float, float]:
    return MARGIN + cell[1] * CELL, MARGIN + cell[0] * CELL


def _middle(cell: Cell) -> tuple[float, float]:
    x, y = _corner(cell)
    return x + CELL / 2, y + CELL / 2
