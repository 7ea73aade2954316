"""What a script makes of what it is shown: the board, read back out of pictures' words and prompts."""

import re
from collections.abc import Iterable, Mapping, Sequence

from palaver_protocols.content import Part, Text
from palaver_protocols.errors import UsageError
from palaver_protocols.transcript import ENVIRONMENT, IN_WORDS, USER, Message

from .board import Board, Cell, Geom
from .commands import schematic_names
from .observation import GOAL_IN_WORDS, NOW_IN_WORDS

__all__ = ["read_board", "read_lines", "read_size", "read_states", "solid"]

LINE = re.compile(r"^([A-Z])(\d+) (\S+) (\S+)$", re.MULTILINE)
SIZE = re.compile(r"(\d+) by \1 grid")
STATES = re.compile(r"first set of coordinates:\s*\n(.*?)\.\n.*?second set of coordinates:\s*\n(.*?)\.\n", re.DOTALL)
SCENES = (IN_WORDS, GOAL_IN_WORDS, NOW_IN_WORDS)
"""How a text begins that shows a board."""
SOLID: Mapping[str, str] = {name: shape for shape, name in schematic_names(compat=False).items()}
"""The shapes that are meant by the names of what pictures from above show."""

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


def read_states(view: Sequence[Message], *, as_seen: bool = False) -> tuple[Placed, Placed]:
    """Return the goal, and the board as it is now: what the last message says, or else the last two scenes show.

    Args:
        view: what a seat is shown.
        as_seen: whether shapes keep the names that pictures give them: a square of a picture from above is a cube.

    Raises:
        UsageError: the view has no board in words.
    """
    if found := STATES.search(view[-1].text):
        scenes = [read_lines(found[1]), read_lines(found[2])]
    else:
        scenes = [scene for message in view for part in message.parts if (scene := _scene(message, part, as_seen))]
    goal, now = scenes[-2:] if len(scenes) > 1 else ({}, {})
    if not now or goal.keys() != now.keys():
        raise _blind()
    return goal, now


def read_lines(text: str) -> Placed:
    """Read who stands where, by the names that the lines have: such as ``D1 yellow pyramid``."""
    return {
        Geom(colour, shape): (ord(letter) - ord("A"), int(number) - 1)
        for letter, number, colour, shape in LINE.findall(text)
    }


def solid(placed: Placed) -> Placed:
    """Return the shapes that are meant by names of what pictures from above show; others stay as they are."""
    meant = {geom: Geom(geom.colour, SOLID.get(geom.shape, geom.shape)) for geom in placed}
    # with compat there may be a cone and a diamond, which are two shapes with names of their own
    return {geom if meant[geom] in placed else meant[geom]: cell for geom, cell in placed.items()}


def _scene(message: Message, part: Part, as_seen: bool) -> Placed:
    """Return what a part shows, if it shows a board; what players say is none."""
    if message.speaker not in (USER, ENVIRONMENT):
        return {}
    if isinstance(part, Text):
        text, pictured = part.text, part.text.startswith(IN_WORDS)
        if not text.startswith(SCENES):
            return {}
    else:
        text, pictured = part.alt or "", True
    found = read_lines(text)
    return solid(found) if pictured and not as_seen else found


def _blind() -> UsageError:
    return UsageError(
        "there is no board in words to be seen", mend="scripts read the board in words: leave words=false out"
    )
