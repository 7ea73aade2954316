"""The board (iVISPAR, section 3 and appendix A.1): geoms on an n x n grid, each known by its colour and its shape.

A position is the cells of all geoms, in the order of the instance. One action slides one geom by one cell.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from palaver_protocols.errors import InstanceError

__all__ = ["DIRECTIONS", "SHAPES", "Blocked", "Board", "Cell", "Direction", "Geom", "Position", "label_of"]

T = TypeVar("T")

Direction = Literal["left", "right", "up", "down"]
DIRECTIONS: dict[Direction, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
"""Steps in x and y."""
SHAPES = ("cube", "sphere", "pyramid", "cylinder", "cone", "prism")
"""The shapes that can be drawn (section 3.4)."""
Blocked = Literal["occupied", "out_of_bounds"]
LARGEST = 26
"""Columns are named by letters."""

Cell: TypeAlias = tuple[int, int]
"""Column from the west and row from the south, from 0: (0, 0) is A1."""
Position: TypeAlias = tuple[Cell, ...]
"""The cell of each geom."""


class Geom(NamedTuple):
    """A piece."""

    colour: str
    shape: str

    def __str__(self) -> str:
        """Return its name: ``blue sphere``."""
        return f"{self.colour} {self.shape}"


def label_of(cell: Cell) -> str:
    """Return a cell's name as on a chess board: the column's letter and the row's number."""
    return f"{chr(ord('A') + cell[0])}{cell[1] + 1}"


@dataclass(frozen=True, slots=True)
class Board:
    """What does not change in an episode: the size, the geoms, where they start and where they are to stand.

    Raises:
        InstanceError: two geoms are alike or share a cell, one stands outside, or no cell is free to move to.
    """

    size: int
    geoms: tuple[Geom, ...]
    start: Position
    goal: Position

    def __post_init__(self) -> None:
        """Refuse what makes no game."""
        if not 1 <= self.size <= LARGEST:
            raise InstanceError(f"grid_size {self.size} makes no board", mend=f"1 to {LARGEST}: columns are letters")
        if not self.geoms:
            raise InstanceError("the board has no geoms", mend="give one landmark at least")
        if twice := _twice(self.geoms):
            raise InstanceError(f"there are two of {twice}", mend="no two geoms may have both colour and shape alike")
        for name, position in (("start", self.start), ("goal", self.goal)):
            self._check(name, position)
        if len(self.geoms) == self.size**2:
            raise InstanceError("all cells are taken, so that nothing can move", mend="leave a landmark out")

    def _check(self, name: str, position: Position) -> None:
        for geom, cell in zip(self.geoms, position, strict=True):
            if not self.holds(cell):
                raise InstanceError(
                    f"the {geom} has its {name} at {list(cell)}, outside of the board",
                    mend=f"coordinates are 0 to {self.size - 1}",
                )
        if (shared := _twice(position)) is not None:
            raise InstanceError(f"two geoms have their {name} at {list(shared)}", mend="a cell takes one geom")

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies on the board."""
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def slide(self, position: Position, geom: int, direction: Direction) -> Position | Blocked:
        """Move a geom by a cell, or say why it cannot be."""
        (x, y), (dx, dy) = position[geom], DIRECTIONS[direction]
        cell = (x + dx, y + dy)
        if not self.holds(cell):
            return "out_of_bounds"
        if cell in position:
            return "occupied"
        return (*position[:geom], cell, *position[geom + 1 :])

    def moves(self, position: Position) -> Iterator[tuple[int, Direction, Position]]:
        """Yield all legal moves: the geom, where it goes, and the position after."""
        for geom in range(len(self.geoms)):
            for direction in DIRECTIONS:
                after = self.slide(position, geom, direction)
                if not isinstance(after, str):
                    yield geom, direction, after

    def only(self, geoms: Iterable[int]) -> "Board":
        """Return the board with some of its geoms alone, given by their places in the order of the instance."""
        kept = tuple(geoms)
        start, goal = (tuple(position[geom] for geom in kept) for position in (self.start, self.goal))
        return Board(self.size, tuple(self.geoms[geom] for geom in kept), start, goal)

    def lines(self, position: Position) -> list[str]:
        """List who stands where (section 3.3), ordered by column, then by row: ``D1 yellow pyramid``."""
        placed = sorted(zip(position, self.geoms, strict=True))
        return [f"{label_of(cell)} {geom}" for cell, geom in placed]

    def manhattan(self, position: Position) -> int:
        """Return the moves it would take if no geom were in another's way."""
        return sum(abs(x - gx) + abs(y - gy) for (x, y), (gx, gy) in zip(position, self.goal, strict=True))


def _twice(items: Iterable[T]) -> T | None:
    seen: set[T] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
