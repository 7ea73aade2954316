"""The maze as a value: cells, walls and shortest paths. Cells are (row, column), from (0, 0) at the top left."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

__all__ = [
    "GOAL",
    "HIDDEN",
    "MOVES",
    "PATH",
    "START",
    "WALL",
    "Cell",
    "Maze",
    "blank",
    "check_views",
    "merge",
    "share_out",
    "split",
]

Cell = tuple[int, int]

START, GOAL, PATH, WALL, HIDDEN = "@*.#?"

MOVES: dict[str, Cell] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""The four moves and what they add to a cell."""


@dataclass(frozen=True)
class Maze:
    """A whole maze, or a partial copy in which ``?`` hides cells.

    ``rows`` are strings of equal length over ``@*.#?``, with one start and one goal.

    Raises:
        InstanceError: the rows make no maze; says why.
    """

    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.rows or any(len(row) != len(self.rows[0]) for row in self.rows) or not self.rows[0]:
            raise InstanceError("the maze's rows are not all of one length", mend="give a list of equally long strings")
        text = "".join(self.rows)
        if strange := sorted(set(text) - set("@*.#?")):
            raise InstanceError(
                f"the maze has a cell {strange[0]!r}", mend="use @ start, * goal, . path, # wall, ? hidden"
            )
        for symbol, name in ((START, "start"), (GOAL, "goal")):
            if text.count(symbol) != 1:
                raise InstanceError(f"the maze has {text.count(symbol)} {name} cells ({symbol})", mend="it needs one")

    @classmethod
    def parse(cls, rows: Sequence[str]) -> "Maze":
        """Read a maze from its rows."""
        return cls(tuple(rows))

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    def __getitem__(self, cell: Cell) -> str:
        """Return the symbol of a cell."""
        return self.rows[cell[0]][cell[1]]

    def __contains__(self, cell: Cell) -> bool:
        """Whether a cell lies on the board."""
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def __str__(self) -> str:
        """Draw the maze, one row a line."""
        return "\n".join(self.rows)

    def cells(self) -> Iterator[Cell]:
        """Yield every cell, row by row."""
        return ((row, column) for row in range(self.height) for column in range(self.width))

    def find(self, symbol: str) -> Cell:
        """Return the first cell that holds a symbol."""
        return next(cell for cell in self.cells() if self[cell] == symbol)

    @cached_property
    def start(self) -> Cell:
        """Where the players stand at first."""
        return self.find(START)

    @cached_property
    def goal(self) -> Cell:
        """Where they want to be."""
        return self.find(GOAL)

    def is_open(self, cell: Cell) -> bool:
        """Whether one can stand there: on the board, known, and no wall."""
        return cell in self and self[cell] not in (WALL, HIDDEN)

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """Yield the open cells next to a cell, in the order up, down, left, right."""
        steps = ((cell[0] + down, cell[1] + right) for down, right in MOVES.values())
        return (step for step in steps if self.is_open(step))

    def distances(self, origin: Cell) -> dict[Cell, int]:
        """Return the length of the shortest path from a cell to every cell that can be reached from it."""
        found = {origin: 0}
        queue = deque([origin])
        while queue:
            cell = queue.popleft()
            for step in self.neighbours(cell):
                if step not in found:
                    found[step] = found[cell] + 1
                    queue.append(step)
        return found

    @cached_property
    def to_goal(self) -> dict[Cell, int]:
        """Moves to the goal from every cell from which it can be reached."""
        return self.distances(self.goal)

    def route(self, origin: Cell) -> tuple[Cell, ...]:
        """Return one shortest path from a cell to the goal, both included; none if there is none.

        Of several, the first in the order up, down, left, right at every step: everybody who knows the map finds the
        same one.
        """
        if origin not in self.to_goal:
            return ()
        path = [origin]
        while path[-1] != self.goal:
            path.append(
                min(self.neighbours(path[-1]), key=lambda cell: self.to_goal.get(cell, self.height * self.width))
            )
        return tuple(path)


