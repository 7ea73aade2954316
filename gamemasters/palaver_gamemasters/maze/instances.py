"""What there is: the options of the maze game, mazes made from a seed, and mazes read from a file.

The Collaboration Gap, section 3: 6x6 mazes, 30 % walls, 7 to 9 moves from start to goal; appendix B varies size and
density. A maze depends on the seed, its index, the size, the density and the path range, and on nothing else: every
setting and every pairing plays the same mazes.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, JsonValue, PositiveInt, field_validator, model_validator

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Instance, Options, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError

from .grid import GOAL, HIDDEN, MOVES, PATH, START, WALL, Cell, Maze, check_views, split

__all__ = ["MazeInstance", "MazeOptions", "Setting", "generate", "instances", "playable"]

Setting = Literal["solo-full", "solo-distributed", "pair"]

CORNER: Cell = (0, 0)
"""Where every maze starts, as in every maze that the paper prints."""

SCATTERINGS, CARVINGS = 100, 50
"""How often a maze is tried for by throwing walls at random, and by carving a corridor first."""

FAR = 10**9
"""A distance beyond every board: no path leads there yet."""


class MazeOptions(Options):
    """What the maze game can be set to.

    ``density`` is the share of walls among the cells other than start and goal. The shortest path takes ``min_path`` to
    ``max_path`` moves; where they are left out they grow with the size, from the paper's 7 to 9 at 6x6: 1.4 and 1.8
    times (size - 1). ``instances`` names a JSON or JSONL file of mazes to play instead.
    """

    setting: Setting = "pair"
    size: int = Field(default=6, ge=2, le=26)
    density: float = Field(default=0.30, ge=0, le=1)
    min_path: PositiveInt | None = None
    max_path: PositiveInt | None = None
    max_turns: PositiveInt = 50
    instances: str | None = None
    agents: int = 2

    @field_validator("agents")
    @classmethod
    def _two_agents(cls, agents: int) -> int:
        if agents != 2:
            raise ValueError("the maze is played by 2 agents for now")
        return agents

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse at once what no maze can satisfy."""
        shortest, longest = self.path_range
        name = f"a {self.size}x{self.size} maze"
        if shortest > longest:
            raise InstanceError(f"min_path {shortest} is more than max_path {longest}", mend="exchange them")
        if shortest > (limit := _longest_path(self.size)):
            raise InstanceError(
                f"{name} has no shortest path of {shortest} moves",
                mend=f"min_path can be {limit} at most, or take a larger size",
            )
        if shortest > self.free + 1:
            inner = self.size**2 - 2
            limit = (inner - shortest + 1) * 100 // inner
            raise InstanceError(
                f"{name} of density {self.density:g} has no room for a path of {shortest} moves",
                mend=f"density can be {limit / 100:g} at most, or take a smaller min_path",
            )
        return self

    @property
    def walls(self) -> int:
        """Number of walls: the density times the cells other than start and goal, rounded."""
        return round(self.density * (self.size**2 - 2))

    @property
    def free(self) -> int:
        """Number of path cells, start and goal not counted."""
        return self.size**2 - 2 - self.walls

    @property
    def path_range(self) -> tuple[int, int]:
        """Fewest and most moves from start to goal; a bound that is left out gives way to the one that is given."""
        least, most = _usual_range(self.size)
        shortest = self.min_path or min(least, self.max_path or least)
        return shortest, self.max_path or max(most, shortest)


class MazeInstance(Frozen):
    """A maze as files and logs hold it: rows over ``@*.#``, and two copies in which ``?`` hides cells."""

    grid: list[str]
    views: list[list[str]] | None = None


def instances(options: MazeOptions, seed: int) -> Iterator[Instance]:
    """Return the mazes to play: those of the file, or else new ones without end.

    Raises:
        UsageError: the file cannot be read.
        InstanceError: a maze of the file makes no game, or no maze can be made under these options.
    """
    if options.instances is not None:
        return iter(_from_file(Path(options.instances)))
    first = _generated(options, seed, 0)
    return chain([first], (_generated(options, seed, index) for index in count(1)))


def playable(data: JsonValue) -> tuple[Maze, tuple[Maze, Maze]]:
    """Read an instance: the whole maze and its two copies, which are made here where the instance leaves them out.

    Raises:
        InstanceError: it makes no game; says why.
    """
    given: MazeInstance = read_instance("maze", MazeInstance, data)
    maze = Maze.parse(given.grid)
    if any(HIDDEN in row for row in maze.rows):
        raise InstanceError("the maze's grid has hidden cells (?)", mend="hide cells in `views`; `grid` shows them all")
    if maze.start not in maze.to_goal:
        raise InstanceError("no path leads from the maze's start (@) to its goal (*)", mend="remove a wall")
    if given.views is None:
        return maze, split(maze)
    return maze, check_views(maze, [Maze.parse(rows) for rows in given.views])


def _from_file(path: Path) -> list[Instance]:
    mazes = []
    for index, data in enumerate(_read(path)):
        try:
            maze, views = playable(data)
        except InstanceError as error:
            raise InstanceError(f"{path}, maze {index + 1}: {error.message}", mend=error.mend) from error
        mazes.append(_instance(f"{path.stem}-{index:05d}", maze, views))
    if not mazes:
        raise UsageError(f"{path} holds no maze", mend='give {"grid": ["@..", ...]}, one a line or in a list')
    return mazes


def _read(path: Path) -> list[JsonValue]:
    """Read JSON (one maze, or a list of them) or JSONL (one a line). The only function of this game that reads a file.

    Raises:
        UsageError: the file is missing or malformed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"cannot read the mazes of {path}: {why}", mend="name a JSON or JSONL file") from error
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return [_read_line(path, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    return whole if isinstance(whole, list) else [whole]


def _read_line(path: Path, number: int, line: str) -> JsonValue:
    try:
        data: JsonValue = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path}, line {number} is no JSON: {error}", mend='give {"grid": ["@..", ...]}, one a line or in a list'
        ) from error
    return data


def _instance(name: str, maze: Maze, views: tuple[Maze, Maze]) -> Instance:
    return Instance(name, {"grid": list(maze.rows), "views": [list(view.rows) for view in views]})


def _generated(options: MazeOptions, seed: int, index: int) -> Instance:
    shortest, longest = options.path_range
    dice = Dice("maze", seed, index, options.size, options.density, shortest, longest)
    maze = generate(options, dice)
    path = "" if options.path_range == _usual_range(options.size) else f"-p{shortest}-{longest}"
    name = f"{options.size}x{options.size}-d{options.density * 100:g}{path}-s{seed}-{index:05d}"
    return _instance(name, maze, split(maze))


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


def _usual_range(size: int) -> tuple[int, int]:
    """Return the path range of a size where none is given: 1.4 and 1.8 times (size - 1), rounded."""
    least, most = ((tenths * (size - 1) + 5) // 10 for tenths in (14, 18))
    return least, most


def _longest_path(size: int) -> int:
    """Return a bound on the shortest path of any maze: no maze has a longer one.

    A shortest path of k cells touches itself nowhere, so of its 4k sides 2(k - 1) face its own cells; at most 4 * size
    face the edge of the board and 4 * (size^2 - k) the other cells. Hence 6k <= 4 * size^2 + 4 * size - 2.
    """
    return (2 * size * size + 2 * size - 1) // 3 - 1
