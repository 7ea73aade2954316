"""What a script makes of what it is shown: the board, read back out of pictures' words and prompts."""

import re
from collections.abc import Iterable, Sequence

from palaver_protocols.content import Image, Part
from palaver_protocols.errors import UsageError
from palaver_protocols.transcript import ENVIRONMENT, IN_WORDS, USER, Message

from .board import Board, Cell, Geom
from .observation import GOAL_IN_WORDS, NOW_IN_WORDS

__all__ = ["read_board", "read_lines", "read_size", "read_states"]

LINE = re.compile(r"^([A-Z])(\d+) (\S+) (\S+)$", re.MULTILINE)
SIZE = re.compile(r"(\d+) by \1 grid")
STATES = re.compile(r"first set of coordinates:\s*\n(.*?)\.\n.*?second set of coordinates:\s*\n(.*?)\.\n", re.DOTALL)
SCENES = (IN_WORDS, GOAL_IN_WORDS, NOW_IN_WORDS)
"""How a text begins that stands for a picture."""

Placed = dict[Geom, Cell]
"""Who stands where."""


def read_board(view: Iterable[Message]) -> Board:
    """Return the board: it starts as it stands now. Geoms are in the order of their names, the same at every step.

    Raises:
        UsageError: the view has no board in words.
    """
    messages = tuple(view)
    goal, now = read_states(messages)
    geoms = tuple(sorted(now))
    return Board(read_size(messages), geoms, *(tuple(placed[each] for each in geoms) for placed in (now, goal)))


def read_size(view: Iterable[Message]) -> int:
    """Return the number of cells a side.

    Raises:
        UsageError: no message says it.
    """
    for message in view:
        if found := SIZE.search(message.text):
            return int(found[1])
    raise _blind()


def read_states(view: Sequence[Message]) -> tuple[Placed, Placed]:
    """Return the goal, and the board as it is now: what the last message says, or else the last two scenes show.

    Raises:
        UsageError: the view has no board in words.
    """
    if found := STATES.search(view[-1].text):
        goal, now = read_lines(found[1]), read_lines(found[2])
    else:
        scenes = [words for message in view for part in message.parts if (words := _scene(message, part))]
        goal, now = map(read_lines, scenes[-2:] if len(scenes) > 1 else ("", ""))
    if not now or goal.keys() != now.keys():
        raise _blind()
    return goal, now


def read_lines(text: str) -> Placed:
    """Read who stands where: lines such as ``D1 yellow pyramid``."""
    return {
        Geom(colour, shape): (ord(letter) - ord("A"), int(number) - 1)
        for letter, number, colour, shape in LINE.findall(text)
    }


def _scene(message: Message, part: Part) -> str:
    """Return what a part shows, if it shows a board; what players say is none."""
    if message.speaker not in (USER, ENVIRONMENT):
        return ""
    if isinstance(part, Image):
        return part.alt or ""
    return part.text if part.text.startswith(SCENES) else ""


def _blind() -> UsageError:
    return UsageError(
        "there is no board in words to be seen", mend="scripts read the board in words: leave words=false out"
    )
