"""What the players read: the published prompts with the maps drawn into them, and how a script reads the maps back."""

import re
from functools import cache
from importlib.resources import files
from itertools import groupby

from palaver_protocols.errors import InstanceError

from .grid import Maze
from .options import Setting

__all__ = ["prompt", "read_maps", "tasks"]

MAP_LINE = re.compile(r"[@*.#?]+")


@cache
def prompt(name: str) -> str:
    """Return a text of the folder ``prompts`` by its name, without the file's last newline."""
    return (files(__package__) / "prompts" / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")


def tasks(setting: Setting, maze: Maze, views: tuple[Maze, Maze]) -> tuple[str, ...]:
    """Write the task message of every seat, in the order of the seats (appendices A.3 and A.4)."""
    if setting == "solo-full":
        return (prompt("solo_full").format(map=maze),)
    if setting == "solo-distributed":
        return (prompt("solo_distributed").format(map_1=views[0], map_2=views[1]),)
    return tuple(prompt("collaboration").format(map=view) for view in views)


def read_maps(text: str) -> tuple[Maze, ...]:
    """Find the maps drawn in a text, in order: blocks of lines over ``@*.#?`` with one start and one goal."""
    blocks = groupby(text.splitlines(), key=lambda line: len(line) if MAP_LINE.fullmatch(line) else 0)
    return tuple(maze for width, lines in blocks if width and (maze := _map(tuple(lines))))


def _map(rows: tuple[str, ...]) -> Maze | None:
    """Read a block of equally long lines; None if it is no map after all, such as a line of dots."""
    try:
        return Maze(rows)
    except InstanceError:
        return None