def merge(first: Maze, second: Maze) -> Maze:
    """Lay two partial copies over each other: a cell is known where either of them knows it."""
    return Maze(
        tuple(
            "".join(b if a == HIDDEN else a for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in zip(first.rows, second.rows, strict=True)
        )
    )


def split(maze: Maze, copies: int = 2, cover: int = 1) -> tuple[Maze, ...]:
    """Make partial copies of a maze: every cell other than start and goal is shown in exactly ``cover`` of them.

    Two copies that share nothing are those of the study (section 2): each hides half of the cells, the second one more
    of an odd number. All others are ours: the numbers of cells that the copies show differ by one at most. The dice are
    seeded by the maze itself: the same maze is always split the same way.
    """
    cells = _inner(maze)
    if (copies, cover) == (2, 1):
        Dice("maze split", *maze.rows).shuffle(cells)
        half = len(cells) // 2
        return _show(maze, set(cells[half:])), _show(maze, set(cells[:half]))
    dice = Dice("maze split", copies, cover, *maze.rows)
    return tuple(_show(maze, cells) for cells in _deal(cells, copies, cover, dice))


def share_out(view: Maze, members: int) -> tuple[Maze, ...]:
    """Divide what a partial copy shows among the members of a team, evenly: each cell is shown to exactly one of them.

    The dice are seeded by the copy itself, so that the same copy is always divided the same way.
    """
    known = [cell for cell in _inner(view) if view[cell] != HIDDEN]
    dice = Dice("maze team", members, *view.rows)
    return tuple(_show(view, cells) for cells in _deal(known, members, 1, dice))


def blank(view: Maze) -> Maze:
    """Hide everything but start and goal."""
    return _show(view, set())


def _deal(cells: list[Cell], copies: int, cover: int, dice: Dice) -> list[set[Cell]]:
    """Deal each cell to ``cover`` copies that have the fewest so far, by lot among equals: the counts stay even."""
    hands: list[set[Cell]] = [set() for _ in range(copies)]
    dice.shuffle(cells)
    for cell in cells:
        dice.shuffle(lots := list(hands))
        for hand in sorted(lots, key=len)[:cover]:
            hand.add(cell)
    return hands


def _inner(maze: Maze) -> list[Cell]:
    return [cell for cell in maze.cells() if maze[cell] not in (START, GOAL)]


def _show(maze: Maze, shown: set[Cell]) -> Maze:
    """Hide all cells but these, the start and the goal."""
    shown = shown | {maze.start, maze.goal}
    return Maze(
        tuple(
            "".join(symbol if (row, column) in shown else HIDDEN for column, symbol in enumerate(symbols))
            for row, symbols in enumerate(maze.rows)
        )
    )


def check_views(maze: Maze, views: Sequence[Maze], copies: int = 2) -> tuple[Maze, ...]:
    """Return the partial copies of a maze that somebody gave. They may overlap, and unevenly.

    Raises:
        InstanceError: they are not so many, not of this maze, or do not make it up; names the cell.
    """
    if len(views) != copies:
        raise InstanceError(
            f"the maze has {len(views)} views for {copies} agents", mend=f"give {copies}, or leave `views` out"
        )
    for number, view in enumerate(views, start=1):
        if (view.height, view.width) != (maze.height, maze.width):
            raise InstanceError(f"view {number} of the maze has another shape than the grid", mend="hide cells with ?")
        if wrong := [cell for cell in maze.cells() if view[cell] not in (HIDDEN, maze[cell])]:
            raise InstanceError(
                f"view {number} of the maze has {view[wrong[0]]!r} at {wrong[0]}, the grid has {maze[wrong[0]]!r}",
                mend="a view shows what the grid has, or ?",
            )
    if unseen := [cell for cell in maze.cells() if all(view[cell] == HIDDEN for view in views)]:
        hidden_by = "both views" if copies == 2 else f"all {copies} views"
        raise InstanceError(f"{hidden_by} of the maze hide {unseen[0]}", mend="show every cell in one of them")
    return tuple(views)
