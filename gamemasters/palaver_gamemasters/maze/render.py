"""What the players read: the published prompts with the maps drawn into them, and how a script reads the maps back."""

import re
from collections.abc import Sequence
from itertools import groupby

from palaver_gamemasters.texts import prompt_of
from palaver_protocols.errors import InstanceError

from .grid import Maze
from .options import Order, Setting

__all__ = ["prompt", "read_maps", "shown", "task", "tasks"]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
NAMED = "\n- Whoever is named in a message speaks next; if nobody is named, the next agent in turn does."
"""One more rule, where the order of speakers is not fixed (ours)."""

MAP_LINE = re.compile(r"[@*.#?]+")


def prompt(name: str) -> str:
    """Return a text of the folder ``prompts`` by its name, without the file's last newline."""
    return prompt_of(__package__, name).removesuffix("\n")


def shown(setting: Setting, maze: Maze, views: tuple[Maze, ...]) -> tuple[tuple[Maze, ...], ...]:
    """Return the maps that every seat is shown, in the order of the seats: the whole maze, all copies, or one each."""
    if setting == "solo-full":
        return ((maze,),)
    return (views,) if setting == "solo-distributed" else tuple((view,) for view in views)


def tasks(setting: Setting, maze: Maze, views: tuple[Maze, ...], order: Order = "round-robin") -> tuple[str, ...]:
    """Write the task message of every seat, in the order of the seats."""
    seats = shown(setting, maze, views)
    return tuple(task(setting, seat, maps, len(seats), order) for seat, maps in enumerate(seats, start=1))


def task(setting: Setting, seat: int, maps: Sequence[Maze], agents: int, order: Order = "round-robin") -> str:
    """Write the task message of a seat (appendices A.3 and A.4; for more than two copies or agents ours).

    Args:
        setting: alone or not, with the whole map or with parts of it.
        seat: its number, from 1.
        maps: those that it is shown.
        agents: how many talk.
        order: who speaks next; two agents need not be told.
    """
    if setting == "solo-full":
        return prompt("solo_full").format(map=maps[0])
    if setting == "solo-distributed":
        return _solo_distributed(maps)
    if agents == 2:
        return prompt("collaboration").format(map=maps[0])
    turns = NAMED if order == "named" else ""
    return prompt("collaboration_many").format(others=agents - 1, seat=seat, turns=turns, map=maps[0])


def _solo_distributed(maps: Sequence[Maze]) -> str:
    if len(maps) == 2:
        return prompt("solo_distributed").format(map_1=maps[0], map_2=maps[1])
    number = NUMBERS[len(maps)]
    drawn = "\n\n".join(f"Map view {place}:\n\n{view}" for place, view in enumerate(maps, start=1))
    return prompt("solo_distributed_many").format(Number=number.capitalize(), number=number, maps=drawn)


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
