"""Whether an initialisation makes a maze that can be played."""

from palaver_gamemasters.comma.puzzle import setup_error
from palaver_protocols.errors import InstanceError

from .grid import Cell, Rows, distances
from .manual import COLOURS
from .scene import Spheres

__all__ = ["check"]


def check(rows: Rows, spheres: Spheres, mouse: Cell, goal: Cell) -> None:
    """Make sure of it.

    Raises:
        InstanceError: the maze has no proper walls, or something stands where it cannot; names the field.
    """
    _check_walls(rows)
    named = {f"spheres.{colour}": cell for colour, cell in zip(COLOURS, spheres, strict=True)}
    for field, (row, column) in {**named, "mouse": mouse}.items():
        if max(row, column) >= len(rows) or rows[row][column] == "#":
            raise _wrong(f"{field} stands on no free square: row {row}, column {column}", "name a '.' of walls, from 0")
    taken: dict[Cell, str] = {}
    for field, cell in named.items():
        if cell in taken:
            raise _wrong(f"{field} stands where {taken[cell]} does", "give each sphere a square of its own")
        taken[cell] = field
    if mouse == goal:
        raise _wrong(f"mouse begins on the accepting sphere ({taken[goal]})", "let it begin elsewhere")
    for field, cell in named.items():
        if cell not in distances(rows, mouse):
            raise _wrong(f"{field} cannot be reached by the mouse", "open a way in walls")


def _check_walls(rows: Rows) -> None:
    size = len(rows)
    if size % 2 == 0:
        raise _wrong(f"walls has {size} rows, so none is the middle one", "give an odd number of rows, 5 to 13")
    for number, row in enumerate(rows):
        if len(row) != size:
            raise _wrong(f"walls, row {number}, has {len(row)} squares", f"give {size}: a maze is as wide as high")
    rim = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
    if "." in rim:
        raise _wrong("walls has an opening in its rim", "put '#' all round")
    if rows[size // 2][size // 2] != "#":
        raise _wrong("walls has a free square in its middle", "put '#' there: the torus stands on it")


def _wrong(problem: str, mend: str) -> InstanceError:
    return setup_error("maze", problem, mend)
