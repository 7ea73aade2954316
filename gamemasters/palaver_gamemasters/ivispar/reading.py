"""What a script makes of what it is shown: the board, read back out of pictures' words and prompts."""

import re
from collections.abc import Iterable

from palaver_protocols.content import Image
from palaver_protocols.errors import UsageError
from palaver_protocols.transcript import Message

from .board import Board, Cell, Geom

__all__ = ["read_board", "read_lines"]

LINE = re.compile(r"^([A-Z])(\d+) (\S+) (\S+)$", re.MULTILINE)
SIZE = re.compile(r"(\d+) by \1 grid")
STATES = re.compile(r"first set of coordinates:\s*\n(.*?)\.\n.*?second set of coordinates:\s*\n(.*?)\.\n", re.DOTALL)
BLIND = "a script reads the board in words"


def read_board(view: Iterable[Message]) -> Board:
    """Return the board: it starts as it stands now.

    Raises:
        UsageError: the view has no board in words.
    """
    messages = list(view)
    size = next((int(found[1]) for each in messages if (found := SIZE.search(each.text))), None)
    goal, now = _states(messages)
    if size is None or not goal or goal.keys() != now.keys():
        raise UsageError("there is no board in words to be seen", mend=f"{BLIND}: leave words=false out")
    geoms = tuple(now)
    return Board(size, geoms, tuple(now[each] for each in geoms), tuple(goal[each] for each in geoms))


def _states(messages: list[Message]) -> tuple[dict[Geom, Cell], dict[Geom, Cell]]:
    if found := STATES.search(messages[-1].text):
        return read_lines(found[1]), read_lines(found[2])
    pictures = [part.alt or "" for each in messages for part in each.parts if isinstance(part, Image)]
    pictures += []
    if len(pictures) < 2:
        return {}, {}
    return read_lines(pictures[-2]), read_lines(pictures[-1])


def read_lines(text: str) -> dict[Geom, Cell]:
    """Read who stands where: lines such as ``D1 yellow pyramid``."""
    return {
        Geom(colour, shape): (ord(letter) - ord("A"), int(number) - 1)
        for letter, number, colour, shape in LINE.findall(text)
    }
