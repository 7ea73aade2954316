"""What there is to play: mazes made from a seed, and mazes read from a file.

The Collaboration Gap, section 3: 6x6 mazes, 30 % walls, 7 to 9 moves from start to goal; appendix B varies size and
density. A maze depends on the seed, its index, the size, the density and the path range, and on nothing else: every
setting, every pairing and every number of agents plays the same mazes, under the same names.
"""

from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

from pydantic import JsonValue

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.files import json_in
from palaver_gamemasters.game import Instance, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError

from .generation import generate
from .grid import HIDDEN, Maze, check_views, split
from .options import MazeOptions, usual_range

__all__ = ["MazeInstance", "instances", "playable"]

EXAMPLE = '{"grid": ["@..", ...]}'


class MazeInstance(Frozen):
    """A maze as files and logs hold it: rows over ``@*.#``, and copies of them in which ``?`` hides cells."""

    grid: list[str]
    views: list[list[str]] | None = None


def instances(options: MazeOptions, seed: int) -> Iterator[Instance]:
    """Return the mazes to play: those of the file, or else new ones without end.

    Raises:
        UsageError: the file cannot be read.
        InstanceError: a maze of the file makes no game, or no maze can be made under these options.
    """
    if options.instances is not None:
        return iter(_from_file(options.instances, options))
    first = _generated(options, seed, 0)
    return chain([first], (_generated(options, seed, index) for index in count(1)))


def playable(data: JsonValue, copies: int = 2, cover: int = 1) -> tuple[Maze, tuple[Maze, ...]]:
    """Read an instance: the whole maze and its copies, which are made here where the instance leaves them out.

    Args:
        data: as plain JSON.
        copies: how many there must be.
        cover: in how many of them each cell is visible, where they are made here.

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
        return maze, split(maze, copies, cover)
    return maze, check_views(maze, [Maze.parse(rows) for rows in given.views], copies)


def _from_file(path: Path, options: MazeOptions) -> list[Instance]:
    mazes = []
    for index, (_, data) in enumerate(json_in(path, "the mazes of", "maze", EXAMPLE)):
        try:
            maze, views = playable(data, options.agents, options.cover)
        except InstanceError as error:
            raise InstanceError(f"{path}, maze {index + 1}: {error.message}", mend=error.mend) from error
        mazes.append(_instance(f"{path.stem}-{index:05d}", maze, views))
    if not mazes:
        raise UsageError(f"{path} holds no maze", mend=f"give {EXAMPLE}, one a line or in a list")
    return mazes


def _instance(name: str, maze: Maze, views: tuple[Maze, ...]) -> Instance:
    return Instance(name, {"grid": list(maze.rows), "views": [list(view.rows) for view in views]})


def _generated(options: MazeOptions, seed: int, index: int) -> Instance:
    shortest, longest = options.path_range
    dice = Dice("maze", seed, index, options.size, options.density, shortest, longest)
    maze = generate(options, dice)
    path = "" if options.path_range == usual_range(options.size) else f"-p{shortest}-{longest}"
    name = f"{options.size}x{options.size}-d{options.density * 100:g}{path}-s{seed}-{index:05d}"
    return _instance(name, maze, split(maze, options.agents, options.cover))
