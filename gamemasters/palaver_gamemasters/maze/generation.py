"""How a maze is made: exactly so many walls, and a shortest path of the wanted length. The same dice, the same maze."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .grid import GOAL, MOVES, PATH, START, WALL, Cell, Maze
from .options import MazeOptions

__all__ = ["generate"]

CORNER: Cell = (0, 0)
"""Where every maze starts, as in every maze that the paper prints."""

SCATTERINGS, CARVINGS = 100, 50
"""How often a maze is tried for by throwing walls at random, and by carving a corridor first."""

FAR = 10**9
"""A distance beyond every board: no path leads there yet."""


def generate(options: MazeOptions, dice: Dice) -> Maze:
    """Make a maze with exactly the wanted number of walls and a shortest path within the wanted range.

    First by rejection: goal and walls are thrown at random until the path fits, so that every maze that fits is as
    likely as any other. Where walls are too dense for that, a corridor is carved and the rest is scattered around it.

    Raises:
        InstanceError: none was found in a bounded number of tries.
    """
    shortest, longest = options.path_range
    tries = chain(
        (_scatter(options, dice) for _ in range(SCATTERINGS)),
        (_carve(options, dice) for _ in range(CARVINGS)),
    )
    for maze in tries:
        if maze is not None and shortest <= maze.to_goal.get(maze.start, 0) <= longest:
            return maze
    raise InstanceError(
        f"found no {options.size}x{options.size} maze of density {options.density:g} with a shortest path of "
        f"{shortest} to {longest} moves in {SCATTERINGS + CARVINGS} tries",
        mend="widen min_path to max_path, or change the density",
    )


def _scatter(options: MazeOptions, dice: Dice) -> Maze:
    """Throw the goal and the walls at random; the goal not so far off that no path could be short enough."""
    cells = [cell for cell in _board(options.size) if cell != CORNER]
    goal = dice.pick([cell for cell in cells if sum(cell) <= options.path_range[1]])
    cells.remove(goal)
    walls = set(dice.sample(cells, options.walls))
    return _draw(options.size, goal, lambda cell: cell not in walls)


def _carve(options: MazeOptions, dice: Dice) -> Maze | None:
    """Lay a corridor of a wanted length, then open as many other cells as the density asks for.

    A cell is opened only if no path through it is shorter than wanted. Opening cells makes paths shorter, never longer,
    so a cell refused once need not be looked at again.
    """
    shortest, longest = options.path_range
    length = shortest + dice.below(min(longest, options.free + 1) - shortest + 1)
    path = _corridor(options.size, length, dice)
    if path is None:
        return None
    from_start = {cell: moves for moves, cell in enumerate(path)}
    from_goal = {cell: length - moves for cell, moves in from_start.items()}
    opened = set(path)
    others = [cell for cell in _board(options.size) if cell not in opened]
    dice.shuffle(others)
    for cell in others:
        if len(opened) == options.free + 2:
            break
        away, left = (1 + min(moves.get(step, FAR) for step in _around(cell)) for moves in (from_start, from_goal))
        if away + left >= shortest:
            opened.add(cell)
            _shorten(from_start, opened, cell, away)
            _shorten(from_goal, opened, cell, left)
    return _draw(options.size, path[-1], opened.__contains__) if len(opened) == options.free + 2 else None


def _corridor(size: int, length: int, dice: Dice) -> list[Cell] | None:
    """Walk at random from the corner, touching the path walked so far nowhere else; back out of dead ends."""

    def onward() -> list[Cell]:
        cells = [cell for cell in _around(path[-1]) if cell in board and cell not in path]
        dice.shuffle(cells)
        return [cell for cell in cells if sum(step in path for step in _around(cell)) == 1]

    board = set(_board(size))
    path = [CORNER]
    choices = [onward()]
    for _ in range(4 * size * size):
        if len(path) == length + 1:
            return path
        if choices[-1]:
            path.append(choices[-1].pop())
            choices.append(onward())
        elif len(path) > 1:
            path.pop()
            choices.pop()
        else:
            break
    return None


def _shorten(moves: dict[Cell, int], opened: set[Cell], cell: Cell, value: int) -> None:
    """Note the distance of a newly opened cell, and what becomes nearer through it."""
    if value >= FAR:
        return
    moves[cell] = value
    queue = deque([cell])
    while queue:
        here = queue.popleft()
        for step in _around(here):
            if step in opened and moves.get(step, FAR) > moves[here] + 1:
                moves[step] = moves[here] + 1
                queue.append(step)


def _around(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + down, cell[1] + right) for down, right in MOVES.values())


def _board(size: int) -> Iterator[Cell]:
    return ((row, column) for row in range(size) for column in range(size))


def _draw(size: int, goal: Cell, is_open: Callable[[Cell], bool]) -> Maze:
    symbols = {CORNER: START, goal: GOAL}
    cells = [symbols.get(cell, PATH if is_open(cell) else WALL) for cell in _board(size)]
    return Maze(tuple("".join(cells[row * size : (row + 1) * size]) for row in range(size)))
