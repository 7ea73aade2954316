"""The families of grids that the experiments are named after: rows, columns, diagonals, letters, shapes, and any.

The grids are drawn by us in 5 by 5 cells, after the families that the study describes (Hakimov et al., section 3.1).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from types import MappingProxyType

from palaver_gamemasters.dice import Dice

from .grids import Cell, Grid

__all__ = ["FAMILIES", "RANDOM", "drawn_from", "grids_of", "known_as", "names", "random_grid"]

FAMILIES = (
    "line_grids_rows",
    "line_grids_columns",
    "diagonal_grids",
    "letter_grids",
    "shape_grids",
    "random_grids",
)
"""The families, as the published experiments are named, in their order."""

RANDOM = FAMILIES[-1]
"""The family that has no list: any grid is in it."""

SIDE = 5
CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(SIDE) for column in range(SIDE))

LETTERS = """
A .###. #...# ##### #...# #...#
B ####. #...# ####. #...# ####.
C ##### #.... #.... #.... #####
D ####. #...# #...# #...# ####.
E ##### #.... ####. #.... #####
F ##### #.... ####. #.... #....
G ##### #.... #..## #...# #####
H #...# #...# ##### #...# #...#
I .###. ..#.. ..#.. ..#.. .###.
J ..### ...#. ...#. #..#. .##..
K #...# #..#. ###.. #..#. #...#
L #.... #.... #.... #.... #####
M #...# ##.## #.#.# #...# #...#
N #...# ##..# #.#.# #..## #...#
O .###. #...# #...# #...# .###.
P ####. #...# ####. #.... #....
Q .###. #...# #.#.# #..#. .##.#
R ####. #...# ####. #..#. #...#
S .#### #.... .###. ....# ####.
T ##### ..#.. ..#.. ..#.. ..#..
U #...# #...# #...# #...# .###.
V #...# #...# #...# .#.#. ..#..
W #...# #...# #.#.# ##.## #...#
X #...# .#.#. ..#.. .#.#. #...#
Y #...# .#.#. ..#.. ..#.. ..#..
Z ##### ...#. ..#.. .#... #####
"""

SHAPES = """
a filled square: ..... .###. .###. .###. .....
a small square outline: ..... .###. .#.#. .###. .....
a square outline: ##### #...# #...# #...# #####
a square outline with a dot in it: ##### #...# #.#.# #...# #####
a tall rectangle: .###. .###. .###. .###. .###.
a wide rectangle: ..... ##### ##### ##### .....
a diamond: ..#.. .###. ##### .###. ..#..
a diamond outline: ..#.. .#.#. #...# .#.#. ..#..
a plus: ..#.. ..#.. ##### ..#.. ..#..
a small plus: ..... ..#.. .###. ..#.. .....
a church cross: ..#.. ##### ..#.. ..#.. ..#..
a small x: ..... .#.#. ..#.. .#.#. .....
a triangle pointing up: ..... ..#.. .###. ##### .....
a triangle pointing down: ..... ##### .###. ..#.. .....
a triangle pointing left: ...#. ..##. .###. ..##. ...#.
a triangle pointing right: .#... .##.. .###. .##.. .#...
an arrow pointing up: ..#.. .###. #.#.# ..#.. ..#..
an arrow pointing down: ..#.. ..#.. #.#.# .###. ..#..
an arrow pointing left: ..#.. .#... ##### .#... ..#..
an arrow pointing right: ..#.. ...#. ##### ...#. ..#..
a thick arrow pointing up: ..#.. .###. ##### ..#.. ..#..
a thick arrow pointing down: ..#.. ..#.. ##### .###. ..#..
a thick arrow pointing left: ..#.. .##.. ##### .##.. ..#..
a thick arrow pointing right: ..#.. ..##. ##### ..##. ..#..
an hourglass: ##### .###. ..#.. .###. #####
a bow tie: #...# ##.## ##### ##.## #...#
a heart: .#.#. ##### ##### .###. ..#..
a house: ..#.. .###. ##### .#.#. .#.#.
a chessboard: #.#.# .#.#. #.#.# .#.#. #.#.#
four corner cells: #...# ..... ..... ..... #...#
four small squares: ##.## ##.## ..... ##.## ##.##
a staircase going down: #.... ##... ###.. ####. #####
a staircase going up: ....# ...## ..### .#### #####
an umbrella: .###. ##### ..#.. #.#.. .##..
"""


def grids_of(family: str) -> tuple[Grid, ...]:
    """Return all grids of a family, each once; none of the random ones, which nobody lists.

    Raises:
        KeyError: there is no such family.
    """
    return tuple(_families()[family])


def random_grid(dice: Dice) -> Grid:
    """Fill about half of the cells: eight to thirteen, as in the published instances."""
    return Grid.of(dice.sample(CELLS, 8 + dice.below(6)), SIDE)


def drawn_from(family: str, dice: Dice, count: int) -> list[Grid]:
    """Return different grids of a family, in random order.

    Raises:
        KeyError: there is no such family.
        ValueError: it has not so many grids.
    """
    known = grids_of(family)
    if known:
        if count > len(known):
            raise ValueError(f"{family} has {len(known)} grids, not {count}")
        return dice.sample(known, count)
    drawn: dict[Grid, None] = {}
    while len(drawn) < count:
        drawn[random_grid(dice)] = None
    return list(drawn)


def known_as(grid: Grid) -> str | None:
    """Return what people call a grid, such as ``the letter E`` or ``a diamond``; None if it has no name."""
    return names().get(grid)


@cache
def names() -> Mapping[Grid, str]:
    """Return all grids that have a name, with it. No two names are the same."""
    letters = {_drawn(rows): f"the letter {letter}" for letter, rows in _listed(LETTERS, " ")}
    shapes = {_drawn(rows): name for name, rows in _listed(SHAPES, ": ")}
    lines = {
        Grid.of(_falling(0)): "the diagonal from top left to bottom right",
        Grid.of(_rising(0)): "the diagonal from bottom left to top right",
    }
    return MappingProxyType({**lines, **shapes, **letters})


@cache
def _families() -> Mapping[str, Mapping[Grid, None]]:
    listed = {
        "line_grids_rows": _lines(),
        "line_grids_columns": (grid.rotated() for grid in _lines()),
        "diagonal_grids": _diagonals(),
        "letter_grids": (_drawn(rows) for _, rows in _listed(LETTERS, " ")),
        "shape_grids": (_drawn(rows) for _, rows in _listed(SHAPES, ": ")),
        RANDOM: (),
    }
    return {family: dict.fromkeys(grids) for family, grids in listed.items()}


def _lines() -> Iterator[Grid]:
    """Yield whole rows: one of them, several, all but one."""
    for count in range(1, SIDE):
        for rows in combinations(range(SIDE), count):
            yield Grid.of((row, column) for row, column in CELLS if row in rows)


def _falling(shift: int) -> frozenset[Cell]:
    """Return the line from top left to bottom right, or one beside it: so many columns further right."""
    return frozenset((row, column) for row, column in CELLS if column - row == shift)


def _rising(shift: int) -> frozenset[Cell]:
    """Return the line from bottom left to top right, or one beside it: so many columns further right."""
    return frozenset((row, column) for row, column in CELLS if row + column == SIDE - 1 + shift)


def _diagonals() -> Iterator[Grid]:
    """Yield diagonals, parallels, crosses, all these with filled and empty swapped, and halves."""
    shifts = range(-2, 3)
    single = [line(shift) for line in (_falling, _rising) for shift in shifts]
    double = [line(-shift) | line(shift) for line in (_falling, _rising) for shift in (1, 2)]
    crosses = [_falling(falling) | _rising(rising) for falling in (-1, 0, 1) for rising in (-1, 0, 1)]
    lines = [*single, *double, *crosses]
    yield from map(Grid.of, lines)
    yield from (Grid.of(frozenset(CELLS) - line) for line in lines)
    half = Grid.of((row, column) for row, column in CELLS if column >= row)
    yield from (half.rotated(quarters) for quarters in range(4))


def _listed(text: str, end: str) -> Iterator[tuple[str, str]]:
    """Yield name and rows of each line of a table."""
    for line in text.strip().splitlines():
        name, _, rows = line.partition(end)
        yield name, rows


def _drawn(rows: str) -> Grid:
    cells = ((row, column) for row, line in enumerate(rows.split()) for column, sign in enumerate(line) if sign == "#")
    return Grid.of(cells, SIDE)
